#===- generator.py - Random programs, the same for the same seed -----------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Makes batches of random programs of programs.py.

The random numbers are our own (splitmix64), so that a seed means the same
programs with any Python. Programs end: loops are short, recursion and
`scf.while` burn fuel; the few that run long are thrown away.
"""
import struct

import programs as p
import streams
from interpreter import Interpreter, TooLong

M64 = (1 << 64) - 1

# What can be left out of programs, by name.
FEATURES = ["calls", "recursion", "indirect", "extern", "state", "scf",
            "affine", "parallel", "cf", "switch", "tensors"]


class Random:
    def __init__(self, seed):
        self.state = seed & M64

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & M64
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & M64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & M64
        return z ^ (z >> 31)

    def below(self, n):
        return self.bits() % n

    def chance(self, percent):
        return self.below(100) < percent

    def pick(self, items):
        return items[self.below(len(items))]

    def weighted(self, items):
        """One of [(weight, item), ...]."""
        at = self.below(sum(w for w, _ in items))
        for weight, item in items:
            if at < weight:
                return item
            at -= weight

    def split(self):
        return Random(self.bits())


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


PROBABILITIES = [0.5, 0.25, 0.75, f32(0.9), f32(0.1), 0.0, 1.0]
RANGES = [(), (), (0.0, 1.0), (-1.5, 2.25), (10.0, 11.0), (0.0, 100.0),
          (1.0, 1.0), (3.0, -2.0), (f32(0.1), f32(0.7))]
SEEDS = [0, 1, 42, M64, M64 - 6, 1 << 63, 0x123456789ABCDEF0, 1 << 32]
OFFSETS = [0, 1, 7, (1 << 32) - 2, (1 << 32), (1 << 63) - 1, M64 - 2, M64 - 1,
           M64]
ALL_ELEMS = ["i1", "i8", "i16", "i32", "i64"]


class Scope:
    """What can be used at a point of a function."""

    def __init__(self, ints=(), bools=(), indices=(), states=()):
        self.ints = list(ints)
        self.bools = list(bools)
        # (name, least, most, may be an operand of affine ops)
        self.indices = list(indices)
        # (generator, seed, offset) read by hand
        self.states = list(states)

    def copy(self):
        return Scope(self.ints, self.bools, self.indices, self.states)


class FunctionMaker:
    """Makes one function. `callable` are the Functions that it may call."""

    def __init__(self, maker, callable, private, is_leaf=False):
        self.r = maker.r
        self.maker = maker
        self.callable = callable
        self.private = private
        # Straight-line, without output and without setting state: may be
        # called where every iteration has to draw alike.
        self.is_leaf = is_leaf
        self.names = 0
        self.labels = 0
        self.self_call = None

    def has(self, feature):
        return feature in self.maker.features

    def new(self, type="v"):
        self.names += 1
        return "%s%d" % (type, self.names)

    def label(self, name="bb"):
        self.labels += 1
        return "%s%d" % (name, self.labels)

    def gen(self):
        return self.r.pick(self.maker.batch.generators).name

    def const(self, out, scope, value):
        v = self.new()
        out.append(p.Const(v, value & M64))
        scope.ints.append(v)
        return v

    def int(self, out, scope):
        """Some i64."""
        if scope.ints and not self.r.chance(10):
            # Late ones are more interesting than early ones.
            if self.r.chance(60):
                return self.r.pick(scope.ints[-4:])
            return self.r.pick(scope.ints)
        return self.const(out, scope, self.r.pick(
            [0, 1, 5, 1 << 40, M64, self.r.bits()]))

    def ints(self, out, scope, n):
        return [self.int(out, scope) for _ in range(n)]

    def cond(self, out, scope):
        """Some i1: a draw, or a comparison with something drawn."""
        if scope.bools and self.r.chance(20):
            return self.r.pick(scope.bools)
        b = self.new("b")
        if self.r.chance(6):
            # What constants decide: a branch, or a loop, that never runs.
            out.append(p.Const(b, self.r.below(2)))
            scope.bools.append(b)
            return b
        if self.r.chance(40):
            spec = (p.Spec("bernoulli", "i1", "scalar", (),
                           (self.r.pick(PROBABILITIES[:5]),))
                    if self.r.chance(60) else p.Spec("bits", "i1", "scalar"))
            out.append(p.Draw(b, self.gen(), spec, [], [()]))
        else:
            a = self.int(out, scope)
            limit = self.const(out, scope, self.r.pick([1 << 63, 1 << 31, 1,
                                                        1 << 62]))
            out.append(p.Cmp(b, self.r.pick(["ult", "ugt", "slt"]), a, limit))
        scope.bools.append(b)
        return b

    def index(self, out, scope, least, mask, top):
        """An index variable of least .. least + mask."""
        n = self.new("n")
        out.append(p.ToIndex(n, self.int(out, scope), mask, least))
        scope.indices.append((n, least, least + mask, top))
        return n

    def spec(self, out, scope, mode):
        """A Spec with sizes and picks, which all generators draw."""
        r = self.r
        dist = r.weighted([(5, "bits"), (4, "uniform"), (3, "bernoulli")])
        elem = (r.pick(ALL_ELEMS + ["i32", "i64"]) if dist == "bits" else
                r.pick(["f32", "f32", "f64", "f16", "bf16"])
                if dist == "uniform" else "i1")
        if not all(streams.is_drawn(g.stream, elem)
                   for g in self.maker.batch.generators):
            elem = "i32" if dist == "bits" else "f32"
        params = (r.pick(RANGES) if dist == "uniform" else
                  (r.pick(PROBABILITIES),) if dist == "bernoulli" else ())
        kind = r.weighted([(6, "scalar"), (2, "vector"),
                           (4 if self.has("tensors") else 0, "tensor")])
        # Runs of a parallel loop all reserve the same number of blocks: as many
        # draws, each of one block.
        if mode in ("parallel", "leaf") and not all(
                streams.is_constant(g.stream)
                for g in self.maker.batch.generators):
            kind = "scalar"
        sizes, shape, least = [], (), []
        if kind == "vector":
            shape = r.pick([(1,), (3,), (4,), (2, 3)])
            least = list(shape)
        elif kind == "tensor":
            shape = r.pick([(3,), (7,), (2, 3), (0,), (2, 0), (5, 1),
                            (None,), (None,), (None, 2), (3, None),
                            (None, None)])
            for d in shape:
                if d is not None:
                    least.append(d)
                    continue
                small = [x for x in scope.indices if 0 <= x[1] and x[2] <= 6]
                if small and r.chance(60):
                    n, low = r.pick(small)[:2]
                else:
                    low = r.pick([0, 1, 1, 2])
                    n = self.index(out, scope, low, r.pick([0, 1, 3]),
                                   mode == "top")
                sizes.append(n)
                least.append(low)
        picks = []
        if 0 not in least and not r.chance(15):
            for _ in range(r.pick([1, 1, 2, 3]) if kind != "scalar" else 1):
                picks.append(tuple(r.below(d) for d in least))
        show = (kind == "tensor" and mode not in ("parallel", "leaf") and
                elem not in ("i1", "i16") and r.chance(30))
        return p.Spec(dist, elem, kind, shape, params), sizes, picks, show

    # Blocks. Modes: "top" (the function's own blocks), "nested", "parallel"
    # (each run draws alike, prints nothing and sets nothing) and "leaf".

    def block(self, scope, mode, depth, n, num_yields=0):
        out = []
        self.fill(out, scope, mode, depth, n)
        return p.Block(out, self.ints(out, scope, num_yields))

    def fill(self, out, scope, mode, depth, n):
        r = self.r
        quiet = mode in ("parallel", "leaf")
        deep = depth <= 0
        nested = 0 if deep or mode == "leaf" else 1
        scf = nested * self.has("scf")
        seq = scf * (not quiet)
        aff = nested * self.has("affine")
        calls = 0 if mode == "leaf" or not self.has("calls") else 1
        state = 1 if self.has("state") else 0
        choices = [
            (24, self.draw), (3, self.bin),
            (3 * state, self.get_state), (2 * state, self.reserve),
            (2 * state, self.hand), (0 if quiet else 8, self.print),
            (0 if quiet else 3 * state, self.set_state),
            (calls * 10, self.call),
            (4 * seq, self.if_), (4 * seq, self.for_), (3 * seq, self.while_),
            (3 * seq, self.index_switch), (2 * seq, self.execute_region),
            (0 if quiet else 3 * aff, self.affine_for),
            (0 if quiet else 2 * aff, self.affine_if),
            (1 * scf if mode == "parallel" else 0, self.const_for),
            (2 * scf if mode == "parallel" else 0, self.even_if),
            (5 * nested * self.has("parallel"), self.parallel),
            (0 if quiet else 1 * self.has("extern"), self.extern),
            (0 if quiet else 2 * self.has("indirect"), self.call_indirect),
        ]
        for _ in range(n):
            r.weighted(choices)(out, scope, mode, depth)

    def draw(self, out, scope, mode, depth=0):
        spec, sizes, picks, show = self.spec(out, scope, mode)
        var = self.new() if picks else None
        out.append(p.Draw(var, self.gen(), spec, sizes, picks, show))
        if var:
            scope.ints.append(var)

    def bin(self, out, scope, mode, depth):
        v = self.new()
        a, b = self.ints(out, scope, 2)
        op = self.r.pick(["addi", "muli", "xori", "subi"])
        out.append(p.Bin(v, op, a, b))
        scope.ints.append(v)

    def print(self, out, scope, mode, depth):
        out.append(p.Print(self.int(out, scope)))

    def get_state(self, out, scope, mode, depth):
        gen, seed, offset = self.gen(), self.new(), self.new()
        out.append(p.GetState(seed, offset, gen))
        scope.states.append((gen, seed, offset))
        scope.ints += [seed, offset]
        if mode not in ("parallel", "leaf") and self.r.chance(60):
            out.append(p.Print(offset))

    def set_state(self, out, scope, mode, depth):
        gen = self.gen()
        if scope.states and self.r.chance(30):
            _, seed, offset = self.r.pick(scope.states)
        else:
            seed, offset = (
                self.const(out, scope, self.r.pick(some))
                if self.r.chance(60) else self.int(out, scope)
                for some in (SEEDS, OFFSETS))
        out.append(p.SetState(gen, seed, offset))

    def reserve(self, out, scope, mode, depth):
        gen, seed, offset = self.gen(), self.new(), self.new()
        constant = mode in ("parallel", "leaf") or self.r.chance(50)
        blocks = (self.const(out, scope, self.r.pick(
            [1, 2, 3, 1000, 1 << 32, M64])) if constant else
            self.int(out, scope))
        out.append(p.Reserve(seed, offset, gen, blocks, constant))
        scope.states.append((gen, seed, offset))
        scope.ints += [seed, offset]

    def hand(self, out, scope, mode, depth):
        """State written by hand: get, draw, advance, draw, set."""
        quiet = mode in ("parallel", "leaf")
        if scope.states and (quiet or self.r.chance(30)):
            gen, seed, offset = self.r.pick(scope.states)
        elif quiet:
            return
        else:
            gen, seed, offset = self.gen(), self.new(), self.new()
            out.append(p.GetState(seed, offset, gen))
            scope.states.append((gen, seed, offset))
        for _ in range(self.r.pick([1, 2])):
            spec, sizes, picks, show = self.spec(out, scope, mode)
            var = self.new() if picks else None
            out.append(p.DrawAt(var, gen, seed, offset, spec, sizes, picks,
                                show))
            if var:
                scope.ints.append(var)
            after = self.new()
            if self.r.chance(70):
                out.append(p.Advance(after, offset, gen, spec, sizes))
            else:
                one = self.const(out, scope, 1)
                out.append(p.Bin(after, "addi", offset, one))
            offset = after
        scope.states.append((gen, seed, offset))
        scope.ints.append(offset)
        if not quiet:
            if self.r.chance(20):
                # A draw in between, which the set undoes.
                self.draw(out, scope, mode)
            out.append(p.SetState(gen, seed, offset))

    def call(self, out, scope, mode, depth):
        options = [f for f in self.callable
                   if mode != "parallel" or f.kind == "leaf"]
        if not options:
            return self.draw(out, scope, mode)
        self.put_call(out, scope, self.r.pick(options))

    def put_call(self, out, scope, callee, args=None):
        if args is None:
            args = self.ints(out, scope, len(callee.args))
        results = [self.new() for _ in range(callee.num_results)]
        out.append(p.Call(results, callee.name, args))
        scope.ints += results
        return results

    def call_indirect(self, out, scope, mode, depth):
        pairs = [(f, g) for f in self.callable for g in self.callable
                 if f is not g and len(f.args) == len(g.args) and
                 f.num_results == g.num_results]
        if not pairs:
            return self.draw(out, scope, mode)
        f, g = self.r.pick(pairs)
        cond = self.cond(out, scope)
        args = self.ints(out, scope, len(f.args))
        results = [self.new() for _ in range(f.num_results)]
        out.append(p.CallIndirect(results, cond, [f.name, g.name], args))
        scope.ints += results

    def extern(self, out, scope, mode, depth):
        names = [g.name for g in self.maker.batch.generators[:2]]
        gen = self.r.pick(names)
        if self.r.chance(50):
            out.append(p.ExternSeed(gen, self.int(out, scope)))
            return
        seed, offset = self.new(), self.new()
        out.append(p.ExternState(seed, offset, gen))
        scope.ints += [seed, offset]
        out.append(p.Print(offset))

    def results(self, n):
        return [self.new() for _ in range(n)]

    def size(self):
        return self.r.pick([1, 2, 2, 3])

    def branch(self, scope, depth, n):
        # A region without draws is a case of its own.
        size = 0 if self.r.chance(15) else self.size()
        return self.block(scope.copy(), "nested", depth - 1, size, n)

    def if_(self, out, scope, mode, depth):
        cond = self.cond(out, scope)
        n = self.r.pick([0, 0, 1, 2])
        then = self.branch(scope, depth, n)
        orelse = (self.branch(scope, depth, n) if n or self.r.chance(50) else
                  None)
        results = self.results(n)
        out.append(p.If(cond, then, orelse, results))
        scope.ints += results

    def even_if(self, out, scope, mode, depth):
        """Whose branches reserve the same number of blocks."""
        cond = self.cond(out, scope)
        generators = [self.gen() for _ in range(self.r.pick([1, 1, 2]))]
        blocks = []
        for _ in range(2):
            stmts, inner = [], scope.copy()
            for gen in generators:
                self.draw(stmts, inner, mode)
                stmts[-1].gen = gen
            blocks.append(p.Block(stmts, self.ints(stmts, inner, 1)))
        results = self.results(1)
        out.append(p.If(cond, blocks[0], blocks[1], results, True))
        scope.ints += results

    def affine_if(self, out, scope, mode, depth):
        indices = [x for x in scope.indices if x[3]]
        if not indices:
            if mode != "top":
                return self.draw(out, scope, mode)
            self.index(out, scope, 0, 3, True)
            indices = scope.indices[-1:]
        index = self.r.pick(indices)
        n = self.r.pick([0, 0, 1, 2])
        then = self.branch(scope, depth, n)
        orelse = (self.branch(scope, depth, n) if n or self.r.chance(50) else
                  None)
        results = self.results(n)
        least = max(1, (index[1] + index[2] + 1) // 2)
        out.append(p.AffineIf(index[0], least, then, orelse, results))
        scope.ints += results

    def range(self, out, scope, mode, affine=False, negative=True, most=4,
              constant=False):
        """Bounds and step of a short loop, and the range of its variable."""
        r = self.r
        lb = r.pick([0, 0, 0, 1] + ([-2] if negative and not affine else []))
        trips = r.pick([0, 1, 2, 2, 3, 3])
        step = r.pick([1, 1, 1, 2, 3])
        ub = min(lb + (trips - 1) * step + 1 if trips else lb - r.below(2),
                 most)
        if trips == 0 and not negative:
            ub = max(ub, 0)
        low, high = lb, max(lb, ub - 1)

        def dynamic(least, span):
            usable = [x for x in scope.indices
                      if least <= x[1] and x[2] <= least + span and
                      (not affine or x[3])]
            if usable and r.chance(50):
                return r.pick(usable)
            if affine and mode != "top":
                return None
            n = self.index(out, scope, least, span, mode == "top")
            return scope.indices[-1]

        if not constant and r.chance(40):
            x = dynamic(0, 3)
            if x:
                ub, high = x[0], max(lb, x[2] - 1)
        if not constant and r.chance(15):
            x = dynamic(0, 1)
            if x:
                lb, low, high = x[0], 0, max(high, 1)
        if not constant and not affine and r.chance(15):
            step = dynamic(1, 1)[0]
        return lb, ub, step, low, high

    def put_for(self, out, scope, mode, depth, flavor, constant=False):
        affine = flavor == "affine"
        lb, ub, step, low, high = self.range(out, scope, mode, affine,
                                             constant=constant)
        n = self.r.pick([0, 0, 1, 2])
        inits = self.ints(out, scope, n)
        inner = scope.copy()
        iv = self.new()
        iters = self.results(n)
        inner.ints += iters + [iv]
        inner.indices.append((p.as_index(iv), low, high, affine))
        size = 0 if self.r.chance(10) else self.size()
        body = self.block(inner, "parallel" if mode == "parallel" else "nested",
                          depth - 1, size, n)
        results = self.results(n)
        out.append(p.For(flavor, lb, ub, step, iv, iters, inits, body, results))
        scope.ints += results

    def for_(self, out, scope, mode, depth):
        self.put_for(out, scope, mode, depth,
                     self.r.pick(["scf", "scf", "scf", "i32", "i64"]))

    def const_for(self, out, scope, mode, depth):
        self.put_for(out, scope, mode, depth, "scf", constant=True)

    def affine_for(self, out, scope, mode, depth):
        self.put_for(out, scope, mode, depth, "affine")

    def while_(self, out, scope, mode, depth):
        r = self.r
        n = r.pick([0, 1])
        fuel = self.const(out, scope, r.pick([0, 1, 3, 5]))
        inits = [fuel] + self.ints(out, scope, n)
        before_args, after_args = self.results(1 + n), self.results(1 + n)
        inner = scope.copy()
        inner.ints += before_args
        before = []
        self.fill(before, inner, "nested", 0 if r.chance(70) else depth - 1,
                  r.pick([0, 1, 2]))
        test = self.cond(before, inner)
        zero, has_fuel, goes = self.new(), self.new("b"), self.new("b")
        before += [p.Const(zero, 0),
                   p.Cmp(has_fuel, "sgt", before_args[0], zero),
                   p.And(goes, has_fuel, test)]
        before = p.Block(before, [before_args[0]] + self.ints(before, inner, n))
        inner = scope.copy()
        inner.ints += after_args
        after = []
        self.fill(after, inner, "nested", depth - 1, r.pick([0, 1, 2]))
        one, less = self.new(), self.new()
        after += [p.Const(one, 1), p.Bin(less, "subi", after_args[0], one)]
        after = p.Block(after, [less] + self.ints(after, inner, n))
        results = self.results(1 + n)
        out.append(p.While(inits, before_args, before, goes, after_args, after,
                           results))
        scope.ints += results

    def index_switch(self, out, scope, mode, depth):
        selector = self.index(out, scope, 0, 3, mode == "top")
        n = self.r.pick([0, 1, 2])
        values = [x for x in range(4) if self.r.chance(50)]
        cases = [(x, self.branch(scope, depth, n)) for x in values]
        default = self.branch(scope, depth, n)
        results = self.results(n)
        out.append(p.IndexSwitch(selector, cases, default, results))
        scope.ints += results

    def execute_region(self, out, scope, mode, depth):
        n = self.r.pick([0, 1, 2])
        if self.has("cf") and self.r.chance(60):
            body = self.cfg(scope.copy(), "nested", depth - 1, n, 1)
        else:
            body = self.branch(scope, depth, n)
        results = self.results(n)
        out.append(p.ExecuteRegion(body, results))
        scope.ints += results

    def parallel(self, out, scope, mode, depth):
        r = self.r
        flavors = []
        if self.has("scf"):
            flavors += ["scf.parallel", "scf.forall"]
        if self.has("affine"):
            flavors.append("affine.parallel")
        if not flavors:
            return self.draw(out, scope, mode)
        flavor = r.pick(flavors)
        affine = flavor == "affine.parallel"
        quiet = mode == "parallel"
        # Within another parallel loop, the trips must not vary.
        rank = r.pick([1, 1, 2, 2, 3])
        dims = [self.range(out, scope, mode, affine, negative=False,
                           most=p.SIDES[rank], constant=quiet)
                for _ in range(rank)]
        lbs, ubs, steps = ([d[i] for d in dims] for i in range(3))
        inner = scope.copy()
        # What is drawn inside is not seen outside, except by the state.
        ivs = self.results(rank)
        inner.ints += ivs
        inner.indices += [(p.as_index(iv), d[3], d[4], affine)
                          for iv, d in zip(ivs, dims)]
        # A size that varies is fine (all draws reserve one block).
        body = self.block(inner, "parallel", depth - 1, self.size(), 1)
        reduces = flavor != "scf.forall" and (quiet or r.chance(25))
        reduction = self.new() if reduces else None
        out.append(p.Parallel(flavor, lbs, ubs, steps, ivs, body, reduction,
                              not quiet))
        if reduction:
            scope.ints.append(reduction)

    # Control flow between blocks.

    def cfg(self, scope, mode, depth, num_results, size):
        """Pieces one after the other: each starts in the last block."""
        blocks = [p.CfgBlock(self.label(), [], [], None)]
        for _ in range(size):
            piece = self.r.pick([self.diamond, self.loop, self.switch,
                                 self.one_target, self.irreducible, self.dead,
                                 self.never])
            if piece == self.switch and not self.has("switch"):
                piece = self.diamond
            self.fill(blocks[-1].stmts, scope, mode, depth, self.r.below(3))
            piece(blocks, scope, depth)
        last = blocks[-1].stmts
        self.fill(last, scope, mode, depth, self.r.below(3))
        blocks[-1].term = p.Leave(self.ints(last, scope, num_results))
        return p.Cfg(blocks)

    def side(self, scope, depth, args=0, label="bb"):
        """A block with arguments and its scope. Nothing in it is at the top
        of a function for affine's rules, to keep them simple."""
        inner = scope.copy()
        names = self.results(args)
        inner.ints += names
        block = p.CfgBlock(self.label(label), names, [], None)
        size = 0 if self.r.chance(15) else self.size()
        self.fill(block.stmts, inner, "nested", depth - 1, size)
        return block, inner

    def join(self, scope, n):
        block = p.CfgBlock(self.label(), self.results(n), [], None)
        scope.ints += block.args
        return block

    def diamond(self, blocks, scope, depth):
        head = blocks[-1]
        cond = self.cond(head.stmts, scope)
        n = self.r.pick([0, 1, 2])
        then, then_scope = self.side(scope, depth)
        short = self.r.chance(30)
        other, other_scope = self.side(scope, depth)
        short_args = self.ints(head.stmts, scope, n)
        join = self.join(scope, n)
        then.term = p.Br(join.label, self.ints(then.stmts, then_scope, n))
        if short:
            head.term = p.CondBr(cond, then.label, [], join.label, short_args)
            blocks += [then, join]
            return
        other.term = p.Br(join.label, self.ints(other.stmts, other_scope, n))
        head.term = p.CondBr(cond, then.label, [], other.label, [])
        blocks += [then, other, join]

    def one_target(self, blocks, scope, depth):
        head = blocks[-1]
        cond = self.cond(head.stmts, scope)
        a, b = self.ints(head.stmts, scope, 2)
        join = self.join(scope, 1)
        head.term = p.CondBr(cond, join.label, [a], join.label, [b])
        blocks.append(join)

    def switch(self, blocks, scope, depth):
        head = blocks[-1]
        flag = self.int(head.stmts, scope)
        n = self.r.pick([0, 1])
        sides = [self.side(scope, depth, 1) for _ in range(2)]
        default = self.ints(head.stmts, scope, n)
        seen = self.ints(head.stmts, scope, 3)
        join = self.join(scope, n)
        for block, inner in sides:
            block.term = p.Br(join.label, self.ints(block.stmts, inner, n))
        head.term = p.Switch(flag, join.label, default, [
            (0, sides[0][0].label, seen[:1]), (1, sides[1][0].label, seen[1:2]),
            (3, sides[1][0].label, seen[2:])])
        blocks += [block for block, _ in sides] + [join]

    def burn(self, block, fuel):
        """fuel - 1, and whether there was fuel."""
        one, zero, less = self.new(), self.new(), self.new()
        burns = self.new("b")
        block.stmts += [p.Const(one, 1), p.Const(zero, 0),
                        p.Bin(less, "subi", fuel, one),
                        p.Cmp(burns, "sgt", fuel, zero)]
        return less, burns

    def loop(self, blocks, scope, depth):
        """Head with the test, body; the state goes around by the arguments."""
        pre = blocks[-1]
        fuel = self.const(pre.stmts, scope, self.r.below(5))
        start = self.int(pre.stmts, scope)
        head, head_scope = self.side(scope, min(depth, 1), 2)
        pre.term = p.Br(head.label, [fuel, start])
        less, burns = self.burn(head, head.args[0])
        if self.r.chance(40):
            both = self.new("b")
            head.stmts.append(p.And(both, burns,
                                    self.cond(head.stmts, head_scope)))
            # cond appended its statements before this one.
            burns = both
        body, body_scope = self.side(head_scope, depth)
        body.term = p.Br(head.label, [less,
                                      self.int(body.stmts, body_scope)])
        seen = self.int(head.stmts, head_scope)
        join = self.join(scope, 1)
        head.term = p.CondBr(burns, body.label, [], join.label, [seen])
        blocks += [head, body, join]

    def irreducible(self, blocks, scope, depth):
        """Two blocks that go to each other and are both entered."""
        head = blocks[-1]
        cond = self.cond(head.stmts, scope)
        fuel = self.const(head.stmts, scope, self.r.below(5))
        sides = [self.side(scope, min(depth, 1), 1, p.TWO_WAYS)
                 for _ in range(2)]
        head.term = p.CondBr(cond, sides[0][0].label, [fuel],
                             sides[1][0].label, [fuel])
        exits = []
        for (block, inner), (other, _) in zip(sides, reversed(sides)):
            less, burns = self.burn(block, block.args[0])
            exits.append((block, other, less, burns,
                          self.int(block.stmts, inner)))
        join = self.join(scope, 1)
        for block, other, less, burns, seen in exits:
            block.term = p.CondBr(burns, other.label, [less], join.label,
                                  [seen])
        blocks += [block for block, _ in sides] + [join]

    def dead(self, blocks, scope, depth):
        """A block that nothing goes to."""
        head = blocks[-1]
        value = self.int(head.stmts, scope)
        dead, dead_scope = self.side(scope, depth)
        seen = self.int(dead.stmts, dead_scope)
        join = self.join(scope, 1)
        head.term = p.Br(join.label, [value])
        dead.term = p.Br(join.label, [seen])
        blocks += [dead, join]

    def never(self, blocks, scope, depth):
        """A block that a condition which always holds keeps from being
        reached."""
        head = blocks[-1]
        value = self.int(head.stmts, scope)
        one, two, low = self.new(), self.new(), self.new()
        holds = self.new("b")
        head.stmts += [p.Const(one, 1), p.Const(two, 2),
                       p.Bin(low, "andi", value, one),
                       p.Cmp(holds, "sgt", two, low)]
        never, _ = self.side(scope, depth)
        never.term = p.Never()
        join = self.join(scope, 1)
        head.term = p.CondBr(holds, join.label, [value], never.label, [])
        blocks += [never, join]

    # Functions.

    def function(self, name, num_args, num_results, size, depth):
        r = self.r
        args = self.results(num_args)
        scope = Scope(args)
        kind = "plain"
        if self.is_leaf:
            kind = "leaf"
            body = self.block(scope, "leaf", 0, size, num_results)
        elif self.has("cf") and r.chance(35):
            body = self.cfg(scope, "top", depth, num_results, r.pick([1, 2]))
            kind = "of several blocks"
        else:
            body = self.block(scope, "top", depth, size, num_results)
        return p.Function(name, self.private, args, num_results, body, kind)

    def recursive(self, name, callee, private):
        """Draws and calls `callee`, a Function like it, while it has fuel."""
        fuel, x = self.results(2)
        scope = Scope([fuel, x])
        stmts = []
        three, zero, masked = self.new(), self.new(), self.new()
        goes = self.new("b")
        stmts += [p.Const(three, 3), p.Const(zero, 0),
                  p.Bin(masked, "andi", fuel, three),
                  p.Cmp(goes, "sgt", masked, zero)]
        callee = callee or p.Function(name, private, [fuel, x], 1, None,
                                      "recursion")
        kind = ("recursion" if callee.name == name else "mutual recursion")
        inner = scope.copy()
        calls = []
        one, less = self.new(), self.new()
        calls += [p.Const(one, 1), p.Bin(less, "subi", masked, one)]
        self.fill(stmts, scope, "top", 1, self.r.below(3))
        inner.ints = list(scope.ints)
        self.fill(calls, inner, "nested", 0, self.r.below(3))
        arg = self.int(calls, inner)
        self.put_call(calls, inner, callee, [less, arg])
        if self.r.chance(30):
            self.put_call(calls, inner, callee, [less, arg])
        self.fill(calls, inner, "nested", 0, self.r.below(3))
        if self.has("cf") and (self.r.chance(50) or not self.has("scf")):
            join = self.new()
            out = self.int(stmts, scope)
            body = p.Cfg([
                p.CfgBlock("bb0", [], stmts,
                           p.CondBr(goes, "deeper", [], "end", [out])),
                p.CfgBlock("deeper", [], calls, None),
                p.CfgBlock("end", [join], [], None)])
            body.blocks[1].term = p.Br("end", [self.int(calls, inner)])
            scope.ints.append(join)
            last = body.blocks[2].stmts
            self.fill(last, scope, "nested", 0, self.r.below(3))
            body.blocks[2].term = p.Leave([self.int(last, scope)])
        else:
            (result,) = self.results(1)
            then = p.Block(calls, [self.int(calls, inner)])
            other = self.branch(scope, 0, 1)
            stmts.append(p.If(goes, then, other, [result]))
            scope.ints.append(result)
            self.fill(stmts, scope, "top", 0, self.r.below(3))
            body = p.Block(stmts, [self.int(stmts, scope)])
        return p.Function(name, private, [fuel, x], 1, body, kind)


class Maker:
    def __init__(self, random, features, batch):
        self.r = random
        self.features = features
        self.batch = batch

    def program(self, name):
        r = self.r
        functions = []
        if "calls" in self.features:
            if r.chance(60):
                functions.append(FunctionMaker(
                    self, [], r.chance(60), is_leaf=True).function(
                        "leaf", r.below(3), r.below(3), r.pick([1, 2, 3]), 0))
            for i in range(r.pick([0, 1, 1, 2, 3])):
                functions.append(FunctionMaker(
                    self, list(functions), r.chance(60)).function(
                        "f%d" % i, r.below(3), r.below(3), r.pick([2, 3, 4]),
                        r.pick([0, 1, 2])))
            if "recursion" in self.features and r.chance(35):
                private = r.chance(60)
                functions.append(FunctionMaker(
                    self, list(functions), private).recursive("rec", None,
                                                              private))
            if "recursion" in self.features and r.chance(25):
                base = list(functions)
                private = r.chance(60)
                like = p.Function("odd", r.chance(60), ["v1", "v2"], 1, None,
                                  "mutual recursion")
                even = FunctionMaker(self, base, private).recursive(
                    "even", like, private)
                odd = FunctionMaker(self, base, like.private).recursive(
                    "odd", even, like.private)
                functions += [even, odd]
        prog = FunctionMaker(self, list(functions), False).function(
            "prog", 0, r.below(3), r.pick([4, 6, 8]), r.pick([1, 2, 3]))
        entries = [p.Entry("prog", [])]
        publics = [f for f in functions if not f.private]
        if publics and r.chance(40):
            f = r.pick(publics)
            entries.append(p.Entry(f.name, [r.pick([0, 1, 3, M64])
                                            for _ in f.args]))
            if r.chance(30):
                entries.append(p.Entry("prog", []))
        # Functions come in any order.
        functions.append(prog)
        order = []
        while functions:
            order.append(functions.pop(r.below(len(functions))))
        return p.Program(name, order, entries)


def make_batch(seed, number, size, features=FEATURES):
    """Batch `number` of the programs of `seed`: the same whatever else runs."""
    r = Random(seed * 0x2545F4914F6CDD1D + number)
    r.bits()
    # Few rounds are quick to compile; the constants of all ten matter now and
    # then.
    rounds = r.weighted([(1, 10), (5, 3), (2, 1)])
    conventions = [c for c in streams.CONVENTIONS if c != "triton"]
    # Triton lacks types that others draw.
    if r.chance(15):
        conventions.append("triton")

    def stream(rounds):
        return ("nvfuser" if r.chance(40) else r.pick(conventions), rounds)

    default = stream(rounds)
    generators = [p.Generator(None, default, 0)]
    for name in ("g", "h"):
        declares = r.chance(60)
        generators.append(p.Generator(
            name, stream(r.pick([2, 7, 4])) if declares else default,
            r.pick(SEEDS), declares))
    batch = p.Batch(generators, [])
    maker = Maker(r, list(features), batch)
    made = 0
    while len(batch.programs) < size:
        maker.r = r.split()
        program = maker.program("p%d" % len(batch.programs))
        made += 1
        try:
            Interpreter(p.Batch(generators, [program])).run(program)
        except TooLong:
            continue
        batch.programs.append(program)
    return batch
