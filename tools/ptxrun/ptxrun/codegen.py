# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The control-flow graph of a kernel in, one Python function a basic block out.

`KernelCode` generates all functions of a kernel (blockgen.py), finds which
registers live from one basic block to the next, and compiles the text.
"""

import numpy as np

from . import approx, halves, rt, softfp, tensor
from .blockgen import BlockGen, NPT, WID
from .errors import UnknownInstruction
from .forms import HANDLERS, gen_barrier
from .lower import Op


class KernelCode:
    """Everything compiled for one kernel."""

    def __init__(self, low, blocks, layout, mod, unreachable=()):
        self.low = low
        self.blocks = blocks
        self.layout = layout
        self.mod = mod
        self.consts = {}
        self.ns = namespace()
        self.approx_ops = set()
        self.nc_lines = set()
        self.contractible = 0
        gens = []
        for b in unreachable:           # checked, then thrown away
            generate(BlockGen(self, b))
        self.approx_ops.clear()
        self.contractible = 0
        for b in blocks:
            g = BlockGen(self, b)
            generate(g)
            b.use = set(g.loads)
            b.defs = set(g.defs)
            gens.append(g)
        self.liveness()
        src = []
        for g in gens:
            src.extend(g.finish())
        self.source = "\n".join(src) + "\n"
        for (tag, bits), name in self.consts.items():
            self.ns[name] = make_const(tag, bits)
        exec(compile(self.source, "<ptx kernel %s>" % low.kernel, "exec"), self.ns)
        self.fns = [self.ns["b%d" % b.id] for b in blocks]

    def const(self, tag, bits):
        key = (tag, bits)
        n = self.consts.get(key)
        if n is None:
            n = self.consts[key] = "K%d" % len(self.consts)
        return n

    def liveness(self):
        for b in self.blocks:
            b.live_in = set(b.use)
            b.live_out = set()
        changed = True
        while changed:
            changed = False
            for b in reversed(self.blocks):
                out = set()
                for s in b.succ:
                    out |= self.blocks[s].live_in
                if out != b.live_out:
                    b.live_out = out
                    changed = True
                new = b.use | (out - b.defs)
                if new != b.live_in:
                    b.live_in = new
                    changed = True


def generate(g):
    """Generates the operations of the basic block of `g` and its terminator."""
    for o in g.b.ops:
        g.op = o
        g.guard = None
        if o.pred is not None:
            p = g.use(o.pred, "p")
            g.guard = g.tmp("~%s" % p) if o.neg else p
        h = HANDLERS.get(o.base)
        if h is None:
            g.unknown("unknown instruction %s" % ".".join([o.base] + o.mods))
        try:
            h(g, o, list(o.mods), o.ops)
        except (IndexError, AttributeError) as e:
            raise UnknownInstruction("malformed or unsupported operands (%s)" % e,
                                     o.line, o.text) from e
    t = g.b.term
    g.guard = None
    if t[0] == "cbra":
        g.op = t[5] or Op("bra", [], [])
        p = g.use(t[1], "p")
        g.term_expr = g.tmp("~%s" % p) if t[2] else p
    elif t[0] == "brx":
        g.op = t[3]
        g.term_expr = g.use(t[1], "u4")
    elif t[0] == "bar":
        g.op = t[2]
        g.term_expr = gen_barrier(g, t[2])


def make_const(tag, bits):
    if tag == "p":
        return np.array([bool(bits)])
    if tag == "q":
        return np.array([[bits & (2 ** 64 - 1), bits >> 64]], dtype=np.uint64)
    w = WID[tag]
    raw = int(bits).to_bytes(w, "little")
    a = np.frombuffer(raw, dtype=NPT[tag]).copy()
    a.flags.writeable = False
    return a


def namespace():
    """What generated code may name."""
    ns = {"np": np}
    for m in (softfp, halves, approx, rt):
        for k, v in vars(m).items():
            if not k.startswith("__"):
                ns[k] = v
    ns["tensor"] = tensor
    return ns
