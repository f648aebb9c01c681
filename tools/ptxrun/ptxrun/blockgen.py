# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One basic block of operations in, the text of one Python function out.

The function has the signature  f(R, C)  where R is the list of registers of
the running group of threads (arrays of shape (n,), or (1,) for a value that
all threads share) and C the group's context.  Arrays are immutable by
convention: `mov` is aliasing, and nothing is ever written in place.

`BlockGen` keeps what is known about each register inside the basic block, so
that a value is reinterpreted, narrowed or flushed once; the forms of the
instructions are in the package forms.  A *tag* names how a value is held: p for
predicates, u4 for 32 unsigned bits, f8 for f64, q for 128 bits.
"""

import re
import struct

import numpy as np

from .errors import PtxError, UnknownInstruction
from .lower import Ref
from .memory import PARAM_BASE
from .syntax import FImm, Imm, Not, Reg, SReg, Sink, TYPE_SIZE

TAG = {
    "pred": "p",
    "b8": "u1", "u8": "u1", "s8": "i1",
    "b16": "u2", "u16": "u2", "s16": "i2", "f16": "u2", "bf16": "u2",
    "b32": "u4", "u32": "u4", "s32": "i4", "f32": "f4",
    "f16x2": "u4", "bf16x2": "u4", "u16x2": "u4", "s16x2": "u4", "tf32": "u4",
    "u8x4": "u4", "s8x4": "u4",
    "b64": "u8", "u64": "u8", "s64": "i8", "f64": "f8", "f32x2": "u8",
    "b128": "q",
}
WID = {"p": 1, "u1": 1, "i1": 1, "u2": 2, "i2": 2, "u4": 4, "i4": 4, "f4": 4,
       "u8": 8, "i8": 8, "f8": 8, "q": 16}
UTAG = {1: "u1", 2: "u2", 4: "u4", 8: "u8", 16: "q"}
ITAG = {1: "i1", 2: "i2", 4: "i4", 8: "i8"}
NPT = {"u1": np.uint8, "i1": np.int8, "u2": np.uint16, "i2": np.int16, "u4": np.uint32,
       "i4": np.int32, "u8": np.uint64, "i8": np.int64, "f4": np.float32, "f8": np.float64}
RND = ("rn", "rz", "rm", "rp")
INT_TYPES = ("u8", "s8", "b8", "u16", "s16", "b16", "u32", "s32", "b32", "u64", "s64", "b64")

VAR_RE = re.compile(r"\bv\d+\b")


class Val:
    """What is known about a register inside a block."""
    __slots__ = ("forms", "narrow", "wide", "w", "dirty", "ftzd", "const")

    def __init__(self, tag, var, w, dirty=False, ftzd=False):
        self.forms = {tag: var}
        self.narrow = {}
        self.wide = {}
        self.w = w
        self.dirty = dirty          # f32 that may hold a non-canonical NaN
        self.ftzd = ftzd            # f32 known to hold no subnormal


def ones(tag):
    return (1 << (8 * WID[tag])) - 1


class BlockGen:
    """Generates the function of one basic block `block` of the kernel `kc`."""

    def __init__(self, kc, block):
        self.kc = kc
        self.low = kc.low
        self.b = block
        self.lines = []
        self.nv = 0
        self.vals = {}
        self.loads = {}
        self.defs = set()
        self.op = None
        self.guard = None
        self.term_expr = None
        self.barrier_dst = None     # bar.red result, written by the scheduler

    # -- errors
    def unknown(self, msg="instruction not implemented"):
        raise UnknownInstruction(msg, self.op.line, self.op.text)

    def bad(self, msg):
        raise PtxError(msg, self.op.line, self.op.text)

    # -- emission
    def emit(self, s):
        self.lines.append(s)

    def tmp(self, expr):
        v = "v%d" % self.nv
        self.nv += 1
        self.lines.append("%s = %s" % (v, expr))
        return v

    def fresh(self):
        v = "v%d" % self.nv
        self.nv += 1
        return v

    def const(self, tag, bits):
        return self.kc.const(tag, bits)

    # -- register values
    def val(self, reg):
        v = self.vals.get(reg.id)
        if v is None:
            w = TYPE_SIZE[reg.type]
            tag = "p" if reg.type == "pred" else UTAG[w]
            var = "v%d" % self.nv
            self.nv += 1
            self.loads[reg.id] = len(self.lines)
            self.lines.append("%s = R[%d]" % (var, reg.id))
            v = self.vals[reg.id] = Val(tag, var, w)
        return v

    def form(self, val, tag):
        f = val.forms.get(tag)
        if f is not None:
            return f
        if tag == "p" or "p" in val.forms or tag == "q" or "q" in val.forms:
            self.bad("operand type does not match the instruction type")
        w = WID[tag]
        if w == val.w:
            if val.dirty:
                c = self.tmp("canon32(%s)" % val.forms["f4"])
                val.forms = {"f4": c}
                val.dirty = False
            src = next(iter(val.forms.values()))
            v = val.forms[tag] = self.tmp("%s.view(%s)" % (src, tag))
            return v
        if w < val.w:
            f = val.narrow.get(tag)
            if f is None:
                base = self.form(val, UTAG[val.w])
                f = self.tmp("%s.astype(%s)" % (base, UTAG[w]))
                if tag != UTAG[w]:
                    f = self.tmp("%s.view(%s)" % (f, tag))
                val.narrow[tag] = f
            return f
        self.bad("operand register of %d bytes is narrower than the instruction type" % val.w)

    def use(self, o, tag, narrow=False):
        """Operand -> variable (or constant) name holding it as `tag`."""
        if isinstance(o, Reg):
            if o.type == "pred" and tag != "p":
                self.bad("predicate register where a value is expected")
            if not narrow and tag != "p" and TYPE_SIZE[o.type] != WID[tag]:
                self.bad("operand %s is .%s, the instruction works on %d-byte values" % (
                    o.name, o.type, WID[tag]))
            return self.form(self.val(o), tag)
        if isinstance(o, Imm):
            if tag == "p":
                return self.const("p", int(bool(o.value)))
            if tag in ("f4", "f8"):
                self.bad("integer constant in a floating point instruction")
            if tag == "q":
                return self.const("q", o.value & (2 ** 128 - 1))
            return self.const(tag, o.value & ones(tag))
        if isinstance(o, FImm):
            return self.const(tag, self.fimm_bits(o, tag))
        if isinstance(o, SReg):
            return self.sreg(o, tag)
        if isinstance(o, Ref):
            a = self.address_of(o)
            if tag not in ("u4", "i4", "u8", "i8"):
                self.bad("address used as a %s value" % tag)
            if WID[tag] == 4 and a >> 32:
                self.bad("64-bit address of %r in a 32-bit operand" % (o,))
            return self.const(tag, a)
        if isinstance(o, Not) and tag == "p":
            return self.tmp("~%s" % self.use(o.op, "p"))
        self.unknown("operand %r not supported here" % (o,))

    def fimm_bits(self, o, tag):
        if tag in ("f8", "u8", "i8"):
            if o.kind == "f32":
                if tag != "f8":
                    self.bad("0f constant in a 64-bit integer operand")
                return struct.unpack("<Q", struct.pack("<d", o.value))[0]
            return o.bits
        if tag in ("f4", "u4", "i4"):
            if o.kind == "f32":
                return o.bits
            if o.kind == "f64" and tag != "f4":
                self.bad("0d constant in a 32-bit operand")
            with np.errstate(all="ignore"):
                return int(np.float32(o.value).view(np.uint32))
        self.bad("floating constant in a %s operand" % tag)

    def ival(self, o):
        """Value of an integer immediate, else None."""
        return o.value if isinstance(o, Imm) else None

    def address_of(self, r):
        """Address constant of a Ref in its own state space."""
        L = self.kc.layout
        if r.space in ("global", "const"):
            return self.kc.mod.var_address(r.obj) + r.off
        if r.space == "shared":
            return (L["shared"][r.obj] + r.off) & 0xffffffff
        if r.space == "dshared":
            return (L["dshared"] + r.off) & 0xffffffff
        if r.space == "local":
            return L["local"][r.obj] + r.off
        if r.space == "kparam":
            return PARAM_BASE + L["kparam"][r.obj.name] + r.off
        if r.space == "func":
            return self.kc.mod.func_address(r.obj.name)
        if r.space == "label":
            self.bad("address of a label is not supported")
        self.bad("address of %r is not supported" % (r,))

    def sreg(self, o, tag):
        n = o.name[1:]
        v = self.tmp("C.sreg(%r)" % n)
        w = 8 if n in SREG64 else 4
        if WID[tag] == w:
            return v if tag == UTAG[w] else self.tmp("%s.view(%s)" % (v, tag))
        if WID[tag] < w or w < WID[tag]:
            v = self.tmp("%s.astype(%s)" % (v, UTAG[WID[tag]]))
            return v if tag == UTAG[WID[tag]] else self.tmp("%s.view(%s)" % (v, tag))
        self.bad("special register width")

    def wide(self, o, tag, wtag):
        """Operand widened to twice its width (sign per tag), cached."""
        if isinstance(o, Imm):
            v = o.value & ones(tag)
            if tag[0] == "i" and v >> (8 * WID[tag] - 1):
                v -= 1 << (8 * WID[tag])
            return self.const(wtag, v & ones(wtag))
        if isinstance(o, Reg):
            val = self.val(o)
            f = val.wide.get((tag, wtag))
            if f is None:
                f = val.wide[(tag, wtag)] = self.tmp(
                    "%s.astype(%s)" % (self.use(o, tag), wtag))
            return f
        return self.tmp("%s.astype(%s)" % (self.use(o, tag), wtag))

    def fval(self, o, ftz):
        """f32 operand, flushed if ftz."""
        if isinstance(o, FImm):
            bits = self.fimm_bits(o, "f4")
            if ftz and (bits & 0x7f800000) == 0:
                bits &= 0x80000000
            return self.const("f4", bits)
        v = self.use(o, "f4")
        if ftz and isinstance(o, Reg):
            val = self.val(o)
            if val.ftzd:
                return v
            f = val.wide.get("ftz")
            if f is None:
                f = val.wide["ftz"] = self.tmp("ftz32(%s)" % v)
            return f
        return v

    def isdirty(self, o):
        return isinstance(o, Reg) and self.val(o).dirty

    def set(self, dst, tag, expr, dirty=False, ftzd=False):
        if isinstance(dst, Sink):
            return
        if not isinstance(dst, Reg):
            self.bad("destination %r is not a register" % (dst,))
        if tag == "p":
            if dst.type != "pred":
                self.bad("destination %s is not a predicate" % dst.name)
        elif dst.type == "pred":
            self.bad("destination %s is a predicate" % dst.name)
        elif TYPE_SIZE[dst.type] != WID[tag]:
            self.bad("destination %s is .%s, the result has %d bytes" % (
                dst.name, dst.type, WID[tag]))
        if self.guard is not None:
            old = self.use(dst, tag)
            dirty = dirty or self.isdirty(dst)
            v = self.tmp(expr)
            v = self.tmp("sel(%s, %s, %s)" % (self.guard, v, old))
            ftzd = False
        else:
            v = self.tmp(expr)
        self.vals[dst.id] = Val(tag, v, TYPE_SIZE[dst.type], dirty, ftzd)
        self.defs.add(dst.id)

    def set_raw(self, dst, tag, var):
        """As set, for a value already merged with the old one."""
        g, self.guard = self.guard, None
        self.set(dst, tag, var)
        self.guard = g

    def widen_expr(self, expr, tag, dst):
        """Expression of `tag` extended to the width of register dst."""
        w = TYPE_SIZE[dst.type]
        if w == WID[tag]:
            return expr, tag
        if w < WID[tag]:
            self.bad("destination %s is narrower than the result" % dst.name)
        if w == 16:
            self.bad("extension to 128 bits is not supported")
        if tag[0] == "i":
            return "%s.astype(%s)" % (expr, ITAG[w]), ITAG[w]
        if tag[0] == "f":
            expr = "%s.view(%s)" % (expr, UTAG[WID[tag]])
        return "%s.astype(%s)" % (expr, UTAG[w]), UTAG[w]

    def set_ext(self, dst, tag, expr):
        if isinstance(dst, Sink):
            return
        if dst.type == "pred":
            self.bad("destination %s is a predicate" % dst.name)
        e, t = self.widen_expr(expr, tag, dst)
        self.set(dst, t, e)

    def alias(self, dst, val):
        """dst takes the value record of another register."""
        self.vals[dst.id] = val
        self.defs.add(dst.id)

    def finish(self):
        b = self.b
        for rid in sorted(self.defs & b.live_out):
            if rid == self.barrier_dst:
                continue
            val = self.vals[rid]
            if "p" in val.forms:
                v = val.forms["p"]
            elif "q" in val.forms:
                v = val.forms["q"]
            else:
                v = self.form(val, UTAG[val.w])
            self.emit("R[%d] = %s" % (rid, v))
        for rid, pos in self.loads.items():
            if rid not in b.live_out:
                self.lines[pos] += "; R[%d] = None" % rid
        # release every temporary after its last use, so that its memory is
        # reused while still in cache
        seen = set()
        keep = set(VAR_RE.findall(self.term_expr or ""))
        out = []
        for ln in reversed(self.lines):
            names = set(VAR_RE.findall(ln))
            last = sorted(names - seen - keep)
            seen |= names
            if last:
                ln = "%s; del %s" % (ln, ", ".join(last))
            out.append(ln)
        out.reverse()
        src = ["def b%d(R, C):" % b.id]
        src += ["    " + ln for ln in out]
        src.append("    return %s" % (self.term_expr or "None"))
        return src


SREG64 = {"clock64", "globaltimer", "current_graph_exec"}
