# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX text in, the syntax tree of a module (syntax.py) out.

The grammar follows the public PTX ISA manual.  Nothing is executed or checked
for meaning here, apart from name resolution: register, variable and label
names are bound to the innermost enclosing `{ }` scope that declares them.
"""

import re
import struct

from .errors import PtxParseError
from .syntax import (Addr, Args, FImm, Function, Imm, Instr, Label, Not, Pair, ParsedModule,
                     Reg, SReg, Scope, Sink, Sym, TYPE_SIZE, Var, Vec)

TOKEN_RE = re.compile(r"""
   (?P<ws>[ \t\r\f\v]+)
 | (?P<nl>\n)
 | (?P<lc>//[^\n]*)
 | (?P<bc>/\*.*?\*/)
 | (?P<str>"(?:\\.|[^"\\])*")
 | (?P<num>0[fF][0-9a-fA-F]{8}(?![0-9a-zA-Z_])
        |0[dD][0-9a-fA-F]{16}(?![0-9a-zA-Z_])
        |0[xX][0-9a-fA-F]+U?
        |0[bB][01]+U?
        |(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?
        |\d+[eE][+-]?\d+
        |\d+U?)
 | (?P<id>[%$_A-Za-z][A-Za-z0-9_$]*(?:(?:\.|::)[A-Za-z0-9_$]+)*)
 | (?P<dir>\.[A-Za-z_$][A-Za-z0-9_$]*(?:::[A-Za-z0-9_]+)*)
 | (?P<p><<|>>|<=|>=|==|!=|&&|\|\||[{}()\[\],;:@!|+\-*/%~<>=&^?\#])
""", re.X | re.S)


class Tok:
    """A token: kind, value, line."""
    __slots__ = ("kind", "val", "line")

    def __init__(self, kind, val, line):
        self.kind, self.val, self.line = kind, val, line

    def __repr__(self):
        return "%s(%r)@%d" % (self.kind, self.val, self.line)


def tokenize(text):
    toks = []
    pos, line, n = 0, 1, len(text)
    match = TOKEN_RE.match
    while pos < n:
        m = match(text, pos)
        if m is None:
            ln = text.split("\n")[line - 1]
            raise PtxParseError("unexpected character %r" % text[pos], line, ln)
        kind = m.lastgroup
        pos = m.end()
        if kind == "nl":
            line += 1
        elif kind == "ws" or kind == "lc":
            pass
        elif kind == "bc":
            line += m.group().count("\n")
        else:
            v = m.group()
            toks.append(Tok(kind, v, line))
            if kind == "str":
                line += v.count("\n")
    toks.append(Tok("eof", "", line))
    return toks


SPECIAL_REGS = set("""%tid %ntid %ctaid %nctaid %laneid %warpid %nwarpid %smid %nsmid
 %gridid %clock %clock_hi %clock64 %globaltimer %globaltimer_lo %globaltimer_hi
 %lanemask_eq %lanemask_le %lanemask_lt %lanemask_ge %lanemask_gt
 %dynamic_smem_size %total_smem_size %aggr_smem_size %clusterid %nclusterid %cluster_ctaid
 %cluster_nctaid %cluster_ctarank %cluster_nctarank %is_explicit_cluster
 %reserved_smem_offset_begin %reserved_smem_offset_end %reserved_smem_offset_cap
 %current_graph_exec""".split())
SPECIAL_RE = re.compile(r"%(?:tid|ntid|ctaid|nctaid|clusterid|nclusterid|cluster_ctaid|"
                        r"cluster_nctaid)\.[xyzw]$|%envreg\d+$|%pm\d+(_64)?$|"
                        r"%reserved_smem_offset_\w+$")

SPACES = {".global", ".shared", ".local", ".const", ".param", ".reg", ".tex",
          ".shared::cta", ".shared::cluster"}

FUNC_DIRECTIVES = {".maxntid", ".reqntid", ".minnctapersm", ".maxnctapersm", ".maxnreg",
                   ".noreturn", ".pragma", ".abi_preserve", ".abi_preserve_control",
                   ".maxclusterrank", ".reqnctapercluster", ".explicitcluster",
                   ".blocksareclusters", ".language"}

RANGE_RE = re.compile(r"^(.*?)(\d+)$")


class Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text):
        self.mod = ParsedModule(text)
        self.toks = tokenize(text)
        self.i = 0
        self.uid = 0
        self.fn = None
        self.scope = None
        self.used_mask = None

    # -- token helpers
    def err(self, msg, tok=None):
        tok = tok or self.toks[self.i]
        line = tok.line
        text = self.mod.lines[line - 1] if line <= len(self.mod.lines) else ""
        raise PtxParseError(msg, line, text[:200])

    def peek(self):
        return self.toks[self.i]

    def next(self):
        t = self.toks[self.i]
        self.i += 1
        return t

    def at(self, val):
        return self.toks[self.i].val == val and self.toks[self.i].kind != "str"

    def accept(self, val):
        if self.at(val):
            self.i += 1
            return True
        return False

    def expect(self, val):
        t = self.toks[self.i]
        if t.val != val:
            self.err("expected %r, found %r" % (val, t.val), t)
        self.i += 1
        return t

    def skip_line(self, line):
        while self.peek().kind != "eof" and self.peek().line == line:
            self.i += 1

    def skip_braces(self):
        self.expect("{")
        depth = 1
        while depth:
            t = self.next()
            if t.kind == "eof":
                self.err("unterminated { }", t)
            if t.kind == "p":
                if t.val == "{":
                    depth += 1
                elif t.val == "}":
                    depth -= 1

    # -- constants
    def number(self, t):
        """Token -> Imm or FImm."""
        v = t.val
        if v[:2] in ("0f", "0F") and len(v) == 10:
            return FImm(int(v[2:], 16), "f32")
        if v[:2] in ("0d", "0D") and len(v) == 18:
            return FImm(int(v[2:], 16), "f64")
        u = v.rstrip("U")
        if u[:2] in ("0x", "0X"):
            return Imm(int(u[2:], 16))
        if u[:2] in ("0b", "0B"):
            return Imm(int(u[2:], 2))
        if "." in u or (("e" in u or "E" in u)):
            return FImm(struct.unpack("<Q", struct.pack("<d", float(u)))[0], "dec")
        if len(u) > 1 and u[0] == "0":
            try:
                return Imm(int(u, 8))
            except ValueError:
                self.err("bad octal constant %r" % v, t)
        return Imm(int(u))

    BINOPS = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7,
              "<=": 7, ">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}

    def expr(self, minprec=1):
        """A constant expression, possibly a symbol plus an offset."""
        a = self.unary()
        while True:
            t = self.peek()
            if t.kind != "p" or t.val not in self.BINOPS:
                break
            prec = self.BINOPS[t.val]
            if prec < minprec:
                break
            # `p|q` pairs are handled by the operand parser
            if t.val == "|" and isinstance(a, (Reg, Sink)):
                break
            self.next()
            b = self.expr(prec + 1)
            a = self.fold(t, a, b)
        if minprec == 1 and self.at("?"):
            self.next()
            x = self.expr()
            self.expect(":")
            y = self.expr()
            if not isinstance(a, Imm):
                self.err("non-integer condition")
            return x if a.value else y
        return a

    def fold(self, t, a, b):
        op = t.val
        if isinstance(a, Sym) and isinstance(b, Imm) and op in "+-":
            s = Sym(a.name, a.off + (b.value if op == "+" else -b.value), a.var)
            return s
        if isinstance(b, Sym) and isinstance(a, Imm) and op == "+":
            return Sym(b.name, b.off + a.value, b.var)
        if isinstance(a, Imm) and isinstance(b, Imm):
            x, y = a.value, b.value
            if op in ("/", "%"):
                if y == 0:
                    self.err("division by zero in a constant", t)
                q = abs(x) // abs(y)
                q = q if (x < 0) == (y < 0) else -q
                return Imm(q if op == "/" else x - q * y)
            f = {"+": lambda: x + y, "-": lambda: x - y, "*": lambda: x * y,
                 "<<": lambda: x << y, ">>": lambda: x >> y, "&": lambda: x & y,
                 "|": lambda: x | y, "^": lambda: x ^ y, "&&": lambda: int(bool(x and y)),
                 "||": lambda: int(bool(x or y)), "==": lambda: int(x == y),
                 "!=": lambda: int(x != y), "<": lambda: int(x < y), ">": lambda: int(x > y),
                 "<=": lambda: int(x <= y), ">=": lambda: int(x >= y)}[op]
            return Imm(f())
        if isinstance(a, (Imm, FImm)) and isinstance(b, (Imm, FImm)):
            x, y = float(a.value), float(b.value)
            f = {"+": lambda: x + y, "-": lambda: x - y, "*": lambda: x * y,
                 "/": lambda: x / y}.get(op)
            if f:
                return FImm(struct.unpack("<Q", struct.pack("<d", f()))[0], "dec")
        self.err("unsupported constant expression %r %s %r" % (a, op, b), t)

    def unary(self):
        t = self.next()
        if t.kind == "num":
            v = self.number(t)
            if isinstance(v, Imm) and self.at("("):     # 0xff(sym): byte mask
                self.next()
                e = self.expr()
                self.expect(")")
                return ("mask", v.value, e)
            return v
        if t.kind == "p":
            if t.val == "-":
                v = self.unary()
                if isinstance(v, Imm):
                    return Imm(-v.value)
                if isinstance(v, FImm):
                    sign = 31 if v.kind == "f32" else 63
                    return FImm(v.bits ^ (1 << sign), v.kind)
                self.err("cannot negate %r" % (v,), t)
            if t.val == "+":
                return self.unary()
            if t.val == "~":
                v = self.unary()
                if isinstance(v, Imm):
                    return Imm(~v.value)
            if t.val == "!":
                v = self.unary()
                if isinstance(v, Imm):
                    return Imm(int(not v.value))
                return Not(v)
            if t.val == "(":
                # a cast such as (.u64) or (.s64), or a parenthesis
                if self.peek().kind == "dir":
                    self.next()
                    self.expect(")")
                    return self.unary()
                v = self.expr()
                self.expect(")")
                return v
        if t.kind == "id":
            if t.val == "generic" and self.at("("):
                self.next()
                # global and const addresses are generic addresses here
                v = self.expr()
                self.expect(")")
                return v
            if t.val == "_":
                return Sink()
            if t.val == "WARP_SZ":
                return Imm(32)
            return self.name(t)
        self.err("unexpected %r in an operand" % t.val, t)

    def name(self, t):
        n = t.val
        s = self.scope
        while s is not None:
            r = s.regs.get(n)
            if r is not None:
                return r
            if s.ranges:
                m = RANGE_RE.match(n)
                if m:
                    pre, k = m.group(1), m.group(2)
                    if len(k) == 1 or k[0] != "0":
                        for p, cnt, ty in s.ranges:
                            if p == pre and int(k) < cnt:
                                return self.new_reg(s, n, ty)
            v = s.vars.get(n)
            if v is not None:
                return Sym(n, 0, v)
            s = s.parent
        if n in SPECIAL_REGS or SPECIAL_RE.match(n):
            return SReg(n)
        v = self.mod.vars.get(n)
        if v is not None:
            return Sym(n, 0, v)
        if n[0] == "%":
            self.err("undeclared register %s" % n, t)
        return Sym(n)

    def new_reg(self, scope, name, ty):
        r = Reg(len(self.fn.regs), name, ty)
        self.fn.regs.append((name, ty))
        scope.regs[name] = r
        return r

    # -- module level
    def parse(self):
        m = self.mod
        while True:
            t = self.peek()
            if t.kind == "eof":
                break
            if t.kind == "p" and t.val == ";":
                self.next()
                continue
            if t.kind != "dir":
                self.err("unexpected %r at module level" % t.val)
            d = t.val
            if d == ".version":
                self.next()
                m.version = self.next().val
            elif d == ".target":
                self.next()
                m.target = self.next().val
                while self.accept(","):
                    m.target += "," + self.next().val
            elif d == ".address_size":
                self.next()
                m.address_size = int(self.next().val)
            elif d in (".file", ".loc"):
                self.skip_line(t.line)
            elif d == ".section":
                self.next()
                self.next()
                self.skip_braces()
            elif d == ".pragma":
                self.next()
                while not self.accept(";"):
                    self.next()
            elif d == ".alias":
                self.next()
                a = self.next().val
                self.expect(",")
                m.aliases[a] = self.next().val
                self.expect(";")
            else:
                self.toplevel_decl()
        return m

    def toplevel_decl(self):
        extern = False
        while True:
            d = self.peek().val
            if d in (".extern", ".visible", ".weak", ".common", ".unified"):
                extern = extern or d == ".extern"
                self.next()
            elif d == ".attribute":
                self.next()
                self.parens()
            else:
                break
        d = self.peek().val
        if d in (".entry", ".func"):
            self.function(d == ".entry", extern)
        elif d in SPACES:
            if d == ".reg":
                self.err("module-level .reg is not supported")
            for v in self.var_decl(self.mod.vars):
                v.extern = extern
                old = self.mod.vars.get(v.name)
                if old is not None and old is not v and not old.extern:
                    continue
                self.mod.vars[v.name] = v
                self.mod.var_order.append(v)
        else:
            self.err("unknown directive %s" % d)

    def parens(self):
        self.expect("(")
        depth = 1
        while depth:
            t = self.next()
            if t.kind == "eof":
                self.err("unterminated ( )", t)
            if t.val == "(":
                depth += 1
            elif t.val == ")":
                depth -= 1

    def var_decl(self, table):
        """`.space [.align n] [.vN] .type name[dims] [= init], ... ;` -> [Var]."""
        space = self.next().val[1:].split("::")[0]
        out = []
        align, vec, ty = None, 1, None
        while self.peek().kind == "dir":
            t = self.next()
            d = t.val
            if d == ".align":
                align = int(self.next().val)
            elif d in (".v2", ".v4", ".v8"):
                vec = int(d[2:])
            elif d == ".attribute":
                self.parens()
            elif d[1:] in TYPE_SIZE:
                ty = d[1:]
            elif d in (".texref", ".samplerref", ".surfref"):
                ty = "b64"
            else:
                self.err("unknown declaration modifier %s" % d, t)
        if ty is None:
            self.err("declaration without a type")
        while True:
            t = self.next()
            if t.kind != "id":
                self.err("expected a variable name, found %r" % t.val, t)
            v = self.declarator(t, space, ty, align, vec)
            if self.accept("="):
                if space not in ("global", "const"):
                    self.err("only .global and .const variables may be initialised", t)
                # the name may appear in its own initialiser
                table.setdefault(v.name, v)
                v.init = self.initialiser()
                if v.unsized:
                    v.dims[0] = self.infer_dim(v)
                    v.size = self.dims_size(v)
                    v.unsized = False
            out.append(v)
            if not self.accept(","):
                break
        self.expect(";")
        return out

    def declarator(self, t, space, ty, align, vec):
        elem = TYPE_SIZE[ty]
        dims = []
        unsized = False
        while self.accept("["):
            if self.accept("]"):
                dims.append(0)
                unsized = True
            else:
                e = self.expr()
                if not isinstance(e, Imm):
                    self.err("array dimension is not an integer", t)
                dims.append(e.value)
                self.expect("]")
        v = Var(t.val, space, ty, align or elem * vec, 0, t.line)
        v.dims, v.vec, v.array = dims, vec, bool(dims)
        v.unsized = unsized
        v.size = self.dims_size(v)
        return v

    @staticmethod
    def dims_size(v):
        n = v.elem * v.vec
        for d in v.dims:
            n *= d
        return n

    @staticmethod
    def infer_dim(v):
        inner = v.vec
        for d in v.dims[1:]:
            inner *= d
        flat = v.init
        if any(isinstance(x, list) for x in flat):
            return len(flat)
        return (len(flat) + inner - 1) // inner

    def initialiser(self):
        """Nested Python lists of constants, or a single constant in a list."""
        if not self.at("{"):
            return [self.expr()]

        def braces():
            self.expect("{")
            out = []
            while not self.at("}"):
                # fast path for plain integers
                t = self.peek()
                if t.kind == "num" and self.toks[self.i + 1].val in (",", "}"):
                    self.i += 1
                    out.append(self.number(t))
                else:
                    out.append(braces() if self.at("{") else self.expr())
                if not self.accept(","):
                    break
            self.expect("}")
            return out
        return braces()

    # -- functions
    def param_list(self, scope):
        """`( .param ... name, ... )` -> [Var]"""
        out = []
        self.expect("(")
        while not self.at(")"):
            t = self.next()
            if t.val not in (".param", ".reg"):
                self.err("expected .param or .reg, found %r" % t.val, t)
            space = t.val[1:]
            align, ty, vec = None, None, 1
            ptr, pspace, palign = False, None, None
            while self.peek().kind == "dir":
                d = self.next()
                if d.val == ".align":
                    k = int(self.next().val)
                    if ptr:
                        palign = k
                    else:
                        align = k
                elif d.val == ".ptr":
                    ptr = True
                elif d.val in (".global", ".shared", ".local", ".const", ".param") and ptr:
                    pspace = d.val[1:]
                elif d.val in (".v2", ".v4"):
                    vec = int(d.val[2:])
                elif d.val[1:] in TYPE_SIZE:
                    ty = d.val[1:]
                elif d.val in (".texref", ".samplerref", ".surfref"):
                    ty = "b64"
                else:
                    self.err("unknown parameter modifier %s" % d.val, d)
            if ty is None:
                self.err("parameter without a type", t)
            t = self.next()
            if t.kind != "id":
                self.err("expected a parameter name", t)
            if t.val == "_" or scope is None:
                v = Var(t.val, space, ty, align or TYPE_SIZE[ty], 0, t.line)
                dims = []
                while self.accept("["):
                    dims.append(0 if self.at("]") else self.expr().value)
                    self.expect("]")
                v.dims, v.vec, v.array = dims, vec, bool(dims)
                v.size = self.dims_size(v)
            else:
                v = self.declarator(t, space, ty, align, vec)
            v.ptr, v.ptr_space, v.ptr_align = ptr, pspace, palign
            out.append(v)
            if not self.accept(","):
                break
        self.expect(")")
        return out

    def function(self, entry, extern):
        t0 = self.next()
        while self.peek().val == ".attribute":
            self.next()
            self.parens()
        fn = Function(None, entry, t0.line)
        self.fn = fn
        self.uid += 1
        scope = Scope(None, self.uid)
        if self.at("("):
            fn.rets = self.param_list(scope)
        nt = self.next()
        if nt.kind != "id":
            self.err("expected a function name, found %r" % nt.val, nt)
        fn.name = nt.val
        if self.at("("):
            fn.params = self.param_list(scope)
        for v in fn.rets + fn.params:
            v.func = fn
            if v.space == "reg":
                v.reg = self.new_reg(scope, v.name, v.type)
            else:
                scope.vars[v.name] = v
        while self.peek().kind == "dir":
            d = self.next().val
            if d not in FUNC_DIRECTIVES:
                self.err("unknown directive %s of a function" % d, self.toks[self.i - 1])
            vals = []
            while self.peek().kind in ("num", "str"):
                tok = self.next()
                vals.append(tok.val if tok.kind == "str" else self.number(tok).value)
                if not self.accept(","):
                    break
            fn.directives[d] = vals
            if d == ".noreturn":
                fn.noreturn = True
            if d == ".pragma":
                self.accept(";")
        if self.accept(";"):
            body = False
        else:
            body = True
        if body:
            start = self.peek().line
            self.expect("{")
            self.scope = scope
            fn.body = []
            self.body(fn)
            self.scope = None
            fn.text_lines = self.toks[self.i - 1].line - start
        old = self.mod.functions.get(fn.name)
        if old is None or old.body is None or body:
            if old is not None and old.body is not None and body:
                self.err("function %s defined twice" % fn.name, nt)
            self.mod.functions[fn.name] = fn
        self.fn = None

    def body(self, fn):
        """Statements up to the closing brace of the function."""
        depth = 0
        pending = []        # (scope, Sym) label uses to resolve at the end
        self.pending = pending
        while True:
            t = self.peek()
            if t.kind == "eof":
                self.err("unterminated function body")
            if t.kind == "p":
                if t.val == "{":
                    self.next()
                    self.uid += 1
                    self.scope = Scope(self.scope, self.uid)
                    depth += 1
                    continue
                if t.val == "}":
                    self.next()
                    if depth == 0:
                        break
                    depth -= 1
                    self.scope = self.scope.parent
                    continue
                if t.val == ";":
                    self.next()
                    continue
                if t.val == "@":
                    self.instruction(fn)
                    continue
                self.err("unexpected %r in a function body" % t.val)
            if t.kind == "dir":
                self.body_directive(fn, t)
                continue
            if t.kind == "id":
                if self.toks[self.i + 1].val == ":" and self.toks[self.i + 1].kind == "p":
                    self.label(fn)
                    continue
                self.instruction(fn)
                continue
            self.err("unexpected %r in a function body" % t.val)
        for scope, sym in pending:
            s = scope
            while s is not None:
                k = s.labels.get(sym.name)
                if k is not None:
                    sym.label = k
                    break
                s = s.parent

    def label(self, fn):
        t = self.next()
        self.next()
        key = (self.scope.uid, t.val)
        if t.val in self.scope.labels:
            self.err("label %s defined twice" % t.val, t)
        self.scope.labels[t.val] = key
        n = self.peek()
        if n.val == ".branchtargets":
            self.next()
            lst = []
            while not self.at(";"):
                s = Sym(self.next().val)
                self.pending.append((self.scope, s))
                lst.append(s)
                self.accept(",")
            self.expect(";")
            fn.branchtargets[key] = lst
        elif n.val == ".callprototype":
            self.next()
            rets = self.param_list(None) if self.at("(") else []
            nm = self.next()
            if nm.val != "_":
                self.err("expected _ in .callprototype", nm)
            params = self.param_list(None) if self.at("(") else []
            while not self.accept(";"):
                self.next()
            fn.prototypes[key] = (rets, params)
        elif n.val == ".calltargets":
            self.next()
            while not self.accept(";"):
                self.next()
            fn.prototypes[key] = None
        else:
            fn.body.append(Label(key, t.val, t.line))

    def body_directive(self, fn, t):
        d = t.val
        if d in (".loc", ".file"):
            self.skip_line(t.line)
        elif d == ".pragma":
            while not self.accept(";"):
                p = self.next()
                m = re.match(r'"\s*used_bytes_mask\s+(0[xX][0-9a-fA-F]+|\d+)', p.val)
                if p.kind == "str" and m:
                    self.used_mask = int(m.group(1), 0)
        elif d == ".section":
            self.next()
            self.next()
            self.skip_braces()
        elif d == ".reg":
            self.next()
            ty = None
            while self.peek().kind == "dir":
                x = self.next()
                if x.val[1:] in TYPE_SIZE:
                    ty = x.val[1:]
                elif x.val == ".align":
                    self.next()
                else:
                    self.err("register modifier %s is not supported" % x.val, x)
            if ty is None:
                self.err("register without a type", t)
            while True:
                n = self.next()
                if n.kind != "id":
                    self.err("expected a register name", n)
                if self.accept("<"):
                    cnt = self.expr(8).value
                    self.expect(">")
                    self.scope.ranges.append((n.val, cnt, ty))
                    fn.reg_decl[ty] = fn.reg_decl.get(ty, 0) + max(cnt - 1, 0)
                else:
                    self.new_reg(self.scope, n.val, ty)
                    fn.reg_decl[ty] = fn.reg_decl.get(ty, 0) + 1
                if not self.accept(","):
                    break
            self.expect(";")
        elif d in SPACES or d in (".extern", ".visible", ".weak", ".common"):
            ext = False
            while self.peek().val in (".extern", ".visible", ".weak", ".common"):
                ext = ext or self.peek().val == ".extern"
                self.next()
            for v in self.var_decl(self.scope.vars):
                v.extern = ext
                v.func = fn
                self.scope.vars[v.name] = v
                fn.vars.append(v)
        else:
            self.err("unknown directive %s in a function body" % d, t)

    def instruction(self, fn):
        t0 = self.peek()
        pred, neg = None, False
        if self.accept("@"):
            neg = self.accept("!")
            p = self.next()
            pred = self.name(p)
            if not isinstance(pred, Reg) or pred.type != "pred":
                self.err("guard %s is not a predicate register" % p.val, p)
        t = self.next()
        if t.kind != "id":
            self.err("expected an instruction, found %r" % t.val, t)
        op = t.val
        ops = []
        is_call = op == "call" or op.startswith("call.")
        if not self.at(";"):
            while True:
                if is_call and self.at("("):
                    self.next()
                    lst = []
                    while not self.at(")"):
                        lst.append(self.operand())
                        if not self.accept(","):
                            break
                    self.expect(")")
                    ops.append(Args(lst))
                else:
                    ops.append(self.operand())
                if not self.accept(","):
                    break
        end = self.peek()
        if end.val != ";":
            self.err("expected ; after an instruction, found %r" % end.val, end)
        self.next()
        if t0.line == end.line:
            text = self.mod.lines[t0.line - 1]
        else:
            text = " ".join(x.strip() for x in self.mod.lines[t0.line - 1:end.line])
        ins = Instr(op, ops, pred, neg, t0.line, text.strip()[:300])
        ins.used, self.used_mask = self.used_mask, None
        fn.body.append(ins)

    def operand(self):
        t = self.peek()
        if t.kind == "p":
            if t.val == "{":
                self.next()
                lst = []
                while not self.at("}"):
                    lst.append(self.operand())
                    if not self.accept(","):
                        break
                self.expect("}")
                return Vec(lst)
            if t.val == "[":
                self.next()
                base = None
                off = 0
                if self.peek().kind == "id":
                    b = self.name(self.next())
                    if isinstance(b, Sym):
                        self.pending.append((self.scope, b))
                    base = b
                    while self.peek().val in ("+", "-") and self.peek().kind == "p":
                        s = self.next().val
                        e = self.expr(10)
                        if not isinstance(e, Imm):
                            self.err("address offset is not an integer", t)
                        off += e.value if s == "+" else -e.value
                else:
                    e = self.expr()
                    if not isinstance(e, Imm):
                        self.err("bad address", t)
                    off = e.value
                if not self.at("]"):
                    self.err("address form not supported", t)
                self.next()
                return Addr(base, off)
            if t.val == "!":
                self.next()
                return Not(self.operand())
        e = self.expr()
        if isinstance(e, tuple):
            self.err("operator not allowed in an instruction operand", t)
        if isinstance(e, Sym):
            self.pending.append((self.scope, e))
        if self.at("|"):
            self.next()
            return Pair(e, self.operand())
        return e


def parse(text):
    return Parser(text).parse()
