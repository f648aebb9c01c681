#===- interpreter.py - What random programs mean ---------------------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Runs a program of programs.py by its meaning (docs/spec.md, section 1).

Shares no code with the C++ of the project: stateful programs run in order, one
draw after the other, on exact rationals where floats are rounded.
"""
from collections import Counter
from fractions import Fraction
from itertools import product

import programs as p

M32 = (1 << 32) - 1
M64 = (1 << 64) - 1

# ------------------------------------------------------------------- numbers

# Element type -> (bits of the exponent, bits of precision).
FLOATS = {"f16": (5, 11), "bf16": (8, 8), "f32": (8, 24), "f64": (11, 53)}


def encode(elem, q):
    """Bits of the rational `q` rounded to a float type, ties to even. Large
    values, infinities and negative zero do not occur in programs."""
    ebits, precision = FLOATS[elem]
    q = Fraction(q)
    if q == 0:
        return 0
    sign = 1 << (ebits + precision - 1) if q < 0 else 0
    q = abs(q)
    bias = (1 << (ebits - 1)) - 1
    exponent = q.numerator.bit_length() - q.denominator.bit_length()
    if Fraction(2) ** exponent > q:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    ulp = Fraction(2) ** (exponent - precision + 1)
    n = round(q / ulp)  # Python rounds ties to even.
    # Subnormals lack the implicit bit; a carry out of the significand moves
    # the exponent by itself.
    return sign | (((exponent + bias - 1) << (precision - 1)) + n)


def decode(elem, bits):
    """The rational that a float type's `bits` stand for."""
    ebits, precision = FLOATS[elem]
    bias = (1 << (ebits - 1)) - 1
    mantissa = bits & ((1 << (precision - 1)) - 1)
    exponent = (bits >> (precision - 1)) & ((1 << ebits) - 1)
    if exponent:
        mantissa |= 1 << (precision - 1)
    value = mantissa * Fraction(2) ** (max(exponent, 1) - bias - precision + 1)
    return -value if bits >> (ebits + precision - 1) else value


def rounded(elem, q):
    return decode(elem, encode(elem, q))


def philox(rounds, seed, offset, sub):
    """The four words of one block of Philox4x32."""
    c = [offset & M32, offset >> 32, sub & M32, sub >> 32]
    k0, k1 = seed & M32, seed >> 32
    for _ in range(rounds):
        a, b = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
        c = [(b >> 32) ^ c[1] ^ k0, b & M32, (a >> 32) ^ c[3] ^ k1, a & M32]
        k0, k1 = (k0 + 0x9E3779B9) & M32, (k1 + 0xBB67AE85) & M32
    return c


def element(spec, rounds, seed, offset, index):
    """Bits of element `index` of a draw."""
    elem = spec.elem
    wide = elem in ("i64", "f64")
    per_block = 2 if wide else 4
    words = philox(rounds, seed, offset, index // per_block)
    slot = index % per_block
    if wide:
        x, y = words[2 * slot], words[2 * slot + 1]
    else:
        w = words[slot]
    if spec.dist == "bits":
        if elem == "i1":
            return w >> 31
        return x | y << 32 if wide else w & ((1 << int(elem[1:])) - 1)
    if elem == "f64":
        z = x ^ (y << 21)
        u = rounded("f64", Fraction(2 * z + 1, 1 << 54))
    else:
        u = rounded("f32", rounded("f32", w) / (1 << 32) + Fraction(1, 1 << 33))
    if spec.dist == "bernoulli":
        u = 0 if u == 1 else u
        return int(u < Fraction(spec.params[0]))
    lo, hi = (Fraction(x) for x in (spec.params or (0, 1)))
    if lo >= hi:
        return encode(elem, lo)
    compute = "f64" if elem == "f64" else "f32"
    if compute == elem:
        # The end rule comes first; without a range it is the only one.
        u = 0 if u == 1 else u
    value = rounded(compute, rounded(compute, hi - lo) * u + lo)
    if rounded(elem, value) >= rounded(elem, hi):
        value = lo
    return encode(elem, value)


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
        self.rounds = {g.name: g.rounds for g in batch.generators}
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

    def elements(self, s, env, rounds, seed, offset):
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
            value = element(spec, rounds, seed, offset, index)
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
                          element(spec, rounds, seed, offset, i))
                for i in range(count)))
        self.hit("draws: " + spec.dist + " " + spec.elem)
        dynamic = "dynamic " if None in spec.shape else ""
        self.hit("draws: " + dynamic + spec.kind + "s")

    def do_Draw(self, s, env):
        seed, offset = self.states[s.gen]
        self.steps += 4
        self.states[s.gen] = seed, (offset + 1) & M64
        self.elements(s, env, self.rounds[s.gen], seed, offset)
        self.hit("draws from " + self.name(s.gen))
        if "condition" in self.places:
            self.hit("scf.while, draws in the condition")

    def do_DrawAt(self, s, env):
        self.hit("stateless draws by hand")
        self.elements(s, env, self.rounds[s.gen], env[s.seed], env[s.offset])

    def do_Advance(self, s, env):
        self.hit("rng.advance by hand")
        env[s.var] = (env[s.offset] + 1) & M64

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
