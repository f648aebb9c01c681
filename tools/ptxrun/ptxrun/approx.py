# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Approximate functions of f32 and f64: computed in f64, then rounded."""

import numpy as np

from .softfp import K, _ONE4, _ZERO4, f4, f8, ftz64, u8


# --- approximate functions (computed in f64, then rounded to f32) ------------

def approx32(fn, x):
    return fn(x.astype(f8)).astype(f4)


def ex2_32(x):
    return np.exp2(x.astype(f8)).astype(f4)


def lg2_32(x):
    return np.log2(x.astype(f8)).astype(f4)


def sin_32(x):
    return np.sin(x.astype(f8)).astype(f4)


def cos_32(x):
    return np.cos(x.astype(f8)).astype(f4)


def tanh_32(x):
    return np.tanh(x.astype(f8)).astype(f4)


def rsqrt_32(x):
    return (1.0 / np.sqrt(x.astype(f8))).astype(f4)


def rcp_32(x):
    return _ONE4 / x


def div_approx_32(a, b):
    r = a / b
    m = (np.abs(b) > f4(2.0 ** 126)) & np.isfinite(b)
    if m.any():
        inf = np.isinf(a)
        z = np.where(np.signbit(a) ^ np.signbit(b), -_ZERO4, _ZERO4)
        r = np.where(m & ~(a != a), np.where(inf, f4(np.nan), z), r)
    return r


_HI32 = K(u8, 0xffffffff00000000)


def rcp_approx_f64(x):
    """rcp.approx.ftz.f64: only the upper 32 bits of input and output count."""
    y = ftz64((ftz64(x).view(u8) & _HI32).view(f8))
    r = 1.0 / y
    r = ftz64((r.view(u8) & _HI32).view(f8))
    m = x != x
    if m.any():
        r = np.where(m, K(u8, 0x7fffffff00000000).view(f8), r)
    return r


def rsqrt_approx_f64(x, ftz):
    y = x
    if ftz:
        y = ftz64((ftz64(x).view(u8) & _HI32).view(f8))
    r = 1.0 / np.sqrt(y)
    if ftz:
        r = (r.view(u8) & _HI32).view(f8)
        m = r != r
        if m.any():
            r = np.where(m, K(u8, 0x7fffffff00000000).view(f8), r)
    return r
