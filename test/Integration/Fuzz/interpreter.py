#===- interpreter.py - What random programs mean ---------------------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Runs a program of programs.py by its meaning (docs/spec.md, section 1).

Shares no code with the C++ of the project: stateful programs run in order, one
draw after the other; streams.py has the numbers.
"""
from collections import Counter
from itertools import product

import programs as p
import streams
from streams import M64

def signed(x, bits=64):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


# ------------------------------------------------------------------ programs


class TooLong(Exception):
    """The program takes more steps than a small program should."""


class Interpreter:
    """Runs programs on generators whose `states` are kept: a dictionary from
    name (None: the default one) to (seed, offset)."""

    def __init__(self, batch, max_steps=4000):
        self.streams = {g.name: g.stream for g in batch.generators}
        self.states = {g.name: (g.seed, 0) for g in batch.generators}
        self.hits = Counter()
        self.max_steps = max_steps
        self.lines = []
        self.functions = {}
        self.steps = 0
        self.depth = 0
        # "branch", "loop", "condition" around the place.
        self.places = set()

    def run(self, program):
        """The lines that the program prints, final states not included."""
        self.functions = {f.name: f for f in program.functions}
        self.lines, self.steps, self.depth, self.places = [], 0, 0, set()
        for entry in program.entries:
            results = self.call(entry.callee, [a & M64 for a in entry.args])
            for result in results:
                self.lines.append(str(signed(result)))
        return self.lines

    def call(self, name, args):
        function = self.functions[name]
        self.depth += 1
        if self.depth > 40:
            raise TooLong
        env = dict(zip(function.args, args))
        results = self.region(function.body, env)
        self.depth -= 1
        return results

    def region(self, body, env):
        """Runs a Block or a Cfg; the values that it yields."""
        if isinstance(body, p.Block):
            self.block(body.stmts, env)
            return [env[v] for v in body.yields]
        blocks = {b.label: b for b in body.blocks}
        at = body.blocks[0]
        while True:
            self.block(at.stmts, env)
            term = at.term
            if at.label.startswith(p.TWO_WAYS):
                self.hit("cf loops with two entries")
            self.hit("cf blocks")
            if isinstance(term, p.Leave):
                return [env[v] for v in term.values]
            if isinstance(term, p.Br):
                self.hit("cf.br")
                target, args = term.target, term.args
            elif isinstance(term, p.CondBr):
                self.hit("cf.cond_br")
                if term.then_target == term.else_target:
                    self.hit("cf.cond_br, one target")
                if env[term.cond]:
                    target, args = term.then_target, term.then_args
                else:
                    target, args = term.else_target, term.else_args
            else:
                self.hit("cf.switch")
                value = env[term.flag] & 7
                target, args = term.default, term.default_args
                for case, case_target, case_args in term.cases:
                    if case == value:
                        target, args = case_target, case_args
            values = [env[v] for v in args]
            at = blocks[target]
            env.update(zip(at.args, values))

    def within(self, place, body, env):
        before = self.places
        self.places = before | {place}
        results = self.region(body, env)
        self.places = before
        return results

    def block(self, stmts, env):
        for stmt in stmts:
            self.steps += 1
            if self.steps > self.max_steps:
                raise TooLong
            getattr(self, "do_" + type(stmt).__name__)(stmt, env)

    def hit(self, construct):
        self.hits[construct] += 1

    # Arithmetic.

    def do_Const(self, s, env):
        env[s.var] = s.value & M64 if s.var[0] == "v" else s.value

    def do_Bin(self, s, env):
        a, b = env[s.a], env[s.b]
        env[s.var] = {"addi": a + b, "subi": a - b, "muli": a * b,
                      "xori": a ^ b, "andi": a & b}[s.op] & M64

    def do_Cmp(self, s, env):
        a, b = env[s.a], env[s.b]
        if s.pred[0] == "s":
            a, b = signed(a), signed(b)
        env[s.var] = int({"lt": a < b, "gt": a > b, "q": a == b}[s.pred[1:]])

    def do_And(self, s, env):
        env[s.var] = env[s.a] & env[s.b]

    def do_ToIndex(self, s, env):
        env[s.var] = (env[s.src] & s.mask) + s.add

    def do_Print(self, s, env):
        self.lines.append(str(signed(env[s.var])))

    # State.

    def name(self, generator):
        return "named generators" if generator else "the default generator"

    def elements(self, s, env, stream, seed, offset):
        """What a draw does with its values."""
        spec = s.spec
        sizes = iter(s.sizes)
        shape = [env[next(sizes)] if d is None else d for d in spec.shape]
        if spec.kind == "tensor" and 0 in shape:
            self.hit("empty tensors")
        if not s.picks and not s.show:
            self.hit("unused draws")
        result = None
        for pick in s.picks:
            index = 0
            for position, size in zip(pick, shape):
                assert position < size
                index = index * size + position
            value = streams.element(spec, stream, seed, offset, index)
            result = value if result is None else result * 31 + value
        if result is not None:
            env[s.var] = result & M64
        if s.show:
            count = 1
            for d in shape:
                count *= d
            width = p.WIDTHS[spec.elem]
            self.lines.append(" ".join(
                "%0*x" % (max(2, width // 4),
                          streams.element(spec, stream, seed, offset, i))
                for i in range(count)))
        self.hit("draws: " + spec.dist + " " + spec.elem)
        dynamic = "dynamic " if None in spec.shape else ""
        self.hit("draws: " + dynamic + spec.kind + "s")

    def after(self, s, env, generator, offset):
        """The offset after a draw."""
        sizes = iter(s.sizes)
        count = 1
        for d in s.spec.shape:
            count *= env[next(sizes)] if d is None else d
        stream = self.streams[generator]
        self.hit("streams: " + stream[0])
        return offset + streams.advance(stream, s.spec.elem, count) & M64

    def do_Draw(self, s, env):
        seed, offset = self.states[s.gen]
        self.steps += 4
        self.states[s.gen] = seed, self.after(s, env, s.gen, offset)
        self.elements(s, env, self.streams[s.gen], seed, offset)
        self.hit("draws from " + self.name(s.gen))
        if "condition" in self.places:
            self.hit("scf.while, draws in the condition")

    def do_DrawAt(self, s, env):
        self.hit("stateless draws by hand")
        self.elements(s, env, self.streams[s.gen], env[s.seed], env[s.offset])

    def do_Advance(self, s, env):
        self.hit("rng.advance by hand")
        env[s.var] = self.after(s, env, s.gen, env[s.offset])

    def do_GetState(self, s, env):
        self.hit("rng.get_state")
        env[s.seed], env[s.offset] = self.states[s.gen]

    def do_SetState(self, s, env):
        self.hit("rng.set_state")
        for place in sorted(self.places - {"condition"}):
            self.hit("rng.set_state, in a " + place)
        self.states[s.gen] = env[s.seed], env[s.offset]
        if env[s.seed] >> 63:
            self.hit("rng.set_state, negative seed")
        if env[s.offset] > M64 - 16:
            self.hit("rng.set_state, offset near 2^64")

    def do_Reserve(self, s, env):
        self.hit("rng.reserve, constant" if s.constant else
                 "rng.reserve, dynamic")
        seed, offset = self.states[s.gen]
        env[s.seed], env[s.offset] = seed, offset
        self.states[s.gen] = seed, (offset + env[s.blocks]) & M64

    def do_ExternSeed(self, s, env):
        self.hit("external function that seeds")
        self.states[s.gen] = env[s.seed], 0

    def do_ExternState(self, s, env):
        self.hit("external function that reads")
        seed, offset = self.states[s.gen]
        env[s.seed], env[s.offset] = seed, offset * 4 & M64

    # Calls.

    def do_Call(self, s, env):
        self.hit("calls of private functions"
                 if self.functions[s.callee].private else
                 "calls of public functions")
        kind = self.functions[s.callee].kind
        if kind != "plain":
            self.hit("calls: " + kind)
        env.update(zip(s.results, self.call(s.callee,
                                            [env[v] for v in s.args])))

    def do_CallIndirect(self, s, env):
        self.hit("func.call_indirect")
        callee = s.callees[1 if env[s.cond] else 0]
        env.update(zip(s.results, self.call(callee, [env[v] for v in s.args])))

    # Regions.

    def do_If(self, s, env):
        self.hit("scf.if" if s.orelse else "scf.if without else")
        if s.results:
            self.hit("scf.if with results")
        if s.is_even:
            self.hit("scf.if in a parallel loop")
        if env[s.cond]:
            env.update(zip(s.results, self.within("branch", s.then, env)))
        elif s.orelse:
            env.update(zip(s.results, self.within("branch", s.orelse, env)))

    def do_AffineIf(self, s, env):
        self.hit("affine.if")
        body = s.then if env[s.index] >= s.least else s.orelse
        if body:
            env.update(zip(s.results, self.region(body, env)))

    def bound(self, bound, env):
        return bound if isinstance(bound, int) else env[bound]

    def do_For(self, s, env):
        lb, ub, step = (self.bound(x, env) for x in (s.lb, s.ub, s.step))
        op = "affine.for" if s.flavor == "affine" else "scf.for"
        self.hit(op)
        if s.flavor in ("i32", "i64"):
            self.hit("scf.for, " + s.flavor)
        if not all(isinstance(x, int) for x in (s.lb, s.ub, s.step)):
            self.hit(op + ", dynamic bounds")
        if lb >= ub:
            self.hit(op + ", zero trips")
        if step > 1:
            self.hit(op + ", step over 1")
        if s.iters:
            self.hit(op + ", iter_args")
        values = [env[v] for v in s.inits]
        for iv in range(lb, ub, step):
            env[s.iv] = iv & M64
            env[p.as_index(s.iv)] = iv
            env.update(zip(s.iters, values))
            values = self.within("loop", s.body, env)
        env.update(zip(s.results, values))

    def do_While(self, s, env):
        self.hit("scf.while")
        values = [env[v] for v in s.inits]
        while True:
            self.steps += 1
            env.update(zip(s.before_args, values))
            forwarded = self.within("condition", s.before, env)
            if not env[s.cond]:
                break
            self.hit("scf.while, body")
            env.update(zip(s.after_args, forwarded))
            values = self.within("loop", s.after, env)
        env.update(zip(s.results, forwarded))

    def do_IndexSwitch(self, s, env):
        self.hit("scf.index_switch")
        body = s.default
        for value, case in s.cases:
            if value == env[s.selector]:
                body = case
        env.update(zip(s.results, self.region(body, env)))

    def do_ExecuteRegion(self, s, env):
        self.hit("scf.execute_region, blocks" if isinstance(s.body, p.Cfg) else
                 "scf.execute_region")
        env.update(zip(s.results, self.region(s.body, env)))

    def do_Parallel(self, s, env):
        self.hit(s.flavor)
        bounds = [tuple(self.bound(x, env) for x in dim)
                  for dim in zip(s.lbs, s.ubs, s.steps)]
        if len(bounds) > 1:
            self.hit(s.flavor + ", several dimensions")
        if any(not isinstance(x, int) for x in s.lbs + s.ubs + s.steps):
            self.hit(s.flavor + ", dynamic bounds")
        if any(lb >= ub for lb, ub, _ in bounds):
            self.hit(s.flavor + ", zero trips")
        if any(lb != 0 for lb, _, _ in bounds):
            self.hit(s.flavor + ", lower bounds")
        if any(step > 1 for _, _, step in bounds):
            self.hit(s.flavor + ", steps over 1")
        memory = {}
        total = 0
        for ivs in product(*(range(*dim) for dim in bounds)):
            for name, iv in zip(s.ivs, ivs):
                env[name] = iv & M64
                env[p.as_index(name)] = iv
            (value,) = self.region(s.body, env)
            memory[ivs] = value
            total = (total + value) & M64
        if s.reduction:
            self.hit(s.flavor + ", reduction")
            env[s.reduction] = total
        if s.memory:
            side = p.SIDES[len(bounds)]
            self.lines.append(" ".join(
                "%016x" % memory.get(at, 0)
                for at in product(range(side), repeat=len(bounds))))
