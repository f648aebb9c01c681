//===- bias_gelu_dropout.cu - A fused layer by hand --------- -*- CUDA -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// y = residual + dropout(gelu(x + bias)), GELU in the form with tanh, and the
// gradient of x + bias, computed in f32. Rows have 1024 elements. A thread
// makes two accesses of 16 bytes to each buffer, where neighbouring threads
// access neighbouring addresses; all loads come first.
//
// Launch with ceil(n / 2048) blocks of 256 threads in f32, ceil(n / 4096) in
// bf16; buffers are aligned to 16 bytes.
//
//===----------------------------------------------------------------------===//

#include "philox.cuh"
#include <cuda_bf16.h>

constexpr unsigned kColumns = 1024;

// gelu(z) = z / 2 * (1 + tanh(z * (kRoot + kCubic * z^2))).
constexpr float kRoot = 0.797884561f, kCubic = 0.0356774081f;

__device__ inline float gelu(float z) {
  float t = tanhf(z * fmaf(kCubic, z * z, kRoot)), h = 0.5f * z;
  return fmaf(h, t, h);
}

__device__ inline float geluDerivative(float z) {
  float square = z * z;
  float t = tanhf(z * fmaf(kCubic, square, kRoot));
  float inner = fmaf(3.0f * kCubic, square, kRoot);
  // (1 + t) / 2 + z / 2 * (1 - t^2) * inner
  float h = 0.5f * z;
  return fmaf(h * fmaf(-t, t, 1.0f), inner, fmaf(0.5f, t, 0.5f));
}

/// 16 bytes as f32 and back.
template <typename T> struct Access;

template <> struct Access<float> {
  using Vector = float4;
  static __device__ void unpack(float4 in, float *out) {
    out[0] = in.x, out[1] = in.y, out[2] = in.z, out[3] = in.w;
  }
  static __device__ float4 pack(const float *in) {
    return make_float4(in[0], in[1], in[2], in[3]);
  }
  static __device__ float widen(float x) { return x; }
  static __device__ float narrow(float x) { return x; }
};

template <> struct Access<__nv_bfloat16> {
  using Vector = uint4;
  static __device__ void unpack(uint4 in, float *out) {
    const uint32_t *pairs = reinterpret_cast<const uint32_t *>(&in);
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      out[2 * i] = __uint_as_float(pairs[i] << 16);
      out[2 * i + 1] = __uint_as_float(pairs[i] & 0xFFFF0000);
    }
  }
  static __device__ uint4 pack(const float *in) {
    uint4 out;
    auto *pairs = reinterpret_cast<__nv_bfloat162 *>(&out);
#pragma unroll
    for (unsigned i = 0; i < 4; ++i)
      pairs[i] = __floats2bfloat162_rn(in[2 * i], in[2 * i + 1]);
    return out;
  }
  static __device__ float widen(__nv_bfloat16 x) { return __bfloat162float(x); }
  static __device__ __nv_bfloat16 narrow(float x) {
    return __float2bfloat16_rn(x);
  }
};

struct Forward {
  float scale;
  __device__ float operator()(float x, float bias, float other, bool keep) {
    float value = gelu(x + bias) * scale;
    return (keep ? value : 0.0f) + other;
  }
};

struct Backward {
  float scale;
  __device__ float operator()(float x, float bias, float other, bool keep) {
    float value = other * scale;
    return (keep ? value : 0.0f) * geluDerivative(x + bias);
  }
};

/// out = f(x, bias, other, keep); `other` is the residual or the gradient.
template <typename T, typename F>
__device__ void apply(const T *__restrict__ x, const T *__restrict__ bias,
                      const T *__restrict__ other, T *__restrict__ out,
                      uint64_t n, const State &state, Keep keep, F f) {
  using Vector = typename Access<T>::Vector;
  constexpr unsigned kLanes = 16 / sizeof(T);
  constexpr unsigned kGroups = 2;
  constexpr unsigned kTile = kThreads * kLanes * kGroups;
  uint64_t tile = blockIdx.x * uint64_t(kTile);
  if (tile + kTile <= n) {
    // A tile has whole rows.
    uint64_t start = tile + threadIdx.x * kLanes;
    auto *sourceX = reinterpret_cast<const Vector *>(x + start);
    auto *sourceBias = reinterpret_cast<const Vector *>(bias);
    auto *sourceOther = reinterpret_cast<const Vector *>(other + start);
    auto *target = reinterpret_cast<Vector *>(out + start);
    Vector inX[kGroups], inBias[kGroups], inOther[kGroups];
#pragma unroll
    for (unsigned g = 0; g < kGroups; ++g) {
      unsigned column = (g * kThreads + threadIdx.x) % (kColumns / kLanes);
      inX[g] = __ldg(sourceX + g * kThreads);
      inBias[g] = __ldg(sourceBias + column);
      inOther[g] = __ldg(sourceOther + g * kThreads);
    }
    // The blocks of a tile have the high half of their number in common.
    uint32_t low = uint32_t(start >> 2), high = uint32_t(start >> 34);
#pragma unroll
    for (unsigned g = 0; g < kGroups; ++g) {
      uint32_t words[kLanes];
#pragma unroll
      for (unsigned b = 0; b < kLanes / 4; ++b)
        reinterpret_cast<uint4 *>(words)[b] =
            philox(state, low + g * kThreads * (kLanes / 4) + b, high);
      float xs[kLanes], biases[kLanes], others[kLanes];
      Access<T>::unpack(inX[g], xs);
      Access<T>::unpack(inBias[g], biases);
      Access<T>::unpack(inOther[g], others);
#pragma unroll
      for (unsigned i = 0; i < kLanes; ++i)
        xs[i] = f(xs[i], biases[i], others[i], keep(words[i]));
      target[g * kThreads] = Access<T>::pack(xs);
    }
    return;
  }
  for (uint64_t i = tile + threadIdx.x; i < n; i += kThreads)
    out[i] = Access<T>::narrow(f(
        Access<T>::widen(x[i]), Access<T>::widen(bias[i % kColumns]),
        Access<T>::widen(other[i]), keep(drawWord(state, i))));
}

#define FUSED(NAME, TYPE, FUNCTION)                                            \
  extern "C" __global__ void __launch_bounds__(kThreads)                       \
      NAME(const TYPE *__restrict__ x, const TYPE *__restrict__ bias,          \
           const TYPE *__restrict__ other, TYPE *__restrict__ out, uint64_t n, \
           uint64_t seed, uint64_t offset, uint32_t threshold,                 \
           uint32_t factor, float scale) {                                     \
    apply<TYPE>(x, bias, other, out, n, State(seed, offset),                   \
                {threshold, factor}, FUNCTION{scale});                         \
  }

FUSED(bias_gelu_dropout_forward_f32, float, Forward)
FUSED(bias_gelu_dropout_forward_bf16, __nv_bfloat16, Forward)
FUSED(bias_gelu_dropout_backward_f32, float, Backward)
FUSED(bias_gelu_dropout_backward_bf16, __nv_bfloat16, Backward)
