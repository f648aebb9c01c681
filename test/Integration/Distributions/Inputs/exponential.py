#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exponential numbers of chosen words against the rules of the specification.

    exponential.py arguments [ALGORITHM ...]  arguments of ExponentialWords
    exponential.py check [ALGORITHM ...] < OUTPUT_OF_THE_PROGRAM

Words are zeros and ones, those next to every place where a rule changes, and
some others. The rules are computed here from the words, in decimal numbers of 50
digits, for every algorithm, element type and rate. Each value has to be above 0
and finite, within the bound of its rule, and at the least or the largest number
of the type where the rule says so. `check` prints a line for each type with the
least and the largest value and the largest error in units of the last place.
"""

import decimal
import math
import random
import struct
import sys
from decimal import Decimal

decimal.getcontext().prec = 50

ALGORITHMS = {
    name: "#rng.philox<convention = %s>" % name
    for name in ("nvfuser", "torch", "triton", "xla", "tensorflow")}
ALGORITHMS["torch_eager"] = (
    "#rng.philox<convention = #rng.torch_eager<threads = 256>>")
ALGORITHMS["threefry"] = "#rng.threefry"

# Type -> bits of precision, exponent of the least number, the largest number.
TYPES = {"f32": (24, -149, (2 - 2.0 ** -23) * 2.0 ** 127),
         "f64": (53, -1074, sys.float_info.max),
         "f16": (11, -24, 65504.0),
         "bf16": (8, -133, (2 - 2.0 ** -7) * 2.0 ** 127)}
# Without; one that does little; quotients that over- and underflow in narrow
# types, and in all.
NARROW_RATES = ["none", "3.0", "1.0e-4", "1.0e+4", "1.0e-38", "3.0e+38"]
WIDE_RATES = ["none", "3.0", "4.0e-308", "1.7e+308"]


def words():
    first = [0, 1, 2, 0x7E, 0x7F, 0x80, 0xFF, 0x100, 0x55555500, 0x5555557F,
             0x55555580, 0x007FFFFF, 0x7FFFFF7F, 0x7FFFFFBF, 0x7FFFFFFF]
    first += [word ^ 0xFFFFFFFF for word in first]
    second = [0, 0x000FFFFF, 0x7FFFFFFF, 0x80000000, 0x00100000, 0xFFEFFFFF,
              0xFFFFFFFF]
    # Both complements, and with them x ^ y all zeros and all ones.
    pairs = [(x, y) for x in first for y in second]
    generator = random.Random(20261130)
    pairs += [(generator.getrandbits(32), generator.getrandbits(32))
              for _ in range(64)]
    return pairs


def cases(names):
    for name in names:
        for dtype in TYPES:
            if name == "triton" and dtype != "f32":
                continue
            for rate in WIDE_RATES if dtype == "f64" else NARROW_RATES:
                yield name, dtype, rate


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def minus_log_of_bits(n, count):
    """-log of the middle (n + 1/2) 2^-count, calculated from its distance to 1
    in the upper half; that is rounded to f32 where `count` is 32."""
    ones = (1 << count) - 1
    upper = n >> (count - 1)
    if upper:
        n ^= ones
    middle = (n + 0.5) * 2.0 ** -count
    if count == 32:
        middle = f32(f32(n) * 2.0 ** -32 + 2.0 ** -33)
    middle = Decimal(middle)
    return -(1 - middle if upper else middle).ln()


def minus_log(name, wide, x, y):
    """The standard number of words x and y; of x alone where it is narrow."""
    ones = 0xFFFFFFFF
    if name == "threefry":
        word, pair = x ^ y, x << 32 | y
    else:
        word, pair = x, y << 32 | x
    if name in ("xla", "threefry"):
        if wide:
            return minus_log_of_bits(pair >> 11 ^ (1 << 53) - 1, 53)
        return minus_log_of_bits(word ^ ones, 32)
    if name == "triton":
        folded = word ^ ones if word >> 31 else word
        unit = f32(f32(folded) * (2.0 ** -31 - 2.0 ** -55))
        return -Decimal(max(unit, f32(1e-7))).ln()
    if name == "tensorflow":
        if wide:
            unit = ((x & 0xFFFFF) << 32 | y) * 2.0 ** -52
            return -Decimal(max(unit, 1e-7)).ln()
        return -Decimal(max((word & 0x7FFFFF) * 2.0 ** -23, f32(1e-7))).ln()
    if wide:
        return minus_log_of_bits(x ^ y << 21, 53)
    return minus_log_of_bits(word, 32)


def ulp(value, dtype):
    precision, least, _ = TYPES[dtype]
    exponent = math.frexp(float(value))[1] - precision
    return Decimal(2) ** max(exponent, least)


def decode(text, dtype):
    if dtype == "bf16":
        text += "0000"
    kind = {"f16": ">e", "f64": ">d"}.get(dtype, ">f")
    return struct.unpack(kind, bytes.fromhex(text))[0]


def check(names):
    failures = 0
    standard = {}
    found = {}
    pairs = words()
    lines = sys.stdin.read().splitlines()
    if len(lines) != len(list(cases(names))):
        sys.exit("%d lines instead of %d" % (len(lines),
                                             len(list(cases(names)))))
    for (name, dtype, rate), line in zip(cases(names), lines):
        precision, least, largest = TYPES[dtype]
        wide = dtype == "f64"
        least = Decimal(2) ** least
        got = [decode(text, dtype) for text in line.split()]
        if len(got) != len(pairs):
            sys.exit("%d values of %d words" % (len(got), len(pairs)))
        for (x, y), value in zip(pairs, got):
            key = name, wide, x, y
            if key not in standard:
                standard[key] = minus_log(*key)
            exact = standard[key]
            if rate != "none":
                number = float(rate) if wide else f32(float(rate))
                exact /= Decimal(number)
            # What rounds to 0 or to infinity is the number next to it.
            exact = min(max(exact, least), Decimal(largest))
            # Beyond f32 and f64, one more rounding.
            bound = Decimal("1.9" if precision in (24, 53) else "0.52")
            ok = 0 < value < math.inf
            error = abs(Decimal(value) - exact) / ulp(exact, dtype) if ok else 0
            low, high, worst = found.get(dtype, (math.inf, 0.0, Decimal(0)))
            found[dtype] = min(low, value), max(high, value), max(worst, error)
            if ok and error <= bound:
                continue
            failures += 1
            if failures <= 20:
                print("%s %s rate %s words %08x %08x: %r instead of %.9g" % (
                    name, dtype, rate, x, y, value, exact))
    for dtype, (low, high, worst) in found.items():
        print("%s from %g to %g, error %.2f" % (dtype, low, high, worst))
    if failures:
        sys.exit("%d values are wrong" % failures)


def arguments(names):
    print(",".join("%x:%x" % pair for pair in words()))
    for name, dtype, rate in cases(names):
        print(ALGORITHMS[name])
        print(dtype)
        print(rate)


if __name__ == "__main__":
    {"arguments": arguments, "check": check}[sys.argv[1]](
        sys.argv[2:] or list(ALGORITHMS))
