# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floating point semantics on numpy arrays.

All functions take and return arrays of one dtype each (any shape that
broadcasts) and never modify an argument.  Rounding modes: 'rn' (to nearest,
ties to even), 'rz', 'rm' (to -inf), 'rp' (to +inf).

Principles
* f32 add/sub/mul/div/sqrt in 'rn' are numpy's own float32 operations, which
  are IEEE-754 correctly rounded with subnormals on this class of machine (the
  test-suite checks that).
* f32 fma: the product of two f32 is exact in f64; the sum with the addend is
  rounded to f64 first, so a second rounding to f32 may be wrong only where the
  f64 sum lies exactly half way between two f32 values (or where the result is
  subnormal).  Those elements are redone with a round-to-odd intermediate.
* f64 fma: error-free transformations (Boldo & Melquiond); elements with
  extreme exponents are redone with exact Python integers.
* directed rounding: the exact error term of the f64 (or f32) operation decides.
* NaN: PTX single precision and half precision operations return the canonical
  NaN 0x7fffffff / 0x7fff; that is applied lazily by canon32 / in the f16
  helpers.  f64 keeps payloads.
"""

import numpy as np

f2, f4, f8 = np.float16, np.float32, np.float64
u1, u2, u4, u8 = np.uint8, np.uint16, np.uint32, np.uint64
i1, i2, i4, i8 = np.int8, np.int16, np.int32, np.int64

TINY32 = np.float32(2.0 ** -126)
TINY64 = np.float64(2.0 ** -1022)


def K(dtype, v):
    return np.array([v], dtype=dtype)


_TINY32 = K(f4, 2.0 ** -126)
_TINY64 = K(f8, 2.0 ** -1022)
_TINY16 = K(f2, 2.0 ** -14)
_M29 = K(u8, 0x1fffffff)
_H29 = K(u8, 0x10000000)
_ZERO4 = K(f4, 0.0)
_ONE4 = K(f4, 1.0)
_ZERO8 = K(f8, 0.0)
_ONE8 = K(f8, 1.0)
_INF4 = K(f4, np.inf)
_INF8 = K(f8, np.inf)


# --- NaN, flush to zero, saturation ------------------------------------------

def canon32(x):
    """Replace every f32 NaN by 0x7fffffff."""
    m = x != x
    if m.any():
        x = x.copy()
        x.view(u4)[m] = 0x7fffffff
    return x


def ftz32(x):
    """Flush f32 subnormals to sign-preserving zero."""
    m = np.abs(x) < _TINY32
    if m.any():
        y = x.copy()
        y.view(u4)[m] &= u4(0x80000000)
        return y
    return x


def ftz64(x):
    m = np.abs(x) < _TINY64
    if m.any():
        y = x.copy()
        y.view(u8)[m] &= u8(0x8000000000000000)
        return y
    return x


def sat32(x):
    """Clamp to [0, 1]; NaN gives +0."""
    # comparisons are False for NaN (quiet or signalling)
    return np.minimum(np.where(x > _ZERO4, x, _ZERO4), _ONE4)


def sat64(x):
    return np.minimum(np.where(x > _ZERO8, x, _ZERO8), _ONE8)


# --- error-free transformations ----------------------------------------------

def two_sum(a, b):
    s = a + b
    bb = s - a
    e = (a - (s - bb)) + (b - bb)
    return s, e


def _split(a):
    t = a * 134217729.0
    hi = t - (t - a)
    return hi, a - hi


def two_prod(a, b):
    """p + e == a*b exactly, barring over/underflow (callers check)."""
    p = a * b
    ah, al = _split(a)
    bh, bl = _split(b)
    e = ((ah * bh - p) + ah * bl + al * bh) + al * bl
    return p, e


def selbits(m, a, b):
    """m ? a : b for unsigned integer arrays, without branches (np.where is slow on
    irregular masks).  a may be a scalar of b's type."""
    if m.size < 2048:
        return np.where(m, a, b)
    k = m.astype(b.dtype)
    np.negative(k, out=k)
    k = (a ^ b) & k
    return b ^ k


def round_odd(s, e):
    """s = RN(x), e = x - s exactly  ->  x rounded to odd (f64).

    Rounding to odd is rounding toward zero with the last bit set if inexact."""
    inexact = e != 0
    if not inexact.any():
        return s
    inexact &= np.isfinite(s)
    bits = s.view(i8)
    over = ((bits ^ e.view(i8)) < 0) & inexact       # |s| > |x|
    return ((bits - over) | inexact).view(f8)


# --- f64 value -> narrower formats -------------------------------------------

def f64_to_f32(x, mode="rn"):
    """Round f64 (exact, or rounded to odd) to f32."""
    r = x.astype(f4)
    if mode == "rn":
        return r
    return _direct(r, x, mode, f4)


def _direct(r, x, mode, ft):
    """r: nearest value (type ft) of the f64 x; return x rounded in `mode`."""
    rd = r.astype(f8)
    inf = np.array([np.inf], dtype=ft)
    if mode == "rz":
        m = np.abs(rd) > np.abs(x)
        t = np.zeros(1, ft)
    elif mode == "rm":
        m = rd > x
        t = -inf
    elif mode == "rp":
        m = rd < x
        t = inf
    else:
        raise ValueError(mode)
    if m.any():
        return np.where(m, np.nextafter(r, t), r)
    return r


def f64_to_f32_odd(x):
    """f64 -> f32 rounded to odd (keeps what a later rounding to <= 22 bits needs)."""
    r = x.astype(f4)
    inexact = r != x                   # also for NaN, where it does not matter
    if not inexact.any():
        return r
    over = np.abs(r) > np.abs(x)
    return ((r.view(i4) - over) | inexact).view(f4)


_F16TAB = None


def f16_to_f32(h):
    """float16 bits (u2) -> f32.  NaN payloads are widened as the hardware does."""
    global _F16TAB
    if _F16TAB is None:
        _F16TAB = np.arange(65536, dtype=u2).view(f2).astype(f4)
    return _F16TAB.take(h)


def f64_to_f16(x, mode="rn"):
    """f64 (exact or round-to-odd) -> float16 bits (u2), NaN -> 0x7fff."""
    if mode != "rn":
        b = _direct(x.astype(f2), x, mode, f2).view(u2)
    elif x.size < 1024:
        b = x.astype(f2).view(u2)
    else:
        b = _f32_to_f16_fast(f64_to_f32_odd(x))
    m = x != x
    if m.any():
        b = selbits(m, u2(0x7fff), b)
    return b


def f32_to_f16(x, mode="rn"):
    """f32 -> float16 bits (u2), one rounding, NaN -> 0x7fff."""
    if mode != "rn":
        return f64_to_f16(x.astype(f8), mode)
    if x.size < 1024:
        b = x.astype(f2).view(u2)
    else:
        b = _f32_to_f16_fast(x)
    m = x != x
    if m.any():
        b = selbits(m, u2(0x7fff), b)
    return b


def _f32_to_f16_fast(x):
    """Round to nearest even f32 -> f16 with integer arithmetic."""
    w = x.view(u4)
    sign = ((w >> u4(16)) & u4(0x8000)).astype(u2)
    mag = w & u4(0x7fffffff)
    # normal results: rebias and round to even at bit 13
    n = (mag >> u4(13)) & u4(1)
    n += mag
    n += u4((0xfff - 0x38000000) & 0xffffffff)
    n >>= u4(13)
    # subnormal results (|x| < 2^-14): let the f32 adder do the rounding
    sub = mag < u4(0x38800000)
    if sub.any():
        magic = K(f4, 0.5)                         # ulp(0.5) = 2^-24
        s = (np.abs(x) + magic).view(u4) - magic.view(u4)
        n = selbits(sub, s, n)
    big = mag >= u4(0x47800000)                    # >= 65536: infinity
    if big.any():
        n = selbits(big, u4(0x7c00), n)
    return n.astype(u2) | sign


def bf16_to_f32(b):
    """bfloat16 bits (u2) -> f32."""
    return (b.astype(u4) << 16).view(f4)


def f32_to_bf16(x, mode="rn"):
    """f32 (exact or round-to-odd) -> bfloat16 bits (u2), NaN -> 0x7fff."""
    w = x.view(u4)
    if mode == "rn":
        r = (w + (u4(0x7fff) + ((w >> 16) & u4(1)))) >> 16
    elif mode == "rz":
        r = w >> 16
    else:
        up = (w & u4(0xffff)) != 0
        neg = (w >> 31) != 0
        inc = up & (neg if mode == "rm" else ~neg) & np.isfinite(x)
        r = (w >> 16) + inc.astype(u4)
    r = r.astype(u2)
    m = x != x
    if m.any():
        r = selbits(m, u2(0x7fff), r)
    return r


def f32_to_tf32(x, mode="rna", satfinite=False):
    """f32 -> tf32 (result in f32 format with 10 mantissa bits)."""
    w = x.view(u4)
    if mode == "rna":
        r = (w + u4(0x1000)) & u4(0xffffe000)
    elif mode == "rn":
        r = (w + (u4(0xfff) + ((w >> 13) & u4(1)))) & u4(0xffffe000)
    else:
        r = w & u4(0xffffe000)
    special = ~np.isfinite(x)
    if satfinite:
        over = (r & u4(0x7fffffff)) >= u4(0x7f800000)
        r = np.where(over, (w & u4(0x80000000)) | u4(0x7f7fe000), r)
    if special.any():
        r = np.where(np.isinf(x) & (not satfinite), w, r)
        r = np.where(x != x, u4(0x7fffffff), r)
    return r


# --- generic rounding to a small float format --------------------------------

def round_small(x, p, emin, maxfin, mode="rn"):
    """f64 -> f64 value representable with p significant bits, minimum normal
    exponent emin; overflow is left to the caller (values above maxfin)."""
    m, e = np.frexp(x)                    # x = m * 2^e, 0.5 <= |m| < 1
    e = np.maximum(e - 1, emin)
    q = np.ldexp(np.ones_like(x), e - (p - 1))
    y = x / q                             # exact: q is a power of two
    if mode == "rn":
        y = np.rint(y)
    elif mode == "rz":
        y = np.trunc(y)
    elif mode == "rm":
        y = np.floor(y)
    elif mode == "rp":
        y = np.ceil(y)
    elif mode == "rna":
        y = np.copysign(np.floor(np.abs(y) + 0.5), y)
    return y * q


def f64_to_fp8(x, fmt, mode="rn"):
    """f64 -> e4m3 / e5m2 bits (u1) with satfinite, NaN -> 0x7f / 0x7f."""
    x, = np.broadcast_arrays(x)
    nan = x != x
    if fmt == "e4m3":
        p, emin, mx, bias, mb, nanbits = 4, -6, 448.0, 7, 3, 0x7f
    else:
        p, emin, mx, bias, mb, nanbits = 3, -14, 57344.0, 15, 2, 0x7f
    xs = np.where(nan, 0.0, x)
    big = np.abs(xs) > 1e6
    xs = np.where(big, np.copysign(1e6, xs), xs)
    r = round_small(xs, p, emin, mx, mode)
    r = np.clip(r, -mx, mx)
    a = np.abs(r)
    m, e = np.frexp(np.where(a == 0, 1.0, a))
    e = e - 1
    sub = e < emin
    ee = np.where(sub, emin, e)
    frac = np.ldexp(a, mb - ee)            # integer, with hidden bit if normal
    fi = frac.astype(i8)
    bits = np.where(fi >= (1 << mb), ((ee + bias) << mb) + (fi - (1 << mb)), fi)
    bits = bits | np.where(np.signbit(x), 0x80, 0)
    bits = np.where(nan, nanbits, bits)
    return bits.astype(u1)


def fp8_to_f32(b, fmt):
    """e4m3 / e5m2 bits (u1) -> f32."""
    b = b.astype(i4)
    if fmt == "e4m3":
        bias, mb = 7, 3
    else:
        bias, mb = 15, 2
    sign = np.where(b & 0x80, -1.0, 1.0)
    e = (b & 0x7f) >> mb
    m = b & ((1 << mb) - 1)
    v = np.where(e == 0, np.ldexp(m.astype(f8), 1 - bias - mb),
                 np.ldexp((m + (1 << mb)).astype(f8), e - bias - mb))
    if fmt == "e4m3":
        v = np.where((b & 0x7f) == 0x7f, np.nan, v)
    else:
        v = np.where(e == 31, np.where(m == 0, np.inf, np.nan), v)
    return (sign * v).astype(f4)


# --- f32 arithmetic ----------------------------------------------------------

def _neg_zero_fix(r, s, anyneg):
    """In rm mode an exact zero sum is -0 unless both terms are +0 (or equal
    signed zeros); s: the f64 sum, anyneg: some term has its sign bit set."""
    z = (s == 0) & anyneg
    if z.any():
        return np.where(z, -_ZERO4 if r.dtype == f4 else -_ZERO8, r)
    return r


def add32(a, b, mode):
    """f32 a + b in a directed mode."""
    ad, bd = a.astype(f8), b.astype(f8)
    s, e = two_sum(ad, bd)
    r = f64_to_f32(round_odd(s, e), mode)
    if mode == "rm":
        r = _neg_zero_fix(r, s, np.signbit(a) | np.signbit(b))
    return r


def mul32(a, b, mode):
    return f64_to_f32(a.astype(f8) * b.astype(f8), mode)


def div32(a, b, mode):
    ad, bd = a.astype(f8), b.astype(f8)
    q = ad / bd
    p, pe = two_prod(q, bd)
    r = (ad - p) - pe                    # exact sign of the remainder
    e = np.where(bd < 0, -r, r)
    e = np.where(np.isfinite(e), e, 0.0)
    return f64_to_f32(round_odd(q, e), mode)


def sqrt32(a, mode):
    ad = a.astype(f8)
    s = np.sqrt(ad)
    p, pe = two_prod(s, s)
    e = (ad - p) - pe
    e = np.where(np.isfinite(e), e, 0.0)
    return f64_to_f32(round_odd(s, e), mode)


def fma32(a, b, c):
    """f32 fma, round to nearest even, one rounding."""
    p = a.astype(f8) * b                 # exact (b is widened exactly)
    s = p + c
    r = s.astype(f4)
    hard = (s.view(u8) & _M29) == _H29
    # <= : a tie just below 2^-126 rounds up to 2^-126 itself
    small = np.abs(r) <= _TINY32
    if small.any():
        small &= s != 0
        hard = hard | small
    if hard.any():
        r = _fma32_fix(a, b, c, r, hard)
    return r


def _fma32_fix(a, b, c, r, hard):
    if r.size == 1:
        idx = slice(None)
        aa, bb, cc = a, b, c
    else:
        idx = np.flatnonzero(hard)
        aa = a if a.size == 1 else a[idx]
        bb = b if b.size == 1 else b[idx]
        cc = c if c.size == 1 else c[idx]
    s, e = two_sum(aa.astype(f8) * bb.astype(f8), cc.astype(f8))
    v = round_odd(s, e).astype(f4)
    r[idx] = v
    return r


def fma32_mode(a, b, c, mode):
    p = a.astype(f8) * b.astype(f8)
    cd = c.astype(f8)
    s, e = two_sum(p, cd)
    r = f64_to_f32(round_odd(s, e), mode)
    if mode == "rm":
        r = _neg_zero_fix(r, s, np.signbit(p) | np.signbit(c))
    return r


# --- f64 arithmetic ----------------------------------------------------------

def _step64(r, e, mode):
    """r = RN(x), e: a value with the sign of x - r.  x rounded in `mode`."""
    if mode == "rn":
        return r
    if mode == "rz":
        m = ((e < 0) & (r > 0)) | ((e > 0) & (r < 0))
        t = _ZERO8
    elif mode == "rm":
        m = e < 0
        t = -_INF8
    else:
        m = e > 0
        t = _INF8
    if m.any():
        return np.where(m, np.nextafter(r, t), r)
    return r


def add64(a, b, mode):
    if mode == "rn":
        return a + b
    a, b = np.broadcast_arrays(a, b)
    s, e = two_sum(a, b)
    bad = ~(np.isfinite(s) & (np.abs(a) < 2.0 ** 1021) & (np.abs(b) < 2.0 ** 1021))
    r = _step64(s, np.where(bad, 0.0, e), mode)
    if mode == "rm":
        r = _neg_zero_fix(r, s, np.signbit(a) | np.signbit(b))
    if bad.any():
        r = _exact_fix(r, bad, a, np.ones_like(a), b, mode)
    return r


def mul64(a, b, mode):
    if mode == "rn":
        return a * b
    a, b = np.broadcast_arrays(a, b)
    return fma64(a, b, np.where(np.signbit(a) ^ np.signbit(b), -0.0, 0.0), mode)


def fma64(a, b, c, mode="rn"):
    """f64 fma with one rounding."""
    a, b, c = np.broadcast_arrays(a, b, c)
    p, pe = two_prod(a, b)
    ap = np.abs(p)
    zero = (a == 0) | (b == 0)
    ok = (((ap >= 2.0 ** -960) & (ap < 2.0 ** 1020)) | zero)
    ok &= (np.abs(c) < 2.0 ** 1020) & (np.abs(a) < 2.0 ** 990) & (np.abs(b) < 2.0 ** 990)
    uh, ul = two_sum(c, pe)
    th, tl = two_sum(p, uh)
    vh, vl = two_sum(tl, ul)
    z = round_odd(vh, vl)
    s = th + z
    if mode == "rn":
        r = s
        # p == 0 because a or b is: plain sum keeps the sign of zero right
        r = np.where(zero, p + c, r) if zero.any() else r
        exact0 = (r == 0) & ok & ~zero
        if exact0.any():          # exact cancellation: +0 in rn
            r = np.where(exact0, 0.0, r)
    else:
        s2, e = two_sum(th, z)
        r = _step64(s2, e, mode)
        if zero.any():
            r = np.where(zero, p + c, r)
        if mode == "rm":
            r = _neg_zero_fix(r, r, np.signbit(p) | np.signbit(c))
        exact0 = (r == 0) & ok & ~zero
        if exact0.any():
            r = np.where(exact0, -0.0 if mode == "rm" else 0.0, r)
    if not ok.all():
        r = _exact_fix(r, ~ok, a, b, c, mode)
    return r


def _exact_fix(r, m, a, b, c, mode):
    r = np.array(r, dtype=f8)
    idx = np.flatnonzero(m)
    for i in idx:
        r[i] = _fma_exact(float(a[i]), float(b[i]), float(c[i]), mode)
    return r


def _fma_exact(a, b, c, mode):
    """One f64 fma with Python integers."""
    if not (np.isfinite(a) and np.isfinite(b)):
        return float(np.float64(a) * np.float64(b) + np.float64(c))
    if not np.isfinite(c):
        return float(np.float64(c) + 0.0)
    ma, ea = _int_exp(a)
    mb, eb = _int_exp(b)
    mc, ec = _int_exp(c)
    mp, ep = ma * mb, ea + eb
    e = min(ep, ec)
    n = (mp << (ep - e)) + (mc << (ec - e))
    if n == 0:
        sp = np.signbit(a) != np.signbit(b)
        sc = np.signbit(c)
        if mp == 0 and mc == 0:
            if sp == sc:
                return -0.0 if sp else 0.0
        return -0.0 if mode == "rm" else 0.0
    return round_int(n, e, mode)


def _int_exp(x):
    """x == m * 2^e with integers."""
    if x == 0:
        return 0, 0
    m, e = np.frexp(x)
    return int(m * 2.0 ** 53), int(e) - 53


def round_int(n, e, mode, p=53, emin=-1074, emax=1023):
    """The f64 nearest to n * 2^e (n a nonzero Python int) in `mode`."""
    neg = n < 0
    n = abs(n)
    shift = max(n.bit_length() - p, emin - e)
    if shift > 0:
        q, rem = n >> shift, n & ((1 << shift) - 1)
        half = 1 << (shift - 1)
        if mode == "rn":
            up = rem > half or (rem == half and (q & 1))
        elif mode == "rz":
            up = False
        elif mode == "rm":
            up = neg and rem != 0
        else:
            up = (not neg) and rem != 0
        q += int(up)
        e += shift
    else:
        q = n
    if q.bit_length() + e > emax + 1:
        if mode == "rn" or (mode == "rm" and neg) or (mode == "rp" and not neg):
            v = float("inf")
        else:
            v = float(np.finfo(f8).max)
    else:
        # exact: q has at most 53 bits; go through two steps to avoid range trouble
        v = float(np.ldexp(np.float64(q), e)) if e >= -1074 else float(q * 2.0 ** e)
    return -v if neg else v


def div64(a, b, mode):
    r = a / b
    if mode == "rn":
        return r
    a, b = np.broadcast_arrays(a, b)
    r = np.array(r)
    for i in range(r.size):
        x, y = float(a[i]), float(b[i])
        if not (np.isfinite(x) and np.isfinite(y)) or x == 0 or y == 0:
            continue
        mx, ex = _int_exp(x)
        my, ey = _int_exp(y)
        if my < 0:
            mx, my = -mx, -my
        # quotient with 160 extra bits and a sticky bit
        num = abs(mx) << 220
        n, rem = divmod(num, my)
        n = (n << 1) | (1 if rem else 0)
        if mx < 0:
            n = -n
        r[i] = round_int(n, ex - ey - 221, mode)
    return r


def sqrt64(a, mode):
    r = np.sqrt(a)
    if mode == "rn":
        return r
    r = np.array(r)
    for i in range(r.size):
        x = float(a[i])
        if not np.isfinite(x) or x <= 0:
            continue
        m, e = _int_exp(x)
        if e & 1:
            m <<= 1
            e -= 1
        m <<= 240
        s = _isqrt(m)
        n = (s << 1) | (1 if s * s != m else 0)
        r[i] = round_int(n, e // 2 - 121, mode)
    return r


def _isqrt(n):
    import math
    return math.isqrt(n)


# --- min / max ---------------------------------------------------------------

def fminmax(a, b, is_max, nan_prop, xorsign=False, absol=False):
    """PTX min/max for f32/f64 arrays: NaN loses unless nan_prop; -0 < +0."""
    it = {4: u4, 8: u8}[a.dtype.itemsize]
    top = it(1 << (a.dtype.itemsize * 8 - 1))
    if xorsign or absol:
        sx = (a.view(it) ^ b.view(it)) & top
        a = np.abs(a)
        b = np.abs(b)
    r = np.fmax(a, b) if is_max else np.fmin(a, b)
    m = r != r
    if m.any():                   # signalling NaNs lose as well
        r = np.where(m, np.where(a == a, a, b), r)
    eq = (r == 0)
    if eq.any():
        eq = eq & (a == b)
        if eq.any():
            z = (a.view(it) & b.view(it)) if is_max else (a.view(it) | b.view(it))
            r = np.where(eq, z.view(a.dtype), r)
    if nan_prop:
        n = (a != a) | (b != b)
        if n.any():
            r = np.where(n, np.array([np.nan], dtype=a.dtype), r)
    if xorsign:
        r = (r.view(it) | sx).view(a.dtype) if r.dtype.itemsize else r
    return r


# --- conversions between float and integer -----------------------------------

_ROUND = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}


def f_to_int(x, mode, dt):
    """Float array (f4 or f8) -> integer dtype dt with clamping.

    NaN: 0, or 0x8000... when source is f64 or destination has 64 bits."""
    src64 = x.dtype.itemsize == 8
    bits = np.dtype(dt).itemsize * 8
    signed = np.dtype(dt).kind == "i"
    r = _ROUND[mode](x)
    if bits < 64:
        info = np.iinfo(dt)
        if not src64:
            lim = K(f4, float(2 ** (bits - 1 if signed else bits)))
            lo = -lim if signed else _ZERO4
            # common case: everything in range (comparisons are False for NaN)
            inr = (r < lim) & (r >= lo)
            if inr.all():
                return r.astype(i8).astype(dt) if bits == 32 and not signed else r.astype(dt)
            r = r.astype(f8)
        nan = r != r
        v = np.clip(np.where(nan, 0.0, r), info.min, info.max).astype(i8)
        if src64 and nan.any():
            # canonical "integer indefinite" of the destination width
            v = np.where(nan, i8(-(1 << (bits - 1))) if signed else i8(1 << (bits - 1)), v)
        return v.astype(dt)
    r = r.astype(f8)
    if signed:
        ok = (r >= -2.0 ** 63) & (r < 2.0 ** 63)
        v = np.where(ok, r, 0.0).astype(i8)
        if not ok.all():
            v = np.where(r >= 2.0 ** 63, i8(0x7fffffffffffffff), v)
            v = np.where((r < -2.0 ** 63) | (r != r), i8(-0x8000000000000000), v)
        return v
    ok = (r >= 0) & (r < 2.0 ** 64)
    rr = np.where(ok, r, 0.0)
    hi = rr >= 2.0 ** 63
    v = np.where(hi, rr - 2.0 ** 63, rr).astype(i8).view(u8)
    if hi.any():
        v = np.where(hi, v | u8(0x8000000000000000), v)
    if not ok.all():
        v = np.where(r >= 2.0 ** 64, u8(0xffffffffffffffff), v)
        v = np.where(r != r, u8(0x8000000000000000), v)
    return v


def int_to_f32(x, mode="rn"):
    if mode == "rn":
        return x.astype(f4)
    return f64_to_f32(_int_odd(x), mode)


def _int_odd(x):
    """Integer array -> f64 rounded to odd (exact below 54 bits)."""
    if x.dtype.itemsize < 8:
        return x.astype(f8)
    s, e = _int_two(x)
    return round_odd(s, e)


def _int_two(x):
    """64-bit integer array -> (s, e): s = RN(x), s + e == x."""
    lo = (x.view(u8) & u8(0xffffffff)).astype(f8)
    if x.dtype.kind == "i":
        hi = (x >> 32).astype(f8) * 4294967296.0
    else:
        hi = (x >> u8(32)).astype(f8) * 4294967296.0
    return two_sum(hi, lo)


def int_to_f64(x, mode="rn"):
    if x.dtype.itemsize < 8:
        return x.astype(f8)
    s, e = _int_two(x)
    return _step64(s, e, mode)


def int_to_f16(x, mode="rn"):
    """-> u2 bits"""
    return f64_to_f16(_int_odd(x), mode)


def int_to_bf16(x, mode="rn"):
    return f32_to_bf16(f64_to_f32_odd(_int_odd(x)), mode)


def _self_check():
    """The CPU must not flush subnormals (a library may have switched that on)."""
    a = np.full(64, 1e-40, f4)
    b = np.full(64, 5e-324, f8)
    if not ((a * f4(1.0)).view(u4) != 0).all() or not ((b + 0.0).view(u8) != 0).all():
        raise RuntimeError("this process flushes subnormal numbers to zero (MXCSR FTZ/DAZ); "
                           "ptxrun cannot compute exact results in it")


_self_check()


def _tune_malloc():
    """Keep freed array memory in the process: by default glibc returns buffers of
    this size to the system after every operation, and the page faults that follow
    cost several times the arithmetic.  Harmless where it is not available."""
    try:
        import ctypes
        libc = ctypes.CDLL(None)
        libc.mallopt(-3, 1 << 28)          # M_MMAP_THRESHOLD
        libc.mallopt(-1, 1 << 29)          # M_TRIM_THRESHOLD
    except (OSError, AttributeError):
        pass


_tune_malloc()
