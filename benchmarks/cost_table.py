#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures a cost table for one core of this machine.

    benchmarks/cost_table.py [--compiler cc] [--repetitions 15] > mine.costs

Prints a file for rng-partition{cost-table=mine.costs}. Loops in C that the
compiler vectorises; of each the fastest repetition counts, since others only
wait for the rest of the machine.
"""

import argparse
import pathlib
import platform
import subprocess
import tempfile

SOURCE = r"""
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

enum { kSmall = 1 << 12, kLarge = 1 << 26, kSide = 256 };
static float small[kSmall];
static double a64[kSide][kSide], b64[kSide][kSide], c64[kSide][kSide];
static float a32[kSide][kSide], b32[kSide][kSide], c32[kSide][kSide];
static int8_t a8[kSide][kSide], b8[kSide][kSide];
static int32_t c8[kSide][kSide];
static unsigned char *from, *to;

/* Bytes read and written: of an array that no cache holds. */
static double memory(void) { memcpy(to, from, kLarge); return 2.0 * kLarge; }

/* Two for each step of the loop: values stay in the nearest cache. */
static double arith(void) {
  for (int pass = 0; pass < 200; ++pass)
    for (int i = 0; i < kSmall; ++i)
      small[i] = small[i] * 0.999f + 0.001f;
  return 2.0 * 200 * kSmall;
}

static double math(void) {
  for (int pass = 0; pass < 20; ++pass)
    for (int i = 0; i < kSmall; ++i)
      small[i] = expf(small[i] - 1.0f);
  return 20.0 * kSmall;
}

/* Philox 4x32 of 10 rounds, as uniforms of f32. */
static double draw(void) {
  for (int pass = 0; pass < 50; ++pass)
    for (uint32_t i = 0; i < kSmall / 4; ++i) {
      uint32_t x0 = i, x1 = pass, x2 = 0, x3 = 0, k0 = 17, k1 = 4;
      for (int round = 0; round < 10; ++round) {
        uint64_t p0 = (uint64_t)x0 * 0xD2511F53u;
        uint64_t p1 = (uint64_t)x2 * 0xCD9E8D57u;
        x0 = (uint32_t)(p1 >> 32) ^ x1 ^ k0;
        x2 = (uint32_t)(p0 >> 32) ^ x3 ^ k1;
        x1 = (uint32_t)p1;
        x3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
      }
      small[i] = (x0 >> 8) * 0x1p-24f;
      small[i + kSmall / 4] = (x1 >> 8) * 0x1p-24f;
      small[i + kSmall / 2] = (x2 >> 8) * 0x1p-24f;
      small[i + kSmall / 4 * 3] = (x3 >> 8) * 0x1p-24f;
    }
  return 50.0 * kSmall;
}

/* Four rows at a time, so that an element of b is read for four of c. */
#define PRODUCT(name, a, b, c, type)                                          \
  static double name(void) {                                                  \
    for (int i = 0; i < kSide; i += 4)                                        \
      for (int k = 0; k < kSide; ++k)                                         \
        for (int j = 0; j < kSide; ++j) {                                     \
          type y = b[k][j];                                                   \
          c[i][j] += a[i][k] * y;                                             \
          c[i + 1][j] += a[i + 1][k] * y;                                     \
          c[i + 2][j] += a[i + 2][k] * y;                                     \
          c[i + 3][j] += a[i + 3][k] * y;                                     \
        }                                                                     \
    return 2.0 * kSide * kSide * kSide;                                       \
  }
PRODUCT(product64, a64, b64, c64, double)
PRODUCT(product32, a32, b32, c32, float)
PRODUCT(product8, a8, b8, c8, int32_t)

int main(int argc, char **argv) {
  struct { const char *key; double (*run)(void); } all[] = {
      {"memory", memory}, {"arith", arith}, {"math", math}, {"draw", draw},
      {"contraction-f64", product64}, {"contraction-f32", product32},
      {"contraction-i8", product8}};
  /* What the compiler cannot know, and that neither grows nor vanishes. */
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j) {
      a64[i][j] = a32[i][j] = a8[i][j] = (i * j + argc) % 3 - 1;
      b64[i][j] = b32[i][j] = b8[i][j] = (i + j + argc) % 3 - 1;
    }
  from = malloc(kLarge);
  to = malloc(kLarge);
  memset(from, 1, kLarge);
  memset(to, 2, kLarge);
  for (unsigned which = 0; which < sizeof all / sizeof *all; ++which) {
    double best = 0;
    for (int i = 0; i < atoi(argv[1]); ++i) {
      double begin = now();
      double count = all[which].run();
      double rate = count / (now() - begin) * 1e-9;
      if (rate > best)
        best = rate;
    }
    printf("%s = %.3f\n", all[which].key, best);
    /* Vectors of 16 bits are computed as f32. */
    if (!strcmp(all[which].key, "contraction-f32"))
      printf("contraction-f16 = %.3f\n", best);
  }
  return small[7] + c64[3][3] + c32[3][3] + c8[3][3] + to[5] == 0.125;
}
"""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--repetitions", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "rates.c"
        source.write_text(SOURCE)
        program = pathlib.Path(folder) / "rates"
        flags = ["-O3", "-march=native", "-ffast-math"]
        subprocess.run(
            [options.compiler, *flags, str(source), "-o", str(program), "-lm"],
            check=True,
        )
        rates = subprocess.run(
            [str(program), str(options.repetitions)],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    print(f"# One core of this machine ({platform.machine()}), in 10^9 a second.")
    print(rates, end="")


if __name__ == "__main__":
    main()
