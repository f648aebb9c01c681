# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which threads run together: the shape of a launch, tables of thread numbers,
and the group of threads at one program point (`Ctx`).
"""

import numpy as np

from .softfp import K, i8, u4


class Geometry:
    """Grid and block shape and the per-batch tables that do not depend on the batch."""

    def __init__(self, grid, block):
        self.grid, self.block = grid, block
        self.T = block[0] * block[1] * block[2]
        self.ncta = grid[0] * grid[1] * grid[2]
        self.wpc = (self.T + 31) // 32


class Tables:
    """Lane tables for a batch of `k` blocks."""

    def __init__(self, geo, k):
        T = geo.T
        self.geo, self.k, self.n = geo, k, T * k
        n = self.n
        self.lane = np.arange(n, dtype=i8)
        self.cta = self.lane // T
        t = self.lane - self.cta * T
        self.tid = t
        self.warp = self.cta * geo.wpc + (t >> 5)
        self.lid = (t & 31).astype(u4)
        self.nwarps = k * geo.wpc
        bx, by, bz = geo.block
        self.s = {}

        def tab(name, v, uniform):
            self.s[name] = K(u4, v) if uniform else v.astype(u4)
        tab("tid.x", 0 if bx == 1 else t % bx, bx == 1)
        tab("tid.y", 0 if by == 1 else (t // bx) % by, by == 1)
        tab("tid.z", 0 if bz == 1 else t // (bx * by), bz == 1)
        for d, v in zip("xyz", geo.block):
            tab("ntid." + d, v, True)
        for d, v in zip("xyz", geo.grid):
            tab("nctaid." + d, v, True)
        for r in ("tid.w", "ctaid.w"):
            tab(r, 0, True)
        for r in ("ntid.w", "nctaid.w"):
            tab(r, 1, True)
        self.s["laneid"] = self.lid
        self.s["warpid"] = K(u4, 0) if geo.wpc == 1 else (t >> 5).astype(u4)
        tab("nwarpid", geo.wpc, True)
        one = u4(1) << self.lid
        self.s["lanemask_eq"] = one
        self.s["lanemask_lt"] = one - u4(1)
        self.s["lanemask_le"] = one | (one - u4(1))
        self.s["lanemask_ge"] = ~(one - u4(1))
        self.s["lanemask_gt"] = ~(one | (one - u4(1)))
        for r in ("smid", "gridid", "is_explicit_cluster", "cluster_ctarank"):
            tab(r, 0, True)
        tab("nsmid", 132, True)
        tab("cluster_nctarank", 1, True)
        for d in "xyz":
            tab("cluster_ctaid." + d, 0, True)
            tab("cluster_nctaid." + d, 1, True)

    def set_batch(self, first):
        geo = self.geo
        gx, gy, gz = geo.grid
        c = np.arange(first, first + self.k, dtype=i8)
        self.ctaids = c
        parts = {"x": c % gx, "y": (c // gx) % gy, "z": c // (gx * gy)}
        for d, v in parts.items():
            if (v == v[0]).all():
                a = K(u4, int(v[0]))
            else:
                a = v.astype(u4)[self.cta]
            self.s["ctaid." + d] = a
            self.s["clusterid." + d] = a
            self.s["nclusterid." + d] = self.s["nctaid." + d]


class Ctx:
    """A group of threads that execute together (lanes sorted)."""
    __slots__ = ("M", "T", "lane", "n", "full", "_cache", "_sr")

    def __init__(self, M, T, lane, full=False):
        self.M, self.T, self.lane, self.full = M, T, lane, full
        self.n = lane.size
        self._cache = {}
        self._sr = {}

    def sub(self, idx):
        return Ctx(self.M, self.T, self.lane[idx])

    def sreg(self, name):
        a = self._sr.get(name)
        if a is None:
            t = self.T.s.get(name)
            if t is None:
                return self.M.special(name)
            a = t if (self.full or t.size == 1) else t[self.lane]
            self._sr[name] = a
        return a

    def table(self, name):
        a = self._cache.get(name)
        if a is None:
            t = getattr(self.T, name)
            a = self._cache[name] = t if self.full else t[self.lane]
        return a

    @property
    def ctabase(self):
        a = self._cache.get("ctabase")
        if a is None:
            if self.T.k == 1:
                a = K(i8, 0)
            else:
                a = self.table("cta") * self.M.shared_stride
            self._cache["ctabase"] = a
        return a

    # warp segmentation: lanes are sorted, so warps are contiguous
    def segs(self):
        c = self._cache
        if "seg" not in c:
            w = self.table("warp")
            new = np.empty(self.n, bool)
            new[0] = True
            np.not_equal(w[1:], w[:-1], out=new[1:])
            c["start"] = np.flatnonzero(new)
            c["seg"] = np.cumsum(new) - 1
            c["segwarp"] = w[c["start"]]
            c["amask"] = np.bitwise_or.reduceat(u4(1) << self.table("lid"), c["start"])
            c["allfull"] = bool((c["amask"] == u4(0xffffffff)).all())
        return c

    def nwarps(self):
        if self.full:
            return self.T.nwarps
        w = self.table("warp")
        return int(np.count_nonzero(w[1:] != w[:-1])) + 1 if self.n else 0

    def slot(self):
        """Position in the group of (segment, lane), -1 if absent."""
        c = self.segs()
        s = c.get("slot")
        if s is None:
            s = np.full(c["start"].size * 32, -1, dtype=i8)
            s[c["seg"] * 32 + self.table("lid")] = np.arange(self.n)
            c["slot"] = s
        return s

    def where(self, i):
        """(thread, block) coordinates of the group's i-th thread."""
        g = self.T.geo
        lane = int(self.lane[i if i < self.n else 0])
        cta, t = divmod(lane, g.T)
        bx, by, bz = g.block
        gx, gy, gz = g.grid
        c = int(self.T.ctaids[cta])
        return ((t % bx, t // bx % by, t // (bx * by)), (c % gx, c // gx % gy, c // (gx * gy)))
