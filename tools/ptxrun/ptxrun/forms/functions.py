# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code for division, roots, transcendental functions, abs, neg, min and max."""

import re

from ..blockgen import INT_TYPES, RND, TAG, ones
from .arithmetic import float_result, half_op
from .registry import done, flag, nops, op, pick


# --- division, roots, transcendental ----------------------------------------------

@op("div")
def h_div(g, o, mods, ops):
    ty = mods.pop()
    nops(g, ops, 3)
    d, a, b = ops
    if ty in INT_TYPES and not ty.startswith("b"):
        done(g, mods)
        t = TAG[ty]
        g.set(d, t, "idiv(%s, %s)" % (g.use(a, t), g.use(b, t)))
        return
    how = pick(mods, RND + ("approx", "full"))
    ftz = flag(mods, "ftz")
    done(g, mods)
    if ty == "f64":
        if how not in RND or ftz:
            g.unknown("div.f64 needs a rounding mode")
        g.set(d, "f8", "div64(%s, %s, %r)" % (g.use(a, "f8"), g.use(b, "f8"), how))
        return
    if ty != "f32":
        g.unknown("type .%s" % ty)
    x, y = g.fval(a, ftz), g.fval(b, ftz)
    if how == "approx":
        e = approx(g, o, "div_approx_32(%s, %s)" % (x, y))
    elif how == "full":
        e = approx(g, o, "(%s / %s)" % (x, y))
    elif how == "rn":
        e = "(%s / %s)" % (x, y)
    elif how in RND:
        e = "div32(%s, %s, %r)" % (x, y, how)
    else:
        g.bad("div.f32 needs .approx, .full or a rounding mode")
    float_result(g, d, e, ftz, False)


def approx(g, o, expr):
    """Mark an approximate operation; the launch may ask for perturbation."""
    g.kc.approx_ops.add(".".join([o.base] + o.mods))
    return "C.M.approx(%s)" % expr


@op("rem")
def h_rem(g, o, mods, ops):
    ty = mods.pop()
    done(g, mods)
    nops(g, ops, 3)
    if ty not in INT_TYPES or ty.startswith("b"):
        g.unknown()
    t = TAG[ty]
    g.set(ops[0], t, "irem(%s, %s)" % (g.use(ops[1], t), g.use(ops[2], t)))


def unary(g, mods, ops, roundings):
    """Type, rounding (None without) and .ftz of an operation on one operand."""
    ty = mods.pop()
    how = pick(mods, roundings)
    ftz = flag(mods, "ftz")
    done(g, mods)
    nops(g, ops, 2)
    return ty, how, ftz


def unary_f32(g, o, ops, how, ftz, nearest, rounded):
    """Code of an operation on f32: the template nearest, of the operand, for .rn
    and .approx, the template rounded, of operand and rounding, for others."""
    x = g.fval(ops[1], ftz)
    e = nearest % x if how in ("approx", "rn") else rounded % (x, how)
    if how == "approx":
        e = approx(g, o, e)
    float_result(g, ops[0], e, ftz, False)


@op("rcp")
def h_rcp(g, o, mods, ops):
    ty, how, ftz = unary(g, mods, ops, RND + ("approx",))
    if ty == "f64":
        if how == "approx" and ftz:
            g.kc.approx_ops.add("rcp.approx.ftz.f64")
            g.set(ops[0], "f8", "rcp_approx_f64(%s)" % g.use(ops[1], "f8"))
        elif how in RND and not ftz:
            g.set(ops[0], "f8", "div64(_ONE8, %s, %r)" % (g.use(ops[1], "f8"), how))
        else:
            g.unknown()
        return
    if ty != "f32" or how is None:
        g.unknown()
    unary_f32(g, o, ops, how, ftz, "(_ONE4 / %s)", "div32(_ONE4, %s, %r)")


@op("sqrt")
def h_sqrt(g, o, mods, ops):
    ty, how, ftz = unary(g, mods, ops, RND + ("approx",))
    if ty == "f64":
        if how not in RND or ftz:
            g.unknown()
        g.set(ops[0], "f8", "sqrt64(%s, %r)" % (g.use(ops[1], "f8"), how))
        return
    if ty != "f32" or how is None:
        g.unknown()
    unary_f32(g, o, ops, how, ftz, "np.sqrt(%s)", "sqrt32(%s, %r)")


@op("rsqrt")
def h_rsqrt(g, o, mods, ops):
    ty, how, ftz = unary(g, mods, ops, ("approx",))
    if how is None:
        g.unknown()
    if ty == "f64":
        g.kc.approx_ops.add(".".join([o.base] + o.mods))
        g.set(ops[0], "f8", "rsqrt_approx_f64(%s, %s)" % (g.use(ops[1], "f8"), ftz))
        return
    if ty != "f32":
        g.unknown()
    float_result(g, ops[0], approx(g, o, "rsqrt_32(%s)" % g.fval(ops[1], ftz)), ftz, False)


@op("sin", "cos", "lg2", "ex2", "tanh")
def h_mufu(g, o, mods, ops):
    ty = mods.pop()
    how = pick(mods, ("approx",))
    ftz = flag(mods, "ftz")
    done(g, mods)
    nops(g, ops, 2)
    if how is None:
        g.unknown()
    fn = o.base + "_32"
    if ty == "f32":
        if o.base == "tanh" and ftz:
            g.unknown()
        e = approx(g, o, "%s(%s)" % (fn, g.fval(ops[1], ftz)))
        float_result(g, ops[0], e, ftz, False)
        return
    if o.base in ("ex2", "tanh") and ty in ("f16", "f16x2", "bf16", "bf16x2"):
        g.kc.approx_ops.add(".".join([o.base] + o.mods))
        if ty.startswith("bf"):
            f = "f32_to_bf16(%s(bf16_to_f32(x)))" % fn
            if ftz:
                f = "f32_to_bf16(ftz32(%s(ftz32(bf16_to_f32(x)))))" % fn
        else:
            if ftz:
                g.unknown()
            f = "f32_to_f16(%s(f16_to_f32(x)))" % fn
        if ty.endswith("x2"):
            g.set(ops[0], "u4", "x2(lambda x: %s, %s)" % (f, g.use(ops[1], "u4")))
        else:
            g.set(ops[0], "u2", re.sub(r"\bx\b", g.use(ops[1], "u2"), f))
        return
    g.unknown("type .%s" % ty)


# --- abs, neg, min, max ------------------------------------------------------------

@op("abs", "neg")
def h_absneg(g, o, mods, ops):
    ty = mods.pop()
    ftz = flag(mods, "ftz")
    done(g, mods)
    nops(g, ops, 2)
    d, a = ops
    neg = o.base == "neg"
    if ty in ("s16", "s32", "s64"):
        if ftz:
            g.unknown()
        t = TAG[ty]
        g.set(d, t, "-%s" % g.use(a, t) if neg else "np.abs(%s)" % g.use(a, t))
        return
    if ty == "f32":
        x = g.fval(a, ftz)
        g.set(d, "f4", "-%s" % x if neg else "np.abs(%s)" % x, dirty=g.isdirty(a), ftzd=ftz)
        return
    if ty == "f64" and not ftz:
        x = g.use(a, "f8")
        g.set(d, "f8", "-%s" % x if neg else "np.abs(%s)" % x)
        return
    if ty in ("f16", "bf16", "f16x2", "bf16x2"):
        packed = ty.endswith("x2")
        t = "u4" if packed else "u2"
        x = g.use(a, t)
        if ftz:
            if ty.startswith("bf"):
                g.unknown()
            x = "x2(h_ftz, %s)" % x if packed else "h_ftz(%s)" % x
        k = 0x80008000 if packed else 0x8000
        if neg:
            g.set(d, t, "%s ^ %s" % (x, g.const(t, k)))
        else:
            g.set(d, t, "%s & %s" % (x, g.const(t, k ^ ones(t))))
        return
    g.unknown("type .%s" % ty)


@op("min", "max")
def h_minmax(g, o, mods, ops):
    ty = mods.pop()
    mx = o.base == "max"
    fn = "np.maximum" if mx else "np.minimum"
    if ty in INT_TYPES and not ty.startswith("b"):
        relu = flag(mods, "relu")
        done(g, mods)
        nops(g, ops, 3)
        t = TAG[ty]
        e = "%s(%s, %s)" % (fn, g.use(ops[1], t), g.use(ops[2], t))
        if relu:
            if ty != "s32":
                g.unknown()
            e = "np.maximum(%s, %s)" % (e, g.const("i4", 0))
        g.set(ops[0], t, e)
        return
    if ty in ("u16x2", "s16x2"):
        relu = flag(mods, "relu")
        done(g, mods)
        nops(g, ops, 3)
        f = fn
        if relu:
            f = "(lambda x, y: np.maximum(%s(x, y), i2(0)))" % fn
        g.set(ops[0], "u4", "%s(%s, %s, %s)" % ("x2i" if ty[0] == "s" else "x2", f,
                                                g.use(ops[1], "u4"), g.use(ops[2], "u4")))
        return
    ftz = flag(mods, "ftz")
    nan = flag(mods, "NaN")
    xs = flag(mods, "xorsign")
    ab = flag(mods, "abs")
    done(g, mods)
    if xs != ab:
        g.unknown("xorsign without abs")
    if ty in ("f32", "f64"):
        if ty == "f64" and (ftz or nan or xs):
            g.unknown()
        nops(g, ops, 3, 4)
        t = TAG[ty]
        xsrc = [g.fval(v, ftz) if ty == "f32" else g.use(v, "f8") for v in ops[1:]]
        e = "fminmax(%s, %s, %s, %s, %s, %s)" % (xsrc[0], xsrc[1], mx, nan, xs, ab)
        if len(xsrc) == 3:
            if xs:
                g.unknown()
            e = "fminmax(%s, %s, %s, %s)" % (e, xsrc[2], mx, nan)
        g.set(ops[0], t, e, dirty=(ty == "f32"), ftzd=ftz and ty == "f32")
        return
    if ty in ("f16", "bf16", "f16x2", "bf16x2"):
        nops(g, ops, 3)
        wide = "bf16_to_f32" if ty.startswith("bf") else "f16_to_f32"
        if ftz and ty.startswith("bf"):
            g.unknown()
        half_op(g, ops[0], "hb_minmax", ops[1:], ty, ftz, False,
                extra=", %s, %s, %s, %s" % (mx, nan, wide, xs))
        return
    g.unknown("type .%s" % ty)
