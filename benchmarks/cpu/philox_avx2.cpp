//===- philox_avx2.cpp - Philox with AVX2 intrinsics ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As philox_avx512.cpp, with four blocks a register.
//
//===----------------------------------------------------------------------===//

#include "philox.h"
#include <immintrin.h>

namespace {
/// Registers of blocks at a time, for their multiplications to overlap.
constexpr int kSets = SIMD_SETS;

/// Words 0 to 3 of four blocks. Lanes 0 to 3 are blocks 0, 2, 1 and 3.
struct Lanes {
  __m256i c0, c1, c2, c3;
};

inline __m256i mix(__m256i product, __m256i counter, __m256i key) {
  // The key first: it waits for nothing.
  return _mm256_xor_si256(_mm256_srli_epi64(product, 32),
                          _mm256_xor_si256(counter, key));
}

class Generator {
public:
  Generator(uint64_t seed, uint64_t offset) {
    uint32_t k0 = uint32_t(seed), k1 = uint32_t(seed >> 32);
    for (int round = 0; round < 10; ++round) {
      keys0[round] = _mm256_set1_epi64x(k0);
      keys1[round] = _mm256_set1_epi64x(k1);
      k0 += kWeyl0;
      k1 += kWeyl1;
    }
    offsetLow = _mm256_set1_epi64x(uint32_t(offset));
    offsetHigh = _mm256_set1_epi64x(uint32_t(offset >> 32));
  }

  /// The blocks from `block` on, which is a multiple of four, so that all of a
  /// set have the same upper half.
  inline void generate(uint64_t block, Lanes (&sets)[kSets]) const {
    const __m256i m0 = _mm256_set1_epi64x(kMultiplier0);
    const __m256i m1 = _mm256_set1_epi64x(kMultiplier1);
    const __m256i order = _mm256_set_epi64x(3, 1, 2, 0);
#pragma GCC unroll 8
    for (int s = 0; s < kSets; ++s) {
      uint64_t first = block + 4 * s;
      sets[s] = {
          offsetLow, offsetHigh,
          _mm256_add_epi64(_mm256_set1_epi64x(uint32_t(first)), order),
          _mm256_set1_epi64x(int64_t(first >> 32))};
    }
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
#pragma GCC unroll 8
      for (int s = 0; s < kSets; ++s) {
        Lanes &c = sets[s];
        __m256i p0 = _mm256_mul_epu32(c.c0, m0);
        __m256i p1 = _mm256_mul_epu32(c.c2, m1);
        c = {mix(p1, c.c1, keys0[round]), p1, mix(p0, c.c3, keys1[round]), p0};
      }
    }
  }

private:
  __m256i keys0[10], keys1[10];
  __m256i offsetLow, offsetHigh;
};

/// The 16 words of `c`, in order.
inline void orderWords(const Lanes &c, __m256i (&words)[2]) {
  // Word 1 to the upper halves of word 0, word 3 to those of word 2.
  __m256i a = _mm256_blend_epi32(c.c0, _mm256_shuffle_epi32(c.c1, 0xA0), 0xAA);
  __m256i b = _mm256_blend_epi32(c.c2, _mm256_shuffle_epi32(c.c3, 0xA0), 0xAA);
  words[0] = _mm256_unpacklo_epi64(a, b);
  words[1] = _mm256_unpackhi_epi64(a, b);
}

inline __m256 convert(__m256i words) {
  // Halves of the word in the significands of 2^23 and 2^39; their sum is
  // rounded once, as the conversion that AVX2 lacks would be.
  __m256i low =
      _mm256_blend_epi16(words, _mm256_set1_epi32(0x4b000000), 0xAA);
  __m256i high = _mm256_blend_epi16(_mm256_srli_epi32(words, 16),
                                    _mm256_set1_epi32(0x53000000), 0xAA);
  __m256 value = _mm256_add_ps(
      _mm256_sub_ps(_mm256_castsi256_ps(high),
                    _mm256_set1_ps(0x1p39f + 0x1p23f)),
      _mm256_castsi256_ps(low));
  __m256 u = _mm256_fmadd_ps(value, _mm256_set1_ps(0x1p-32f),
                             _mm256_set1_ps(0x1p-33f));
  __m256 one = _mm256_set1_ps(1.0f);
  return _mm256_and_ps(_mm256_cmp_ps(u, one, _CMP_NEQ_UQ), u);
}

inline __m256d convert64(__m256i x, __m256i y) {
  __m256i low = _mm256_and_si256(x, _mm256_set1_epi64x(0xffffffff));
  __m256i bits = _mm256_xor_si256(
      low, _mm256_srli_epi64(_mm256_slli_epi64(y, 32), 11));
  // 53 bits: the lower 32 in the significand of 2^52, the others in that of
  // 2^84, whose sum is exact.
  __m256i lower =
      _mm256_blend_epi32(bits, _mm256_set1_epi64x(0x4330000000000000), 0xAA);
  __m256i upper = _mm256_or_si256(_mm256_srli_epi64(bits, 32),
                                  _mm256_set1_epi64x(0x4530000000000000));
  __m256d value = _mm256_add_pd(
      _mm256_sub_pd(_mm256_castsi256_pd(upper),
                    _mm256_set1_pd(0x1p84 + 0x1p52)),
      _mm256_castsi256_pd(lower));
  __m256d u = _mm256_fmadd_pd(value, _mm256_set1_pd(0x1p-53),
                              _mm256_set1_pd(0x1p-54));
  __m256d one = _mm256_set1_pd(1.0);
  return _mm256_and_pd(_mm256_cmp_pd(u, one, _CMP_NEQ_UQ), u);
}

void uniform32(float *out, size_t n, uint64_t seed, uint64_t offset) {
  Generator generator(seed, offset);
  constexpr size_t step = 16 * kSets;
  size_t i = 0;
  for (; i + step <= n; i += step) {
    Lanes sets[kSets];
    generator.generate(i / 4, sets);
#pragma GCC unroll 8
    for (int s = 0; s < kSets; ++s) {
      __m256i words[2];
      orderWords(sets[s], words);
      _mm256_storeu_ps(out + i + 16 * s, convert(words[0]));
      _mm256_storeu_ps(out + i + 16 * s + 8, convert(words[1]));
    }
  }
  for (; i < n; ++i)
    out[i] = toFloat(generateBlock(seed, offset, i / 4).w[i % 4]);
}

void uniform64(double *out, size_t n, uint64_t seed, uint64_t offset) {
  Generator generator(seed, offset);
  constexpr size_t step = 8 * kSets;
  size_t i = 0;
  for (; i + step <= n; i += step) {
    Lanes sets[kSets];
    generator.generate(i / 2, sets);
#pragma GCC unroll 8
    for (int s = 0; s < kSets; ++s) {
      __m256d a = convert64(sets[s].c0, sets[s].c1);
      __m256d b = convert64(sets[s].c2, sets[s].c3);
      _mm256_storeu_pd(out + i + 8 * s, _mm256_unpacklo_pd(a, b));
      _mm256_storeu_pd(out + i + 8 * s + 4, _mm256_unpackhi_pd(a, b));
    }
  }
  for (; i < n; ++i) {
    Words words = generateBlock(seed, offset, i / 2);
    out[i] = toDouble(words.w[i % 2 * 2], words.w[i % 2 * 2 + 1]);
  }
}

/// Unsigned comparison by a signed one: both sides are moved by 2^31.
inline __m256i isKept(__m256i words, __m256i threshold) {
  __m256i moved =
      _mm256_add_epi32(words, _mm256_set1_epi32(int(128 + 0x80000000u)));
  return _mm256_cmpgt_epi32(threshold, moved);
}

void bernoulli(uint8_t *out, size_t n, uint64_t seed, uint64_t offset,
               float p) {
  Generator generator(seed, offset);
  uint32_t limit = findThreshold(p);
  __m256i threshold = _mm256_set1_epi32(int(limit ^ 0x80000000u));
  constexpr size_t step = 16 * kSets;
  static_assert(kSets % 2 == 0, "two sets fill a register of bytes");
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  size_t i = 0;
  for (; i + step <= n; i += step) {
    Lanes sets[kSets];
    generator.generate(i / 4, sets);
#pragma GCC unroll 8
    for (int s = 0; s < kSets; s += 2) {
      __m256i a[2], b[2];
      orderWords(sets[s], a);
      orderWords(sets[s + 1], b);
      __m256i first = _mm256_packs_epi32(isKept(a[0], threshold),
                                         isKept(a[1], threshold));
      __m256i second = _mm256_packs_epi32(isKept(b[0], threshold),
                                          isKept(b[1], threshold));
      __m256i bytes = _mm256_packs_epi16(first, second);
      bytes = _mm256_permutevar8x32_epi32(bytes, order);
      _mm256_storeu_si256((__m256i *)(out + i + 16 * s),
                          _mm256_and_si256(bytes, _mm256_set1_epi8(1)));
    }
  }
  for (; i < n; ++i)
    out[i] = generateBlock(seed, offset, i / 4).w[i % 4] + 128 < limit;
}

void dropout(float *out, const float *in, size_t n, uint64_t seed,
             uint64_t offset, float p, float scale) {
  Generator generator(seed, offset);
  uint32_t limit = findThreshold(p);
  __m256i threshold = _mm256_set1_epi32(int(limit ^ 0x80000000u));
  __m256 factor = _mm256_set1_ps(scale);
  constexpr size_t step = 16 * kSets;
  size_t i = 0;
  for (; i + step <= n; i += step) {
    Lanes sets[kSets];
    generator.generate(i / 4, sets);
#pragma GCC unroll 8
    for (int s = 0; s < kSets; ++s) {
      __m256i words[2];
      orderWords(sets[s], words);
      for (int half = 0; half < 2; ++half) {
        size_t at = i + 16 * s + 8 * half;
        __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(in + at), factor);
        __m256i kept = isKept(words[half], threshold);
        _mm256_storeu_ps(out + at,
                         _mm256_and_ps(_mm256_castsi256_ps(kept), scaled));
      }
    }
  }
  for (; i < n; ++i)
    out[i] = generateBlock(seed, offset, i / 4).w[i % 4] + 128 < limit
                 ? in[i] * scale
                 : 0.0f;
}
} // namespace

extern const Programs AVX2_PROGRAMS;
const Programs AVX2_PROGRAMS = {AVX2_NAME, uniform32, uniform64,
                                bernoulli, nullptr,   dropout};
