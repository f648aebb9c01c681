# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classes of instructions; static and dynamic counts, memory traffic of a launch."""

import numpy as np

from .lower import is_warp_sync
from .softfp import u8
from .syntax import SReg, TYPE_SIZE

CLASSES = [
    "int add/sub/min/max", "int mul 32", "int mul 64", "int mad 32", "int mad 64",
    "int div/rem", "logic", "shift", "bit field/permute", "carry",
    "f32 add/sub", "f32 mul", "f32 fma", "f32 div/sqrt exact", "f32 min/max/abs/neg",
    "transcendental", "f64 arithmetic", "f16/bf16 arithmetic", "tensor",
    "compare", "select", "convert", "move", "address conversion", "special register",
    "branch", "barrier", "warp op", "atomic", "call/other",
]


def block_size(b):
    """Instructions of a block, counting the branch that ends it."""
    n = len(b.ops)
    t = b.term
    if t[0] == "cbra":
        n += t[5] is not None and t[5].base in ("bra",)
    elif t[0] == "fall":
        n += t[2] is not None
    elif t[0] in ("bar", "brx"):
        n += 1
    elif t[0] in ("exit", "trap"):
        n += t[1] is not None and t[1].text != "(end of kernel)"
    return n


def term_op(b):
    t = b.term
    k = t[0]
    if k == "cbra":
        return t[5] if t[5] is not None and t[5].base == "bra" else None
    if k == "fall":
        return t[2]
    if k == "bar":
        return t[2]
    if k == "brx":
        return t[3]
    if k in ("exit", "trap"):
        return t[1] if t[1] is not None and t[1].text != "(end of kernel)" else None
    return None


def mem_class(op):
    space, nv, w = "generic", 1, 4
    for m in op.mods:
        b = m.split("::")[0]
        if b in ("global", "shared", "local", "const", "param"):
            space = b
        elif m in ("v2", "v4", "v8"):
            nv = int(m[1:])
    ty = op.mods[-1]
    w = TYPE_SIZE.get(ty, 4)
    return "%s.%s %d-bit%s" % (op.base.replace("ldu", "ld"), space, 8 * w * nv,
                               " (v%d)" % nv if nv > 1 else "")


def classify(op):
    b, m = op.base, op.mods
    ty = m[-1] if m else ""
    if b in ("ld", "ldu", "st"):
        if m and m[0] == "paramreg":
            return "move"
        return mem_class(op)
    if b in ("atom", "red"):
        return "atomic"
    if b == "cp":
        return "ld.global async copy"
    if b in ("bra", "brx", "exit", "trap", "brkpt"):
        return "branch"
    if b in ("shfl", "vote", "match", "redux", "elect", "activemask") or is_warp_sync(b, m):
        return "tensor" if b in ("mma", "wmma", "ldmatrix", "stmatrix", "movmatrix") \
            else "warp op"
    if b in ("bar", "barrier"):
        return "barrier"
    if b in ("membar", "fence", "nanosleep", "griddepcontrol", "prefetch", "prefetchu"):
        return "barrier"
    if b == "mov":
        if any(isinstance(o, SReg) for o in op.ops):
            return "special register"
        return "move"
    if b in ("cvta", "isspacep"):
        return "address conversion"
    if b == "cvt":
        return "convert"
    if b in ("setp", "set", "testp"):
        return "compare"
    if b in ("selp", "slct"):
        return "select"
    if "cc" in m or b in ("addc", "subc", "madc"):
        return "carry"
    if b in ("and", "or", "xor", "not", "cnot", "lop3"):
        return "logic"
    if b in ("shl", "shr", "shf"):
        return "shift"
    if b in ("prmt", "bfe", "bfi", "bfind", "popc", "clz", "brev", "bmsk", "szext", "fns"):
        return "bit field/permute"
    if b in ("sin", "cos", "lg2", "ex2", "tanh", "rsqrt") or "approx" in m or "full" in m:
        return "transcendental"
    isf = ty in ("f32", "f64", "f16", "f16x2", "bf16", "bf16x2", "f32x2")
    if isf:
        if ty == "f64":
            return "f64 arithmetic"
        if ty in ("f16", "f16x2", "bf16", "bf16x2") and b not in ("rcp", "sqrt"):
            return "f16/bf16 arithmetic"
        return {"add": "f32 add/sub", "sub": "f32 add/sub", "mul": "f32 mul", "fma": "f32 fma",
                "mad": "f32 fma", "div": "f32 div/sqrt exact", "rcp": "f32 div/sqrt exact",
                "sqrt": "f32 div/sqrt exact", "min": "f32 min/max/abs/neg",
                "max": "f32 min/max/abs/neg", "abs": "f32 min/max/abs/neg",
                "neg": "f32 min/max/abs/neg", "copysign": "f32 min/max/abs/neg"}.get(
                    b, "call/other")
    if b == "mul" or b == "mul24":
        return "int mul 64" if TYPE_SIZE.get(ty) == 8 else "int mul 32"
    if b in ("mad", "mad24", "dp4a", "dp2a", "sad"):
        return "int mad 64" if TYPE_SIZE.get(ty) == 8 else "int mad 32"
    if b in ("div", "rem"):
        return "int div/rem"
    if b in ("add", "sub", "neg", "abs", "min", "max") or b.startswith("v"):
        return "int add/sub/min/max"
    return "call/other"


class StatsHook:
    """Counts warp-level requests and 32-byte sectors / shared-memory wavefronts."""

    def __init__(self):
        self.mem = {}      # (line, kind, space, size) -> [requests, threads, sectors|cycles]

    def start_batch(self, m, T):
        pass

    def end_batch(self, m, T):
        pass

    def block_sync(self, C):
        pass

    def warp_sync(self, C):
        pass

    def access(self, C, kind, space, addr, size, ln, vals=None):
        if space in ("param", "local"):
            return
        key = (ln, kind, space, size)
        e = self.mem.get(key)
        if e is None:
            e = self.mem[key] = [0, 0, 0]
        nw = C.nwarps()
        e[0] += nw
        e[1] += C.n
        if addr.size == 1:
            e[2] += nw
            return
        w = C.table("warp")
        if space == "shared":
            e[2] += bank_cycles(w, addr, size)
        else:
            e[2] += sectors(w, addr.astype(u8) >> u8(5))


def sectors(w, s):
    """Distinct (warp, sector) pairs."""
    key = (w.astype(u8) << u8(44)) | (s & u8((1 << 44) - 1))
    key = np.sort(key)
    return int(np.count_nonzero(key[1:] != key[:-1])) + 1


def bank_cycles(w, addr, size):
    """Shared-memory wavefronts: per warp, the largest number of distinct 4-byte
    words in one bank (wider accesses count as several passes of 128 bytes)."""
    a = addr.astype(u8)
    words = max(1, size // 4)
    # 8-byte accesses are served per half warp, 16-byte per quarter warp
    parts = {1: 1, 2: 2, 4: 4, 8: 8}.get(words, words)
    n = a.size
    lane_in = np.arange(n) - np.searchsorted(w, w, side="left")
    grp = w.astype(u8) * u8(parts) + (lane_in * parts // 32).astype(u8) \
        if parts > 1 else w.astype(u8)
    keys = []
    for k in range(words):
        keys.append((grp << u8(32)) | ((a >> u8(2)) + u8(k)))
    key = np.unique(np.concatenate(keys))
    g = key >> u8(32)
    bank = key & u8(31)
    gb = g * u8(32) + bank
    ub, cnt = np.unique(gb, return_counts=True)
    gg = ub >> u8(5)
    starts = np.flatnonzero(np.r_[True, gg[1:] != gg[:-1]])
    return int(np.maximum.reduceat(cnt, starts).sum())


class Stats:
    """The counts of one launch; `text()` prints them."""

    def __init__(self, kernel, m, hook):
        self.kernel = kernel
        self.threads = m.geo.T * m.geo.ncta
        self.warps = m.geo.wpc * m.geo.ncta
        self.static, self.dynamic, self.issued = {}, {}, {}
        for b, t, w in zip(m.blocks, m.exec_threads, m.exec_warps):
            ops = list(b.ops)
            x = term_op(b)
            if x is not None:
                ops.append(x)
            for o in ops:
                c = classify(o)
                self.static[c] = self.static.get(c, 0) + 1
                self.dynamic[c] = self.dynamic.get(c, 0) + t
                self.issued[c] = self.issued.get(c, 0) + w
        self.total_static = sum(self.static.values())
        self.total_dynamic = sum(self.dynamic.values())
        self.total_issued = sum(self.issued.values())
        self.per_thread = self.total_dynamic / max(1, self.threads)
        self.divergence = self.total_issued * 32 / max(1, self.total_dynamic)
        self.registers = dict(kernel.fn.reg_decl)
        self.local_bytes = kernel.layout["local_bytes"]
        self.static_shared = kernel.layout["static_bytes"]
        self.dynamic_shared = m.shared_bytes
        self.blocks = len(m.blocks)
        self.approx = sorted(kernel.code.approx_ops)
        self.contractible = kernel.code.contractible
        self.functions = sorted(kernel.low.functions - {kernel.name})
        self.memory = []
        self.traffic = {}
        for (ln, kind, space, size), (req, th, n) in sorted(hook.mem.items(),
                                                            key=lambda x: x[0][0]):
            if space == "shared":
                self.memory.append(dict(line=ln, op=kind, space=space, bytes=size, requests=req,
                                        threads=th, wavefronts=n, per_request=n / max(1, req)))
            else:
                eff = min(1.0, th * size / max(1, n * 32))
                self.memory.append(dict(line=ln, op=kind, space=space, bytes=size, requests=req,
                                        threads=th, sectors=n, per_request=n / max(1, req),
                                        efficiency=eff))
                t = self.traffic.setdefault((kind, space), [0, 0, 0])
                t[0] += req
                t[1] += th * size
                t[2] += n

    def text(self):
        o = []
        k = self.kernel
        o.append("kernel %s: %d threads in %d warps" % (k.name, self.threads, self.warps))
        o.append("registers declared: " + (", ".join(
            ".%s %d" % (t, n) for t, n in sorted(self.registers.items())) or "none") +
            "   (virtual registers; ptxas allocates the real ones)")
        o.append("shared memory: %d static + %d dynamic bytes   local memory: %d bytes/thread"
                 % (self.static_shared, self.dynamic_shared, self.local_bytes))
        if self.functions:
            o.append("device functions inlined for execution: " + ", ".join(self.functions))
        o.append("")
        o.append("%-32s %8s %16s %12s %14s" % ("class", "static", "dynamic", "per thread",
                                               "warp issues"))
        keys = sorted(self.static, key=lambda c: (
            CLASSES.index(c) if c in CLASSES else -1, c))
        for c in keys:
            o.append("%-32s %8d %16d %12.2f %14d" % (
                c, self.static[c], self.dynamic[c], self.dynamic[c] / self.threads,
                self.issued[c]))
        o.append("%-32s %8d %16d %12.2f %14d" % (
            "total", self.total_static, self.total_dynamic, self.per_thread, self.total_issued))
        o.append("")
        o.append("warp efficiency (active threads per issued warp instruction / 32): %.1f%%" % (
            100.0 * self.total_dynamic / max(1, 32 * self.total_issued)))
        if self.memory:
            o.append("")
            o.append("memory accesses (per PTX line; sectors are 32 bytes, counted once per "
                     "warp access)")
            o.append("%6s  %-14s %5s %12s %12s %10s  %s" % (
                "line", "access", "bytes", "requests", "sectors", "per req.", "efficiency"))
            for e in self.memory:
                if e["space"] == "shared":
                    o.append("%6d  %-14s %5d %12d %12d %10.2f  (wavefronts; 1 = no bank "
                             "conflict)" % (e["line"], e["op"] + ".shared", e["bytes"],
                                            e["requests"], e["wavefronts"], e["per_request"]))
                else:
                    o.append("%6d  %-14s %5d %12d %12d %10.2f  %5.1f%%" % (
                        e["line"], e["op"] + "." + e["space"], e["bytes"], e["requests"],
                        e["sectors"], e["per_request"], 100 * e["efficiency"]))
            for (kind, sp), (req, by, sec) in sorted(self.traffic.items()):
                o.append("total %s.%s: %d bytes wanted, %d sectors = %d bytes moved (%.1f%%)" % (
                    kind, sp, by, sec, sec * 32, 100.0 * min(1.0, by / max(1, sec * 32))))
        if self.approx:
            o.append("")
            o.append("approximate instructions (results here are the correctly rounded ones; "
                     "hardware may differ by a few ulp): " + ", ".join(self.approx))
        if self.contractible:
            o.append("%d static float add/sub/mul without a rounding modifier: ptxas may fuse "
                     "these into fma, which is not modelled" % self.contractible)
        return "\n".join(o)
