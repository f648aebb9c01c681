# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every arithmetic, logic, comparison and conversion instruction against the exact
scalar model in refmodel.py, on edge cases and random operands; plain and with a
guard predicate.  The kernels are also given to ptxas, so that only real PTX forms
are tested."""

import random
import zlib

import pytest

import refmodel as R
from common import needs_ptxas, op_kernel, pool, ptxas_ok, run_op

N = 1500
CASES = []


class Case:
    def __init__(self, body, ins, outs, ref, arch="sm_90", n=N, pools=None, name=None):
        self.body, self.ins, self.outs, self.ref = body, ins.split(), outs.split(), ref
        self.arch, self.n, self.pools = arch, n, pools or {}
        self.id = name or body.split(";")[0].replace("{g} ", "").replace(" ", "_").replace(
            ",", "").replace("{", "").replace("}", "")[:60]


def C(body, ins, outs, ref, **kw):
    CASES.append(Case(body, ins, outs, ref, **kw))


U, S = R.u, R.s

# --- integers -----------------------------------------------------------------
for w in (16, 32, 64):
    for sg in "us":
        t = "%s%d" % (sg, w)
        b = "b%d" % w
        f = (lambda w, sg: (lambda x: S(x, w)) if sg == "s" else (lambda x: x))(w, sg)
        C("{g} add.%s {o0}, {i0}, {i1};" % t, "%s %s" % (b, b), b,
          lambda x, y, w=w: U(x + y, w))
        C("{g} sub.%s {o0}, {i0}, {i1};" % t, "%s %s" % (b, b), b,
          lambda x, y, w=w: U(x - y, w))
        C("{g} mul.lo.%s {o0}, {i0}, {i1};" % t, "%s %s" % (b, b), b,
          lambda x, y, w=w: U(x * y, w))
        C("{g} mul.hi.%s {o0}, {i0}, {i1};" % t, "%s %s" % (b, b), b,
          lambda x, y, w=w, f=f: U((f(x) * f(y)) >> w, w))
        C("{g} mad.lo.%s {o0}, {i0}, {i1}, {i2};" % t, "%s %s %s" % (b, b, b), b,
          lambda x, y, z, w=w: U(x * y + z, w))
        C("{g} mad.hi.%s {o0}, {i0}, {i1}, {i2};" % t, "%s %s %s" % (b, b, b), b,
          lambda x, y, z, w=w, f=f: U(((f(x) * f(y)) >> w) + z, w))
        if w < 64:
            C("{g} mul.wide.%s {o0}, {i0}, {i1};" % t, "%s %s" % (b, b), "b%d" % (2 * w),
              lambda x, y, w=w, f=f: U(f(x) * f(y), 2 * w))
            C("{g} mad.wide.%s {o0}, {i0}, {i1}, {i2};" % t,
              "%s %s b%d" % (b, b, 2 * w), "b%d" % (2 * w),
              lambda x, y, z, w=w, f=f: U(f(x) * f(y) + z, 2 * w))

        def dv(x, y, w=w, f=f):
            x, y = f(x), f(y)
            return U(-1, w) if y == 0 else U(R.trunc_div(x, y), w)

        def rm(x, y, w=w, f=f):
            x, y = f(x), f(y)
            return U(x, w) if y == 0 else U(x - y * R.trunc_div(x, y), w)
        C("{g} div.%s {o0}, {i0}, {i1};" % t, "%s %s" % (b, b), b, dv)
        C("{g} rem.%s {o0}, {i0}, {i1};" % t, "%s %s" % (b, b), b, rm)
        C("{g} min.%s {o0}, {i0}, {i1};" % t, "%s %s" % (b, b), b,
          lambda x, y, w=w, f=f: U(min(f(x), f(y)), w))
        C("{g} max.%s {o0}, {i0}, {i1};" % t, "%s %s" % (b, b), b,
          lambda x, y, w=w, f=f: U(max(f(x), f(y)), w))
        C("{g} sad.%s {o0}, {i0}, {i1}, {i2};" % t, "%s %s %s" % (b, b, b), b,
          lambda x, y, z, w=w, f=f: U(abs(f(x) - f(y)) + z, w))
        for op in ("eq", "ne", "lt", "le", "gt", "ge"):
            C("{g} setp.%s.%s {o0}, {i0}, {i1};" % (op, t), "%s %s" % (b, b), "pred",
              lambda x, y, f=f, op=op: int(R.compare(op, (f(x) > f(y)) - (f(x) < f(y)))),
              n=400)
        C("{g} shr.%s {o0}, {i0}, {i1};" % t, "%s b32" % b, b,
          lambda x, y, w=w, f=f: U(f(x) >> min(y, 200), w))
        for k in (0, 1, w // 2, w - 1, w, w + 7):
            C("{g} shr.%s {o0}, {i0}, %d;" % (t, k), b, b,
              lambda x, w=w, f=f, k=k: U(f(x) >> k, w), n=200)
    for op, g in (("lo", "lt"), ("ls", "le"), ("hi", "gt"), ("hs", "ge")):
        C("{g} setp.%s.u%d {o0}, {i0}, {i1};" % (op, w), "b%d b%d" % (w, w), "pred",
          lambda x, y, g=g: int(R.compare(g, (x > y) - (x < y))), n=300)
    b = "b%d" % w
    C("{g} shl.%s {o0}, {i0}, {i1};" % b, "%s b32" % b, b,
      lambda x, y, w=w: U(x << y, w) if y < w else 0)
    for k in (0, 1, w - 1, w, w + 3):
        C("{g} shl.%s {o0}, {i0}, %d;" % (b, k), b, b,
          lambda x, w=w, k=k: U(x << k, w), n=200)
    C("{g} and.%s {o0}, {i0}, {i1};" % b, "%s %s" % (b, b), b, lambda x, y: x & y, n=300)
    C("{g} or.%s {o0}, {i0}, {i1};" % b, "%s %s" % (b, b), b, lambda x, y: x | y, n=300)
    C("{g} xor.%s {o0}, {i0}, {i1};" % b, "%s %s" % (b, b), b, lambda x, y: x ^ y, n=300)
    C("{g} not.%s {o0}, {i0};" % b, b, b, lambda x, w=w: U(~x, w), n=300)
    C("{g} cnot.%s {o0}, {i0};" % b, b, b, lambda x: int(x == 0), n=300)
    C("{g} abs.s%d {o0}, {i0};" % w, b, b, lambda x, w=w: U(abs(S(x, w)), w), n=300)
    C("{g} neg.s%d {o0}, {i0};" % w, b, b, lambda x, w=w: U(-x, w), n=300)
    C("{g} selp.%s {o0}, {i0}, {i1}, {i2};" % b, "%s %s pred" % (b, b), b,
      lambda x, y, p: x if p else y, n=5000)
    C("{g} mov.%s {o0}, {i0};" % b, b, b, lambda x: x, n=300)
    C("{g} slct.%s.s32 {o0}, {i0}, {i1}, {i2};" % b, "%s %s b32" % (b, b), b,
      lambda x, y, c: x if S(c, 32) >= 0 else y)
    if w > 16:
        C("{g} popc.%s {o0}, {i0};" % b, b, "b32", lambda x: bin(x).count("1"))
        C("{g} clz.%s {o0}, {i0};" % b, b, "b32", lambda x, w=w: w - x.bit_length())
        C("{g} brev.%s {o0}, {i0};" % b, b, b,
          lambda x, w=w: int(format(x, "0%db" % w)[::-1], 2))
        for sg in "us":
            def bf(x, w=w, sg=sg):
                if sg == "s" and x >> (w - 1):
                    x = U(~x, w)
                return x.bit_length() - 1 if x else 0xffffffff

            def bfs(x, w=w, bf=bf):
                r = bf(x)
                return r if r == 0xffffffff else w - 1 - r
            C("{g} bfind.%s%d {o0}, {i0};" % (sg, w), b, "b32", bf)
            C("{g} bfind.shiftamt.%s%d {o0}, {i0};" % (sg, w), b, "b32", bfs)

            def bfe(a, p, n, w=w, sg=sg):
                p &= 255
                n &= 255
                msb = w - 1
                sb = 0 if sg == "u" or n == 0 else (a >> min(p + n - 1, msb)) & 1
                d = 0
                for i in range(w):
                    bit = (a >> (p + i)) & 1 if i < n and p + i <= msb else sb
                    d |= bit << i
                return d
            C("{g} bfe.%s%d {o0}, {i0}, {i1}, {i2};" % (sg, w), "%s b32 b32" % b, b, bfe,
              pools={1: "shift", 2: "shift"})
            for p, n in ((0, 8), (8, 8), (w - 8, 8), (3, w - 3), (0, w), (5, 0), (w - 4, 9)):
                C("{g} bfe.%s%d {o0}, {i0}, %d, %d;" % (sg, w, p, n), b, b,
                  lambda a, p=p, n=n, bfe=bfe: bfe(a, p, n), n=200)

        def bfi(a, b_, c, d, w=w):
            pos, ln = c & 255, d & 255
            f = b_
            for i in range(w):
                if i < ln and pos + i < w:
                    f = (f & ~(1 << (pos + i))) | (((a >> i) & 1) << (pos + i))
            return f
        C("{g} bfi.%s {o0}, {i0}, {i1}, {i2}, {i3};" % b, "%s %s b32 b32" % (b, b), b, bfi,
          pools={2: "shift", 3: "shift"})

C("{g} add.sat.s32 {o0}, {i0}, {i1};", "b32 b32", "b32",
  lambda x, y: U(max(-2**31, min(2**31 - 1, S(x, 32) + S(y, 32))), 32))
C("{g} sub.sat.s32 {o0}, {i0}, {i1};", "b32 b32", "b32",
  lambda x, y: U(max(-2**31, min(2**31 - 1, S(x, 32) - S(y, 32))), 32))
C("{g} mad.hi.sat.s32 {o0}, {i0}, {i1}, {i2};", "b32 b32 b32", "b32",
  lambda x, y, z: U(max(-2**31, min(2**31 - 1, ((S(x, 32) * S(y, 32)) >> 32) + S(z, 32))), 32))
for hi in ("lo", "hi"):
    C("{g} mul24.%s.u32 {o0}, {i0}, {i1};" % hi, "b32 b32", "b32",
      lambda x, y, hi=hi: U((x & 0xffffff) * (y & 0xffffff) >> (16 if hi == "hi" else 0), 32))
    C("{g} mul24.%s.s32 {o0}, {i0}, {i1};" % hi, "b32 b32", "b32",
      lambda x, y, hi=hi: U(S(x, 24) * S(y, 24) >> (16 if hi == "hi" else 0), 32))
C("{g} mad24.lo.s32 {o0}, {i0}, {i1}, {i2};", "b32 b32 b32", "b32",
  lambda x, y, z: U(S(x, 24) * S(y, 24) + z, 32))
C("{g} max.relu.s32 {o0}, {i0}, {i1};", "b32 b32", "b32",
  lambda x, y: U(max(S(x, 32), S(y, 32), 0), 32))
C("{g} min.relu.s32 {o0}, {i0}, {i1};", "b32 b32", "b32",
  lambda x, y: U(max(min(S(x, 32), S(y, 32)), 0), 32))


def lanes(x, w=16, n=2, sg=False):
    v = [(x >> (w * i)) & ((1 << w) - 1) for i in range(n)]
    return [S(y, w) for y in v] if sg else v


def join(v, w=16):
    return sum(U(x, w) << (w * i) for i, x in enumerate(v))


for op, fn in (("add", lambda a, b: a + b), ("min", min), ("max", max)):
    for sg in "us":
        if op == "add" or True:
            C("{g} %s.%s16x2 {o0}, {i0}, {i1};" % (op, sg), "u16x2 u16x2", "u16x2",
              lambda x, y, fn=fn, sg=sg: join([fn(a, b) for a, b in zip(
                  lanes(x, sg=sg == "s"), lanes(y, sg=sg == "s"))]))
C("{g} max.relu.s16x2 {o0}, {i0}, {i1};", "u16x2 u16x2", "u16x2",
  lambda x, y: join([max(a, b, 0) for a, b in zip(lanes(x, sg=True), lanes(y, sg=True))]))

# carry chains
C("add.cc.u32 {o0}, {i0}, {i1}; addc.cc.u32 {o1}, {i2}, {i3}; addc.u32 {o2}, 0, 0;",
  "b32 b32 b32 b32", "b32 b32 b32",
  lambda a, b, c, d: tuple(U(((c << 32 | a) + (d << 32 | b)) >> k, 32) for k in (0, 32, 64)))
C("sub.cc.u32 {o0}, {i0}, {i1}; subc.cc.u32 {o1}, {i2}, {i3}; subc.u32 {o2}, 0, 0;",
  "b32 b32 b32 b32", "b32 b32 b32",
  lambda a, b, c, d: tuple(U(((c << 32 | a) - (d << 32 | b)) >> k, 32) for k in (0, 32, 64)))
C("add.cc.u64 {o0}, {i0}, {i1}; addc.u64 {o1}, {i2}, {i3};", "b64 b64 b64 b64", "b64 b64",
  lambda a, b, c, d: tuple(U(((c << 64 | a) + (d << 64 | b)) >> k, 64) for k in (0, 64)))
C("mad.lo.cc.u32 {o0}, {i0}, {i1}, {i2}; madc.hi.u32 {o1}, {i0}, {i1}, {i3};",
  "b32 b32 b32 b32", "b32 b32",
  lambda a, b, c, d: tuple(U((a * b + (d << 32 | c)) >> k, 32) for k in (0, 32)))
C("mad.lo.cc.u32 {o0}, {i0}, {i1}, {i2}; madc.hi.cc.u32 {o1}, {i0}, {i1}, {i3}; "
  "addc.u32 {o2}, 0, 0;", "b32 b32 b32 b32", "b32 b32 b32",
  lambda a, b, c, d: tuple(U((a * b + (d << 32 | c)) >> k, 32) for k in (0, 32, 64)))
C("mad.hi.cc.u32 {o0}, {i0}, {i1}, {i2}; madc.lo.u32 {o1}, {i0}, {i1}, {i3};",
  "b32 b32 b32 b32", "b32 b32",
  lambda a, b, c, d: (U((a * b >> 32) + c, 32),
                      U(a * b + d + (((a * b >> 32) + c) >> 32), 32)))

# logic
for lut in (0x00, 0xff, 0xf0, 0xcc, 0xaa, 0x96, 0xe8, 0xca, 0x80, 0xfe, 0x1d, 0x27, 0x6a, 0xd8,
            0xb8, 0x3c, 0x78, 0x0f, 0x69, 0x17, 0xac, 0xe2, 0x01, 0x7f, 0x42, 0xbe):
    def l3(a, b, c, lut=lut):
        d = 0
        for i in range(32):
            k = ((a >> i) & 1) * 4 + ((b >> i) & 1) * 2 + ((c >> i) & 1)
            d |= ((lut >> k) & 1) << i
        return d
    C("{g} lop3.b32 {o0}, {i0}, {i1}, {i2}, %#x;" % lut, "b32 b32 b32", "b32", l3, n=150)
for lr in "lr":
    for m in ("wrap", "clamp"):
        def shf(a, b, c, lr=lr, m=m):
            n = c & 31 if m == "wrap" else min(c, 32)
            x = (b << 32) | a
            return U((x << n) >> 32, 32) if lr == "l" else U(x >> n, 32)
        C("{g} shf.%s.%s.b32 {o0}, {i0}, {i1}, {i2};" % (lr, m), "b32 b32 b32", "b32", shf,
          pools={2: "shift"})
        for k in (0, 1, 8, 31, 32, 40):
            C("{g} shf.%s.%s.b32 {o0}, {i0}, {i1}, %d;" % (lr, m, k), "b32 b32", "b32",
              lambda a, b, k=k, shf=shf: shf(a, b, k), n=150)


def prmt(a, b, c, mode=None):
    by = [(a >> (8 * k)) & 255 for k in range(4)] + [(b >> (8 * k)) & 255 for k in range(4)]
    tabs = {"f4e": ["3210", "4321", "5432", "6543"], "b4e": ["5670", "6701", "7012", "0123"],
            "rc8": ["0000", "1111", "2222", "3333"], "ecl": ["3210", "3211", "3222", "3333"],
            "ecr": ["0000", "1110", "2210", "3210"], "rc16": ["1010", "3232", "1010", "3232"]}
    if mode:
        sel = [int(x) for x in tabs[mode][c & 3]][::-1]
        return sum(by[s] << (8 * i) for i, s in enumerate(sel))
    d = 0
    for i in range(4):
        n = (c >> (4 * i)) & 15
        v = by[n & 7]
        if n & 8:
            v = 255 if v & 128 else 0
        d |= v << (8 * i)
    return d


C("{g} prmt.b32 {o0}, {i0}, {i1}, {i2};", "b32 b32 b32", "b32", prmt)
for k in (0x3210, 0x7654, 0x5410, 0x7632, 0x0123, 0x4321, 0x6420, 0x7531, 0x5140, 0x2301, 0xba98,
          0x4440, 0x1032, 0x7610, 0x3276, 0x8888, 0x9210, 0x0000, 0x6543, 0x2103):
    C("{g} prmt.b32 {o0}, {i0}, {i1}, %#x;" % k, "b32 b32", "b32",
      lambda a, b, k=k: prmt(a, b, k), n=150)
for m in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
    C("{g} prmt.b32.%s {o0}, {i0}, {i1}, {i2};" % m, "b32 b32 b32", "b32",
      lambda a, b, c, m=m: prmt(a, b, c, m), n=400)
    C("{g} prmt.b32.%s {o0}, {i0}, {i1}, 2;" % m, "b32 b32", "b32",
      lambda a, b, m=m: prmt(a, b, 2, m), n=100)


def bmsk(a, b, clamp):
    a1, b1 = a & 31, b & 31
    m0 = U(0xffffffff << a1, 32)
    sm = a1 + b1
    m1 = U(0xffffffff << sm, 32)
    so = sm >= 32
    po = bo = False
    if clamp:
        if a >= 32:
            po = True
            m0 = 0
        if b >= 32:
            bo = True
    if so or po or bo:
        m1 = 0
    return m0 & ~m1 & 0xffffffff


def szext(a, b, clamp, sg):
    b1 = b & 31
    too = clamp and b >= 32
    mask = 0 if too else U(0xffffffff << b1, 32)
    sp = (b1 - 1) & 31
    sb = 0 if b1 == 0 or too or not sg else (a >> sp) & 1
    return (a & ~mask & 0xffffffff) | (mask if sb else 0)


for m in ("clamp", "wrap"):
    C("{g} bmsk.%s.b32 {o0}, {i0}, {i1};" % m, "b32 b32", "b32",
      lambda a, b, m=m: bmsk(a, b, m == "clamp"), pools={0: "shift", 1: "shift"})
    for sg in "us":
        C("{g} szext.%s.%s32 {o0}, {i0}, {i1};" % (m, sg), "b32 b32", "b32",
          lambda a, b, m=m, sg=sg: szext(a, b, m == "clamp", sg == "s"), pools={1: "shift"})
for ta in "us":
    for tb in "us":
        C("{g} dp4a.%s32.%s32 {o0}, {i0}, {i1}, {i2};" % (ta, tb), "b32 b32 b32", "b32",
          lambda a, b, c, ta=ta, tb=tb: U(sum(x * y for x, y in zip(
              lanes(a, 8, 4, ta == "s"), lanes(b, 8, 4, tb == "s"))) + c, 32))
        for h in ("lo", "hi"):
            C("{g} dp2a.%s.%s32.%s32 {o0}, {i0}, {i1}, {i2};" % (h, ta, tb), "b32 b32 b32",
              "b32", lambda a, b, c, ta=ta, tb=tb, h=h: U(sum(x * y for x, y in zip(
                  lanes(a, 16, 2, ta == "s"),
                  lanes(b, 8, 4, tb == "s")[2 * (h == "hi"):])) + c, 32), n=400)


def fns(mask, base, off):
    off = S(off, 32)
    if off == 0:
        return base if (mask >> base) & 1 else 0xffffffff
    pos, cnt, inc = base, abs(off) - 1, 1 if off > 0 else -1
    while 0 <= pos < 32:
        if (mask >> pos) & 1:
            if cnt == 0:
                return pos
            cnt -= 1
        pos += inc
    return 0xffffffff


C("{g} fns.b32 {o0}, {i0}, {i1}, {i2};", "b32 b32 b32", "b32", fns, n=300,
  pools={1: [0, 1, 5, 16, 31], 2: [0, 1, 2, 3, 0xffffffff, 0xfffffffe, 7]})
for op in ("and", "or", "xor"):
    C("{g} %s.pred {o0}, {i0}, {i1};" % op, "pred pred", "pred",
      lambda x, y, op=op: {"and": x & y, "or": x | y, "xor": x ^ y}[op], n=200)
C("{g} not.pred {o0}, {i0};", "pred", "pred", lambda x: 1 - x, n=200)

# video SIMD
for op, fn in (("vadd", lambda a, b: a + b), ("vsub", lambda a, b: a - b),
               ("vabsdiff", lambda a, b: abs(a - b)), ("vmin", min), ("vmax", max)):
    for n_, w_ in ((4, 8), (2, 16)):
        for sg in "us":
            C("%s%d.%s32.%s32.%s32 {o0}, {i0}, {i1}, {i2};" % (op, n_, sg, sg, sg),
              "b32 b32 b32", "b32",
              lambda a, b, c, fn=fn, n_=n_, w_=w_, sg=sg: join([fn(x, y) for x, y in zip(
                  lanes(a, w_, n_, sg == "s"), lanes(b, w_, n_, sg == "s"))], w_), n=200)
            C("%s%d.%s32.%s32.%s32.add {o0}, {i0}, {i1}, {i2};" % (op, n_, sg, sg, sg),
              "b32 b32 b32", "b32",
              lambda a, b, c, fn=fn, n_=n_, w_=w_, sg=sg: U(sum(fn(x, y) for x, y in zip(
                  lanes(a, w_, n_, sg == "s"), lanes(b, w_, n_, sg == "s"))) + c, 32), n=200)

# --- float arithmetic ------------------------------------------------------------
for fmt in ("f32", "f64"):
    for mode in ("rn", "rz", "rm", "rp"):
        n = N if mode == "rn" or fmt == "f32" else 500
        for op, fn in (("add", R.add), ("sub", R.sub), ("mul", R.mul), ("div", R.div)):
            C("{g} %s.%s.%s {o0}, {i0}, {i1};" % (op, mode, fmt), "%s %s" % (fmt, fmt), fmt,
              lambda x, y, fn=fn, fmt=fmt, mode=mode: fn(x, y, fmt, mode), n=n)
        C("{g} fma.%s.%s {o0}, {i0}, {i1}, {i2};" % (mode, fmt), "%s %s %s" % (fmt, fmt, fmt),
          fmt, lambda x, y, z, fmt=fmt, mode=mode: R.fma(x, y, z, fmt, mode), n=2 * n,
          pools={2: "fma"})
        C("{g} sqrt.%s.%s {o0}, {i0};" % (mode, fmt), fmt, fmt,
          lambda x, fmt=fmt, mode=mode: R.sqrt(x, fmt, mode), n=min(n, 600))
        one = R.enc(R.Fraction(1), fmt)
        C("{g} rcp.%s.%s {o0}, {i0};" % (mode, fmt), fmt, fmt,
          lambda x, fmt=fmt, mode=mode, one=one: R.div(one, x, fmt, mode), n=min(n, 600))
    for op, fn in (("add", R.add), ("sub", R.sub), ("mul", R.mul)):
        C("{g} %s.%s {o0}, {i0}, {i1};" % (op, fmt), "%s %s" % (fmt, fmt), fmt,
          lambda x, y, fn=fn, fmt=fmt: fn(x, y, fmt), n=300)
    for mx in ("min", "max"):
        C("{g} %s.%s {o0}, {i0}, {i1};" % (mx, fmt), "%s %s" % (fmt, fmt), fmt,
          lambda x, y, fmt=fmt, mx=mx: R.fminmax(x, y, fmt, mx == "max")
          if not (fmt == "f64" and R.isnan(x, fmt) and R.isnan(y, fmt)) else R.NAN)
    for op in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu",
               "num", "nan"):
        C("{g} setp.%s.%s {o0}, {i0}, {i1};" % (op, fmt), "%s %s" % (fmt, fmt), "pred",
          lambda x, y, fmt=fmt, op=op: int(R.compare(op, R.cmp(x, y, fmt))))
    C("{g} copysign.%s {o0}, {i0}, {i1};" % fmt, "%s %s" % (fmt, fmt), fmt,
      lambda x, y, fmt=fmt: (y & ~(1 << (R.FMT[fmt][3] - 1))) | (x & (1 << (R.FMT[fmt][3] - 1))),
      n=300)
    for t, fn in (("finite", lambda x, f: not R.isnan(x, f) and not R.isinf(x, f)),
                  ("infinite", R.isinf), ("number", lambda x, f: not R.isnan(x, f)),
                  ("notanumber", R.isnan),
                  ("normal", lambda x, f: not R.isnan(x, f) and not R.isinf(x, f)
                   and not R.issub(x, f) and R.val(x, f) != 0),
                  ("subnormal", R.issub)):
        C("{g} testp.%s.%s {o0}, {i0};" % (t, fmt), fmt, "pred",
          lambda x, fn=fn, fmt=fmt: int(fn(x, fmt)), n=400)
    sb = 1 << (R.FMT[fmt][3] - 1)
    for op, fn in (("abs", lambda x, sb: x & ~sb), ("neg", lambda x, sb: x ^ sb)):
        C("{g} %s.%s {o0}, {i0};" % (op, fmt), fmt, fmt,
          lambda x, fn=fn, sb=sb, fmt=fmt: fn(x, sb) if not R.isnan(x, fmt) else R.NAN, n=400)
    C("{g} selp.%s {o0}, {i0}, {i1}, {i2};" % fmt, "%s %s pred" % (fmt, fmt), fmt,
      lambda x, y, p: x if p else y, n=3000)
    # saturating and flushing forms
F = R.ftz
for mode in ("rn", "rz", "rm", "rp"):
    for op, fn in (("add", R.add), ("sub", R.sub), ("mul", R.mul)):
        C("{g} %s.%s.ftz.f32 {o0}, {i0}, {i1};" % (op, mode), "f32 f32", "f32",
          lambda x, y, fn=fn, mode=mode: F(fn(F(x, "f32"), F(y, "f32"), "f32", mode), "f32"))
        C("{g} %s.%s.sat.f32 {o0}, {i0}, {i1};" % (op, mode), "f32 f32", "f32",
          lambda x, y, fn=fn, mode=mode: R.sat(fn(x, y, "f32", mode), "f32"), n=500)
        C("{g} %s.%s.ftz.sat.f32 {o0}, {i0}, {i1};" % (op, mode), "f32 f32", "f32",
          lambda x, y, fn=fn, mode=mode: R.sat(F(fn(F(x, "f32"), F(y, "f32"), "f32", mode),
                                                 "f32"), "f32"), n=500)
    C("{g} fma.%s.ftz.f32 {o0}, {i0}, {i1}, {i2};" % mode, "f32 f32 f32", "f32",
      lambda x, y, z, mode=mode: F(R.fma(F(x, "f32"), F(y, "f32"), F(z, "f32"), "f32", mode),
                                   "f32"), pools={2: "fma"})
    C("{g} fma.%s.sat.f32 {o0}, {i0}, {i1}, {i2};" % mode, "f32 f32 f32", "f32",
      lambda x, y, z, mode=mode: R.sat(R.fma(x, y, z, "f32", mode), "f32"), n=500)
    C("{g} div.%s.ftz.f32 {o0}, {i0}, {i1};" % mode, "f32 f32", "f32",
      lambda x, y, mode=mode: F(R.div(F(x, "f32"), F(y, "f32"), "f32", mode), "f32"))
    C("{g} sqrt.%s.ftz.f32 {o0}, {i0};" % mode, "f32", "f32",
      lambda x, mode=mode: F(R.sqrt(F(x, "f32"), "f32", mode), "f32"), n=500)
    C("{g} rcp.%s.ftz.f32 {o0}, {i0};" % mode, "f32", "f32",
      lambda x, mode=mode: F(R.div(0x3f800000, F(x, "f32"), "f32", mode), "f32"), n=500)
for op in ("lt", "geu", "eq", "neu"):
    C("{g} setp.%s.ftz.f32 {o0}, {i0}, {i1};" % op, "f32 f32", "pred",
      lambda x, y, op=op: int(R.compare(op, R.cmp(F(x, "f32"), F(y, "f32"), "f32"))))
for mx in ("min", "max"):
    C("{g} %s.ftz.f32 {o0}, {i0}, {i1};" % mx, "f32 f32", "f32",
      lambda x, y, mx=mx: R.fminmax(F(x, "f32"), F(y, "f32"), "f32", mx == "max"))
    C("{g} %s.NaN.f32 {o0}, {i0}, {i1};" % mx, "f32 f32", "f32",
      lambda x, y, mx=mx: R.fminmax(x, y, "f32", mx == "max", True))

    def xs(x, y, mx=mx, fmt="f32", nanp=False):
        sb = 1 << (R.FMT[fmt][3] - 1)
        r = R.fminmax(x & ~sb, y & ~sb, fmt, mx == "max", nanp)
        return R.NAN if r == R.NAN or R.isnan(r, fmt) else r | ((x ^ y) & sb)
    C("{g} %s.xorsign.abs.f32 {o0}, {i0}, {i1};" % mx, "f32 f32", "f32", xs)
C("{g} abs.ftz.f32 {o0}, {i0};", "f32", "f32",
  lambda x: R.NAN if R.isnan(x, "f32") else F(x, "f32") & 0x7fffffff, n=400)
C("{g} neg.ftz.f32 {o0}, {i0};", "f32", "f32",
  lambda x: R.NAN if R.isnan(x, "f32") else F(x, "f32") ^ 0x80000000, n=400)
C("{g} slct.f32.s32 {o0}, {i0}, {i1}, {i2};", "f32 f32 b32", "f32",
  lambda x, y, c: x if S(c, 32) >= 0 else y)
C("{g} slct.f32.f32 {o0}, {i0}, {i1}, {i2};", "f32 f32 f32", "f32",
  lambda x, y, c: x if R.compare("ge", R.cmp(c, 0, "f32")) else y)

# boolean combination and two destinations
for bo, bf in (("and", lambda a, c: a & c), ("or", lambda a, c: a | c),
               ("xor", lambda a, c: a ^ c)):
    C("{g} setp.lt.%s.s32 {o0}, {i0}, {i1}, {i2};" % bo, "b32 b32 pred", "pred",
      lambda x, y, c, bf=bf: bf(int(S(x, 32) < S(y, 32)), c), n=400)
    C("{g} setp.gt.%s.u32 {o0}|{o1}, {i0}, {i1}, !{i2};" % bo, "b32 b32 pred", "pred pred",
      lambda x, y, c, bf=bf: (bf(int(x > y), 1 - c), bf(int(not x > y), 1 - c)), n=400)
C("{g} setp.eq.s32 {o0}|{o1}, {i0}, {i1};", "b32 b32", "pred pred",
  lambda x, y: (int(x == y), int(x != y)), n=400)
C("{g} setp.ltu.or.f32 {o0}|{o1}, {i0}, {i1}, {i2};", "f32 f32 pred", "pred pred",
  lambda x, y, c: (int(R.compare("ltu", R.cmp(x, y, "f32"))) | c,
                   int(not R.compare("ltu", R.cmp(x, y, "f32"))) | c), n=600)
C("{g} set.lt.u32.s32 {o0}, {i0}, {i1};", "b32 b32", "b32",
  lambda x, y: 0xffffffff if S(x, 32) < S(y, 32) else 0, n=300)
C("{g} set.gtu.f32.f32 {o0}, {i0}, {i1};", "f32 f32", "f32",
  lambda x, y: 0x3f800000 if R.compare("gtu", R.cmp(x, y, "f32")) else 0, n=300)
C("{g} set.ne.and.s32.f64 {o0}, {i0}, {i1}, {i2};", "f64 f64 pred", "b32",
  lambda x, y, c: 0xffffffff if R.compare("ne", R.cmp(x, y, "f64")) and c else 0, n=300)

# --- f16 / bf16 --------------------------------------------------------------------
for fmt in ("f16", "bf16"):
    for op, fn in (("add", R.add), ("sub", R.sub), ("mul", R.mul)):
        C("{g} %s.rn.%s {o0}, {i0}, {i1};" % (op, fmt), "%s %s" % (fmt, fmt), fmt,
          lambda x, y, fn=fn, fmt=fmt: fn(x, y, fmt))
        C("{g} %s.rn.%sx2 {o0}, {i0}, {i1};" % (op, fmt), "%sx2 %sx2" % (fmt, fmt), fmt + "x2",
          lambda x, y, fn=fn, fmt=fmt: join([fn(a, b, fmt) for a, b in zip(
              lanes(x), lanes(y))]))
    C("{g} fma.rn.%s {o0}, {i0}, {i1}, {i2};" % fmt, "%s %s %s" % (fmt, fmt, fmt), fmt,
      lambda x, y, z, fmt=fmt: R.fma(x, y, z, fmt), n=4000, pools={2: "fma"})
    C("{g} fma.rn.%sx2 {o0}, {i0}, {i1}, {i2};" % fmt, "%sx2 %sx2 %sx2" % (fmt, fmt, fmt),
      fmt + "x2", lambda x, y, z, fmt=fmt: join([R.fma(a, b, c, fmt) for a, b, c in zip(
          lanes(x), lanes(y), lanes(z))]))

    def relu(x, fmt=fmt):
        if R.isnan(x, fmt):
            return R.CANON[fmt]
        return 0 if R.sign(x, fmt) else x
    C("{g} fma.rn.relu.%s {o0}, {i0}, {i1}, {i2};" % fmt, "%s %s %s" % (fmt, fmt, fmt), fmt,
      lambda x, y, z, fmt=fmt, relu=relu: relu(R.fma(x, y, z, fmt)))
    for mx in ("min", "max"):
        C("{g} %s.%s {o0}, {i0}, {i1};" % (mx, fmt), "%s %s" % (fmt, fmt), fmt,
          lambda x, y, fmt=fmt, mx=mx: R.fminmax(x, y, fmt, mx == "max"))
        C("{g} %s.NaN.%s {o0}, {i0}, {i1};" % (mx, fmt), "%s %s" % (fmt, fmt), fmt,
          lambda x, y, fmt=fmt, mx=mx: R.fminmax(x, y, fmt, mx == "max", True))
        C("{g} %s.%sx2 {o0}, {i0}, {i1};" % (mx, fmt), "%sx2 %sx2" % (fmt, fmt), fmt + "x2",
          lambda x, y, fmt=fmt, mx=mx: join([R.fminmax(a, b, fmt, mx == "max")
                                            for a, b in zip(lanes(x), lanes(y))]))
        C("{g} %s.NaN.xorsign.abs.%s {o0}, {i0}, {i1};" % (mx, fmt), "%s %s" % (fmt, fmt), fmt,
          lambda x, y, fmt=fmt, mx=mx: xs(x, y, mx, fmt, True))
    for op, k in (("abs", lambda x: x & 0x7fff), ("neg", lambda x: x ^ 0x8000)):
        C("{g} %s.%s {o0}, {i0};" % (op, fmt), fmt, fmt,
          lambda x, k=k, fmt=fmt: k(x) if not R.isnan(x, fmt) else R.NAN, n=400)
        C("{g} %s.%sx2 {o0}, {i0};" % (op, fmt), fmt + "x2", fmt + "x2",
          lambda x, k=k, fmt=fmt: join([k(a) for a in lanes(x)])
          if not any(R.isnan(a, fmt) for a in lanes(x)) else R.NAN, n=400)
    for op in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "geu", "num", "nan"):
        C("{g} setp.%s.%s {o0}, {i0}, {i1};" % (op, fmt), "%s %s" % (fmt, fmt), "pred",
          lambda x, y, fmt=fmt, op=op: int(R.compare(op, R.cmp(x, y, fmt))), n=600)
        C("{g} setp.%s.%sx2 {o0}|{o1}, {i0}, {i1};" % (op, fmt), "%sx2 %sx2" % (fmt, fmt),
          "pred pred", lambda x, y, fmt=fmt, op=op: tuple(
              int(R.compare(op, R.cmp(a, b, fmt))) for a, b in zip(lanes(x), lanes(y))), n=300)
    one = {"f16": 0x3c00, "bf16": 0x3f80}[fmt]
    C("{g} set.le.%sx2.%sx2 {o0}, {i0}, {i1};" % (fmt, fmt), "%sx2 %sx2" % (fmt, fmt),
      fmt + "x2", lambda x, y, fmt=fmt, one=one: join(
          [one if R.compare("le", R.cmp(a, b, fmt)) else 0 for a, b in zip(
              lanes(x), lanes(y))]), n=300)
    C("{g} set.gt.u32.%sx2 {o0}, {i0}, {i1};" % fmt, "%sx2 %sx2" % (fmt, fmt), "b32",
      lambda x, y, fmt=fmt: join([0xffff if R.compare("gt", R.cmp(a, b, fmt)) else 0
                                  for a, b in zip(lanes(x), lanes(y))]), n=300)
for op, fn in (("add", R.add), ("sub", R.sub), ("mul", R.mul)):
    C("{g} %s.rn.ftz.f16 {o0}, {i0}, {i1};" % op, "f16 f16", "f16",
      lambda x, y, fn=fn: F(fn(F(x, "f16"), F(y, "f16"), "f16"), "f16"))
    C("{g} %s.rn.sat.f16 {o0}, {i0}, {i1};" % op, "f16 f16", "f16",
      lambda x, y, fn=fn: R.sat(fn(x, y, "f16"), "f16"))
    C("{g} %s.f16x2 {o0}, {i0}, {i1};" % op, "f16x2 f16x2", "f16x2",
      lambda x, y, fn=fn: join([fn(a, b, "f16") for a, b in zip(lanes(x), lanes(y))]), n=300)
C("{g} fma.rn.ftz.f16 {o0}, {i0}, {i1}, {i2};", "f16 f16 f16", "f16",
  lambda x, y, z: F(R.fma(F(x, "f16"), F(y, "f16"), F(z, "f16"), "f16"), "f16"))
C("{g} fma.rn.sat.f16x2 {o0}, {i0}, {i1}, {i2};", "f16x2 f16x2 f16x2", "f16x2",
  lambda x, y, z: join([R.sat(R.fma(a, b, c, "f16"), "f16") for a, b, c in zip(
      lanes(x), lanes(y), lanes(z))]), n=500)

# packed and mixed precision of sm_100
two = lambda x: lanes(x, 32, 2)                                       # noqa: E731
for op, fn in (("add", R.add), ("sub", R.sub), ("mul", R.mul)):
    C("{g} %s.rn.f32x2 {o0}, {i0}, {i1};" % op, "f32x2 f32x2", "f32x2",
      lambda x, y, fn=fn: join([fn(a, b, "f32") for a, b in zip(two(x), two(y))], 32),
      arch="sm_100", n=600)
for mode in ("rn", "rz", "rm", "rp"):
    C("{g} fma.%s.f32x2 {o0}, {i0}, {i1}, {i2};" % mode, "f32x2 f32x2 f32x2", "f32x2",
      lambda x, y, z, mode=mode: join([R.fma(a, b, c, "f32", mode) for a, b, c in zip(
          two(x), two(y), two(z))], 32), arch="sm_100", n=600)
C("{g} fma.rn.ftz.f32x2 {o0}, {i0}, {i1}, {i2};", "f32x2 f32x2 f32x2", "f32x2",
  lambda x, y, z: join([F(R.fma(F(a, "f32"), F(b, "f32"), F(c, "f32"), "f32"), "f32")
                        for a, b, c in zip(two(x), two(y), two(z))], 32), arch="sm_100", n=600)

# --- conversions -----------------------------------------------------------------------
INTS = [("u8", 8, 0), ("s8", 8, 1), ("u16", 16, 0), ("s16", 16, 1), ("u32", 32, 0),
        ("s32", 32, 1), ("u64", 64, 0), ("s64", 64, 1)]


def regty(w):
    return "b%d" % max(w, 16)


def ext(x, w, sg):
    """Register image of a w-bit result (registers have at least 16 bits)."""
    W = max(w, 16)
    return U(S(x, w) if sg else U(x, w), W)


for dt, dw, dsg in INTS:
    for st, sw, ssg in INTS:
        if dt == st:
            continue
        C("{g} cvt.%s.%s {o0}, {i0};" % (dt, st), regty(sw), regty(dw),
          lambda x, dw=dw, dsg=dsg, sw=sw, ssg=ssg: ext(S(x, sw) if ssg else U(x, sw), dw, dsg),
          n=200)

        def isat(x, dw=dw, dsg=dsg, sw=sw, ssg=ssg):
            v = S(x, sw) if ssg else U(x, sw)
            lo, hi = (-(1 << (dw - 1)), (1 << (dw - 1)) - 1) if dsg else (0, (1 << dw) - 1)
            return ext(max(lo, min(hi, v)), dw, dsg)
        slo, shi = (-(1 << (sw - 1)), (1 << (sw - 1)) - 1) if ssg else (0, (1 << sw) - 1)
        dlo, dhi = (-(1 << (dw - 1)), (1 << (dw - 1)) - 1) if dsg else (0, (1 << dw) - 1)
        if slo < dlo or shi > dhi:       # .sat is legal only where it can act
            C("{g} cvt.sat.%s.%s {o0}, {i0};" % (dt, st), regty(sw), regty(dw), isat, n=200)
for dt, dw, dsg in INTS:
    for fmt in ("f16", "f32", "f64"):
        for mode in ("rni", "rzi", "rmi", "rpi"):
            C("{g} cvt.%s.%s.%s {o0}, {i0};" % (mode, dt, fmt), fmt, regty(dw),
              lambda x, dw=dw, dsg=dsg, fmt=fmt, mode=mode: ext(
                  R.to_int(x, fmt, mode[:2], dw, dsg), dw, dsg), n=700)
    for fmt in ("f16", "f32", "f64"):
        for mode in ("rn", "rz", "rm", "rp"):
            C("{g} cvt.%s.%s.%s {o0}, {i0};" % (mode, fmt, dt), regty(dw), fmt,
              lambda x, dw=dw, dsg=dsg, fmt=fmt, mode=mode: R.from_int(
                  S(x, dw) if dsg else U(x, dw), fmt, mode), n=500)
    if dw == 8:
        continue
    C("{g} cvt.rn.bf16.%s {o0}, {i0};" % dt, regty(dw), "bf16",
      lambda x, dw=dw, dsg=dsg: R.from_int(S(x, dw) if dsg else U(x, dw), "bf16"), n=400)
    C("{g} cvt.rzi.%s.bf16 {o0}, {i0};" % dt, "bf16", regty(dw),
      lambda x, dw=dw, dsg=dsg: ext(R.to_int(x, "bf16", "rz", dw, dsg), dw, dsg), n=400)
C("{g} cvt.rpi.ftz.s32.f32 {o0}, {i0};", "f32", "b32",
  lambda x: R.to_int(F(x, "f32"), "f32", "rp", 32, True))
for src, dst in (("f64", "f32"), ("f64", "f16"), ("f32", "f16")):
    for mode in ("rn", "rz", "rm", "rp"):
        C("{g} cvt.%s.%s.%s {o0}, {i0};" % (mode, dst, src), src, dst,
          lambda x, src=src, dst=dst, mode=mode: R.convert(x, src, dst, mode), n=3000)
for src, dst in (("f32", "f64"), ("f16", "f32"), ("f16", "f64"), ("bf16", "f32"),
                 ("bf16", "f64")):
    C("{g} cvt.%s.%s {o0}, {i0};" % (dst, src), src, dst,
      lambda x, src=src, dst=dst: R.NAN if R.isnan(x, src) else R.convert(x, src, dst), n=800)
C("{g} cvt.rn.bf16.f32 {o0}, {i0};", "f32", "bf16", lambda x: R.convert(x, "f32", "bf16"),
  n=3000)
C("{g} cvt.rz.bf16.f32 {o0}, {i0};", "f32", "bf16", lambda x: R.convert(x, "f32", "bf16", "rz"),
  n=3000)
C("{g} cvt.rn.relu.bf16.f32 {o0}, {i0};", "f32", "bf16",
  lambda x: 0x7fff if R.isnan(x, "f32") else 0 if R.sign(x, "f32") else
  R.convert(x, "f32", "bf16"))
C("{g} cvt.rn.bf16.f64 {o0}, {i0};", "f64", "bf16", lambda x: R.convert(x, "f64", "bf16"),
  n=2000)
C("{g} cvt.rn.bf16.f16 {o0}, {i0};", "f16", "bf16", lambda x: R.convert(x, "f16", "bf16"),
  n=2000)
C("{g} cvt.rn.f16.bf16 {o0}, {i0};", "bf16", "f16", lambda x: R.convert(x, "bf16", "f16"),
  n=2000)
C("{g} cvt.rn.ftz.f32.f64 {o0}, {i0};", "f64", "f32",
  lambda x: F(R.convert(x, "f64", "f32"), "f32"))
C("{g} cvt.ftz.f64.f32 {o0}, {i0};", "f32", "f64",
  lambda x: R.NAN if R.isnan(x, "f32") else R.convert(F(x, "f32"), "f32", "f64"))
C("{g} cvt.rn.ftz.f16.f32 {o0}, {i0};", "f32", "f16",
  lambda x: R.convert(F(x, "f32"), "f32", "f16"))
C("{g} cvt.sat.f32.f32 {o0}, {i0};", "f32", "f32", lambda x: R.sat(x, "f32"))
C("{g} cvt.ftz.sat.f32.f32 {o0}, {i0};", "f32", "f32", lambda x: R.sat(F(x, "f32"), "f32"))
C("{g} cvt.rn.sat.f32.s32 {o0}, {i0};", "b32", "f32",
  lambda x: R.sat(R.from_int(S(x, 32), "f32"), "f32"), n=300)
C("{g} cvt.rn.sat.f16.f32 {o0}, {i0};", "f32", "f16",
  lambda x: R.sat(R.convert(x, "f32", "f16"), "f16"))
for fmt in ("f32", "f64", "f16"):
    for mode in ("rni", "rzi", "rmi", "rpi"):
        C("{g} cvt.%s.%s.%s {o0}, {i0};" % (mode, fmt, fmt), fmt, fmt,
          lambda x, fmt=fmt, mode=mode: R.round_int(x, fmt, mode[:2])
          if not (R.isnan(x, fmt) and fmt == "f64") else R.NAN, n=800)
for mode in ("rn", "rz"):
    for fmt in ("f16", "bf16"):
        C("{g} cvt.%s.%sx2.f32 {o0}, {i0}, {i1};" % (mode, fmt), "f32 f32", fmt + "x2",
          lambda x, y, mode=mode, fmt=fmt: (R.convert(x, "f32", fmt, mode) << 16) |
          R.convert(y, "f32", fmt, mode), n=2000)
C("{g} cvt.rn.relu.f16x2.f32 {o0}, {i0}, {i1};", "f32 f32", "f16x2",
  lambda x, y: join([0x7fff if R.isnan(v, "f32") else 0 if R.sign(v, "f32") else
                     R.convert(v, "f32", "f16") for v in (y, x)]), n=600)


def tf32(x, mode):
    if R.isnan(x, "f32"):
        return 0x7fffffff
    if R.isinf(x, "f32"):
        return x
    R.FMT["tf32x"] = (11, -126, 127, 19, 8)
    r = R.enc(R.val(x, "f32"), "tf32x", mode, R.sign(x, "f32"))
    return r << 13


C("{g} cvt.rna.tf32.f32 {o0}, {i0};", "f32", "b32", lambda x: tf32(x, "rna"))
C("{g} cvt.rn.tf32.f32 {o0}, {i0};", "f32", "b32", lambda x: tf32(x, "rn"))
C("{g} cvt.rz.tf32.f32 {o0}, {i0};", "f32", "b32", lambda x: tf32(x, "rz"))


def fp8(x, fmt):
    """Scalar e4m3/e5m2 with saturation."""
    if R.isnan(x, "f32"):
        return 0x7f
    p, emin, emax, eb, mx = ((4, -6, 8, 4, R.Fraction(448)) if fmt == "e4m3" else
                             (3, -14, 15, 5, R.Fraction(57344)))
    sg = R.sign(x, "f32") << 7
    if R.isinf(x, "f32"):
        v = mx
    else:
        v = abs(R.val(x, "f32"))
        if v:
            e = max(R.floor_log2(v), emin)
            q = v / R.Fraction(2) ** (e - (p - 1))
            n = q.numerator // q.denominator
            r = q - n
            if r > R.Fraction(1, 2) or (r == R.Fraction(1, 2) and n & 1):
                n += 1
            v = n * R.Fraction(2) ** (e - (p - 1))
        v = min(v, mx)
    if v == 0:
        return sg
    e = max(R.floor_log2(v), emin)
    m = int(v / R.Fraction(2) ** (e - (p - 1)))
    bias = (1 << (eb - 1)) - 1
    bits = m if m < (1 << (p - 1)) else ((e + bias - 1) << (p - 1)) + m
    return sg | bits


for f8 in ("e4m3", "e5m2"):
    C("{g} cvt.rn.satfinite.%sx2.f32 {o0}, {i0}, {i1};" % f8, "f32 f32",
      "b16", lambda x, y, f8=f8: (fp8(x, f8) << 8) | fp8(y, f8), name="cvt_" + f8,
      pools={0: "fp8", 1: "fp8"})

    def unfp8(b, f8=f8):
        eb, mb = (4, 3) if f8 == "e4m3" else (5, 2)
        bias = (1 << (eb - 1)) - 1
        e, m = (b >> mb) & ((1 << eb) - 1), b & ((1 << mb) - 1)
        sg = (b >> 7) << 15
        if f8 == "e4m3" and b & 0x7f == 0x7f:
            return 0x7fff
        if f8 == "e5m2" and e == 31:
            return 0x7fff if m else sg | 0x7c00
        v = R.Fraction(m if e == 0 else m + (1 << mb)) * R.Fraction(2) ** (
            max(e, 1) - bias - mb)
        return sg | R.enc(v, "f16")
    C("{g} cvt.rn.f16x2.%sx2 {o0}, {i0};" % f8, "b16", "b32",
      lambda x, f=unfp8: f(x & 255) | (f(x >> 8) << 16), n=1500)
C("{g} cvt.pack.sat.s16.s32 {o0}, {i0}, {i1};", "b32 b32", "b32",
  lambda a, b: join([max(-32768, min(32767, S(b, 32))), max(-32768, min(32767, S(a, 32)))]),
  n=400)
C("{g} cvt.pack.sat.u8.s32.b32 {o0}, {i0}, {i1}, {i2};", "b32 b32 b32", "b32",
  lambda a, b, c: max(0, min(255, S(b, 32))) | (max(0, min(255, S(a, 32))) << 8) |
  ((c & 0xffff) << 16), n=400)

# --- moves --------------------------------------------------------------------------------
C("mov.b64 {o0}, {{{i0}, {i1}}};", "b32 b32", "b64", lambda a, b: a | (b << 32), n=200)
C("mov.b64 {{{o0}, {o1}}}, {i0};", "b64", "b32 b32",
  lambda a: (a & 0xffffffff, a >> 32), n=200)
C("mov.b32 {o0}, {{{i0}, {i1}}};", "b16 b16", "b32", lambda a, b: a | (b << 16), n=200)
C("mov.b32 {{{o0}, {o1}}}, {i0};", "b32", "b16 b16", lambda a: (a & 0xffff, a >> 16), n=200)
C("mov.b64 {o0}, {{{i0}, {i1}, {i2}, {i3}}};", "b16 b16 b16 b16", "b64",
  lambda a, b, c, d: a | (b << 16) | (c << 32) | (d << 48), n=200)
C("mov.b64 {{_, {o0}}}, {i0};", "b64", "b32", lambda a: a >> 32, n=200)

# approximations that are exact in some domain
C("{g} rcp.approx.f32 {o0}, {i0};", "f32", "f32",
  lambda x: R.div(0x3f800000, x, "f32"), n=600)
C("{g} sqrt.approx.f32 {o0}, {i0};", "f32", "f32", lambda x: R.sqrt(x, "f32"), n=600)
C("{g} div.full.f32 {o0}, {i0}, {i1};", "f32 f32", "f32", lambda x, y: R.div(x, y, "f32"),
  n=600)


def make_data(case, rng):
    data = []
    for j, ty in enumerate(case.ins):
        p = case.pools.get(j)
        if p == "shift":
            d = [rng.choice([0, 1, 2, 3, 7, 8, 15, 16, 24, 30, 31, 32, 33, 48, 63, 64, 65, 100,
                             255, 256, 257, 0xffffffff, 0x80000000, rng.randrange(64)])
                 for _ in range(case.n)]
        elif p == "fp8":
            d = [x if rng.random() < 0.3 else
                 R.enc(R.Fraction(rng.randrange(-5000, 5000), rng.choice([1, 3, 8, 64, 1024,
                                                                         65536])), "f32")
                 for x in pool(ty, case.n, rng)]
        elif p == "fma":
            # addends near -a*b, and half-ulp neighbours: the hard cases of fma
            base = ty[:-2] if ty.endswith("x2") else ty
            d = pool(ty, case.n, rng)
            if ty == base:
                for k in range(case.n):
                    if rng.random() < 0.5:
                        a, b = data[0][k], data[1][k]
                        pr = R.mul(a, b, base)
                        if pr == R.NAN or R.isnan(pr, base) or R.isinf(pr, base):
                            continue
                        w = R.FMT[base][3]
                        pr = (pr ^ (1 << (w - 1)) if rng.random() < 0.6 else pr)
                        e = rng.choice([0, 0, 1, -1, 2])
                        sh = rng.choice([0, 0, R.FMT[base][0], R.FMT[base][0] + 1,
                                         -R.FMT[base][0]])
                        eb = R.FMT[base][0] - 1
                        v = pr + e + (sh << eb)
                        if 0 <= (v & ((1 << (w - 1)) - 1)) >> eb < (1 << R.FMT[base][4]) - 1:
                            d[k] = v & ((1 << w) - 1)
        elif isinstance(p, list):
            d = [rng.choice(p) for _ in range(case.n)]
        else:
            d = pool(ty, case.n, rng)
        data.append(d)
    return data


def accept(got, want, ty):
    if want == R.NAN:
        base = ty[:-2] if ty.endswith("x2") and ty[:-2] in R.FMT else ty
        if ty.endswith("x2"):
            return True
        return R.isnan(got, base)
    return got == want


IDS = ["%03d-%s" % (i, c.id) for i, c in enumerate(CASES)]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_instruction(case):
    rng = random.Random(zlib.crc32(case.body.encode()))
    data = make_data(case, rng)
    want = [case.ref(*x) for x in zip(*data)]
    want = [w if isinstance(w, tuple) else (w,) for w in want]
    guards = [False, True] if "{g}" in case.body else [False]
    for guard in guards:
        got = run_op(case.body, case.ins, case.outs, data, pred_guard=guard)
        for i, w in enumerate(want):
            for j, ty in enumerate(case.outs):
                g = got[j][i]
                if guard and i % 2 == 0:
                    exp = 0 if ty == "pred" else 0x5a
                    assert g == exp, "guarded-off lane %d changed: %#x" % (i, g)
                else:
                    assert accept(g, w[j], ty), "%s: in %s: got %#x, want %s (guard %s)" % (
                        case.body, [hex(d[i]) for d in data], g,
                        w[j] if isinstance(w[j], str) else hex(w[j]), guard)


@needs_ptxas
@pytest.mark.parametrize("arch", ["sm_90", "sm_100"])
def test_ptxas_accepts_the_tested_forms(arch):
    """One module with all tested instructions must assemble."""
    parts = []
    for i, c in enumerate(CASES):
        if c.arch != arch:
            continue
        t = op_kernel(c.body, c.ins, c.outs)
        parts.append(t[t.index(".visible"):].replace(".entry k(", ".entry k%d(" % i)
                     .replace("END", "END%d" % i))
    ptx = ".version 8.6\n.target %s\n.address_size 64\n" % arch + "\n".join(parts)
    ok, err = ptxas_ok(ptx, arch)
    if not ok:
        lines = ptx.split("\n")
        import re
        bad = [lines[int(m) - 1] + "  <- " + e for e, m in
               re.findall(r"(?m)^(.*line (\d+);.*)$", err)][:40]
        assert False, "\n".join(bad) or err[:3000]
