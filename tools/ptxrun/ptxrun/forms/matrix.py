# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code for mma, ldmatrix, stmatrix and wmma: checks of form, then calls of tensor.py."""

from .. import tensor
from ..blockgen import RND
from ..syntax import FImm, Imm, Reg, Vec
from .memory import addr_expr, addr_space
from .registry import done, flag, nops, op, pick


# --- matrix instructions ---------------------------------------------------------------------

MMA_D = {"f16": ("f16", "f32"), "bf16": ("f32",), "tf32": ("f32",), "s8": ("s32",),
         "u8": ("s32",), "f64": ("f64",)}


def regs_of(o):
    return o.elems if isinstance(o, Vec) else [o]


def mat_use(g, o, ty):
    t = "u8" if ty == "f64" else "u4"
    if isinstance(o, Vec):
        for e in o.elems:
            if not isinstance(e, (Reg, Imm, FImm)):
                g.unknown("matrix operand")
    return "(%s,)" % ", ".join(g.use(e, t) for e in regs_of(o))


def mat_set(g, d, ty, expr):
    names = [g.fresh() for _ in regs_of(d)]
    g.emit("%s, = %s" % (", ".join(names), expr))
    t = "f8" if ty == "f64" else "u4"
    for r, v in zip(regs_of(d), names):
        g.set(r, t, v)


@op("mma")
def h_mma(g, o, mods, ops):
    nops(g, ops, 4)
    if not flag(mods, "sync") or not flag(mods, "aligned"):
        g.unknown()
    sat = flag(mods, "satfinite")
    shape = mods.pop(0)
    if mods[:2] != ["row", "col"] or len(mods) != 6:
        g.unknown("mma form")
    tys = tuple(mods[2:])
    dt, at, bt, ct = tys
    kind = tensor.KIND.get(at)
    if kind is None or (kind, shape) not in tensor.LAYOUT or dt not in MMA_D[at] or \
            ct not in MMA_D[at] or tensor.KIND.get(bt) != kind or (kind == "16" and at != bt) or \
            (sat and kind != "8"):
        g.unknown("mma shape or types not implemented")
    la, lb, lc = tensor.LAYOUT[kind, shape]
    per = 2 if kind == "16" else 4 if kind == "8" else 1
    want = [lc[0].shape[1] // (2 if dt == "f16" else 1), la[0].shape[1] // per,
            lb[0].shape[1] // per, lc[0].shape[1] // (2 if ct == "f16" else 1)]
    if [len(regs_of(x)) for x in ops] != want:
        g.bad("mma operands have %s registers, expected %s" % (
            [len(regs_of(x)) for x in ops], want))
    g.kc.approx_ops.add(".".join([o.base] + o.mods))
    mat_set(g, ops[0], dt, "tensor.mma(C.M, C, %r, %r, %s, %s, %s, %s, %d)" % (
        shape, tys, sat, mat_use(g, ops[1], at), mat_use(g, ops[2], bt),
        mat_use(g, ops[3], ct), o.line or 0))


@op("ldmatrix", "stmatrix")
def h_ldmatrix(g, o, mods, ops):
    nops(g, ops, 2)
    if not flag(mods, "sync") or not flag(mods, "aligned") or not flag(mods, "m8n8"):
        g.unknown("only .m8n8 is implemented")
    ty = mods.pop()
    num = pick(mods, ("x1", "x2", "x4"))
    trans = flag(mods, "trans")
    space = None
    if mods and mods[0].split("::")[0] == "shared" and mods[0] != "shared::cluster":
        mods.pop(0)
        space = "shared"
    done(g, mods)
    if ty != "b16" or num is None:
        g.unknown()
    n = int(num[1])
    d, a = (ops[0], ops[1]) if o.base == "ldmatrix" else (ops[1], ops[0])
    if len(regs_of(d)) != n:
        g.bad("%d registers for .%s" % (len(regs_of(d)), num))
    addr_space(g, a, space)
    x = addr_expr(g, a)
    if o.base == "ldmatrix":
        mat_set(g, d, "b32", "tensor.ldmatrix(C.M, C, %d, %s, %r, %s, %d)" % (
            n, trans, space, x, o.line or 0))
    else:
        g.emit("tensor.stmatrix(C.M, C, %d, %s, %r, %s, %s, %d)" % (
            n, trans, space, x, mat_use(g, d, "b32"), o.line or 0))


WMMA_SHAPES = {"f16": ("m16n16k16", "m32n8k16", "m8n32k16"), "tf32": ("m16n16k8",),
               "f64": ("m8n8k4",)}
for _t in ("bf16", "s8", "u8", "f32", "s32"):
    WMMA_SHAPES[_t] = WMMA_SHAPES["f16"]
WMMA_SHAPES["f32"] = WMMA_SHAPES["f16"] + ("m16n16k8",)


@op("wmma")
def h_wmma(g, o, mods, ops):
    what = mods.pop(0)
    if what == "mma":
        return wmma_mma(g, o, mods, ops)
    which = mods.pop(0)
    if not flag(mods, "sync") or not flag(mods, "aligned") or what not in ("load", "store"):
        g.unknown()
    layout = pick(mods, ("row", "col"))
    shape = mods.pop(0)
    ty = mods.pop()
    space = None
    if mods and mods[0].split("::")[0] in ("global", "shared") and mods[0] != "shared::cluster":
        space = mods.pop(0).split("::")[0]
    done(g, mods)
    if layout is None or shape not in WMMA_SHAPES.get(ty, ()) or which not in "abcd":
        g.unknown("wmma shape or type not implemented")
    nops(g, ops, 2, 3)
    stride = g.use(ops[2], "u4") if len(ops) == 3 else "None"
    d, a = (ops[0], ops[1]) if what == "load" else (ops[1], ops[0])
    addr_space(g, a, space)
    x = addr_expr(g, a)
    if what == "load":
        if which == "d":
            g.unknown()
        mat_set(g, d, ty, "tensor.wmma_load(C.M, C, %r, %r, %r, %r, %r, %d, %s, %s, %d)" % (
            which, shape, layout, space, ty, len(regs_of(d)), x, stride, o.line or 0))
    else:
        if which != "d":
            g.unknown()
        g.emit("tensor.wmma_store(C.M, C, %r, %r, %r, %r, %s, %s, %s, %d)" % (
            shape, layout, space, ty, mat_use(g, d, ty), x, stride, o.line or 0))


def wmma_mma(g, o, mods, ops):
    if not flag(mods, "sync") or not flag(mods, "aligned"):
        g.unknown()
    sat = flag(mods, "satfinite")
    rnd = pick(mods, RND)
    if rnd not in (None, "rn") or len(mods) < 5 or mods[0] not in ("row", "col") or \
            mods[1] not in ("row", "col"):
        g.unknown("wmma.mma form")
    shape = mods[2]
    tys = mods[3:]
    if len(tys) == 2:
        tys = [tys[0], "f16", "f16", tys[1]]
    if len(tys) != 4 or tys[1] not in MMA_D or shape not in WMMA_SHAPES.get(tys[1], ()) or \
            tys[0] not in MMA_D[tys[1]] or tys[3] not in MMA_D[tys[1]]:
        g.unknown("wmma shape or types not implemented")
    if sat and tys[1] not in ("s8", "u8"):
        g.unknown("wmma .satfinite on floats")
    nops(g, ops, 4)
    g.kc.approx_ops.add(".".join([o.base] + o.mods))
    mat_set(g, ops[0], tys[0], "tensor.wmma_mma(C.M, C, %r, %r, %s, %s, %s, %s, %d)" % (
        shape, tuple(tys), sat, mat_use(g, ops[1], tys[1]), mat_use(g, ops[2], tys[2]),
        mat_use(g, ops[3], tys[3]), o.line or 0))
