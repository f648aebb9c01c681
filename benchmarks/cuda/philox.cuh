//===- philox.cuh - Philox4x32-10 by hand ------------------- -*- CUDA -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The default stream of the project (docs/spec.md), written as one would by
// hand for a GPU: halves of products by their own instructions, and key and
// counter halves that threads have in common combined first, so that they are
// computed once for all blocks of a thread.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_BENCHMARKS_CUDA_PHILOX_CUH
#define RNGDIALECT_BENCHMARKS_CUDA_PHILOX_CUH

#include <cstdint>

/// Threads of a block of threads.
constexpr unsigned kThreads = 256;

/// Elements that a thread does in the main path.
constexpr unsigned kElements = 16;

/// The state of a draw, the same for all threads.
struct State {
  uint32_t seed[2], offset[2];

  __device__ State(uint64_t seed, uint64_t offset)
      : seed{uint32_t(seed), uint32_t(seed >> 32)},
        offset{uint32_t(offset), uint32_t(offset >> 32)} {}
};

/// The words of block `low` + 2^32 * `high`.
__device__ inline uint4 philox(const State &state, uint32_t low,
                               uint32_t high) {
  uint32_t c0 = state.offset[0], c1 = state.offset[1], c2 = low, c3 = high;
  uint32_t k0 = state.seed[0], k1 = state.seed[1];
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    uint32_t high0 = __umulhi(c0, 0xD2511F53), low0 = c0 * 0xD2511F53;
    uint32_t high1 = __umulhi(c2, 0xCD9E8D57), low1 = c2 * 0xCD9E8D57;
    c0 = high1 ^ (c1 ^ k0);
    c2 = high0 ^ (c3 ^ k1);
    c1 = low1;
    c3 = low0;
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return make_uint4(c0, c1, c2, c3);
}

/// Which of the elements are kept: exactly those whose f32 uniform is below the
/// probability, told on integers (threshold.h). `factor` is 0 if all are.
struct Keep {
  uint32_t threshold, factor;

  __device__ bool operator()(uint32_t word) const {
    return word * factor + 128 < threshold;
  }
};

/// The word of element `index`, for tails.
__device__ inline uint32_t drawWord(const State &state, uint64_t index) {
  uint4 words = philox(state, uint32_t(index >> 2), uint32_t(index >> 34));
  uint32_t pairs[2] = {index & 2 ? words.z : words.x,
                       index & 2 ? words.w : words.y};
  return index & 1 ? pairs[1] : pairs[0];
}

#endif // RNGDIALECT_BENCHMARKS_CUDA_PHILOX_CUH
