# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic of f16 and bf16, plain and packed: bit patterns in, bit patterns out,
rounded once.
"""

import numpy as np

from .softfp import (bf16_to_f32, f16_to_f32, f32_to_bf16, f32_to_f16, f64_to_f16, f64_to_f32_odd,
                     f8, round_odd, sat32, selbits, two_sum, u2, u4)


# --- f16 / bf16 arithmetic (operands and results are bit patterns) -----------

def _f16wide(h):
    return f16_to_f32(h)


def h_ftz(h):
    """Flush f16 subnormals (bits)."""
    m = (h & u2(0x7c00)) == 0
    return selbits(m, h & u2(0x8000), h)


def h_sat(h):
    x = sat32(f16_to_f32(h))
    return f32_to_f16(x)


def h_relu(h):
    """max(x, +0) with NaN -> canonical NaN."""
    x = f16_to_f32(h)
    return np.where(x != x, u2(0x7fff), np.where(x > 0, h, u2(0)))


def h_bin(a, b, op):
    """f16 add/sub/mul, correctly rounded (f32 has 2p+2 bits)."""
    x, y = f16_to_f32(a), f16_to_f32(b)
    r = x + y if op == "add" else x - y if op == "sub" else x * y
    return f32_to_f16(r)


def h_fma(a, b, c):
    x, y, z = (f16_to_f32(v).astype(f8) for v in (a, b, c))
    s, e = two_sum(x * y, z)            # product exact
    return f64_to_f16(round_odd(s, e))


def b_bin(a, b, op):
    """bf16 add/sub/mul with one rounding."""
    x, y = bf16_to_f32(a).astype(f8), bf16_to_f32(b).astype(f8)
    if op == "mul":
        v = x * y                        # exact: 16 bits
    else:
        s, e = two_sum(x, y if op == "add" else -y)
        v = round_odd(s, e)
    return f32_to_bf16(f64_to_f32_odd(v))


def b_fma(a, b, c):
    x, y, z = (bf16_to_f32(v).astype(f8) for v in (a, b, c))
    s, e = two_sum(x * y, z)
    return f32_to_bf16(f64_to_f32_odd(round_odd(s, e)))


def b_relu(h):
    x = bf16_to_f32(h)
    return np.where(x != x, u2(0x7fff), np.where(x > 0, h, u2(0)))


def b_sat(h):
    return f32_to_bf16(sat32(bf16_to_f32(h)))


def hb_minmax(a, b, is_max, nan_prop, wide, xorsign=False):
    """f16/bf16 min/max on bits; wide: bits -> f32."""
    x, y = wide(a), wide(b)
    if xorsign:
        sx = (a ^ b) & u2(0x8000)
        a = a & u2(0x7fff)
        b = b & u2(0x7fff)
        x, y = np.abs(x), np.abs(y)
    pick_a = (x > y) if is_max else (x < y)
    # zeros of different sign compare equal: order by the sign bit
    r = selbits(pick_a, a, b)
    eq = x == y
    if eq.any():
        r = selbits(eq, (a & b) if is_max else (a | b), r)
    nan = (x != x) | (y != y)
    if nan.any():
        na, nb = x != x, y != y
        if nan_prop:
            r = selbits(nan, u2(0x7fff), r)
        else:
            r = selbits(na, b, r)
            r = selbits(nb, a, r)
            r = selbits(na & nb, u2(0x7fff), r)
    if xorsign:
        r = r | sx
    return r


def split2(x):
    """u4 -> (lo u2, hi u2)."""
    return (x & u4(0xffff)).astype(u2), (x >> 16).astype(u2)


def join2(lo, hi):
    return lo.astype(u4) | (hi.astype(u4) << 16)
