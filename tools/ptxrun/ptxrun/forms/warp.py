# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code for operations of a warp, barriers, and the functions of the CUDA runtime."""

from ..blockgen import TAG, UTAG, Val
from ..syntax import Pair, Reg, TYPE_SIZE
from .registry import done, flag, nops, op, pick


# --- warp-level operations -----------------------------------------------------------------

def member(g, o):
    return g.use(o, "u4")


@op("shfl")
def h_shfl(g, o, mods, ops):
    ty = mods.pop()
    sync = flag(mods, "sync")
    mode = pick(mods, ("up", "down", "bfly", "idx"))
    done(g, mods)
    if ty != "b32" or mode is None:
        g.unknown()
    nops(g, ops, 5 if sync else 4)
    d, a, b, c = ops[:4]
    m = member(g, ops[4]) if sync else "None"
    v, p = g.fresh(), g.fresh()
    g.emit("%s, %s = C.M.shfl(C, %r, %s, %s, %s, %s, %d)" % (
        v, p, mode, g.use(a, "u4"), g.use(b, "u4"), g.use(c, "u4"), m, o.line or 0))
    if isinstance(d, Pair):
        g.set(d.a, "u4", v)
        g.set(d.b, "p", p)
    else:
        g.set(d, "u4", v)


@op("vote")
def h_vote(g, o, mods, ops):
    ty = mods.pop()
    sync = flag(mods, "sync")
    mode = pick(mods, ("all", "any", "uni", "ballot"))
    done(g, mods)
    nops(g, ops, 3 if sync else 2)
    if mode is None or ty != ("b32" if mode == "ballot" else "pred"):
        g.unknown()
    m = member(g, ops[2]) if sync else "None"
    e = "C.M.vote(C, %r, %s, %s, %d)" % (mode, g.use(ops[1], "p"), m, o.line or 0)
    g.set(ops[0], "u4" if mode == "ballot" else "p", e)


@op("match")
def h_match(g, o, mods, ops):
    ty = mods.pop()
    sync = flag(mods, "sync")
    mode = pick(mods, ("any", "all"))
    done(g, mods)
    nops(g, ops, 3)
    if not sync or mode is None or ty not in ("b32", "b64"):
        g.unknown()
    d = ops[0]
    v, p = g.fresh(), g.fresh()
    g.emit("%s, %s = C.M.match(C, %r, %s, %s, %d)" % (
        v, p, mode, g.use(ops[1], TAG[ty]), member(g, ops[2]), o.line or 0))
    if isinstance(d, Pair):
        g.set(d.a, "u4", v)
        g.set(d.b, "p", p)
    else:
        g.set(d, "u4", v)


@op("redux")
def h_redux(g, o, mods, ops):
    ty = mods.pop()
    sync = flag(mods, "sync")
    fn = pick(mods, ("add", "min", "max", "and", "or", "xor"))
    ab = flag(mods, "abs")
    nan = flag(mods, "NaN")
    done(g, mods)
    nops(g, ops, 3)
    ok = {"add": ("u32", "s32"), "min": ("u32", "s32", "f32"), "max": ("u32", "s32", "f32"),
          "and": ("b32",), "or": ("b32",), "xor": ("b32",)}
    if not sync or fn is None or ty not in ok[fn] or ((ab or nan) and ty != "f32"):
        g.unknown()
    t = TAG[ty]
    g.set(ops[0], t, "C.M.redux(C, %r, %s, %s, %s, %s, %d)" % (
        fn, g.use(ops[1], t), member(g, ops[2]), ab, nan, o.line or 0))


@op("elect")
def h_elect(g, o, mods, ops):
    if mods != ["sync"]:
        g.unknown()
    nops(g, ops, 2)
    d = ops[0]
    if not isinstance(d, Pair):
        g.unknown()
    v, p = g.fresh(), g.fresh()
    g.emit("%s, %s = C.M.elect(C, %s, %d)" % (v, p, member(g, ops[1]), o.line or 0))
    g.set(d.a, "u4", v)
    g.set(d.b, "p", p)


@op("activemask")
def h_activemask(g, o, mods, ops):
    if mods != ["b32"]:
        g.unknown()
    nops(g, ops, 1)
    g.set(ops[0], "u4", "C.M.activemask(C)")


@op("bar")
def h_barwarp(g, o, mods, ops):
    # only bar.warp.sync reaches here; others end blocks
    if mods != ["warp", "sync"]:
        g.unknown()
    nops(g, ops, 1)
    g.emit("C.M.warp_barrier(C, %s, %d)" % (member(g, ops[0]), o.line or 0))


def gen_barrier(g, o):
    """Terminator: returns the expression of a tuple for the scheduler."""
    mods = list(o.mods)
    flag(mods, "cta")
    al = flag(mods, "aligned")
    kind = pick(mods, ("sync", "arrive", "red"))
    if kind is None or g.op is not o:
        g.unknown()
    if o.base == "bar":
        al = True
    ops = list(o.ops)
    if kind == "red":
        ty = mods.pop() if mods else None
        rop = pick(mods, ("popc", "and", "or"))
        done(g, mods)
        if rop is None or ty != ("u32" if rop == "popc" else "pred"):
            g.unknown()
        d = ops.pop(0)
        p = ops.pop()
        pv = g.use(p, "p")
        n = g.use(ops[0], "u4")
        cnt = g.use(ops[1], "u4") if len(ops) == 2 else "None"
        if len(ops) > 2 or not isinstance(d, Reg):
            g.unknown()
        # the destination is written by the scheduler
        g.defs.add(d.id)
        g.vals[d.id] = Val("p" if rop != "popc" else "u4", "NOTSET", TYPE_SIZE[d.type])
        g.barrier_dst = d.id
        return "('red', %s, %s, %r, %s, %d, %r)" % (n, cnt, rop, pv, d.id, al)
    done(g, mods)
    if kind == "sync":
        nops(g, ops, 1, 2)
    else:
        nops(g, ops, 2)
    n = g.use(ops[0], "u4")
    cnt = g.use(ops[1], "u4") if len(ops) == 2 else "None"
    return "(%r, %s, %s, %r)" % (kind, n, cnt, al)


@op("builtin")
def h_builtin(g, o, mods, ops):
    name = mods[0]
    if name == "vprintf":
        ret, fmt, args = (ops + [None])[:3] if len(ops) == 3 else (None, ops[0], ops[1])
        e = "C.M.vprintf(C, %s, %s, %d)" % (g.use(fmt, "u8"), g.use(args, "u8"), o.line or 0)
        if ret is not None:
            g.set(ret, "u4", e)
        else:
            g.emit(e)
        return
    if name == "__assertfail":
        g.emit("C.M.assertfail(C, (%s,), %d)" % (
            ", ".join(g.use(x, UTAG[TYPE_SIZE[x.type]]) for x in ops), o.line or 0))
        return
    g.unknown()
