//===- philox_loop.cpp - Philox in plain loops ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a compiler makes of loops over blocks, vectorised by itself.
// LOOP_PROGRAMS is the name of the table.
//
//===----------------------------------------------------------------------===//

#include "philox.h"
#include <algorithm>

namespace {
template <typename Function>
void forEachBlock(size_t n, size_t m, uint64_t seed, uint64_t offset,
                  Function function) {
  size_t blocks = n / m;
  for (size_t block = 0; block < blocks; ++block) {
    Words words = generateBlock(seed, offset, block);
    for (size_t slot = 0; slot < m; ++slot)
      function(block * m + slot, words, slot);
  }
  if (n % m == 0)
    return;
  Words words = generateBlock(seed, offset, blocks);
  for (size_t slot = 0; slot < n % m; ++slot)
    function(blocks * m + slot, words, slot);
}

void uniform32(float *__restrict out, size_t n, uint64_t seed,
               uint64_t offset) {
  forEachBlock(n, 4, seed, offset, [=](size_t i, const Words &w, size_t slot) {
    out[i] = toFloat(w.w[slot]);
  });
}

void uniform64(double *__restrict out, size_t n, uint64_t seed,
               uint64_t offset) {
  forEachBlock(n, 2, seed, offset, [=](size_t i, const Words &w, size_t slot) {
    out[i] = toDouble(w.w[2 * slot], w.w[2 * slot + 1]);
  });
}

void bernoulli(uint8_t *__restrict out, size_t n, uint64_t seed,
               uint64_t offset, float p) {
  uint32_t threshold = findThreshold(p);
  forEachBlock(n, 4, seed, offset, [=](size_t i, const Words &w, size_t slot) {
    out[i] = w.w[slot] + 128 < threshold;
  });
}

void dropout(float *__restrict out, const float *__restrict in, size_t n,
             uint64_t seed, uint64_t offset, float p, float scale) {
  uint32_t threshold = findThreshold(p);
  forEachBlock(n, 4, seed, offset, [=](size_t i, const Words &w, size_t slot) {
    out[i] = w.w[slot] + 128 < threshold ? in[i] * scale : 0.0f;
  });
}
} // namespace

extern const Programs LOOP_PROGRAMS;
const Programs LOOP_PROGRAMS = {LOOP_NAME, uniform32, uniform64,
                                bernoulli, nullptr,   dropout};
