# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulated address spaces and their checks.

Generic (64-bit) addresses carry an identifier in bits 36 and up:

    1  the shared window        2  the local window      3  kernel parameters
    4  function "addresses"     16+ launch argument buffers
    1024+ module .global / .const variables

so any pointer arithmetic that leaves a buffer by less than 64 GiB lands in
unmapped space and is reported.  Global and const addresses equal their generic
addresses; shared and local addresses are offsets in their window.
"""

import bisect

import numpy as np

from .errors import (LaunchError, MemoryFault, Misaligned, OutOfBounds, ReadOnlyWrite,
                     UninitialisedRead)
from .halves import b_bin, h_bin, hb_minmax
from .rt import IT, UT, x2
from .softfp import (K, TINY32, bf16_to_f32, canon32, f16_to_f32, f4, f8, fminmax, ftz32, i8, u1, u2,
                     u4, u8)

IDS = 36
ID_SHARED, ID_LOCAL, ID_PARAM, ID_FUNC, ID_ARG0, ID_GLOBAL0 = 1, 2, 3, 4, 16, 1024
SHARED_WIN = ID_SHARED << IDS
LOCAL_WIN = ID_LOCAL << IDS
PARAM_BASE = (ID_PARAM << IDS) + 0x100
FUNC_BASE = (ID_FUNC << IDS) + 0x100
BASE_OFF = 0x100        # buffers are 256-byte aligned, and no more than that

K_SHARED = K(u8, SHARED_WIN)
K_LOCAL = K(u8, LOCAL_WIN)
LOG2 = {1: 0, 2: 1, 4: 2, 8: 3, 16: 4, 32: 5}
C16 = np.complex128
_ONES = {1: u1(1), 2: u2(0x0101), 4: u4(0x01010101), 8: u8(0x0101010101010101)}


class Buffer:
    """Device memory backed by a numpy array.

    Buffer(array, name=None, uninit=False, readonly=False): with uninit=True
    every byte counts as never written until the kernel writes it.
    """

    def __init__(self, array, name=None, uninit=False, readonly=False):
        array = np.asarray(array)
        if not array.flags.c_contiguous:
            raise LaunchError("buffer %s is not C-contiguous" % (name or ""))
        self.array = array
        self.name = name
        self.uninit = uninit
        self.readonly = readonly or not array.flags.writeable

    @property
    def written(self):
        """Boolean array, one per element: all its bytes were written."""
        if getattr(self, "_shadow", None) is None:
            return np.ones(self.array.shape, bool)
        s = self._shadow.reshape(-1, self.array.dtype.itemsize)
        return (s != 0).all(axis=1).reshape(self.array.shape)


def uninit(shape, dtype=np.float32, name=None):
    """A buffer whose contents count as never written."""
    return Buffer(np.zeros(shape, dtype), name, uninit=True)


class Ptr:
    """A pointer `offset` bytes into a buffer argument."""

    def __init__(self, buf, offset=0):
        self.buf, self.offset = buf, offset


class Region:
    """Bytes at [base, base+size) of the flat address space."""

    def __init__(self, id, data, name, space, readonly=False, shadow=None):
        self.id = id
        self.base = (id << IDS) + BASE_OFF
        self.size = data.size
        self.end = self.base + self.size
        self.kbase = K(u8, self.base)
        self.name, self.space, self.readonly = name, space, readonly
        self.data = data
        self.shadow = shadow
        self.nc_line = self.dirty_line = None    # last ld.global.nc / last write
        self._v = {}
        self._s = {}

    def view(self, size):
        v = self._v.get(size)
        if v is None:
            v = self._v[size] = typed(self.data, size)
        return v

    def sview(self, size):
        v = self._s.get(size)
        if v is None:
            v = self._s[size] = typed(self.shadow, size)
        return v


def typed(data, size):
    """View of a u1 array in elements of `size` bytes (16 -> complex, 32 -> rows)."""
    n = data.size // size * size
    d = data[:n]
    if size <= 8:
        return d.view(UT[size])
    if size == 16:
        return d.view(C16)
    return d.view(C16).reshape(-1, 2)


class Window:
    """Allocation map of the shared or local window."""

    def __init__(self):
        self.starts, self.ends, self.names = [], [], []
        self.size = 0
        self._ids = None

    def add(self, start, end, name):
        self.starts.append(start)
        self.ends.append(end)
        self.names.append(name)

    def inside(self, lo, hi):
        """[lo, hi) lies within one variable."""
        k = bisect.bisect_right(self.starts, lo) - 1
        return k >= 0 and hi <= self.ends[k]

    def ids(self):
        if self._ids is None:
            a = np.full(self.size + 1, -1, dtype=np.int32)
            for k, (s, e) in enumerate(zip(self.starts, self.ends)):
                a[s:e] = k
            self._ids = a
        return self._ids

    def ok(self, addr, size):
        """Elementwise validity of accesses (addr: i8)."""
        ids = self.ids()
        inr = (addr >= 0) & (addr + size <= self.size)
        a = np.where(inr, addr, 0)
        x = ids[a]
        return inr & (x >= 0) & (x == ids[np.where(inr, a + (size - 1), 0)])

    def describe(self, addr, size):
        for s, e, n in zip(self.starts, self.ends, self.names):
            if s <= addr < e:
                return "%d bytes at offset %d of %s (%d bytes)" % (size, addr - s, n, e - s)
        k = bisect.bisect_right(self.starts, addr) - 1
        if k >= 0:
            return "%d bytes past the end of %s (%d bytes)" % (
                addr - self.ends[k], self.names[k], self.ends[k] - self.starts[k])
        return "below every variable" if self.starts else "no variable is declared there"


class Memory:
    """All address spaces of one launch.  `M` in generated code is the machine;
    this class is its memory part."""

    def __init__(self):
        self.regions = {}
        self.hooks = None          # object with .access(C, kind, space, addr, size, ln)
        self.shared_win = Window()
        self.local_win = Window()
        self.allow_uninit = frozenset()
        self.info = None           # line -> text
        self.shared_data = self.shared_init = None
        self.local_data = self.local_init = None

    # -- batches
    def setup_batch(self, nctas, nthreads):
        sz = self.shared_win.size
        self.shared_stride = (sz + 63) // 64 * 64
        if sz:
            need = nctas * self.shared_stride
            if self.shared_data is None or self.shared_data.size != need:
                self.shared_data = np.empty(need, u1)
                self.shared_init = np.empty(need, u1)
                self._sv, self._si = {}, {}
            self.shared_data.fill(0xCD)
            self.shared_init.fill(0)
        lz = self.local_win.size
        self.local_n = nthreads
        if lz:
            need = (lz + 7) // 8 * 8 * nthreads
            if self.local_data is None or self.local_data.size != need:
                self.local_data = np.empty(need, u1)
                self.local_init = np.empty(need, u1)
                self._lv, self._li = {}, {}
            self.local_data.fill(0xCD)
            self.local_init.fill(0)

    def _cached(self, cache, data, size):
        v = cache.get(size)
        if v is None:
            v = cache[size] = typed(data, size)
        return v

    # -- faults
    def text(self, ln):
        return self.info.get(ln, "") if self.info else ""

    def fault(self, cls, C, i, ln, msg, space, address, size):
        th, bl = C.where(i)
        full = "%s (thread %s of block %s)" % (msg, th, bl)
        raise cls(full, ln, self.text(ln), space, address, size, th, bl)

    def oob_global(self, C, addr, size, ln, what, space):
        for i, a in enumerate(addr.tolist()):
            r = self.regions.get(a >> IDS)
            if r is not None and r.base <= a and a + size <= r.end:
                if self.space_ok(r, space):
                    continue
                self.fault(MemoryFault, C, i, ln, "%s of %d bytes at 0x%x: that address is in "
                           ".%s space (%s), the instruction accesses .%s" % (
                               what, size, a, r.space, r.name, space), space, a, size)
            if r is not None:
                if a >= r.end or a + size > r.end:
                    m = "%d bytes past the end of %s (%d bytes)" % (
                        a + size - r.end, r.name, r.size)
                else:
                    m = "%d bytes before the start of %s (%d bytes)" % (
                        r.base - a, r.name, r.size)
            elif a >> IDS == ID_SHARED or a >> IDS == ID_LOCAL:
                m = "the address is in the %s window" % (
                    "shared" if a >> IDS == ID_SHARED else "local")
            elif a < 4096:
                m = "null pointer (plus %d)" % a
            else:
                m = "no buffer is near that address"
            self.fault(OutOfBounds, C, i, ln, "out-of-bounds %s of %d bytes at address 0x%x: %s"
                       % (what, size, a, m), space, a, size)
        raise AssertionError("oob_global found nothing")

    def misaligned(self, C, addr, size, ln, what, space):
        a = addr.astype(u8)
        bad = np.flatnonzero((a & u8(size - 1)) != 0)
        i = int(bad[0])
        ad = int(a[i])
        self.fault(Misaligned, C, i, ln, "misaligned %s of %d bytes at address 0x%x" % (
            what, size, ad), space, ad, size)

    def uninit_fault(self, C, i, addr, size, ln, what, space, name):
        ad = int(addr[i] if addr.size > 1 else addr[0])
        self.fault(UninitialisedRead, C, i, ln,
                   "%s of %d bytes at address 0x%x of %s: never written "
                   "(allow with allow_uninit={'%s'})" % (what, size, ad, name, space),
                   space, ad, size)

    @staticmethod
    def space_ok(r, space):
        if space == "generic":
            return True
        if space == "global":
            return r.space == "global"
        return r.space == space

    # -- global
    def locate_global(self, C, addr, size, ln, what, space):
        """-> (Region, element index array), every access inside one region, or
        None when several regions are touched."""
        if addr.size == 1:
            lo = hi = int(addr[0])
        else:
            lo, hi = int(addr.min()), int(addr.max())
        r = self.regions.get(lo >> IDS)
        if r is None or lo < r.base or hi + size > r.end or not self.space_ok(r, space):
            if (lo >> IDS) != (hi >> IDS):
                return None
            self.oob_global(C, addr, size, ln, what, space)
        if size > 1:
            m = lo if addr.size == 1 else int(np.bitwise_or.reduce(addr))
            if m & (size - 1):
                self.misaligned(C, addr, size, ln, what, space)
            idx = ((addr - r.kbase) >> u8(LOG2[size])).view(i8)
        else:
            idx = (addr - r.kbase).view(i8)
        return r, idx

    def check_init(self, C, sv, idx, size, addr, ln, what, space, name):
        if space in self.allow_uninit:
            return
        s = sv.take(idx, axis=0)
        if size <= 8:
            bad = s != _ONES[size]
        else:
            bad = (s.view(u8).reshape(idx.size, -1) != _ONES[8]).any(axis=1)
        if bad.any():
            i = int(np.flatnonzero(bad)[0])
            self.uninit_fault(C, i, addr, size, ln, what, space, name)

    def split(self, C, addr):
        """Index lists of the threads by region id of a generic address."""
        ids = addr >> u8(IDS)
        return [(int(k), np.flatnonzero(ids == k)) for k in np.unique(ids)]

    # -- loads (return a tuple of nv arrays)
    def ld_global(self, C, addr, w, nv, ln, space="global", nc=False):
        size = w * nv
        loc = self.locate_global(C, addr, size, ln, "load", space)
        if loc is None:
            return self.gather_parts(C, addr, w, nv, ln, space, nc)
        if nc:
            loc[0].nc_line = ln
        if self.hooks is not None:
            self.hooks.access(C, "ld", space, addr, size, ln)
        r, idx = loc
        if r.shadow is not None:
            self.check_init(C, r.sview(size), idx, size, addr, ln, "load", "global", r.name)
        return unpack(r.view(size).take(idx, axis=0, mode="wrap"), w, nv)

    def gather_parts(self, C, addr, w, nv, ln, space, nc=False):
        outs = [np.empty(addr.size, UT[w]) for _ in range(nv)]
        for k, sel in self.split(C, addr):
            sub = C.sub(sel)
            if space == "generic":
                part = self.ld_generic(sub, addr[sel], w, nv, ln)
            else:
                part = self.ld_global(sub, addr[sel], w, nv, ln, space, nc)
            for o, p in zip(outs, part):
                o[sel] = p
        return tuple(outs)

    def st_global(self, C, addr, vals, w, ln, space="global"):
        nv = len(vals)
        size = w * nv
        loc = self.locate_global(C, addr, size, ln, "store", space)
        if loc is None:
            self.scatter_parts(C, addr, vals, w, ln, space)
            return
        if self.hooks is not None:
            self.hooks.access(C, "st", space, addr, size, ln, vals)
        r, idx = loc
        if r.readonly:
            self.fault(ReadOnlyWrite, C, 0, ln, "store to read-only %s" % r.name, space,
                       int(addr[0]), size)
        r.dirty_line = ln
        v = pack(vals, w)
        put(r.view(size), idx, v)
        if r.shadow is not None:
            set_init(r.sview(size), idx, size)

    def scatter_parts(self, C, addr, vals, w, ln, space):
        for k, sel in self.split(C, addr):
            sub = C.sub(sel)
            part = [v if v.size == 1 else v[sel] for v in vals]
            if space == "generic":
                self.st_generic(sub, addr[sel], part, w, ln)
            else:
                self.st_global(sub, addr[sel], part, w, ln, space)

    # -- shared and local
    def check_window(self, C, W, addr, size, ln, what, space):
        """The least address; a fault where one is outside of the window W of the
        space or not a multiple of the size."""
        if addr.size == 1:
            lo = hi = int(addr[0])
        else:
            lo, hi = int(addr.min()), int(addr.max())
        if not W.inside(lo, hi + size):
            big = addr.astype(u8)
            a = np.where(big >= u8(1 << 40), u8(1 << 40), big).view(i8)
            ok = W.ok(a, size)
            if not ok.all():
                i = int(np.flatnonzero(~ok)[0])
                ad = int(addr[i])
                self.fault(OutOfBounds, C, i, ln,
                           "out-of-bounds %s %s of %d bytes at %s address 0x%x: %s" % (
                               space, what, size, space, ad, W.describe(ad, size)),
                           space, ad, size)
        if size > 1:
            m = lo if addr.size == 1 else int(np.bitwise_or.reduce(addr))
            if m & (size - 1):
                self.misaligned(C, addr, size, ln, space + " " + what, space)
        return lo

    def locate_shared(self, C, addr, size, ln, what):
        self.check_window(C, self.shared_win, addr, size, ln, what, "shared")
        off = addr.astype(i8) + C.ctabase
        return off >> i8(LOG2[size]) if size > 1 else off

    def ld_shared(self, C, addr, w, nv, ln):
        size = w * nv
        idx = self.locate_shared(C, addr, size, ln, "load")
        if self.hooks is not None:
            self.hooks.access(C, "ld", "shared", addr, size, ln)
        if "shared" not in self.allow_uninit:
            self.check_init(C, self._cached(self._si, self.shared_init, size), idx, size, addr,
                            ln, "load", "shared", "shared memory")
        v = self._cached(self._sv, self.shared_data, size).take(idx, axis=0, mode="wrap")
        return unpack(v, w, nv)

    def st_shared(self, C, addr, vals, w, ln):
        size = w * len(vals)
        idx = self.locate_shared(C, addr, size, ln, "store")
        if self.hooks is not None:
            self.hooks.access(C, "st", "shared", addr, size, ln, vals)
        put(self._cached(self._sv, self.shared_data, size), idx, pack(vals, w))
        set_init(self._cached(self._si, self.shared_init, size), idx, size)

    def local_index(self, C, addr, w, uniform):
        per = 8 // w
        if uniform is not None:
            base = (uniform >> 3) * self.local_n * per + ((uniform & 7) // w)
            return C.lane * per + base if per > 1 else C.lane + base
        a = addr.astype(i8)
        idx = ((a >> i8(3)) * self.local_n + C.lane)
        if per > 1:
            idx = idx * per + ((a & i8(7)) >> i8(LOG2[w]))
        return idx

    def ld_local(self, C, addr, w, nv, ln):
        if self.hooks is not None:
            self.hooks.access(C, "ld", "local", addr, w * nv, ln)
        lo = self.check_window(C, self.local_win, addr, w * nv, ln, "load", "local")
        data = self._cached(self._lv, self.local_data, w)
        init = self._cached(self._li, self.local_init, w)
        uni = addr.size == 1
        out = []
        for j in range(nv):
            a = addr if j == 0 else addr + addr.dtype.type(j * w)
            idx = self.local_index(C, a, w, lo + j * w if uni else None)
            if "local" not in self.allow_uninit:
                self.check_init(C, init, idx, w, a, ln, "load", "local", "local memory")
            out.append(data.take(idx, mode="wrap"))
        return tuple(out)

    def st_local(self, C, addr, vals, w, ln):
        nv = len(vals)
        if self.hooks is not None:
            self.hooks.access(C, "st", "local", addr, w * nv, ln, vals)
        lo = self.check_window(C, self.local_win, addr, w * nv, ln, "store", "local")
        data = self._cached(self._lv, self.local_data, w)
        init = self._cached(self._li, self.local_init, w)
        uni = addr.size == 1
        for j, v in enumerate(vals):
            a = addr if j == 0 else addr + addr.dtype.type(j * w)
            idx = self.local_index(C, a, w, lo + j * w if uni else None)
            data[idx] = v
            init[idx] = _ONES[w]

    # -- generic
    def ld_generic(self, C, addr, w, nv, ln):
        k = self.one_window(addr)
        if k == ID_SHARED:
            return self.ld_shared(C, addr - K_SHARED, w, nv, ln)
        if k == ID_LOCAL:
            return self.ld_local(C, addr - K_LOCAL, w, nv, ln)
        if k is None:
            return self.gather_parts(C, addr, w, nv, ln, "generic")
        return self.ld_global(C, addr, w, nv, ln, "generic")

    def st_generic(self, C, addr, vals, w, ln):
        k = self.one_window(addr)
        if k == ID_SHARED:
            self.st_shared(C, addr - K_SHARED, vals, w, ln)
        elif k == ID_LOCAL:
            self.st_local(C, addr - K_LOCAL, vals, w, ln)
        elif k is None:
            self.scatter_parts(C, addr, vals, w, ln, "generic")
        else:
            self.st_global(C, addr, vals, w, ln, "generic")

    @staticmethod
    def one_window(addr):
        """ID_SHARED / ID_LOCAL when all addresses are in that window, 0 when all
        are outside both, None when mixed."""
        lo = int(addr.min()) >> IDS
        hi = int(addr.max()) >> IDS
        if lo == hi:
            return lo if lo in (ID_SHARED, ID_LOCAL) else 0
        if lo > ID_LOCAL:
            return 0
        return None

    def ld_param(self, C, addr, w, nv, ln):
        """ld.param through a register: kernel parameter window or a local copy."""
        if int(addr.min()) >> IDS == ID_PARAM:
            return self.ld_global(C, addr, w, nv, ln, "param")
        return self.ld_local(C, addr, w, nv, ln)

    # -- vector accesses with unused elements
    def ld_masked(self, C, addr, w, nv, ln, fn, used, *rest):
        """Vector load of which only the elements flagged in `used` are checked and
        delivered; the others get a poison value."""
        self.check_vector_align(C, addr, w * nv, ln)
        out = []
        for j in range(nv):
            if used[j]:
                a = addr if j == 0 else addr + addr.dtype.type(j * w)
                out.append(fn(C, a, w, 1, ln, *rest)[0])
            else:
                out.append(self.K_poison[w])
        return tuple(out)

    def st_masked(self, C, addr, vals, w, ln, fn, *rest):
        self.check_vector_align(C, addr, w * len(vals), ln)
        for j, v in enumerate(vals):
            if v is not None:
                a = addr if j == 0 else addr + addr.dtype.type(j * w)
                fn(C, a, (v,), w, ln, *rest)

    def check_vector_align(self, C, addr, size, ln):
        m = int(addr[0]) if addr.size == 1 else int(np.bitwise_or.reduce(addr))
        if m & (size - 1):
            self.misaligned(C, addr, size, ln, "vector access", "vector")

    # -- predicated forms
    def pred_ld(self, C, p, fn, olds, addr, w, nv, *rest):
        if p.size == 1:
            return fn(C, addr, w, nv, *rest) if p[0] else tuple(olds)
        sel = np.flatnonzero(p)
        if sel.size == 0:
            return tuple(olds)
        sub = C.sub(sel)
        part = fn(sub, addr if addr.size == 1 else addr[sel], w, nv, *rest)
        out = []
        for o, v in zip(olds, part):
            r = np.repeat(o, p.size, axis=0) if o.shape[0] == 1 else o.copy()
            r[sel] = v
            out.append(r)
        return tuple(out)

    def pred_st(self, C, p, fn, addr, vals, *rest):
        if p.size == 1:
            if p[0]:
                fn(C, addr, vals, *rest)
            return
        sel = np.flatnonzero(p)
        if sel.size == 0:
            return
        fn(C.sub(sel), addr if addr.size == 1 else addr[sel],
           [v if v is None or v.shape[0] == 1 else v[sel] for v in vals], *rest)

    # -- atomics
    def atom(self, C, space, op, tag, addr, vals, ln, ret=True):
        """One atomic per thread in lane order.  tag: 'u4','i4','f4','f16',...
        Returns the old values as unsigned bits."""
        w = ATOM_W[tag]
        if addr.size == 1 and C.n > 1:
            addr = np.repeat(addr, C.n)
        if space == "generic":
            k = self.one_window(addr)
            if k == ID_SHARED:
                space, addr = "shared", addr - K_SHARED
            elif k == ID_LOCAL:
                self.fault(MemoryFault, C, 0, ln, "atomic on local memory", "local",
                           int(addr[0]), w)
            elif k is None:
                return self.atom_parts(C, space, op, tag, addr, vals, ln)
        if space == "shared":
            idx = self.locate_shared(C, addr, w, ln, "atomic")
            if self.hooks is not None:
                self.hooks.access(C, "atom", space, addr, w, ln)
            if "shared" not in self.allow_uninit:
                self.check_init(C, self._cached(self._si, self.shared_init, w), idx, w, addr,
                                ln, "atomic", "shared", "shared memory")
            arr = self._cached(self._sv, self.shared_data, w)
        else:
            loc = self.locate_global(C, addr, w, ln, "atomic", space)
            if loc is None:
                return self.atom_parts(C, space, op, tag, addr, vals, ln)
            if self.hooks is not None:
                self.hooks.access(C, "atom", space, addr, w, ln)
            r, idx = loc
            if r.readonly:
                self.fault(ReadOnlyWrite, C, 0, ln, "atomic on read-only %s" % r.name, space,
                           int(addr[0]), w)
            if r.shadow is not None:
                self.check_init(C, r.sview(w), idx, w, addr, ln, "atomic", "global", r.name)
            r.dirty_line = ln
            arr = r.view(w)
        n = idx.size
        vals = [v if v.size == n else np.repeat(v, n) for v in vals]
        return rmw(arr, idx, op, tag, vals, flush=(space != "shared"))

    def atom_parts(self, C, space, op, tag, addr, vals, ln):
        out = np.empty(addr.size, UT[ATOM_W[tag]])
        for k, sel in self.split(C, addr):
            out[sel] = self.atom(C.sub(sel), space, op, tag, addr[sel],
                                 [v if v.size == 1 else v[sel] for v in vals], ln)
        return out

    def pred_atom(self, C, p, old, space, op, tag, addr, vals, ln):
        if p.size == 1:
            return self.atom(C, space, op, tag, addr, vals, ln) if p[0] else old
        sel = np.flatnonzero(p)
        if sel.size == 0:
            return old
        r = self.atom(C.sub(sel), space, op, tag, addr if addr.size == 1 else addr[sel],
                      [v if v.size == 1 else v[sel] for v in vals], ln)
        if old is None:
            return None
        o = np.repeat(old, p.size) if old.size == 1 else old.copy()
        o[sel] = r
        return o


ATOM_W = {"u4": 4, "i4": 4, "u8": 8, "i8": 8, "f4": 4, "f8": 8, "u2": 2, "f16": 2, "bf16": 2,
          "f16x2": 4, "bf16x2": 4}


def unpack(v, w, nv):
    if nv == 1:
        return (v,)
    n = v.shape[0]
    x = np.ascontiguousarray(v).view(UT[w]).reshape(n, nv)
    return tuple(np.ascontiguousarray(x[:, j]) for j in range(nv))


def pack(vals, w):
    """List of (n,)/(1,) arrays -> elements of w*len(vals) bytes."""
    if len(vals) == 1:
        return vals[0]
    n = max(v.size for v in vals)
    nv = len(vals)
    x = np.empty((n, nv), UT[w])
    for j, v in enumerate(vals):
        x[:, j] = v
    size = w * nv
    if size <= 8:
        return x.view(UT[size]).reshape(-1)
    if size == 16:
        return x.view(C16).reshape(-1)
    return x.view(C16).reshape(-1, 2)


def put(arr, idx, v):
    """arr[idx] = v with the last thread winning; idx may be one common index."""
    if idx.size == 1 and v.shape[0] > 1:
        arr[idx] = v[-1:]
    else:
        arr[idx] = v


def set_init(sv, idx, size):
    if size <= 8:
        sv[idx] = _ONES[size]
    else:
        one = np.array([_ONES[8]] * 2, u8).view(C16)
        sv[idx] = one if size == 16 else np.repeat(one, 2)


# --- read-modify-write ---------------------------------------------------------

def _h_add(wide, narrow):
    def f(a, b):
        return narrow(wide(a).astype(f8) + wide(b).astype(f8))
    return f


def _f32add(a, b):
    r = a.view(f4) + b.view(f4)
    return canon32(r).view(u4)


def _f32add_ftz(a, b):
    r = ftz32(ftz32(a.view(f4)) + ftz32(b.view(f4)))
    return canon32(r).view(u4)


def _minmax_f(dt, is_max):
    def f(a, b):
        r = fminmax(a.view(dt), b.view(dt), is_max, False)
        return r.view(UT[np.dtype(dt).itemsize])
    return f


def step_fn(op, tag, flush):
    """(old bits, value bits) -> new bits, elementwise."""
    if op == "add":
        if tag in ("u4", "i4", "u8", "i8"):
            return lambda a, b: a + b
        if tag == "f4":
            return _f32add_ftz if flush else _f32add
        if tag == "f8":
            return lambda a, b: (a.view(f8) + b.view(f8)).view(u8)
        if tag == "f16":
            return lambda a, b: h_bin(a, b, "add")
        if tag == "bf16":
            return lambda a, b: b_bin(a, b, "add")
        if tag == "f16x2":
            return lambda a, b: x2(lambda x, y: h_bin(x, y, "add"), a, b)
        if tag == "bf16x2":
            return lambda a, b: x2(lambda x, y: b_bin(x, y, "add"), a, b)
    if op in ("min", "max"):
        mx = op == "max"
        if tag[0] in "ui":
            dt = (IT if tag[0] == "i" else UT)[ATOM_W[tag]]
            ut = UT[ATOM_W[tag]]
            fn = np.maximum if mx else np.minimum
            return lambda a, b: fn(a.view(dt), b.view(dt)).view(ut)
        if tag in ("f4", "f8"):
            return _minmax_f(f4 if tag == "f4" else f8, mx)
        wide = f16_to_f32 if tag.startswith("f16") else bf16_to_f32
        g = lambda a, b: hb_minmax(a, b, mx, False, wide)
        if tag.endswith("x2"):
            return lambda a, b: x2(g, a, b)
        return g
    if op == "and":
        return lambda a, b: a & b
    if op == "or":
        return lambda a, b: a | b
    if op == "xor":
        return lambda a, b: a ^ b
    if op == "exch":
        return lambda a, b: b
    if op == "inc":
        return lambda a, b: np.where(a >= b, a.dtype.type(0), a + a.dtype.type(1))
    if op == "dec":
        return lambda a, b: np.where((a == 0) | (a > b), b, a - a.dtype.type(1))
    raise KeyError((op, tag))


def rmw(arr, idx, op, tag, vals, flush):
    """Atomics in thread order; returns the value each thread saw."""
    n = idx.size
    if op == "cas":
        return _cas(arr, idx, vals[0], vals[1])
    v = vals[0]
    fn = step_fn(op, tag, flush)
    if n == 1:
        old = arr[idx]
        arr[idx] = fn(old, v)
        return old
    order = np.argsort(idx, kind="stable")
    si = idx[order]
    new = np.empty(n, bool)
    new[0] = True
    np.not_equal(si[1:], si[:-1], out=new[1:])
    starts = np.flatnonzero(new)
    if starts.size == n:
        old = arr[idx]
        arr[idx] = fn(old, v)
        return old
    sv = v[order]
    mem = arr[si[starts]]
    cnt = np.diff(np.append(starts, n))
    seg = np.repeat(np.arange(starts.size), cnt)
    old_s = np.empty(n, arr.dtype)
    if op == "exch":
        old_s[1:] = sv[:-1]
        old_s[starts] = mem
        arr[si[starts]] = sv[starts + cnt - 1]
    elif op in ("add", "xor") and tag[0] in "ui":
        if op == "add":
            c = np.cumsum(sv, dtype=arr.dtype)
            excl = c - sv
            excl = excl - excl[starts][seg]
            old_s = mem[seg] + excl
        else:
            c = np.bitwise_xor.accumulate(sv)
            excl = c ^ sv
            excl = excl ^ excl[starts][seg]
            old_s = mem[seg] ^ excl
        last = starts + cnt - 1
        arr[si[starts]] = fn(old_s[last], sv[last])
    else:
        acc = _accumulator(op, tag)
        mx = int(cnt.max())
        if acc is not None and starts.size < mx:
            ok = True
            finals = mem.copy()
            for k in range(starts.size):
                s, e = starts[k], starts[k] + cnt[k]
                seq = np.concatenate([mem[k:k + 1], sv[s:e]])
                a = acc(seq)
                if op == "add" and tag == "f4":
                    f = a.view(f4)
                    x = np.abs(np.concatenate([f, seq.view(f4)]))
                    if (flush and ((x < TINY32) & (x != 0)).any()) or (f != f).any():
                        ok = False
                        break
                old_s[s:e] = a[:-1]
                finals[k] = a[-1]
            if ok:
                arr[si[starts]] = finals
                out = np.empty(n, arr.dtype)
                out[order] = old_s
                return out
        # rounds: the r-th thread of every address at once
        rank = np.arange(n) - starts[seg]
        cur = mem.copy()
        byrank = np.argsort(rank, kind="stable")
        rc = np.bincount(rank)
        p = 0
        for r in range(mx):
            ii = byrank[p:p + rc[r]]
            p += rc[r]
            ss = seg[ii]
            o = cur[ss]
            old_s[ii] = o
            cur[ss] = fn(o, sv[ii])
        arr[si[starts]] = cur
    out = np.empty(n, arr.dtype)
    out[order] = old_s
    return out


def _accumulator(op, tag):
    if op == "and":
        return np.bitwise_and.accumulate
    if op == "or":
        return np.bitwise_or.accumulate
    if op in ("min", "max") and tag[0] in "ui":
        dt = (IT if tag[0] == "i" else UT)[ATOM_W[tag]]
        ut = UT[ATOM_W[tag]]
        f = np.maximum if op == "max" else np.minimum
        return lambda s: f.accumulate(s.view(dt)).view(ut)
    if op == "add" and tag == "f4":
        return lambda s: np.add.accumulate(s.view(f4)).view(u4)
    if op == "add" and tag == "f8":
        return lambda s: np.add.accumulate(s.view(f8)).view(u8)
    return None


def _cas(arr, idx, cmp, new):
    """Compare-and-swap in thread order."""
    n = idx.size
    old = np.empty(n, arr.dtype)
    order = np.argsort(idx, kind="stable")
    si = idx[order]
    c, w = cmp[order], new[order]
    first = np.empty(n, bool)
    first[0] = True
    np.not_equal(si[1:], si[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    if starts.size == n:
        old = arr[idx]
        arr[idx] = np.where(old == cmp, new, old)
        return old
    cnt = np.diff(np.append(starts, n))
    old_s = np.empty(n, arr.dtype)
    # addresses with a single thread in one go
    one = cnt == 1
    if one.any():
        p = starts[one]
        o = arr[si[p]]
        old_s[p] = o
        arr[si[p]] = np.where(o == c[p], w[p], o)
    for k in np.flatnonzero(~one):
        s, e = int(starts[k]), int(starts[k] + cnt[k])
        m = arr[si[s]]
        pos = s
        while pos < e:
            hit = c[pos:e] == m
            j = int(hit.argmax())
            if not hit[j]:
                old_s[pos:e] = m
                break
            old_s[pos:pos + j + 1] = m
            m = w[pos + j]
            pos += j + 1
        arr[si[s]] = m
    out = np.empty(n, arr.dtype)
    out[order] = old_s
    return out
