# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code for mov, with packing and unpacking, and for all conversions."""

from ..blockgen import INT_TYPES, RND, TAG, UTAG, WID, ones
from ..lower import Ref
from ..memory import LOCAL_WIN, SHARED_WIN
from ..syntax import FImm, Imm, Reg, Sink, TYPE_SIZE, Vec
from .registry import done, flag, nops, op, pick


# --- moves ----------------------------------------------------------------------

@op("mov")
def h_mov(g, o, mods, ops):
    ty = mods.pop()
    done(g, mods)
    nops(g, ops, 2)
    if ty not in TAG:
        g.unknown("mov of type .%s" % ty)
    tag = TAG[ty]
    d, s = ops
    if isinstance(d, Vec):
        return unpack_mov(g, d, s, tag)
    if isinstance(s, Vec):
        return pack_mov(g, d, s, tag)
    if isinstance(s, Reg) and g.guard is None:
        if isinstance(d, Sink):
            return
        val = g.val(s)
        if s.type == "pred" or d.type == "pred":
            if s.type != d.type:
                g.bad("mov between a predicate and a value")
        elif TYPE_SIZE[s.type] != TYPE_SIZE[d.type] or WID[tag] != TYPE_SIZE[d.type]:
            g.bad("mov between registers of different width")
        g.alias(d, val)
        return
    if tag == "f4" and isinstance(s, Imm):
        g.bad("integer constant in mov.f32")
    t = tag
    g.set(d, t, g.use(s, t), dirty=g.isdirty(s) and t == "f4")


def pack_mov(g, d, s, tag):
    k = len(s.elems)
    W = WID[tag]
    if W % k:
        g.bad("vector of %d elements in a %d-byte mov" % (k, W))
    w = W // k
    if tag == "q":
        parts = [g.use(e, "u8") for e in s.elems]
        if k != 2:
            g.unknown("mov.b128 of %d elements" % k)
        g.set(d, "q", "pack128(%s, %s)" % tuple(parts))
        return
    ut, big = UTAG[w], UTAG[W]
    acc = None
    for j, e in enumerate(s.elems):
        if isinstance(e, Imm):
            v = (e.value & ones(ut)) << (8 * w * j)
            if v == 0 and acc is not None:
                continue
            x = g.const(big, v)
        else:
            x = "%s.astype(%s)" % (g.use(e, ut), big)
            if j:
                x = "(%s << %s)" % (x, g.const(big, 8 * w * j))
        acc = x if acc is None else "%s | %s" % (acc, x)
    g.set(d, big, acc)


def unpack_mov(g, d, s, tag):
    k = len(d.elems)
    if tag == "q":
        x = g.use(s, "q")
        if k != 2:
            g.unknown("mov.b128 into %d elements" % k)
        for j, e in enumerate(d.elems):
            g.set(e, "u8", "np.ascontiguousarray(%s[:, %d])" % (x, j))
        return
    W = WID[tag]
    if W % k:
        g.bad("vector of %d elements in a %d-byte mov" % (k, W))
    w = W // k
    ut, big = UTAG[w], UTAG[W]
    if isinstance(s, Vec):
        g.unknown("mov between two vectors")
    x = g.use(s, big)
    for j, e in enumerate(d.elems):
        if isinstance(e, Sink):
            continue
        v = x if j == 0 else "(%s >> %s)" % (x, g.const(big, 8 * w * j))
        g.set(e, ut, "%s.astype(%s)" % (v, ut))


# --- conversion ---------------------------------------------------------------------------

FTYPES = ("f16", "bf16", "f32", "f64")


def fsrc(g, o, ty, ftz):
    """Float source widened to f4 or f8 -> (name, 'f4'|'f8')."""
    if ty == "f32":
        if isinstance(o, FImm):
            return g.fval(o, ftz), "f4"
        return (g.fval(o, ftz) if TYPE_SIZE[o.type] == 4 else g.use(o, "f4", True)), "f4"
    if ty == "f64":
        return g.use(o, "f8", True), "f8"
    cv = "f16_to_f32" if ty == "f16" else "bf16_to_f32"
    return g.tmp("%s(%s)" % (cv, g.use(o, "u2", True))), "f4"


@op("cvt")
def h_cvt(g, o, mods, ops):
    if mods and mods[0] == "pack":
        return cvt_pack(g, o, mods, ops)
    if len(mods) < 2:
        g.unknown()
    sty = mods.pop()
    dty = mods.pop()
    irnd = pick(mods, ("rni", "rzi", "rmi", "rpi"))
    rnd = pick(mods, RND + ("rna",))
    ftz = flag(mods, "ftz")
    sat = flag(mods, "sat")
    relu = flag(mods, "relu")
    satf = flag(mods, "satfinite")
    done(g, mods)
    d = ops[0]

    # packed destinations
    if dty in ("f16x2", "bf16x2") and sty == "f32":
        nops(g, ops, 3)
        if rnd not in ("rn", "rz") or irnd or sat or ftz:
            g.unknown()
        cv = "f32_to_f16" if dty == "f16x2" else "f32_to_bf16"
        parts = []
        for s in (ops[1], ops[2]):
            x = "%s(%s, %r)" % (cv, g.use(s, "f4"), rnd)
            if satf:
                x = "%s(%s)" % ("h_satfinite" if dty == "f16x2" else "b_satfinite", x)
            if relu:
                x = "%s(%s)" % ("h_relu" if dty == "f16x2" else "b_relu", x)
            parts.append(x)
        g.set(d, "u4", "join2(%s, %s)" % (parts[1], parts[0]))
        return
    if dty in ("e4m3x2", "e5m2x2") and sty in ("f32", "f16x2", "bf16x2"):
        if rnd != "rn" or not satf or irnd or sat or ftz:
            g.unknown()
        fmt = dty[:4]
        if sty == "f32":
            nops(g, ops, 3)
            hi, lo = g.use(ops[1], "f4"), g.use(ops[2], "f4")
        else:
            nops(g, ops, 2)
            cv = "f16_to_f32" if sty == "f16x2" else "bf16_to_f32"
            x = g.use(ops[1], "u4")
            lo = g.tmp("%s((%s & u4(0xffff)).astype(u2))" % (cv, x))
            hi = g.tmp("%s((%s >> u4(16)).astype(u2))" % (cv, x))
        f = "fp8_relu(%s)" if relu else "%s"
        lo = f % ("f64_to_fp8(%s.astype(f8), %r)" % (lo, fmt))
        hi = f % ("f64_to_fp8(%s.astype(f8), %r)" % (hi, fmt))
        g.set(d, "u2", "%s.astype(u2) | (%s.astype(u2) << u2(8))" % (lo, hi))
        return
    if dty == "f16x2" and sty in ("e4m3x2", "e5m2x2"):
        if rnd != "rn" or irnd or sat or ftz or satf:
            g.unknown()
        fmt = sty[:4]
        x = g.use(ops[1], "u2")
        lo = "f32_to_f16(fp8_to_f32((%s & u2(255)).astype(u1), %r))" % (x, fmt)
        hi = "f32_to_f16(fp8_to_f32((%s >> u2(8)).astype(u1), %r))" % (x, fmt)
        if relu:
            lo, hi = "h_relu(%s)" % lo, "h_relu(%s)" % hi
        g.set(d, "u4", "join2(%s, %s)" % (lo, hi))
        return
    nops(g, ops, 2)
    s = ops[1]
    if dty == "tf32":
        if sty != "f32" or rnd not in ("rna", "rn", "rz") or irnd or sat or ftz:
            g.unknown()
        e = "f32_to_tf32(%s, %r, %s)" % (g.use(s, "f4"), rnd, satf)
        if relu:
            e = "tf32_relu(%s)" % e
        g.set(d, "u4", e)
        return
    if rnd == "rna":
        g.unknown("rounding mode .rna")

    dint, sint = dty in INT_TYPES, sty in INT_TYPES
    if (dint and dty.startswith("b")) or (sint and sty.startswith("b")):
        g.unknown("cvt of .b types")
    if dint and sint:
        if irnd or rnd or relu or satf or ftz:
            g.unknown("rounding mode on an integer conversion")
        st, dt = TAG[sty], TAG[dty]
        x = g.use(s, st, True)
        if sat:
            g.set_ext(d, dt, "icvt_sat(%s, %s)" % (x, dt))
        elif dt == st:
            g.set_ext(d, dt, x)
        elif WID[dt] == WID[st]:
            g.set_ext(d, dt, "%s.view(%s)" % (x, dt))
        else:
            g.set_ext(d, dt, "%s.astype(%s)" % (x, dt))
        return
    if dint and sty in FTYPES:
        if irnd is None or rnd or relu or satf:
            g.unknown("float to integer conversion needs .rni/.rzi/.rmi/.rpi")
        x, ft = fsrc(g, s, sty, ftz and sty == "f32")
        dt = TAG[dty]
        g.set_ext(d, dt, "f_to_int(%s, %r, %s)" % (x, irnd, dt))
        return
    if dty not in FTYPES:
        g.unknown("conversion to .%s" % dty)
    if sint:
        if irnd or relu or satf:
            g.unknown()
        if rnd is None:
            g.bad("integer to float conversion needs a rounding mode")
        x = g.use(s, TAG[sty], True)
        if dty == "f32":
            e = "int_to_f32(%s, %r)" % (x, rnd)
            g.set(d, "f4", "sat32(%s)" % e if sat else e)
        elif dty == "f64":
            e = "int_to_f64(%s, %r)" % (x, rnd)
            g.set(d, "f8", "sat64(%s)" % e if sat else e)
        elif dty == "f16":
            e = "int_to_f16(%s, %r)" % (x, rnd)
            g.set_ext(d, "u2", "h_sat(%s)" % e if sat else e)
        else:
            if sat:
                g.unknown()
            g.set_ext(d, "u2", "int_to_bf16(%s, %r)" % (x, rnd))
        return
    if sty not in FTYPES:
        g.unknown("conversion from .%s" % sty)
    # float -> float
    x, ft = fsrc(g, s, sty, ftz and sty == "f32")
    if irnd:
        if dty != sty or relu or satf:
            g.unknown("integer rounding between different float types")
        fn = {"rni": "np.rint", "rzi": "np.trunc", "rmi": "np.floor", "rpi": "np.ceil"}[irnd]
        if dty == "f32":
            e = "%s(%s)" % (fn, x)
            if sat:
                e = "sat32(%s)" % e
            g.set(d, "f4", e, dirty=not sat)
        elif dty == "f64":
            e = "%s(%s)" % (fn, x)
            g.set(d, "f8", "sat64(%s)" % e if sat else e)
        elif dty == "f16":
            e = "f32_to_f16(%s(%s))" % (fn, x)
            g.set_ext(d, "u2", "h_sat(%s)" % e if sat else e)
        else:
            if sat:
                g.unknown()
            g.set_ext(d, "u2", "f32_to_bf16(%s(%s))" % (fn, x))
        return
    narrowing = TYPE_SIZE[dty] < TYPE_SIZE[sty] or (
        dty != sty and TYPE_SIZE[dty] == TYPE_SIZE[sty])
    if narrowing and rnd is None:
        g.bad("narrowing float conversion needs a rounding mode")
    if not narrowing and rnd is not None and dty != sty:
        g.unknown("rounding mode on a widening conversion")
    if dty == sty and rnd is not None:
        g.unknown("rounding mode on a conversion to the same type")
    if dty == "f32":
        if relu or satf:
            g.unknown()
        e = x if ft == "f4" else "f64_to_f32(%s, %r)" % (x, rnd)
        if ftz:
            e = "ftz32(%s)" % e
        if sat:
            e = "sat32(%s)" % e
        g.set(d, "f4", e, dirty=not sat, ftzd=ftz)
    elif dty == "f64":
        if relu or satf:
            g.unknown()
        e = x if ft == "f8" else "%s.astype(f8)" % x
        g.set(d, "f8", "sat64(%s)" % e if sat else e)
    elif dty == "f16":
        r = rnd or "rn"
        e = "f32_to_f16(%s, %r)" % (x, r) if ft == "f4" else "f64_to_f16(%s, %r)" % (x, r)
        if satf:
            e = "h_satfinite(%s)" % e
        if sat:
            e = "h_sat(%s)" % e
        if relu:
            e = "h_relu(%s)" % e
        g.set_ext(d, "u2", e)
    else:
        r = rnd or "rn"
        if sat:
            g.unknown()
        if ft == "f8":
            x = "f64_to_f32_odd(%s)" % x
        e = "f32_to_bf16(%s, %r)" % (x, r)
        if satf:
            e = "b_satfinite(%s)" % e
        if relu:
            e = "b_relu(%s)" % e
        g.set_ext(d, "u2", e)


def cvt_pack(g, o, mods, ops):
    """cvt.pack.sat.{u16,s16,u8,s8}.s32{.b32} d, a, b{, c}"""
    if len(mods) < 4 or mods[1] != "sat":
        g.unknown()
    conv, ab = mods[2], mods[3]
    rest = mods[4:]
    if ab != "s32" or conv not in ("u16", "s16", "u8", "s8") or rest not in ([], ["b32"]):
        g.unknown()
    t = TAG[conv]
    bits = 8 * WID[t]
    ut = UTAG[WID[t]]
    x = "icvt_sat(%s, %s).view(%s).astype(u4)" % (g.use(ops[1], "i4"), t, ut)
    y = "icvt_sat(%s, %s).view(%s).astype(u4)" % (g.use(ops[2], "i4"), t, ut)
    e = "(%s << u4(%d)) | %s" % (x, bits, y)
    if bits == 16:
        if rest:
            g.unknown()
        nops(g, ops, 3)
    else:
        nops(g, ops, 4)
        e = "%s | (%s << u4(16))" % (e, g.use(ops[3], "u4"))
    g.set(ops[0], "u4", e)


@op("cvta")
def h_cvta(g, o, mods, ops):
    ty = mods.pop()
    to = flag(mods, "to")
    sp = mods.pop() if mods else None
    done(g, mods)
    nops(g, ops, 2)
    if ty != "u64":
        g.unknown("cvta on .%s" % ty)
    sp = sp.split("::")[0]
    d, s = ops
    x = g.use(s, "u8")
    if sp in ("global", "const", "param"):
        # identical numbers in our address map; a device-function parameter whose
        # address was taken lives in local memory and converts like .local
        if sp == "param" and not to and isinstance(s, Ref) and s.space == "local":
            g.set(d, "u8", "%s + %s" % (x, g.const("u8", LOCAL_WIN)))
            return
        if isinstance(s, Reg) and g.guard is None:
            g.alias(d, g.val(s))
        else:
            g.set(d, "u8", x)
    elif sp in ("shared", "local"):
        win = SHARED_WIN if sp == "shared" else LOCAL_WIN
        g.set(d, "u8", "%s %s %s" % (x, "-" if to else "+", g.const("u8", win)))
    else:
        g.unknown("cvta of .%s" % sp)


@op("isspacep")
def h_isspacep(g, o, mods, ops):
    sp = mods.pop().split("::")[0]
    done(g, mods)
    nops(g, ops, 2)
    g.set(ops[0], "p", "C.M.isspacep(%s, %r)" % (g.use(ops[1], "u8"), sp))
