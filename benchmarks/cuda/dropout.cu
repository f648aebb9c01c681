//===- dropout.cu - Dropout by hand ------------------------- -*- CUDA -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// y = keep ? x * scale : 0, and its backward, which is the same function of the
// incoming gradient. A thread does 16 elements, in accesses of 16 bytes that
// neighbouring threads make to neighbouring addresses (32 bytes in f64). All
// loads come first.
//
// Launch with ceil(n / 4096) blocks of 256 threads; `x` and `y` are aligned to
// 16 bytes.
//
//===----------------------------------------------------------------------===//

#include "philox.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/// 16 bytes of memory, and what has arithmetic of its own in them: pairs, where
/// elements are narrow.
template <typename T> struct Access;
template <> struct Access<float> {
  using Vector = float4;
  using Pair = float2;
  static __device__ float getZero() { return 0.0f; }
};
template <> struct Access<double> {
  using Vector = double2;
  using Pair = double2;
  static __device__ double getZero() { return 0.0; }
};
template <> struct Access<__half> {
  using Vector = uint4;
  using Pair = __half2;
  static __device__ __half getZero() { return __ushort_as_half(0); }
};
template <> struct Access<__nv_bfloat16> {
  using Vector = uint4;
  using Pair = __nv_bfloat162;
  static __device__ __nv_bfloat16 getZero() { return __ushort_as_bfloat16(0); }
};

__device__ inline float2 scalePair(float2 x, float s) {
  return make_float2(x.x * s, x.y * s);
}
__device__ inline double2 scalePair(double2 x, double s) {
  return make_double2(x.x * s, x.y * s);
}
__device__ inline __half2 scalePair(__half2 x, __half s) {
  return __hmul2(x, __half2(s, s));
}
__device__ inline __nv_bfloat162 scalePair(__nv_bfloat162 x, __nv_bfloat16 s) {
  return __hmul2(x, __nv_bfloat162(s, s));
}

template <typename T>
__device__ void dropout(const T *__restrict__ x, T *__restrict__ y, uint64_t n,
                        const State &state, Keep keep, T scale) {
  using Vector = typename Access<T>::Vector;
  using Pair = typename Access<T>::Pair;
  constexpr unsigned kAccess = 16 / sizeof(T);
  // A group has whole blocks of the generator, four elements each.
  constexpr unsigned kLanes = kAccess < 4 ? 4 : kAccess;
  constexpr unsigned kGroups = kElements / kLanes;
  constexpr unsigned kAccesses = kLanes / kAccess;
  const T zero = Access<T>::getZero();
  uint64_t tile = blockIdx.x * uint64_t(kThreads * kElements);
  if (tile + kThreads * kElements <= n) {
    uint64_t start = tile + threadIdx.x * kLanes;
    auto *source = reinterpret_cast<const Vector *>(x + start);
    auto *target = reinterpret_cast<Vector *>(y + start);
    Vector in[kGroups][kAccesses];
#pragma unroll
    for (unsigned g = 0; g < kGroups; ++g)
#pragma unroll
      for (unsigned a = 0; a < kAccesses; ++a)
        in[g][a] = __ldg(source + g * kThreads * kAccesses + a);
    // The blocks of a tile have the high half of their number in common.
    uint32_t low = uint32_t(start >> 2), high = uint32_t(start >> 34);
#pragma unroll
    for (unsigned g = 0; g < kGroups; ++g) {
      uint32_t words[kLanes];
#pragma unroll
      for (unsigned b = 0; b < kLanes / 4; ++b)
        reinterpret_cast<uint4 *>(words)[b] =
            philox(state, low + g * kThreads * (kLanes / 4) + b, high);
#pragma unroll
      for (unsigned a = 0; a < kAccesses; ++a) {
        Pair *pairs = reinterpret_cast<Pair *>(&in[g][a]);
#pragma unroll
        for (unsigned i = 0; i < kAccess / 2; ++i) {
          Pair scaled = scalePair(pairs[i], scale);
          const uint32_t *own = words + a * kAccess + 2 * i;
          pairs[i].x = keep(own[0]) ? scaled.x : zero;
          pairs[i].y = keep(own[1]) ? scaled.y : zero;
        }
        target[g * kThreads * kAccesses + a] = in[g][a];
      }
    }
    return;
  }
  for (uint64_t i = tile + threadIdx.x; i < n; i += kThreads)
    y[i] = keep(drawWord(state, i)) ? x[i] * scale : zero;
}

#define DROPOUT(NAME, TYPE)                                                    \
  extern "C" __global__ void __launch_bounds__(kThreads)                       \
      NAME(const TYPE *__restrict__ x, TYPE *__restrict__ y, uint64_t n,       \
           uint64_t seed, uint64_t offset, uint32_t threshold,                 \
           uint32_t factor, TYPE scale) {                                                       \
    dropout<TYPE>(x, y, n, State(seed, offset), {threshold, factor}, scale);   \
  }

DROPOUT(dropout_forward_f32, float)
DROPOUT(dropout_forward_f16, __half)
DROPOUT(dropout_forward_bf16, __nv_bfloat16)
DROPOUT(dropout_forward_f64, double)
DROPOUT(dropout_backward_f32, float)
DROPOUT(dropout_backward_f16, __half)
DROPOUT(dropout_backward_bf16, __nv_bfloat16)
DROPOUT(dropout_backward_f64, double)
