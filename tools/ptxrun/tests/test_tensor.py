# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor-core instructions: CUDA wmma, inline mma/ldmatrix, MLIR subgroup_mma."""

import numpy as np
import pytest

from ptxrun import Module, memref, uninit
from common import mlir_to_ptx, nvcc_ptx, ptxas_ok

SRC = r"""
#include <mma.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
using namespace nvcuda;
template <typename T, typename ACC, int M, int N, int K, typename LA, typename LB>
__device__ void tile(const T *a, const T *b, const ACC *c, ACC *d) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, ACC> fc;
  wmma::load_matrix_sync(fa, a, std::is_same<LA, wmma::row_major>::value ? K : M);
  wmma::load_matrix_sync(fb, b, std::is_same<LB, wmma::row_major>::value ? N : K);
  wmma::load_matrix_sync(fc, c, N, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(d, fc, N, wmma::mem_row_major);
}
#define R wmma::row_major
#define Q wmma::col_major
extern "C" __global__ void h16(const half *a, const half *b, const float *c, float *d) { tile<half, float, 16, 16, 16, R, Q>(a, b, c, d); }
extern "C" __global__ void h32(const half *a, const half *b, const float *c, float *d) { tile<half, float, 32, 8, 16, Q, R>(a, b, c, d); }
extern "C" __global__ void h8(const half *a, const half *b, const half *c, half *d) { tile<half, half, 8, 32, 16, R, R>(a, b, c, d); }
extern "C" __global__ void i16(const signed char *a, const signed char *b, const int *c, int *d) { tile<signed char, int, 16, 16, 16, R, Q>(a, b, c, d); }
extern "C" __global__ void bf(const __nv_bfloat16 *a, const __nv_bfloat16 *b, const float *c, float *d) { tile<__nv_bfloat16, float, 16, 16, 16, R, R>(a, b, c, d); }
extern "C" __global__ void dd(const double *a, const double *b, const double *c, double *d) { tile<double, double, 8, 8, 4, R, Q>(a, b, c, d); }

// D(16x8) = A(16x16) B(16x8): ldmatrix for A and B, mma, one warp
extern "C" __global__ void raw(const half *A, const half *B, float *D) {
  __shared__ __align__(16) half sa[16][16], sb[16][8];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i / 16][i % 16] = A[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i / 8][i % 8] = B[i];
  __syncwarp();
  unsigned a[4], b[2]; float d[4] = {0, 0, 0, 0};
  unsigned pa = __cvta_generic_to_shared(&sa[threadIdx.x % 16][(threadIdx.x / 16) * 8]);
  unsigned pb = __cvta_generic_to_shared(&sb[threadIdx.x % 16][0]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(pa));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(pb));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  int g = threadIdx.x / 4, t = threadIdx.x % 4;
  D[g * 8 + t * 2] = d[0]; D[g * 8 + t * 2 + 1] = d[1]; D[(g + 8) * 8 + t * 2] = d[2]; D[(g + 8) * 8 + t * 2 + 1] = d[3];
}
// direct fragment loads for the other mma shapes
extern "C" __global__ void s8(const signed char *A, const unsigned char *B, int *D) {
  int g = threadIdx.x / 4, t = threadIdx.x % 4; unsigned a[4], b[2]; int d[4] = {5, 6, 7, 8};
  const unsigned *a32 = (const unsigned *)A;   // A is 16x32 row major
  a[0] = a32[g * 8 + t]; a[1] = a32[(g + 8) * 8 + t]; a[2] = a32[g * 8 + t + 4]; a[3] = a32[(g + 8) * 8 + t + 4];
  const unsigned *b32 = (const unsigned *)B;   // B is 32x8 column major
  b[0] = b32[g * 8 + t]; b[1] = b32[g * 8 + t + 4];
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
    : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  D[g * 8 + t * 2] = d[0]; D[g * 8 + t * 2 + 1] = d[1]; D[(g + 8) * 8 + t * 2] = d[2]; D[(g + 8) * 8 + t * 2 + 1] = d[3];
}
extern "C" __global__ void tf(const float *A, const float *B, float *D) {   // A 16x8 row, B 8x8 column major
  int g = threadIdx.x / 4, t = threadIdx.x % 4; unsigned a[4], b[2]; float d[4] = {1, 2, 3, 4};
  const unsigned *a32 = (const unsigned *)A, *b32 = (const unsigned *)B;
  a[0] = a32[g * 8 + t]; a[1] = a32[(g + 8) * 8 + t]; a[2] = a32[g * 8 + t + 4]; a[3] = a32[(g + 8) * 8 + t + 4];
  b[0] = b32[g * 8 + t]; b[1] = b32[g * 8 + t + 4];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  D[g * 8 + t * 2] = d[0]; D[g * 8 + t * 2 + 1] = d[1]; D[(g + 8) * 8 + t * 2] = d[2]; D[(g + 8) * 8 + t * 2 + 1] = d[3];
}
extern "C" __global__ void diverged(const half *A, const half *B, float *D) {
  if (threadIdx.x < 16) tile<half, float, 16, 16, 16, R, Q>(A, B, D, D);
}
"""


@pytest.fixture(scope="module")
def mod():
    return Module.from_text(nvcc_ptx(SRC, "sm_90"))


def test_wmma_shapes(mod):
    rng = np.random.default_rng(0)
    f = lambda *s: rng.integers(-8, 9, s).astype(np.float32) / 4       # noqa: E731
    for name, M, N, K, la, lb, dt, acc in [
            ("h16", 16, 16, 16, 0, 1, np.float16, np.float32),
            ("h32", 32, 8, 16, 1, 0, np.float16, np.float32),
            ("h8", 8, 32, 16, 0, 0, np.float16, np.float16),
            ("dd", 8, 8, 4, 0, 1, np.float64, np.float64)]:
        a, b, c = f(M, K).astype(dt), f(K, N).astype(dt), f(M, N).astype(acc)
        d = uninit((M, N), acc)
        aa = np.ascontiguousarray(a.T) if la else a
        bb = np.ascontiguousarray(b.T) if lb else b
        mod.launch(name, 1, 32, [aa, bb, c, d])
        want = (a.astype(np.float64) @ b.astype(np.float64) + c).astype(acc)
        assert (d.array == want).all(), name
    a, b, c = (rng.integers(-128, 128, s) for s in ((16, 16), (16, 16), (16, 16)))
    d = uninit((16, 16), np.int32)
    mod.launch("i16", 1, 32, [a.astype(np.int8), np.ascontiguousarray(b.T).astype(np.int8),
                              c.astype(np.int32), d])
    assert (d.array == a @ b + c).all()
    a, b, c = f(16, 16), f(16, 16), f(16, 16)
    d = uninit((16, 16))
    mod.launch("bf", 1, 32, [(x.view(np.uint32) >> 16).astype(np.uint16) for x in (a, b)] + [c, d])
    assert (d.array == a @ b + c).all()


def test_mma_and_ldmatrix(mod):
    rng = np.random.default_rng(1)
    a = (rng.integers(-16, 17, (16, 16)) / 8).astype(np.float16)
    b = (rng.integers(-16, 17, (16, 8)) / 8).astype(np.float16)
    d = uninit((16, 8))
    mod.launch("raw", 1, 32, [a, b, d])
    assert (d.array == a.astype(np.float32) @ b.astype(np.float32)).all()
    a = rng.integers(-128, 128, (16, 32)).astype(np.int8)
    b = rng.integers(0, 256, (32, 8)).astype(np.uint8)
    d = uninit((16, 8), np.int32)
    mod.launch("s8", 1, 32, [a, np.ascontiguousarray(b.T), d])
    c = np.tile([[5, 6]] * 8 + [[7, 8]] * 8, (1, 4))
    assert (d.array == a.astype(np.int64) @ b.astype(np.int64) + c).all()
    a = (rng.integers(-16, 17, (16, 8)) / 8).astype(np.float32)
    b = (rng.integers(-16, 17, (8, 8)) / 8).astype(np.float32)
    d = uninit((16, 8))
    mod.launch("tf", 1, 32, [a, np.ascontiguousarray(b.T), d])
    assert (d.array == a @ b + np.tile([[1, 2]] * 8 + [[3, 4]] * 8, (1, 4))).all()


def test_diverged_matrix_instruction_is_an_error(mod):
    from ptxrun import ExecutionError
    with pytest.raises(ExecutionError):
        mod.launch("diverged", 1, 32, [np.zeros(256, np.float16), np.zeros(256, np.float16),
                                       np.zeros(256, np.float32)])


def test_mlir_subgroup_mma():
    ptx = mlir_to_ptx("""module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @mm(%a: memref<32x32xf16>, %b: memref<32x32xf16>, %c: memref<32x32xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %j = arith.muli %bx, %c16 : index
      %i = arith.muli %by, %c16 : index
      %z = arith.constant 0.0 : f32
      %init = gpu.subgroup_mma_constant_matrix %z : !gpu.mma_matrix<16x16xf32, "COp">
      %fa = gpu.subgroup_mma_load_matrix %a[%i, %c0] {leadDimension = 32 : index} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %fb = gpu.subgroup_mma_load_matrix %b[%c0, %j] {leadDimension = 32 : index} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %t = gpu.subgroup_mma_compute %fa, %fb, %init : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      %ga = gpu.subgroup_mma_load_matrix %a[%i, %c16] {leadDimension = 32 : index} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %gb = gpu.subgroup_mma_load_matrix %b[%c16, %j] {leadDimension = 32 : index} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %r = gpu.subgroup_mma_compute %ga, %gb, %t : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      gpu.subgroup_mma_store_matrix %r, %c[%i, %j] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf32>
      gpu.return
    }
  }
}""")
    assert "wmma.mma.sync" in ptx
    m = Module.from_text(ptx)
    rng = np.random.default_rng(2)
    a = (rng.integers(-16, 17, (32, 32)) / 8).astype(np.float16)
    b = (rng.integers(-16, 17, (32, 32)) / 8).astype(np.float16)
    c = uninit((32, 32))
    m.launch("mm", (2, 2), 32, memref(a) + memref(b) + memref(c))
    assert (c.array == a.astype(np.float32) @ b.astype(np.float32)).all()
    ok, err = ptxas_ok(ptx, "sm_90")
    assert ok, err


# Fragment tables of the PTX ISA, element by element: (lane, i) -> (row, column)
def isa_layout(kind, shape, which, lane, i):
    g, t = lane // 4, lane % 4
    if which == "c":
        if shape == "m8n8k4":
            return g, t * 2 + (i & 1)
        return (g if i < 2 else g + 8), t * 2 + (i & 1)
    if kind in ("f16", "bf16"):
        if shape == "m16n8k16":
            if which == "a":
                return (g if i < 2 or 4 <= i < 6 else g + 8), t * 2 + (i & 1) + (8 if i >= 4 else 0)
            return t * 2 + (i & 1) + (8 if i >= 2 else 0), g
        if which == "a":
            return (g if i < 2 else g + 8), t * 2 + (i & 1)
        return t * 2 + i, g
    if kind == "tf32":
        if which == "a":
            if shape == "m16n8k4":
                return (g if i == 0 else g + 8), t
            return (g if i in (0, 2) else g + 8), (t if i < 2 else t + 4)
        return (t if i == 0 else t + 4), g
    if kind in ("s8", "u8"):
        if shape == "m16n8k16":
            if which == "a":
                return (g if i < 4 else g + 8), t * 4 + (i & 3)
            return t * 4 + i, g
        if which == "a":
            return (g if i < 4 or 8 <= i < 12 else g + 8), t * 4 + (i & 3) + (16 if i >= 8 else 0)
        return t * 4 + (i & 3) + (16 if i >= 4 else 0), g
    return (g, t) if which == "a" else (t, g)               # f64


MMAS = [("m16n8k16", "f32", "f16", "f32"), ("m16n8k16", "f16", "f16", "f16"),
        ("m16n8k16", "f32", "bf16", "f32"), ("m16n8k8", "f32", "f16", "f32"),
        ("m16n8k8", "f32", "bf16", "f32"), ("m16n8k4", "f32", "tf32", "f32"),
        ("m16n8k8", "f32", "tf32", "f32"), ("m16n8k16", "s32", "s8", "s32"),
        ("m16n8k32", "s32", "u8", "s32"), ("m8n8k4", "f64", "f64", "f64")]


@pytest.mark.parametrize("shape,dt,at,ct", MMAS)
def test_mma_fragment_tables(shape, dt, at, ct):
    """One warp; register images are packed here by the tables above."""
    M, N, K = [int(x) for x in shape[1:].replace("n", " ").replace("k", " ").split()]
    per = {"f16": 2, "bf16": 2, "s8": 4, "u8": 4}
    ne = {"a": M * K // 32, "b": K * N // 32, "c": M * N // 32}
    nr = {"a": ne["a"] // per.get(at, 1), "b": ne["b"] // per.get(at, 1),
          "c": ne["c"] // (2 if ct == "f16" else 1), "d": ne["c"] // (2 if dt == "f16" else 1)}
    w = 8 if at == "f64" else 4
    pre = "%d" if w == 8 else "%r"
    first = {"a": 10, "b": 20, "c": 30, "d": 40}
    lst = {k: "{" + ", ".join("%s%d" % (pre, first[k] + i) for i in range(n)) + "}"
           for k, n in nr.items()}
    t = [".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, .param "
         ".u64 b, .param .u64 c, .param .u64 d)\n{\n.reg .b32 %r<60>;\n.reg .b64 %d<60>;\n"
         "mov.u32 %r1, %tid.x;\n"]
    for j, k in enumerate("abcd"):
        t.append("ld.param.u64 %%d%d, [%s];\nmad.wide.u32 %%d%d, %%r1, %d, %%d%d;\n" % (
            j, k, j, w * nr[k], j))
        if k != "d":
            for i in range(nr[k]):
                t.append("ld.global.b%d %s%d, [%%d%d+%d];\n" % (8 * w, pre, first[k] + i, j, w * i))
    t.append("mma.sync.aligned.%s.row.col.%s.%s.%s.%s %s, %s, %s, %s;\n" % (
        shape, dt, at, at, ct, lst["d"], lst["a"], lst["b"], lst["c"]))
    for i in range(nr["d"]):
        t.append("st.global.b%d [%%d3+%d], %s%d;\n" % (8 * w, w * i, pre, first["d"] + i))
    t.append("ret;\n}\n")
    ptx = "".join(t)
    ok, err = ptxas_ok(ptx, "sm_90")
    assert ok, err
    rng = np.random.default_rng(3)
    if at in ("s8", "u8"):
        lo = -128 if at == "s8" else 0
        mats = {"a": rng.integers(lo, lo + 256, (M, K)), "b": rng.integers(lo, lo + 256, (K, N)),
                "c": rng.integers(-1000, 1000, (M, N))}
    else:
        mats = {k: rng.integers(-16, 17, s) / 4 for k, s in (("a", (M, K)), ("b", (K, N)),
                                                             ("c", (M, N)))}
    np_of = {"f16": np.float16, "tf32": np.float32, "f32": np.float32, "f64": np.float64,
             "s8": np.int8, "u8": np.uint8, "s32": np.int32}

    def image(k):
        ty = at if k in "ab" else ct
        v = np.array([[mats[k][isa_layout(at, shape, k, lane, i)] for i in range(ne[k])]
                      for lane in range(32)])
        if ty == "bf16":
            return (v.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        return v.astype(np_of[ty])
    out = np.zeros((32, ne["c"]), np_of[dt])
    Module.from_text(ptx).launch("k", 1, 32, [image("a"), image("b"), image("c"), out])
    want = mats["a"] @ mats["b"] + mats["c"]
    for lane in range(32):
        for i in range(ne["c"]):
            assert out[lane, i] == np_of[dt](want[isa_layout(at, shape, "c", lane, i)])
