# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a joint function of N layers, each a product with a weight, a bias, a
dropout and a residual addition, and two small ones: about 20 ops a layer."""
import sys

layers = int(sys.argv[1])
WIDE = "tensor<16x16xf32>"


class Body:
    def __init__(self):
        self.lines = []

    def op(self, text):
        name = "%%v%d" % len(self.lines)
        self.lines.append("  %s = %s" % (name, text))
        return name

    def binary(self, op, a, b, type_=WIDE):
        return self.op("%s %s, %s : %s" % (op, a, b, type_))

    def matmul(self, a, b):
        return self.op("linalg.matmul ins(%s, %s : %s, %s) outs(%s : %s) -> %s"
                       % (a, b, WIDE, WIDE, self.zero, WIDE, WIDE))

    def transpose(self, a):
        empty = self.op("tensor.empty() : " + WIDE)
        return self.op("linalg.transpose ins(%s : %s) outs(%s : %s) "
                       "permutation = [1, 0]" % (a, WIDE, empty, WIDE))


def joint(name, count):
    b = Body()
    b.zero = b.op("arith.constant dense<0.0> : " + WIDE)
    p = b.op("arith.constant 0.9 : f32")
    x, tape, offset = "%x", [], "%offset"
    for k in range(count):
        h = b.matmul(x, "%%w%d" % (k % 4))
        h = b.binary("arith.addf", h, "%bias")
        t = b.op("math.tanh %s : %s" % (h, WIDE))
        keep = b.op("rng.stateless_bernoulli %%seed, %s prob(%s) : "
                    "tensor<16x16xi1>" % (offset, p))
        one = b.op("arith.constant %d : i64" % (k + 1))
        offset = b.binary("arith.addi", "%offset", one, "i64")
        y = b.op("arith.select %s, %s, %s : tensor<16x16xi1>, %s" % (
            keep, t, b.zero, WIDE))
        tape.append((x, t, keep, k % 4))
        x = b.binary("arith.addf", x, y)
    result, d = x, "%d"
    for x, t, keep, w in reversed(tape):
        e = b.op("arith.select %s, %s, %s : tensor<16x16xi1>, %s" % (
            keep, d, b.zero, WIDE))
        square = b.binary("arith.mulf", t, t)
        rest = b.binary("arith.subf", "%one", square)
        g = b.binary("arith.mulf", e, rest)
        dx = b.matmul(g, b.transpose("%%w%d" % w))
        dw = b.matmul(b.transpose(x), g)
        d = b.binary("arith.addf", d, dx)
        d = b.binary("arith.addf", d, dw)
    weights = ", ".join("%%w%d: %s {rng.persistent}" % (k, WIDE)
                        for k in range(4))
    print("func.func @%s(%%x: %s, %s, %%bias: %s, %%one: %s, %%seed: i64, "
          "%%offset: i64,\n    %%d: %s {rng.cotangent}) -> (%s, %s "
          "{rng.gradient}) {" % (name, WIDE, weights, WIDE, WIDE, WIDE, WIDE,
                                 WIDE))
    print("\n".join(b.lines))
    print("  return %s, %s : %s, %s\n}" % (result, d, WIDE, WIDE))


joint("model", layers)
joint("small", 3)
joint("other", 2)
