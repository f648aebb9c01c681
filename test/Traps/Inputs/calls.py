# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""calls.py N TIMES: a joint function that calls a chain of N functions, each of
which calls the next one TIMES times."""
import sys

T = "tensor<8xf32>"


def main(n, times):
    print(f"func.func private @f0(%v0: {T}) -> {T} {{")
    print(f"  %v1 = math.exp %v0 : {T}")
    print(f"  return %v1 : {T}\n}}")
    for i in range(1, n):
        print(f"func.func private @f{i}(%v0: {T}) -> {T} {{")
        for k in range(times):
            print(f"  %v{k + 1} = call @f{i - 1}(%v{k}) : ({T}) -> {T}")
        print(f"  return %v{times} : {T}\n}}")
    print(f"func.func @joint(%x: {T}, %d: {T} {{rng.cotangent}})"
          f" -> ({T}, {T} {{rng.gradient}}) {{")
    print(f"  %m = call @f{n - 1}(%x) {{rng.recompute}} : ({T}) -> {T}")
    print(f"  %y = math.sin %m : {T}")
    print(f"  %g = arith.mulf %d, %m : {T}")
    print(f"  return %y, %g : {T}, {T}\n}}")


main(int(sys.argv[1]), int(sys.argv[2]))
