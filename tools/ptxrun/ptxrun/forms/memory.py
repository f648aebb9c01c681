# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code for loads, stores, asynchronous copies and atomics."""

from ..blockgen import TAG, UTAG, WID, ones
from ..lower import Ref
from ..syntax import Addr, FImm, Reg, Sink, TYPE_SIZE, Vec
from .registry import flag, nops, op, pick


# --- loads and stores -----------------------------------------------------------------------

LDST_IGNORE = {"weak", "relaxed", "acquire", "release", "volatile", "cta", "cluster", "gpu",
               "sys", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "mmio", "unified", "nc"}
SPACE_MODS = ("global", "shared", "local", "const", "param")


def mem_mods(g, mods):
    """-> (space or None, vector width, type); consumes all modifiers."""
    ty = mods.pop()
    nv = 1
    space = None
    for m in mods:
        base = m.split("::")[0]
        if m in ("v2", "v4", "v8"):
            nv = int(m[1:])
        elif base in SPACE_MODS and space is None:
            if m == "shared::cluster":
                g.unknown("shared::cluster")
            space = base
        elif m in LDST_IGNORE:
            pass
        elif base in ("L1", "L2"):
            pass                      # eviction priority, prefetch size, cache hint
        else:
            g.unknown("modifier .%s not implemented" % m)
    return space, nv, ty


def addr_expr(g, a):
    """Addr operand -> (expression name of a u4/u8 array, constant or None)."""
    if not isinstance(a, Addr):
        g.bad("expected an address in brackets")
    b = a.base
    if b is None:
        return g.const("u8", a.off & (2 ** 64 - 1))
    if isinstance(b, Ref):
        return g.const("u8", (g.address_of(b) + a.off) & (2 ** 64 - 1))
    if not isinstance(b, Reg):
        g.unknown("address form")
    w = TYPE_SIZE[b.type]
    if w == 8:
        t = "u8"
    elif w == 4:
        t = "u4"
    else:
        g.bad("address register of %d bytes" % w)
    x = g.use(b, t)
    if a.off:
        # cache base+offset per register value
        val = g.val(b)
        key = ("addr", a.off)
        f = val.wide.get(key)
        if f is None:
            f = val.wide[key] = g.tmp("%s + %s" % (x, g.const(t, a.off & ones(t))))
        return f
    return x


def addr_space(g, a, space):
    """Check a symbolic base against the instruction's space."""
    if isinstance(a, Addr) and isinstance(a.base, Ref):
        s = a.base.space
        real = {"dshared": "shared", "kparam": "param"}.get(s, s)
        if space is None:
            # generic access to a symbol: only global/const addresses are generic
            if real not in ("global", "const"):
                g.bad("generic access to a .%s symbol" % real)
        elif real != space:
            g.bad("%s access to a variable in .%s" % (space, real))


@op("ld", "ldu")
def h_ld(g, o, mods, ops):
    if mods and mods[0] == "paramreg":
        return ld_paramreg(g, o, mods, ops)
    if "L2::cache_hint" in mods:
        ops = ops[:-1]
    nops(g, ops, 2)
    space, nv, ty = mem_mods(g, mods)
    if ty not in TAG or ty == "pred":
        g.unknown("load of .%s" % ty)
    d, a = ops
    dsts = d.elems if isinstance(d, Vec) else [d]
    if len(dsts) != nv:
        g.bad("%d destinations for a vector of %d" % (len(dsts), nv))
    addr_space(g, a, space)
    tag = TAG[ty]
    w = WID[tag]
    if w * nv > 32:
        g.bad("access of %d bytes" % (w * nv))
    ut = UTAG[w]
    if space == "param" and isinstance(a.base, Ref) and a.base.space == "kparam":
        # kernel parameter at a known offset: one value for all threads
        off = g.kc.layout["kparam"][a.base.obj.name] + a.base.off + a.off
        end = g.kc.layout["kparam"][a.base.obj.name] + a.base.obj.size
        if a.base.off + a.off < 0 or off + w * nv > end:
            g.bad("load outside parameter %s (%d bytes)" % (a.base.obj.name, a.base.obj.size))
        if off % w:
            g.bad("misaligned parameter load")
        for j, r in enumerate(dsts):
            if isinstance(r, Sink):
                continue
            e = "C.M.param(%d, %d)" % (off + j * w, w)
            if tag == "q":
                g.unknown("b128 parameter load")
            if tag[0] == "i":
                e += ".view(%s)" % tag
                g.set_ext(r, tag, e)
            else:
                g.set_ext(r, ut, e)
        return
    if tag == "q":
        return ld_b128(g, o, space, dsts, a, nv)
    x = addr_expr(g, a)
    fn, extra = {
        None: ("ld_generic", ""), "global": ("ld_global", ", 'global'"),
        "const": ("ld_global", ", 'const'"), "shared": ("ld_shared", ""),
        "local": ("ld_local", ""), "param": ("ld_param", ""),
    }[space]
    outs = [g.fresh() for _ in dsts]
    lhs = ", ".join(outs) + ("," if nv == 1 else "")
    ln = o.line or 0
    if "nc" in o.mods:
        g.kc.nc_lines.add(ln)
        if space == "global":
            extra += ", True"
    # elements nobody uses (sinks, or named by a used_bytes_mask pragma) are not
    # checked: the hardware reads them, the program does not
    used = [not isinstance(r, Sink) for r in dsts]
    if o.used is not None:
        used = [u and bool((o.used >> (j * w)) & ((1 << w) - 1)) for j, u in enumerate(used)]
    if not all(used):
        extra = ", C.M.%s, %r%s" % (fn, tuple(used), extra)
        fn = "ld_masked"
    if g.guard is None:
        g.emit("%s = C.M.%s(C, %s, %d, %d, %d%s)" % (lhs, fn, x, w, nv, ln, extra))
    else:
        # merge with the old register contents at the loaded width
        olds = []
        for r in dsts:
            if isinstance(r, Sink):
                olds.append(g.const(ut, 0))
            else:
                olds.append(g.use(r, ut, True))
        # where the register is wider than the value, keep the old upper bits by
        # selecting after extension
        g.emit("%s = C.M.pred_ld(C, %s, C.M.%s, (%s,), %s, %d, %d, %d%s)" % (
            lhs, g.guard, fn, ", ".join(olds), x, w, nv, ln, extra))
    for r, v in zip(dsts, outs):
        if isinstance(r, Sink):
            continue
        if r.type == "pred":
            g.bad("load into a predicate")
        e = v if tag[0] != "i" else "%s.view(%s)" % (v, tag)
        if g.guard is not None and TYPE_SIZE[r.type] == w:
            g.set_raw(r, ut, v)
        else:
            g.set_ext(r, tag if tag[0] == "i" else ut, e)


def ld_b128(g, o, space, dsts, a, nv):
    if nv != 1 or g.guard is not None:
        g.unknown("b128 load form")
    x = addr_expr(g, a)
    fn, extra = {None: ("ld_generic", ""), "global": ("ld_global", ", 'global'"),
                 "const": ("ld_global", ", 'const'"), "shared": ("ld_shared", ""),
                 "local": ("ld_local", "")}[space]
    p, q = g.fresh(), g.fresh()
    g.emit("%s, %s = C.M.%s(C, %s, 8, 2, %d%s)" % (p, q, fn, x, o.line or 0, extra))
    g.set(dsts[0], "q", "pack128(%s, %s)" % (p, q))


def ld_paramreg(g, o, mods, ops):
    """ld.param of a device-function parameter kept in virtual registers."""
    mods = mods[1:]
    space, nv, ty = mem_mods(g, mods)
    tag = TAG[ty]
    d, s = ops
    dsts = d.elems if isinstance(d, Vec) else [d]
    if len(dsts) != len(s.elems):
        g.bad("%d destinations for %d values" % (len(dsts), len(s.elems)))
    for r, v in zip(dsts, s.elems):
        if isinstance(r, Sink):
            continue
        if r.type == "pred":
            g.bad("load into a predicate")
        if tag[0] == "i":
            g.set_ext(r, tag, g.use(v, tag))
        elif TYPE_SIZE[r.type] == WID[tag] and g.guard is None:
            g.alias(r, g.val(v))
        else:
            g.set_ext(r, UTAG[WID[tag]], g.use(v, UTAG[WID[tag]]))


@op("st")
def h_st(g, o, mods, ops):
    if mods and mods[0] == "paramreg":
        return st_paramreg(g, o, mods, ops)
    if "L2::cache_hint" in mods:
        ops = ops[:-1]
    nops(g, ops, 2)
    space, nv, ty = mem_mods(g, mods)
    if ty not in TAG or ty == "pred":
        g.unknown("store of .%s" % ty)
    a, s = ops
    srcs = s.elems if isinstance(s, Vec) else [s]
    if len(srcs) != nv:
        g.bad("%d sources for a vector of %d" % (len(srcs), nv))
    addr_space(g, a, space)
    tag = TAG[ty]
    w = WID[tag]
    if w * nv > 32:
        g.bad("access of %d bytes" % (w * nv))
    if space == "const" or (space == "param" and not isinstance(a.base, Reg)):
        g.bad("store to .%s" % space)
    x = addr_expr(g, a)
    if tag == "q":
        if nv != 1:
            g.unknown()
        q = g.use(srcs[0], "q")
        vals = ["np.ascontiguousarray(%s[:, 0])" % q, "np.ascontiguousarray(%s[:, 1])" % q]
        w = 8
    else:
        ut = UTAG[w]
        vals = []
        for e in srcs:
            if isinstance(e, Sink):
                vals.append("None")          # masked-off element
            elif isinstance(e, FImm):
                vals.append(g.const(ut, g.fimm_bits(e, tag if tag[0] == "f" else ut)))
            else:
                vals.append(g.use(e, ut, True))
    fn, extra = {None: ("st_generic", ""), "global": ("st_global", ", 'global'"),
                 "shared": ("st_shared", ""), "local": ("st_local", ""),
                 "param": ("st_local", "")}[space]
    ln = o.line or 0
    if "None" in vals:
        extra = ", C.M.%s%s" % (fn, extra)
        fn = "st_masked"
    if g.guard is None:
        g.emit("C.M.%s(C, %s, (%s,), %d, %d%s)" % (fn, x, ", ".join(vals), w, ln, extra))
    else:
        g.emit("C.M.pred_st(C, %s, C.M.%s, %s, (%s,), %d, %d%s)" % (
            g.guard, fn, x, ", ".join(vals), w, ln, extra))


def st_paramreg(g, o, mods, ops):
    mods = mods[1:]
    space, nv, ty = mem_mods(g, mods)
    tag = TAG[ty]
    ut = UTAG[WID[tag]]
    d, s = ops
    srcs = s.elems if isinstance(s, Vec) else [s]
    if len(srcs) != len(d.elems):
        g.bad("%d sources for %d values" % (len(srcs), len(d.elems)))
    for r, v in zip(d.elems, srcs):
        if isinstance(v, Reg) and TYPE_SIZE[v.type] == WID[tag] and g.guard is None:
            g.alias(r, g.val(v))
        elif isinstance(v, FImm):
            g.set(r, ut, g.const(ut, g.fimm_bits(v, tag if tag[0] == "f" else ut)))
        else:
            g.set(r, ut, g.use(v, ut, True))


@op("prefetch", "prefetchu", "discard", "applypriority", "membar", "fence", "nanosleep",
    "griddepcontrol", "setmaxnreg", "pmevent")
def h_noop(g, o, mods, ops):
    if o.base == "fence" and any(m.startswith("proxy") or m.startswith("mbarrier")
                                 for m in mods):
        g.unknown()
    g.emit("pass")


@op("createpolicy")
def h_createpolicy(g, o, mods, ops):
    # cache policies have no effect here
    if mods[-1] != "b64":
        g.unknown()
    g.set(ops[0], "u8", g.const("u8", 0))


# --- asynchronous copies (performed at once) ---------------------------------------------

@op("cp")
def h_cp(g, o, mods, ops):
    if not mods or mods[0] != "async" or "bulk" in mods or "reduce" in mods:
        g.unknown()
    mods = mods[1:]
    if mods in (["commit_group"], ["wait_all"]):
        g.emit("pass")
        return
    if mods == ["wait_group"]:
        g.emit("pass")
        return
    if not mods or mods[0] not in ("ca", "cg") or "shared" not in [m.split("::")[0]
                                                                  for m in mods] \
            or "global" not in mods:
        g.unknown()
    for m in mods:
        if m not in ("ca", "cg", "global") and m.split("::")[0] not in ("shared", "L2"):
            g.unknown()
    if g.guard is not None:
        g.unknown("predicated cp.async")
    nops(g, ops, 3, 4)
    dst, src = addr_expr(g, ops[0]), addr_expr(g, ops[1])
    n = g.ival(ops[2])
    if n not in (4, 8, 16):
        g.unknown("cp.async size")
    ss = None
    if len(ops) == 4:
        if isinstance(ops[3], Reg) and ops[3].type == "pred":
            g.unknown("cp.async with ignore-src")
        ss = g.use(ops[3], "u4")
    g.emit("C.M.cp_async(C, %s, %s, %d, %s, %d)" % (dst, src, n, ss or "None", o.line or 0))


# --- atomics ----------------------------------------------------------------------------

ATOM_OPS = ("and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max")


@op("atom", "red")
def h_atom(g, o, mods, ops):
    isred = o.base == "red"
    if "L2::cache_hint" in mods:
        mods.remove("L2::cache_hint")
        ops = ops[:-1]
    flag(mods, "noftz")  # Subnormals are kept always.
    nv = 1
    v = pick(mods, ("v2", "v4", "v8"))
    if v:
        nv = int(v[1:])
    ty = mods.pop()
    opn = None
    space = None
    for m in list(mods):
        base = m.split("::")[0]
        if m in ATOM_OPS and opn is None:
            opn = m
        elif base in ("global", "shared") and space is None:
            if m == "shared::cluster":
                g.unknown("shared::cluster")
            space = base
        elif m in ("relaxed", "acquire", "release", "acq_rel", "volatile", "cta", "cluster",
                   "gpu", "sys"):
            pass
        else:
            g.unknown("modifier .%s not implemented" % m)
    if opn is None or "async" in mods:
        g.unknown()
    tag = {"b16": "u2", "u32": "u4", "s32": "i4", "b32": "u4", "u64": "u8", "s64": "i8",
           "b64": "u8", "f32": "f4", "f64": "f8", "f16": "f16", "bf16": "bf16",
           "f16x2": "f16x2", "bf16x2": "bf16x2"}.get(ty)
    if tag is None:
        g.unknown("atomic on .%s" % ty)
    if opn in ("min", "max") and ty.startswith("b") and not ty.startswith("bf"):
        g.unknown("atom.%s on .%s" % (opn, ty))
    if opn == "add" and ty.startswith("b") and not ty.startswith("bf"):
        g.unknown("atom.add on .%s" % ty)
    ops = list(ops)
    d = None if isred else ops.pop(0)
    a = ops.pop(0)
    addr_space(g, a, space)
    w = {"f16": 2, "bf16": 2, "f16x2": 4, "bf16x2": 4}.get(tag) or int(tag[1])
    ut = UTAG[w]
    x = addr_expr(g, a)

    def src(e):
        if isinstance(e, FImm):
            return g.const(ut, g.fimm_bits(e, tag if tag in ("f4", "f8") else ut))
        return g.use(e, ut, True)
    want = 2 if opn == "cas" else 1
    if len(ops) != want:
        g.bad("atomic with %d value operands, expected %d" % (len(ops), want))
    sp = space or "generic"
    ln = o.line or 0
    if nv > 1:
        if opn == "cas" or not isinstance(ops[0], Vec) or g.guard is not None:
            g.unknown("vector atomic form")
        srcs = ops[0].elems
        for j, e in enumerate(srcs):
            r = "C.M.atom(C, %r, %r, %r, %s + %s, (%s,), %d)" % (
                sp, opn, tag, x, "u8(%d)" % (j * w), src(e), ln)
            if j == 0:
                g.emit("C.M.check_align(C, %s, %d, %d, %r)" % (x, w * nv, ln, sp))
            if isred or isinstance(d.elems[j], Sink):
                g.emit(r)
            else:
                g.set_ext(d.elems[j], ut, r)
        return
    vals = [src(e) for e in ops]
    call = "%r, %r, %r, %s, (%s,), %d" % (sp, opn, tag, x, ", ".join(vals), ln)
    if isred or isinstance(d, Sink):
        if g.guard is None:
            g.emit("C.M.atom(C, %s)" % call)
        else:
            g.emit("C.M.pred_atom(C, %s, None, %s)" % (g.guard, call))
        return
    if g.guard is None:
        g.set_ext(d, ut, "C.M.atom(C, %s)" % call)
    else:
        if TYPE_SIZE[d.type] != w:
            g.unknown("predicated atomic into a wider register")
        old = g.use(d, ut)
        g.set_raw(d, ut, "C.M.pred_atom(C, %s, %s, %s)" % (g.guard, old, call))
