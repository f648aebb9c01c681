# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floating point helpers on many random operands against C compiled by gcc, and the
approximate instructions against numpy in double."""

import ctypes

import numpy as np
import pytest

from ptxrun import softfp as sf
from common import run_op, sh, tmpdir, tool, ulp_diff32

C = r"""
#include <math.h>
#include <fenv.h>
void fma32(const float *a, const float *b, const float *c, float *o, int n)
{ for (int i = 0; i < n; i++) o[i] = fmaf(a[i], b[i], c[i]); }
void fma64(const double *a, const double *b, const double *c, double *o, int n)
{ for (int i = 0; i < n; i++) o[i] = fma(a[i], b[i], c[i]); }
static int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
#define OPS(T, S, SQ, FM) \
void ops_##S(const T *a, const T *b, const T *c, T *o, int n, int mode) { \
  fesetround(modes[mode]); \
  for (int i = 0; i < n; i++) { volatile T x = a[i], y = b[i], z = c[i], r; \
    r = x + y; o[i*6] = r; r = x - y; o[i*6+1] = r; r = x * y; o[i*6+2] = r; \
    r = x / y; o[i*6+3] = r; o[i*6+4] = SQ(x); o[i*6+5] = FM(x, y, z); } \
  fesetround(FE_TONEAREST); }
OPS(float, f32, sqrtf, fmaf)
OPS(double, f64, sqrt, fma)
void cvt(const double *a, float *o, long long *q, float *of, double *od, const long long *b, int n, int mode) {
  fesetround(modes[mode]);
  for (int i = 0; i < n; i++) { volatile double x = a[i]; o[i] = (float)x;
    q[i] = (x > -9e18 && x < 9e18) ? llrint(x) : 0; volatile long long v = b[i]; of[i] = (float)v; od[i] = (double)v; }
  fesetround(FE_TONEAREST); }
"""


@pytest.fixture(scope="module")
def lib():
    d = tmpdir()
    with open(d + "/f.c", "w") as f:
        f.write(C)
    sh([tool("gcc"), "-O2", "-frounding-math", "-ffp-contract=off", "-mfma", "-shared", "-fPIC",
        d + "/f.c", "-o", d + "/f.so", "-lm"])
    return ctypes.CDLL(d + "/f.so")


def ptr(a):
    return a.ctypes.data_as(ctypes.c_void_p)


def values(rng, n, dt, kind):
    bits = np.dtype(dt).itemsize * 8
    ut = "u%d" % (bits // 8)
    if kind == "any":
        return rng.integers(0, 2 ** bits - 1, n, dtype=ut, endpoint=True).view(dt)
    x = rng.standard_normal(n)
    if kind == "near":
        e = rng.integers(-3, 4, n)
    elif kind == "wide":
        e = rng.integers(-40, 40, n)
    else:                      # around the subnormal range of products
        e = rng.integers(-80, -60, n) if bits == 32 else rng.integers(-540, -500, n)
    x = np.ldexp(x, e).astype(dt)
    # short mantissas make ties
    m = rng.integers(0, 3, n)
    keep = np.where(m == 0, bits // 3, 0).astype(ut)
    one = np.array(1, ut)
    return (x.view(ut) & ~((one << keep) - one)).view(dt)


KINDS = ["any", "near", "wide", "tiny"]


def same(a, b):
    ut = "u%d" % a.dtype.itemsize
    return (a.view(ut) == b.view(ut)) | ((a != a) & (b != b))


@pytest.mark.parametrize("dt", [np.float32, np.float64])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mode", range(4))
def test_all_operations_and_modes(lib, dt, kind, mode):
    n = 200000 if mode == 0 else 40000
    if dt == np.float64 and kind in ("any", "tiny"):
        n = 20000              # many elements take the exact slow path
    rng = np.random.default_rng(mode * 10 + KINDS.index(kind))
    a, b, c = (values(rng, n, dt, kind) for _ in range(3))
    # addends that nearly cancel the product
    with np.errstate(all="ignore"):
        p = (a * b).astype(dt)
    k = rng.integers(0, 4, n)
    ut = "u%d" % np.dtype(dt).itemsize
    near = (p.view(ut) ^ np.array(1 << (8 * np.dtype(dt).itemsize - 1), ut)).view(dt)
    c = np.where(k == 0, near, c)
    c = np.where(k == 1, np.nextafter(p, dt(np.inf)), c).astype(dt)
    o = np.zeros((n, 6), dt)
    f = getattr(lib, "ops_f32" if dt == np.float32 else "ops_f64")
    f(ptr(a), ptr(b), ptr(c), ptr(o), n, mode)
    m = ("rn", "rz", "rm", "rp")[mode]
    with np.errstate(all="ignore"):
        if dt == np.float32:
            got = [sf.add32(a, b, m), sf.add32(a, -b, m), sf.mul32(a, b, m), sf.div32(a, b, m),
                   sf.sqrt32(a, m), sf.fma32_mode(a, b, c, m)]
            if mode == 0:
                got2 = [a + b, a - b, a * b, a / b, np.sqrt(a), sf.fma32(a, b, c)]
                for g, w in zip(got2, o.T):
                    assert same(g, np.ascontiguousarray(w)).all()
        else:
            if mode:
                s = slice(0, 4000)
                got = [sf.add64(a, b, m), sf.add64(a, -b, m), sf.mul64(a, b, m),
                       sf.div64(a[s], b[s], m), sf.sqrt64(a[s], m), sf.fma64(a, b, c, m)]
            else:
                got = [a + b, a - b, a * b, a / b, np.sqrt(a), sf.fma64(a, b, c)]
    for j, g in enumerate(got):
        w = np.ascontiguousarray(o[:g.size, j])
        ok = same(g, w)
        assert ok.all(), (j, m, [x[~ok][:3] for x in (a[:g.size], b[:g.size], c[:g.size])],
                          g[~ok][:3], w[~ok][:3])


@pytest.mark.parametrize("mode", range(4))
def test_conversions(lib, mode):
    n = 200000
    rng = np.random.default_rng(mode)
    a = np.concatenate([values(rng, n // 2, np.float64, "any"),
                        np.ldexp(rng.standard_normal(n // 2), rng.integers(-160, 130, n // 2))])
    a[::7] = (a[::7].view(np.uint64) & np.uint64(0xfffffffff0000000)).view(np.float64)
    a[::11] = np.round(a[::11]) + 0.5
    b = rng.integers(-2**63, 2**63 - 1, n) >> rng.integers(0, 63, n)
    b[::5] = (b[::5] >> 20) << 20
    o, of = np.zeros(n, np.float32), np.zeros(n, np.float32)
    q, od = np.zeros(n, np.int64), np.zeros(n, np.float64)
    lib.cvt(ptr(a), ptr(o), ptr(q), ptr(of), ptr(od), ptr(b), n, mode)
    m = ("rn", "rz", "rm", "rp")[mode]
    with np.errstate(all="ignore"):
        assert same(sf.f64_to_f32(a, m), o).all()
        assert (sf.int_to_f32(b, m) == of).all()
        assert (sf.int_to_f64(b, m) == od).all()
        r = sf.f_to_int(a, m.replace("r", "r") + "i", np.int64)
        inr = (a > -9e18) & (a < 9e18)
        assert (r[inr] == q[inr]).all()


def test_all_f16_values_and_fast_paths():
    """Every f16 through the table; every interesting f32 -> f16 by both paths."""
    h = np.arange(65536, dtype=np.uint16)
    with np.errstate(all="ignore"):
        w = sf.f16_to_f32(h)
        assert same(w, h.view(np.float16).astype(np.float32)).all()
        hi = (np.arange(1 << 20, dtype=np.uint32) << 12)
        for low in (0, 1, 0x7ff, 0x800, 0x801, 0xfff):
            x = (hi | np.uint32(low)).view(np.float32)
            a = sf._f32_to_f16_fast(x)
            b = x.astype(np.float16).view(np.uint16)
            ok = (a == b) | np.isnan(x)
            assert ok.all()
        d = np.random.default_rng(0).integers(0, 2 ** 63, 300000).view(np.float64)
        d[:200000] = np.ldexp(np.random.default_rng(1).standard_normal(200000),
                              np.random.default_rng(2).integers(-28, 18, 200000))
        d[::3] = (d[::3].view(np.uint64) & np.uint64(0xffffffe000000000)).view(np.float64)
        assert (sf.f64_to_f16(d) == np.where(np.isnan(d), 0x7fff,
                                             d.astype(np.float16).view(np.uint16))).all()


APPROX = [
    ("ex2.approx.f32", np.exp2, (-150, 130), 1), ("ex2.approx.ftz.f32", np.exp2, (-120, 120), 1),
    ("lg2.approx.f32", np.log2, (1e-38, 1e38), 1), ("sin.approx.f32", np.sin, (-100, 100), 1),
    ("cos.approx.f32", np.cos, (-100, 100), 1), ("tanh.approx.f32", np.tanh, (-20, 20), 1),
    ("rsqrt.approx.f32", lambda x: 1 / np.sqrt(x), (1e-38, 1e38), 1),
    ("rcp.approx.ftz.f32", lambda x: 1 / x, (1e-30, 1e30), 1),
    ("sqrt.approx.ftz.f32", np.sqrt, (1e-30, 1e30), 1),
]


@pytest.mark.parametrize("op,ref,rng,ulp", APPROX)
def test_approximate_functions(op, ref, rng, ulp):
    g = np.random.default_rng(0)
    lo, hi = rng
    x = (np.exp(g.uniform(np.log(lo), np.log(hi), 5000)) if lo > 0 else
         g.uniform(lo, hi, 5000)).astype(np.float32)
    got = np.array(run_op("%s {o0}, {i0};" % op, ["f32"], ["f32"],
                          [x.view(np.uint32).tolist()])[0], np.uint32).view(np.float32)
    want = ref(x.astype(np.float64))
    with np.errstate(over="ignore"):
        assert ulp_diff32(got, want.astype(np.float32)).max() <= ulp


INF, NAN = np.float32(np.inf), np.float32(np.nan)


@pytest.mark.parametrize("op,pairs", [
    ("ex2.approx.f32", [(-INF, 0.0), (INF, INF), (0.0, 1.0), (-0.0, 1.0), (3.0, 8.0), (NAN, NAN)]),
    ("lg2.approx.f32", [(0.0, -INF), (-0.0, -INF), (INF, INF), (1.0, 0.0), (-1.0, NAN), (8.0, 3.0)]),
    ("rcp.approx.f32", [(0.0, INF), (-0.0, -INF), (INF, 0.0), (-INF, -0.0), (4.0, 0.25)]),
    ("rsqrt.approx.f32", [(0.0, INF), (-0.0, -INF), (INF, 0.0), (-1.0, NAN), (4.0, 0.5)]),
    ("sqrt.approx.f32", [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-1.0, NAN), (4.0, 2.0)]),
    ("sin.approx.f32", [(0.0, 0.0), (-0.0, -0.0), (INF, NAN)]),
    ("cos.approx.f32", [(0.0, 1.0), (-0.0, 1.0), (-INF, NAN)]),
    ("tanh.approx.f32", [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (NAN, NAN)]),
    ("ex2.approx.ftz.f32", [(np.float32(1e-40), 1.0), (-140.0, 0.0)]),
    ("lg2.approx.ftz.f32", [(np.float32(1e-40), -INF)]),
    ("rcp.approx.ftz.f32", [(np.float32(1e-40), INF), (np.float32(-1e-40), -INF),
                            (np.float32(3e38), 0.0)]),
])
def test_approximate_special_values(op, pairs):
    x = np.array([p[0] for p in pairs], np.float32)
    want = np.array([p[1] for p in pairs], np.float32)
    got = np.array(run_op("%s {o0}, {i0};" % op, ["f32"], ["f32"],
                          [x.view(np.uint32).tolist()])[0], np.uint32)
    w = np.where(np.isnan(want), np.uint32(0x7fffffff), want.view(np.uint32))
    assert got.tolist() == w.tolist()


def test_approximate_division():
    a = np.array([1, 1, 1, INF, -3, 0, 5, 1e-40], np.float32)
    b = np.array([3, 2.0 ** 127, -1.5 * 2.0 ** 127, 2.0 ** 127, INF, 0, NAN, 2], np.float32)
    x, = run_op("div.approx.f32 {o0}, {i0}, {i1};", ["f32", "f32"], ["f32"],
                [a.view(np.uint32).tolist(), b.view(np.uint32).tolist()])
    got = np.array(x, np.uint32).view(np.float32)
    assert got[0] == np.float32(1) / np.float32(3)
    # divisors above 2^126: sign-preserving zero, NaN for an infinite dividend
    assert got[1] == 0 and not np.signbit(got[1]) and got[2] == 0 and np.signbit(got[2])
    assert np.isnan(got[3]) and got[4] == 0 and np.signbit(got[4])
    assert np.isnan(got[5]) and np.isnan(got[6]) and got[7] == np.float32(1e-40) / 2


@pytest.mark.parametrize("op,ty", [("ex2.approx.f16", "f16"), ("ex2.approx.f16x2", "f16x2"),
                                   ("tanh.approx.f16", "f16"), ("tanh.approx.f16x2", "f16x2"),
                                   ("ex2.approx.ftz.bf16", "bf16"), ("tanh.approx.bf16", "bf16"),
                                   ("ex2.approx.ftz.bf16x2", "bf16x2"),
                                   ("tanh.approx.bf16x2", "bf16x2")])
def test_approximate_half(op, ty):
    g = np.random.default_rng(1)
    bf = ty.startswith("bf")
    n = 2048
    f = g.uniform(-6, 6, 2 * n).astype(np.float32)
    h = (f.view(np.uint32) >> 16).astype(np.uint16) if bf else f.astype(np.float16).view(
        np.uint16)
    vals = ((h.astype(np.uint32) << 16).view(np.float32) if bf else
            h.view(np.float16).astype(np.float32)).astype(np.float64)
    want = (np.exp2 if op.startswith("ex2") else np.tanh)(vals)
    if ty.endswith("x2"):
        d = h.view(np.uint32).tolist()
    else:
        d = h.tolist()
    out, = run_op("%s {o0}, {i0};" % op, [ty], [ty], [d])
    o = np.array(out, np.uint32 if ty.endswith("x2") else np.uint16).view(np.uint16)
    got = ((o.astype(np.uint32) << 16).view(np.float32) if bf else
           o.view(np.float16).astype(np.float32)).astype(np.float64)
    assert np.abs(got / want - 1)[np.abs(want) > 1e-4].max() < (2 ** -8 if bf else 2 ** -11) * 1.01


def test_gross_f64_approximations():
    x = np.random.default_rng(0).uniform(0.1, 50, 4000)
    d = [x.view(np.uint64).tolist()]
    r, = run_op("rcp.approx.ftz.f64 {o0}, {i0};", ["f64"], ["f64"], d)
    r = np.array(r, np.uint64)
    assert ((r & np.uint64(0xffffffff)) == 0).all()
    assert np.abs(r.view(np.float64) * x - 1).max() < 2.0 ** -19
    r, = run_op("rsqrt.approx.f64 {o0}, {i0};", ["f64"], ["f64"], d)
    assert np.abs(np.array(r, np.uint64).view(np.float64) ** 2 * x - 1).max() < 1e-8


def test_perturbation_of_approximate_results():
    x = np.random.default_rng(0).uniform(1, 2, 5000).astype(np.float32)
    d = [x.view(np.uint32).tolist()]
    a, = run_op("ex2.approx.f32 {o0}, {i0};", ["f32"], ["f32"], d)
    b, = run_op("ex2.approx.f32 {o0}, {i0};", ["f32"], ["f32"], d, approx_ulp=2)
    diff = np.array(b, np.int64) - np.array(a, np.int64)
    assert set(diff.tolist()) == {-2, -1, 0, 1, 2}


def test_nan_is_canonical_in_memory():
    """Single precision results that are NaN are stored as 0x7fffffff."""
    body = "sub.f32 {t0}, {i0}, {i0}; mul.f32 {t1}, {t0}, {i0}; mov.b32 {o0}, {t1}; " \
           "and.b32 {o1}, {t1}, -1; selp.f32 {o2}, {t1}, {t0}, {i1};"
    o = run_op(body, ["f32", "pred"], ["b32", "b32", "b32"],
               [[0x7f800000, 0xffc00123, 0x7f800001], [1, 0, 1]])
    assert all(v == 0x7fffffff for r in o for v in r)
    # moves, loads and stores keep payloads
    o = run_op("mov.f32 {o0}, {i0};", ["f32"], ["f32"], [[0x7f800001, 0xffc12345]])
    assert o[0] == [0x7f800001, 0xffc12345]
