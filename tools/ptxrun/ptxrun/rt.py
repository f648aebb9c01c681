# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integer, bit and selection helpers called by generated code.

Every function takes numpy arrays of shape (n,) or (1,) (a value common to all
threads) and returns an array of one of those shapes.  Arguments are never
modified.
"""

import numpy as np

from .softfp import f4, f8, i1, i2, i4, i8, u1, u2, u4, u8

UT = {1: u1, 2: u2, 4: u4, 8: u8}
IT = {1: i1, 2: i2, 4: i4, 8: i8}


# --- selection ----------------------------------------------------------------

def sel(p, a, b):
    """p ? a : b, elementwise; p bool."""
    if p.size == 1:
        return a if p[0] else b
    if a is b:
        return a
    if a.dtype == np.bool_:
        return (p & a) | (~p & b)
    if p.size < 2048 or a.ndim > 1:
        if a.ndim > 1 or b.ndim > 1:
            return np.where(p[:, None], a, b)
        return np.where(p, a, b)
    # branch-free: np.where is slow on random masks
    dt = a.dtype
    it = UT[dt.itemsize]
    x = a.view(it)
    y = b.view(it)
    m = p.astype(it)
    np.negative(m, out=m)
    d = x ^ y
    if d.size == m.size:
        np.bitwise_and(d, m, out=m)
    else:
        m = d & m
    np.bitwise_xor(m, y, out=m)
    return m.view(dt)


def bcast(a, n):
    """Make an array of n elements of a (1,) or (n,) array."""
    if a.shape[0] == n:
        return a
    return np.repeat(a, n, axis=0)


# --- shifts -------------------------------------------------------------------

def shl(a, b):
    """b: u4 amounts; amounts >= width give 0."""
    w = a.dtype.itemsize * 8
    big = b >= w
    if big.any():
        r = a << np.where(big, u4(0), b).astype(a.dtype)
        return np.where(big, a.dtype.type(0), r)
    return a << b.astype(a.dtype)


def shr(a, b):
    """Logical for unsigned a, arithmetic for signed; amounts clamp at the width."""
    w = a.dtype.itemsize * 8
    if a.dtype.kind == "i":
        return a >> np.minimum(b, u4(w - 1)).astype(a.dtype)
    big = b >= w
    if big.any():
        r = a >> np.where(big, u4(0), b).astype(a.dtype)
        return np.where(big, a.dtype.type(0), r)
    return a >> b.astype(a.dtype)


def shf(lo, hi, c, left, clamp):
    n = np.minimum(c, u4(32)) if clamp else (c & u4(31))
    x = lo.astype(u8) | (hi.astype(u8) << u8(32))
    n = n.astype(u8)
    if left:
        return ((x << n) >> u8(32)).astype(u4)
    return (x >> n).astype(u4)


# --- multiplication -----------------------------------------------------------

def mulhi_u64(a, b):
    m = u8(0xffffffff)
    s = u8(32)
    a0, a1 = a & m, a >> s
    b0, b1 = b & m, b >> s
    p00 = a0 * b0
    p01 = a0 * b1
    p10 = a1 * b0
    mid = (p00 >> s) + (p01 & m) + (p10 & m)
    return a1 * b1 + (p01 >> s) + (p10 >> s) + (mid >> s)


def mulhi_s64(a, b):
    """a, b: i8 -> i8"""
    r = mulhi_u64(a.view(u8), b.view(u8)).view(i8)
    return r - ((a >> i8(63)) & b) - ((b >> i8(63)) & a)


def mul24(a, b, hi):
    if a.dtype.kind == "i":
        x = (a << i4(8)) >> i4(8)
        y = (b << i4(8)) >> i4(8)
        p = x.astype(i8) * y.astype(i8)
        return (p >> i8(16)).astype(i4) if hi else p.astype(i4)
    x = a & u4(0xffffff)
    y = b & u4(0xffffff)
    p = x.astype(u8) * y.astype(u8)
    return (p >> u8(16)).astype(u4) if hi else p.astype(u4)


# --- division -----------------------------------------------------------------

def idiv(a, b):
    """Truncating division.  Division by zero gives all ones, as NVIDIA parts do
    (PTX leaves it unspecified)."""
    z = b == 0
    anyz = z.any()
    bb = np.where(z, a.dtype.type(1), b) if anyz else b
    if a.dtype.kind == "u":
        q = a // bb
    else:
        ut = UT[a.dtype.itemsize]
        q = np.abs(a).view(ut) // np.abs(bb).view(ut)
        neg = (a ^ bb) < 0
        q = q.view(a.dtype)
        q = np.where(neg, -q, q)
    if anyz:
        q = np.where(z, UT[a.dtype.itemsize](np.iinfo(UT[a.dtype.itemsize]).max)
                     .astype(a.dtype), q)
    return q


def irem(a, b):
    z = b == 0
    anyz = z.any()
    bb = np.where(z, a.dtype.type(1), b) if anyz else b
    if a.dtype.kind == "u":
        r = a % bb
    else:
        ut = UT[a.dtype.itemsize]
        r = (np.abs(a).view(ut) % np.abs(bb).view(ut)).view(a.dtype)
        r = np.where(a < 0, -r, r)
    if anyz:
        r = np.where(z, a, r)
    return r


# --- saturation ---------------------------------------------------------------

def addsat_s32(a, b):
    return np.clip(a.astype(i8) + b, -0x80000000, 0x7fffffff).astype(i4)


def subsat_s32(a, b):
    return np.clip(a.astype(i8) - b, -0x80000000, 0x7fffffff).astype(i4)


def icvt_sat(x, dt):
    """Integer conversion with clamping."""
    info = np.iinfo(dt)
    si = np.iinfo(x.dtype)
    if info.min > si.min:
        x = np.maximum(x, x.dtype.type(info.min))
    if info.max < si.max:
        x = np.minimum(x, x.dtype.type(info.max))
    return x.astype(dt)


# --- bits ---------------------------------------------------------------------

def popc32(x):
    x = x - ((x >> u4(1)) & u4(0x55555555))
    x = (x & u4(0x33333333)) + ((x >> u4(2)) & u4(0x33333333))
    x = (x + (x >> u4(4))) & u4(0x0f0f0f0f)
    return (x * u4(0x01010101)) >> u4(24)


def popc64(x):
    return popc32(x.astype(u4)) + popc32((x >> u8(32)).astype(u4))


def bitlen32(x):
    """Number of significant bits of u4 values (0 for 0)."""
    e = (x.astype(f8).view(u8) >> u8(52)).astype(u4)
    return np.where(x == 0, u4(0), e - u4(1022))


def bitlen64(x):
    hi = (x >> u8(32)).astype(u4)
    lo = x.astype(u4)
    return np.where(hi != 0, bitlen32(hi) + u4(32), bitlen32(lo))


def clz(x):
    return u4(32) - bitlen32(x) if x.dtype.itemsize == 4 else u4(64) - bitlen64(x)


def bfind(x, shiftamt):
    w = x.dtype.itemsize * 8
    if x.dtype.kind == "i":
        x = (x ^ (x >> x.dtype.type(w - 1))).view(UT[x.dtype.itemsize])
    n = bitlen32(x) if w == 32 else bitlen64(x)
    if shiftamt:
        return np.where(n == 0, u4(0xffffffff), u4(w) - n)
    return n - u4(1)                      # 0 -> 0xffffffff


def brev32(x):
    x = ((x >> u4(1)) & u4(0x55555555)) | ((x & u4(0x55555555)) << u4(1))
    x = ((x >> u4(2)) & u4(0x33333333)) | ((x & u4(0x33333333)) << u4(2))
    x = ((x >> u4(4)) & u4(0x0f0f0f0f)) | ((x & u4(0x0f0f0f0f)) << u4(4))
    return x.byteswap()


def brev64(x):
    lo = brev32(x.astype(u4)).astype(u8)
    hi = brev32((x >> u8(32)).astype(u4)).astype(u8)
    return (lo << u8(32)) | hi


def _ones(n, ut, w):
    """(1 << n) - 1 for n in 0..w, as ut."""
    nn = np.minimum(n, u4(w))
    full = nn == w
    m = (ut(1) << np.where(full, u4(0), nn).astype(ut)) - ut(1)
    return np.where(full, ut(np.iinfo(ut).max), m)


def bfe(a, b, c):
    """b: position, c: length (u4)."""
    w = a.dtype.itemsize * 8
    pos = b & u4(0xff)
    ln = c & u4(0xff)
    if a.dtype.kind == "u":
        return shr(a, pos) & _ones(ln, a.dtype.type, w)
    t = a >> np.minimum(pos, u4(w - 1)).astype(a.dtype)
    sh = (u4(w) - np.minimum(np.maximum(ln, u4(1)), u4(w))).astype(a.dtype)
    r = (t << sh) >> sh
    return np.where(ln == 0, a.dtype.type(0), r)


def bfi(a, b, c, d):
    ut = a.dtype.type
    w = a.dtype.itemsize * 8
    pos = c & u4(0xff)
    m = shl(_ones(d & u4(0xff), ut, w), pos)
    return (b & ~m) | (shl(a, pos) & m)


def fns(mask, base, offset):
    """Find the n-th set bit."""
    mask, base, offset = np.broadcast_arrays(mask, base, offset)
    out = np.full(mask.shape, 0xffffffff, dtype=u4)
    for i in range(mask.size):
        m, b, o = int(mask[i]), int(base[i]), int(offset[i])
        if o == 0:
            if (m >> (b & 31)) & 1:
                out[i] = b
            continue
        pos, cnt, inc = b, abs(o) - 1, 1 if o > 0 else -1
        # PTX: start at base, count set bits in the direction of the offset
        while 0 <= pos < 32:
            if (m >> pos) & 1:
                if cnt == 0:
                    out[i] = pos
                    break
                cnt -= 1
            pos += inc
    return out


def bmsk(a, b, clamp):
    a1, b1 = a & u4(31), b & u4(31)
    m0 = u4(0xffffffff) << a1
    s = a1 + b1
    over = s >= 32
    if clamp:
        m0 = np.where(a >= 32, u4(0), m0)
        over = over | (a >= 32) | (b >= 32)
    m1 = np.where(over, u4(0), u4(0xffffffff) << np.where(over, u4(0), s))
    return m0 & ~m1


def szext(a, b, clamp, signed):
    b1 = b & u4(31)
    mask = u4(0xffffffff) << b1
    big = (b >= 32) if clamp else np.zeros(1, bool)
    mask = np.where(big, u4(0), mask)
    r = a & ~mask
    if signed:
        sp = (b1 - u4(1)) & u4(31)
        sb = ((a >> sp) & u4(1)) != 0
        sb = sb & (b1 != 0) & ~big
        r = np.where(sb, r | mask, r)
    return r


def prmt(a, b, s, mode):
    """prmt.b32 with selector s (u4 array)."""
    by = [(a >> u4(8 * k)) & u4(0xff) for k in range(4)] + \
         [(b >> u4(8 * k)) & u4(0xff) for k in range(4)]
    shp = np.broadcast(a, b, s).shape
    tab = np.stack([np.broadcast_to(x, shp) for x in by])         # (8, n)
    cols = np.arange(shp[0])
    ss = np.broadcast_to(s, shp)
    out = np.zeros(shp, dtype=u4)
    if mode is None:
        for k in range(4):
            n = (ss >> u4(4 * k)) & u4(15)
            v = tab[(n & u4(7)).astype(i8), cols]
            v = np.where(n & u4(8), np.where(v & u4(0x80), u4(0xff), u4(0)), v)
            out |= v << u4(8 * k)
        return out
    table = PRMT_MODES[mode]
    c = (ss & u4(3)).astype(i8)
    lut = np.array(table, dtype=i8)                               # (4 selectors, 4 bytes)
    for k in range(4):
        out |= tab[lut[c, k], cols] << u4(8 * k)
    return out


# byte sources for d.b0..d.b3 by selector value 0..3
PRMT_MODES = {
    "f4e": [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]],
    "b4e": [[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]],
    "rc8": [[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]],
    "ecl": [[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3, 3, 3, 3]],
    "ecr": [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]],
    "rc16": [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]],
}


def prmt_const(a, b, s):
    """prmt with a known selector: four byte moves."""
    out = None
    for k in range(4):
        n = (s >> (4 * k)) & 15
        src = a if (n & 7) < 4 else b
        sh = 8 * (n & 3)
        v = (src >> u4(sh)) & u4(0xff)
        if n & 8:
            v = np.where(v & u4(0x80), u4(0xff), u4(0))
        v = v << u4(8 * k)
        out = v if out is None else out | v
    return out


def dp4a(a, b, c, sa, sb):
    ba = np.ascontiguousarray(a).reshape(-1, 1).view(i1 if sa else u1).astype(i4)
    bb = np.ascontiguousarray(b).reshape(-1, 1).view(i1 if sb else u1).astype(i4)
    return (ba * bb).sum(axis=1, dtype=i4).view(u4) + c


def dp2a(a, b, c, sa, sb, hi):
    ba = np.ascontiguousarray(a).reshape(-1, 1).view(i2 if sa else u2).astype(i8)
    bb = np.ascontiguousarray(b).reshape(-1, 1).view(i1 if sb else u1).astype(i8)
    bb = bb[:, 2:] if hi else bb[:, :2]
    return (ba * bb).sum(axis=1).astype(i4).view(u4) + c


def sad(a, b, c):
    d = np.where(a > b, a - b, b - a)
    return c + d


# --- packed halves ------------------------------------------------------------

def x2(fn, *args):
    """Apply fn to both 16-bit halves of u4 arrays (fn works on u2)."""
    vs = [np.ascontiguousarray(a).reshape(-1, 1).view(u2) for a in args]
    r = fn(*vs)
    return np.ascontiguousarray(r.astype(u2, copy=False)).view(u4).reshape(-1)


def x2i(fn, *args):
    """As x2 with signed halves."""
    vs = [np.ascontiguousarray(a).reshape(-1, 1).view(i2) for a in args]
    r = fn(*vs)
    return np.ascontiguousarray(r.astype(i2, copy=False)).view(u4).reshape(-1)


def x2p(fn, *args):
    """fn on u2 halves giving bool: returns (low, high) predicates."""
    vs = [np.ascontiguousarray(a).reshape(-1, 1).view(u2) for a in args]
    r = fn(*vs)
    return np.ascontiguousarray(r[:, 0]), np.ascontiguousarray(r[:, 1])


def x2f(fn, *args):
    """fn on the two f32 halves of u8 arrays (flattened to one dimension)."""
    vs = [np.ascontiguousarray(a).reshape(-1, 1).view(f4) for a in args]
    vs = [np.ascontiguousarray(v).reshape(-1) for v in np.broadcast_arrays(*vs)]
    r = fn(*vs)
    m = r != r
    if m.any():
        r = r.copy()
        r.view(u4)[m] = 0x7fffffff
    return np.ascontiguousarray(r).view(u8)


def bytes4(fn, a, b, signed, dt=i4):
    """fn on the four bytes of two u4 arrays, widened to dt; returns (n,4) dt."""
    t = i1 if signed[0] else u1
    s = i1 if signed[1] else u1
    x = np.ascontiguousarray(a).reshape(-1, 1).view(t).astype(dt)
    y = np.ascontiguousarray(b).reshape(-1, 1).view(s).astype(dt)
    return fn(x, y)


def halves2(fn, a, b, signed, dt=i4):
    t = i2 if signed[0] else u2
    s = i2 if signed[1] else u2
    x = np.ascontiguousarray(a).reshape(-1, 1).view(t).astype(dt)
    y = np.ascontiguousarray(b).reshape(-1, 1).view(s).astype(dt)
    return fn(x, y)


def packlanes(v, lo, hi, sat, it):
    """(n, k) i4 lanes -> u4, clamped to [lo, hi] if sat, else wrapped."""
    if sat:
        v = np.clip(v, lo, hi)
    return np.ascontiguousarray(v.astype(it)).view(u4).reshape(-1)


# --- carry chains -------------------------------------------------------------

def add_carry(a, b, cin):
    """(sum, carry out); cin None or bool array."""
    s = a + b
    c = s < a
    if cin is not None:
        s2 = s + cin.astype(a.dtype)
        c = c | (s2 < s)
        s = s2
    return s, c


def sub_borrow(a, b, cin):
    s = a - b
    c = a < b
    if cin is not None:
        ci = cin.astype(a.dtype)
        c = c | (s < ci)
        s = s - ci
    return s, c


# --- comparisons, small fix-ups -------------------------------------------------

def fcmp_ne(x, y):
    return (x < y) | (x > y)


def fcmp_equ(x, y):
    return ~((x < y) | (x > y))


def fcmp_num(x, y):
    return (x == x) & (y == y)


def sad_s(a, b, c):
    """Signed |a-b| + c; a, b signed, c and result unsigned of the same width."""
    d = a.view(c.dtype) - b.view(c.dtype)
    return c + np.where(a > b, d, np.zeros(1, c.dtype) - d)


def pack128(lo, hi):
    lo, hi = np.broadcast_arrays(lo, hi)
    return np.stack([lo, hi], axis=1)


def h_satfinite(h):
    """Infinity -> largest finite f16."""
    m = (h & u2(0x7fff)) == u2(0x7c00)
    return np.where(m, (h & u2(0x8000)) | u2(0x7bff), h)


def b_satfinite(h):
    m = (h & u2(0x7fff)) == u2(0x7f80)
    return np.where(m, (h & u2(0x8000)) | u2(0x7f7f), h)


def fp8_relu(b):
    """Negative e4m3/e5m2 bits -> 0 (NaN stays)."""
    nan = (b & u1(0x7f)) == u1(0x7f)
    return np.where(((b & u1(0x80)) != 0) & ~nan, u1(0), b)


def tf32_relu(w):
    x = w.view(f4)
    return np.where(x != x, w, np.where(x > 0, w, u4(0)))
