# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX from MLIR gpu kernels through mlir-opt's gpu-lower-to-nvvm-pipeline (LLVM 22)."""

import numpy as np
import pytest

from ptxrun import Module, memref, uninit
from common import mlir_to_ptx, needs_ptxas, ptxas_ok, ulp_diff32

pytestmark = pytest.mark.slow

MODULES = []


def build(funcs, **kw):
    text = "module attributes {gpu.container_module} {\n  gpu.module @m {\n%s\n  }\n}\n" % funcs
    ptx = mlir_to_ptx(text, **kw)
    MODULES.append((ptx, kw.get("chip", "sm_90")))
    return Module.from_text(ptx)


IDX = """
      %bid = gpu.block_id x
      %bd = gpu.block_dim x
      %tid = gpu.thread_id x
      %m0 = arith.muli %bid, %bd : index
      %i = arith.addi %m0, %tid : index
"""


def test_saxpy_exact():
    m = build("""
    gpu.func @saxpy(%x: memref<?xf32>, %y: memref<?xf32>, %a: f32, %n: index) kernel {
""" + IDX + """
      %c = arith.cmpi ult, %i, %n : index
      scf.if %c {
        %xv = memref.load %x[%i] : memref<?xf32>
        %yv = memref.load %y[%i] : memref<?xf32>
        %p = arith.mulf %a, %xv : f32
        %s = arith.addf %p, %yv : f32
        memref.store %s, %y[%i] : memref<?xf32>
      }
      gpu.return
    }""")
    n = 10007
    rng = np.random.default_rng(1)
    x = rng.standard_normal(n).astype(np.float32)
    y = rng.standard_normal(n).astype(np.float32)
    want = np.float32(2.5) * x + y
    m.launch("saxpy", (n + 255) // 256, 256, memref(x) + memref(y) + [2.5, n])
    assert (y == want).all()


@pytest.mark.parametrize("fn,ref,lo,hi,ulp", [
    ("math.exp", np.exp, -90, 89, 3), ("math.log", np.log, 1e-30, 1e30, 2),
    ("math.sin", np.sin, -1e5, 1e5, 2), ("math.cos", np.cos, -1e5, 1e5, 2),
    ("math.tanh", np.tanh, -12, 12, 3), ("math.sqrt", np.sqrt, 0, 1e10, 0),
    ("math.rsqrt", lambda x: 1 / np.sqrt(x), 1e-10, 1e10, 2),
    ("math.exp2", np.exp2, -120, 120, 3), ("math.log2", np.log2, 1e-30, 1e30, 2),
    ("math.log10", np.log10, 1e-30, 1e30, 3), ("math.log1p", np.log1p, -0.99, 100, 2),
    ("math.expm1", np.expm1, -10, 80, 2), ("math.erf", None, -4, 4, 2),
    ("math.atan", np.arctan, -1e3, 1e3, 3), ("math.tan", np.tan, -1.5, 1.5, 4),
    ("math.floor", np.floor, -1e6, 1e6, 0), ("math.ceil", np.ceil, -1e6, 1e6, 0),
    ("math.absf", np.abs, -5, 5, 0), ("math.cbrt", np.cbrt, -1e6, 1e6, 2),
    ("math.roundeven", np.rint, -1e6, 1e6, 0), ("math.acos", np.arccos, -1, 1, 3),
    ("math.sinh", np.sinh, -80, 80, 4), ("math.cosh", np.cosh, -80, 80, 4),
])
@pytest.mark.parametrize("ty", ["f32", "f64"])
def test_libdevice(fn, ref, lo, hi, ulp, ty):
    """libdevice functions against numpy in double (f32) or within 1e-14 (f64)."""
    if fn == "math.erf":
        import math
        ref = np.vectorize(math.erf)
    dt = np.float32 if ty == "f32" else np.float64
    m = build("""
    gpu.func @f(%x: memref<?xTY>, %y: memref<?xTY>) kernel {
""".replace("TY", ty) + IDX + """
      %xv = memref.load %x[%i] : memref<?xTY>
      %r = FN %xv : TY
      memref.store %r, %y[%i] : memref<?xTY>
      gpu.return
    }""".replace("TY", ty).replace("FN", fn))
    n = 4096
    rng = np.random.default_rng(2)
    if lo > 0 and hi / lo > 1e6:
        x = np.exp(rng.uniform(np.log(lo), np.log(hi), n)).astype(dt)
    else:
        x = rng.uniform(lo, hi, n).astype(dt)
        x[: n // 4] = rng.uniform(max(lo, -3), min(hi, 3), n // 4)
    y = uninit(n, dt)
    m.launch("f", n // 128, 128, memref(x) + memref(y))
    want = ref(x.astype(np.longdouble) if ty == "f64" and fn not in ("math.erf",)
               else x.astype(np.float64))
    if ty == "f32":
        d = ulp_diff32(y.array, want.astype(np.float32))
        assert d.max() <= ulp, (d.max(), x[d.argmax()], y.array[d.argmax()], want[d.argmax()])
    else:
        err = np.abs((y.array - want) / np.where(want == 0, 1, want)).astype(np.float64)
        assert err.max() < 4e-15 * max(ulp, 1), (err.max(), x[err.argmax()])


@pytest.mark.parametrize("fn", ["math.powf", "math.atan2"])
def test_libdevice_two_arguments(fn):
    m = build("""
    gpu.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<?xf32>) kernel {
""" + IDX + """
      %xv = memref.load %x[%i] : memref<?xf32>
      %yv = memref.load %y[%i] : memref<?xf32>
      %r = FN %xv, %yv : f32
      memref.store %r, %z[%i] : memref<?xf32>
      gpu.return
    }""".replace("FN", fn))
    n = 2048
    rng = np.random.default_rng(3)
    x = rng.uniform(0.01, 20, n).astype(np.float32)
    y = rng.uniform(-8, 8, n).astype(np.float32)
    z = np.zeros(n, np.float32)
    m.launch("f", n // 128, 128, memref(x) + memref(y) + memref(z))
    want = {"math.powf": np.power, "math.atan2": np.arctan2}[fn](
        x.astype(np.float64), y.astype(np.float64))
    assert ulp_diff32(z, want.astype(np.float32)).max() <= 4


def test_shared_memory_reduction():
    """Tree reduction of 256 elements per block in workgroup memory."""
    m = build("""
    gpu.func @reduce(%x: memref<?xf32>, %out: memref<?xf32>)
        workgroup(%buf : memref<256xf32, #gpu.address_space<workgroup>>) kernel {
""" + IDX + """
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c128 = arith.constant 128 : index
      %v = memref.load %x[%i] : memref<?xf32>
      memref.store %v, %buf[%tid] : memref<256xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = scf.while (%s = %c128) : (index) -> index {
        %go = arith.cmpi ugt, %s, %c0 : index
        scf.condition(%go) %s : index
      } do {
      ^bb0(%s: index):
        %in = arith.cmpi ult, %tid, %s : index
        scf.if %in {
          %j = arith.addi %tid, %s : index
          %a = memref.load %buf[%tid] : memref<256xf32, #gpu.address_space<workgroup>>
          %b = memref.load %buf[%j] : memref<256xf32, #gpu.address_space<workgroup>>
          %t = arith.addf %a, %b : f32
          memref.store %t, %buf[%tid] : memref<256xf32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
        %h = arith.divui %s, %c2 : index
        scf.yield %h : index
      }
      %z = arith.cmpi eq, %tid, %c0 : index
      scf.if %z {
        %t = memref.load %buf[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
        memref.store %t, %out[%bid] : memref<?xf32>
      }
      gpu.return
    }""")
    x = np.random.default_rng(4).standard_normal(256 * 40).astype(np.float32)
    out = uninit(40)
    r = m.launch("reduce", 40, 256, memref(x) + memref(out), racecheck=True)
    v = x.reshape(40, 256).copy()
    s = 128
    while s:
        v[:, :s] = v[:, :s] + v[:, s:2 * s]
        s //= 2
    assert (out.array == v[:, 0]).all() and not r.races


def test_subgroup_reduce():
    m = build("""
    gpu.func @mx(%x: memref<?xi32>, %out: memref<?xi32>) kernel {
""" + IDX + """
      %v = memref.load %x[%i] : memref<?xi32>
      %s = gpu.subgroup_reduce maxsi %v : (i32) -> (i32)
      memref.store %s, %out[%i] : memref<?xi32>
      gpu.return
    }""", pre=["--test-gpu-subgroup-reduce-lowering=expand-to-shuffles"])
    xi = np.random.default_rng(0).integers(-1000, 1000, 256).astype(np.int32)
    oi = np.zeros(256, np.int32)
    m.launch("mx", 2, 128, memref(xi) + memref(oi))
    assert (oi.reshape(8, 32) == xi.reshape(8, 32).max(axis=1)[:, None]).all()


def test_softmax_row_with_shuffles():
    """One warp per row of 128 elements: max and sum by butterfly shuffles."""
    m = build("""
    gpu.func @softmax(%x: memref<?x128xf32>, %y: memref<?x128xf32>) kernel {
      %row = gpu.block_id x
      %lane = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c32i = arith.constant 32 : i32
      %ninf = arith.constant 0xFF800000 : f32
      %zero = arith.constant 0.0 : f32
      %mx = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %ninf) -> f32 {
        %o = arith.muli %k, %c32 : index
        %j = arith.addi %o, %lane : index
        %v = memref.load %x[%row, %j] : memref<?x128xf32>
        %t = arith.maximumf %acc, %v : f32
        scf.yield %t : f32
      }
""" + "\n".join("""
      %%o%d = arith.constant %d : i32
      %%s%d, %%p%d = gpu.shuffle xor %%m%d, %%o%d, %%c32i : f32
      %%m%d = arith.maximumf %%m%d, %%s%d : f32""" % (k, 16 >> k, k, k, k, k, k + 1, k, k)
        for k in range(5)).replace("%m0,", "%mx,") + """
      %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> f32 {
        %o = arith.muli %k, %c32 : index
        %j = arith.addi %o, %lane : index
        %v = memref.load %x[%row, %j] : memref<?x128xf32>
        %d = arith.subf %v, %m5 : f32
        %e = math.exp %d : f32
        memref.store %e, %y[%row, %j] : memref<?x128xf32>
        %t = arith.addf %acc, %e : f32
        scf.yield %t : f32
      }
""" + "\n".join("""
      %%q%d, %%r%d = gpu.shuffle xor %%a%d, %%o%d, %%c32i : f32
      %%a%d = arith.addf %%a%d, %%q%d : f32""" % (k, k, k, k, k + 1, k, k)
        for k in range(5)).replace("%a0,", "%sum,") + """
      scf.for %k = %c0 to %c4 step %c1 {
        %o = arith.muli %k, %c32 : index
        %j = arith.addi %o, %lane : index
        %v = memref.load %y[%row, %j] : memref<?x128xf32>
        %t = arith.divf %v, %a5 : f32
        memref.store %t, %y[%row, %j] : memref<?x128xf32>
      }
      gpu.return
    }""")
    x = (np.random.default_rng(5).standard_normal((64, 128)) * 5).astype(np.float32)
    y = uninit((64, 128))
    m.launch("softmax", 64, 32, memref(x) + memref(y))
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    want = e / e.sum(axis=1, keepdims=True)
    assert np.abs(y.array / want - 1).max() < 3e-6


def test_naive_matmul():
    m = build("""
    gpu.func @mm(%a: memref<48x80xf32>, %b: memref<80x64xf32>, %c: memref<48x64xf32>) kernel {
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %c16 = arith.constant 16 : index
      %x0 = arith.muli %bx, %c16 : index
      %j = arith.addi %x0, %tx : index
      %y0 = arith.muli %by, %c16 : index
      %i = arith.addi %y0, %ty : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c80 = arith.constant 80 : index
      %z = arith.constant 0.0 : f32
      %s = scf.for %k = %c0 to %c80 step %c1 iter_args(%acc = %z) -> f32 {
        %av = memref.load %a[%i, %k] : memref<48x80xf32>
        %bv = memref.load %b[%k, %j] : memref<80x64xf32>
        %t = math.fma %av, %bv, %acc : f32
        scf.yield %t : f32
      }
      memref.store %s, %c[%i, %j] : memref<48x64xf32>
      gpu.return
    }""")
    rng = np.random.default_rng(6)
    a = rng.standard_normal((48, 80)).astype(np.float32)
    b = rng.standard_normal((80, 64)).astype(np.float32)
    c = uninit((48, 64))
    r = m.launch("mm", (4, 3), (16, 16), memref(a) + memref(b) + memref(c), stats=True)
    import refmodel as R
    for i in (0, 17, 47):
        for j in (0, 5, 63):
            acc = 0
            for k in range(80):
                acc = R.fma(int(a[i, k].view(np.uint32)), int(b[k, j].view(np.uint32)), acc,
                            "f32")
            assert int(c.array[i, j].view(np.uint32)) == acc
    assert np.abs(c.array - a.astype(np.float64) @ b).max() < 1e-4
    assert r.stats.dynamic["f32 fma"] == 48 * 64 * 80


@pytest.mark.parametrize("ty", ["f16", "bf16"])
def test_half_precision(ty):
    m = build("""
    gpu.func @h(%x: memref<?xTY>, %y: memref<?xTY>, %z: memref<?xf32>) kernel {
""".replace("TY", ty) + IDX + """
      %a = memref.load %x[%i] : memref<?xTY>
      %b = memref.load %y[%i] : memref<?xTY>
      %s = arith.addf %a, %b : TY
      %p = arith.mulf %s, %a : TY
      %q = math.fma %p, %b, %s : TY
      memref.store %q, %y[%i] : memref<?xTY>
      %w = arith.extf %p : TY to f32
      %e = math.exp %w : f32
      %t = arith.truncf %e : f32 to TY
      %u = arith.extf %t : TY to f32
      memref.store %u, %z[%i] : memref<?xf32>
      gpu.return
    }""".replace("TY", ty))
    import refmodel as R
    n = 256
    rng = np.random.default_rng(7)
    f = rng.uniform(-1.5, 1.5, (2, n)).astype(np.float32)
    if ty == "f16":
        x, y = f.astype(np.float16).view(np.uint16)
    else:
        x, y = (f.view(np.uint32) >> 16).astype(np.uint16)
    x, y = x.copy(), y.copy()
    y0 = y.copy()
    z = np.zeros(n, np.float32)
    m.launch("h", 2, 128, memref(x) + memref(y) + memref(z))
    for i in range(n):
        s = R.add(int(x[i]), int(y0[i]), ty)
        p = R.mul(s, int(x[i]), ty)
        q = R.fma(p, int(y0[i]), s, ty)
        assert int(y[i]) == q
        e = np.exp(float(R.val(p, ty)))
        t = R.val(R.convert(int(np.float32(e).view(np.uint32)), "f32", ty), ty)
        assert abs(float(z[i]) - float(t)) <= abs(float(t)) * (2 ** -10 if ty == "f16"
                                                               else 2 ** -7)


@pytest.mark.parametrize("ty,w", [("f32", 4), ("f16", 8), ("i8", 16), ("f64", 2), ("bf16", 2)])
def test_vector_loads(ty, w):
    op = "arith.addi" if ty[0] == "i" else "arith.addf"
    m = build("""
    gpu.func @v(%x: memref<?xvector<WxTY>>, %y: memref<?xvector<WxTY>>) kernel {
""".replace("W", str(w)).replace("TY", ty) + IDX + """
      %a = memref.load %x[%i] : memref<?xvector<WxTY>>
      %b = memref.load %y[%i] : memref<?xvector<WxTY>>
      %s = OP %a, %b : vector<WxTY>
      memref.store %s, %y[%i] : memref<?xvector<WxTY>>
      gpu.return
    }""".replace("W", str(w)).replace("TY", ty).replace("OP", op))
    assert any(s in m.ast.text for s in (".v4.", ".v2.", "b32")), "no vector access"
    n = 128
    rng = np.random.default_rng(8)
    if ty == "i8":
        x = rng.integers(-128, 128, (n, w)).astype(np.int8)
        y = rng.integers(-128, 128, (n, w)).astype(np.int8)
        want = x + y
    elif ty == "bf16":
        x, y = ((rng.standard_normal((n, w)).astype(np.float32).view(np.uint32) >> 16)
                .astype(np.uint16) for _ in range(2))
        import refmodel as R
        want = np.array([[R.add(int(a), int(b), "bf16") for a, b in zip(p, q)]
                         for p, q in zip(x, y)], np.uint16)
    else:
        dt = {"f32": np.float32, "f16": np.float16, "f64": np.float64}[ty]
        x, y = (rng.standard_normal((n, w)).astype(dt) for _ in range(2))
        want = x + y
    m.launch("v", 1, 128, [x, x, 0, n, 1, y, y, 0, n, 1])
    assert (y == want).all()


def test_vector_transfer_f32x4():
    m = build("""
    gpu.func @v(%x: memref<?xf32>, %y: memref<?xf32>) kernel {
""" + IDX + """
      %c4 = arith.constant 4 : index
      %j = arith.muli %i, %c4 : index
      %a = vector.load %x[%j] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
      %b = arith.mulf %a, %a : vector<4xf32>
      vector.store %b, %y[%j] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
      gpu.return
    }""")
    assert "ld.global.v4" in m.ast.text and "st.global.v4" in m.ast.text
    x = np.random.default_rng(9).standard_normal(4096).astype(np.float32)
    y = uninit(4096)
    r = m.launch("v", 8, 128, memref(x) + memref(y), stats=True)
    assert (y.array == x * x).all()
    assert r.stats.static["ld.global 128-bit (v4)"] == 1
    ld = [e for e in r.stats.memory if e["op"] == "ld"][0]
    assert ld["sectors"] == 4096 * 4 // 32 and ld["efficiency"] == 1.0


def test_256_bit_accesses_of_sm_100():
    m = build("""
    gpu.func @v(%x: memref<?xf32>, %y: memref<?xf32>) kernel {
""" + IDX + """
      %c8 = arith.constant 8 : index
      %j = arith.muli %i, %c8 : index
      %a = vector.load %x[%j] {alignment = 32 : i64} : memref<?xf32>, vector<8xf32>
      %b = arith.addf %a, %a : vector<8xf32>
      vector.store %b, %y[%j] {alignment = 32 : i64} : memref<?xf32>, vector<8xf32>
      gpu.return
    }""", chip="sm_100", features="+ptx88")
    assert ".v8.b32" in m.ast.text or ".v4.b64" in m.ast.text
    x = np.random.default_rng(9).standard_normal(4096).astype(np.float32)
    y = uninit(4096)
    m.launch("v", 4, 128, memref(x) + memref(y))
    assert (y.array == x + x).all()


def test_integer_and_index_arithmetic():
    """Division, remainder, shifts, select, 64-bit products on i32/i64."""
    m = build("""
    gpu.func @k(%x: memref<?xi32>, %y: memref<?xi32>, %z: memref<?x8xi64>) kernel {
""" + IDX + """
      %a = memref.load %x[%i] : memref<?xi32>
      %b = memref.load %y[%i] : memref<?xi32>
      %q = arith.divsi %a, %b : i32
      %r = arith.remui %a, %b : i32
      %fd = arith.floordivsi %a, %b : i32
      %lo, %hi = arith.mulsi_extended %a, %b : i32
      %mx = arith.maxui %a, %b : i32
      %c = math.ctpop %a : i32
      %lz = math.ctlz %b : i32
      %l, %h = arith.mului_extended %a, %b : i32
""" + "\n".join("      %%w%d = arith.extsi %s : i32 to i64\n      %%k%d = arith.constant %d : "
                "index\n      memref.store %%w%d, %%z[%%i, %%k%d] : memref<?x8xi64>" % (
                    k, v, k, k, k, k) for k, v in enumerate(
                        ["%q", "%r", "%fd", "%hi", "%mx", "%c", "%lz", "%h"])) + """
      gpu.return
    }""")
    n = 1024
    rng = np.random.default_rng(10)
    x = rng.integers(-2**31, 2**31, n).astype(np.int32)
    y = rng.integers(-2**31, 2**31, n).astype(np.int32)
    y[::3] = rng.integers(1, 100, y[::3].size)
    y[y == 0] = 7
    z = np.zeros((n, 8), np.int64)
    m.launch("k", n // 128, 128, memref(x) + memref(y) + memref(z))
    X, Y = x.astype(np.int64), y.astype(np.int64)
    ux, uy = x.view(np.uint32).astype(np.uint64), y.view(np.uint32).astype(np.uint64)

    def sx(v):
        return v.astype(np.uint32).view(np.int32).astype(np.int64)
    q = (np.abs(X) // np.abs(Y)) * np.sign(X) * np.sign(Y)
    assert (z[:, 0] == q).all()
    assert (z[:, 1] == sx(ux % uy)).all()
    assert (z[:, 2] == X // Y).all()
    assert (z[:, 3] == (X * Y) >> 32).all()
    assert (z[:, 4] == sx(np.maximum(ux, uy))).all()
    assert (z[:, 5] == [bin(int(v)).count("1") for v in ux]).all()
    assert (z[:, 6] == [32 - int(v).bit_length() for v in uy]).all()
    assert (z[:, 7] == sx((ux * uy) >> np.uint64(32))).all()


def test_philox_in_mlir():
    """Philox4x32-10 written in arith ops, one counter per thread."""
    M0, M1, W0, W1 = 0xD2511F53, 0xCD9E8D57, 0x9E3779B9, 0xBB67AE85

    def c(v):
        return v - (1 << 32) if v >> 31 else v
    body = ["      %%mm0 = arith.constant %d : i32\n      %%mm1 = arith.constant %d : i32" % (
        c(M0), c(M1)), "      %%w0 = arith.constant %d : i32\n      %%w1 = arith.constant %d : i32"
        % (c(W0), c(W1)), "      %z = arith.constant 0 : i32",
        "      %iv = arith.index_cast %i : index to i32"]
    x = ["%iv", "%z", "%z", "%z"]
    k = ["%k0", "%k1"]
    for r in range(10):
        body.append("      %%l0_%d, %%h0_%d = arith.mului_extended %s, %%mm0 : i32" % (r, r, x[0]))
        body.append("      %%l1_%d, %%h1_%d = arith.mului_extended %s, %%mm1 : i32" % (r, r, x[2]))
        body.append("      %%a%d = arith.xori %%h1_%d, %s : i32" % (r, r, x[1]))
        body.append("      %%b%d = arith.xori %%a%d, %s : i32" % (r, r, k[0]))
        body.append("      %%d%d = arith.xori %%h0_%d, %s : i32" % (r, r, x[3]))
        body.append("      %%e%d = arith.xori %%d%d, %s : i32" % (r, r, k[1]))
        x = ["%%b%d" % r, "%%l1_%d" % r, "%%e%d" % r, "%%l0_%d" % r]
        if r < 9:
            body.append("      %%kx%d = arith.addi %s, %%w0 : i32" % (r, k[0]))
            body.append("      %%ky%d = arith.addi %s, %%w1 : i32" % (r, k[1]))
            k = ["%%kx%d" % r, "%%ky%d" % r]
    for j, v in enumerate(x):
        body.append("      %%c%d = arith.constant %d : index" % (j, j))
        body.append("      memref.store %s, %%y[%%i, %%c%d] : memref<?x4xi32>" % (v, j))
    m = build("    gpu.func @philox(%y: memref<?x4xi32>, %k0: i32, %k1: i32) kernel {\n" + IDX +
              "\n".join(body) + "\n      gpu.return\n    }")
    n = 1024
    y = uninit((n, 4), np.uint32)
    m.launch("philox", n // 256, 256, memref(y) + [0xdeadbeef, 0x12345678])
    for i in (0, 1, 17, 1023):
        ctr, key = [i, 0, 0, 0], [0xdeadbeef, 0x12345678]
        for r in range(10):
            p0, p1 = M0 * ctr[0], M1 * ctr[2]
            ctr = [(p1 >> 32) ^ ctr[1] ^ key[0], p1 & 0xffffffff,
                   (p0 >> 32) ^ ctr[3] ^ key[1], p0 & 0xffffffff]
            key = [(key[0] + W0) & 0xffffffff, (key[1] + W1) & 0xffffffff]
        assert y.array[i].tolist() == ctr


def test_ftz_and_fast_math():
    m = build("""
    gpu.func @k(%x: memref<?xf32>, %y: memref<?xf32>) kernel {
""" + IDX + """
      %a = memref.load %x[%i] : memref<?xf32>
      %b = arith.mulf %a, %a fastmath<fast> : f32
      %c = arith.addf %b, %a fastmath<fast> : f32
      %d = arith.divf %a, %c fastmath<fast> : f32
      memref.store %d, %y[%i] : memref<?xf32>
      gpu.return
    }""")
    x = np.random.default_rng(1).uniform(0.5, 2, 256).astype(np.float32)
    y = uninit(256)
    m.launch("k", 2, 128, memref(x) + memref(y))
    X = x.astype(np.float64)
    assert np.abs(y.array / (X / (X * X + X)) - 1).max() < 3e-7


def test_dynamic_shared_memory_and_atomics():
    m = build("""
    gpu.func @k(%x: memref<?xi32>, %out: memref<?xi32>) kernel {
""" + IDX + """
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %h = memref.view %d[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xi32, #gpu.address_space<workgroup>>
      %c64 = arith.constant 64 : index
      %in = arith.cmpi ult, %tid, %c64 : index
      scf.if %in {
        memref.store %zero, %h[%tid] : memref<64xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %v = memref.load %x[%i] : memref<?xi32>
      %vi = arith.index_cast %v : i32 to index
      %o = memref.atomic_rmw addi %one, %h[%vi] : (i32, memref<64xi32, #gpu.address_space<workgroup>>) -> i32
      gpu.barrier
      scf.if %in {
        %t = memref.load %h[%tid] : memref<64xi32, #gpu.address_space<workgroup>>
        %o2 = memref.atomic_rmw addi %t, %out[%tid] : (i32, memref<?xi32>) -> i32
      }
      gpu.return
    }""")
    x = np.random.default_rng(2).integers(0, 64, 256 * 8).astype(np.int32)
    out = np.zeros(64, np.int32)
    r = m.launch("k", 8, 256, memref(x) + memref(out), shared_bytes=256, racecheck=True)
    assert (out == np.bincount(x, minlength=64)).all() and not r.races


@needs_ptxas
def test_every_module_assembles():
    bad = []
    for ptx, chip in MODULES:
        ok, err = ptxas_ok(ptx, chip)
        if not ok:
            bad.append(err[:400])
    assert not bad, bad
