# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes functions on tensors, made at random, and a main that prints what they
return: elementwise ops, draws, broadcasts, reductions, contractions and other
ops, whose values are used any number of times.

    fusion-programs.py SEED COUNT [static|dynamic]
"""

import random
import sys

SIZES = {"m": 6, "n": 20}


class Writer:

    def __init__(self, rng, is_dynamic):
        self.rng = rng
        self.is_dynamic = is_dynamic
        self.lines = []
        self.values = []  # (name, shape)
        self.count = 0
        self.indent = "  "

    def type(self, shape, element="f32"):
        sizes = ["?" if self.is_dynamic else str(SIZES[d]) for d in shape]
        return "tensor<" + "x".join([*sizes, element]) + ">"

    def line(self, text):
        self.lines.append(self.indent + text)

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def pick(self, shape=None, rank=None):
        known = [v for v in self.values
                 if (shape is None or v[1] == shape) and
                 (rank is None or len(v[1]) == rank)]
        if not known:
            return None
        # Recent ones more often: chains.
        return known[max(self.rng.randrange(len(known)),
                         self.rng.randrange(len(known)))]

    def add(self, text, shape):
        name = self.name()
        self.line(f"{name} = {text}")
        self.values.append((name, shape))
        return name

    def empty(self, shape, element="f32"):
        name = self.name()
        sizes = ", ".join("%" + d for d in shape) if self.is_dynamic else ""
        self.line(f"{name} = tensor.empty({sizes}) : "
                  f"{self.type(shape, element)}")
        return name

    def binary(self):
        a, shape = self.pick()
        b, _ = self.pick(shape)
        op = self.rng.choice(["addf", "subf", "mulf", "maximumf", "addf"])
        self.add(f"arith.{op} {a}, {b} : {self.type(shape)}", shape)

    def unary(self):
        a, shape = self.pick()
        op = self.rng.choice(["math.tanh", "arith.negf", "math.exp"])
        if op == "math.exp":
            a = self.add(f"math.tanh {a} : {self.type(shape)}", shape)
        self.add(f"{op} {a} : {self.type(shape)}", shape)

    def select(self):
        a, shape = self.pick()
        b, _ = self.pick(shape)
        c, _ = self.pick(shape)
        mask = self.name()
        self.line(f"{mask} = arith.cmpf olt, {a}, {c} : {self.type(shape)}")
        self.add(f"arith.select {mask}, {a}, {b} : {self.type(shape, 'i1')},"
                 f" {self.type(shape)}", shape)

    def draw(self):
        shape = self.rng.choice([("m", "n"), ("n", "m"), ("n",), ("m",)])
        sizes = (" sizes(" + ", ".join("%" + d for d in shape) + ")"
                 if self.is_dynamic else "")
        offset = self.name()
        self.line(f"{offset} = arith.constant {self.rng.randrange(99)} : i64")
        if self.rng.random() < 0.5:
            self.add(f"rng.stateless_uniform %seed, {offset}{sizes} :"
                     f" {self.type(shape)}", shape)
            return
        keep = self.name()
        self.line(f"{keep} = rng.stateless_bernoulli %seed, {offset} prob(%p)"
                  f"{sizes} : {self.type(shape, 'i1')}")
        for _ in range(self.rng.choice([1, 1, 2])):
            a = self.pick(shape)
            b = self.pick(shape)
            if a:
                self.add(f"arith.select {keep}, {a[0]}, {b[0]} :"
                         f" {self.type(shape, 'i1')}, {self.type(shape)}",
                         shape)

    def fill(self):
        shape = self.rng.choice([("m", "n"), ("n",)])
        init = self.empty(shape)
        self.add(f"linalg.fill ins(%p : f32) outs({init} : {self.type(shape)})"
                 f" -> {self.type(shape)}", shape)

    def broadcast(self):
        found = self.pick(rank=1)
        if not found:
            return
        a, (dim,) = found
        shape, new = self.rng.choice(
            [((d, dim), 0) for d in "mn"] + [((dim, d), 1) for d in "mn"])
        init = self.empty(shape)
        self.add(f"linalg.broadcast ins({a} : {self.type((dim,))}) outs({init}"
                 f" : {self.type(shape)}) dimensions = [{new}]", shape)

    def transpose(self):
        found = self.pick(rank=2)
        if not found:
            return
        a, shape = found
        turned = shape[::-1]
        init = self.empty(turned)
        self.add(f"linalg.transpose ins({a} : {self.type(shape)}) outs({init} :"
                 f" {self.type(turned)}) permutation = [1, 0]", turned)

    def reduce(self):
        found = self.pick(rank=2)
        if not found:
            return
        a, shape = found
        dim = self.rng.randrange(2)
        rest = (shape[1 - dim],)
        init = self.pick(rest)
        if not init or self.rng.random() < 0.7:
            empty = self.empty(rest)
            init = self.name()
            self.line(f"{init} = linalg.fill ins(%p : f32) outs({empty} :"
                      f" {self.type(rest)}) -> {self.type(rest)}")
        else:
            init = init[0]
        self.add(f"linalg.reduce {{ arith.addf }} ins({a} : {self.type(shape)})"
                 f" outs({init} : {self.type(rest)}) dimensions = [{dim}]",
                 rest)

    def matmul(self):
        found = self.pick(rank=2)
        if not found:
            return
        a, shape = found
        other = self.pick((shape[1], self.rng.choice("mn")))
        if not other:
            return
        b, shape_b = other
        result = (shape[0], shape_b[1])
        init = self.pick(result)
        if not init:
            return
        self.add(f"linalg.matmul ins({a}, {b} : {self.type(shape)},"
                 f" {self.type(shape_b)}) outs({init[0]} : {self.type(result)})"
                 f" -> {self.type(result)}", result)

    def generic(self):
        """Two results, indices, and a destination that is read."""
        found = self.pick(rank=2)
        if not found:
            return
        a, shape = found
        b, _ = self.pick(shape)
        init = self.empty(shape)
        name = self.name()
        one = "affine_map<(i, j) -> (i, j)>"
        two = "affine_map<(i, j) -> (j, i)>"
        if self.rng.random() < 0.7:
            two = one
        kind = self.type(shape)
        maps = ", ".join([one] * 3)
        if two != one:
            # Loops in another order than the results'.
            maps = ", ".join([two] * 3)
        self.line(f"{name}:2 = linalg.generic {{indexing_maps = [{maps}],")
        self.line('    iterator_types = ["parallel", "parallel"]}'
                  f" ins({a} : {kind}) outs({b}, {init} : {kind}, {kind}) {{")
        self.line("^bb0(%x: f32, %o: f32, %q: f32):")
        self.line("  %i = linalg.index 1 : index")
        self.line("  %ii = arith.index_cast %i : index to i32")
        self.line("  %if = arith.sitofp %ii : i32 to f32")
        self.line("  %y = arith.addf %x, %if : f32")
        self.line("  %z = arith.subf %y, %o : f32")
        self.line("  linalg.yield %z, %y : f32, f32")
        self.line(f"}} -> ({kind}, {kind})")
        self.values.append((f"{name}#0", shape))
        if self.rng.random() < 0.6:
            self.values.append((f"{name}#1", shape))

    def gather(self):
        """Reads another tensor anywhere, from inside the body."""
        found = self.pick(rank=2)
        vector = self.pick(rank=1)
        if not found or not vector:
            return
        a, shape = found
        b, (dim,) = vector
        init = self.empty(shape)
        kind = self.type(shape)
        one = "affine_map<(i, j) -> (i, j)>"
        name = self.name()
        self.line(f"{name} = linalg.generic {{indexing_maps = [{one}, {one}],")
        self.line('    iterator_types = ["parallel", "parallel"]}'
                  f" ins({a} : {kind}) outs({init} : {kind}) {{")
        self.line("^bb0(%x: f32, %o: f32):")
        self.line("  %i = linalg.index 0 : index")
        self.line("  %j = linalg.index 1 : index")
        self.line("  %s = arith.addi %i, %j : index")
        self.line(f"  %k = arith.remui %s, %{dim} : index")
        self.line(f"  %ge = tensor.extract {b}[%k] : {self.type((dim,))}")
        self.line("  %y = arith.mulf %x, %ge : f32")
        self.line("  linalg.yield %y : f32")
        self.line(f"}} -> {kind}")
        self.values.append((name, shape))

    def slices(self):
        found = self.pick(rank=1)
        if not found:
            return
        a, (dim,) = found
        b, _ = self.pick((dim,))
        part = self.name()
        self.line(f"{part} = tensor.extract_slice {a}[1] [3] [1] :"
                  f" {self.type((dim,))} to tensor<3xf32>")
        sum = self.name()
        self.line(f"{sum} = arith.addf {part}, {part} : tensor<3xf32>")
        self.add(f"tensor.insert_slice {sum} into {b}[2] [3] [1] :"
                 f" tensor<3xf32> into {self.type((dim,))}", (dim,))

    def loop(self):
        a, shape = self.pick()
        b, _ = self.pick(shape)
        kind = self.type(shape)
        name, s, t = self.name(), self.name(), self.name()
        self.line(f"{name} = scf.for %k = %c0 to %c3 step %c1"
                  f" iter_args(%acc = {a}) -> ({kind}) {{")
        self.line(f"  {s} = arith.addf %acc, {b} : {kind}")
        self.line(f"  {t} = math.tanh {s} : {kind}")
        self.line(f"  scf.yield {t} : {kind}")
        self.line("}")
        self.values.append((name, shape))

    def effect(self):
        """A number that is printed, and one that comes from the tensors."""
        found = self.pick(rank=1)
        if not found:
            return
        a, shape = found
        e = self.name()
        self.line(f"{e} = tensor.extract {a}[%c1] : {self.type(shape)}")
        self.line(f"vector.print {e} : f32")
        b, shape = self.pick()
        init = self.empty(shape)
        f = self.name()
        self.line(f"{f} = linalg.fill ins({e} : f32) outs({init} :"
                  f" {self.type(shape)}) -> {self.type(shape)}")
        self.add(f"arith.addf {b}, {f} : {self.type(shape)}", shape)


def write_function(rng, label, is_dynamic):
    w = Writer(rng, is_dynamic)
    for name, shape in [("%a", ("m", "n")), ("%b", ("m", "n")), ("%c", ("n",)),
                        ("%d", ("m",)), ("%e", ("n", "m"))]:
        w.values.append((name, shape))
    arguments = ", ".join(f"{v}: {w.type(s)}" for v, s in w.values)
    kinds = ([w.binary] * 6 + [w.unary] * 2 + [w.draw] * 3 + [w.select] * 2 +
             [w.broadcast] * 3 + [w.reduce] * 2 +
             [w.fill, w.transpose, w.matmul, w.generic, w.gather, w.slices,
              w.loop, w.effect])
    for _ in range(rng.randrange(8, 40)):
        rng.choice(kinds)()
    results = [w.values[-1]]
    for value in w.values[5:-1]:
        if rng.random() < 0.15:
            results.append(value)
    types = ", ".join(w.type(s) for _, s in results)
    print(f"func.func private @{label}({arguments}, %seed: i64, %p: f32)"
          f" -> ({types}) {{")
    for k in (0, 1, 3):
        print(f"  %c{k} = arith.constant {k} : index")
    print(f"  %m = tensor.dim %a, %c0 : {w.type(('m', 'n'))}")
    print(f"  %n = tensor.dim %a, %c1 : {w.type(('m', 'n'))}")
    print("\n".join(w.lines))
    print(f"  return {', '.join(v for v, _ in results)} : {types}\n}}")
    return [s for _, s in results]


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    is_dynamic = sys.argv[3] == "dynamic"
    print("func.func private @rngPrintF32(tensor<*xf32>\n"
          '    {bufferization.access = "read"})\n'
          "    attributes {llvm.emit_c_interface}")
    rng = random.Random(seed)
    functions = {}
    for k in range(count):
        functions[f"f{k}"] = write_function(rng, f"f{k}", is_dynamic)
    w = Writer(rng, is_dynamic)
    fixed = Writer(rng, False)
    print("func.func @main() {\n  %seed = arith.constant 7 : i64\n"
          "  %p = arith.constant 0.3 : f32")
    names, types = [], []
    for k, shape in enumerate([("m", "n"), ("m", "n"), ("n",), ("m",),
                               ("n", "m")]):
        print(f"  %o{k} = arith.constant {k} : i64\n  %s{k} ="
              f" rng.stateless_uniform %seed, %o{k} : {fixed.type(shape)}")
        if is_dynamic:
            print(f"  %d{k} = tensor.cast %s{k} : {fixed.type(shape)} to"
                  f" {w.type(shape)}")
        names.append(f"%{'d' if is_dynamic else 's'}{k}")
        types.append(w.type(shape))
    for label, shapes in functions.items():
        outs = ", ".join(w.type(s) for s in shapes)
        print(f"  %{label}:{len(shapes)} = call @{label}({', '.join(names)},"
              f" %seed, %p)\n      : ({', '.join(types)}, i64, f32)"
              f" -> ({outs})")
        print(f'  vector.print str "{label}\\n"')
        for k, shape in enumerate(shapes):
            print(f"  %{label}_{k} = tensor.cast %{label}#{k} :"
                  f" {w.type(shape)} to tensor<*xf32>")
            print(f"  call @rngPrintF32(%{label}_{k}) :"
                  " (tensor<*xf32>) -> ()")
    print("  return\n}")


main()
