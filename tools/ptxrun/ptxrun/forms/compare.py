# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code for comparison, selection, testp and copysign."""

from ..blockgen import INT_TYPES, TAG, UTAG, WID, ones
from ..syntax import FImm, Pair, TYPE_SIZE
from .registry import done, flag, nops, op, pick, typed


# --- comparison and selection -------------------------------------------------------

CMP_INT = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
           "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
CMPS = ("eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs",
        "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")


def cmp_float(c, x, y):
    return {
        "eq": "(%s == %s)", "lt": "(%s < %s)", "le": "(%s <= %s)", "gt": "(%s > %s)",
        "ge": "(%s >= %s)", "neu": "(%s != %s)",
        "ltu": "~(%s >= %s)", "leu": "~(%s > %s)", "gtu": "~(%s <= %s)", "geu": "~(%s < %s)",
        "ne": "fcmp_ne(%s, %s)", "equ": "fcmp_equ(%s, %s)",
        "num": "fcmp_num(%s, %s)", "nan": "~fcmp_num(%s, %s)",
    }[c] % (x, y)


def compare(g, c, ty, ftz, a, b):
    """-> expression of a bool array (a pair for x2 types)."""
    if ty in INT_TYPES:
        if ftz or c not in CMP_INT:
            g.unknown("comparison .%s on .%s" % (c, ty))
        if ty.startswith("b") and c not in ("eq", "ne"):
            g.unknown("ordered comparison of .%s" % ty)
        if c in ("lo", "ls", "hi", "hs") and not ty.startswith("u"):
            g.unknown("comparison .%s on .%s" % (c, ty))
        t = TAG[ty]
        if c in ("eq", "ne"):
            t = UTAG[WID[t]]
        return "%s %s %s" % (g.use(a, t), CMP_INT[c], g.use(b, t))
    if c in ("lo", "ls", "hi", "hs"):
        g.unknown("comparison .%s on .%s" % (c, ty))
    if ty == "f32":
        return cmp_float(c, g.fval(a, ftz), g.fval(b, ftz))
    if ty == "f64" and not ftz:
        return cmp_float(c, g.use(a, "f8"), g.use(b, "f8"))
    if ty in ("f16", "bf16"):
        cv = "f16_to_f32" if ty == "f16" else "bf16_to_f32"
        x, y = g.use(a, "u2"), g.use(b, "u2")
        if ftz:
            if ty == "bf16":
                g.unknown()
            x, y = "h_ftz(%s)" % x, "h_ftz(%s)" % y
        return cmp_float(c, g.tmp("%s(%s)" % (cv, x)), g.tmp("%s(%s)" % (cv, y)))
    if ty in ("f16x2", "bf16x2"):
        cv = "f16_to_f32" if ty == "f16x2" else "bf16_to_f32"
        f = ("h_ftz(%s)" if ftz else "%s")
        body = cmp_float(c, "%s(%s)" % (cv, f % "x"), "%s(%s)" % (cv, f % "y"))
        return "x2p(lambda x, y: %s, %s, %s)" % (body, g.use(a, "u4"), g.use(b, "u4"))
    g.unknown("comparison of .%s" % ty)


BOOLOP = {"and": "&", "or": "|", "xor": "^"}


@op("setp")
def h_setp(g, o, mods, ops):
    ty = mods.pop()
    ftz = flag(mods, "ftz")
    c = mods.pop(0) if mods else None
    if c not in CMPS:
        g.unknown("comparison .%s" % c)
    bo = pick(mods, tuple(BOOLOP))
    done(g, mods)
    nops(g, ops, 3 if bo is None else 4)
    e = compare(g, c, ty, ftz, ops[1], ops[2])
    d = ops[0]
    if ty.endswith("x2"):
        if not isinstance(d, Pair):
            g.unknown("setp on packed halves needs two destinations")
        p, q = g.fresh(), g.fresh()
        g.emit("%s, %s = %s" % (p, q, e))
        if bo is not None:
            k = g.use(ops[3], "p")
            p = "%s %s %s" % (p, BOOLOP[bo], k)
            q = "%s %s %s" % (q, BOOLOP[bo], k)
        g.set(d.a, "p", p)
        g.set(d.b, "p", q)
        return
    if isinstance(d, Pair):
        v = g.tmp(e)
        p, q = v, "~" + v
        if bo is not None:
            k = g.use(ops[3], "p")
            p, q = "%s %s %s" % (p, BOOLOP[bo], k), "(%s) %s %s" % (q, BOOLOP[bo], k)
        # both are computed before either register changes
        p, q = g.tmp(p), g.tmp(q)
        g.set(d.a, "p", p)
        g.set(d.b, "p", q)
        return
    if bo is not None:
        e = "(%s) %s %s" % (e, BOOLOP[bo], g.use(ops[3], "p"))
    g.set(d, "p", e)


@op("set")
def h_set(g, o, mods, ops):
    sty = mods.pop()
    dty = mods.pop()
    ftz = flag(mods, "ftz")
    c = mods.pop(0) if mods else None
    if c not in CMPS:
        g.unknown("comparison .%s" % c)
    bo = pick(mods, tuple(BOOLOP))
    done(g, mods)
    nops(g, ops, 3 if bo is None else 4)
    e = compare(g, c, sty, ftz, ops[1], ops[2])
    if sty.endswith("x2"):
        p, q = g.fresh(), g.fresh()
        g.emit("%s, %s = %s" % (p, q, e))
        if bo is not None:
            k = g.use(ops[3], "p")
            p = g.tmp("%s %s %s" % (p, BOOLOP[bo], k))
            q = g.tmp("%s %s %s" % (q, BOOLOP[bo], k))
        one = {"f16x2": 0x3c00, "bf16x2": 0x3f80, "u32": 0xffff, "s32": 0xffff}.get(dty)
        if one is None:
            g.unknown("set to .%s" % dty)
        g.set(ops[0], "u4", "sel(%s, %s, %s) | sel(%s, %s, %s)" % (
            p, g.const("u4", one), g.const("u4", 0),
            q, g.const("u4", one << 16), g.const("u4", 0)))
        return
    if bo is not None:
        e = "(%s) %s %s" % (e, BOOLOP[bo], g.use(ops[3], "p"))
    t, one = {"u32": ("u4", 0xffffffff), "s32": ("u4", 0xffffffff), "b32": ("u4", 0xffffffff),
              "f32": ("u4", 0x3f800000), "f16": ("u2", 0x3c00), "bf16": ("u2", 0x3f80),
              "u16": ("u2", 0xffff), "s16": ("u2", 0xffff), "b16": ("u2", 0xffff)}.get(
                  dty, (None, None))
    if t is None:
        g.unknown("set to .%s" % dty)
    g.set(ops[0], t, "sel(%s, %s, %s)" % (e, g.const(t, one), g.const(t, 0)))


@op("selp")
def h_selp(g, o, mods, ops):
    ty = mods.pop()
    done(g, mods)
    nops(g, ops, 4)
    t = TAG.get(ty)
    if t is None or t == "p":
        g.unknown("selp of .%s" % ty)
    d, a, b, p = ops
    if t == "f4" and not (g.isdirty(a) or g.isdirty(b)):
        t = "u4"
    e = "sel(%s, %s, %s)" % (g.use(p, "p"), g.use(a, t), g.use(b, t))
    g.set(d, t, e, dirty=(t == "f4" and (g.isdirty(a) or g.isdirty(b))))


@op("slct")
def h_slct(g, o, mods, ops):
    cty = mods.pop()
    dty = mods.pop()
    ftz = flag(mods, "ftz")
    done(g, mods)
    nops(g, ops, 4)
    t = TAG.get(dty)
    if t in (None, "p", "q"):
        g.unknown()
    if t[0] == "f":
        t = UTAG[WID[t]] if not any(isinstance(x, FImm) for x in ops[1:3]) else t
    if cty == "s32":
        c = "%s >= %s" % (g.use(ops[3], "i4"), g.const("i4", 0))
    elif cty == "f32":
        c = "%s >= %s" % (g.fval(ops[3], ftz), g.const("f4", 0))
    else:
        g.unknown()
    g.set(ops[0], t, "sel(%s, %s, %s)" % (c, g.use(ops[1], t), g.use(ops[2], t)),
          dirty=t == "f4")


@op("testp")
def h_testp(g, o, mods, ops):
    ty = mods.pop()
    k = mods.pop()
    done(g, mods)
    nops(g, ops, 2)
    if ty not in ("f32", "f64"):
        g.unknown()
    x = g.use(ops[1], TAG[ty])
    tiny = "_TINY32" if ty == "f32" else "_TINY64"
    e = {"finite": "np.isfinite(%s)" % x, "infinite": "np.isinf(%s)" % x,
         "number": "%s == %s" % (x, x), "notanumber": "%s != %s" % (x, x),
         "normal": "np.isfinite(%s) & (np.abs(%s) >= %s)" % (x, x, tiny),
         "subnormal": "(np.abs(%s) < %s) & (%s != 0)" % (x, tiny, x)}.get(k)
    if e is None:
        g.unknown()
    g.set(ops[0], "p", e)


@op("copysign")
def h_copysign(g, o, mods, ops):
    ty = typed(g, mods, ops, 3, ("f32", "f64"))
    t = UTAG[TYPE_SIZE[ty]]
    top = 1 << (8 * WID[t] - 1)
    ft = TAG[ty]

    def bits(x):
        if isinstance(x, FImm):
            return g.const(t, g.fimm_bits(x, ft))
        return g.use(x, t)
    g.set(ops[0], t, "(%s & %s) | (%s & %s)" % (bits(ops[1]), g.const(t, top),
                                               bits(ops[2]), g.const(t, top ^ ones(t))))
