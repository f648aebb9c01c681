# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernel -> flat list of operations -> control-flow graph.

Device functions are inlined at every call (recursion is refused); their
`.param` variables become virtual registers where every access agrees on offset
and width, else per-thread local memory.  Blocks are numbered in a weak
topological order (loops contiguous), which the scheduler uses as priority:
running the lowest numbered block first makes diverged threads meet at the
earliest point where their paths join.
"""

from .errors import PtxError, UnknownInstruction
from .syntax import Addr, Args, FImm, Imm, Label, Not, Pair, Reg, SReg, Sink, Sym, TYPE_SIZE, Vec

# operations that need the threads of a warp together
def is_warp_sync(base, mods):
    if base in ("shfl", "vote", "match", "redux", "elect"):
        return "sync" in mods
    if base == "bar" and mods[:1] == ["warp"]:
        return True
    return base in ("mma", "ldmatrix", "stmatrix", "wmma", "movmatrix")


BARRIERS = ("bar", "barrier")


class Op:
    """One operation, its symbols resolved to registers and `Ref`s."""
    __slots__ = ("base", "mods", "ops", "pred", "neg", "line", "text", "fn", "key", "used")

    def __init__(self, base, mods, ops, pred=None, neg=False, line=None, text="", fn=None):
        self.base, self.mods, self.ops = base, mods, ops
        self.pred, self.neg, self.line, self.text, self.fn = pred, neg, line, text, fn
        self.used = None

    def __repr__(self):
        g = "" if self.pred is None else "@%s%r " % ("!" if self.neg else "", self.pred)
        return g + ".".join([self.base] + self.mods) + " " + ", ".join(map(repr, self.ops))


class Mark:
    """A label position."""
    __slots__ = ("key",)

    def __init__(self, key):
        self.key = key


class PObj:
    """Storage of a device-function .param variable (one call instance)."""
    __slots__ = ("size", "align", "name", "taken", "accs", "slots", "var", "parent")

    def __init__(self, size, align, name):
        self.size, self.align, self.name = size, align, name
        self.taken = False
        self.accs = []
        self.slots = None       # {offset: (Reg, width)} once promoted
        self.var = None         # LocalVar once placed in local memory


class LocalVar:
    """A variable in this kernel's per-thread local frame."""
    __slots__ = ("size", "align", "name", "off")

    def __init__(self, size, align, name):
        self.size, self.align, self.name, self.off = size, align, name, None


class Ref:
    """A resolved variable reference used as operand or address base.

    space: global const shared local kparam pobj func
    """
    __slots__ = ("space", "obj", "off")

    def __init__(self, space, obj, off):
        self.space, self.obj, self.off = space, obj, off

    def __repr__(self):
        return "&%s:%s%+d" % (self.space, getattr(self.obj, "name", self.obj), self.off)


class Inst:
    """One inlined instance of a function."""

    def __init__(self, fn, uid, regbase):
        self.fn, self.uid, self.regbase = fn, uid, regbase
        self.pobjs = {}         # Var -> PObj
        self.locals = {}        # Var -> LocalVar
        self.ret_label = None


MAX_INLINE_DEPTH = 64
MAX_OPS = 2_000_000


class Lowering:
    """Inlines the device functions of one kernel; `items` are its operations."""

    def __init__(self, module, kernel):
        self.mod = module            # runtime module (has .ast, addresses)
        self.ast = module.ast
        self.kernel = kernel
        self.items = []
        self.regs = []               # types of all virtual registers
        self.reg_names = []
        self.ninst = 0
        self.locals = []
        self.pobj_list = []
        self.shared = []             # static shared Vars in first-use order
        self.uses_dynamic_shared = False
        self.mlir_dynamic = False
        self.functions = set()
        self.cc = {}                 # inst uid -> carry register id
        self.stack = []
        fn = self.ast.functions[kernel]
        self.entry_fn = fn
        inst = self.new_inst(fn)
        self.expand(inst)
        self.emit(Op("exit", [], [], line=fn.line, text="(end of kernel)"))
        self.place_params()

    # -- helpers
    def err(self, ins, msg, cls=PtxError):
        raise cls(msg, ins.line, ins.text)

    def emit(self, op):
        self.items.append(op)
        if len(self.items) > MAX_OPS:
            raise PtxError("kernel %s is too large after inlining" % self.kernel)

    def new_reg(self, ty, name):
        self.regs.append(ty)
        self.reg_names.append(name)
        return Reg(len(self.regs) - 1, name, ty)

    def new_inst(self, fn):
        inst = Inst(fn, self.ninst, len(self.regs))
        self.ninst += 1
        self.functions.add(fn.name)
        for name, ty in fn.regs:
            self.regs.append(ty)
            self.reg_names.append(name)
        return inst

    def carry(self, inst):
        r = self.cc.get(inst.uid)
        if r is None:
            r = self.cc[inst.uid] = self.new_reg("pred", "CC.CF")
        return r

    def resolve(self, inst, sym, ins):
        """Sym -> Ref (or a label key for branch targets)."""
        var = sym.var
        if var is None:
            if sym.label is not None:
                return Ref("label", (inst.uid, sym.label), sym.off)
            name = self.ast.aliases.get(sym.name, sym.name)
            var = self.ast.vars.get(name)
            if var is None:
                f = self.ast.functions.get(name)
                if f is not None:
                    return Ref("func", f, sym.off)
                self.err(ins, "undefined symbol %s" % sym.name)
        if var.func is None:
            real = self.ast.vars.get(var.name, var)
            var = real
        sp = var.space
        if sp in ("global", "const"):
            if var.extern and var.init is None and self.ast.vars.get(var.name) is var \
                    and not self.mod.has_storage(var):
                self.err(ins, "extern variable %s has no definition" % var.name)
            return Ref(sp, var, sym.off)
        if sp == "shared":
            if var.unsized or var.extern:    # size given by the launch
                self.uses_dynamic_shared = True
                return Ref("dshared", var, sym.off)
            if var.name.startswith("__dynamic_shmem__") and not var.array and var.size == 1:
                # MLIR's gpu.dynamic_shared_memory: LLVM prints the zero-length array
                # as a one-byte variable
                self.uses_dynamic_shared = True
                self.mlir_dynamic = True
                return Ref("dshared", var, sym.off)
            if var not in self.shared:
                self.shared.append(var)
            return Ref("shared", var, sym.off)
        if sp == "local":
            owner = inst if var.func is not None else None
            lv = inst.locals.get(var) if owner else self.module_local(var)
            if lv is None:
                lv = LocalVar(var.size, max(var.align, 1), var.name)
                inst.locals[var] = lv
                self.locals.append(lv)
            return Ref("local", lv, sym.off)
        if sp == "param":
            if var.func is not None and var.func.entry and var in var.func.params:
                return Ref("kparam", var, sym.off)
            po = inst.pobjs.get(var)
            if po is None:
                po = PObj(var.size, var.align, var.name)
                inst.pobjs[var] = po
                self.pobj_list.append(po)
            return Ref("pobj", po, sym.off)
        self.err(ins, "variable %s in state space %s is not supported" % (var.name, sp))

    def module_local(self, var):
        for lv in self.locals:
            if lv.name == "module:" + var.name:
                return lv
        lv = LocalVar(var.size, max(var.align, 1), "module:" + var.name)
        self.locals.append(lv)
        return lv

    def operand(self, inst, o, ins):
        if isinstance(o, Reg):
            return Reg(o.id + inst.regbase, o.name, o.type)
        if isinstance(o, (Imm, FImm, SReg, Sink)):
            return o
        if isinstance(o, Sym):
            r = self.resolve(inst, o, ins)
            if r.space == "pobj":
                r.obj.taken = True
            return r
        if isinstance(o, Vec):
            return Vec([self.operand(inst, e, ins) for e in o.elems])
        if isinstance(o, Addr):
            if isinstance(o.base, Sym):
                r = self.resolve(inst, o.base, ins)
                r.off += o.off
                return Addr(r, 0)
            b = None if o.base is None else self.operand(inst, o.base, ins)
            return Addr(b, o.off)
        if isinstance(o, Not):
            return Not(self.operand(inst, o.op, ins))
        if isinstance(o, Pair):
            return Pair(self.operand(inst, o.a, ins), self.operand(inst, o.b, ins))
        if isinstance(o, Args):
            return Args([self.operand(inst, e, ins) for e in o.elems])
        self.err(ins, "operand %r not supported" % (o,))

    # -- expansion
    def expand(self, inst):
        fn = inst.fn
        if fn.name in self.stack:
            raise UnknownInstruction("recursive call of %s: recursion is not supported"
                                     % fn.name, fn.line)
        if len(self.stack) > MAX_INLINE_DEPTH:
            raise UnknownInstruction("calls nested too deeply")
        self.stack.append(fn.name)
        for it in fn.body:
            if isinstance(it, Label):
                self.emit(Mark((inst.uid, it.key)))
                continue
            parts = it.op.split(".")
            base, mods = parts[0], parts[1:]
            pred = None
            if it.pred is not None:
                pred = Reg(it.pred.id + inst.regbase, it.pred.name, it.pred.type)
            if base == "call":
                self.call(inst, it, pred)
                continue
            if base == "ret":
                if inst.ret_label is None:
                    self.emit(Op("exit", [], [], pred, it.neg, it.line, it.text, fn))
                else:
                    self.emit(Op("bra", [], [Ref("label", inst.ret_label, 0)], pred, it.neg,
                                 it.line, it.text, fn))
                continue
            if base == "brx":
                t = it.ops[1]
                tl = fn.branchtargets.get(t.label) if isinstance(t, Sym) else None
                if tl is None:
                    self.err(it, "brx.idx needs a .branchtargets label")
                ops = [self.operand(inst, it.ops[0], it),
                       [self.resolve(inst, s, it) for s in tl]]
                self.emit(Op("brx", mods, ops, pred, it.neg, it.line, it.text, fn))
                continue
            ops = [self.operand(inst, o, it) for o in it.ops]
            op = Op(base, mods, ops, pred, it.neg, it.line, it.text, fn)
            op.key = inst.uid
            op.used = it.used
            if base in ("ld", "st") and "param" in [m.split("::")[0] for m in mods]:
                a = ops[1] if base == "ld" else ops[0]
                if isinstance(a, Addr) and isinstance(a.base, Ref) and a.base.space == "pobj":
                    a.base.obj.accs.append(op)
            elif any(isinstance(o, Addr) and isinstance(o.base, Ref)
                     and o.base.space == "pobj" for o in ops):
                for o in ops:
                    if isinstance(o, Addr) and isinstance(o.base, Ref) \
                            and o.base.space == "pobj":
                        o.base.obj.taken = True
            if "cc" in mods or base in ("addc", "subc", "madc"):
                op.ops = op.ops + [self.carry(inst)]
            self.emit(op)
        # falling off the end of a function acts as ret
        if inst.ret_label is not None:
            self.emit(Op("bra", [], [Ref("label", inst.ret_label, 0)], None, False, fn.line,
                         "(end of function %s)" % fn.name, fn))
        self.stack.pop()

    def call(self, inst, it, pred):
        ops = list(it.ops)
        rets, params = [], []
        if ops and isinstance(ops[0], Args):
            rets = ops.pop(0).elems
        if not ops:
            self.err(it, "call without a target")
        target = ops.pop(0)
        if ops and isinstance(ops[0], Args):
            params = ops.pop(0).elems
        proto = ops.pop(0) if ops else None
        skip = None
        if pred is not None:
            self.ninst += 1
            skip = (self.ninst, "skipcall")
            self.emit(Op("bra", [], [Ref("label", skip, 0)], pred, not it.neg, it.line,
                         it.text, inst.fn))
        if isinstance(target, Sym):
            name = self.ast.aliases.get(target.name, target.name)
            fn = self.ast.functions.get(name)
            if fn is None:
                self.err(it, "call of undefined function %s" % target.name)
            self.call_direct(inst, it, fn, rets, params)
        elif isinstance(target, Reg):
            self.call_indirect(inst, it, target, rets, params, proto)
        else:
            self.err(it, "bad call target")
        if skip is not None:
            self.emit(Mark(skip))

    def actual(self, inst, o, formal, it, is_ret):
        """PObj holding the actual argument `o` (creating a temporary for registers)."""
        if isinstance(o, Sym):
            r = self.resolve(inst, o, it)
            if r.space == "pobj" and r.off == 0:
                return r.obj, None
            if r.space == "kparam":
                self.err(it, "kernel parameter passed by name is not supported")
            if r.space == "pobj":
                self.err(it, "offset in a call argument is not supported")
        ro = self.operand(inst, o, it)
        po = PObj(formal.size, formal.align, "(argument)")
        self.pobj_list.append(po)
        return po, ro

    def call_direct(self, inst, it, fn, rets, params):
        if len(rets) != len(fn.rets) or len(params) != len(fn.params):
            self.err(it, "call of %s with %d+%d arguments, it has %d+%d" % (
                fn.name, len(rets), len(params), len(fn.rets), len(fn.params)))
        if fn.body is None:
            self.builtin(inst, it, fn, rets, params)
            return
        ci = self.new_inst(fn)
        ci.ret_label = ("ret", ci.uid)
        for o, f in zip(params, fn.params):
            if f.space == "reg":
                dst = Reg(f.reg.id + ci.regbase, f.name, f.type)
                src = self.operand_value(inst, o, it)
                self.emit(Op("mov", ["b%d" % (8 * TYPE_SIZE[f.type])], [dst, src], None,
                             False, it.line, it.text, inst.fn))
                continue
            po, ro = self.actual(inst, o, f, it, False)
            if po.size != f.size:
                self.err(it, "argument %s of %s has %d bytes, %d were passed" % (
                    f.name, fn.name, f.size, po.size))
            if ro is not None:
                st = Op("st", ["param", "b%d" % (8 * f.size)],
                        [Addr(Ref("pobj", po, 0), 0), ro], None, False, it.line, it.text,
                        inst.fn)
                po.accs.append(st)
                self.emit(st)
            ci.pobjs[f] = po
        after = []
        for o, f in zip(rets, fn.rets):
            if f.space == "reg":
                after.append((o, f))
                continue
            po, ro = self.actual(inst, o, f, it, True)
            if po.size != f.size:
                self.err(it, "return value of %s has %d bytes, %d were expected" % (
                    fn.name, f.size, po.size))
            ci.pobjs[f] = po
            if ro is not None:
                after.append((po, ro, f))
        self.expand(ci)
        self.emit(Mark(ci.ret_label))
        for x in after:
            if len(x) == 2:
                o, f = x
                dst = self.operand(inst, o, it)
                src = Reg(f.reg.id + ci.regbase, f.name, f.type)
                self.emit(Op("mov", ["b%d" % (8 * TYPE_SIZE[f.type])], [dst, src], None,
                             False, it.line, it.text, inst.fn))
            else:
                po, ro, f = x
                ld = Op("ld", ["param", "b%d" % (8 * f.size)],
                        [ro, Addr(Ref("pobj", po, 0), 0)], None, False, it.line, it.text,
                        inst.fn)
                po.accs.append(ld)
                self.emit(ld)

    def operand_value(self, inst, o, it):
        if isinstance(o, Sym):
            self.err(it, "a .param variable passed to a .reg parameter is not supported")
        return self.operand(inst, o, it)

    def call_indirect(self, inst, it, target, rets, params, proto):
        """Compare the function pointer with every address-taken candidate."""
        treg = self.operand(inst, target, it)
        cands = []
        for f in self.ast.functions.values():
            if f.body is None or f.entry or f.name not in self.mod.func_taken:
                continue
            if len(f.params) != len(params) or len(f.rets) != len(rets):
                continue
            cands.append(f)
        self.ninst += 1
        uid = self.ninst
        done = (uid, "icall_done")
        for f in cands:
            if not self.compatible(inst, f, rets, params, it):
                continue
            nxt = (uid, "icall_%s" % f.name)
            p = self.new_reg("pred", "%icall")
            self.emit(Op("setp", ["ne", "b64"], [p, treg, Ref("func", f, 0)], None, False,
                         it.line, it.text, inst.fn))
            self.emit(Op("bra", [], [Ref("label", nxt, 0)], p, False, it.line, it.text,
                         inst.fn))
            self.call_direct(inst, it, f, rets, params)
            self.emit(Op("bra", [], [Ref("label", done, 0)], None, False, it.line, it.text,
                         inst.fn))
            self.emit(Mark(nxt))
        self.emit(Op("trap", ["badcall"], [], None, False, it.line, it.text, inst.fn))
        self.emit(Mark(done))

    def compatible(self, inst, f, rets, params, it):
        for o, v in list(zip(rets, f.rets)) + list(zip(params, f.params)):
            if isinstance(o, Sym):
                r = self.resolve(inst, o, it)
                if r.space != "pobj" or v.space != "param" or r.obj.size != v.size:
                    return False
            elif isinstance(o, Reg):
                if TYPE_SIZE[o.type] != v.size:
                    return False
        return True

    BUILTINS = ("vprintf", "__assertfail", "malloc", "free")

    def builtin(self, inst, it, fn, rets, params):
        if fn.name not in ("vprintf", "__assertfail"):
            self.err(it, "call of %s, which has no body" % fn.name, UnknownInstruction)
        args = []
        for o in params:
            r = self.resolve(inst, o, it) if isinstance(o, Sym) else None
            if r is None or r.space != "pobj":
                self.err(it, "argument form of %s not supported" % fn.name)
            t = self.new_reg("b%d" % (8 * r.obj.size), "%barg")
            ld = Op("ld", ["param", "b%d" % (8 * r.obj.size)],
                    [t, Addr(Ref("pobj", r.obj, 0), 0)], None, False, it.line, it.text, inst.fn)
            r.obj.accs.append(ld)
            self.emit(ld)
            args.append(t)
        out = []
        for o in rets:
            out.append(self.new_reg("b32", "%bret"))
        self.emit(Op("builtin", [fn.name], out + args, None, False, it.line, it.text, inst.fn))
        for o, t in zip(rets, out):
            r = self.resolve(inst, o, it)
            st = Op("st", ["param", "b32"], [Addr(Ref("pobj", r.obj, 0), 0), t], None, False,
                    it.line, it.text, inst.fn)
            r.obj.accs.append(st)
            self.emit(st)

    # -- .param variables of device functions
    def place_params(self):
        for po in self.pobj_list:
            if not po.accs and not po.taken:
                continue
            if not po.taken and self.promote(po):
                continue
            lv = LocalVar(po.size, max(po.align, 1), po.name)
            self.locals.append(lv)
            po.var = lv
        for it in self.items:
            if isinstance(it, Mark):
                continue
            self.fix_op(it)

    @staticmethod
    def access(op):
        """(offset, element width, count) of an ld/st.param op."""
        a = op.ops[1] if op.base == "ld" else op.ops[0]
        n = 1
        for m in op.mods:
            if m in ("v2", "v4", "v8"):
                n = int(m[1:])
        w = TYPE_SIZE.get(op.mods[-1])
        return a.base.off, w, n

    def promote(self, po):
        widths = {}
        for op in po.accs:
            off, w, n = self.access(op)
            if w is None or w > 8:
                return False
            for i in range(n):
                o = off + i * w
                if o < 0 or o + w > po.size:
                    self.err(op, "access outside parameter %s (%d bytes)" % (po.name, po.size))
                if widths.setdefault(o, w) != w:
                    return False
        last = 0
        for o in sorted(widths):
            if o < last:
                return False
            last = o + widths[o]
        po.slots = {o: self.new_reg("b%d" % (8 * w), "%%%s+%d" % (po.name, o))
                    for o, w in widths.items()}
        return True

    def fix_op(self, op):
        if op.base in ("ld", "st"):
            i = 1 if op.base == "ld" else 0
            a = op.ops[i] if len(op.ops) > i else None
            if isinstance(a, Addr) and isinstance(a.base, Ref) and a.base.space == "pobj":
                po = a.base.obj
                if po.slots is not None:
                    off, w, n = self.access(op)
                    regs = [po.slots[off + k * w] for k in range(n)]
                    op.ops = list(op.ops)
                    op.ops[i] = Vec(regs)
                    op.mods = ["paramreg"] + op.mods
                else:
                    a.base = Ref("local", po.var, a.base.off)
                    op.mods = ["local" if m.split("::")[0] == "param" else m for m in op.mods]
                return
        for o in op.ops if isinstance(op.ops, list) else []:
            self.fix_operand(o)

    def fix_operand(self, o):
        if isinstance(o, Ref):
            if o.space == "pobj":
                o.space, o.obj = "local", o.obj.var
        elif isinstance(o, Addr):
            self.fix_operand(o.base)
        elif isinstance(o, Vec):
            for e in o.elems:
                self.fix_operand(e)


# --- control-flow graph -------------------------------------------------------

class Block:
    """One basic block: operations and a terminator."""
    __slots__ = ("id", "ops", "term", "succ", "sync", "labels", "loads", "defs", "live_in",
                 "live_out", "fn", "nops", "order", "use", "line", "src", "classes")

    def __init__(self, id):
        self.id = id
        self.ops = []
        self.term = None
        self.succ = []
        self.sync = None
        self.labels = []


def build_cfg(low):
    """-> (list of Blocks in scheduling order, unreachable Blocks); block 0 is the
    entry."""
    items = low.items
    targets = set()
    for it in items:
        if isinstance(it, Op):
            if it.base == "bra":
                if not (it.ops and isinstance(it.ops[0], Ref) and it.ops[0].space == "label"):
                    low.err(it, "bra to an unknown label")
                targets.add(it.ops[0].obj)
            elif it.base == "brx":
                for r in it.ops[1]:
                    if r.space != "label":
                        low.err(it, "brx.idx target is not a label")
                    targets.add(r.obj)
    blocks = []
    where = {}

    def new():
        b = Block(len(blocks))
        blocks.append(b)
        return b

    cur = new()

    def fallthrough():
        nonlocal cur
        nxt = new()
        if cur.term is None:
            cur.term = ("fall", nxt.id)
        cur = nxt
        return nxt

    for it in items:
        if isinstance(it, Mark):
            if it.key in targets:
                where[it.key] = fallthrough().id
            continue
        if cur.term is not None:
            # code after an unconditional transfer without a label: unreachable
            fallthrough()
        base = it.base
        if base == "bra":
            bad = [m for m in it.mods if m != "uni"]
            if bad:
                low.err(it, "unknown modifier of bra", UnknownInstruction)
            if it.pred is None:
                cur.term = ("bra", it.ops[0].obj, it)
            else:
                c = cur
                n = new()
                c.term = ("cbra", it.pred, it.neg, it.ops[0].obj, n.id, it)
                cur = n
            continue
        if base == "brx":
            if it.mods[:1] != ["idx"] or [m for m in it.mods[1:] if m != "uni"]:
                low.err(it, "unknown form of brx", UnknownInstruction)
            if it.pred is not None:
                c = cur
                a, n = new(), new()
                c.term = ("cbra2", it.pred, it.neg, a.id, n.id, it)
                a.term = ("brx", it.ops[0], [r.obj for r in it.ops[1]], it)
                cur = n
            else:
                cur.term = ("brx", it.ops[0], [r.obj for r in it.ops[1]], it)
            continue
        is_bar = base in BARRIERS and not is_warp_sync(base, it.mods)
        sync = is_warp_sync(base, it.mods)
        if base in ("exit", "trap", "brkpt") or is_bar or sync or base == "builtin":
            if it.pred is not None and base == "exit":
                c = cur
                n = new()
                e = new()
                c.term = ("cbra2", it.pred, it.neg, e.id, n.id, it)
                e.term = ("exit", it)
                cur = n
                continue
            skip = None
            if it.pred is not None:
                c = cur
                a = new()
                c.term = None
                skip = ("cbra2", it.pred, it.neg, a.id, None, it)
                holder = c
                cur = a
            if base == "exit":
                cur.term = ("exit", it)
            elif base in ("trap", "brkpt"):
                cur.term = ("trap", it)
            elif is_bar:
                n = new()
                cur.term = ("bar", n.id, it)
                cur = n
            elif sync:
                if cur.ops or cur.labels or cur.sync or skip is None:
                    # the operation must start its block
                    n = new()
                    if cur.term is None:
                        cur.term = ("fall", n.id)
                    cur = n
                cur.sync = it
                cur.ops.append(it)
            else:
                cur.ops.append(it)
            if skip is not None:
                n = new()
                if cur.term is None:
                    cur.term = ("fall", n.id)
                holder.term = ("cbra2", it.pred, it.neg, a.id, n.id, it)
                it.pred = None
                cur = n
            continue
        cur.ops.append(it)
    if cur.term is None:
        cur.term = ("exit", None)

    def lab(key, it):
        if key not in where:
            low.err(it, "branch to an undefined label %s" % (key[1],))
        return where[key]

    for b in blocks:
        t = b.term
        k = t[0]
        if k == "bra":
            b.term = ("fall", lab(t[1], t[2]), t[2])
            b.succ = [b.term[1]]
        elif k == "cbra":
            b.term = ("cbra", t[1], t[2], lab(t[3], t[5]), t[4], t[5])
            b.succ = [b.term[3], b.term[4]]
        elif k == "cbra2":
            b.term = ("cbra", t[1], t[2], t[3], t[4], t[5])
            b.succ = [t[3], t[4]]
        elif k == "brx":
            b.term = ("brx", t[1], [lab(x, t[3]) for x in t[2]], t[3])
            b.succ = list(dict.fromkeys(b.term[2]))
        elif k == "fall":
            if len(t) == 2:
                b.term = ("fall", t[1], None)
            b.succ = [t[1]]
        elif k == "bar":
            b.succ = [t[1]]
        else:
            b.succ = []
    # drop unreachable blocks, thread empty ones
    return order_blocks(blocks)


def order_blocks(blocks):
    # forward jumps through empty blocks
    def skip_empty(i):
        seen = set()
        while True:
            b = blocks[i]
            if b.ops or b.term[0] != "fall" or i in seen or i == 0:
                return i
            # a real `bra` instruction in an otherwise empty block is kept so
            # that instruction counts stay right
            if b.term[2] is not None:
                return i
            seen.add(i)
            i = b.term[1]

    for b in blocks:
        t = b.term
        if t[0] == "fall":
            b.term = ("fall", skip_empty(t[1]), t[2])
            b.succ = [b.term[1]]
        elif t[0] == "cbra":
            b.term = ("cbra", t[1], t[2], skip_empty(t[3]), skip_empty(t[4]), t[5])
            b.succ = [b.term[3], b.term[4]]
        elif t[0] == "brx":
            b.term = ("brx", t[1], [skip_empty(x) for x in t[2]], t[3])
            b.succ = list(dict.fromkeys(b.term[2]))
        elif t[0] == "bar":
            b.term = ("bar", skip_empty(t[1]), t[2])
            b.succ = [b.term[1]]
    reach = set()
    work = [0]
    while work:
        i = work.pop()
        if i in reach:
            continue
        reach.add(i)
        work.extend(blocks[i].succ)
    order = wto(blocks, reach)
    num = {old: new for new, old in enumerate(order)}
    out = []
    for old in order:
        b = blocks[old]
        t = b.term
        if t[0] == "fall":
            b.term = ("fall", num[t[1]], t[2])
        elif t[0] == "cbra":
            b.term = ("cbra", t[1], t[2], num[t[3]], num[t[4]], t[5])
        elif t[0] == "brx":
            b.term = ("brx", t[1], [num[x] for x in t[2]], t[3])
        elif t[0] == "bar":
            b.term = ("bar", num[t[1]], t[2])
        b.succ = [num[x] for x in b.succ]
        b.id = num[old]
        out.append(b)
    # unreachable blocks are not executed but still checked
    kept = set(out)
    return out, [b for b in blocks if b not in kept]


def wto(blocks, nodes):
    """Weak topological order: strongly connected components in topological
    order, each component's header first, the rest ordered recursively without
    the edges back to the header."""
    order = []
    # explicit work list of (node set, entry) to avoid Python recursion limits
    stack = [("comp", frozenset(nodes), 0)]
    while stack:
        kind, ns, head = stack.pop()
        if kind == "emit":
            order.append(head)
            continue
        comps = sccs(blocks, ns, head)          # in topological order
        todo = []
        for comp, entry in comps:
            if len(comp) == 1:
                todo.append(("emit", None, entry))
            else:
                todo.append(("emit", None, entry))
                rest = comp - {entry}
                todo.append(("comp", frozenset(rest), None))
        stack.extend(reversed(todo))
    return order


def sccs(blocks, ns, start):
    """Tarjan (iterative) on the subgraph `ns`.  -> [(set, entry)] topologically."""
    index, low = {}, {}
    onstack = set()
    st = []
    comps = []
    counter = 0
    # roots: the start, then remaining nodes in index order
    roots = ([start] if start is not None else []) + sorted(ns)
    for root in roots:
        if root in index or root not in ns:
            continue
        work = [(root, iter(blocks[root].succ))]
        index[root] = low[root] = counter
        counter += 1
        st.append(root)
        onstack.add(root)
        while work:
            v, itr = work[-1]
            adv = False
            for w in itr:
                if w not in ns:
                    continue
                if w not in index:
                    index[w] = low[w] = counter
                    counter += 1
                    st.append(w)
                    onstack.add(w)
                    work.append((w, iter(blocks[w].succ)))
                    adv = True
                    break
                elif w in onstack:
                    low[v] = min(low[v], index[w])
            if adv:
                continue
            work.pop()
            if work:
                u = work[-1][0]
                low[u] = min(low[u], low[v])
            if low[v] == index[v]:
                comp = set()
                while True:
                    w = st.pop()
                    onstack.discard(w)
                    comp.add(w)
                    if w == v:
                        break
                # entry: the node of the component reached first
                comps.append((comp, v))
    comps.reverse()
    return comps
