//===- philox_avx512.cpp - Philox with AVX-512 intrinsics -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register holds a word of eight blocks, each in the lower half of a lane of
// 64 bits: products need no shuffles, and what is in the upper halves does not
// matter until the end.
//
//===----------------------------------------------------------------------===//

#include "philox.h"
#include <immintrin.h>

namespace {
/// Registers of blocks at a time, for their multiplications to overlap.
constexpr int kSets = SIMD_SETS;

/// Words 0 to 3 of eight blocks. Lanes 0, 1, ... are blocks 0, 4, 1, 5, 2, 6, 3
/// and 7, so that unpacking within 128 bits puts blocks in order.
struct Lanes {
  __m512i c0, c1, c2, c3;
};

inline __m512i mix(__m512i product, __m512i counter, __m512i key) {
  return _mm512_ternarylogic_epi64(_mm512_srli_epi64(product, 32), counter,
                                   key, 0x96);
}

class Generator {
public:
  Generator(uint64_t seed, uint64_t offset) {
    uint32_t k0 = uint32_t(seed), k1 = uint32_t(seed >> 32);
    for (int round = 0; round < 10; ++round) {
      keys0[round] = _mm512_set1_epi64(k0);
      keys1[round] = _mm512_set1_epi64(k1);
      k0 += kWeyl0;
      k1 += kWeyl1;
    }
    offsetLow = _mm512_set1_epi64(uint32_t(offset));
    offsetHigh = _mm512_set1_epi64(uint32_t(offset >> 32));
  }

  /// The blocks from `block` on, which is a multiple of eight, so that all of a
  /// set have the same upper half.
  inline void generate(uint64_t block, Lanes (&sets)[kSets]) const {
    const __m512i m0 = _mm512_set1_epi64(kMultiplier0);
    const __m512i m1 = _mm512_set1_epi64(kMultiplier1);
    const __m512i order = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
#pragma GCC unroll 8
    for (int s = 0; s < kSets; ++s) {
      uint64_t first = block + 8 * s;
      sets[s] = {offsetLow, offsetHigh,
                 _mm512_add_epi64(_mm512_set1_epi64(uint32_t(first)), order),
                 _mm512_set1_epi64(first >> 32)};
    }
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
#pragma GCC unroll 8
      for (int s = 0; s < kSets; ++s) {
        Lanes &c = sets[s];
        __m512i p0 = _mm512_mul_epu32(c.c0, m0);
        __m512i p1 = _mm512_mul_epu32(c.c2, m1);
        c = {mix(p1, c.c1, keys0[round]), p1, mix(p0, c.c3, keys1[round]), p0};
      }
    }
  }

private:
  __m512i keys0[10], keys1[10];
  __m512i offsetLow, offsetHigh;
};

/// The 32 words of `c`, in order.
inline void orderWords(const Lanes &c, __m512i (&words)[2]) {
  // Word 1 to the upper halves of word 0, word 3 to those of word 2.
  __m512i a = _mm512_mask_shuffle_epi32(c.c0, 0xAAAA, c.c1, _MM_PERM_CCAA);
  __m512i b = _mm512_mask_shuffle_epi32(c.c2, 0xAAAA, c.c3, _MM_PERM_CCAA);
  words[0] = _mm512_unpacklo_epi64(a, b);
  words[1] = _mm512_unpackhi_epi64(a, b);
}

inline __m512 convert(__m512i words) {
  __m512 u = _mm512_fmadd_ps(_mm512_cvtepu32_ps(words), _mm512_set1_ps(0x1p-32f),
                             _mm512_set1_ps(0x1p-33f));
  __mmask16 isBelow =
      _mm512_cmp_ps_mask(u, _mm512_set1_ps(1.0f), _CMP_NEQ_UQ);
  return _mm512_maskz_mov_ps(isBelow, u);
}

inline __m512d convert64(__m512i x, __m512i y) {
  __m512i low = _mm512_and_epi64(x, _mm512_set1_epi64(0xffffffff));
  // The upper half goes where it is shifted away.
  __m512i high = _mm512_srli_epi64(_mm512_slli_epi64(y, 32), 11);
  __m512d u = _mm512_fmadd_pd(_mm512_cvtepu64_pd(_mm512_xor_epi64(low, high)),
                              _mm512_set1_pd(0x1p-53), _mm512_set1_pd(0x1p-54));
  __mmask8 isBelow = _mm512_cmp_pd_mask(u, _mm512_set1_pd(1.0), _CMP_NEQ_UQ);
  return _mm512_maskz_mov_pd(isBelow, u);
}

void uniform32(float *out, size_t n, uint64_t seed, uint64_t offset) {
  Generator generator(seed, offset);
  constexpr size_t step = 32 * kSets;
  size_t i = 0;
  for (; i + step <= n; i += step) {
    Lanes sets[kSets];
    generator.generate(i / 4, sets);
#pragma GCC unroll 8
    for (int s = 0; s < kSets; ++s) {
      __m512i words[2];
      orderWords(sets[s], words);
      _mm512_storeu_ps(out + i + 32 * s, convert(words[0]));
      _mm512_storeu_ps(out + i + 32 * s + 16, convert(words[1]));
    }
  }
  for (; i < n; ++i)
    out[i] = toFloat(generateBlock(seed, offset, i / 4).w[i % 4]);
}

void uniform64(double *out, size_t n, uint64_t seed, uint64_t offset) {
  Generator generator(seed, offset);
  constexpr size_t step = 16 * kSets;
  size_t i = 0;
  for (; i + step <= n; i += step) {
    Lanes sets[kSets];
    generator.generate(i / 2, sets);
#pragma GCC unroll 8
    for (int s = 0; s < kSets; ++s) {
      // Lanes in order are 0, 2, 4, 6 and 1, 3, 5, 7 of blocks 0 to 7.
      __m512d a = convert64(sets[s].c0, sets[s].c1);
      __m512d b = convert64(sets[s].c2, sets[s].c3);
      _mm512_storeu_pd(out + i + 16 * s, _mm512_unpacklo_pd(a, b));
      _mm512_storeu_pd(out + i + 16 * s + 8, _mm512_unpackhi_pd(a, b));
    }
  }
  for (; i < n; ++i) {
    Words words = generateBlock(seed, offset, i / 2);
    out[i] = toDouble(words.w[i % 2 * 2], words.w[i % 2 * 2 + 1]);
  }
}

inline __mmask16 isKept(__m512i words, __m512i threshold) {
  return _mm512_cmplt_epu32_mask(
      _mm512_add_epi32(words, _mm512_set1_epi32(128)), threshold);
}

void bernoulli(uint8_t *out, size_t n, uint64_t seed, uint64_t offset,
               float p) {
  Generator generator(seed, offset);
  uint32_t limit = findThreshold(p);
  __m512i threshold = _mm512_set1_epi32(int(limit));
  constexpr size_t step = 32 * kSets;
  size_t i = 0;
  for (; i + step <= n; i += step) {
    Lanes sets[kSets];
    generator.generate(i / 4, sets);
#pragma GCC unroll 8
    for (int s = 0; s < kSets; ++s) {
      __m512i words[2];
      orderWords(sets[s], words);
      __mmask32 kept = _mm512_kunpackw(isKept(words[1], threshold),
                                       isKept(words[0], threshold));
      _mm256_storeu_si256(
          (__m256i *)(out + i + 32 * s),
          _mm256_maskz_mov_epi8(kept, _mm256_set1_epi8(1)));
    }
  }
  for (; i < n; ++i)
    out[i] = generateBlock(seed, offset, i / 4).w[i % 4] + 128 < limit;
}

void dropout(float *out, const float *in, size_t n, uint64_t seed,
             uint64_t offset, float p, float scale) {
  Generator generator(seed, offset);
  uint32_t limit = findThreshold(p);
  __m512i threshold = _mm512_set1_epi32(int(limit));
  __m512 factor = _mm512_set1_ps(scale);
  constexpr size_t step = 32 * kSets;
  size_t i = 0;
  for (; i + step <= n; i += step) {
    Lanes sets[kSets];
    generator.generate(i / 4, sets);
#pragma GCC unroll 8
    for (int s = 0; s < kSets; ++s) {
      __m512i words[2];
      orderWords(sets[s], words);
      for (int half = 0; half < 2; ++half) {
        size_t at = i + 32 * s + 16 * half;
        _mm512_storeu_ps(out + at, _mm512_maskz_mul_ps(
                                       isKept(words[half], threshold),
                                       _mm512_loadu_ps(in + at), factor));
      }
    }
  }
  for (; i < n; ++i)
    out[i] = generateBlock(seed, offset, i / 4).w[i % 4] + 128 < limit
                 ? in[i] * scale
                 : 0.0f;
}
} // namespace

extern const Programs AVX512_PROGRAMS;
const Programs AVX512_PROGRAMS = {AVX512_NAME, uniform32, uniform64,
                                  bernoulli,   nullptr,   dropout};
