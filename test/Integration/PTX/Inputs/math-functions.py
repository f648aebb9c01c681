# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Math functions in kernels: a program that evaluates them, and the distance of
its results from the exact values.

usage: math-functions.py program TYPE MODE > PROGRAM.mlir
       math-functions.py check TYPE MODE < OUTPUT_OF_THE_PROGRAM

TYPE is f32 or f64, MODE poly or libm. `check` prints a line a function with the
largest error in units in the last place (ulp) and fails if that is above the
limit below, or an edge case is of another kind (NaN, infinity, zero; its sign,
which some polynomials lose for zeros, with libm only). Polynomials of the
circular functions have an absolute error, so it is in ulp of 1 at least.
References are Python's, in double precision.
"""

import math
import struct
import sys

COUNT = 512


class Function:
    def __init__(self, op, lo, hi, reference, poly, libm, libm64=3,
                 edges="0 -0 inf -inf nan", other=None, absolute=False):
        self.op, self.lo, self.hi = op, lo, hi
        self.reference = reference
        # Largest error in ulp; None: the mode does not have the function.
        self.limit = {("poly", "f32"): poly, ("libm", "f32"): libm,
                      ("poly", "f64"): None, ("libm", "f64"): libm64}
        self.edges = [float(edge) for edge in edges.split()]
        # Whether the error of the polynomial is absolute.
        self.absolute = absolute
        # The range of a second operand.
        self.other = other


def total(function, *special):
    """`function` with the values of C99 where Python raises an exception."""
    def call(*x):
        if any(map(math.isnan, x)):
            return math.nan
        try:
            return function(*x)
        except (ValueError, OverflowError, ZeroDivisionError):
            return special[0](*x) if special else math.nan
    return call


def huge(x):
    return math.copysign(math.inf, x)


def log_edge(x):
    return -math.inf if x == 0 else math.nan


FUNCTIONS = [
    Function("sqrt", 0, 1e6, total(math.sqrt), 0, 0, 0),
    Function("exp", -80, 80, total(math.exp, lambda x: math.inf), 2, 2),
    Function("exp2", -120, 120, total(lambda x: 2.0 ** x,
                                      lambda x: math.inf), 70, 2),
    Function("expm1", -10, 10, total(math.expm1, lambda x: math.inf), 3, 2),
    Function("log", 1e-30, 1e3, total(math.log, log_edge), 2, 2),
    Function("log2", 1e-30, 1e3, total(math.log2, log_edge), 2, 2),
    Function("log1p", -0.9, 10, total(math.log1p), 3, 2),
    Function("tanh", -9, 9, total(math.tanh), 4, 3),
    Function("sin", -30, 30, total(math.sin), 16, 2,
             absolute=True),
    Function("cos", -30, 30, total(math.cos), 32, 2,
             absolute=True),
    Function("tan", -1.5, 1.5, total(math.tan), 64, 4,
             absolute=True),
    Function("atan", -20, 20, total(math.atan), 18, 2),
    Function("erf", -4, 4, total(math.erf), 4, 2),
    Function("rsqrt", 1e-6, 1e6,
             total(lambda x: 1 / math.sqrt(x),
                   lambda x: huge(x) if x == 0 else math.nan), 2, 2),
    Function("sinh", -10, 10, total(math.sinh, huge), 16, 3),
    Function("cosh", -10, 10, total(math.cosh, lambda x: math.inf), 4, 3),
    Function("powf", 0.1, 10, total(math.pow), 40, 2, other=(-8, 8), edges=""),
    Function("atan2", -5, 5, total(math.atan2), 40, 3, other=(-5, 5), edges=""),
]


def has(function, kind, mode):
    return function.limit[mode, kind] is not None


def bits(value, kind):
    value = struct.pack("<f" if kind == "f32" else "<d", value)
    return "0x%0*X" % (2 * len(value), int.from_bytes(value, "little"))


def program(kind, mode):
    upper = kind.upper()
    print("""func.func private @rngPrintBits{upper}(memref<*x{kind}>)
    attributes {{llvm.emit_c_interface}}
func.func private @print(%x: tensor<?x{kind}>) {{
  %b = bufferization.to_buffer %x read_only
      : tensor<?x{kind}> to memref<?x{kind}>
  %c = memref.cast %b : memref<?x{kind}> to memref<*x{kind}>
  call @rngPrintBits{upper}(%c) : (memref<*x{kind}>) -> ()
  return
}}""".format(upper=upper, kind=kind))
    functions = [f for f in FUNCTIONS if has(f, kind, mode)]
    for f in functions:
        for name, shape in (("", COUNT), ("_edges", len(f.edges))):
            if shape == 0:
                continue
            t = "tensor<%dx%s>" % (shape, kind)
            operands = "%x, %y" if f.other else "%x"
            print("""
func.func private @{op}{name}(%x: {t}, %y: {t}) -> {t} {{
  %r = math.{op} {operands} : {t}
  return %r : {t}
}}""".format(op=f.op, name=name, t=t, operands=operands))
    print("func.func @main() {")
    for i, f in enumerate(functions):
        t = "tensor<%dx%s>" % (COUNT, kind)
        for operand, (lo, hi) in enumerate([(f.lo, f.hi), f.other or (0, 1)]):
            k = "%d_%d" % (i, operand)
            print("""  %lo{k} = arith.constant {lo} : {kind}
  %hi{k} = arith.constant {hi} : {kind}
  %seed{k} = arith.constant {i} : i64
  %offset{k} = arith.constant {operand} : i64
  %x{k} = rng.stateless_uniform %seed{k}, %offset{k} range(%lo{k}, %hi{k}) : {t}
  %c{k} = tensor.cast %x{k} : {t} to tensor<?x{kind}>
  call @print(%c{k}) : (tensor<?x{kind}>) -> ()""".format(
                k=k, lo=bits(lo, kind), hi=bits(hi, kind), i=i, t=t, kind=kind,
                operand=operand, upper=upper))
        print("""  %r{i} = call @{op}(%x{i}_0, %x{i}_1) : ({t}, {t}) -> {t}
  %c{i} = tensor.cast %r{i} : {t} to tensor<?x{kind}>
  call @print(%c{i}) : (tensor<?x{kind}>) -> ()""".format(
            i=i, op=f.op, t=t, kind=kind, upper=upper))
        if not f.edges:
            continue
        t = "tensor<%dx%s>" % (len(f.edges), kind)
        values = ", ".join(bits(edge, kind) for edge in f.edges)
        print("""  %e{i} = arith.constant dense<[{values}]> : {t}
  %s{i} = call @{op}_edges(%e{i}, %e{i}) : ({t}, {t}) -> {t}
  %d{i} = tensor.cast %s{i} : {t} to tensor<?x{kind}>
  call @print(%d{i}) : (tensor<?x{kind}>) -> ()""".format(
            i=i, op=f.op, t=t, kind=kind, upper=upper, values=values))
    print("  return\n}")


def ulp(got, want, kind, absolute):
    """The distance in units in the last place of `want`, or of a number of at
    least 1 if `absolute`."""
    precision, least = (24, -149) if kind == "f32" else (53, -1074)
    if got == want:
        return 0.0
    scale = max(abs(want), 1.0) if absolute else want
    exponent = math.frexp(scale)[1] - precision if scale else least
    return abs(got - want) / 2.0 ** max(exponent, least)


def read(line, kind):
    form = ">f" if kind == "f32" else ">d"
    return [struct.unpack(form, bytes.fromhex(word))[0]
            for word in line.split()]


def kind_of(x):
    if math.isnan(x):
        return "nan"
    name = "zero" if x == 0 else "inf" if math.isinf(x) else "finite"
    return ("-" if math.copysign(1, x) < 0 else "") + name


def check(kind, mode):
    lines = iter(sys.stdin.read().splitlines())
    failed = False
    for f in FUNCTIONS:
        if not has(f, kind, mode):
            continue
        x, y, results = (read(next(lines), kind) for _ in range(3))
        assert len(x) == len(y) == len(results) == COUNT
        arguments = list(zip(x, y)) if f.other else [(v,) for v in x]
        absolute = f.absolute and mode == "poly"
        errors = [(ulp(got, f.reference(*v), kind, absolute), v, got)
                  for v, got in zip(arguments, results)]
        error, where, got = max(errors)
        # The exact value is at most half a unit from the correctly rounded one.
        bad = not error <= f.limit[mode, kind] + 0.5
        failed |= bad
        print("%-6s %s %s: %6.2f ulp at %s%s" % (
            f.op, kind, mode, error, ", ".join("%.9g" % v for v in where),
            " FAILED: %.9g" % got if bad else ""))
        for edge, got in zip(f.edges, read(next(lines), kind) if f.edges else []):
            want = f.reference(edge)
            if mode == "poly" and got == want == 0:
                continue
            if kind_of(got) != kind_of(want):
                failed = True
                print("%-6s %s %s: %s gives %s instead of %s FAILED" % (
                    f.op, kind, mode, edge, got, want))
    print("failed" if failed else "all within limits")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit({"program": program, "check": check}[sys.argv[1]](*sys.argv[2:]))
