# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX from nvcc: cuRAND Philox, reductions, matmul, half precision, intrinsics, math."""

import ctypes

import numpy as np
import pytest

import refmodel as R
from ptxrun import Module, uninit, Trap, Struct
from common import nvcc_ptx, sh, tool, tmpdir, ulp_diff32

pytestmark = pytest.mark.slow

ARCHS = ["sm_80", "sm_90", "sm_100"]


# --- cuRAND ----------------------------------------------------------------------

CURAND = r"""
#include <curand_kernel.h>
extern "C" __global__ void raw(uint4 *o, unsigned long long seed, unsigned long long off, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandStatePhilox4_32_10_t st;
  curand_init(seed, i, off, &st);
  for (int k = 0; k < 3; k++) o[i * 3 + k] = curand4(&st);
}
extern "C" __global__ void uni(float4 *o, unsigned long long seed, unsigned long long off, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandStatePhilox4_32_10_t st;
  curand_init(seed, i, off, &st);
  o[i] = curand_uniform4(&st);
}
extern "C" __global__ void nor(float4 *o, unsigned long long seed, unsigned long long off, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandStatePhilox4_32_10_t st;
  curand_init(seed, i, off, &st);
  o[i] = curand_normal4(&st);
}
extern "C" __global__ void nor2d(double2 *o, unsigned long long seed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandStatePhilox4_32_10_t st;
  curand_init(seed, i, 0, &st);
  o[i] = curand_normal2_double(&st);
}
extern "C" __global__ void xorwow(unsigned *o, unsigned long long seed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState st;
  curand_init(seed, i, 0, &st);
  for (int k = 0; k < 4; k++) o[i * 4 + k] = curand(&st);
}
"""


def philox(ctr, key):
    """Vectorised Philox4x32-10: ctr (n,4), key (2,) -> (n,4) uint32."""
    c = [ctr[:, k].astype(np.uint64) for k in range(4)]
    k0, k1 = int(key[0]), int(key[1])
    m = np.uint64(0xffffffff)
    for _ in range(10):
        p0 = c[0] * np.uint64(0xD2511F53)
        p1 = c[2] * np.uint64(0xCD9E8D57)
        c = [(p1 >> np.uint64(32)) ^ c[1] ^ np.uint64(k0), p1 & m,
             (p0 >> np.uint64(32)) ^ c[3] ^ np.uint64(k1), p0 & m]
        k0 = (k0 + 0x9E3779B9) & 0xffffffff
        k1 = (k1 + 0xBB67AE85) & 0xffffffff
    return np.stack(c, axis=1).astype(np.uint32)


def philox_stream(seed, sub, off, count):
    """cuRAND's numbers off .. off+count-1 of subsequences `sub` (array)."""
    key = (seed & 0xffffffff, seed >> 32)
    first, last = off // 4, (off + count + 3) // 4
    words = []
    for b in range(first, last + 1):
        ctr = np.zeros((sub.size, 4), np.uint64)
        ctr[:, 0] = b & 0xffffffff
        ctr[:, 1] = (b >> 32) & 0xffffffff
        ctr[:, 2] = sub & np.uint64(0xffffffff)
        ctr[:, 3] = sub >> np.uint64(32)
        words.append(philox(ctr, key))
    w = np.concatenate(words, axis=1)
    s = off - 4 * first
    return w[:, s:s + count]


@pytest.fixture(scope="module", params=["sm_90", "sm_100"])
def curand(request):
    return Module.from_text(nvcc_ptx(CURAND, request.param))


def test_philox_known_answers():
    """Vectors of the Random123 distribution, for the host model itself."""
    z = philox(np.zeros((1, 4), np.uint64), (0, 0))[0]
    assert [hex(x) for x in z] == ["0x6627e8d5", "0xe169c58d", "0xbc57ac4c", "0x9b00dbd8"]
    f = philox(np.full((1, 4), 0xffffffff, np.uint64), (0xffffffff, 0xffffffff))[0]
    assert [hex(x) for x in f] == ["0x408f276d", "0x41c83b0e", "0xa20bc7c6", "0x6d5451fd"]
    p = philox(np.array([[0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344]], np.uint64),
               (0xa4093822, 0x299f31d0))[0]
    assert [hex(x) for x in p] == ["0xd16cfe09", "0x94fdcceb", "0x5001e420", "0x24126ea1"]


@pytest.mark.parametrize("seed,off", [(1234, 0), (0xdeadbeefcafebabe, 4), (7, 3), (7, 2 ** 34 + 1)])
def test_curand_philox_raw(curand, seed, off):
    n = 1000
    o = uninit((n, 12), np.uint32)
    curand.launch("raw", 4, 256, [o, seed, off, n])
    assert (o.array == philox_stream(seed, np.arange(n, dtype=np.uint64), off, 12)).all()


def test_curand_uniform4_bit_exact(curand):
    n = 4096
    o = uninit((n, 4))
    curand.launch("uni", 16, 256, [o, 42, 0, n])
    x = philox_stream(42, np.arange(n, dtype=np.uint64), 0, 4)
    # x * 2^-32 + 2^-33 with one rounding after the conversion: exact in double
    f = x.astype(np.float32).astype(np.float64) * 2.0 ** -32 + 2.0 ** -33
    assert (o.array == f.astype(np.float32)).all()


def test_curand_normal4(curand):
    n = 4096
    o = uninit((n, 4))
    r = curand.launch("nor", 16, 256, [o, 42, 0, n])
    x = philox_stream(42, np.arange(n, dtype=np.uint64), 0, 4).astype(np.float32).astype(
        np.float64)
    want = np.zeros((n, 4))
    for k in (0, 2):
        u = (x[:, k] * 2.0 ** -32 + 2.0 ** -33).astype(np.float32).astype(np.float64)
        v = (x[:, k + 1] * float(np.float32(2.0 ** -32 * 6.2831855)) +
             float(np.float32(2.0 ** -33 * 6.2831855))).astype(np.float32).astype(np.float64)
        s = np.sqrt(-2.0 * np.log(u))
        want[:, k] = np.sin(v) * s
        want[:, k + 1] = np.cos(v) * s
    # __sincosf and logf/sqrtf in f32: absolute error of a few ulp of the radius
    assert np.abs(o.array - want).max() < 2e-6
    assert abs(o.array.mean()) < 0.03 and abs(o.array.std() - 1) < 0.02
    assert r.instructions > 0


def test_curand_normal_double(curand):
    n = 1024
    o = uninit((n, 2), np.float64)
    curand.launch("nor2d", 4, 256, [o, 5, n])
    x = philox_stream(5, np.arange(n, dtype=np.uint64), 0, 4).astype(np.uint64)
    z1 = x[:, 0] ^ (x[:, 1] << np.uint64(21))
    z2 = x[:, 2] ^ (x[:, 3] << np.uint64(21))
    p53 = 1.1102230246251565e-16
    u = z1.astype(np.float64) * p53 + p53 / 2.0
    v = z2.astype(np.float64) * (p53 * 2.0) + p53
    s = np.sqrt(-2.0 * np.log(u))
    assert np.abs(o.array[:, 0] - np.sin(v * np.pi) * s).max() < 1e-13
    assert np.abs(o.array[:, 1] - np.cos(v * np.pi) * s).max() < 1e-13


def test_curand_xorwow_against_host_compilation(curand):
    """The same header compiled for the host."""
    d = tmpdir()
    with open(d + "/h.cu", "w") as f:
        f.write('#define QUALIFIERS static inline __host__ __device__\n'
                '#include <curand_kernel.h>\n'
                'extern "C" void host(unsigned *o, unsigned long long seed, int n) {\n'
                '  for (int i = 0; i < n; i++) { curandState st; curand_init(seed, i, 0, &st);\n'
                '    for (int k = 0; k < 4; k++) o[i * 4 + k] = curand(&st); } }\n')
    try:
        sh([tool("nvcc"), "-arch=sm_90", "-w", "-shared", "-Xcompiler", "-fPIC",
            "-cudart", "static", d + "/h.cu", "-o", d + "/h.so"])
    except RuntimeError as e:
        pytest.skip("host compilation not possible: %s" % str(e)[:200])
    lib = ctypes.CDLL(d + "/h.so")
    n = 64
    want = np.zeros(4 * n, np.uint32)
    lib.host(want.ctypes.data_as(ctypes.c_void_p), ctypes.c_ulonglong(99), n)
    o = uninit(4 * n, np.uint32)
    # the state structure has fields that are copied before they are written
    curand.launch("xorwow", 2, 32, [o, 99, n], allow_uninit={"local"})
    assert (o.array == want).all()


# --- ordinary kernels ------------------------------------------------------------------

KERNELS = r"""
#include <cstdio>
#include <cassert>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void saxpy(int n, float a, const float *__restrict__ x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

__device__ float warp_sum(float v) {
  for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  return v;
}
extern "C" __global__ void reduce(const float *x, float *out, int n) {
  __shared__ float s[32];
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
  v = warp_sum(v);
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  if (lane == 0) s[w] = v;
  __syncthreads();
  if (w == 0) {
    v = lane < (blockDim.x >> 5) ? s[lane] : 0.f;
    v = warp_sum(v);
    if (lane == 0) out[blockIdx.x] = v;
  }
}

#define TS 16
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[TS][TS + 1], bs[TS][TS];
  int r = blockIdx.y * TS + threadIdx.y, q = blockIdx.x * TS + threadIdx.x;
  float acc = 0;
  for (int t = 0; t < (k + TS - 1) / TS; t++) {
    int ac = t * TS + threadIdx.x, br = t * TS + threadIdx.y;
    as[threadIdx.y][threadIdx.x] = r < m && ac < k ? a[r * k + ac] : 0.f;
    bs[threadIdx.y][threadIdx.x] = br < k && q < n ? b[br * n + q] : 0.f;
    __syncthreads();
    for (int i = 0; i < TS; i++) acc = fmaf(as[threadIdx.y][i], bs[i][threadIdx.x], acc);
    __syncthreads();
  }
  if (r < m && q < n) c[r * n + q] = acc;
}

extern "C" __global__ void softmax(const float *x, float *y, int cols) {
  extern __shared__ float buf[];
  const float *xr = x + (size_t)blockIdx.x * cols;
  float m = -INFINITY;
  for (int i = threadIdx.x; i < cols; i += 32) { float v = xr[i]; buf[i] = v; m = fmaxf(m, v); }
  for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
  float s = 0;
  for (int i = threadIdx.x; i < cols; i += 32) { float e = expf(buf[i] - m); buf[i] = e; s += e; }
  for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
  for (int i = threadIdx.x; i < cols; i += 32) y[(size_t)blockIdx.x * cols + i] = buf[i] / s;
}

extern "C" __global__ void scan(const int *x, int *y) {           // Blelloch, 512 per block
  __shared__ int t[512];
  int i = threadIdx.x, g = blockIdx.x * 512;
  t[2 * i] = x[g + 2 * i]; t[2 * i + 1] = x[g + 2 * i + 1];
  int off = 1;
  for (int d = 256; d > 0; d >>= 1) {
    __syncthreads();
    if (i < d) { int a = off * (2 * i + 1) - 1, b = off * (2 * i + 2) - 1; t[b] += t[a]; }
    off *= 2;
  }
  if (i == 0) t[511] = 0;
  for (int d = 1; d < 512; d *= 2) {
    off >>= 1;
    __syncthreads();
    if (i < d) { int a = off * (2 * i + 1) - 1, b = off * (2 * i + 2) - 1;
      int v = t[a]; t[a] = t[b]; t[b] += v; }
  }
  __syncthreads();
  y[g + 2 * i] = t[2 * i]; y[g + 2 * i + 1] = t[2 * i + 1];
}

extern "C" __global__ void bitonic(unsigned *x) {                   // 256 per block
  __shared__ unsigned s[256];
  int i = threadIdx.x;
  s[i] = x[blockIdx.x * 256 + i];
  __syncthreads();
  for (int k = 2; k <= 256; k *= 2)
    for (int j = k / 2; j; j /= 2) {
      int l = i ^ j;
      if (l > i) {
        bool up = (i & k) == 0;
        if ((s[i] > s[l]) == up) { unsigned t = s[i]; s[i] = s[l]; s[l] = t; }
      }
      __syncthreads();
    }
  x[blockIdx.x * 256 + i] = s[i];
}

__constant__ float coef[8] = {1, -2, 3, -4, 5, -6, 7, -8};
__device__ int hits = 5;
extern "C" __global__ void globals(float *y, int n) {
  int i = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < 8; k++) acc = acc * 0.5f + coef[(i + k) & 7];
  y[i] = acc;
  atomicAdd(&hits, 1);
}

extern "C" __global__ void atomics(const float *x, int *hist, float *mx, unsigned *cnt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  int b = (int)(v * 10.f) & 15;
  unsigned peers = __match_any_sync(__activemask(), b);
  if ((int)(threadIdx.x & 31) == __ffs(peers) - 1) atomicAdd(&hist[b], __popc(peers));
  int old = __float_as_int(*mx), assumed;
  do { assumed = old;
    old = atomicCAS((int *)mx, assumed, __float_as_int(fmaxf(v, __int_as_float(assumed))));
  } while (assumed != old);
  if (v > 0.5f) { auto g = cg::coalesced_threads();
    if (g.thread_rank() == 0) atomicAdd(cnt, g.size()); }
}

extern "C" __global__ void intrin(const unsigned *a, const unsigned *b, const unsigned *c,
                                  unsigned *o, unsigned long long *q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = a[i], y = b[i], z = c[i];
  unsigned *p = o + i * 24;
  p[0] = __byte_perm(x, y, z);        p[1] = __funnelshift_l(x, y, z);
  p[2] = __funnelshift_rc(x, y, z);   p[3] = __brev(x);
  p[4] = __clz(x);                    p[5] = __ffs(x);
  p[6] = __popc(x);                   p[7] = __umulhi(x, y);
  p[8] = __mulhi((int)x, (int)y);     p[9] = __dp4a((int)x, (int)y, (int)z);
  p[10] = __vadd4(x, y);              p[11] = __vsub2(x, y);
  p[12] = __vmaxs4(x, y);             p[13] = __vabsdiffu4(x, y);
  p[14] = __sad((int)x, (int)y, z);   p[15] = __usad(x, y, z);
  p[16] = __hadd((int)x, (int)y);     p[17] = __urhadd(x, y);
  p[18] = __vcmpgtu4(x, y);           p[19] = __vsadu4(x, y);
  p[20] = __vminu2(x, y);             p[21] = __umul24(x, y);
  p[22] = x / (y | 1);                p[23] = (unsigned)((int)x % (int)(y | 1));
  q[i * 3] = __umul64hi((unsigned long long)x << 20 | y, (unsigned long long)z << 32 | x);
  q[i * 3 + 1] = __brevll((unsigned long long)z << 32 | x);
  q[i * 3 + 2] = __popcll((unsigned long long)y << 32 | z) * 100 + __clzll((unsigned long long)y << 9 | z);
}

extern "C" __global__ void halves(const __half2 *a, const __half2 *b, __half2 *o, float *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half2 x = a[i], y = b[i];
  o[i * 6] = __hadd2(x, y); o[i * 6 + 1] = __hmul2(x, y); o[i * 6 + 2] = __hfma2(x, y, x);
  o[i * 6 + 3] = __hmax2(x, y); o[i * 6 + 4] = __hsub2_sat(x, y);
  o[i * 6 + 5] = __hgt2(x, y);
  float2 t = __half22float2(x);
  f[i] = t.x * t.y + __half2float(__float2half_rz(t.x * 1.00001f));
}
extern "C" __global__ void bhalves(const __nv_bfloat162 *a, const __nv_bfloat162 *b, __nv_bfloat162 *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __nv_bfloat162 x = a[i], y = b[i];
  o[i * 4] = __hadd2(x, y); o[i * 4 + 1] = __hmul2(x, y); o[i * 4 + 2] = __hfma2(x, y, x);
  o[i * 4 + 3] = __floats2bfloat162_rn(__low2float(x) * 3.f, __high2float(y) * 0.1f);
}

extern "C" __global__ void mathf(const float *x, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  float *p = o + (size_t)i * 12;
  p[0] = sinf(v); p[1] = cosf(v); p[2] = expf(v); p[3] = logf(fabsf(v));
  p[4] = tanhf(v); p[5] = erff(v); p[6] = atanf(v); p[7] = cbrtf(v);
  p[8] = powf(fabsf(v), 1.7f); p[9] = fmodf(v, 3.f); p[10] = rsqrtf(fabsf(v)); p[11] = exp2f(v);
}
extern "C" __global__ void mathd(const double *x, double *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  double *p = o + (size_t)i * 8;
  p[0] = sin(v); p[1] = cos(v); p[2] = exp(v); p[3] = log(fabs(v));
  p[4] = sqrt(fabs(v)); p[5] = 1.0 / v; p[6] = pow(fabs(v), 1.7); p[7] = fma(v, v, -v);
}

struct Params { float *out; int n; float scale[3]; };
extern "C" __global__ void byval(Params p) {
  int i = threadIdx.x;
  if (i < p.n) p.out[i] = p.scale[i % 3] * i;
}

__device__ __noinline__ float poly(const float *c, int n, float x) {
  float r = 0;
  for (int i = n - 1; i >= 0; i--) r = r * x + c[i];
  return r;
}
__device__ float f_add(float a, float b) { return a + b; }
__device__ float f_mul(float a, float b) { return a * b; }
__device__ float f_sub(float a, float b) { return a - b; }
typedef float (*fn)(float, float);
__device__ fn table[3] = {f_add, f_mul, f_sub};
extern "C" __global__ void calls(const float *x, float *y) {
  int i = threadIdx.x;
  float c[5];
  for (int k = 0; k < 5; k++) c[k] = x[(i + k) & 63] * (k + 1);
  y[i] = table[i % 3](poly(c, 5, 0.5f), c[i % 5]);
}

struct Base { __device__ virtual float f(float x) { return x + 1; } };
struct Derived : Base { __device__ float f(float x) override { return x * 2; } };
extern "C" __global__ void virt(float *y) {
  Base b; Derived d;
  Base *p = threadIdx.x & 1 ? (Base *)&d : &b;
  y[threadIdx.x] = p->f((float)threadIdx.x);
}

extern "C" __global__ void say(int n) {
  if (threadIdx.x < n) printf("t%d %5.2f %s %c %llu 100%%\n", threadIdx.x, threadIdx.x * 1.5, "abc", 'z', 1ull << 40);
}
extern "C" __global__ void check(int n) { assert(threadIdx.x < n); }

extern "C" __global__ void stencil3d(const float *x, float *y, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
      k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < 1 || j < 1 || k < 1 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
  size_t p = ((size_t)k * ny + j) * nx + i;
  y[p] = x[p - 1] + x[p + 1] + x[p - nx] + x[p + nx] + x[p - (size_t)nx * ny] + x[p + (size_t)nx * ny] - 6.f * x[p];
}
"""


@pytest.fixture(scope="module", params=ARCHS)
def mod(request):
    return Module.from_text(nvcc_ptx(KERNELS, request.param, "-fmad=false"))


def test_everything_compiles(mod):
    bad = {k: str(e) for k, e in mod.check().items() if e is not None}
    assert not bad


def test_saxpy_grid_stride(mod):
    n = 10001
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, n)).astype(np.float32)
    y = y.copy()
    want = np.float32(1.5) * x + y
    mod.launch("saxpy", 7, 96, [n, 1.5, x, y])
    assert (y == want).all()


def warp_tree(v):
    v = v.copy()
    for s in (16, 8, 4, 2, 1):
        w = v.copy()
        w[..., :32 - s] = v[..., :32 - s] + v[..., s:]
        w[..., 32 - s:] = v[..., 32 - s:] + v[..., 32 - s:]
        v = w
    return v[..., 0]


def test_block_reduction_same_order(mod):
    n, g, b = 10000, 8, 256
    x = np.random.default_rng(1).standard_normal(n).astype(np.float32)
    out = uninit(g)
    r = mod.launch("reduce", g, b, [x, out, n], racecheck=True)
    acc = np.zeros(g * b, np.float32)
    for s in range(0, n, g * b):
        part = x[s:s + g * b]
        acc[:part.size] += part
    w = warp_tree(acc.reshape(g, 8, 32))
    last = np.zeros((g, 32), np.float32)
    last[:, :8] = w
    assert (out.array == warp_tree(last)).all() and not r.races


def test_tiled_matmul(mod):
    m, n, k = 45, 33, 70
    rng = np.random.default_rng(2)
    a, b = rng.standard_normal((m, k)).astype(np.float32), rng.standard_normal((k, n)).astype(
        np.float32)
    c = uninit((m, n))
    r = mod.launch("matmul", (3, 3), (16, 16), [a, b, c, m, n, k], racecheck=True)
    assert not r.races
    # f32 fma chain in double with one rounding per step, redone exactly on samples
    assert np.abs(c.array - a.astype(np.float64) @ b).max() < 1e-4
    for i, j in ((0, 0), (44, 32), (17, 5), (30, 20)):
        acc = 0
        for t in range(k):
            acc = R.fma(int(a[i, t].view(np.uint32)), int(b[t, j].view(np.uint32)), acc, "f32")
        acc_pad = acc
        for _ in range((-k) % 16):
            acc_pad = R.fma(0, 0, acc_pad, "f32")
        assert int(c.array[i, j].view(np.uint32)) == acc_pad


def test_softmax_dynamic_shared(mod):
    rows, cols = 20, 200
    x = (np.random.default_rng(3).standard_normal((rows, cols)) * 4).astype(np.float32)
    y = uninit((rows, cols))
    mod.launch("softmax", rows, 32, [x, y, cols], shared_bytes=cols * 4)
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    assert np.abs(y.array / (e / e.sum(axis=1, keepdims=True)) - 1).max() < 3e-6


def test_scan_and_sort(mod):
    x = np.random.default_rng(4).integers(-100, 100, 512 * 6).astype(np.int32)
    y = uninit(512 * 6, np.int32)
    r = mod.launch("scan", 6, 256, [x, y], racecheck=True)
    want = np.cumsum(x.reshape(6, 512), axis=1) - x.reshape(6, 512)
    assert (y.array.reshape(6, 512) == want).all() and not r.races
    u = np.random.default_rng(5).integers(0, 2 ** 32, 256 * 5, dtype=np.uint32)
    want = np.sort(u.reshape(5, 256), axis=1)
    r = mod.launch("bitonic", 5, 256, [u], racecheck=True)
    assert (u.reshape(5, 256) == want).all() and not r.races


def test_constant_and_device_variables(mod):
    mod.reset_globals()
    y = uninit(64)
    mod.launch("globals", 2, 64, [y, 64], )
    c = np.array([1, -2, 3, -4, 5, -6, 7, -8], np.float32)
    want = np.zeros(64, np.float32)
    for k in range(8):
        want = want * np.float32(0.5) + c[(np.arange(64) + k) & 7]
    assert (y.array == want).all()
    assert mod.globals["hits"].view(np.int32)[0] == 133


def test_atomics_match_cooperative_groups(mod):
    n = 5000
    x = np.random.default_rng(6).random(n).astype(np.float32) * 1.6
    hist = np.zeros(16, np.int32)
    mx = np.zeros(1, np.float32)
    cnt = np.zeros(1, np.uint32)
    mod.launch("atomics", (n + 127) // 128, 128, [x, hist, mx, cnt, n], timeout_s=120)
    b = (x * np.float32(10)).astype(np.int32) & 15
    assert (hist == np.bincount(b, minlength=16)).all()
    assert mx[0] == x.max() and cnt[0] == (x > 0.5).sum()


def test_integer_intrinsics(mod):
    from test_instr import prmt, lanes, join
    n = 512
    rng = np.random.default_rng(7)
    a, b, c = rng.integers(0, 2 ** 32, (3, n), dtype=np.uint32)
    a[:8] = [0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 5, 0, 0xffff]
    c[:64] = np.arange(64)
    o = uninit((n, 24), np.uint32)
    q = uninit((n, 3), np.uint64)
    mod.launch("intrin", 4, 128, [a, b, c, o, q])
    S, U = R.s, R.u
    for i in range(n):
        x, y, z = int(a[i]), int(b[i]), int(c[i])
        sx, sy = S(x, 32), S(y, 32)
        sh = z & 31
        rc = min(z, 32)
        want = [
            # __byte_perm looks at three bits per selector
            prmt(x, y, z & 0x7777), U((((y << 32) | x) << sh) >> 32, 32),
            U(((y << 32) | x) >> rc, 32), int(format(x, "032b")[::-1], 2), 32 - x.bit_length(),
            (x & -x).bit_length(), bin(x).count("1"), (x * y) >> 32, U((sx * sy) >> 32, 32),
            U(sum(p * r for p, r in zip(lanes(x, 8, 4, True), lanes(y, 8, 4, True))) + z, 32),
            join([p + r for p, r in zip(lanes(x, 8, 4), lanes(y, 8, 4))], 8),
            join([p - r for p, r in zip(lanes(x), lanes(y))]),
            join([max(p, r) for p, r in zip(lanes(x, 8, 4, True), lanes(y, 8, 4, True))], 8),
            join([abs(p - r) for p, r in zip(lanes(x, 8, 4), lanes(y, 8, 4))], 8),
            U(abs(sx - sy) + z, 32), U(abs(x - y) + z, 32), U((sx + sy) >> 1, 32),
            U((x + y + 1) >> 1, 32),
            join([255 if p > r else 0 for p, r in zip(lanes(x, 8, 4), lanes(y, 8, 4))], 8),
            sum(abs(p - r) for p, r in zip(lanes(x, 8, 4), lanes(y, 8, 4))),
            join([min(p, r) for p, r in zip(lanes(x), lanes(y))]),
            U((x & 0xffffff) * (y & 0xffffff), 32), x // (y | 1)]
        d = S(y | 1, 32)
        want.append(U(sx - d * R.trunc_div(sx, d), 32))
        assert o.array[i].tolist() == want, (i, hex(x), hex(y), hex(z), [
            (k, hex(g), hex(w)) for k, (g, w) in enumerate(zip(o.array[i].tolist(), want))
            if g != w])
        A, B = U(x << 20 | y, 64), z << 32 | x
        w3 = [(A * B) >> 64, int(format(B, "064b")[::-1], 2),
              bin(y << 32 | z).count("1") * 100 + 64 - U(y << 9 | z, 64).bit_length()]
        assert q.array[i].tolist() == w3


def test_half2(mod):
    n = 600
    rng = np.random.default_rng(8)
    a = rng.integers(0, 65536, 2 * n).astype(np.uint16)
    b = rng.integers(0, 65536, 2 * n).astype(np.uint16)
    a[:400] = (rng.standard_normal(400) * 2).astype(np.float16).view(np.uint16)
    b[:400] = (rng.standard_normal(400) * 2).astype(np.float16).view(np.uint16)
    o = uninit((n, 6, 2), np.uint16)
    f = uninit(n)
    mod.launch("halves", (n + 127) // 128, 128, [a, b, o, f, n])
    for i in range(n):
        for h in range(2):
            x, y = int(a[2 * i + h]), int(b[2 * i + h])
            want = [R.add(x, y, "f16"), R.mul(x, y, "f16"), R.fma(x, y, x, "f16"),
                    R.fminmax(x, y, "f16", True), R.sat(R.sub(x, y, "f16"), "f16"),
                    0x3c00 if R.compare("gt", R.cmp(x, y, "f16")) else 0]
            assert o.array[i, :, h].tolist() == want


def test_bf162(mod):
    n = 600
    rng = np.random.default_rng(9)
    a, b = rng.integers(0, 65536, (2, 2 * n)).astype(np.uint16)
    a[:600] = (rng.standard_normal(600).astype(np.float32).view(np.uint32) >> 16)
    b[:600] = (rng.standard_normal(600).astype(np.float32).view(np.uint32) >> 16)
    o = uninit((n, 4, 2), np.uint16)
    mod.launch("bhalves", (n + 127) // 128, 128, [a, b, o, n])
    native = mod.target != "sm_80"        # sm_80 emulates add and mul with fma
    for i in range(n):
        for h in range(2):
            x, y = int(a[2 * i + h]), int(b[2 * i + h])
            got = o.array[i, :, h].tolist()
            assert got[2] == R.fma(x, y, x, "bf16")
            w = R.add(x, y, "bf16")
            assert got[0] == w or (not native and R.fma(x, 0x3f80, y, "bf16") == got[0])
            w = R.mul(x, y, "bf16")
            assert got[1] == w or (not native and R.fma(x, y, 0x8000, "bf16") == got[1])
            s = (x << 16) if h == 0 else (y << 16)
            k = 0x40400000 if h == 0 else 0x3dcccccd
            assert got[3] == R.convert(R.mul(s, k, "f32"), "f32", "bf16")


def test_math_f32(mod):
    n = 4000
    rng = np.random.default_rng(10)
    x = np.concatenate([rng.uniform(-10, 10, n // 2), rng.uniform(-80, 80, n // 4),
                        rng.standard_normal(n // 4) * 1e-3]).astype(np.float32)
    o = uninit((n, 12))
    mod.launch("mathf", (n + 127) // 128, 128, [x, o, n])
    X = x.astype(np.float64)
    import math
    refs = [np.sin(X), np.cos(X), np.exp(X), np.log(np.abs(X)), np.tanh(X),
            np.vectorize(math.erf)(X), np.arctan(X), np.cbrt(X), np.abs(X) ** np.float32(1.7),
            np.fmod(X, 3), 1 / np.sqrt(np.abs(X)), np.exp2(X)]
    lim = [2, 2, 2, 1, 2, 2, 2, 1, 8, 0, 2, 2]
    for k, (w, u) in enumerate(zip(refs, lim)):
        d = ulp_diff32(o.array[:, k], w.astype(np.float32))
        assert d.max() <= u, (k, d.max(), x[d.argmax()])


def test_math_f64(mod):
    n = 2000
    x = np.random.default_rng(11).uniform(-50, 50, n)
    o = uninit((n, 8), np.float64)
    mod.launch("mathd", (n + 127) // 128, 128, [x, o, n])
    refs = [np.sin(x), np.cos(x), np.exp(x), np.log(np.abs(x)), np.sqrt(np.abs(x)), 1 / x,
            np.abs(x) ** 1.7]
    for k, w in enumerate(refs):
        err = np.abs(o.array[:, k] / w - 1).max()
        # relative to the value, near zeros of sin/cos relative to one ulp of x
        assert err < (1e-13 if k < 2 else 4e-16), (k, err)
    assert (o.array[:, 4] == refs[4]).all() and (o.array[:, 5] == refs[5]).all()
    for i in range(0, n, 37):
        v = int(x[i:i + 1].view(np.uint64)[0])
        assert int(o.array[i, 7:8].view(np.uint64)[0]) == R.fma(v, v, v ^ (1 << 63), "f64")


def test_struct_by_value(mod):
    y = uninit(32)
    p = Struct([(0, y), (8, np.int32(30))] + [(12 + 4 * k, np.float32(v))
                                             for k, v in enumerate([1.0, 2.0, 0.5])])
    mod.launch("byval", 1, 32, [p])
    i = np.arange(30)
    assert (y.array[:30] == np.array([1, 2, 0.5], np.float32)[i % 3] * i).all()
    assert not y.written[30:].any()


def test_function_calls_and_pointers(mod):
    x = np.random.default_rng(12).random(64).astype(np.float32)
    y = uninit(64)
    mod.launch("calls", 1, 64, [x, y])
    for i in range(64):
        c = [np.float32(x[(i + k) & 63] * np.float32(k + 1)) for k in range(5)]
        r = np.float32(0)
        for v in reversed(c):
            r = np.float32(np.float32(r * np.float32(0.5)) + v)
        b = c[i % 5]
        w = [r + b, r * b, r - b][i % 3]
        assert y.array[i] == w


def test_virtual_call(mod):
    y = uninit(64)
    mod.launch("virt", 1, 64, [y], allow_uninit={"local"})
    i = np.arange(64)
    assert (y.array == np.where(i & 1, 2 * i, i + 1)).all()


def test_printf_and_assert(mod):
    r = mod.launch("say", 1, 64, [3])
    assert r.printf == "".join("t%d %5.2f abc z 1099511627776 100%%\n" % (i, 1.5 * i)
                               for i in range(3))
    mod.launch("check", 1, 32, [32])
    with pytest.raises(Trap) as e:
        mod.launch("check", 1, 32, [31])
    assert "threadIdx.x < n" in str(e.value) and "thread (31, 0, 0)" in str(e.value)


def test_stencil_3d(mod):
    nx, ny, nz = 21, 10, 9
    x = np.random.default_rng(13).integers(-50, 50, (nz, ny, nx)).astype(np.float32)
    y = np.zeros((nz, ny, nx), np.float32)
    mod.launch("stencil3d", (3, 3, 5), (8, 4, 2), [x, y, nx, ny, nz])
    w = np.zeros_like(x)
    c = (slice(1, -1),) * 3
    w[c] = (x[1:-1, 1:-1, :-2] + x[1:-1, 1:-1, 2:] + x[1:-1, :-2, 1:-1] + x[1:-1, 2:, 1:-1] +
            x[:-2, 1:-1, 1:-1] + x[2:, 1:-1, 1:-1] - 6 * x[1:-1, 1:-1, 1:-1])
    assert (y == w).all()


def test_fast_math_flushes():
    src = """extern "C" __global__ void k(const float *x, float *y) {
      int i = threadIdx.x; float v = x[i];
      y[i * 3] = v * 0.5f + v; y[i * 3 + 1] = __expf(v) / (1.f + v * v); y[i * 3 + 2] = sinf(v); }"""
    m = Module.from_text(nvcc_ptx(src, "sm_90", "-use_fast_math"))
    assert ".ftz" in m.ast.text
    x = np.array([1e-40, 1.0, -2.0, 3e-39, 0.25, 5.0], np.float32)
    y = uninit((6, 3))
    m.launch("k", 1, 6, [x, y])
    assert y.array[0, 0] == 0 and y.array[3, 0] == 0 and y.array[1, 0] == 1.5
    X = x.astype(np.float64)
    assert np.abs(y.array[:, 1] - np.exp(X) / (1 + X * X)).max() < 1e-5
    assert np.abs(y.array[:, 2] - np.sin(X)).max() < 1e-5


def test_debug_build():
    """nvcc -G: unoptimised code with .loc, .section and generic local accesses."""
    src = r"""__device__ int fib(int n) { int a = 0, b = 1; for (int i = 0; i < n; i++) { int t = a + b; a = b; b = t; } return a; }
    extern "C" __global__ void k(int *y) { int i = threadIdx.x; int v[4] = {1, 2, 3, 4};
      v[i & 3] += fib(i); y[i] = v[0] + v[1] * 10 + v[2] * 100 + v[3] * 1000; }"""
    m = Module.from_text(nvcc_ptx(src, "sm_90", "-G"))
    y = uninit(20, np.int32)
    m.launch("k", 1, 20, [y])
    a, b = 0, 1
    for i in range(20):
        v = [1, 2, 3, 4]
        v[i & 3] += a
        assert y.array[i] == v[0] + v[1] * 10 + v[2] * 100 + v[3] * 1000
        a, b = b, a + b


def test_inline_assembly():
    src = r"""extern "C" __global__ void k(unsigned *y, const unsigned *x) { int i = threadIdx.x; unsigned r, s;
      asm("{\n\t.reg .pred p;\n\t.reg .u32 t;\n\tsetp.gt.u32 p, %1, 10;\n\tmov.u32 t, 5;\n\t@p mov.u32 t, 9;\n\tadd.u32 %0, %1, t;\n\t}" : "=r"(r) : "r"(x[i]));
      asm volatile("mad.lo.cc.u32 %0, %1, %2, %1;\n\t" : "=r"(s) : "r"(r), "r"(x[i]));
      unsigned h; asm("{ .reg .u64 w; mul.wide.u32 w, %1, %2; mov.b64 {_, %0}, w; }" : "=r"(h) : "r"(r * 0x12345), "r"(s));
      y[i] = r ^ s ^ h; }"""
    m = Module.from_text(nvcc_ptx(src, "sm_90"))
    x = np.arange(32, dtype=np.uint32)
    y = uninit(32, np.uint32)
    m.launch("k", 1, 32, [y, x])
    for i in range(32):
        r = i + (9 if i > 10 else 5)
        s = r * i + r
        assert y.array[i] == (r ^ s ^ ((((r * 0x12345) & 0xffffffff) * s) >> 32)) & 0xffffffff


def test_cp_async():
    src = r"""#include <cuda_pipeline.h>
    extern "C" __global__ void k(const float4 *x, float4 *y) { __shared__ float4 s[64];
      __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 16);
      __pipeline_commit(); __pipeline_wait_prior(0); __syncthreads();
      y[threadIdx.x] = s[63 - threadIdx.x]; }"""
    m = Module.from_text(nvcc_ptx(src, "sm_80"))
    assert "cp.async" in m.ast.text
    x = np.random.default_rng(0).random((64, 4)).astype(np.float32)
    y = uninit((64, 4))
    m.launch("k", 1, 64, [x, y])
    assert (y.array == x[::-1]).all()


def test_grid_constant_and_half_parameters():
    src = r"""#include <cuda_fp16.h>
    struct Big { int v[40]; float f; };
    __device__ __noinline__ int pick(const int *p, int i) { return p[i]; }
    extern "C" __global__ void k(const __grid_constant__ Big b, half h, float2 z, int *y) {
      int i = threadIdx.x; y[i] = pick(b.v, i % 40) + (int)b.f + (int)__half2float(h) + (int)z.y; }
    """
    m = Module.from_text(nvcc_ptx(src, "sm_90"))
    y = uninit(64, np.int32)
    b = Struct([(4 * k, np.int32(k * k)) for k in range(40)] + [(160, np.float32(1000.0))])
    m.launch("k", 1, 64, [b, np.float16(7.0), np.complex64(3 + 50j), y])
    i = np.arange(64) % 40
    assert (y.array == i * i + 1057).all()
