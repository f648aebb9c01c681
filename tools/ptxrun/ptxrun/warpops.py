# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of a warp on a group of threads: shuffles, votes, match, redux.

Register arrays in, register arrays out, one element a thread or one for all.
"""

import numpy as np

from .errors import Divergence
from .rt import bitlen32
from .softfp import f4, i8, u4, u8


class WarpOps:
    """Part of a Machine."""

    def members(self, C, mask, ln, what):
        """Check that every executing thread is named in its membermask."""
        if mask.size == 1 and int(mask[0]) == 0xffffffff:
            return
        own = (mask >> C.table("lid")) & u4(1)
        if not own.all():
            i = int(np.flatnonzero(own == 0)[0])
            th, bl = C.where(i)
            raise Divergence("%s: executing thread is not in membermask 0x%08x (thread %s of "
                             "block %s)" % (what, int(np.broadcast_to(mask, (C.n,))[i]), th, bl),
                             ln, self.text(ln))

    def shfl(self, C, mode, a, b, c, mask, ln):
        if mask is not None:
            self.members(C, mask, ln, "shfl.sync")
        segs = C.segs()
        uni = b.size == 1 and c.size == 1
        key = ("shfl", mode, int(b[0]), int(c[0])) if uni else None
        hit = segs.get(key) if uni else None
        if hit is None:
            lane = C.table("lid")
            bv = b & u4(31)
            cv = c & u4(31)
            sm = (c >> u4(8)) & u4(31)
            maxl = (lane & sm) | (cv & ~sm)
            minl = lane & sm
            if mode == "up":
                j = lane.astype(i8) - bv.astype(i8)
                p = j >= maxl
            elif mode == "down":
                j = lane.astype(i8) + bv.astype(i8)
                p = j <= maxl
            elif mode == "bfly":
                j = (lane ^ bv).astype(i8)
                p = j <= maxl
            else:
                j = (minl | (bv & ~sm & u4(31))).astype(i8)
                p = j <= maxl
            j = np.where(p, j, lane)
            if segs["allfull"]:
                src = segs["seg"] * 32 + j
                missing = None
            else:
                src = C.slot()[segs["seg"] * 32 + j]
                missing = src < 0
                if missing.any():
                    src = np.where(missing, np.arange(C.n), src)
                else:
                    missing = None
            hit = (src, p, missing, j)
            if uni:
                segs[key] = hit
        src, p, missing, j = hit
        if a.size == 1:
            v = a
        else:
            v = a.take(src)
        if missing is not None:
            self.warn(ln, "shfl reads a lane that does not execute it (undefined value)")
            v = np.where(missing, self.K_poison[4], v)
        elif mask is not None and not (mask.size == 1 and int(mask[0]) == 0xffffffff):
            out = ((mask >> j.astype(u4)) & u4(1)) == 0
            if out.any():
                self.warn(ln, "shfl reads a lane outside its membermask (undefined value)")
                v = np.where(out, self.K_poison[4], v)
        return v, p

    def ballot(self, C, p):
        """Per-thread ballot of the group's own warp."""
        segs = C.segs()
        if p.size == 1:
            bits = segs["amask"] if p[0] else np.zeros_like(segs["amask"])
        else:
            b = np.where(p, u4(1) << C.table("lid"), u4(0))
            bits = np.bitwise_or.reduceat(b, segs["start"])
        return bits[segs["seg"]]

    def vote(self, C, mode, p, mask, ln):
        if mask is not None:
            self.members(C, mask, ln, "vote.sync")
        bal = self.ballot(C, p)
        segs = C.segs()
        act = segs["amask"][segs["seg"]]
        if mask is not None:
            bal = bal & mask
            act = act & mask
        if mode == "ballot":
            return bal
        if mode == "any":
            return bal != 0
        if mode == "all":
            return bal == act
        return (bal == act) | (bal == 0)

    def padded(self, C, v, fill):
        segs = C.segs()
        P = np.full((segs["start"].size, 32), fill, dtype=v.dtype)
        P[segs["seg"], C.table("lid")] = v
        return P

    def match(self, C, mode, v, mask, ln):
        self.members(C, mask, ln, "match.sync")
        segs = C.segs()
        v = np.broadcast_to(v, (C.n,))
        mask = np.broadcast_to(mask, (C.n,))
        P = self.padded(C, v, 0)
        lanes = u4(1) << np.arange(32, dtype=u4)
        act = segs["amask"][segs["seg"]] & mask
        eq = P[segs["seg"]] == v[:, None]                      # (n, 32)
        m = (eq * lanes[None, :]).sum(axis=1, dtype=u8).astype(u4) & act
        if mode == "any":
            return m, np.ones(1, bool)
        ok = m == act
        return np.where(ok, act, u4(0)), ok

    def redux(self, C, fn, v, mask, ab, nan, ln):
        self.members(C, mask, ln, "redux.sync")
        v = np.broadcast_to(v, (C.n,))
        mask = np.broadcast_to(mask, (C.n,))
        out = np.empty(C.n, v.dtype)
        for m in np.unique(mask):
            sel = np.flatnonzero(mask == m)
            sub = C.sub(sel)
            s2 = sub.segs()
            x = v[sel]
            if v.dtype == f4:
                if ab:
                    x = np.abs(x)
                f = (np.maximum if nan else np.fmax) if fn == "max" else \
                    (np.minimum if nan else np.fmin)
                r = f.reduceat(x, s2["start"])
            else:
                f = {"add": np.add, "min": np.minimum, "max": np.maximum,
                     "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}[fn]
                r = f.reduceat(x, s2["start"])
            out[sel] = r[s2["seg"]]
        return out

    def elect(self, C, mask, ln):
        self.members(C, mask, ln, "elect.sync")
        segs = C.segs()
        m = segs["amask"][segs["seg"]] & mask
        low = m & (~m + u4(1))
        leader = bitlen32(low) - u4(1)
        return leader, leader == C.table("lid")

    def activemask(self, C):
        segs = C.segs()
        return segs["amask"][segs["seg"]]

    def warp_barrier(self, C, mask, ln):
        self.members(C, mask, ln, "bar.warp.sync")
        if self.hooks is not None:
            self.hooks.warp_sync(C)
