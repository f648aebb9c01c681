#===- generator.py - Random joint functions --------------------------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Random functions with cotangents and gradients. They are no derivatives: any
op may use any value that is there, as long as no primal result depends on a
cotangent. Floats stay finite (each value has a bound), so that bits can be
compared. Names of constructs are counted in `Function.constructs`.
"""
import os
import sys
from collections import Counter
from dataclasses import dataclass

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             os.pardir, "Inputs"))
from fuzzing import Random

FLOATS = ["f32", "f32", "f32", "bf16", "f16", "f64"]
INTS = ["i32", "i32", "i64", "i8"]
WIDTH = {"bf16": 16, "f16": 16, "f32": 32, "f64": 64,
         "i1": 1, "i8": 8, "i32": 32, "i64": 64}
# None is a dynamic dimension; at run time it is SIZE, as is %n.
SIZE = 5
SHAPES = [(4,), (8,), (4, 8), (8, 4), (4, 4), (2, 3), (32,), (1, 6), (None,),
          (None, 4)]
LIMIT = 1000.0


@dataclass(frozen=True)
class Value:
    name: str
    element: str
    shape: tuple  # None for a scalar.
    bound: float  # Largest absolute value, of floats.
    backward: bool  # Depends on a cotangent.

    @property
    def type(self):
        return type_of(self.element, self.shape)

    @property
    def is_float(self):
        return "f" in self.element


def type_of(element, shape):
    if shape is None:
        return element
    sizes = "".join("%sx" % ("?" if s is None else s) for s in shape)
    return "tensor<%s%s>" % (sizes, element)


def count(shape):
    product = 1
    for size in shape or ():
        product *= SIZE if size is None else size
    return product


class Function:
    def __init__(self, name, seed, size):
        self.name = name
        self.random = Random(seed)
        self.constructs = Counter()
        self.helpers = []
        self.lines = []
        self.indent = 1
        self.next = 0
        self.values = []
        # Values used since a region began, for its op is what uses them.
        self.used = []
        self.ever_used = set()
        self.depth = 0
        self.build(size)

    # ------------------------------------------------------------- writing

    def fresh(self):
        self.next += 1
        return "%%v%d" % self.next

    def write(self, line):
        self.lines.append("  " * self.indent + line)

    def use(self, *values):
        self.used += values
        self.ever_used.update(v.name for v in values)

    def define(self, text, element, shape, operands, bound=0.0, orders=True):
        """Writes an op with one result of that type."""
        name = self.fresh()
        if orders and self.depth == 0:
            text = text.replace("{}", self.order())
        text = text.replace("{}", "")
        self.use(*operands)
        self.write("%s = %s" % (name, text))
        value = Value(name, element, shape, bound,
                      any(v.backward for v in operands))
        if value.is_float and bound > LIMIT:
            value = self.define("math.tanh %s : %s" % (name, value.type),
                                element, shape, [value], 1.0)
            return value
        self.values.append(value)
        return value

    def order(self):
        if self.random.chance(4):
            self.constructs["rng.save"] += 1
            return "{rng.save}"
        if self.random.chance(4):
            self.constructs["rng.recompute"] += 1
            return "{rng.recompute}"
        return ""

    # ------------------------------------------------------------- picking

    def pick(self, backward, test=lambda v: True, recent=True):
        """A value that passes `test`; without `backward` none that depends on
        a cotangent. None if there is none."""
        found = [v for v in self.values
                 if (backward or not v.backward) and test(v)]
        if not found:
            return None
        if backward and self.random.chance(50):
            found = [v for v in found if v.backward] or found
        elif backward:
            # Of the forward, anything.
            found = [v for v in found if not v.backward] or found
            recent = False
        if recent and self.random.chance(60):
            found = found[-6:]
        return self.random.pick(found)

    def pick_tensor(self, backward, test=lambda v: True):
        return self.pick(backward, lambda v: v.shape is not None and test(v))

    def pick_float(self, backward, test=lambda v: True):
        return self.pick(backward, lambda v: v.is_float and test(v))

    def pick_like(self, backward, like):
        return self.pick(backward, lambda v: v.type == like.type)

    # ------------------------------------------------------------- helpers

    def constant(self, text, element, shape=None):
        name = self.fresh()
        if shape is not None:
            text = "dense<%s>" % text
        self.write("%s = arith.constant %s : %s" % (name, text,
                                                    type_of(element, shape)))
        return name

    def index(self, k):
        return self.constant(str(k), "index")

    def empty(self, element, shape):
        sizes = ", ".join("%n" for s in shape if s is None)
        name = self.fresh()
        self.write("%s = tensor.empty(%s) : %s" % (name, sizes,
                                                   type_of(element, shape)))
        if None in shape:
            self.use(self.n)
        return name

    def filled(self, text, element, shape):
        empty = self.empty(element, shape)
        scalar = self.constant(text, element)
        name = self.fresh()
        ty = type_of(element, shape)
        self.write("%s = linalg.fill ins(%s : %s) outs(%s : %s) -> %s" % (
            name, scalar, element, empty, ty, ty))
        return name

    # ----------------------------------------------------------------- ops

    def unary(self, backward):
        a = self.pick(backward, lambda v: v.element != "i1")
        if a is None:
            return
        if not a.is_float:
            one = self.constant("-3", a.element, static(a.shape)) \
                if static(a.shape) == a.shape else None
            if one is None:
                return
            self.define("arith.addi %s, %s {} : %s" % (a.name, one, a.type),
                        a.element, a.shape, [a])
            return
        ops = ["math.sin", "math.cos", "math.tanh", "math.absf", "arith.negf"]
        op = self.random.pick(ops + (["math.exp"] if a.bound <= 6 else []))
        bound = {"math.absf": a.bound, "arith.negf": a.bound,
                 "math.exp": 2.72 ** min(a.bound, 6)}.get(op, 1.0)
        self.constructs[op] += 1
        self.define("%s %s {} : %s" % (op, a.name, a.type), a.element, a.shape,
                    [a], bound)

    def binary(self, backward):
        a = self.pick(backward, lambda v: v.element != "i1")
        if a is None:
            return
        b = self.pick_like(backward, a)
        if a == b and not a.is_float:
            # As in `compare`.
            return
        if a.is_float:
            op = self.random.pick(["addf", "subf", "mulf", "mulf", "maximumf",
                                   "minimumf"])
            bound = {"mulf": a.bound * b.bound, "addf": a.bound + b.bound,
                     "subf": a.bound + b.bound}.get(op, max(a.bound, b.bound))
        else:
            op = self.random.pick(["addi", "subi", "muli", "xori", "andi",
                                   "maxsi"])
            bound = 0.0
        self.constructs["elementwise " + a.element] += 1
        self.define("arith.%s %s, %s {} : %s" % (op, a.name, b.name, a.type),
                    a.element, a.shape, [a, b], bound)

    def extended(self, backward):
        """Two results."""
        a = self.pick(backward, lambda v: v.element in ("i32", "i8"))
        if a is None:
            return
        b = self.pick_like(backward, a)
        low, high = self.fresh(), self.fresh()
        self.use(a, b)
        self.write("%s, %s = arith.mulsi_extended %s, %s %s : %s" % (
            low, high, a.name, b.name,
            self.order() if self.depth == 0 else "", a.type))
        self.constructs["several results"] += 1
        for name in (low, high):
            self.values.append(Value(name, a.element, a.shape, 0.0,
                                     a.backward or b.backward))

    def compare(self, backward):
        a = self.pick(backward, lambda v: v.element != "i1")
        if a is None:
            return
        b = self.pick_like(backward, a)
        if a == b:
            # Upstream folds this to a constant, of a dynamic type as well.
            return
        op = "arith.cmpf olt" if a.is_float else "arith.cmpi slt"
        self.define("%s, %s, %s : %s" % (op, a.name, b.name, a.type), "i1",
                    a.shape, [a, b])

    def select(self, backward):
        c = self.pick(backward, lambda v: v.element == "i1")
        if c is None:
            return
        a = self.pick(backward, lambda v: v.element != "i1" and
                      v.shape == c.shape)
        if a is None:
            return
        b = self.pick_like(backward, a)
        types = a.type if c.shape is None else "%s, %s" % (c.type, a.type)
        self.define("arith.select %s, %s, %s {} : %s" % (
            c.name, a.name, b.name, types), a.element, a.shape, [c, a, b],
            max(a.bound, b.bound))

    def cast(self, backward):
        a = self.pick(backward)
        if a is None:
            return
        if a.is_float:
            to = self.random.pick([e for e in WIDTH if e != a.element and
                                   e != "i1"])
            if "f" not in to:
                if to == "i8" or a.bound > LIMIT:
                    return
                op = "arith.fptosi"
            elif WIDTH[to] == WIDTH[a.element]:
                return
            else:
                op = "arith.extf" if WIDTH[to] > WIDTH[a.element] else \
                    "arith.truncf"
            bound = a.bound
        elif a.element == "i1":
            to, op, bound = self.random.pick([
                ("f32", "arith.uitofp", 1.0), ("i8", "arith.extui", 0.0),
                ("bf16", "arith.uitofp", 1.0)])
        elif self.random.chance(50):
            to = self.random.pick(["f32", "f64"])
            op, bound = "arith.sitofp", 2.0 ** WIDTH[a.element]
        else:
            to = self.random.pick([e for e in ("i8", "i32", "i64")
                                   if e != a.element])
            op = "arith.extsi" if WIDTH[to] > WIDTH[a.element] else \
                "arith.trunci"
            bound = 0.0
        self.constructs["casts"] += 1
        self.define("%s %s {} : %s to %s" % (op, a.name, a.type,
                                             type_of(to, a.shape)), to,
                    a.shape, [a], bound)

    def reduce(self, backward):
        a = self.pick_tensor(backward, lambda v: v.element != "i1" and
                             len(v.shape) == 2)
        if a is None:
            return
        d = self.random.below(2)
        shape = (a.shape[1 - d],)
        if a.is_float:
            op, init, bound = self.random.pick([
                ("arith.addf", "0.0", a.bound * count(a.shape)),
                ("arith.maximumf", "-1000.0", LIMIT)])
            if a.element in ("bf16", "f16") and op == "arith.addf":
                return
        else:
            op, init, bound = "arith.addi", "0", 0.0
        init = self.filled(init, a.element, shape)
        self.constructs["reductions"] += 1
        ty = type_of(a.element, shape)
        self.define("linalg.reduce {%s} ins(%s : %s) outs(%s : %s) "
                    "dimensions = [%d]" % (op, a.name, a.type, init, ty, d),
                    a.element, shape, [a] + self.dims(shape), bound)

    def dims(self, shape):
        return [self.n] if None in shape else []

    def broadcast(self, backward):
        a = self.pick_tensor(backward, lambda v: len(v.shape) == 1)
        if a is None:
            return
        d = self.random.below(2)
        size = self.random.pick([2, 4, None])
        shape = (size,) + a.shape if d == 0 else a.shape + (size,)
        empty = self.empty(a.element, shape)
        self.constructs["broadcasts"] += 1
        self.define("linalg.broadcast ins(%s : %s) outs(%s : %s) dimensions = "
                    "[%d]" % (a.name, a.type, empty, type_of(a.element, shape),
                              d), a.element, shape, [a] + self.dims(shape),
                    a.bound)

    def transpose(self, backward):
        a = self.pick_tensor(backward, lambda v: len(v.shape) == 2)
        if a is None:
            return
        shape = a.shape[::-1]
        empty = self.empty(a.element, shape)
        self.constructs["transposes"] += 1
        self.define("linalg.transpose ins(%s : %s) outs(%s : %s) permutation "
                    "= [1, 0]" % (a.name, a.type, empty,
                                  type_of(a.element, shape)), a.element, shape,
                    [a] + self.dims(shape), a.bound)

    def matmul(self, backward):
        a = self.pick_tensor(backward, lambda v: v.element in ("f32", "f64") and
                             len(v.shape) == 2)
        if a is None:
            return
        b = self.pick_tensor(backward, lambda v: v.element == a.element and
                             len(v.shape) == 2 and v.shape[0] == a.shape[1])
        if b is None:
            return
        shape = (a.shape[0], b.shape[1])
        init = self.filled("0.0", a.element, shape)
        ty = type_of(a.element, shape)
        self.constructs["matmuls"] += 1
        self.define("linalg.matmul {} ins(%s, %s : %s, %s) outs(%s : %s) -> %s"
                    % (a.name, b.name, a.type, b.type, init, ty, ty),
                    a.element, shape, [a, b] + self.dims(shape),
                    a.bound * b.bound * count((a.shape[1],)))

    def view(self, backward):
        a = self.pick_tensor(backward, lambda v: None not in v.shape)
        if a is None:
            return
        self.constructs["views"] += 1
        kind = self.random.below(4)
        if kind == 0 and len(a.shape) == 2:
            shape = (count(a.shape),)
            text = "tensor.collapse_shape %s [[0, 1]] : %s into %s"
        elif kind == 1 and len(a.shape) == 1 and a.shape[0] % 4 == 0:
            shape = (a.shape[0] // 4, 4)
            text = ("tensor.expand_shape %%s [[0, 1]] output_shape [%d, 4] : "
                    "%%s into %%s" % shape[0])
        elif kind == 2 and len(a.shape) == 1:
            size = 1 + self.random.below(a.shape[0])
            offset = self.random.below(a.shape[0] - size + 1)
            shape = (size,)
            text = ("tensor.extract_slice %%s[%d] [%d] [1] : %%s to %%s" %
                    (offset, size))
        elif kind == 3 and len(a.shape) == 2:
            row = self.random.below(a.shape[0])
            shape = (a.shape[1],)
            text = ("tensor.extract_slice %%s[%d, 0] [1, %d] [1, 1] : %%s to "
                    "%%s" % (row, a.shape[1]))
        else:
            return
        self.define(text % (a.name, a.type, type_of(a.element, shape)),
                    a.element, shape, [a], a.bound)

    def insert(self, backward):
        a = self.pick_tensor(backward, lambda v: len(v.shape) == 1 and
                             None not in v.shape)
        if a is None:
            return
        b = self.pick_tensor(backward, lambda v: v.element == a.element and
                             len(v.shape) == 1 and None not in v.shape and
                             v.shape[0] >= a.shape[0])
        self.constructs["tensor.insert_slice"] += 1
        self.define("tensor.insert_slice %s into %s[0] [%d] [1] {} : %s into %s"
                    % (a.name, b.name, a.shape[0], a.type, b.type), b.element,
                    b.shape, [a, b], max(a.bound, b.bound))

    def scalar(self, backward):
        a = self.pick_tensor(backward)
        if a is None:
            return
        self.constructs["scalars"] += 1
        where = self.index(self.random.below(min(s or SIZE for s in a.shape)))
        s = self.define("tensor.extract %s[%s] {} : %s" % (
            a.name, ", ".join([where] * len(a.shape)), a.type), a.element, None,
            [a], a.bound)
        if self.random.chance(50) and None not in a.shape:
            self.define("tensor.splat %s : %s" % (s.name, a.type), a.element,
                        a.shape, [s], s.bound)

    def draw(self, backward):
        """Of a generator, or a pure one at a given state. The backward has a
        generator of its own: how much it draws may depend on a cotangent."""
        shape = self.random.pick(SHAPES + [None])
        sizes = "sizes(%n) " if shape and None in shape else ""
        stateless = self.random.chance(50 if backward else 25)
        generator = "@noise " if backward else ""
        kind = self.random.pick(["uniform", "bernoulli", "bernoulli", "bits"])
        element, extra, bound = {
            "uniform": (self.random.pick(["f32", "f64", "bf16", "f16"]), "",
                        1.0),
            "bernoulli": ("i1", "prob(%s) ", 0.0),
            "bits": ("i32", "", 0.0)}[kind]
        operands = self.dims(shape or ())
        if kind == "bernoulli":
            p = self.pick(backward, lambda v: v.element == "f32" and
                          v.shape is None)
            if p is None or self.random.chance(60):
                extra %= self.constant("0.7", "f32")
            else:
                extra %= p.name
                operands.append(p)
        if stateless:
            seed = self.pick(False, lambda v: v.element == "i64" and
                             v.shape is None)
            if seed is None:
                return
            offset = self.constant(str(self.random.below(1 << 40)), "i64")
            operands.append(seed)
            op = "rng.stateless_%s %s, %s " % (kind, seed.name, offset)
        else:
            op = "rng.%s %s" % (kind, generator)
            if backward:
                # Not for the forward, as if it used a cotangent.
                operands.append(next(v for v in self.values if v.backward))
        self.constructs["draws, " + ("stateless" if stateless else
                                     "stateful of the backward" if backward else
                                     "stateful")] += 1
        order = self.order() if stateless and self.depth == 0 else ""
        self.define("%s%s%s%s: %s" % (op, extra, sizes, order + " " if order
                                      else "", type_of(element, shape)),
                    element, shape, operands, bound)

    def call(self, backward):
        a = self.pick(backward, lambda v: v.is_float)
        if a is None:
            return
        name = "%s_helper%d" % (self.name, len(self.helpers))
        body = ["  %%0 = math.sin %%x : %s" % a.type]
        if a.type == "tensor<8xf32>" and not backward and self.random.chance(50):
            body += ["  %u = rng.uniform : tensor<8xf32>",
                     "  %1 = arith.addf %0, %u : tensor<8xf32>"]
            self.constructs["calls that draw"] += 1
        else:
            body += ["  %%1 = arith.addf %%0, %%x : %s" % a.type]
        self.constructs["calls"] += 1
        self.helpers.append("\n".join(
            ["func.func private @%s(%%x: %s) -> %s {" % (name, a.type, a.type)]
            + body + ["  return %%1 : %s" % a.type, "}"]))
        self.define("func.call @%s(%s) : (%s) -> %s" % (
            name, a.name, a.type, a.type), a.element, a.shape, [a],
            a.bound + 2.0)

    # -------------------------------------------------------------- regions

    def region(self, backward, wanted, inner=()):
        """Ops of a region that ends in values of the types of `wanted`, which
        it returns."""
        before = list(self.values)
        self.indent += 1
        self.depth += 1
        self.values += inner
        for _ in range(self.random.below(4)):
            self.random.pick([self.unary, self.binary, self.binary, self.cast,
                              self.compare, self.select, self.draw,
                              self.extended, self.reduce, self.view])(backward)
        result = []
        for like in wanted:
            value = self.pick_like(backward, like)
            if value.is_float and value.bound > like.bound:
                value = self.define("math.sin %s : %s" % (value.name,
                                                          value.type),
                                    value.element, value.shape, [value], 1.0)
            self.use(value)
            result.append(value)
        self.indent -= 1
        self.depth -= 1
        self.values = before
        return result

    def region_op(self, backward, operands, head, bodies, wanted):
        """Writes an op with regions; `bodies` are functions that write them and
        the lines between."""
        names = [self.fresh() for _ in wanted]
        at = len(self.lines)
        outer, self.used = self.used, list(operands)
        for body in bodies:
            body()
        captured, self.used = self.used, outer + self.used
        known = {v.name for v in self.values}
        uses = any(v.backward for v in captured if v.name in known)
        self.lines.insert(at, "  " * self.indent + ", ".join(names) + " = " +
                          head + " {")
        self.write("}" + (" " + self.order() if self.depth == 0 else ""))
        for name, like in zip(names, wanted):
            self.values.append(Value(name, like.element, like.shape,
                                     max(like.bound, 1.0) if like.is_float
                                     else 0.0, uses))

    def yield_(self, op, values):
        self.write("  %s %s : %s" % (op, ", ".join(v.name for v in values),
                                     ", ".join(v.type for v in values)))

    def branch(self, backward):
        c = self.pick(backward, lambda v: v.element == "i1" and
                      v.shape is None)
        wanted = [self.pick(backward) for _ in range(1 + self.random.below(2))]
        if c is None or None in wanted:
            return

        def then():
            self.yield_("scf.yield", self.region(backward, wanted))

        def otherwise():
            self.write("} else {")
            then()
        self.constructs["scf.if"] += 1
        self.region_op(backward, [c], "scf.if %s -> (%s)" % (
            c.name, ", ".join(v.type for v in wanted)), [then, otherwise],
            wanted)

    def loop(self, backward):
        inits = [self.pick(backward) for _ in range(1 + self.random.below(2))]
        if None in inits:
            return
        low, step = self.index(0), self.index(1)
        high = "%n" if self.random.chance(40) else \
            self.index(self.random.below(4))
        i = self.fresh()
        args = [Value(self.fresh(), v.element, v.shape, max(v.bound, 1.0),
                      v.backward) for v in inits]

        def body():
            inner = args
            if self.random.chance(50):
                cast, number = self.fresh(), self.fresh()
                self.write("  %s = arith.index_cast %s : index to i32" %
                           (cast, i))
                self.write("  %s = arith.sitofp %s : i32 to f32" % (number,
                                                                  cast))
                inner = args + [Value(number, "f32", None, 10.0, False)]
            self.yield_("scf.yield", self.region(backward, args, inner))
        self.constructs["scf.for"] += 1
        uses = list(inits) + ([self.n] if high == "%n" else [])
        self.region_op(backward, uses, "scf.for %s = %s to %s step %s "
                       "iter_args(%s) -> (%s)" % (
                           i, low, high, step, ", ".join(
                               "%s = %s" % (a.name, v.name)
                               for a, v in zip(args, inits)),
                           ", ".join(v.type for v in inits)), [body], args)

    def generate(self, backward):
        a = self.pick_tensor(backward, lambda v: v.is_float and
                             None not in v.shape)
        s = self.pick(backward, lambda v: a is not None and v.shape is None and
                      v.element == a.element)
        if s is None:
            return
        where = [self.fresh() for _ in a.shape]
        x, y, z = self.fresh(), self.fresh(), self.fresh()

        def body():
            self.write("^bb0(%s):" % ", ".join("%s: index" % w for w in where))
            self.write("  %s = tensor.extract %s[%s] : %s" % (
                x, a.name, ", ".join(where), a.type))
            self.write("  %s = arith.addf %s, %s : %s" % (y, x, s.name,
                                                         a.element))
            self.write("  %s = math.sin %s : %s" % (z, y, a.element))
            self.write("  tensor.yield %s : %s" % (z, a.element))
        self.constructs["tensor.generate"] += 1
        name = self.fresh()
        self.use(a, s)
        self.write("%s = tensor.generate {" % name)
        body()
        self.write("} : %s" % a.type)
        self.values.append(Value(name, a.element, a.shape, 1.0,
                                 a.backward or s.backward))

    def generic(self, backward):
        """Two results, a captured scalar, an input of another orientation."""
        a = self.pick_tensor(backward, lambda v: v.is_float and
                             len(v.shape) == 2)
        if a is None:
            return
        b = self.pick_tensor(backward, lambda v: v.element == a.element and
                             v.shape in (a.shape[::-1], a.shape[1:]))
        s = self.pick(backward, lambda v: v.shape is None and
                      v.element == a.element)
        if b is None or s is None:
            return
        other = "(j, i)" if len(b.shape) == 2 else "(j)"
        maps = ["affine_map<(i, j) -> %s>" % m for m in
                ("(i, j)", other, "(i, j)", "(i, j)")]
        first = self.empty(a.element, a.shape)
        second = self.empty(a.element, a.shape)
        name, e = self.fresh(), a.element
        p, q = self.fresh(), self.fresh()
        self.write("%s:2 = linalg.generic {indexing_maps = [%s], iterator_types"
                   " = [\"parallel\", \"parallel\"]} ins(%s, %s : %s, %s) "
                   "outs(%s, %s : %s, %s) {" % (
                       name, ", ".join(maps), a.name, b.name, a.type, b.type,
                       first, second, a.type, a.type))
        x, y = self.fresh(), self.fresh()
        self.write("^bb0(%s: %s, %s: %s, %s: %s, %s: %s):" % (
            x, e, y, e, self.fresh(), e, self.fresh(), e))
        self.write("  %s = arith.addf %s, %s : %s" % (p, x, s.name, e))
        self.write("  %s = arith.subf %s, %s : %s" % (q, y, p, e))
        self.write("  linalg.yield %s, %s : %s, %s" % (p, q, e, e))
        self.write("} -> (%s, %s)" % (a.type, a.type))
        self.use(a, b, s)
        self.constructs["linalg.generic"] += 1
        for k in range(2):
            self.values.append(Value(
                "%s#%d" % (name, k), e, a.shape, a.bound + b.bound + s.bound,
                a.backward or b.backward or s.backward))

    # ---------------------------------------------------------------- whole

    def build(self, size):
        r = self.random
        args = []

        def argument(name, element, shape, mark):
            cotangent = mark == "rng.cotangent"
            value = Value(name, element, shape, 3.0, cotangent)
            args.append((value, mark))
            self.values.append(value)
            return value
        self.n = Value("%n", "index", None, 0.0, False)
        for k in range(2 + r.below(3)):
            element = r.pick(FLOATS + INTS)
            argument("%%a%d" % k, element, r.pick(SHAPES),
                     "rng.persistent" if r.chance(25) else "")
        argument("%c", "i1", None, "")
        argument("%s", r.pick(["f32", "f64"]), None, "")
        argument("%seed", "i64", None, "")
        for k in range(1 + r.below(3)):
            argument("%%d%d" % k, r.pick(FLOATS + ["i32"]),
                     r.pick(SHAPES + [None]), "rng.cotangent")
        # Arguments of any order.
        order = [(self.n, "")] + args
        for k in range(len(order) - 1, 0, -1):
            j = r.below(k + 1)
            order[k], order[j] = order[j], order[k]

        ops = ([self.unary] * 4 + [self.binary] * 8 + [self.select] * 2 +
               [self.compare] * 2 + [self.cast] * 3 + [self.view] * 2 +
               [self.draw] * 2 + [self.reduce] * 2 + [self.broadcast] * 2 +
               [self.transpose, self.matmul, self.matmul, self.extended,
                self.insert, self.scalar, self.call, self.branch, self.branch,
                self.loop, self.generate, self.generic])
        for step in range(size):
            # First forward, then both.
            r.pick(ops)(backward=step * 5 > 3 * size and r.chance(85))

        # What nothing uses yet, so that little is dead, and whatever else.
        forward = [v for v in self.values if not v.backward]
        late = [v for v in self.values if v.backward]

        def ends(values, percent):
            return [v for v in values if v.name not in self.ever_used and
                    r.chance(percent)][-12:]
        results = [(v, "") for v in ends(forward, 60)]
        results += [(v, "rng.gradient") for v in ends(late, 90)]
        results += [(r.pick(forward), "") for _ in range(r.below(3))]
        results += [(r.pick(late), "rng.gradient")]
        if r.chance(30):
            results.append((r.pick(forward), "rng.persistent"))
        if r.chance(40):
            results.append((r.pick(forward), "rng.gradient"))
        for k in range(len(results) - 1, 0, -1):
            j = r.below(k + 1)
            results[k], results[j] = results[j], results[k]
        self.arguments = order
        self.results = results

    def text(self):
        def mark(text):
            return " {%s}" % text if text else ""
        head = "func.func @%s(%s) -> (%s) {" % (
            self.name,
            ", ".join("%s: %s%s" % (v.name, v.type, mark(m))
                      for v, m in self.arguments),
            ", ".join(v.type + mark(m) for v, m in self.results))
        tail = "  return %s : %s" % (
            ", ".join(v.name for v, _ in self.results),
            ", ".join(v.type for v, _ in self.results))
        return "\n".join([head] + self.lines + [tail, "}"] + self.helpers) + "\n"


def static(shape):
    return None if shape is not None and None in shape else shape


if __name__ == "__main__":
    import sys
    print(Function("f", int(sys.argv[1]), int(sys.argv[2])).text())
