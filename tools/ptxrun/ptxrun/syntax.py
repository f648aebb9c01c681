# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the parser makes: operands, declarations, instructions, functions.

Plain records without behaviour; `TYPE_SIZE` gives the bytes of each PTX type.
"""

import struct

TYPE_SIZE = {
    "pred": 1,
    "b8": 1, "u8": 1, "s8": 1, "e4m3": 1, "e5m2": 1,
    "b16": 2, "u16": 2, "s16": 2, "f16": 2, "bf16": 2, "e4m3x2": 2, "e5m2x2": 2,
    "b32": 4, "u32": 4, "s32": 4, "f32": 4, "f16x2": 4, "bf16x2": 4, "tf32": 4,
    "u16x2": 4, "s16x2": 4, "u8x4": 4, "s8x4": 4,
    "b64": 8, "u64": 8, "s64": 8, "f64": 8, "f32x2": 8,
    "b128": 16,
}


# --- operands ---------------------------------------------------------------

class Operand:
    """Base of the operands of instructions."""
    __slots__ = ()


class Reg(Operand):
    """A virtual register."""
    __slots__ = ("id", "name", "type")

    def __init__(self, id, name, type):
        self.id, self.name, self.type = id, name, type

    def __repr__(self):
        return self.name


class Imm(Operand):
    """An integer constant."""
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return str(self.value)


class FImm(Operand):
    """A floating constant.  `kind`: 'f32' (0f...), 'f64' (0d...), 'dec'."""
    __slots__ = ("bits", "kind")

    def __init__(self, bits, kind):
        self.bits, self.kind = bits, kind

    @property
    def value(self):
        if self.kind == "f32":
            return struct.unpack("<f", struct.pack("<I", self.bits))[0]
        return struct.unpack("<d", struct.pack("<Q", self.bits))[0]

    def __repr__(self):
        return "0f%08X" % self.bits if self.kind == "f32" else "0d%016X" % self.bits


class SReg(Operand):
    """A special register, such as %tid.x."""
    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


class Sym(Operand):
    """A variable, function or label name plus a byte offset."""
    __slots__ = ("name", "off", "var", "label")

    def __init__(self, name, off=0, var=None):
        self.name, self.off, self.var, self.label = name, off, var, None

    def __repr__(self):
        return self.name + ("%+d" % self.off if self.off else "")


class Vec(Operand):
    """Operands in braces."""
    __slots__ = ("elems",)

    def __init__(self, elems):
        self.elems = elems

    def __repr__(self):
        return "{" + ", ".join(map(repr, self.elems)) + "}"


class Addr(Operand):
    """An address in brackets: base and offset."""
    __slots__ = ("base", "off")

    def __init__(self, base, off):
        self.base, self.off = base, off

    def __repr__(self):
        return "[%r%+d]" % (self.base, self.off)


class Not(Operand):
    """A predicate with ! before it."""
    __slots__ = ("op",)

    def __init__(self, op):
        self.op = op

    def __repr__(self):
        return "!%r" % self.op


class Pair(Operand):
    """Two destinations, a|b."""
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b

    def __repr__(self):
        return "%r|%r" % (self.a, self.b)


class Sink(Operand):
    """The destination _, which takes nothing."""
    __slots__ = ()

    def __repr__(self):
        return "_"


class Args(Operand):
    """A parenthesised list in a call."""
    __slots__ = ("elems",)

    def __init__(self, elems):
        self.elems = elems

    def __repr__(self):
        return "(" + ", ".join(map(repr, self.elems)) + ")"


# --- declarations -----------------------------------------------------------

class Var:
    """A variable in some state space (module level or function level)."""

    def __init__(self, name, space, type, align, size, line):
        self.name, self.space, self.type = name, space, type
        self.align, self.size, self.line = align, size, line
        self.elem = TYPE_SIZE.get(type, 1)
        self.init = None          # bytes-producing list or None
        self.extern = False
        self.unsized = False      # declared with []
        self.ptr = False          # .ptr attribute of a kernel parameter
        self.ptr_space = None
        self.ptr_align = None
        self.array = False
        self.reg = None           # for .reg parameters: the Reg
        self.func = None

    def __repr__(self):
        return ".%s .%s %s[%d]" % (self.space, self.type, self.name, self.size)


class Instr:
    """One instruction, with its guard predicate."""
    __slots__ = ("op", "ops", "pred", "neg", "line", "text", "used")

    def __init__(self, op, ops, pred, neg, line, text):
        self.op, self.ops, self.pred, self.neg = op, ops, pred, neg
        self.line, self.text = line, text
        self.used = None        # byte mask of a preceding used_bytes_mask pragma

    def __repr__(self):
        g = "" if self.pred is None else "@%s%r " % ("!" if self.neg else "", self.pred)
        return "%s%s %s" % (g, self.op, ", ".join(map(repr, self.ops)))


class Label:
    """A position that branches name."""
    __slots__ = ("key", "name", "line")

    def __init__(self, key, name, line):
        self.key, self.name, self.line = key, name, line


class Function:
    """A kernel (`entry`) or device function."""

    def __init__(self, name, entry, line):
        self.name, self.entry, self.line = name, entry, line
        self.params, self.rets = [], []
        self.body = None            # list of Label / Instr
        self.regs = []              # [(name, type)]
        self.reg_decl = {}          # type -> declared count
        self.vars = []              # function-scope variables
        self.directives = {}
        self.branchtargets = {}     # label key -> [Sym]
        self.prototypes = {}        # label name -> (rets, params)
        self.noreturn = False
        self.text_lines = 0


class Scope:
    """The names that one pair of braces declares."""
    __slots__ = ("parent", "regs", "ranges", "vars", "labels", "uid")

    def __init__(self, parent, uid):
        self.parent, self.uid = parent, uid
        self.regs, self.ranges, self.vars, self.labels = {}, [], {}, {}


class ParsedModule:
    """Parsed PTX: `functions`, `globals` (Var list in order)."""

    def __init__(self, text):
        self.text = text
        self.lines = text.split("\n")
        self.version = None
        self.target = None
        self.address_size = None
        self.functions = {}
        self.vars = {}
        self.var_order = []
        self.aliases = {}
