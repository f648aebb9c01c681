# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code for logic, shifts, permutations, bit fields, dot products and SIMD video."""

from .. import rt
from ..blockgen import INT_TYPES, TAG, UTAG, WID
from ..syntax import Pair, TYPE_SIZE
from .registry import done, flag, nops, op, pick, typed


# --- logic and shifts ---------------------------------------------------------------

@op("and", "or", "xor")
def h_logic(g, o, mods, ops):
    ty = typed(g, mods, ops, 3, ("pred", "b16", "b32", "b64"))
    t = TAG[ty]
    s = {"and": "&", "or": "|", "xor": "^"}[o.base]
    g.set(ops[0], t, "%s %s %s" % (g.use(ops[1], t), s, g.use(ops[2], t)))


@op("not", "cnot")
def h_not(g, o, mods, ops):
    ty = typed(g, mods, ops, 2, ("pred", "b16", "b32", "b64"))
    t = TAG[ty]
    x = g.use(ops[1], t)
    if o.base == "cnot":
        if t == "p":
            g.unknown()
        g.set(ops[0], t, "(%s == 0).astype(%s)" % (x, t))
    else:
        g.set(ops[0], t, "~%s" % x)


@op("shl", "shr")
def h_shift(g, o, mods, ops):
    ty = mods.pop()
    done(g, mods)
    nops(g, ops, 3)
    left = o.base == "shl"
    if ty not in INT_TYPES or TYPE_SIZE[ty] == 1 or (left and not ty.startswith("b")):
        g.unknown("type .%s" % ty)
    t = UTAG[TYPE_SIZE[ty]] if left else TAG[ty]
    d, a, b = ops
    x = g.use(a, t)
    k = g.ival(b)
    bits = 8 * WID[t]
    if k is not None:
        k &= 0xffffffff
        if t[0] == "i":
            k = min(k, bits - 1)
        if k >= bits:
            g.set(d, t, g.const(t, 0))
        elif k == 0:
            g.set(d, t, x)
        else:
            g.set(d, t, "%s %s %s" % (x, "<<" if left else ">>", g.const(t, k)))
        return
    g.set(d, t, "%s(%s, %s)" % (o.base, x, g.use(b, "u4")))


@op("shf")
def h_shf(g, o, mods, ops):
    ty = mods.pop()
    dr = pick(mods, ("l", "r"))
    mode = pick(mods, ("wrap", "clamp"))
    done(g, mods)
    nops(g, ops, 4)
    if ty != "b32" or dr is None or mode is None:
        g.unknown()
    d, a, b, c = ops
    k = g.ival(c)
    if k is not None:
        k &= 0xffffffff
        n = (k & 31) if mode == "wrap" else min(k, 32)
        lo, hi = g.use(a, "u4"), g.use(b, "u4")
        if n == 0:
            e = hi if dr == "l" else lo
        elif n == 32:
            e = lo if dr == "l" else hi
        elif dr == "l":
            e = "(%s << %s) | (%s >> %s)" % (hi, g.const("u4", n), lo, g.const("u4", 32 - n))
        else:
            e = "(%s << %s) | (%s >> %s)" % (hi, g.const("u4", 32 - n), lo, g.const("u4", n))
        g.set(d, "u4", e)
        return
    g.set(d, "u4", "shf(%s, %s, %s, %s, %s)" % (
        g.use(a, "u4"), g.use(b, "u4"), g.use(c, "u4"), dr == "l", mode == "clamp"))


def lop3_expr(lut, a, b, c):
    """Boolean expression of a look-up table (0xF0 = a, 0xCC = b, 0xAA = c)."""
    known = {
        0x00: None, 0xff: None, 0xf0: a, 0xcc: b, 0xaa: c,
        0x0f: "~" + a, 0x33: "~" + b, 0x55: "~" + c,
        0xc0: "%s & %s" % (a, b), 0xa0: "%s & %s" % (a, c), 0x88: "%s & %s" % (b, c),
        0xfc: "%s | %s" % (a, b), 0xfa: "%s | %s" % (a, c), 0xee: "%s | %s" % (b, c),
        0x3c: "%s ^ %s" % (a, b), 0x5a: "%s ^ %s" % (a, c), 0x66: "%s ^ %s" % (b, c),
        0x80: "%s & %s & %s" % (a, b, c), 0xfe: "%s | %s | %s" % (a, b, c),
        0x96: "%s ^ %s ^ %s" % (a, b, c),
        0xf8: "%s | (%s & %s)" % (a, b, c), 0xea: "(%s & %s) | %s" % (a, b, c),
        0xe0: "%s & (%s | %s)" % (a, b, c), 0xa8: "(%s | %s) & %s" % (a, b, c),
        0x78: "%s ^ (%s & %s)" % (a, b, c), 0x6a: "(%s & %s) ^ %s" % (a, b, c),
        0xe8: "(%s & %s) | (%s & (%s | %s))" % (a, b, c, a, b),
        0xca: "((%s ^ %s) & %s) ^ %s" % (b, c, a, c),
        0x1e: "%s ^ (%s | %s)" % (a, b, c), 0x56: "(%s | %s) ^ %s" % (a, b, c),
        0xf6: "%s | (%s ^ %s)" % (a, b, c), 0x60: "%s & (%s ^ %s)" % (a, b, c),
        0x30: "%s & ~%s" % (a, b), 0x50: "%s & ~%s" % (a, c), 0x44: "%s & ~%s" % (b, c),
    }
    if lut in known:
        return known[lut]

    def two(t):
        """4-bit table over (b, c); bit index = b*2+c."""
        return {0: "Z", 1: "~(%s | %s)" % (b, c), 2: "(~%s & %s)" % (b, c), 3: "~" + b,
                4: "(%s & ~%s)" % (b, c), 5: "~" + c, 6: "(%s ^ %s)" % (b, c),
                7: "~(%s & %s)" % (b, c), 8: "(%s & %s)" % (b, c), 9: "~(%s ^ %s)" % (b, c),
                10: c, 11: "(~%s | %s)" % (b, c), 12: b, 13: "(%s | ~%s)" % (b, c),
                14: "(%s | %s)" % (b, c), 15: "O"}[t]
    t1, t0 = two(lut >> 4), two(lut & 15)
    x = None if t1 == "Z" else a if t1 == "O" else "(%s & %s)" % (a, t1)
    y = None if t0 == "Z" else "~" + a if t0 == "O" else "(~%s & %s)" % (a, t0)
    return x if y is None else y if x is None else "%s | %s" % (x, y)


@op("lop3")
def h_lop3(g, o, mods, ops):
    ty = mods.pop()
    bo = pick(mods, ("and", "or"))
    done(g, mods)
    if ty != "b32":
        g.unknown()
    nops(g, ops, 5 if bo is None else 6)
    d, a, b, c, lut = ops[:5]
    k = g.ival(lut)
    if k is None or not 0 <= k <= 255:
        g.unknown("lop3 table must be a constant")
    e = lop3_expr(k, g.use(a, "u4"), g.use(b, "u4"), g.use(c, "u4"))
    if e is None:
        e = g.const("u4", 0 if k == 0 else 0xffffffff)
    if bo is None:
        g.set(d, "u4", e)
        return
    if not isinstance(d, Pair):
        g.unknown()
    v = g.tmp(e)
    q = g.tmp("(%s != 0) %s %s" % (v, "&" if bo == "and" else "|", g.use(ops[5], "p")))
    g.set(d.a, "u4", v)
    g.set(d.b, "p", q)


@op("prmt")
def h_prmt(g, o, mods, ops):
    ty = mods.pop(0) if mods else None
    mode = pick(mods, tuple(rt.PRMT_MODES))
    done(g, mods)
    nops(g, ops, 4)
    if ty != "b32":
        g.unknown()
    d, a, b, c = ops
    k = g.ival(c)
    x, y = g.use(a, "u4"), g.use(b, "u4")
    if k is not None:
        k &= 0xffffffff
        if mode is not None:
            src = rt.PRMT_MODES[mode][k & 3]
            k = sum(s << (4 * i) for i, s in enumerate(src))
        g.set(d, "u4", prmt_const_expr(g, x, y, k & 0xffff))
        return
    g.set(d, "u4", "prmt(%s, %s, %s, %r)" % (x, y, g.use(c, "u4"), mode))


def prmt_const_expr(g, x, y, k):
    n = [(k >> (4 * i)) & 15 for i in range(4)]
    if n == [0, 1, 2, 3]:
        return x
    if n == [4, 5, 6, 7]:
        return y
    # runs of bytes that move together
    parts = []
    i = 0
    while i < 4:
        if n[i] & 8:
            return "prmt_const(%s, %s, %d)" % (x, y, k)
        j = i
        while j + 1 < 4 and n[j + 1] == n[j] + 1 and (n[j + 1] & 4) == (n[j] & 4):
            j += 1
        src = x if n[i] < 4 else y
        lo, cnt = n[i] & 3, j - i + 1
        e = src
        if lo:
            e = "(%s >> %s)" % (e, g.const("u4", 8 * lo))
        if lo + cnt < 4 and i + cnt < 4:
            e = "(%s & %s)" % (e, g.const("u4", (1 << (8 * cnt)) - 1))
        if i:
            e = "(%s << %s)" % (e, g.const("u4", 8 * i))
        parts.append(e)
        i = j + 1
    return " | ".join(parts)


# --- bit fields -----------------------------------------------------------------------

@op("popc", "clz")
def h_popc(g, o, mods, ops):
    ty = typed(g, mods, ops, 2, ("b32", "b64"))
    t = TAG[ty]
    f = {"popc": "popc32" if t == "u4" else "popc64", "clz": "clz"}[o.base]
    g.set(ops[0], "u4", "%s(%s)" % (f, g.use(ops[1], t)))


@op("brev")
def h_brev(g, o, mods, ops):
    ty = typed(g, mods, ops, 2, ("b32", "b64"))
    t = TAG[ty]
    g.set(ops[0], t, "%s(%s)" % ("brev32" if t == "u4" else "brev64", g.use(ops[1], t)))


@op("bfind")
def h_bfind(g, o, mods, ops):
    sa = flag(mods, "shiftamt")
    ty = typed(g, mods, ops, 2, ("u32", "s32", "u64", "s64"))
    g.set(ops[0], "u4", "bfind(%s, %s)" % (g.use(ops[1], TAG[ty]), sa))


@op("fns")
def h_fns(g, o, mods, ops):
    typed(g, mods, ops, 4, ("b32",))
    g.set(ops[0], "u4", "fns(%s, %s, %s)" % (g.use(ops[1], "u4"), g.use(ops[2], "u4"),
                                             g.use(ops[3], "i4")))


@op("bfe")
def h_bfe(g, o, mods, ops):
    ty = typed(g, mods, ops, 4, ("u32", "s32", "u64", "s64"))
    t = TAG[ty]
    d, a, b, c = ops
    p, n = g.ival(b), g.ival(c)
    w = 8 * WID[t]
    x = g.use(a, t)
    if p is not None and n is not None:
        p, n = p & 255, n & 255
        if t[0] == "u" and 0 < n and p + n <= w:
            e = x if p == 0 else "(%s >> %s)" % (x, g.const(t, p))
            if p + n < w or p == 0 and n < w:
                e = "%s & %s" % (e, g.const(t, (1 << n) - 1))
            g.set(d, t, e)
            return
        if t[0] == "i" and 0 < n and p + n <= w:
            e = x if p + n == w else "(%s << %s)" % (x, g.const(t, w - p - n))
            e = e if n == w else "%s >> %s" % (e, g.const(t, w - n))
            g.set(d, t, e)
            return
    g.set(d, t, "bfe(%s, %s, %s)" % (x, g.use(b, "u4"), g.use(c, "u4")))


@op("bfi")
def h_bfi(g, o, mods, ops):
    ty = typed(g, mods, ops, 5, ("b32", "b64"))
    t = TAG[ty]
    g.set(ops[0], t, "bfi(%s, %s, %s, %s)" % (g.use(ops[1], t), g.use(ops[2], t),
                                              g.use(ops[3], "u4"), g.use(ops[4], "u4")))


@op("bmsk")
def h_bmsk(g, o, mods, ops):
    ty = mods.pop()
    m = pick(mods, ("clamp", "wrap"))
    done(g, mods)
    nops(g, ops, 3)
    if ty != "b32" or m is None:
        g.unknown()
    g.set(ops[0], "u4", "bmsk(%s, %s, %s)" % (g.use(ops[1], "u4"), g.use(ops[2], "u4"),
                                              m == "clamp"))


@op("szext")
def h_szext(g, o, mods, ops):
    ty = mods.pop()
    m = pick(mods, ("clamp", "wrap"))
    done(g, mods)
    nops(g, ops, 3)
    if ty not in ("u32", "s32") or m is None:
        g.unknown()
    g.set(ops[0], "u4", "szext(%s, %s, %s, %s)" % (
        g.use(ops[1], "u4"), g.use(ops[2], "u4"), m == "clamp", ty == "s32"))


@op("sad")
def h_sad(g, o, mods, ops):
    ty = mods.pop()
    done(g, mods)
    nops(g, ops, 4)
    if ty not in INT_TYPES or ty.startswith("b") or TYPE_SIZE[ty] == 1:
        g.unknown()
    t = TAG[ty]
    ut = UTAG[WID[t]]
    a, b = g.use(ops[1], t), g.use(ops[2], t)
    if t[0] == "i":
        g.set(ops[0], ut, "sad_s(%s, %s, %s)" % (a, b, g.use(ops[3], ut)))
    else:
        g.set(ops[0], ut, "sad(%s, %s, %s)" % (a, b, g.use(ops[3], ut)))


@op("dp4a")
def h_dp4a(g, o, mods, ops):
    bt, at = mods.pop(), mods.pop()
    done(g, mods)
    nops(g, ops, 4)
    if at not in ("u32", "s32") or bt not in ("u32", "s32"):
        g.unknown()
    g.set(ops[0], "u4", "dp4a(%s, %s, %s, %s, %s)" % (
        g.use(ops[1], "u4"), g.use(ops[2], "u4"), g.use(ops[3], "u4"), at == "s32",
        bt == "s32"))


@op("dp2a")
def h_dp2a(g, o, mods, ops):
    bt, at = mods.pop(), mods.pop()
    half = pick(mods, ("lo", "hi"))
    done(g, mods)
    nops(g, ops, 4)
    if at not in ("u32", "s32") or bt not in ("u32", "s32") or half is None:
        g.unknown()
    g.set(ops[0], "u4", "dp2a(%s, %s, %s, %s, %s, %s)" % (
        g.use(ops[1], "u4"), g.use(ops[2], "u4"), g.use(ops[3], "u4"), at == "s32",
        bt == "s32", half == "hi"))


# --- video instructions -----------------------------------------------------------------

_VFN = {"vadd": "(lambda x, y: x + y)", "vsub": "(lambda x, y: x - y)",
        "vabsdiff": "(lambda x, y: np.abs(x - y))", "vmin": "np.minimum", "vmax": "np.maximum",
        "vavrg": "(lambda x, y: (x + y + (x + y >= 0)) >> 1)"}


@op("vadd4", "vsub4", "vabsdiff4", "vmin4", "vmax4", "vavrg4",
    "vadd2", "vsub2", "vabsdiff2", "vmin2", "vmax2", "vavrg2")
def h_video_simd(g, o, mods, ops):
    sat = flag(mods, "sat")
    acc = flag(mods, "add")
    if len(mods) != 3 or any(m not in ("u32", "s32") for m in mods):
        g.unknown("video instruction form")
    dt, at, bt = mods
    nops(g, ops, 4)
    four = o.base[-1] == "4"
    fn = _VFN[o.base[:-1]]
    core = "%s(%s, %s, %s, (%s, %s), i4)" % (
        "bytes4" if four else "halves2", fn, g.use(ops[1], "u4"), g.use(ops[2], "u4"),
        at == "s32", bt == "s32")
    bits = 8 if four else 16
    lo, hi = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if dt == "s32" else (0, (1 << bits) - 1)
    it = ("i" if dt == "s32" else "u") + ("1" if four else "2")
    if acc:
        if sat:
            g.unknown(".sat with .add")
        g.set(ops[0], "u4", "%s.sum(axis=1).astype(u4) + %s" % (core, g.use(ops[3], "u4")))
        return
    # without .add the operand c supplies lanes that the mask leaves out; with
    # the full default mask every lane is written
    g.set(ops[0], "u4", "packlanes(%s, %d, %d, %s, %s)" % (core, lo, hi, sat, it))
