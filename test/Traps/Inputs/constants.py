# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""constants.py FUNCTIONS: a program of so many functions that call each other,
each with generators, dense constants of the same types and of other ones, loops,
branches, reductions and contractions of its own."""
import sys

count = int(sys.argv[1])


def constant(name, number, shape, kind):
    total = 1
    for size in shape:
        total *= size
    values = ["%d%s" % (number * 7 + i, ".5" if kind == "f32" else "")
              for i in range(total)]
    for size in reversed(shape):
        values = ["[" + ", ".join(values[i:i + size]) + "]"
                  for i in range(0, len(values), size)]
    return "  %%%s = arith.constant dense<%s> : tensor<%sx%s>" % (
        name, values[0], "x".join(map(str, shape)), kind)


print("!t = tensor<4x8xf32>")
for number in range(4):
    print("rng.generator @g%d {seed = %d : i64}" % (number, number))
# A name that bufferization would like to give.
print("memref.global constant @__constant_4x8xf32 : memref<4x8xf32> = "
      "dense<3.0>")
for number in range(count):
    print("func.func %s@f%d(%%x: !t, %%c: i1, %%n: index) -> !t {"
          % ("private " if number % 3 == 1 else "", number))
    print(constant("a", number, [4, 8], "f32"))
    print(constant("b", number + 100, [4, 8], "f32"))
    print(constant("w", number, [8, 8], "f32"))
    print(constant("i", number % 3, [4], "i64"))
    print("  %%u = rng.normal @g%d : !t" % (number % 4))
    print("  %%p = arith.constant 0.25 : f32\n"
          "  %%m = rng.bernoulli @g%d prob(%%p) : tensor<4x8xi1>"
          % ((number + 1) % 4))
    print("""  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %y = arith.mulf %x, %a : !t
  %z = arith.select %m, %y, %b : tensor<4x8xi1>, !t
  %e = tensor.empty() : !t
  %d = linalg.fill ins(%zero : f32) outs(%e : !t) -> !t
  %q = linalg.matmul ins(%z, %w : !t, tensor<8x8xf32>) outs(%d : !t) -> !t
  %k = tensor.extract %i[%c1] : tensor<4xi64>
  %h = arith.sitofp %k : i64 to f32
  %s = tensor.splat %h : !t
  %f = arith.addf %q, %s : !t
  %l = scf.for %j = %c0 to %n step %c1 iter_args(%t = %f) -> (!t) {
    %v = rng.uniform : !t
    %r = arith.addf %t, %v : !t
    scf.yield %r : !t
  }
  %o = arith.addf %l, %u : !t""")
    if number == 0:
        print("  return %o : !t\n}")
        continue
    print("""  %%g = scf.if %%c -> (!t) {
    %%1 = func.call @f%d(%%o, %%c, %%n) : (!t, i1, index) -> !t
    scf.yield %%1 : !t
  } else {
    scf.yield %%b : !t
  }
  return %%g : !t
}""" % (number // 2))
