# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a softmax and a layer norm with a dropout behind them, and the backward
of each, and a main that prints what they return.

    row-programs.py static|dynamic ROWS COLUMNS      (ROWS as in 2x3)
"""

import sys

is_dynamic = sys.argv[1] == "dynamic"
rows = [int(size) for size in sys.argv[2].split("x")]
columns = int(sys.argv[3])
rank = len(rows)


def tensor(sizes, element="f32", static=False):
    sizes = ["?" if is_dynamic and not static else str(s) for s in sizes]
    return "tensor<" + "x".join([*sizes, element]) + ">"


FULL, MASK = tensor([*rows, columns]), tensor([*rows, columns], "i1")
ROW, COLUMN = tensor(rows), tensor([columns])


class Function:
    """The ops of a function."""

    def __init__(self):
        self.lines = []
        self.count = 0
        if is_dynamic:
            for d in range(rank + 1):
                self.lines.append(f"  %i{d} = arith.constant {d} : index")
                self.lines.append(f"  %d{d} = tensor.dim %x, %i{d} : {FULL}")

    def add(self, text):
        self.count += 1
        self.lines.append(f"  %{self.count} = {text}")
        return f"%{self.count}"

    def sizes(self, kind):
        if not is_dynamic:
            return ""
        return ", ".join(f"%d{d}" for d in range(rank + (kind == FULL)))

    def op(self, name, *operands, kind=FULL):
        return self.add(f"{name} {', '.join(operands)} : {kind}")

    def constant(self, value, kind=FULL):
        c = self.add(f"arith.constant {value} : f32")
        sizes = f"[{self.sizes(kind)}]" if is_dynamic else ""
        return self.add(f"tensor.splat {c}{sizes} : {kind}")

    def empty(self, kind):
        return self.add(f"tensor.empty({self.sizes(kind)}) : {kind}")

    def spread(self, value, kind):
        """Along rows if it has one element for each, else along columns."""
        dims = [rank] if kind == ROW else list(range(rank))
        return self.add(f"linalg.broadcast ins({value} : {kind}) outs("
                        f"{self.empty(FULL)} : {FULL}) dimensions = {dims}")

    def reduce(self, op, value, start):
        c = self.add(f"arith.constant {start} : f32")
        init = self.add(f"linalg.fill ins({c} : f32) outs({self.empty(ROW)} :"
                        f" {ROW}) -> {ROW}")
        return self.add(f"linalg.reduce {{ arith.{op} }} ins({value} : {FULL})"
                        f" outs({init} : {ROW}) dimensions = [{rank}]")

    def dropout(self, value, offset):
        p = self.add("arith.constant 0.75 : f32")
        o = self.add(f"arith.constant {offset} : i64")
        sizes = f" sizes({self.sizes(FULL)})" if is_dynamic else ""
        keep = self.add(f"rng.stateless_bernoulli %seed, {o} prob({p}){sizes}"
                        f" : {MASK}")
        scaled = self.op("arith.mulf", value, self.constant("1.3333334"))
        zero = self.constant("0.0")
        return self.add(f"arith.select {keep}, {scaled}, {zero} : {MASK},"
                        f" {FULL}")

    def softmax(self):
        top = self.reduce("maximumf", "%x", "-3.0e38")
        e = self.op("math.exp",
                    self.op("arith.subf", "%x", self.spread(top, ROW)))
        total = self.reduce("addf", e, "0.0")
        return self.op("arith.divf", e, self.spread(total, ROW))

    def mean(self, value):
        inverse = self.constant(repr(1.0 / max(columns, 1)), ROW)
        return self.op("arith.mulf", self.reduce("addf", value, "0.0"),
                       inverse, kind=ROW)

    def norm(self):
        mean = self.mean("%x")
        d = self.op("arith.subf", "%x", self.spread(mean, ROW))
        variance = self.mean(self.op("arith.mulf", d, d))
        shifted = self.op("arith.addf", variance,
                          self.constant("1.0e-5", ROW), kind=ROW)
        scale = self.op("math.rsqrt", shifted, kind=ROW)
        return (mean, scale,
                self.op("arith.mulf", d, self.spread(scale, ROW)))


def write(name, arguments, function, results):
    types = ", ".join(kind for _, kind in results)
    listed = ", ".join(f"%{a}: {kind}" for a, kind in arguments)
    print(f"func.func @{name}({listed}, %seed: i64) -> ({types}) {{")
    print("\n".join(function.lines))
    print(f"  return {', '.join(r for r, _ in results)} : {types}\n}}\n")
    return name, arguments, [kind for _, kind in results]


def softmax_forward():
    f = Function()
    y = f.dropout(f.softmax(), 3)
    return write("softmax_forward", [("x", FULL)], f, [(y, FULL)])


def softmax_backward():
    f = Function()
    p = f.softmax()
    g = f.dropout("%dy", 3)
    dot = f.reduce("addf", f.op("arith.mulf", g, p), "0.0")
    dx = f.op("arith.mulf", p, f.op("arith.subf", g, f.spread(dot, ROW)))
    return write("softmax_backward", [("x", FULL), ("dy", FULL)], f,
                 [(dx, FULL)])


def norm_forward():
    f = Function()
    mean, scale, normal = f.norm()
    y = f.op("arith.mulf", normal, f.spread("%gamma", COLUMN))
    y = f.op("arith.addf", y, f.spread("%beta", COLUMN))
    y = f.dropout(y, 5)
    return write("norm_forward",
                 [("x", FULL), ("gamma", COLUMN), ("beta", COLUMN)], f,
                 [(y, FULL), (mean, ROW), (scale, ROW)])


def norm_backward():
    f = Function()
    _, scale, normal = f.norm()
    g = f.op("arith.mulf", f.dropout("%dy", 5), f.spread("%gamma", COLUMN))
    m1 = f.mean(g)
    m2 = f.mean(f.op("arith.mulf", g, normal))
    dx = f.op("arith.subf", g, f.spread(m1, ROW))
    dx = f.op("arith.subf", dx,
              f.op("arith.mulf", normal, f.spread(m2, ROW)))
    dx = f.op("arith.mulf", dx, f.spread(scale, ROW))
    return write("norm_backward",
                 [("x", FULL), ("dy", FULL), ("gamma", COLUMN)], f,
                 [(dx, FULL)])


def main():
    print("func.func private @rngPrintF32(tensor<*xf32>\n"
          '    {bufferization.access = "read"})\n'
          "    attributes {llvm.emit_c_interface}\n")
    functions = [softmax_forward(), softmax_backward(), norm_forward(),
                 norm_backward()]
    print("func.func @main() {\n  %seed = arith.constant 7 : i64")
    inputs = [("x", [*rows, columns], FULL), ("dy", [*rows, columns], FULL),
              ("gamma", [columns], COLUMN), ("beta", [columns], COLUMN)]
    for k, (name, sizes, kind) in enumerate(inputs):
        static = tensor(sizes, static=True)
        print(f"  %o{k} = arith.constant {90 + k} : i64")
        print(f"  %s{k} = rng.stateless_uniform %seed, %o{k} : {static}")
        print(f"  %{name} = tensor.cast %s{k} : {static} to {kind}")
    for name, arguments, results in functions:
        values = ", ".join("%" + a for a, _ in arguments)
        types = ", ".join(kind for _, kind in arguments)
        print(f"  %{name}:{len(results)} = call @{name}({values}, %seed)"
              f" : ({types}, i64) -> ({', '.join(results)})")
        print(f'  vector.print str "{name}\\n"')
        for k, kind in enumerate(results):
            print(f"  %{name}_{k} = tensor.cast %{name}#{k} : {kind}"
                  " to tensor<*xf32>")
            print(f"  call @rngPrintF32(%{name}_{k})"
                  " : (tensor<*xf32>) -> ()")
    print("  return\n}")


main()
