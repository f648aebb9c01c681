# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scalar reference semantics in exact integer / rational arithmetic.

Written from the PTX ISA text and IEEE 754, on purpose without numpy floating
point and without sharing code with the interpreter.
"""

from fractions import Fraction
from math import isqrt

#        precision, emin, emax, width, exponent bits
FMT = {"f16": (11, -14, 15, 16, 5), "bf16": (8, -126, 127, 16, 8),
       "f32": (24, -126, 127, 32, 8), "f64": (53, -1022, 1023, 64, 11)}
CANON = {"f16": 0x7fff, "bf16": 0x7fff, "f32": 0x7fffffff, "f64": None}


def fields(bits, fmt):
    p, emin, emax, w, eb = FMT[fmt]
    s = bits >> (w - 1)
    e = (bits >> (p - 1)) & ((1 << eb) - 1)
    m = bits & ((1 << (p - 1)) - 1)
    return s, e, m


def isnan(bits, fmt):
    s, e, m = fields(bits, fmt)
    return e == (1 << FMT[fmt][4]) - 1 and m != 0


def isinf(bits, fmt):
    s, e, m = fields(bits, fmt)
    return e == (1 << FMT[fmt][4]) - 1 and m == 0


def sign(bits, fmt):
    return bits >> (FMT[fmt][3] - 1)


def val(bits, fmt):
    """Finite value as a Fraction."""
    p, emin, emax, w, eb = FMT[fmt]
    s, e, m = fields(bits, fmt)
    if e == 0:
        v = Fraction(m) * Fraction(2) ** (emin - (p - 1))
    else:
        v = Fraction(m + (1 << (p - 1))) * Fraction(2) ** (e - (1 << (eb - 1)) + 1 - (p - 1))
    return -v if s else v


def issub(bits, fmt):
    s, e, m = fields(bits, fmt)
    return e == 0 and m != 0


def ftz(bits, fmt):
    return bits & (1 << (FMT[fmt][3] - 1)) if issub(bits, fmt) else bits


def floor_log2(x):
    """floor(log2(x)) of a positive Fraction."""
    n, d = x.numerator, x.denominator
    e = n.bit_length() - d.bit_length()
    if Fraction(2) ** e > x:
        e -= 1
    return e


def enc(x, fmt, mode="rn", zsign=0):
    """Fraction -> bits, one rounding.  zsign: sign of an exact zero."""
    p, emin, emax, w, eb = FMT[fmt]
    if x == 0:
        return zsign << (w - 1)
    s = 1 if x < 0 else 0
    a = -x if s else x
    e = max(floor_log2(a), emin)
    q = a / Fraction(2) ** (e - (p - 1))
    n = q.numerator // q.denominator
    r = q - n
    if r:
        if mode == "rn":
            up = r > Fraction(1, 2) or (r == Fraction(1, 2) and n & 1)
        elif mode == "rz":
            up = False
        elif mode == "rm":
            up = bool(s)
        elif mode == "rp":
            up = not s
        elif mode == "rna":
            up = r >= Fraction(1, 2)
        if up:
            n += 1
    # n may have become 2^p: the integer encoding below carries into the exponent
    be = e + (1 << (eb - 1)) - 1
    if n < (1 << (p - 1)):
        bits = n                                   # subnormal (e == emin)
    else:
        bits = ((be - 1) << (p - 1)) + n
    top = ((1 << eb) - 1) << (p - 1)
    if bits >= top:
        if mode in ("rn", "rna") or (mode == "rp" and not s) or (mode == "rm" and s):
            bits = top
        else:
            bits = top - 1
    return bits | (s << (w - 1))


NAN = "nan"        # any NaN is accepted (f64), else the canonical one


def inf(fmt, s):
    p, emin, emax, w, eb = FMT[fmt]
    return (s << (w - 1)) | (((1 << eb) - 1) << (p - 1))


def nan(fmt):
    c = CANON[fmt]
    return NAN if c is None else c


def zero_sum_sign(s1, s2, mode):
    if s1 == s2:
        return s1
    return 1 if mode == "rm" else 0


def add(a, b, fmt, mode="rn"):
    if isnan(a, fmt) or isnan(b, fmt):
        return nan(fmt)
    sa, sb = sign(a, fmt), sign(b, fmt)
    if isinf(a, fmt) or isinf(b, fmt):
        if isinf(a, fmt) and isinf(b, fmt) and sa != sb:
            return nan(fmt)
        return a if isinf(a, fmt) else b
    va, vb = val(a, fmt), val(b, fmt)
    if va + vb == 0:
        if va == 0:
            return enc(0 * va, fmt, mode, zero_sum_sign(sa, sb, mode))
        return enc(0 * va, fmt, mode, 1 if mode == "rm" else 0)
    return enc(va + vb, fmt, mode)


def neg(a, fmt):
    return a ^ (1 << (FMT[fmt][3] - 1))


def sub(a, b, fmt, mode="rn"):
    return add(a, neg(b, fmt), fmt, mode)


def mul(a, b, fmt, mode="rn"):
    if isnan(a, fmt) or isnan(b, fmt):
        return nan(fmt)
    s = sign(a, fmt) ^ sign(b, fmt)
    ia, ib = isinf(a, fmt), isinf(b, fmt)
    if ia or ib:
        if (not ia and val(a, fmt) == 0) or (not ib and val(b, fmt) == 0):
            return nan(fmt)
        return inf(fmt, s)
    return enc(val(a, fmt) * val(b, fmt), fmt, mode, s)


def fma(a, b, c, fmt, mode="rn"):
    if isnan(a, fmt) or isnan(b, fmt) or isnan(c, fmt):
        return nan(fmt)
    s = sign(a, fmt) ^ sign(b, fmt)
    ia, ib, ic = isinf(a, fmt), isinf(b, fmt), isinf(c, fmt)
    if ia or ib:
        if (not ia and val(a, fmt) == 0) or (not ib and val(b, fmt) == 0):
            return nan(fmt)
        if ic and sign(c, fmt) != s:
            return nan(fmt)
        return inf(fmt, s)
    if ic:
        return c
    p, vc = val(a, fmt) * val(b, fmt), val(c, fmt)
    if p + vc == 0:
        if p == 0 and vc == 0:
            return enc(Fraction(0), fmt, mode, zero_sum_sign(s, sign(c, fmt), mode))
        return enc(Fraction(0), fmt, mode, 1 if mode == "rm" else 0)
    return enc(p + vc, fmt, mode)


def div(a, b, fmt, mode="rn"):
    if isnan(a, fmt) or isnan(b, fmt):
        return nan(fmt)
    s = sign(a, fmt) ^ sign(b, fmt)
    ia, ib = isinf(a, fmt), isinf(b, fmt)
    if ia:
        return nan(fmt) if ib else inf(fmt, s)
    if ib:
        return enc(Fraction(0), fmt, mode, s)
    if val(b, fmt) == 0:
        return nan(fmt) if val(a, fmt) == 0 else inf(fmt, s)
    return enc(val(a, fmt) / val(b, fmt), fmt, mode, s)


def sqrt(a, fmt, mode="rn"):
    if isnan(a, fmt):
        return nan(fmt)
    if sign(a, fmt):
        if not isinf(a, fmt) and val(a, fmt) == 0:
            return a
        return nan(fmt)
    if isinf(a, fmt):
        return a
    v = val(a, fmt)
    if v == 0:
        return a
    # root with many extra bits and a sticky bit, as an exact-enough Fraction
    k = 400
    n = v.numerator << (2 * k)
    d = v.denominator
    n = n * d                      # sqrt(n/d) = sqrt(n*d)/d
    r = isqrt(n)
    exact = r * r == n
    x = Fraction(r, d << k)
    if not exact:
        x += Fraction(1, (d << k) * 4)
    return enc(x, fmt, mode)


def sat(a, fmt):
    """Clamp to [0,1], NaN -> +0."""
    if isnan(a, fmt) or sign(a, fmt):
        return 0
    one = enc(Fraction(1), fmt)
    if isinf(a, fmt) or val(a, fmt) > 1:
        return one
    return a


def cmp(a, b, fmt):
    """None if unordered, else -1/0/1."""
    if isnan(a, fmt) or isnan(b, fmt):
        return None

    def key(x):
        if isinf(x, fmt):
            return Fraction(10) ** 400 * (-1 if sign(x, fmt) else 1)
        return val(x, fmt)
    x, y = key(a), key(b)
    return (x > y) - (x < y)


def compare(op, c):
    """c from cmp(); PTX comparison operators."""
    if op == "num":
        return c is not None
    if op == "nan":
        return c is None
    unord = len(op) == 3 and op.endswith("u")
    base = op[:2]
    if c is None:
        return unord
    return {"eq": c == 0, "ne": c != 0, "lt": c < 0, "le": c <= 0, "gt": c > 0,
            "ge": c >= 0}[base]


def fminmax(a, b, fmt, is_max, nanprop=False):
    na, nb = isnan(a, fmt), isnan(b, fmt)
    if na and nb or (nanprop and (na or nb)):
        return nan(fmt)
    if na:
        return b
    if nb:
        return a
    c = cmp(a, b, fmt)
    if c == 0:
        if sign(a, fmt) == sign(b, fmt):
            return a
        neg_one = a if sign(a, fmt) else b
        pos_one = b if sign(a, fmt) else a
        return pos_one if is_max else neg_one
    return a if (c > 0) == is_max else b


def to_int(a, fmt, mode, bits, signed):
    if isnan(a, fmt):
        if fmt != "f64" and bits != 64:
            return 0
        return 1 << (bits - 1)
    lo, hi = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    if isinf(a, fmt):
        r = lo if sign(a, fmt) else hi
    else:
        v = val(a, fmt)
        fl = v.numerator // v.denominator
        rem = v - fl
        if mode == "rm":
            r = fl
        elif mode == "rp":
            r = fl + (1 if rem else 0)
        elif mode == "rz":
            r = fl if v >= 0 else fl + (1 if rem else 0)
        else:
            r = fl + (1 if rem > Fraction(1, 2) or (rem == Fraction(1, 2) and fl & 1) else 0)
        r = max(lo, min(hi, r))
    return r & ((1 << bits) - 1)


def from_int(n, fmt, mode="rn"):
    return enc(Fraction(n), fmt, mode)


def convert(a, src, dst, mode="rn"):
    if isnan(a, src):
        return nan(dst)
    if isinf(a, src):
        return inf(dst, sign(a, src))
    return enc(val(a, src), dst, mode, sign(a, src))


def round_int(a, fmt, mode):
    """Round to an integral value of the same format."""
    if isnan(a, fmt):
        return nan(fmt)
    if isinf(a, fmt):
        return a
    v = val(a, fmt)
    fl = v.numerator // v.denominator
    rem = v - fl
    if mode == "rm":
        r = fl
    elif mode == "rp":
        r = fl + (1 if rem else 0)
    elif mode == "rz":
        r = fl if v >= 0 else fl + (1 if rem else 0)
    else:
        r = fl + (1 if rem > Fraction(1, 2) or (rem == Fraction(1, 2) and fl & 1) else 0)
    return enc(Fraction(r), fmt, "rn", sign(a, fmt))


# --- integers -------------------------------------------------------------------

def s(x, bits):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def u(x, bits):
    return x & ((1 << bits) - 1)


def trunc_div(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q
