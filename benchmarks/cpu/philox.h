//===- philox.h - What programs to compare have in common -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Hand-written programs of the default stream (`#rng.philox`), to be compared
/// with what `rng-to-cpu` makes: the same bits, each element computed from
/// seed, offset and index.
///
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_CPU_PHILOX_H
#define BENCHMARKS_CPU_PHILOX_H

#include <cstddef>
#include <cstdint>

constexpr uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;

struct Words {
  uint32_t w[4];
};

static inline uint64_t widen(uint32_t a, uint32_t b) {
  return uint64_t(a) * b;
}

/// Block `block` of the draw at (`seed`, `offset`).
static inline Words generateBlock(uint64_t seed, uint64_t offset,
                                  uint64_t block) {
  uint32_t c0 = uint32_t(offset), c1 = uint32_t(offset >> 32);
  uint32_t c2 = uint32_t(block), c3 = uint32_t(block >> 32);
  uint32_t k0 = uint32_t(seed), k1 = uint32_t(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t p0 = widen(c0, kMultiplier0), p1 = widen(c2, kMultiplier1);
    uint32_t n0 = uint32_t(p1 >> 32) ^ c1 ^ k0;
    uint32_t n2 = uint32_t(p0 >> 32) ^ c3 ^ k1;
    c1 = uint32_t(p1);
    c3 = uint32_t(p0);
    c0 = n0;
    c2 = n2;
    k0 += kWeyl0;
    k1 += kWeyl1;
  }
  return {{c0, c1, c2, c3}};
}

static inline float toFloat(uint32_t word) {
  float u = float(word) * 0x1p-32f + 0x1p-33f;
  return u == 1.0f ? 0.0f : u;
}

static inline double toDouble(uint32_t x, uint32_t y) {
  double u = double(uint64_t(x) ^ (uint64_t(y) << 21)) * 0x1p-53 + 0x1p-54;
  return u == 1.0 ? 0.0 : u;
}

/// The uniform of `word` is below p if and only if word + 128 < `threshold`,
/// p in (0, 1): the first word of which it is not, found once for each call.
static inline uint32_t findThreshold(float p) {
  uint32_t low = 0, high = 0xffffff7f;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (toFloat(middle) < p)
      low = middle + 1;
    else
      high = middle;
  }
  return low + 128;
}

/// One set of programs. `n` elements each; `seed` and `offset` as of draws.
struct Programs {
  const char *name;
  void (*uniform32)(float *out, size_t n, uint64_t seed, uint64_t offset);
  void (*uniform64)(double *out, size_t n, uint64_t seed, uint64_t offset);
  void (*bernoulli)(uint8_t *out, size_t n, uint64_t seed, uint64_t offset,
                    float p);
  void (*normal32)(float *out, size_t n, uint64_t seed, uint64_t offset);
  /// Kept with probability p, and then scaled.
  void (*dropout)(float *out, const float *in, size_t n, uint64_t seed,
                  uint64_t offset, float p, float scale);
  /// The same on gradients, with the mask drawn again; null if no different.
  void (*backward)(float *out, const float *in, size_t n, uint64_t seed,
                   uint64_t offset, float p, float scale) = nullptr;
};

#endif // BENCHMARKS_CPU_PHILOX_H
