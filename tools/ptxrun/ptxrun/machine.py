# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One kernel launch: batches, groups of threads, barriers.

Threads are grouped in batches of whole thread blocks (CTAs).  Inside a batch,
threads at the same program point form one group with dense register arrays; a
divergent branch splits the group, and groups that wait at the same basic block
merge when that basic block is scheduled.  The runnable basic block with the
lowest number (weak topological order) always runs first.
"""

import time

import numpy as np

from .errors import Deadlock, Divergence, ExecutionError, PtxError, Timeout, Trap
from .builtins import Builtins
from .memory import IDS, ID_LOCAL, ID_PARAM, ID_SHARED, Memory, Window
from .rt import UT
from .softfp import K, f4, i4, i8, u1, u4, u8
from .syntax import Imm, Reg
from .threads import Ctx, Geometry, Tables
from .warpops import WarpOps

FAIR_AFTER = 20000        # block steps before waiting groups get a turn
FAIR_TURN = 512
MAX_BATCH_BYTES = 128 << 20

POISON = {1: 0xAD, 2: 0xFEAD, 4: 0xFFBADBAD, 8: 0xFFFBADBADBADBAD0}


class Machine(WarpOps, Builtins, Memory):
    """One launch.  Generated code calls its parts; `run` executes all batches."""

    def __init__(self, kernel, grid, block, params, shared_bytes, opts):
        super().__init__()
        self.kernel = kernel
        self.code = kernel.code
        self.blocks = self.code.blocks
        self.fns = self.code.fns
        self.info = kernel.module.line_text
        self.geo = Geometry(grid, block)
        self.params = params
        self._pcache = {}
        self.opts = opts
        self.warnings = {}
        self.printf = []
        self.echo = opts.get("echo_printf", False)
        self.allow_uninit = frozenset(opts.get("allow_uninit") or ())
        self.approx_ulp = int(opts.get("approx_ulp") or 0)
        self._noise = 0x2545F491
        self.nreg = len(kernel.low.regs)
        self.live = [tuple(sorted(b.live_in)) for b in self.blocks]
        self.steps = 0
        self.timeout = opts.get("timeout_s")
        self.exec_threads = [0] * len(self.blocks)
        self.exec_warps = [0] * len(self.blocks)
        self.count_warps = bool(opts.get("stats"))
        self.shared_bytes = shared_bytes
        self.tables = {}
        self.entry_regs = kernel.entry_regs()
        layout = kernel.layout
        self.shared_win = layout["shared_win"]
        if kernel.low.uses_dynamic_shared or shared_bytes:
            w = Window()
            w.starts, w.ends, w.names = (list(self.shared_win.starts),
                                         list(self.shared_win.ends),
                                         list(self.shared_win.names))
            if shared_bytes:
                w.add(layout["dshared"], layout["dshared"] + shared_bytes,
                      "dynamic shared memory")
            w.size = max(layout["dshared"] + shared_bytes, self.shared_win.size)
            self.shared_win = w
        if kernel.low.mlir_dynamic and kernel.low.shared:
            self.warn(None, "__dynamic_shmem__ is declared as one byte beside other static "
                      "shared variables: treated as dynamic shared memory here, but ptxas may "
                      "let it overlap them")
        self.local_win = layout["local_win"]
        self.K_poison = {w: K(UT[w], v) for w, v in POISON.items()}

    # -- small services used by generated code
    def warn(self, ln, msg):
        key = (ln, msg)
        self.warnings[key] = self.warnings.get(key, 0) + 1

    def param(self, off, w):
        a = self._pcache.get((off, w))
        if a is None:
            a = np.frombuffer(self.params, UT[w], 1, off)
            self._pcache[(off, w)] = a
        return a

    def special(self, name):
        if name in ("clock", "clock64", "clock_hi", "globaltimer", "globaltimer_lo",
                    "globaltimer_hi"):
            v = self.steps
            if name.endswith("_hi"):
                return K(u4, v >> 32)
            return K(u8, v) if name in ("clock64", "globaltimer") else K(u4, v & 0xffffffff)
        if name == "dynamic_smem_size":
            return K(u4, self.shared_bytes)
        if name == "total_smem_size":
            return K(u4, self.kernel.layout["static_bytes"] + self.shared_bytes)
        raise ExecutionError("special register %%%s is not supported" % name)

    def approx(self, x):
        """Result of an approximate operation, perturbed on request."""
        if not self.approx_ulp:
            return x
        k = self.approx_ulp
        self._noise = (self._noise * 1103515245 + 12345) & 0x7fffffff
        b = x.view(u4)
        h = b * u4(0x9E3779B1) ^ u4(self._noise)
        h ^= h >> u4(15)
        h *= u4(0x85EBCA6B)
        h ^= h >> u4(13)
        d = (h % u4(2 * k + 1)).astype(i4) - i4(k)
        a = b & u4(0x7fffffff)
        ok = (a > u4(k)) & (a < u4(0x7f800000 - k))
        return np.where(ok, b.view(i4) + d, b.view(i4)).view(f4)

    def isspacep(self, a, space):
        ids = a >> u8(IDS)
        if space == "shared":
            return ids == u8(ID_SHARED)
        if space == "local":
            return ids == u8(ID_LOCAL)
        if space == "param":
            return ids == u8(ID_PARAM)
        const = [r.id for r in self.regions.values() if r.space == "const"]
        isc = np.isin(ids, np.array(const, dtype=u8))
        if space == "const":
            return isc
        if space == "global":
            return (ids > u8(ID_PARAM)) & ~isc
        raise ExecutionError("isspacep.%s is not supported" % space)

    def check_align(self, C, addr, size, ln, space):
        a = addr.astype(u8) & u8(size - 1)
        if a.any():
            self.misaligned(C, addr, size, ln, "vector atomic", space)

    def cp_async(self, C, dst, src, n, ss, ln):
        w, nv = (4, 1) if n == 4 else (8, n // 8)
        if ss is None or (ss.size == 1 and int(ss[0]) == n):
            self.st_shared(C, dst, self.ld_global(C, src, w, nv, ln, "global"), w, ln)
            return
        ss = np.broadcast_to(ss, (C.n,))
        for k in np.unique(ss):
            sel = np.flatnonzero(ss == k)
            k = min(int(k), n)
            sub = C.sub(sel)
            d = dst if dst.size == 1 else dst[sel]
            s = src if src.size == 1 else src[sel]
            vals = []
            for j in range(n):
                if j < k:
                    vals += [self.ld_global(sub, s + u8(j), 1, 1, ln, "global")[0]]
                else:
                    vals += [K(u1, 0)]
            # combine bytes
            for j0 in range(0, n, w):
                acc = K(UT[w], 0)
                for j in range(w):
                    acc = acc | (vals[j0 + j].astype(UT[w]) << UT[w](8 * j))
                self.st_shared(sub, d + d.dtype.type(j0), (acc,), w, ln)

    # -- groups
    def split_regs(self, R, live, idx):
        N = [None] * self.nreg
        for r in live:
            a = R[r]
            N[r] = a if a.shape[0] == 1 else a[idx]
        return N

    def merge(self, b, items):
        if len(items) == 1:
            return items[0]
        T = items[0][0].T
        lanes = np.concatenate([c.lane for c, _ in items])
        order = np.argsort(lanes, kind="stable")
        lanes = lanes[order]
        n = lanes.size
        C = self.full if n == T.n else Ctx(self, T, lanes)
        R = [None] * self.nreg
        for r in self.live[b]:
            parts = [x[r] for _, x in items]
            if all(p.shape[0] == 1 for p in parts):
                p0 = parts[0]
                raw = p0.tobytes()
                if all(p is p0 or p.tobytes() == raw for p in parts[1:]):
                    R[r] = p0
                    continue
            full = [p if p.shape[0] == c.n else np.repeat(p, c.n, axis=0)
                    for p, (c, _) in zip(parts, items)]
            R[r] = np.concatenate(full)[order]
        return C, R

    # -- the run
    def run(self):
        geo = self.geo
        per = max(1, self.opts.get("batch_threads", 32768) // geo.T)
        per = min(per, geo.ncta)
        # keep the per-batch shared and local memory reasonable
        if self.local_win.size:
            per = max(1, min(per, MAX_BATCH_BYTES // (self.local_win.size * geo.T)))
        if self.shared_win.size:
            per = max(1, min(per, MAX_BATCH_BYTES // self.shared_win.size))
        for r in self.regions.values():
            r.nc_line = r.dirty_line = None
        self.t0 = time.perf_counter()
        first = 0
        with np.errstate(all="ignore"):
            while first < geo.ncta:
                k = min(per, geo.ncta - first)
                T = self.tables.get(k)
                if T is None:
                    T = self.tables[k] = Tables(geo, k)
                T.set_batch(first)
                self.setup_batch(k, T.n)
                self.run_batch(T)
                first += k
        self.elapsed = time.perf_counter() - self.t0
        for r in self.regions.values():
            if r.nc_line is not None and r.dirty_line is not None:
                self.warn(r.nc_line, "ld.global.nc reads %s, which the kernel also writes "
                          "(line %d): the non-coherent path needs read-only data" % (
                              r.name, r.dirty_line))

    def run_batch(self, T):
        self.T = T
        self.full = Ctx(self, T, T.lane, True)
        self.alive = np.ones(T.n, bool)
        self.alive_n = T.n
        self.alive_mask = np.zeros(T.nwarps, u4)
        np.bitwise_or.at(self.alive_mask, T.warp, u4(1) << T.lid) if T.n < 256 else \
            self._init_alive(T)
        self.alive_cta = np.full(T.k, T.geo.T, dtype=i8)
        self.pend = {}
        self.syncwait = {}
        self.barwait = []
        self.bararrived = {}
        if self.hooks is not None:
            self.hooks.start_batch(self, T)
        C, cur = self.full, 0
        R = [None] * self.nreg
        for r, w in self.entry_regs:
            R[r] = np.zeros(1, bool) if w == "p" else (
                np.full((1, 2), POISON[8], u8) if w == 16 else self.K_poison[w])
        blocks, fns, pend = self.blocks, self.fns, self.pend
        threads, warps, cw = self.exec_threads, self.exec_warps, self.count_warps
        since = 0
        skip_gate = False
        while True:
            blk = blocks[cur]
            if blk.sync is not None and not skip_gate:
                if C.n != self.alive_n or cur in self.syncwait:
                    got = self.gate(cur, C, R)
                    if got is None:
                        cur, C, R, skip_gate = self.pick()
                        if cur is None:
                            break
                        continue
                    C, R = got
            skip_gate = False
            self.steps += 1
            if not self.steps & 255:
                self.check_time(blk)
            threads[cur] += C.n
            if cw:
                warps[cur] += C.nwarps()
            try:
                res = fns[cur](R, C)
            except PtxError:
                raise
            except Exception as e:          # an interpreter bug: say where
                lines = sorted({o.line for o in blk.ops if o.line})
                raise ExecutionError("internal error %s: %s in the block of PTX lines %s" % (
                    type(e).__name__, e, "%s-%s" % (lines[0], lines[-1]) if lines else "?")) \
                    from e
            t = blk.term
            k = t[0]
            if k == "fall":
                nxt = t[1]
            elif k == "cbra":
                if res.size == 1:
                    nxt = t[3] if res[0] else t[4]
                else:
                    c = int(np.count_nonzero(res))
                    if c == 0:
                        nxt = t[4]
                    elif c == C.n:
                        nxt = t[3]
                    elif t[3] == t[4]:
                        nxt = t[3]
                    else:
                        a = np.flatnonzero(res)
                        b = np.flatnonzero(~res)
                        self.push(t[3], C.sub(a), self.split_regs(R, self.live[t[3]], a))
                        self.push(t[4], C.sub(b), self.split_regs(R, self.live[t[4]], b))
                        nxt = None
            elif k == "bar":
                nxt = self.barrier(blk, t, C, R, res)
            elif k == "exit":
                self.exit_threads(C)
                nxt = None
            elif k == "brx":
                nxt = self.brx(blk, t, C, R, res)
            else:
                self.trap(t[1], C)
            if nxt is not None:
                if not pend and not self.barwait and not self.syncwait:
                    cur = nxt
                    continue
                if not pend or nxt < min(pend):
                    since += 1
                    if since < FAIR_AFTER:
                        cur = nxt
                        continue
                    since = 0
                    self.push(nxt, C, R)
                    self.fair_turn()
                else:
                    self.push(nxt, C, R)
            cur, C, R, skip_gate = self.pick()
            if cur is None:
                break
        if self.hooks is not None:
            self.hooks.end_batch(self, T)

    def _init_alive(self, T):
        starts = np.flatnonzero(np.r_[True, T.warp[1:] != T.warp[:-1]])
        self.alive_mask[T.warp[starts]] = np.bitwise_or.reduceat(u4(1) << T.lid, starts)

    def push(self, b, C, R):
        lst = self.pend.get(b)
        if lst is None:
            self.pend[b] = [(C, R)]
        else:
            lst.append((C, R))

    def pick(self):
        """Next runnable (block, context, registers, skip_gate)."""
        while True:
            pend = self.pend
            if pend:
                b = min(pend) if len(pend) > 1 else next(iter(pend))
                C, R = self.merge(b, pend.pop(b))
                return b, C, R, False
            if self.syncwait:
                got = self.retry_sync()
                if got is not None:
                    return got
            if self.barwait and self.release_barriers():
                continue
            if self.syncwait or self.barwait:
                self.deadlock()
            return None, None, None, False

    def fair_turn(self):
        """Let every waiting group advance: protects spin loops that wait for
        threads the priority order would starve."""
        age = {b: i for i, b in enumerate(self.pend)}
        tick = len(age)
        for _ in range(FAIR_TURN):
            if self.barwait:
                self.release_barriers()
            if self.syncwait:
                got = self.retry_sync()
                if got is not None:
                    self.run_released(*got[:3])
            if not self.pend:
                return
            b = min(self.pend, key=lambda x: age.get(x, -1))
            C, R = self.merge(b, self.pend.pop(b))
            self.step_once(b, C, R)
            for x in self.pend:
                if x not in age:
                    age[x] = tick
            tick += 1
            age[b] = tick

    def step_once(self, cur, C, R):
        blk = self.blocks[cur]
        if blk.sync is not None and (C.n != self.alive_n or cur in self.syncwait):
            got = self.gate(cur, C, R)
            if got is None:
                return
            C, R = got
        self.steps += 1
        if not self.steps & 255:
            self.check_time(blk)
        self.exec_threads[cur] += C.n
        if self.count_warps:
            self.exec_warps[cur] += C.nwarps()
        res = self.fns[cur](R, C)
        t = blk.term
        k = t[0]
        nxt = None
        if k == "fall":
            nxt = t[1]
        elif k == "cbra":
            m = np.broadcast_to(res, (C.n,))
            a, b = np.flatnonzero(m), np.flatnonzero(~m)
            if a.size:
                self.push(t[3], C.sub(a), self.split_regs(R, self.live[t[3]], a))
            if b.size:
                self.push(t[4], C.sub(b), self.split_regs(R, self.live[t[4]], b))
        elif k == "bar":
            nxt = self.barrier(blk, t, C, R, res)
        elif k == "exit":
            self.exit_threads(C)
        elif k == "brx":
            nxt = self.brx(blk, t, C, R, res)
        else:
            self.trap(t[1], C)
        if nxt is not None:
            self.push(nxt, C, R)

    def check_time(self, blk):
        if self.timeout is not None and time.perf_counter() - self.t0 > self.timeout:
            o = blk.ops[0] if blk.ops else None
            raise Timeout("kernel did not finish in %g s" % self.timeout,
                          o.line if o else None, o.text if o else None)

    def exit_threads(self, C):
        self.alive[C.lane] = False
        self.alive_n -= C.n
        if self.alive_n == 0:
            return
        segs = C.segs()
        self.alive_mask[segs["segwarp"]] &= ~segs["amask"]
        self.alive_cta -= np.bincount(C.table("cta"), minlength=self.T.k)

    def brx(self, blk, t, C, R, res):
        targets = t[2]
        if res.size == 1:
            k = int(res[0])
            if k >= len(targets):
                raise ExecutionError("brx.idx index %d, the table has %d entries" % (
                    k, len(targets)), t[3].line, t[3].text)
            return targets[k]
        if (res >= len(targets)).any():
            i = int(np.flatnonzero(res >= len(targets))[0])
            th, bl = C.where(i)
            raise ExecutionError("brx.idx index %d, the table has %d entries (thread %s of "
                                 "block %s)" % (int(res[i]), len(targets), th, bl),
                                 t[3].line, t[3].text)
        dest = np.array(targets, dtype=i8)[res]
        for d in np.unique(dest):
            sel = np.flatnonzero(dest == d)
            d = int(d)
            self.push(d, C.sub(sel), self.split_regs(R, self.live[d], sel))
        return None

    def trap(self, o, C):
        th, bl = C.where(0)
        msg = "invalid function pointer in an indirect call" if o.mods == ["badcall"] else \
            "trap reached"
        raise Trap("%s by %d threads, first: thread %s of block %s" % (msg, C.n, th, bl),
                   o.line, o.text)

    # -- warp-synchronous operations
    def sync_mask(self, blk, R, n):
        o = blk.sync
        if o.base in ("shfl", "vote", "match", "redux", "elect", "bar"):
            m = o.ops[-1]
            if isinstance(m, Reg):
                a = R[m.id]
                return np.broadcast_to(a, (n,)) if a.shape[0] != n else a
            if isinstance(m, Imm):
                return np.full(n, m.value & 0xffffffff, dtype=u4)
        return np.full(n, 0xffffffff, dtype=u4)

    def gate(self, b, C, R):
        """Threads at block b that may execute its warp-synchronous operation; the
        others wait.  None if nobody may."""
        w = self.syncwait.pop(b, None)
        if w is not None:
            C, R = self.merge(b, w + [(C, R)])
        blk = self.blocks[b]
        segs = C.segs()
        mask = self.sync_mask(blk, R, C.n)
        need = mask & self.alive_mask[segs["segwarp"]][segs["seg"]]
        miss = need & ~segs["amask"][segs["seg"]]
        bad = miss != 0
        # a thread whose partner waits for someone else: same mask, so the same answer
        if not bad.any():
            return C, R
        good = np.flatnonzero(~bad)
        wait = np.flatnonzero(bad)
        self.syncwait[b] = [(C.sub(wait), self.split_regs(R, self.live[b], wait))]
        if good.size == 0:
            return None
        return C.sub(good), self.split_regs(R, self.live[b], good)

    def retry_sync(self):
        """Nothing is runnable: exits may have completed a membermask, or
        bar.warp.sync instructions at different places pair up."""
        for b in sorted(self.syncwait):
            w = self.syncwait.pop(b)
            C, R = self.merge(b, w)
            got = self.gate(b, C, R)
            if got is not None:
                return b, got[0], got[1], True
        # bar.warp.sync across program points
        union = {}
        entries = []
        for b in sorted(self.syncwait):
            if self.blocks[b].sync.base != "bar":
                continue
            C, R = self.merge(b, self.syncwait[b])
            self.syncwait[b] = [(C, R)]
            mask = self.sync_mask(self.blocks[b], R, C.n)
            wp = C.table("warp")
            bit = u4(1) << C.table("lid")
            for i in range(C.n):
                key = (int(wp[i]), int(mask[i]))
                union[key] = union.get(key, 0) | int(bit[i])
            entries.append((b, C, R, wp, mask))
        for b, C, R, wp, mask in entries:
            ok = np.array([(int(m) & int(self.alive_mask[w]) & ~union[(int(w), int(m))]) == 0
                           for w, m in zip(wp, mask)])
            if ok.any():
                # release this block's share now; the partners stay complete because
                # their union still counts these lanes
                good, wait = np.flatnonzero(ok), np.flatnonzero(~ok)
                del self.syncwait[b]
                if wait.size:
                    self.syncwait[b] = [(C.sub(wait), self.split_regs(R, self.live[b], wait))]
                rest = []
                for b2, C2, R2, wp2, mask2 in entries:
                    if b2 == b:
                        continue
                    ok2 = np.array([(int(m) & int(self.alive_mask[w]) &
                                     ~union[(int(w), int(m))]) == 0
                                    for w, m in zip(wp2, mask2)])
                    g2, w2 = np.flatnonzero(ok2), np.flatnonzero(~ok2)
                    if g2.size:
                        del self.syncwait[b2]
                        if w2.size:
                            self.syncwait[b2] = [(C2.sub(w2), self.split_regs(
                                R2, self.live[b2], w2))]
                        rest.append((b2, C2.sub(g2), self.split_regs(R2, self.live[b2], g2)))
                # run the partners' barrier blocks right away, then continue with ours
                for b2, Cx, Rx in rest:
                    self.run_released(b2, Cx, Rx)
                return b, C.sub(good), self.split_regs(R, self.live[b], good), True
        return None

    def run_released(self, b, C, R):
        blk = self.blocks[b]
        self.steps += 1
        self.exec_threads[b] += C.n
        if self.count_warps:
            self.exec_warps[b] += C.nwarps()
        res = self.fns[b](R, C)
        t = blk.term
        if t[0] == "fall":
            self.push(t[1], C, R)
        elif t[0] == "cbra":
            m = np.broadcast_to(res, (C.n,))
            for tgt, mm in ((t[3], m), (t[4], ~m)):
                sel = np.flatnonzero(mm)
                if sel.size:
                    self.push(tgt, C.sub(sel), self.split_regs(R, self.live[tgt], sel))
        elif t[0] == "bar":
            nxt = self.barrier(blk, t, C, R, res)
            if nxt is not None:
                self.push(nxt, C, R)
        elif t[0] == "exit":
            self.exit_threads(C)
        elif t[0] == "brx":
            nxt = self.brx(blk, t, C, R, res)
            if nxt is not None:
                self.push(nxt, C, R)
        else:
            self.trap(t[1], C)

    # -- block barriers
    def barrier(self, blk, t, C, R, res):
        """Returns the next block when nobody has to wait."""
        kind, n, cnt = res[0], res[1], res[2]
        nxt, o = t[1], t[2]
        if kind == "arrive":
            self.count_arrivals(C, n, cnt, o)
            return nxt
        if self.alive_n != self.T.n:
            if (self.alive_cta[np.unique(C.table("cta"))] != self.geo.T).any():
                self.warn(o.line, "barrier reached after some threads of the block exited")
        if C.n == self.alive_n and cnt is None and n.size == 1 and not self.barwait:
            if kind == "red":
                self.bar_reduce(C, R, res)
            if self.hooks is not None:
                self.hooks.block_sync(C)
            return nxt
        live = self.live[nxt]
        keep = self.split_regs(R, live, slice(None)) if kind != "red" else list(R)
        self.barwait.append((nxt, C, keep, res, o))
        return None

    def bar_reduce(self, C, R, res):
        rop, p, dst = res[3], np.broadcast_to(res[4], (C.n,)), res[5]
        cta = C.table("cta")
        c = np.bincount(cta, weights=p, minlength=self.T.k).astype(i8)
        tot = np.bincount(cta, minlength=self.T.k)
        if rop == "popc":
            v = c.astype(u4)
        elif rop == "and":
            v = c == tot
        else:
            v = c > 0
        R[dst] = v[cta]

    def bar_keys(self, C, n):
        nn = np.broadcast_to(n, (C.n,)).astype(i8)
        if (nn > 15).any():
            raise ExecutionError("barrier number above 15")
        return C.table("cta") * 16 + nn

    def count_arrivals(self, C, n, cnt, o):
        keys = self.bar_keys(C, n)
        for k, c in zip(*np.unique(keys, return_counts=True)):
            self.bararrived[int(k)] = self.bararrived.get(int(k), 0) + int(c)

    def release_barriers(self):
        """Let complete barriers through.  True if something was released."""
        if not self.barwait:
            return False
        allkeys, allcnt = [], []
        for nxt, C, R, res, o in self.barwait:
            allkeys.append(self.bar_keys(C, res[1]))
            allcnt.append(np.broadcast_to(res[2], (C.n,)).astype(i8) if res[2] is not None
                          else np.full(C.n, -1, dtype=i8))
        keys = np.concatenate(allkeys)
        cnts = np.concatenate(allcnt)
        uk, inv, num = np.unique(keys, return_inverse=True, return_counts=True)
        done = []
        for j, k in enumerate(uk):
            want = np.unique(cnts[inv == j])
            have = int(num[j]) + self.bararrived.get(int(k), 0)
            if want.size > 1:
                raise Divergence("barrier %d used with different thread counts" % (k & 15),
                                 self.barwait[0][4].line, self.barwait[0][4].text)
            w = int(want[0])
            if w < 0:
                w = int(self.alive_cta[k >> 4])
            if have == w:
                done.append(int(k))
            elif have > w:
                raise Divergence("barrier %d: %d threads arrived, %d expected" % (
                    k & 15, have, w), self.barwait[0][4].line, self.barwait[0][4].text)
        if not done:
            return False
        dk = np.array(done, dtype=i8)
        self.check_aligned(dk, allkeys)
        if (self.alive_cta[dk >> 4] != self.geo.T).any():
            self.warn(self.barwait[0][4].line,
                      "barrier reached after some threads of the block exited")
        # reductions need the values of every participant
        tot = {}
        for (nxt, C, R, res, o), kk in zip(self.barwait, allkeys):
            if res[0] == "red":
                p = np.broadcast_to(res[4], (C.n,))
                for k in done:
                    m = kk == k
                    if m.any():
                        a = tot.setdefault(k, [0, 0])
                        a[0] += int(np.count_nonzero(p[m]))
                        a[1] += int(np.count_nonzero(m))
        left = []
        released = []
        for (nxt, C, R, res, o), kk in zip(self.barwait, allkeys):
            m = np.isin(kk, dk)
            if not m.any():
                left.append((nxt, C, R, res, o))
                continue
            a = np.flatnonzero(m)
            if res[0] == "red":
                vals = []
                for k in kk[a]:
                    c, n = tot[int(k)]
                    vals.append(c if res[3] == "popc" else c == n if res[3] == "and" else c > 0)
                R2 = self.split_regs(R, [r for r in self.live[nxt] if r != res[5]], a)
                R2[res[5]] = np.array(vals, dtype=u4 if res[3] == "popc" else bool)
            else:
                R2 = self.split_regs(R, self.live[nxt], a)
            Ca = C if a.size == C.n else C.sub(a)
            released.append(Ca)
            self.push(nxt, Ca, R2)
            b = np.flatnonzero(~m)
            if b.size:
                live = self.live[nxt] if res[0] != "red" else \
                    [r for r in range(self.nreg) if R[r] is not None]
                res2 = tuple(x[b] if isinstance(x, np.ndarray) and x.size == C.n and x.size > 1
                             else x for x in res)
                left.append((nxt, C.sub(b), self.split_regs(R, live, b), res2, o))
        self.barwait = left
        for k in done:
            self.bararrived.pop(k, None)
        if self.hooks is not None:
            for c in released:
                self.hooks.block_sync(c)
        return True

    def check_aligned(self, dk, allkeys):
        """bar.sync (aligned): all threads of a warp must execute the same one."""
        if len(self.barwait) < 2:
            return
        seen = {}
        for e, ((nxt, C, R, res, o), kk) in enumerate(zip(self.barwait, allkeys)):
            if not res[-1]:
                continue
            m = np.isin(kk, dk)
            for w in np.unique(C.table("warp")[m]):
                if seen.setdefault(int(w), o) is not o:
                    first = seen[int(w)]
                    i = int(np.flatnonzero((C.table("warp") == w) & m)[0])
                    th, bl = C.where(i)
                    raise Divergence(
                        "bar.sync executed by part of a warp here and by another part at line "
                        "%s (thread %s of block %s)" % (first.line, th, bl), o.line, o.text)

    def deadlock(self):
        msgs = []
        line = text = None
        for b in sorted(self.syncwait):
            o = self.blocks[b].sync
            for C, R in self.syncwait[b]:
                segs = C.segs()
                mask = self.sync_mask(self.blocks[b], R, C.n)
                need = mask & self.alive_mask[segs["segwarp"]][segs["seg"]] & \
                    ~segs["amask"][segs["seg"]]
                th, bl = C.where(0)
                msgs.append("%d threads wait at line %s (%s), e.g. thread %s of block %s for "
                            "lanes 0x%08x of its warp" % (C.n, o.line, o.text, th, bl,
                                                          int(need[0])))
                line, text = o.line, o.text
        for nxt, C, R, res, o in self.barwait:
            th, bl = C.where(0)
            cta = int(C.table("cta")[0])
            msgs.append("%d threads wait at line %s (%s), e.g. thread %s of block %s; that block "
                        "has %d live threads" % (C.n, o.line, o.text, th, bl,
                                                 int(self.alive_cta[cta])))
            line, text = o.line, o.text
        raise Deadlock("deadlock: " + "; ".join(msgs), line, text)
