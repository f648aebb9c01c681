# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code for add, sub, mul, mad, fma and the carry chains, integer and floating."""

import re

from ..blockgen import INT_TYPES, ITAG, RND, TAG, UTAG
from ..syntax import Reg, TYPE_SIZE
from .registry import done, flag, nops, op, pick


# --- integer and float add/sub/mul/mad/fma --------------------------------------

def float_result(g, d, expr, ftz, sat, ftzd_known=False):
    if ftz and not ftzd_known:
        expr = "ftz32(%s)" % expr
    if sat:
        expr = "sat32(%s)" % expr
    g.set(d, "f4", expr, dirty=not sat, ftzd=ftz)


def note_contract(g, o, rnd):
    if rnd is None:
        g.kc.contractible += 1


@op("add", "sub")
def h_addsub(g, o, mods, ops):
    base = o.base
    if "cc" in mods:
        return carry_op(g, o, mods, ops, base)
    ty = mods.pop()
    sym = "+" if base == "add" else "-"
    nops(g, ops, 3)
    d, a, b = ops
    if ty in INT_TYPES and not ty.startswith("b"):
        sat = flag(mods, "sat")
        done(g, mods)
        if sat:
            if ty != "s32":
                g.unknown(".sat on .%s" % ty)
            g.set(d, "i4", "%ssat_s32(%s, %s)" % (base, g.use(a, "i4"), g.use(b, "i4")))
            return
        t = UTAG[TYPE_SIZE[ty]]
        if TYPE_SIZE[ty] == 1:
            g.unknown()
        if g.ival(b) == 0 and g.guard is None and isinstance(a, Reg) and isinstance(d, Reg) \
                and TYPE_SIZE[a.type] == TYPE_SIZE[d.type] == TYPE_SIZE[ty]:
            g.alias(d, g.val(a))
            return
        g.set(d, t, "%s %s %s" % (g.use(a, t), sym, g.use(b, t)))
        return
    if ty in ("u16x2", "s16x2"):
        done(g, mods)
        g.set(d, "u4", "x2(np.%s, %s, %s)" % ("add" if base == "add" else "subtract",
                                              g.use(a, "u4"), g.use(b, "u4")))
        return
    farith(g, o, base, ty, mods, d, a, b)


def farith(g, o, base, ty, mods, d, a, b):
    """float add/sub/mul"""
    sym = {"add": "+", "sub": "-", "mul": "*"}[base]
    # mixed precision: add.f32.f16 d, a(f16), b(f32)
    if ty in ("f16", "bf16") and mods and mods[-1] == "f32" and base in ("add", "sub"):
        mods.pop()
        rnd = pick(mods, RND) or "rn"
        sat = flag(mods, "sat")
        done(g, mods)
        x = g.tmp("%s(%s)" % ("f16_to_f32" if ty == "f16" else "bf16_to_f32", g.use(a, "u2")))
        y = g.use(b, "f4")
        if base == "sub":
            y = g.tmp("-%s" % y)
        e = "%s + %s" % (x, y) if rnd == "rn" else "add32(%s, %s, %r)" % (x, y, rnd)
        float_result(g, d, e, False, sat)
        return
    rnd0 = pick(mods, RND)
    rnd = rnd0 or "rn"
    ftz = flag(mods, "ftz")
    sat = flag(mods, "sat")
    if ty == "f32":
        done(g, mods)
        note_contract(g, o, rnd0)
        x, y = g.fval(a, ftz), g.fval(b, ftz)
        if rnd == "rn":
            e = "%s %s %s" % (x, sym, y)
        elif base == "mul":
            e = "mul32(%s, %s, %r)" % (x, y, rnd)
        elif base == "add":
            e = "add32(%s, %s, %r)" % (x, y, rnd)
        else:
            e = "add32(%s, -%s, %r)" % (x, y, rnd)
        if ftz or sat:
            e = "(%s)" % e
        float_result(g, d, e, ftz, sat)
        return
    if ty == "f64":
        if ftz or sat:
            g.unknown("modifier not valid for .f64")
        done(g, mods)
        note_contract(g, o, rnd0)
        x, y = g.use(a, "f8"), g.use(b, "f8")
        if rnd == "rn":
            e = "%s %s %s" % (x, sym, y)
        elif base == "mul":
            e = "mul64(%s, %s, %r)" % (x, y, rnd)
        elif base == "add":
            e = "add64(%s, %s, %r)" % (x, y, rnd)
        else:
            e = "add64(%s, -%s, %r)" % (x, y, rnd)
        g.set(d, "f8", e)
        return
    if rnd != "rn":
        g.unknown("rounding mode .%s on .%s" % (rnd, ty))
    if ty in ("f16", "f16x2"):
        done(g, mods)
        note_contract(g, o, rnd0)
        half_op(g, d, "h_bin", [a, b], ty, ftz, sat, extra=", %r" % base)
        return
    if ty in ("bf16", "bf16x2"):
        if ftz or sat:
            g.unknown("modifier not valid for .%s" % ty)
        done(g, mods)
        note_contract(g, o, rnd0)
        half_op(g, d, "b_bin", [a, b], ty, False, False, extra=", %r" % base)
        return
    if ty == "f32x2":
        done(g, mods)
        f = {"+": "np.add", "-": "np.subtract", "*": "np.multiply"}[sym]
        if rnd != "rn":
            fn = {"+": "lambda x, y: add32(x, y, %r)", "-": "lambda x, y: add32(x, -y, %r)",
                  "*": "lambda x, y: mul32(x, y, %r)"}[sym] % rnd
            f = "(%s)" % fn
        if ftz:
            f = "(lambda x, y: ftz32(%s(ftz32(x), ftz32(y))))" % f
        g.set(d, "u8", "x2f(%s, %s, %s)" % (f, g.use(a, "u8"), g.use(b, "u8")))
        return
    g.unknown("type .%s" % ty)


def half_op(g, d, fn, srcs, ty, ftz, sat, relu=False, extra=""):
    """f16/bf16 operation, packed or not.  fn takes bit patterns."""
    bf = ty.startswith("bf")
    names = ["x", "y", "z"][:len(srcs)]
    packed = ty.endswith("x2")
    args = [g.use(s, "u4" if packed else "u2") for s in srcs]
    core = "%s(%s%s)" % (fn, ", ".join(
        ("h_ftz(%s)" % n if ftz else n) for n in names), extra)
    if ftz:
        core = "h_ftz(%s)" % core
    if sat:
        core = "%s(%s)" % ("b_sat" if bf else "h_sat", core)
    if relu:
        core = "%s(%s)" % ("b_relu" if bf else "h_relu", core)
    if packed:
        g.set(d, "u4", "x2(lambda %s: %s, %s)" % (", ".join(names), core, ", ".join(args)))
    else:
        for n, a in zip(names, args):
            core = re.sub(r"\b%s\b" % n, a, core)
        g.set(d, "u2", core)


@op("mul")
def h_mul(g, o, mods, ops):
    ty = mods.pop()
    nops(g, ops, 3)
    d, a, b = ops
    if ty in INT_TYPES and not ty.startswith("b"):
        how = pick(mods, ("lo", "hi", "wide"))
        done(g, mods)
        if how is None:
            g.bad("integer mul needs .lo, .hi or .wide")
        g.set(d, *int_mul(g, how, ty, a, b))
        return
    farith(g, o, "mul", ty, mods, d, a, b)


def int_mul(g, how, ty, a, b):
    """-> (tag, expression)"""
    w = TYPE_SIZE[ty]
    if w == 1:
        g.unknown()
    if how == "lo":
        t = UTAG[w]
        return t, "%s * %s" % (g.use(a, t), g.use(b, t))
    t = TAG[ty]
    if how == "wide":
        if w == 8:
            g.unknown("mul.wide on 64-bit types")
        wt = (ITAG if t[0] == "i" else UTAG)[2 * w]
        return wt, "%s * %s" % (g.wide(a, t, wt), g.wide(b, t, wt))
    if w == 8:
        return t, "mulhi_%s64(%s, %s)" % ("s" if t[0] == "i" else "u", g.use(a, t), g.use(b, t))
    wt = (ITAG if t[0] == "i" else UTAG)[2 * w]
    return t, "((%s * %s) >> %s).astype(%s)" % (g.wide(a, t, wt), g.wide(b, t, wt),
                                               g.const(wt, 8 * w), t)


@op("mul24", "mad24")
def h_mul24(g, o, mods, ops):
    ty = mods.pop()
    how = pick(mods, ("lo", "hi"))
    sat = flag(mods, "sat")
    done(g, mods)
    if ty not in ("u32", "s32") or how is None or sat:
        g.unknown()
    t = TAG[ty]
    e = "mul24(%s, %s, %s)" % (g.use(ops[1], t), g.use(ops[2], t), how == "hi")
    if o.base == "mad24":
        nops(g, ops, 4)
        e += " + %s" % g.use(ops[3], t)
    else:
        nops(g, ops, 3)
    g.set(ops[0], t, e)


@op("mad", "madc")
def h_mad(g, o, mods, ops):
    if "cc" in mods or o.base == "madc":
        return carry_op(g, o, mods, ops, o.base)
    ty = mods.pop()
    if ty in ("f32", "f64", "f16", "f16x2", "bf16", "bf16x2"):
        return fma(g, o, mods, ops, ty)
    how = pick(mods, ("lo", "hi", "wide"))
    sat = flag(mods, "sat")
    done(g, mods)
    nops(g, ops, 4)
    if how is None or ty not in INT_TYPES:
        g.unknown()
    d, a, b, c = ops
    t, e = int_mul(g, how, ty, a, b)
    if sat:
        if ty != "s32" or how != "hi":
            g.unknown("mad.sat form")
        g.set(d, "i4", "addsat_s32(%s, %s)" % (e, g.use(c, "i4")))
        return
    g.set(d, t, "%s + %s" % (e, g.use(c, t)))


@op("fma")
def h_fma(g, o, mods, ops):
    ty = mods.pop()
    fma(g, o, mods, ops, ty)


def fma(g, o, mods, ops, ty):
    nops(g, ops, 4)
    d, a, b, c = ops
    if ty in ("f16", "bf16") and mods and mods[-1] == "f32":
        mods.pop()
        rnd = pick(mods, RND) or "rn"
        sat = flag(mods, "sat")
        done(g, mods)
        cv = "f16_to_f32" if ty == "f16" else "bf16_to_f32"
        x = g.tmp("%s(%s)" % (cv, g.use(a, "u2")))
        y = g.tmp("%s(%s)" % (cv, g.use(b, "u2")))
        e = fma_expr(x, y, g.use(c, "f4"), rnd)
        float_result(g, d, e, False, sat)
        return
    rnd = pick(mods, RND)
    if rnd is None:
        if o.base != "mad":
            g.bad("fma needs a rounding mode")
        rnd = "rn"
    ftz = flag(mods, "ftz")
    sat = flag(mods, "sat")
    relu = flag(mods, "relu")
    if ty == "f32" and not relu:
        done(g, mods)
        e = fma_expr(g.fval(a, ftz), g.fval(b, ftz), g.fval(c, ftz), rnd)
        float_result(g, d, e, ftz, sat)
        return
    if ty == "f64" and not (ftz or sat or relu):
        done(g, mods)
        x, y, z = (g.use(v, "f8") for v in (a, b, c))
        g.set(d, "f8", "fma64(%s, %s, %s, %r)" % (x, y, z, rnd))
        return
    if ty == "f32x2":
        if sat or relu:
            g.unknown()
        done(g, mods)
        f = "fma32" if rnd == "rn" else "(lambda x, y, z: fma32_mode(x, y, z, %r))" % rnd
        if ftz:
            f = "(lambda x, y, z: ftz32(%s(ftz32(x), ftz32(y), ftz32(z))))" % f
        g.set(d, "u8", "x2f(%s, %s, %s, %s)" % (f, *(g.use(v, "u8") for v in (a, b, c))))
        return
    if rnd != "rn":
        g.unknown("rounding mode .%s on .%s" % (rnd, ty))
    if ty in ("f16", "f16x2"):
        done(g, mods)
        half_op(g, d, "h_fma", [a, b, c], ty, ftz, sat, relu)
        return
    if ty in ("bf16", "bf16x2") and not (ftz or sat):
        done(g, mods)
        half_op(g, d, "b_fma", [a, b, c], ty, False, False, relu)
        return
    g.unknown("type .%s" % ty)


def fma_expr(x, y, z, rnd):
    if rnd == "rn":
        return "fma32(%s, %s, %s)" % (x, y, z)
    return "fma32_mode(%s, %s, %s, %r)" % (x, y, z, rnd)


# --- carry chains -----------------------------------------------------------------

@op("addc", "subc")
def h_addc(g, o, mods, ops):
    carry_op(g, o, mods, ops, o.base)


def carry_op(g, o, mods, ops, base):
    ty = mods.pop()
    out = flag(mods, "cc")
    if ty not in ("u32", "s32", "b32", "u64", "s64", "b64"):
        g.unknown("carry operation on .%s" % ty)
    w = TYPE_SIZE[ty]
    t = UTAG[w]
    cf = ops[-1]
    if g.guard is not None:
        g.unknown("predicated carry operation")
    s, c = g.fresh(), g.fresh()
    if base in ("add", "addc", "sub", "subc"):
        done(g, mods)
        nops(g, ops, 4)
        d, a, b = ops[:3]
        cin = g.use(cf, "p") if base in ("addc", "subc") else "None"
        fn = "add_carry" if base.startswith("add") else "sub_borrow"
        g.emit("%s, %s = %s(%s, %s, %s)" % (s, c, fn, g.use(a, t), g.use(b, t), cin))
    else:
        how = pick(mods, ("lo", "hi"))
        done(g, mods)
        nops(g, ops, 5)
        if how is None:
            g.unknown()
        d, a, b, cc = ops[:4]
        mt, e = int_mul(g, how, ty.replace("b", "u"), a, b)
        m = g.tmp(e)
        if mt != t:
            m = g.tmp("%s.view(%s)" % (m, t))
        cin = g.use(cf, "p") if base == "madc" else "None"
        g.emit("%s, %s = add_carry(%s, %s, %s)" % (s, c, m, g.use(cc, t), cin))
    g.set(d, t, s)
    if out:
        g.set(cf, "p", c)
