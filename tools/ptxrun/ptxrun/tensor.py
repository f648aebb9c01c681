# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix instructions: mma, ldmatrix, stmatrix, wmma.

Register arrays have one element per thread; whole warps take part.  Fragment
layouts of mma/ldmatrix/stmatrix follow the PTX ISA tables; those of wmma are
left open by the ISA, here element e of lane l is number (l*E + e) modulo the
matrix size in row-major order.

Numerics: products are exact in f64, one dot product plus the accumulator is
summed in f64 and rounded once to the destination.
"""

import numpy as np

from .errors import Divergence
from .softfp import bf16_to_f32, f16_to_f32, f4, f64_to_f16, f8, i1, i4, i8, u1, u2, u4, u8

LANE = np.arange(32)
G, T = LANE >> 2, LANE & 3


def _frag(rows, cols):
    """Lists of per-element (32,) arrays -> (32, E) index arrays."""
    return np.stack(rows, axis=1), np.stack(cols, axis=1)


def _layouts():
    L = {}

    def c16(n=8):
        return _frag([G + 8 * (i >> 1) for i in range(4)], [T * 2 + (i & 1) for i in range(4)])
    # 16-bit types
    a = _frag([G + 8 * ((i >> 1) & 1) for i in range(8)],
              [T * 2 + (i & 1) + 8 * (i >> 2) for i in range(8)])
    b = _frag([T * 2 + (i & 1) + 8 * (i >> 1) for i in range(4)], [G] * 4)
    L["16", "m16n8k16"] = (a, b, c16())
    a = _frag([G + 8 * (i >> 1) for i in range(4)], [T * 2 + (i & 1) for i in range(4)])
    b = _frag([T * 2 + i for i in range(2)], [G] * 2)
    L["16", "m16n8k8"] = (a, b, c16())
    # tf32
    L["tf32", "m16n8k4"] = (_frag([G, G + 8], [T, T]), _frag([T], [G]), c16())
    L["tf32", "m16n8k8"] = (_frag([G, G + 8, G, G + 8], [T, T, T + 4, T + 4]),
                            _frag([T, T + 4], [G, G]), c16())
    # 8-bit integers
    a = _frag([G + 8 * (i >> 2) for i in range(8)], [T * 4 + (i & 3) for i in range(8)])
    b = _frag([T * 4 + i for i in range(4)], [G] * 4)
    L["8", "m16n8k16"] = (a, b, c16())
    a = _frag([G + 8 * ((i >> 2) & 1) for i in range(16)],
              [T * 4 + (i & 3) + 16 * (i >> 3) for i in range(16)])
    b = _frag([T * 4 + (i & 3) + 16 * (i >> 2) for i in range(8)], [G] * 8)
    L["8", "m16n8k32"] = (a, b, c16())
    # f64
    L["f64", "m8n8k4"] = (_frag([G], [T]), _frag([T], [G]), _frag([G, G], [T * 2, T * 2 + 1]))
    return L


LAYOUT = _layouts()
KIND = {"f16": "16", "bf16": "16", "tf32": "tf32", "s8": "8", "u8": "8", "f64": "f64"}


def dims(shape):
    m, rest = shape[1:].split("n")
    n, k = rest.split("k")
    return int(m), int(n), int(k)


def full_warps(M, C, ln, what):
    segs = C.segs()
    if not segs["allfull"]:
        i = int(np.flatnonzero(segs["amask"] != u4(0xffffffff))[0])
        th, bl = C.where(int(segs["start"][i]))
        raise Divergence("%s needs all 32 threads of the warp (thread %s of block %s)" % (
            what, th, bl), ln, M.text(ln))
    return segs["start"].size


def spread(regs, n):
    return [r if r.shape[0] == n else np.repeat(r, n, axis=0) for r in regs]


def elements(regs, ty, n):
    """Registers -> (n, E) values: f8 for float types, i8 for integers."""
    regs = spread(regs, n)
    if ty == "f64":
        return np.stack([r.view(f8) for r in regs], axis=1)
    if ty == "f32":
        return np.stack([r.view(f4) for r in regs], axis=1).astype(f8)
    if ty == "s32":
        return np.stack([r.view(i4) for r in regs], axis=1).astype(i8)
    x = np.stack(regs, axis=1)                               # (n, R) u4
    if ty == "tf32":
        return (x & u4(0xffffe000)).view(f4).astype(f8)
    if ty in ("f16", "bf16"):
        h = x.view(u2)
        return (f16_to_f32(h) if ty == "f16" else bf16_to_f32(h)).astype(f8)
    return x.view(i1 if ty == "s8" else u1).astype(i8)


def pack(v, ty):
    """(n, E) results (f8 or i8) -> list of register arrays."""
    if ty == "f64":
        return [np.ascontiguousarray(v[:, j]) for j in range(v.shape[1])]
    if ty == "f32":
        r = v.astype(f4)
        b = np.where(r != r, u4(0x7fffffff), r.view(u4))
        return [np.ascontiguousarray(b[:, j]) for j in range(v.shape[1])]
    if ty == "s32":
        b = v.astype(i4).view(u4)
        return [np.ascontiguousarray(b[:, j]) for j in range(v.shape[1])]
    h = np.ascontiguousarray(f64_to_f16(np.ascontiguousarray(v).reshape(-1)).reshape(v.shape))
    w = h.view(u4)
    return [np.ascontiguousarray(w[:, j]) for j in range(w.shape[1])]


def to_matrix(e, lay, nw, rows, cols):
    M = np.zeros((nw, rows, cols), e.dtype)
    M[:, lay[0], lay[1]] = e.reshape(nw, 32, -1)
    return M


def product(A, B, Cm, sat):
    D = np.matmul(A, B) + Cm
    if D.dtype == i8 and sat:
        D = np.clip(D, -2 ** 31, 2 ** 31 - 1)
    return D


def mma(M, C, shape, tys, sat, a, b, c, ln):
    """tys: (dtype, atype, btype, ctype)."""
    nw = full_warps(M, C, ln, "mma.sync")
    dt, at, bt, ct = tys
    m, n, k = dims(shape)
    la, lb, lc = LAYOUT[KIND[at], shape]
    A = to_matrix(elements(a, at, C.n), la, nw, m, k)
    B = to_matrix(elements(b, bt, C.n), lb, nw, k, n)
    Cm = to_matrix(elements(c, ct, C.n), lc, nw, m, n)
    D = product(A, B, Cm, sat)
    return pack(D[:, lc[0], lc[1]].reshape(C.n, -1), dt)


def _lanes(C, nw, count):
    return (np.arange(nw)[:, None] * 32 + np.arange(count)[None, :]).reshape(-1)


def ldmatrix(M, C, num, trans, space, addr, ln):
    nw = full_warps(M, C, ln, "ldmatrix")
    idx = _lanes(C, nw, 8 * num)
    ad = (addr if addr.size == C.n else np.repeat(addr, C.n))[idx]
    fn = M.ld_shared if space == "shared" else M.ld_generic
    w = fn(C.sub(idx), ad, 4, 4, ln)
    d = np.stack(w, axis=1).view(u2).reshape(nw, num, 8, 8)
    if trans:
        d = d.transpose(0, 1, 3, 2)
    out = []
    for j in range(num):
        lo = d[:, j, G, T * 2].astype(u4)
        hi = d[:, j, G, T * 2 + 1].astype(u4)
        out.append((lo | (hi << u4(16))).reshape(-1))
    return out


def stmatrix(M, C, num, trans, space, addr, regs, ln):
    nw = full_warps(M, C, ln, "stmatrix")
    regs = spread(regs, C.n)
    d = np.zeros((nw, num, 8, 8), u2)
    for j in range(num):
        r = regs[j].reshape(nw, 32)
        d[:, j, G, T * 2] = (r & u4(0xffff)).astype(u2)
        d[:, j, G, T * 2 + 1] = (r >> u4(16)).astype(u2)
    if trans:
        d = d.transpose(0, 1, 3, 2)
    d = np.ascontiguousarray(d).reshape(-1, 8).view(u4)
    idx = _lanes(C, nw, 8 * num)
    ad = (addr if addr.size == C.n else np.repeat(addr, C.n))[idx]
    fn = M.st_shared if space == "shared" else M.st_generic
    fn(C.sub(idx), ad, tuple(np.ascontiguousarray(d[:, k]) for k in range(4)), 4, ln)


# --- wmma ----------------------------------------------------------------------

ESIZE = {"f16": 2, "bf16": 2, "s8": 1, "u8": 1, "tf32": 4, "f32": 4, "s32": 4, "f64": 8}
PER = {"f16": 2, "bf16": 2, "s8": 4, "u8": 4, "tf32": 1, "f32": 1, "s32": 1, "f64": 1}


def wmma_dims(which, shape):
    m, n, k = dims(shape)
    return {"a": (m, k), "b": (k, n), "c": (m, n), "d": (m, n)}[which]


def wmma_index(nregs, ty, rows, cols):
    e = nregs * PER[ty]
    return (LANE[:, None] * e + np.arange(e)[None, :]) % (rows * cols)      # (32, E)


def wmma_addresses(C, which, shape, layout, ty, nregs, addr, stride):
    rows, cols = wmma_dims(which, shape)
    pos = wmma_index(nregs, ty, rows, cols)
    r, c = pos // cols, pos % cols
    n = C.n
    nw = n // 32
    ld = None
    if stride is None:
        ld = np.full(n, cols if layout == "row" else rows, dtype=i8)
    else:
        s = stride if stride.size == n else np.repeat(stride, n)
        ld = s.astype(i8)
    base = (addr if addr.size == n else np.repeat(addr, n)).astype(u8)
    R, Cc = np.tile(r, (nw, 1)), np.tile(c, (nw, 1))                        # (n, E)
    off = (R * ld[:, None] + Cc) if layout == "row" else (Cc * ld[:, None] + R)
    return base[:, None] + (off * ESIZE[ty]).astype(u8)


def _space_fn(M, kind, space):
    return getattr(M, "%s_%s" % (kind, space or "generic"))


def wmma_load(M, C, which, shape, layout, space, ty, nregs, addr, stride, ln):
    full_warps(M, C, ln, "wmma.load")
    A = wmma_addresses(C, which, shape, layout, ty, nregs, addr, stride)
    fn = _space_fn(M, "ld", space)
    w = ESIZE[ty]
    cols = [fn(C, np.ascontiguousarray(A[:, e]), w, 1, ln)[0] for e in range(A.shape[1])]
    x = np.ascontiguousarray(np.stack(spread(cols, C.n), axis=1))
    if w < 4:
        x = x.view(u4)
    return [np.ascontiguousarray(x[:, j]) for j in range(nregs)]


def wmma_store(M, C, shape, layout, space, ty, regs, addr, stride, ln):
    full_warps(M, C, ln, "wmma.store")
    A = wmma_addresses(C, "d", shape, layout, ty, len(regs), addr, stride)
    fn = _space_fn(M, "st", space)
    w = ESIZE[ty]
    x = np.ascontiguousarray(np.stack(spread(regs, C.n), axis=1))
    if w == 2:
        x = x.view(u2)
    for e in range(A.shape[1]):
        fn(C, np.ascontiguousarray(A[:, e]), (np.ascontiguousarray(x[:, e]),), w, ln)


def wmma_mma(M, C, shape, tys, sat, a, b, c, ln):
    nw = full_warps(M, C, ln, "wmma.mma")
    dt, at, bt, ct = tys
    mats = []
    for which, regs, ty in (("a", a, at), ("b", b, bt), ("c", c, ct)):
        rows, cols = wmma_dims(which, shape)
        pos = wmma_index(len(regs), ty, rows, cols)
        e = elements(regs, ty, C.n).reshape(nw, 32, -1)
        m = np.zeros((nw, rows * cols), e.dtype)
        m[:, pos] = e
        mats.append(m.reshape(nw, rows, cols))
    D = product(*mats, sat)
    rows, cols = wmma_dims("d", shape)
    nreg = rows * cols // 32 // PER[dt]
    pos = wmma_index(nreg, dt, rows, cols)
    return pack(D.reshape(nw, -1)[:, pos].reshape(C.n, -1), dt)
