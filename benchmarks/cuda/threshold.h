//===- threshold.h - Probabilities as integers ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernels beside this file take instead of a probability.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_BENCHMARKS_CUDA_THRESHOLD_H
#define RNGDIALECT_BENCHMARKS_CUDA_THRESHOLD_H

#include <cmath>
#include <cstdint>

struct Threshold {
  uint32_t threshold, factor;
};

/// A word w is kept with probability `p`, that is, its f32 uniform is below
/// `p`, if (w * factor + 128) mod 2^32 is less than `threshold`.
inline Threshold getThreshold(float p) {
  if (!(p > 0.0f))
    return {0, 1};
  if (p >= 1.0f)
    return {129, 0};
  // The least word whose uniform is not below p.
  uint64_t low = 0, high = UINT32_MAX - 127;
  while (low < high) {
    uint64_t middle = (low + high) / 2;
    if (std::fma(float(uint32_t(middle)), 0x1p-32f, 0x1p-33f) < p)
      low = middle + 1;
    else
      high = middle;
  }
  return {uint32_t(low + 128), 1};
}

#endif // RNGDIALECT_BENCHMARKS_CUDA_THRESHOLD_H
