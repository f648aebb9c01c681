#===- programs.py - Random joint functions that move generators ------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Random joint functions on i64 whose steps draw, read, reserve and set states,
in the forward and in the backward, by numbers that arguments, draws or
cotangents say. In: a seed. Out: `Function`, with its text and with `forward` and
`backward`, which say by the rules of docs/spec.md 4.2 what calls of the two
functions yield and do to the states.

A state is a pair (seed, offset); `states` maps generators ("" is the default
one) to them. A value of a function is a number mod 2^64.
"""
import functools
import os
import sys
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, "Fuzz"))
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             os.pardir, "Inputs"))
import streams
from fuzzing import Random

M64 = (1 << 64) - 1
GENERATORS = ["", "g", "h"]


class Stream:
    """What draws of one generator yield and reserve."""

    def __init__(self, kind):
        self.kind = kind

    def draw(self, state, width):
        """The xor of the elements of `rng.bits : vector<width x i64>`, and the
        state after it."""
        seed, offset = state
        value = 0
        for i in range(width):
            value ^= element(self.kind, seed, offset, i)
        after = offset + streams.advance(self.kind, "i64", width) & M64
        return value, (seed, after)


@functools.lru_cache(maxsize=1 << 16)
def element(kind, seed, offset, index):
    """Element `index` of `rng.bits` of i64; schedules begin in one state, so
    that most are drawn many times."""
    return streams.integer(kind, streams.words(kind, "i64", seed, offset, index))


class Step:
    """One op, or a few, of a joint function. `uses` are names of the values it
    reads, `generator` is the one whose state it uses (None: of none), `result`
    names its value, and `backward` says whether it is in the backward.

    `execute(env, state, stream)` yields the value and the state after.
    `known` says whether the stream blocks it reserves follow from values that
    depend on no cotangent, though its results may depend on one.
    """

    generator = None
    known = True
    name = ""

    def __init__(self, result, uses):
        self.result, self.uses = result, uses


class Mix(Step):
    name = "arithmetic"

    def __init__(self, result, uses, factor):
        super().__init__(result, uses)
        self.factor = factor

    def text(self, f):
        a, b = self.uses
        k = f.const(self.factor)
        t = f.temp("arith.muli %s, %s : i64" % (a, k))
        return ["%s = arith.xori %s, %s : i64" % (self.result, t, b)]

    def execute(self, env, state, stream):
        a, b = (env[u] for u in self.uses)
        return (a * self.factor & M64) ^ b, state


class Draw(Step):
    name = "draw"

    def __init__(self, result, generator, width):
        super().__init__(result, [])
        self.generator, self.width = generator, width

    def text(self, f):
        return [f.draw(self.result, self.generator, self.width)]

    def execute(self, env, state, stream):
        return stream.draw(state, self.width)


class Repeat(Step):
    """Draws (uses[0] mod 4) times, or a constant number of times, and xors that
    with uses[1]: by a loop, a while or a private function."""

    def __init__(self, result, uses, generator, how, width, trips):
        super().__init__(result, uses)
        self.generator, self.how, self.width = generator, how, width
        self.trips = trips
        self.name = "scf." + how if how != "call" else "call"
        if trips is None:
            self.name += " to a value"

    def count(self, env):
        return self.trips if self.trips is not None else env[self.uses[0]] & 3

    def text(self, f):
        start = self.uses[1]
        count = f.const(self.trips) if self.trips is not None else \
            f.temp("arith.andi %s, %s : i64" % (self.uses[0], f.const(3)))
        if self.how == "call":
            callee = f.helper(self.generator, self.width)
            return ["%s = func.call @%s(%s, %s) : (i64, i64) -> i64" % (
                self.result, callee, count, start)]
        draw = f.draw("%u", self.generator, self.width)
        if self.how == "while":
            zero, one = f.const(0), f.const(1)
            return ["%s, %s_n = scf.while (%%x = %s, %%i = %s) : (i64, i64) -> "
                    "(i64, i64) {" % (self.result, self.result, start, zero),
                    "  %%c = arith.cmpi ult, %%i, %s : i64" % count,
                    "  scf.condition(%c) %x, %i : i64, i64",
                    "} do {", "^bb0(%x: i64, %i: i64):", draw,
                    "  %y = arith.xori %x, %u : i64",
                    "  %%j = arith.addi %%i, %s : i64" % one,
                    "  scf.yield %y, %j : i64, i64", "}"]
        bound = f.temp("arith.index_cast %s : i64 to index" % count)
        zero, one = f.index(0), f.index(1)
        return ["%s = scf.for %%i = %s to %s step %s iter_args(%%x = %s) -> "
                "(i64) {" % (self.result, zero, bound, one, start), draw,
                "  %y = arith.xori %x, %u : i64", "  scf.yield %y : i64", "}"]

    def execute(self, env, state, stream):
        value = env[self.uses[1]]
        for _ in range(self.count(env)):
            drawn, state = stream.draw(state, self.width)
            value ^= drawn
        return value, state


class Branch(Step):
    """Draws one width or another, or nothing, by bit 0 of uses[0], and xors
    that with uses[1]."""

    def __init__(self, result, uses, generator, widths):
        super().__init__(result, uses)
        self.generator, self.widths = generator, widths
        self.name = "scf.if"

    def text(self, f):
        bit = f.temp("arith.trunci %s : i64 to i1" % self.uses[0])
        lines = ["%s = scf.if %s -> (i64) {" % (self.result, bit)]
        for width, end in zip(self.widths, ("} else {", "}")):
            if width:
                lines += [f.draw("%u", self.generator, width),
                          "  %%y = arith.xori %%u, %s : i64" % self.uses[1],
                          "  scf.yield %y : i64", end]
            else:
                lines += ["  scf.yield %s : i64" % self.uses[1], end]
        return lines

    def execute(self, env, state, stream):
        width = self.widths[0 if env[self.uses[0]] & 1 else 1]
        if not width:
            return env[self.uses[1]], state
        value, state = stream.draw(state, width)
        return value ^ env[self.uses[1]], state


class Dynamic(Step):
    """One draw of 1 + (uses[0] mod 4) elements; its value is the first."""
    name = "draw of a dynamic size"

    def __init__(self, result, uses, generator):
        super().__init__(result, uses)
        self.generator = generator

    def text(self, f):
        low = f.temp("arith.andi %s, %s : i64" % (self.uses[0], f.const(3)))
        size = f.temp("arith.addi %s, %s : i64" % (low, f.const(1)))
        n = f.temp("arith.index_cast %s : i64 to index" % size)
        t = f.temp("rng.bits %ssizes(%s) : tensor<?xi64>" % (
            f.symbol(self.generator), n))
        return ["%s = tensor.extract %s[%s] : tensor<?xi64>" % (
            self.result, t, f.index(0))]

    def execute(self, env, state, stream):
        n = 1 + (env[self.uses[0]] & 3)
        value, _ = stream.draw(state, 1)
        offset = state[1] + streams.advance(stream.kind, "i64", n) & M64
        return value, (state[0], offset)


class Reserve(Step):
    """Reserves (uses[0] mod 4) stream blocks, or a constant number, and yields
    seed xor offset."""
    name = "rng.reserve"

    def __init__(self, result, uses, generator, blocks):
        super().__init__(result, uses)
        self.generator, self.blocks = generator, blocks

    def text(self, f):
        blocks = f.const(self.blocks) if self.blocks is not None else \
            f.temp("arith.andi %s, %s : i64" % (self.uses[0], f.const(3)))
        return f.state(self.result, "rng.reserve %s%s" % (
            f.symbol(self.generator, ", "), blocks))

    def execute(self, env, state, stream):
        blocks = self.blocks if self.blocks is not None else \
            env[self.uses[0]] & 3
        return state[0] ^ state[1], (state[0], state[1] + blocks & M64)


class Get(Step):
    name = "rng.get_state"

    def __init__(self, result, generator):
        super().__init__(result, [])
        self.generator = generator

    def text(self, f):
        return f.state(self.result, "rng.get_state %s" %
                       f.symbol(self.generator))

    def execute(self, env, state, stream):
        return state[0] ^ state[1], state


class Set(Step):
    """Sets the state to (uses[0], uses[1])."""
    name = "rng.set_state"

    def __init__(self, uses, generator):
        super().__init__(None, uses)
        self.generator = generator

    def text(self, f):
        return ["rng.set_state %s%s, %s : i64, i64" % (
            f.symbol(self.generator, ", "), *self.uses)]

    def execute(self, env, state, stream):
        return None, (env[self.uses[0]], env[self.uses[1]])


ARGUMENTS = ["%a0", "%a1"]
COTANGENTS = ["%d0", "%d1"]


class Function:
    """A joint function @`name` of (a0, a1, d0, d1), the latter cotangents, that
    returns primals, then gradients. `primals` and `gradients` are names."""

    def __init__(self, name, seed, kinds):
        self.name = name
        self.random = Random(seed)
        self.streams = {g: Stream(kinds[g]) for g in GENERATORS}
        self.constructs = Counter()
        self.steps = []
        # What primals may use, and what only gradients may.
        self.forward_values = list(ARGUMENTS)
        self.late_values = list(COTANGENTS)
        self.of_cotangents = set(COTANGENTS)
        # Generators that the backward takes over, and the step from which on.
        self.taken = {}
        self.next = 0
        count = 2 + self.random.below(7)
        # From where on steps may use cotangents.
        turn = self.random.below(count // 2 + 1)
        for k in range(count):
            self.add(k >= turn and self.random.chance(75))
        self.finish()

    # ------------------------------------------------------------ generating

    def value(self, late):
        """A name; unless `late` one that the forward may use."""
        values = self.forward_values
        if late and self.random.chance(80):
            values = self.late_values
        return self.random.pick(values)

    def fresh(self):
        self.next += 1
        return "%%v%d" % self.next

    def depends(self, names):
        return any(n in self.of_cotangents for n in names)

    def append(self, step, late):
        """Adds a step, which is in the backward if it depends on a cotangent,
        or draws from a generator that the backward has."""
        g = step.generator
        step.backward = self.depends(step.uses) or g in self.taken
        if g is not None and step.backward and not step.known:
            self.taken.setdefault(g, len(self.steps))
        self.steps.append(step)
        if step.result:
            (self.late_values if late else self.forward_values
             ).append(step.result)
            if step.backward:
                self.of_cotangents.add(step.result)

    def add(self, late):
        r = self.random
        # The forward has to leave generators alone that the backward has.
        mine = [g for g in GENERATORS if late or g not in self.taken]
        if not mine:
            return
        g = r.pick(mine[:1] + mine)
        width = r.pick([1, 1, 2, 3])
        uses = [self.value(late), self.value(late)]
        result = self.fresh()
        kind = r.below(11)
        if kind < 2:
            step = Draw(result, g, width)
        elif kind < 6:
            how = r.pick(["for", "for", "while", "call"])
            trips = r.below(4) if r.chance(30) else None
            if trips is not None:
                uses[0] = uses[1]
            step = Repeat(result, uses, g, how, width, trips)
            # What a callee draws counts as known if no argument says it.
            step.known = how == "for" and (trips is not None or
                                           not self.depends(uses[:1]))
        elif kind < 8:
            widths = r.pick([(width, width), (width, 0), (0, width), (1, 3)])
            step = Branch(result, uses, g, widths)
            a, b = (streams.advance(self.streams[g].kind, "i64", w) if w else 0
                    for w in widths)
            step.known = a == b
        elif kind == 8:
            step = Dynamic(result, uses[:1], g)
            step.known = streams.is_constant(self.streams[g].kind) or \
                not self.depends(uses[:1])
        elif kind == 9:
            blocks = r.below(4) if r.chance(40) else None
            uses = uses[:1] if blocks is None else []
            step = Reserve(result, uses, g, blocks)
            step.known = not self.depends(uses)
        elif r.chance(50):
            step = Get(result, g)
        else:
            step = Set(uses, g)
            step.known = not self.depends(uses)
        self.append(step, late)
        self.constructs["%s in the %s%s" % (
            step.name, "backward" if step.backward else "forward",
            "" if step.known or not step.backward else
            ", known there alone")] += 1
        if r.chance(30):
            self.append(Mix(self.fresh(), [self.value(late), self.value(late)],
                            2 * r.below(1000) + 3), late)

    def finish(self):
        """Results that use all values, so that nothing is dead."""
        def fold(values, late):
            last = values[0]
            for name in list(values[1:]):
                step = Mix(self.fresh(), [last, name], 31)
                self.append(step, late)
                last = step.result
            return last
        self.primals = [fold(self.forward_values, False), "%a0"]
        self.gradients = [fold(self.late_values, True), "%d0"]

    def uses_generators(self):
        used = {s.generator for s in self.steps} - {None}
        return [g for g in GENERATORS if g in used]

    def changes(self, backward):
        """(generator, whether its seed is set) for those whose state the
        forward, or the backward, may change."""
        changed = {}
        for k, step in enumerate(self.steps):
            g = step.generator
            if g is None or isinstance(step, Get) or \
                    self.is_forward(k) == backward:
                continue
            changed[g] = changed.get(g, False) or isinstance(step, Set)
        return [(g, changed[g]) for g in GENERATORS if g in changed]

    # --------------------------------------------------------------- writing

    def const(self, value, element="i64"):
        name = "%%c%d_%s" % (value, element)
        self.constants[name] = "  %s = arith.constant %d : %s" % (
            name, value, element)
        return name

    def index(self, value):
        return self.const(value, "index")

    def temp(self, text):
        self.temps += 1
        name = "%%t%d" % self.temps
        self.lines.append("  %s = %s" % (name, text))
        return name

    def symbol(self, generator, end=" "):
        return "@%s%s" % (generator, end) if generator else ""

    def draw(self, result, generator, width):
        """Lines of a draw and of the xor of its elements."""
        symbol = self.symbol(generator)
        if width == 1:
            return "  %s = rng.bits %s: i64" % (result, symbol)
        return ("  %s_v = rng.bits %s: vector<%dxi64>\n  %s = vector.reduction "
                "<xor>, %s_v : vector<%dxi64> into i64" % (
                    result, symbol, width, result, result, width))

    def state(self, result, text):
        return ["%s_s, %s_o = %s : i64, i64" % (result, result, text),
                "%s = arith.xori %s_s, %s_o : i64" % (result, result, result)]

    def helper(self, generator, width):
        name = "%s_draw%d_%s" % (self.name, width, generator)
        self.helpers[name] = "\n".join([
            "func.func private @%s(%%n: i64, %%x0: i64) -> i64 {" % name,
            "  %c0 = arith.constant 0 : index",
            "  %c1 = arith.constant 1 : index",
            "  %m = arith.index_cast %n : i64 to index",
            "  %r = scf.for %i = %c0 to %m step %c1 iter_args(%x = %x0) -> "
            "(i64) {", self.draw("%u", generator, width),
            "    %y = arith.xori %x, %u : i64", "    scf.yield %y : i64",
            "  }", "  return %r : i64", "}"])
        return name

    def text(self):
        self.lines, self.temps, self.helpers, self.constants = [], 0, {}, {}
        for step in self.steps:
            for line in step.text(self):
                self.lines.append("  " + line)
        head = ("func.func @%s(%%a0: i64, %%a1: i64, %%d0: i64 {rng.cotangent}, "
                "%%d1: i64 {rng.cotangent}) -> (i64, i64, i64 {rng.gradient}, "
                "i64 {rng.gradient}) attributes {llvm.emit_c_interface} {" %
                self.name)
        end = "  return %s : i64, i64, i64, i64\n}" % ", ".join(
            self.primals + self.gradients)
        return "\n".join([head] + list(self.constants.values()) + self.lines +
                         [end] + list(self.helpers.values())) + "\n"

    # ------------------------------------------------------------ the meaning

    def is_forward(self, k):
        g = self.steps[k].generator
        return g is not None and k < self.taken.get(g, len(self.steps))

    def forward(self, arguments, states):
        """What a call of the forward returns and what its backward may use of
        it; `states` are changed."""
        env = dict(zip(ARGUMENTS, arguments))
        places = {}
        for k, step in enumerate(self.steps):
            g = step.generator
            if self.is_forward(k):
                places[k] = states[g]
            if not step.backward:
                value, after = step.execute(env, states.get(g),
                                            self.streams.get(g))
                if step.result:
                    env[step.result] = value
            elif self.is_forward(k):
                # The backward draws there; the forward knows how much.
                known = {u: env.get(u, 0) for u in step.uses}
                after = step.execute(known, states[g], self.streams[g])[1]
            else:
                continue
            if g is not None:
                states[g] = after
        return [env[n] for n in self.primals], (env, places)

    def backward(self, kept, cotangents, states):
        """What a call of the backward returns; `states` are changed."""
        env, places = dict(kept[0]), kept[1]
        env.update(zip(COTANGENTS, cotangents))
        for k, step in enumerate(self.steps):
            if not step.backward:
                continue
            g = step.generator
            at = places[k] if k in places else states.get(g)
            value, after = step.execute(env, at, self.streams.get(g))
            if step.result:
                env[step.result] = value
            if g is not None and k not in places:
                states[g] = after
        return [env[n] for n in self.gradients]


def module(functions, kinds):
    lines = ["module attributes {rng.default_algorithm = %s} {" %
             streams.attribute(kinds[""])]
    for g in GENERATORS[1:]:
        lines.append("rng.generator @%s {algorithm = %s}" % (
            g, streams.attribute(kinds[g])))
    return "\n".join(lines + [f.text() for f in functions] + ["}"]) + "\n"
