#===- emitter.py - Programs as MLIR ----------------------------------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Writes the modules of programs.py as text, and mains that run them."""
import programs as p
import streams

TYPES = {"v": "i64", "b": "i1", "n": "index"}
PRINTS = {"i8": "I8", "i32": "I32", "i64": "I64", "f16": "F16", "bf16": "BF16",
          "f32": "F32", "f64": "F64"}


def signed(x):
    x &= (1 << 64) - 1
    return x - (1 << 64) if x >> 63 else x


def i64s(names):
    return ", ".join(["i64"] * len(names))


def values(names):
    return ", ".join("%" + n for n in names)


def of_i64s(names):
    """`%a, %b : i64, i64`, or nothing."""
    return "%s : %s" % (values(names), i64s(names)) if names else ""


def draw_type(spec):
    if spec.kind == "scalar":
        return spec.elem
    extents = ["?" if d is None else str(d) for d in spec.shape]
    return "%s<%s>" % (spec.kind, "x".join(extents + [spec.elem]))


def memory_type(rank):
    return "memref<%s>" % "x".join([str(p.SIDES[rank])] * rank + ["i64"])


class Emitter:
    """Text of one program; its functions get `prefix`."""

    def __init__(self, batch, prefix):
        self.streams = {g.name: g.stream for g in batch.generators}
        self.prefix = prefix
        self.lines = []
        self.indent = 1
        self.temps = 0

    def put(self, text):
        self.lines.append("  " * self.indent + text)

    def temp(self):
        self.temps += 1
        return "%%t%d" % self.temps

    def const(self, value, type):
        t = self.temp()
        self.put("%s = arith.constant %s : %s" % (t, value, type))
        return t

    def put_region(self, body, terminator):
        self.indent += 1
        if isinstance(body, p.Block):
            for s in body.stmts:
                self.put_stmt(s)
            self.put((terminator + " " + of_i64s(body.yields)).rstrip())
        else:
            self.put_cfg(body, terminator)
        self.indent -= 1

    def put_cfg(self, cfg, terminator):
        for i, block in enumerate(cfg.blocks):
            if i:
                args = ", ".join("%%%s: i64" % a for a in block.args)
                self.indent -= 1
                self.put("^%s%s:" % (block.label,
                                     "(%s)" % args if args else ""))
                self.indent += 1
            for s in block.stmts:
                self.put_stmt(s)
            term = block.term
            if isinstance(term, p.Leave):
                self.put((terminator + " " + of_i64s(term.values)).rstrip())
            elif isinstance(term, p.Never):
                self.put("ub.unreachable")
            elif isinstance(term, p.Br):
                self.put("cf.br " + self.target(term.target, term.args))
            elif isinstance(term, p.CondBr):
                self.put("cf.cond_br %%%s, %s, %s" % (
                    term.cond, self.target(term.then_target, term.then_args),
                    self.target(term.else_target, term.else_args)))
            else:
                seven = self.const(7, "i64")
                masked = self.temp()
                self.put("%s = arith.andi %%%s, %s : i64" %
                         (masked, term.flag, seven))
                narrow = self.temp()
                self.put("%s = arith.trunci %s : i64 to i32" % (narrow, masked))
                self.put("cf.switch %s : i32, [" % narrow)
                targets = ["  default: " +
                           self.target(term.default, term.default_args)]
                targets += ["  %d: %s" % (value, self.target(label, args))
                            for value, label, args in term.cases]
                for i, t in enumerate(targets):
                    self.put(t + ("," if i + 1 < len(targets) else ""))
                self.put("]")

    def target(self, label, args):
        return "^" + label + ("(%s)" % of_i64s(args) if args else "")

    def function(self, f):
        self.temps = 0
        args = ", ".join("%%%s: i64" % a for a in f.args)
        results = ", ".join(["i64"] * f.num_results)
        self.put("func.func %s@%s%s(%s)%s {" % (
            "private " if f.private else "", self.prefix, f.name, args,
            " -> (%s)" % results if results else ""))
        self.put_region(f.body, "return")
        self.put("}")

    def program(self, program):
        for f in program.functions:
            self.function(f)
        return self.lines

    # Statements.

    def put_stmt(self, s):
        getattr(self, "put_" + type(s).__name__)(s)

    def results(self, names):
        return values(names) + " = " if names else ""

    def arrow(self, names):
        return " -> (%s)" % i64s(names) if names else ""

    def put_Const(self, s):
        value = signed(s.value) if s.var[0] == "v" else s.value
        if s.var[0] == "b":
            value = "true" if value else "false"
            self.put("%%%s = arith.constant %s" % (s.var, value))
        else:
            self.put("%%%s = arith.constant %s : %s" %
                     (s.var, value, TYPES[s.var[0]]))

    def put_Bin(self, s):
        self.put("%%%s = arith.%s %%%s, %%%s : i64" % (s.var, s.op, s.a, s.b))

    def put_Cmp(self, s):
        self.put("%%%s = arith.cmpi %s, %%%s, %%%s : i64" %
                 (s.var, s.pred, s.a, s.b))

    def put_And(self, s):
        self.put("%%%s = arith.andi %%%s, %%%s : i1" % (s.var, s.a, s.b))

    def put_ToIndex(self, s):
        mask = self.const(s.mask, "i64")
        add = self.const(s.add, "i64")
        low, sum = self.temp(), self.temp()
        self.put("%s = arith.andi %%%s, %s : i64" % (low, s.src, mask))
        self.put("%s = arith.addi %s, %s : i64" % (sum, low, add))
        self.put("%%%s = arith.index_cast %s : i64 to index" % (s.var, sum))

    def put_Print(self, s):
        self.put("vector.print %%%s : i64" % s.var)

    def put_draw(self, s, head, attributes=""):
        spec = s.spec
        if spec.params:
            type = "f64" if spec.elem == "f64" else "f32"
            params = ", ".join(self.const(repr(float(x)), type)
                               for x in spec.params)
            head += " %s(%s)" % ("prob" if spec.dist == "bernoulli" else
                                 "range", params)
        if s.sizes:
            head += " sizes(%s)" % values(s.sizes)
        type = draw_type(spec)
        width = p.WIDTHS[spec.elem]
        # What leads from the result to an i64, as right-hand sides.
        widen = []
        if "f" in spec.elem:
            widen.append("arith.bitcast {x} : %s to i%d" % (spec.elem, width))
        if width < 64 and not (s.picks and s.var[0] == "b"):
            widen.append("arith.extui {x} : i%d to i64" % width)
        is_direct = s.picks and spec.kind == "scalar" and not widen
        drawn = "%" + s.var if is_direct else self.temp()
        self.put("%s = %s%s : %s" % (drawn, head, attributes, type))
        total = None
        for i, pick in enumerate([] if is_direct else s.picks):
            steps = list(widen)
            if spec.kind == "vector":
                steps.insert(0, "vector.extract {x}[%s] : %s from %s" % (
                    ", ".join(map(str, pick)), spec.elem, type))
            elif spec.kind == "tensor":
                at = [self.const(k, "index") for k in pick]
                steps.insert(0, "tensor.extract {x}[%s] : %s" %
                             (", ".join(at), type))
            if total:
                k, product = self.const(31, "i64"), self.temp()
                self.put("%s = arith.muli %s, %s : i64" % (product, total, k))
                steps.append("arith.addi {x}, %s : i64" % product)
            total = drawn
            for j, step in enumerate(steps):
                is_last = (i, j) == (len(s.picks) - 1, len(steps) - 1)
                name = "%" + s.var if is_last else self.temp()
                self.put("%s = %s" % (name, step.format(x=total)))
                total = name
        if s.show:
            memory = type.replace("tensor", "memref")
            any = "memref<*x%s>" % spec.elem
            buffer, cast = self.temp(), self.temp()
            self.put("%s = bufferization.to_buffer %s read_only : %s to %s" %
                     (buffer, drawn, type, memory))
            self.put("%s = memref.cast %s : %s to %s" %
                     (cast, buffer, memory, any))
            self.put("func.call @rngPrintBits%s(%s) : (%s) -> ()" %
                     (PRINTS[spec.elem], cast, any))

    def put_Draw(self, s):
        self.put_draw(s, "rng." + s.spec.dist + (" @" + s.gen if s.gen else ""))

    def put_DrawAt(self, s):
        self.put_draw(s, "rng.stateless_%s %%%s, %%%s" %
                      (s.spec.dist, s.seed, s.offset), self.algorithm_of(s))

    def put_Advance(self, s):
        sizes = "(%s)" % values(s.sizes) if s.sizes else ""
        self.put("%%%s = rng.advance %%%s by %s %s%s%s" % (
            s.var, s.offset, s.spec.dist, draw_type(s.spec), sizes,
            self.algorithm_of(s)))

    def algorithm_of(self, s):
        algorithm = streams.attribute(self.streams[s.gen])
        return ("" if algorithm == "#rng.philox" else
                " {algorithm = %s}" % algorithm)

    def put_GetState(self, s):
        self.put("%%%s, %%%s = rng.get_state %s: i64, i64" %
                 (s.seed, s.offset, "@" + s.gen + " " if s.gen else ""))

    def put_SetState(self, s):
        self.put("rng.set_state %s%%%s, %%%s : i64, i64" %
                 ("@" + s.gen + ", " if s.gen else "", s.seed, s.offset))

    def put_Reserve(self, s):
        self.put("%%%s, %%%s = rng.reserve %s%%%s : i64, i64" %
                 (s.seed, s.offset, "@" + s.gen + ", " if s.gen else "",
                  s.blocks))

    def name_of(self, gen):
        t = self.temp()
        if gen:
            self.put("%s = llvm.mlir.addressof @name_%s : !llvm.ptr" % (t, gen))
        else:
            self.put("%s = llvm.mlir.zero : !llvm.ptr" % t)
        return t

    def put_ExternSeed(self, s):
        self.put("func.call @rngSeed(%s, %%%s) : (!llvm.ptr, i64) -> ()" %
                 (self.name_of(s.gen), s.seed))

    def put_ExternState(self, s):
        name = self.name_of(s.gen)
        two = self.const(2, "i32")
        buffer, second = self.temp(), self.temp()
        self.put("%s = llvm.alloca %s x i64 : (i32) -> !llvm.ptr" %
                 (buffer, two))
        self.put("func.call @rngGetTorchState(%s, %s) : "
                 "(!llvm.ptr, !llvm.ptr) -> ()" % (name, buffer))
        self.put("%s = llvm.getelementptr %s[1] : (!llvm.ptr) -> !llvm.ptr, i64"
                 % (second, buffer))
        self.put("%%%s = llvm.load %s : !llvm.ptr -> i64" % (s.seed, buffer))
        self.put("%%%s = llvm.load %s : !llvm.ptr -> i64" % (s.offset, second))

    def signature(self, s):
        return "(%s) -> %s" % (i64s(s.args), "i64" if len(s.results) == 1 else
                               "(%s)" % i64s(s.results))

    def put_Call(self, s):
        self.put("%sfunc.call @%s%s(%s) : %s" % (
            self.results(s.results), self.prefix, s.callee, values(s.args),
            self.signature(s)))

    def put_CallIndirect(self, s):
        signature = self.signature(s)
        names = []
        for callee in s.callees:
            names.append(self.temp())
            self.put("%s = func.constant @%s%s : %s" %
                     (names[-1], self.prefix, callee, signature))
        callee = self.temp()
        self.put("%s = arith.select %%%s, %s, %s : %s" %
                 (callee, s.cond, names[1], names[0], signature))
        self.put("%sfunc.call_indirect %s(%s) : %s" % (
            self.results(s.results), callee, values(s.args), signature))

    def put_If(self, s):
        self.put("%sscf.if %%%s%s {" % (self.results(s.results), s.cond,
                                        self.arrow(s.results)))
        self.put_branches(s, "scf.yield")

    def put_AffineIf(self, s):
        self.put("%saffine.if affine_set<(d0) : (d0 - %d >= 0)>(%%%s)%s {" % (
            self.results(s.results), s.least, s.index,
            self.arrow(s.results)))
        self.put_branches(s, "affine.yield")

    def put_branches(self, s, terminator):
        self.put_region(s.then, terminator)
        if s.orelse:
            self.put("} else {")
            self.put_region(s.orelse, terminator)
        self.put("}")

    def bound(self, x, type="index"):
        """An operand for a bound of a loop over `type`."""
        if isinstance(x, int):
            return self.const(x, type)
        if type == "index":
            return "%" + x
        t = self.temp()
        self.put("%s = arith.index_cast %%%s : index to %s" % (t, x, type))
        return t

    def affine(self, x, format="%{}"):
        return str(x) if isinstance(x, int) else format.format(x)

    def put_iv(self, iv, value, type):
        """i64 and index of an induction variable at the top of a body."""
        self.indent += 1
        if type == "index":
            self.put("%%%s = arith.index_cast %s : index to i64" % (iv, value))
        elif type == "i32":
            self.put("%%%s = arith.extsi %s : i32 to i64" % (iv, value))
            self.put("%%%s = arith.index_cast %s : i32 to index" %
                     (p.as_index(iv), value))
        else:
            self.put("%%%s = arith.index_cast %%%s : i64 to index" %
                     (p.as_index(iv), iv))
        self.indent -= 1

    def put_For(self, s):
        iters = ", ".join("%%%s = %%%s" % x for x in zip(s.iters, s.inits))
        if iters:
            iters = " iter_args(%s)%s" % (iters, self.arrow(s.iters))
        results = self.results(s.results)
        if s.flavor == "affine":
            # An operand alone would be a symbol; a dimension may be more.
            bound = "affine_map<(d0) -> (d0)>(%{})"
            self.put("%saffine.for %%%s = %s to %s%s%s {" % (
                results, p.as_index(s.iv), self.affine(s.lb, bound),
                self.affine(s.ub, bound),
                "" if s.step == 1 else " step %d" % s.step, iters))
            self.put_iv(s.iv, "%" + p.as_index(s.iv), "index")
            self.put_region(s.body, "affine.yield")
        else:
            type = "index" if s.flavor == "scf" else s.flavor
            lb, ub, step = (self.bound(x, type) for x in (s.lb, s.ub, s.step))
            iv = {"scf": "%" + p.as_index(s.iv), "i64": "%" + s.iv}
            iv = iv.get(s.flavor) or self.temp()
            self.put("%sscf.for %s = %s to %s step %s%s%s {" % (
                results, iv, lb, ub, step, iters,
                "" if type == "index" else " : " + type))
            self.put_iv(s.iv, iv, type)
            self.put_region(s.body, "scf.yield")
        self.put("}")

    def put_While(self, s):
        inits = ", ".join("%%%s = %%%s" % x
                          for x in zip(s.before_args, s.inits))
        self.put("%sscf.while (%s) : (%s) -> %s {" % (
            self.results(s.results), inits, i64s(s.inits),
            "(%s)" % i64s(s.results)))
        self.put_region(s.before, "scf.condition(%%%s)" % s.cond)
        self.put("} do {")
        self.put("^after(%s):" % ", ".join("%%%s: i64" % a
                                           for a in s.after_args))
        self.put_region(s.after, "scf.yield")
        self.put("}")

    def put_IndexSwitch(self, s):
        self.put("%sscf.index_switch %%%s%s" % (
            self.results(s.results), s.selector,
            " -> " + i64s(s.results) if s.results else ""))
        for value, body in s.cases:
            self.put("case %d {" % value)
            self.put_region(body, "scf.yield")
            self.put("}")
        self.put("default {")
        self.put_region(s.default, "scf.yield")
        self.put("}")

    def put_ExecuteRegion(self, s):
        self.put("%sscf.execute_region%s {" % (self.results(s.results),
                                               self.arrow(s.results)))
        self.put_region(s.body, "scf.yield")
        self.put("}")

    def put_Parallel(self, s):
        rank = len(s.lbs)
        type = memory_type(rank)
        if s.memory:
            zero = self.const(0, "i64")
            memory = self.temp()
            self.put("%s = memref.alloc() : %s" % (memory, type))
            self.put("linalg.fill ins(%s : i64) outs(%s : %s)" %
                     (zero, memory, type))
        ivs = values(map(p.as_index, s.ivs))
        if s.flavor == "affine.parallel":
            lbs, ubs = ([self.affine(x) for x in xs] for xs in (s.lbs, s.ubs))
            steps = [str(x) for x in s.steps]
        else:
            lbs, ubs, steps = ([self.bound(x) for x in xs]
                               for xs in (s.lbs, s.ubs, s.steps))
        lbs, ubs, steps = (", ".join(x) for x in (lbs, ubs, steps))
        head = "%s (%s) = (%s) to (%s) step (%s)" % (s.flavor, ivs, lbs, ubs,
                                                     steps)
        if s.reduction:
            if s.flavor == "scf.parallel":
                head += " init (%s) -> i64" % self.const(0, "i64")
            else:
                head += ' reduce ("addi") -> (i64)'
            head = "%%%s = " % s.reduction + head
        self.put(head + " {")
        for iv in s.ivs:
            self.put_iv(iv, "%" + p.as_index(iv), "index")
        self.indent += 1
        for stmt in s.body.stmts:
            self.put_stmt(stmt)
        (value,) = s.body.yields
        if s.memory:
            self.put("memref.store %%%s, %s[%s] : %s" %
                     (value, memory, ivs, type))
        if s.reduction and s.flavor == "scf.parallel":
            a, b, sum = self.temp(), self.temp(), self.temp()
            self.put("scf.reduce(%%%s : i64) {" % value)
            self.put("^reduce(%s: i64, %s: i64):" % (a, b))
            self.put("  %s = arith.addi %s, %s : i64" % (sum, a, b))
            self.put("  scf.reduce.return %s : i64" % sum)
            self.put("}")
        elif s.reduction:
            self.put("affine.yield %%%s : i64" % value)
        self.indent -= 1
        self.put("}")
        if s.memory:
            cast = self.temp()
            self.put("%s = memref.cast %s : %s to memref<*xi64>" %
                     (cast, memory, type))
            self.put("func.call @rngPrintBitsI64(%s) : (memref<*xi64>) -> ()" %
                     cast)


# ------------------------------------------------------------------- modules


def externs(batch):
    """The generators that external functions say they use."""
    return [g.name for g in batch.generators[:2]]


def module(batch):
    """The module of all programs, without @main."""
    default = batch.generators[0]
    algorithm = streams.attribute(default.stream)
    attributes = ("" if algorithm == "#rng.philox" else
                  " attributes {rng.default_algorithm = %s}" % algorithm)
    lines = ["module%s {" % attributes]
    for g in batch.generators[1:]:
        with_algorithm = ("algorithm = %s, " % streams.attribute(g.stream)
                          if g.declares_algorithm else "")
        lines.append("  rng.generator @%s {%sseed = %d : i64}" %
                     (g.name, with_algorithm, signed(g.seed)))
    stmts = p.statements(batch)
    draws = ", ".join("@" + g if g else "unit" for g in externs(batch))
    if any(isinstance(s, p.ExternSeed) for s in stmts):
        lines.append("  func.func private @rngSeed(!llvm.ptr, i64) "
                     "attributes {rng.draws = [%s]}" % draws)
    if any(isinstance(s, p.ExternState) for s in stmts):
        lines.append("  func.func private @rngGetTorchState(!llvm.ptr, "
                     "!llvm.ptr) attributes {rng.draws = [%s]}" % draws)
    named = {s.gen for s in stmts
             if isinstance(s, (p.ExternSeed, p.ExternState)) and s.gen}
    for g in sorted(named):
        lines.append('  llvm.mlir.global private constant @name_%s("%s\\00")' %
                     (g, g))
    shown = {s.spec.elem for s in stmts if getattr(s, "show", False)}
    if any(isinstance(s, p.Parallel) and s.memory for s in stmts):
        shown.add("i64")
    for elem in sorted(shown):
        lines.append("  func.func private @rngPrintBits%s(memref<*x%s>) "
                     "attributes {llvm.emit_c_interface}" %
                     (PRINTS[elem], elem))
    for program in batch.programs:
        lines.append("")
        lines += Emitter(batch, program.prefix()).program(program)
    return "\n".join(lines + ["}", ""])
