# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Race detection: conflicting accesses with no barrier between them.

The interpreter runs the threads of a batch in lock step, so a missing barrier
does not change its results.  With racecheck=True every shared and global
access is compared with earlier ones to the same bytes:

* two accesses conflict when different threads make them, at least one is a
  store (or an atomic against a non-atomic), and nothing orders them;
* threads of one block are ordered by block barriers (every barrier, also a
  partial one, counts for the whole block), threads of one warp also by
  bar.warp.sync;
* threads of different blocks are never ordered.  Hand-made synchronisation with
  atomics and fences is not understood and is reported.
* a store of the value that is already there is not reported.

Each byte (or wider granule, the smallest access width of the kernel) remembers
its last writer, and two of its readers.
"""

import numpy as np

from .memory import IDS
from .softfp import i4, i8, u1
from .syntax import TYPE_SIZE

MAX_REPORTS = 50


class Shadow:
    """Last writer and two readers of every granule of one memory area."""

    def __init__(self, n):
        self.tid = [np.full(n, -1, i8) for _ in range(3)]      # writer, reader 1, reader 2
        self.bep = [np.zeros(n, i4) for _ in range(3)]
        self.wep = [np.zeros(n, i4) for _ in range(3)]
        self.line = [np.zeros(n, i4) for _ in range(3)]
        self.atomic = np.zeros(n, bool)


class RaceHook:
    """Observes the accesses of a launch and collects races."""

    def __init__(self):
        self.reports = []
        self.seen = set()
        self.granule = None
        self.areas = {}

    def prepare(self, m):
        g = 8
        for b in m.blocks:
            for o in b.ops:
                if o.base in ("ld", "st", "ldu", "atom", "red") and o.mods[:1] != ["paramreg"]:
                    g = min(g, TYPE_SIZE.get(o.mods[-1], 1))
                elif o.base == "cp":
                    g = min(g, 4)
        self.granule = g
        self.bepoch = np.zeros(m.geo.ncta, i4)

    def start_batch(self, m, T):
        if self.granule is None:
            self.prepare(m)
        self.T = T
        self.wepoch = np.zeros(T.nwarps, i4)
        self.shared = None
        if m.shared_win.size:
            n = T.k * m.shared_stride // self.granule + 1
            self.shared = Shadow(n)

    def end_batch(self, m, T):
        pass

    def block_sync(self, C):
        self.bepoch[C.T.ctaids[np.unique(C.table("cta"))]] += 1

    def warp_sync(self, C):
        self.wepoch[np.unique(C.table("warp"))] += 1

    # -- accesses
    def access(self, C, kind, space, addr, size, ln, vals=None):
        if space in ("local", "param", "const"):
            return
        m = self.machine
        g = self.granule
        n = C.n
        a = addr if addr.size == n else np.repeat(addr, n)
        if space == "shared":
            base = a.astype(i8) + C.ctabase
            sh = self.shared
            data = m.shared_data
        else:
            k = int(a[0]) >> IDS
            r = m.regions[k]
            if r.space != "global":
                return
            base = (a - r.kbase).view(i8)
            sh = self.areas.get(k)
            if sh is None:
                sh = self.areas[k] = Shadow(r.size // g + 1)
            data = r.data
        T = C.T
        me = T.ctaids[C.table("cta")] * T.geo.T + C.table("tid")
        bep = self.bepoch[T.ctaids[C.table("cta")]]
        wep = self.wepoch[C.table("warp")]
        w = size // len(vals) if vals else size
        for j in range(max(1, size // g)):
            gi = base // g + j
            val = None
            if vals is not None:
                # bytes of this granule, as stored
                e, off = (j * g) // w, (j * g) % w
                v = vals[e]
                v = v if v.size == n else np.repeat(v, n)
                val = np.ascontiguousarray(v).view(u1).reshape(n, -1)[:, off:off + g]
            self.granules(C, kind, space, sh, data, gi, base + j * g, me, bep, wep, ln, val, g)

    def ordered(self, sh, s, gi, me, bep, wep):
        """Slot s of the granules happened before the current access (or is empty or
        by the same thread)."""
        T = self.T.geo
        t = sh.tid[s][gi]
        same = (t < 0) | (t == me)
        cta_t, cta_m = t // T.T, me // T.T
        incta = cta_t == cta_m
        inwarp = incta & ((t - cta_t * T.T) >> 5 == (me - cta_m * T.T) >> 5)
        return same | (incta & (sh.bep[s][gi] < bep)) | (inwarp & (sh.wep[s][gi] < wep))

    def granules(self, C, kind, space, sh, data, gi, byte, me, bep, wep, ln, val, g):
        if kind == "ld":
            bad = ~self.ordered(sh, 0, gi, me, bep, wep)
            if bad.any():
                self.report(C, "read after write", space, sh, 0, gi, byte, me, bad, ln, g)
            free = self.ordered(sh, 1, gi, me, bep, wep)
            f = np.flatnonzero(free)
            self.put(sh, 1, gi[f], me[f], bep[f], wep[f], ln)
            rest = np.flatnonzero(~free | (sh.tid[1][gi] != me))
            self.put(sh, 2, gi[rest], me[rest], bep[rest], wep[rest], ln)
            return
        atomic = kind == "atom"
        bad = ~self.ordered(sh, 0, gi, me, bep, wep)
        if atomic:
            bad &= ~sh.atomic[gi]
        if bad.any() and val is not None:
            i = np.flatnonzero(bad)
            rows = byte[i, None] + np.arange(g)
            bad[i] = (data[rows] != val[i]).any(axis=1)
        if bad.any():
            self.report(C, "write after write", space, sh, 0, gi, byte, me, bad, ln, g)
        # atomics read too, but two atomics never conflict through their reads
        for s in (1, 2):
            bad = ~self.ordered(sh, s, gi, me, bep, wep)
            if bad.any() and val is not None:
                i = np.flatnonzero(bad)
                rows = byte[i, None] + np.arange(g)
                bad[i] = (data[rows] != val[i]).any(axis=1)
            if bad.any():
                self.report(C, "write after read", space, sh, s, gi, byte, me, bad, ln, g)
        if not atomic:
            # two threads of this very instruction
            order = np.argsort(gi, kind="stable")
            sg = gi[order]
            dup = np.flatnonzero(sg[1:] == sg[:-1])
            if dup.size:
                x, y = order[dup], order[dup + 1]
                diff = (val[x] != val[y]).any(axis=1) if val is not None else \
                    np.ones(dup.size, bool)
                if diff.any():
                    k = int(np.flatnonzero(diff)[0])
                    self.add("write after write", space, ln, ln, int(me[y[k]]), int(me[x[k]]),
                             int(byte[y[k]]), g)
        self.put(sh, 0, gi, me, bep, wep, ln)
        sh.atomic[gi] = atomic
        for s in (1, 2):
            sh.tid[s][gi] = -1

    @staticmethod
    def put(sh, s, gi, me, bep, wep, ln):
        sh.tid[s][gi] = me
        sh.bep[s][gi] = bep
        sh.wep[s][gi] = wep
        sh.line[s][gi] = ln

    def report(self, C, what, space, sh, s, gi, byte, me, bad, ln, g):
        i = int(np.flatnonzero(bad)[0])
        self.add(what, space, ln, int(sh.line[s][gi[i]]), int(me[i]), int(sh.tid[s][gi[i]]),
                 int(byte[i]), g)

    def add(self, what, space, ln, ln0, t, t0, byte, g):
        key = (what, ln, ln0)
        if key in self.seen or len(self.reports) >= MAX_REPORTS:
            return
        self.seen.add(key)
        m = self.machine

        def who(x):
            geo = m.geo
            cta, r = divmod(x, geo.T)
            bx, by, _ = geo.block
            gx, gy, _ = geo.grid
            return "thread %s of block %s" % (
                (r % bx, r // bx % by, r // (bx * by)),
                (cta % gx, cta // gx % gy, cta // (gx * gy)))
        self.reports.append(
            "%s in %s memory: line %d `%s` by %s, after line %d `%s` by %s, with no barrier "
            "between" % (what, "shared" if space == "shared" else "global", ln, m.text(ln),
                         who(t), ln0, m.text(ln0), who(t0)))
