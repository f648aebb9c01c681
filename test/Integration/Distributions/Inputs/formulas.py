#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computed numbers against the exact values of their formulas.

Draws words and numbers of the default stream at one state, computes the
formulas of the specification from the words in double precision, and prints the
largest error in units of the last place of f32. Python's own functions are right
to about 1e-8 of such a unit.
"""

import math
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import distributions as d  # noqa: E402


def to_f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def ulp(value):
    exponent = math.frexp(abs(value))[1]
    return math.ldexp(1.0, max(exponent, -125) - 24)


def raw(word):
    """The f32 value in (0, 1]: the product is exact, the sum rounded."""
    return to_f32(to_f32(float(word)) * 2.0 ** -32 + 2.0 ** -33)


def minus_log(word):
    """-log of the number, from its distance to 1 in the upper half."""
    if word >> 31:
        return -math.log1p(-raw(word ^ 0xFFFFFFFF))
    return -math.log(raw(word))


def erfinv(y):
    """Newton's method from a rough start, in double precision."""
    w = math.log((1 - y) * (1 + y))
    a = 2 / (math.pi * 0.147) + w / 2
    x = math.copysign(math.sqrt(math.sqrt(a * a - w / 0.147) - a), y)
    for _ in range(4):
        x -= (math.erf(x) - y) * math.sqrt(math.pi) / 2 * math.exp(x * x)
    return x


def main():
    program = d.Program("#rng.philox")
    bits = program.add("bits", "i32")
    normal = program.add("normal", "f32")
    truncated = program.add("truncated_normal", "f32")
    exponential = program.add("exponential", "f32")
    values = program.run()
    words = values[bits]
    worst = {"normal": 0.0, "truncated_normal": 0.0, "exponential": 0.0}

    def compare(what, got, want):
        if want != 0:
            worst[what] = max(worst[what], abs(got - want) / ulp(want))
        elif got != 0:
            worst[what] = math.inf

    part = to_f32(0.95449973610364158)
    for i, word in enumerate(words):
        u = raw(word)
        pair = i // 2 * 2
        radius = math.sqrt(-2 * math.log(raw(words[pair])))
        turns = raw(words[pair + 1])
        # Reduced exactly first: 2 pi v has a rounding of its own.
        quarter = round(4 * turns)
        rest = 2 * math.pi * (turns - quarter / 4)
        sine = (math.sin, math.cos)[(quarter + i) % 2](rest)
        sign = -1 if (quarter + i % 2) % 4 in (2, 3) else 1
        compare("normal", values[normal][i], radius * sign * sine)
        # The argument of erfinv is rounded, by the formula.
        y = to_f32(part * to_f32(2 * u - 1))
        compare("truncated_normal", values[truncated][i],
                math.sqrt(2) * erfinv(y))
        compare("exponential", values[exponential][i], minus_log(word))
    for what, error in worst.items():
        print("%s %.2f" % (what, error))
        if error > 4:
            sys.exit("more than 4")


main()
