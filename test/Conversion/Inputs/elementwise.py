# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a function of COUNT elementwise ops, each of which uses the one before
and one of the 20 before that; with PERIOD, each PERIOD-th op is a product.

    elementwise.py COUNT [PERIOD]
"""

import random
import sys

TYPE = "tensor<64x64xf32>"


def main():
    count = int(sys.argv[1])
    period = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    rng = random.Random(1)
    print(f"func.func @f(%x: {TYPE}, %w: {TYPE}) -> {TYPE} {{")
    print(f"  %e = tensor.empty() : {TYPE}")
    values = ["%x"]
    for i in range(count):
        last, other = values[-1], rng.choice(values[-20:])
        if period and i % period == period - 1:
            op = "matmul"
            other = "%w"
        else:
            op = ["add", "mul"][i % 2]
        print(f"  %v{i} = linalg.{op} ins({last}, {other} : {TYPE}, {TYPE})"
              f" outs(%e : {TYPE}) -> {TYPE}")
        values.append(f"%v{i}")
    print(f"  return {values[-1]} : {TYPE}\n}}")


main()
