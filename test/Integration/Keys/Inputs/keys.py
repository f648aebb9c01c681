#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A million derived seeds: all different, and none among the words drawn.

Folds 2^20 numbers into one seed, 2^10 into each of 2^10 derived ones, and splits
2^10 derived ones; draws 2^20 words of 64 bits from the seed itself. Compares the
first of each with Philox written here.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Golden/Inputs"))
import golden  # noqa: E402

SEED = 20261130
PROGRAM = """
func.func private @rngPrintBitsI64(memref<*xi64>)
    attributes {llvm.emit_c_interface}
func.func private @show(%b: memref<?xi64>) {
  %any = memref.cast %b : memref<?xi64> to memref<*xi64>
  call @rngPrintBitsI64(%any) : (memref<*xi64>) -> ()
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %side = arith.constant 1024 : index
  %pairs = arith.constant 2048 : index
  %n = arith.constant 1048576 : index
  %seed = arith.constant SEED : i64
  %offset = arith.constant 0 : i64

  %flat = memref.alloc(%n) : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %data = arith.index_cast %i : index to i64
    %s = rng.fold_in %seed, %data
    memref.store %s, %flat[%i] : memref<?xi64>
  }
  call @show(%flat) : (memref<?xi64>) -> ()

  %nested = memref.alloc(%n) : memref<?xi64>
  %halves = memref.alloc(%pairs) : memref<?xi64>
  // Numbers that the first loop did not fold in.
  %high = arith.constant 1099511627776 : i64
  scf.for %i = %c0 to %side step %c1 {
    %low = arith.index_cast %i : index to i64
    %data = arith.addi %low, %high : i64
    %s = rng.fold_in %seed, %data
    %row = arith.muli %i, %side : index
    scf.for %j = %c0 to %side step %c1 {
      %inner = arith.index_cast %j : index to i64
      %t = rng.fold_in %s, %inner
      %at = arith.addi %row, %j : index
      memref.store %t, %nested[%at] : memref<?xi64>
    }
    %a, %b = rng.split %s : i64, i64
    %first = arith.muli %i, %c2 : index
    %second = arith.addi %first, %c1 : index
    memref.store %a, %halves[%first] : memref<?xi64>
    memref.store %b, %halves[%second] : memref<?xi64>
  }
  call @show(%nested) : (memref<?xi64>) -> ()
  call @show(%halves) : (memref<?xi64>) -> ()

  %words = rng.stateless_bits %seed, %offset : tensor<1048576xi64>
  %buffer = bufferization.to_buffer %words
      : tensor<1048576xi64> to memref<1048576xi64>
  %any = memref.cast %buffer : memref<1048576xi64> to memref<?xi64>
  call @show(%any) : (memref<?xi64>) -> ()
  return
}
"""
MASK = (1 << 32) - 1


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [p1 >> 32 ^ c[1] ^ k[0], p1 & MASK, p0 >> 32 ^ c[3] ^ k[1],
             p0 & MASK]
        k = [k[0] + 0x9E3779B9 & MASK, k[1] + 0xBB67AE85 & MASK]
    return c


def derived(seed, data):
    """What fold_in and result `data` of split yield."""
    w = philox((data & MASK, data >> 32, MASK, MASK), (seed & MASK, seed >> 32))
    return w[0] | w[1] << 32, w[2] | w[3] << 32


def main():
    lines = golden.run(PROGRAM.replace("SEED", str(SEED)), "rng-to-cpu")
    flat, nested, halves, words = (
        [int(word, 16) for word in line.split()] for line in lines)

    for i in range(0, 1 << 20, 99991):
        assert flat[i] == derived(SEED, i)[0], i
    outer = derived(SEED, (1 << 40) + 1023)[0]
    assert nested[1023 * 1024 + 7] == derived(outer, 7)[0]
    assert halves[2 * 1023:] == [derived(outer, 0)[1], derived(outer, 1)[1]]

    seeds = flat + nested + halves
    print("%d derived seeds, %d different" % (len(seeds), len(set(seeds))))
    drawn = set(words)
    # Words at any place: 32-bit neighbours are halves of two 64-bit ones.
    drawn.update(a >> 32 | (b & MASK) << 32 for a, b in zip(words, words[1:]))
    print("%d of them among %d words drawn" % (
        sum(seed in drawn for seed in seeds), len(words)))


main()
