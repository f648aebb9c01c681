#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws whose parameters are NaN.

    nan.py program > PROGRAM.mlir
    nan.py check < OUTPUT_OF_THE_PROGRAM

NaNs are quiet and signalling ones, of both signs, whose payload has its upper or
lower bits only: none may become an infinity or a number when it is rounded to a
narrow type. The program prints the bits of a draw a line; `check` compares them
with what the specification says: a number, or a NaN, whichever.
"""

import math
import sys

import distributions as d

NAN_BITS = {
    "f32": ["0x7FC00000", "0xFFC00000", "0x7F800001", "0xFFFFFFFF",
            "0x7F812345"],
    "f64": ["0x7FF8000000000000", "0xFFF8000000000000", "0x7FF0000000000001",
            "0xFFFFFFFFFFFFFFFF", "0x7FF0123456789ABC"]}
# Distribution, operands, what every value is.
DRAWS = [("uniform", "range(%nan, %one)", math.nan),
         ("uniform", "range(%one, %nan)", 1.0),
         ("normal", "params(%nan, %one)", math.nan),
         ("normal", "params(%one, %nan)", math.nan),
         ("truncated_normal", "params(%nan, %nan)", math.nan),
         ("exponential", "rate(%nan)", 0.0)]
COUNT = 9


def cases():
    for dtype in ("f16", "bf16", "f32", "f64"):
        kind = "f64" if dtype == "f64" else "f32"
        for bits in NAN_BITS[kind]:
            for draw in DRAWS:
                yield dtype, kind, bits, draw


def program():
    for dtype in ("f16", "bf16", "f32", "f64"):
        print("func.func private @rngPrintBits%s(memref<*x%s>) "
              "attributes {llvm.emit_c_interface}" % (dtype.upper(), dtype))
    calls = []
    for at, (dtype, kind, bits, (distribution, operands, _)) in enumerate(
            cases()):
        # An argument, so that nothing is folded.
        print("""func.func private @draw{at}(%nan: {kind}) {{
  %seed = arith.constant 1 : i64
  %one = arith.constant 1.0 : {kind}
  %x = rng.stateless_{distribution} %seed, %seed {operands} : {t}
  %b = bufferization.to_buffer %x : {t} to memref<{n}x{dtype}>
  %any = memref.cast %b : memref<{n}x{dtype}> to memref<*x{dtype}>
  call @rngPrintBits{upper}(%any) : (memref<*x{dtype}>) -> ()
  return
}}""".format(at=at, kind=kind, distribution=distribution, operands=operands,
             t="tensor<%dx%s>" % (COUNT, dtype), n=COUNT, dtype=dtype,
             upper=dtype.upper()))
        calls.append("  %%n%d = arith.constant %s : %s" % (at, bits, kind))
        calls.append("  call @draw%d(%%n%d) : (%s) -> ()" % (at, at, kind))
    print("\n".join(["func.func @main() {"] + calls + ["  return", "}"]))


def check():
    lines = sys.stdin.read().splitlines()
    expected = list(cases())
    if len(lines) != len(expected):
        sys.exit("%d lines instead of %d" % (len(lines), len(expected)))
    for line, (dtype, _, bits, (distribution, operands, want)) in zip(
            lines, expected):
        got = d.decode(line, dtype)
        ok = len(got) == COUNT and all(
            math.isnan(x) if math.isnan(want) else x == want for x in got)
        if not ok:
            sys.exit("%s %s %s of %s: %s" % (distribution, operands, dtype,
                                             bits, line))
    print("%d draws as specified" % len(lines))


if __name__ == "__main__":
    {"program": program, "check": check}[sys.argv[1]]()
