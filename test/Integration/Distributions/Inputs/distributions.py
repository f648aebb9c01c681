#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statistics of what is drawn, with fixed seeds and real thresholds.

    distributions.py ALGORITHM

Draws 2^16 values of each distribution under the algorithm and prints a line for
each statistic: what it is, its value, and the bound that a true sample stays
within with probability 1 - 1e-6 or more. Exits with 1 if one does not.
"""

import math
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Golden/Inputs"))
import golden  # noqa: E402

N = 1 << 16
PRINTERS = dict(golden.PRINTERS, i1=("I1", 2))
# Two-sided: exp(-2 d^2) * 2 = 1e-6.
KOLMOGOROV = 2.7
SIGMAS = 5.0


def decode(text, dtype):
    """The numbers of a line of hexadecimal bits."""
    raw = [int(word, 16) for word in text.split()]
    if dtype == "f32":
        return [struct.unpack("<f", struct.pack("<I", word))[0] for word in raw]
    if dtype == "f64":
        return [struct.unpack("<d", struct.pack("<Q", word))[0] for word in raw]
    if dtype == "f16":
        return [struct.unpack("<e", struct.pack("<H", word))[0] for word in raw]
    if dtype == "bf16":
        return [struct.unpack("<f", struct.pack("<I", word << 16))[0]
                for word in raw]
    return raw


class Program:
    """Draws of tensors, run together."""

    def __init__(self, algorithm):
        self.attributes = " {algorithm = %s}" % algorithm
        self.draws = []

    def add(self, distribution, dtype, operands="", constants=(), seed=20261130,
            offset=7):
        self.draws.append((distribution, dtype, operands, constants, seed,
                           offset))
        return len(self.draws) - 1

    def run(self):
        module = []
        for dtype in sorted({draw[1] for draw in self.draws}):
            module.append("func.func private @rngPrintBits%s(memref<*x%s>) "
                          "attributes {llvm.emit_c_interface}"
                          % (PRINTERS[dtype][0], dtype))
        calls = []
        for at, (distribution, dtype, operands, constants, seed,
                 offset) in enumerate(self.draws):
            module.append("func.func private @draw%d() {" % at)
            module.append("  %%seed = arith.constant %d : i64" % seed)
            module.append("  %%offset = arith.constant %d : i64" % offset)
            for name, value, type_ in constants:
                module.append("  %%%s = arith.constant %s : %s" % (
                    name, golden.constant(value, type_), type_))
            module.append(
                "  %%x = rng.stateless_%s %%seed, %%offset %s%s : tensor<%dx%s>"
                % (distribution, operands, self.attributes, N, dtype))
            module.append("""  %%b = bufferization.to_buffer %%x
      : tensor<%dx%s> to memref<%dx%s>
  %%any = memref.cast %%b : memref<%dx%s> to memref<*x%s>
  call @rngPrintBits%s(%%any) : (memref<*x%s>) -> ()
  return
}""" % (N, dtype, N, dtype, N, dtype, dtype, PRINTERS[dtype][0], dtype))
            calls.append("  call @draw%d() : () -> ()" % at)
        module += ["func.func @main() {"] + calls + ["  return", "}"]
        lines = golden.run("\n".join(module), "rng-to-cpu")
        return [decode(line, draw[1]) for line, draw in zip(lines, self.draws)]


failures = []


def report(what, value, low, high):
    ok = low <= value <= high
    print("%-34s %12.5g in [%.5g, %.5g]%s" % (what, value, low, high,
                                              "" if ok else "  NOT"))
    if not ok:
        failures.append(what)


def kolmogorov(what, values, cumulative):
    """The distance of the sample from the distribution, times sqrt(n)."""
    ordered = sorted(values)
    n = len(ordered)
    distance = 0.0
    for i, value in enumerate(ordered):
        at = cumulative(value)
        distance = max(distance, at - i / n, (i + 1) / n - at)
    report(what + " Kolmogorov-Smirnov", distance * math.sqrt(n), 0, KOLMOGOROV)


def chi_square(what, counts, expected):
    """Wilson and Hilferty: the cube root is nearly normal."""
    statistic = sum((count - e) ** 2 / e for count, e in zip(counts, expected))
    degrees = len(counts) - 1
    spread = 2.0 / (9 * degrees)
    normal = ((statistic / degrees) ** (1 / 3) - (1 - spread)) / math.sqrt(
        spread)
    report(what + " chi-square (normal)", normal, -SIGMAS, SIGMAS)


def mean(what, values, expected, deviation):
    error = (sum(values) / len(values) - expected) * math.sqrt(len(values))
    report(what, error / deviation, -SIGMAS, SIGMAS)


def moments(what, values, expected):
    """Mean and variance against (mean, variance, fourth central moment)."""
    center, variance, fourth = expected
    mean(what + " mean (sigmas)", values, center, math.sqrt(variance))
    mean(what + " variance (sigmas)", [(v - center) ** 2 for v in values],
         variance, math.sqrt(fourth - variance ** 2))


def correlation(what, a, b):
    """Of words as numbers in [-1/2, 1/2), and of each of their bits."""
    scale = 1.0 / (1 << 32)
    products = [(x * scale - 0.5) * (y * scale - 0.5) for x, y in zip(a, b)]
    mean(what + " correlation (sigmas)", products, 0, 1 / 12)
    worst = 0.0
    for bit in range(32):
        same = sum(1 for x, y in zip(a, b) if not (x ^ y) >> bit & 1)
        worst = max(worst, abs(same - N / 2) / math.sqrt(N / 4))
    report(what + " bits alike (sigmas)", worst, 0, 5.8)


def normal_cumulative(x):
    return 0.5 * math.erfc(-x / math.sqrt(2))


def main():
    algorithm = sys.argv[1]
    narrow = "triton" in algorithm
    program = Program(algorithm)
    bits = program.add("bits", "i32")
    next_offset = program.add("bits", "i32", offset=7 + (
        1 if algorithm == "#rng.philox" else N))
    next_seed = program.add("bits", "i32", seed=20261131)
    uniform = program.add("uniform", "f32")
    scaled = program.add("uniform", "f32", "range(%lo, %hi)",
                         [("lo", -3.0, "f32"), ("hi", 5.0, "f32")])
    decision = program.add("bernoulli", "i1", "prob(%p)", [("p", 0.9, "f32")])
    integer = program.add("randint", "i32", "range(%lo, %hi)",
                          [("lo", -6, "i32"), ("hi", 7, "i32")])
    byte = program.add("randint", "i8", "range(%lo, %hi)",
                       [("lo", -128, "i8"), ("hi", 127, "i8")])
    normal = program.add("normal", "f32")
    located = program.add("normal", "f32", "params(%mean, %std)",
                          [("mean", 3.0, "f32"), ("std", 0.5, "f32")])
    truncated = program.add("truncated_normal", "f32")
    exponential = program.add("exponential", "f32")
    rate = program.add("exponential", "f32", "rate(%rate)",
                       [("rate", 4.0, "f32")])
    if not narrow:
        halves = program.add("normal", "f16")
        doubles = program.add("normal", "f64")
        double_units = program.add("uniform", "f64")
        long = program.add("randint", "i64", "range(%lo, %hi)",
                           [("lo", -5, "i64"), ("hi", 2, "i64")])
    values = program.run()

    for byte_at in range(4):
        counts = [0] * 256
        for word in values[bits]:
            counts[word >> 8 * byte_at & 255] += 1
        chi_square("bits byte %d" % byte_at, counts, [N / 256] * 256)
    correlation("next offset", values[bits], values[next_offset])
    correlation("next seed", values[bits], values[next_seed])
    correlation("next element", values[bits], values[bits][1:] + [0])
    correlation("next subsequence", values[bits], values[bits][4:] + [0] * 4)

    moments("uniform", values[uniform], (0.5, 1 / 12, 1 / 80))
    kolmogorov("uniform", values[uniform], lambda x: x)
    kolmogorov("uniform [-3, 5)", values[scaled], lambda x: (x + 3) / 8)
    mean("bernoulli 0.9 (sigmas)", values[decision], 0.9, 0.3)
    counts = [0] * 13
    for value in values[integer]:
        counts[(value ^ 1 << 31) - (1 << 31) + 6] += 1
    chi_square("randint i32 of 13", counts, [N / 13] * 13)
    counts = [0] * 255
    for value in values[byte]:
        counts[(value ^ 128) - 128 + 128] += 1
    chi_square("randint i8 of 255", counts, [N / 255] * 255)
    moments("normal", values[normal], (0, 1, 3))
    kolmogorov("normal", values[normal], normal_cumulative)
    kolmogorov("normal (3, 0.5)", values[located],
               lambda x: normal_cumulative((x - 3) / 0.5))
    inside = math.erf(math.sqrt(2))
    kolmogorov("truncated_normal", values[truncated],
               lambda x: (normal_cumulative(x) - normal_cumulative(-2)) / inside)
    report("truncated_normal largest", max(map(abs, values[truncated])), 1.9, 2)
    moments("exponential", values[exponential], (1, 1, 9))
    kolmogorov("exponential", values[exponential], lambda x: -math.expm1(-x))
    kolmogorov("exponential 4", values[rate], lambda x: -math.expm1(-4 * x))
    if not narrow:
        moments("normal f16", values[halves], (0, 1, 3))
        moments("normal f64", values[doubles], (0, 1, 3))
        kolmogorov("normal f64", values[doubles], normal_cumulative)
        kolmogorov("uniform f64", values[double_units], lambda x: x)
        counts = [0] * 7
        for value in values[long]:
            counts[(value ^ 1 << 63) - (1 << 63) + 5] += 1
        chi_square("randint i64 of 7", counts, [N / 7] * 7)
    if failures:
        sys.exit("not within bounds: " + ", ".join(failures))


if __name__ == "__main__":
    main()
