# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differential tests: random C programs compiled for this CPU by gcc and for NVPTX by
clang 22 (several optimisation levels) and nvcc; the interpreted PTX must produce the
same bits."""

import ctypes
import os
import random

import numpy as np
import pytest

from ptxrun import Module
from common import find_tool, sh, tmpdir, tool

pytestmark = pytest.mark.slow

SEEDS = int(os.environ.get("PTXRUN_FUZZ_SEEDS", "24"))
FIRST = int(os.environ.get("PTXRUN_FUZZ_FIRST", "0"))
N = 256                     # threads

ITYPES = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
FTYPES = ["f32", "f64"]

PRELUDE = r"""
typedef signed char i8; typedef unsigned char u8; typedef short i16; typedef unsigned short u16;
typedef int i32; typedef unsigned int u32; typedef long long i64; typedef unsigned long long u64;
typedef float f32; typedef double f64;
#if defined(__CUDACC__)
#define DEV static __device__
#define NOINLINE __noinline__
#define KERNEL extern "C" __global__
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
#elif defined(__NVPTX__)
#define DEV static
#define NOINLINE __attribute__((noinline))
#define KERNEL __attribute__((device_kernel))
#define TID (__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x())
#else
#define DEV static
#define NOINLINE __attribute__((noinline))
#endif
#ifdef __CUDACC__
#define SQRTF(x) __fsqrt_rn(x)
#define SQRT(x) __dsqrt_rn(x)
#define FMAF(a,b,c) __fmaf_rn(a,b,c)
#define FMA(a,b,c) __fma_rn(a,b,c)
#else
#define SQRTF(x) __builtin_sqrtf(x)
#define SQRT(x) __builtin_sqrt(x)
#define FMAF(a,b,c) __builtin_fmaf(a,b,c)
#define FMA(a,b,c) __builtin_fma(a,b,c)
#endif
#define DIVS(T) DEV T div_##T(T a, T b) { return b == 0 || b == (T)-1 ? (T)(a ^ b) : (T)(a / b); } \
                DEV T rem_##T(T a, T b) { return b == 0 || b == (T)-1 ? (T)((u64)a + (u64)b) : (T)(a % b); }
DIVS(i8) DIVS(u8) DIVS(i16) DIVS(u16) DIVS(i32) DIVS(u32) DIVS(i64) DIVS(u64)
DEV i64 f2i(f64 x) { return x > -1e15 && x < 1e15 ? (i64)x : 3; }
DEV i32 f2i32(f32 x) { return x > -1e9f && x < 1e9f ? (i32)x : 5; }
DEV u32 f2u32(f32 x) { return x > 0.f && x < 4e9f ? (u32)x : 7u; }
DEV u64 f2u64(f64 x) { return x > 0. && x < 1.8e19 ? (u64)x : 9ull; }
"""


class Gen:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.uid = 0
        self.funcs = []

    def name(self, p="v"):
        self.uid += 1
        return "%s%d" % (p, self.uid)

    def const(self, ty):
        r = self.r
        if ty in FTYPES:
            v = r.choice([0.0, 1.0, -1.0, 0.5, 3.14159, 1e-3, 1e10, -7.25, r.uniform(-100, 100),
                          r.uniform(-1, 1) * 10.0 ** r.randint(-20, 20)])
            return "%r%s" % (v, "f" if ty == "f32" else "")
        bits = int(ty[1:])
        v = r.choice([0, 1, 2, 3, 5, 7, 10, 31, 63, 100, (1 << (bits - 1)) - 1, 1 << (bits - 1),
                      r.getrandbits(bits), r.getrandbits(bits // 2)])
        v &= (1 << bits) - 1
        return "((%s)0x%xull)" % (ty, v)

    def expr(self, ty, vars, depth):
        r = self.r
        if depth <= 0 or r.random() < 0.12:
            c = [n for n, t in vars if t == ty]
            if c and r.random() < 0.8:
                return r.choice(c)
            if vars and r.random() < 0.5:
                return self.cast(ty, *r.choice(vars))
            return self.const(ty)
        d = depth - 1
        if ty in FTYPES:
            k = r.randrange(12)
            a, b = self.expr(ty, vars, d), self.expr(ty, vars, d)
            s = "F" if ty == "f32" else ""
            if k < 7:
                return "(%s %s %s)" % (a, r.choice("+-*/+-*"), b)
            if k == 7:
                return "FMA%s(%s, %s, %s)" % (s, a, b, self.expr(ty, vars, d))
            if k == 8:
                return "SQRT%s(%s)" % (s, a)
            if k == 9:
                return "(%s ? %s : %s)" % (self.cond(vars, d), a, b)
            if k == 10:
                return "(- %s)" % a
            t = r.choice(ITYPES + FTYPES)
            return self.cast(ty, self.expr(t, vars, d), t)
        k = r.randrange(20)
        a = self.expr(ty, vars, d)
        b = self.expr(ty, vars, d)
        bits = int(ty[1:])
        if k < 8:
            # signed overflow is undefined for nvcc: compute on unsigned values
            u = "u64" if bits == 64 else "u32"
            return "((%s)((%s)%s %s (%s)%s))" % (ty, u, a, r.choice("+-*&|^+-*"), u, b)
        if k < 10:
            return "%s_%s(%s, %s)" % (r.choice(["div", "rem"]), ty, a, b)
        if k < 13:
            u = "u%d" % bits
            sh = "(%s & %d)" % (self.expr("u32", vars, d), bits - 1)
            if r.random() < 0.5:
                return "((%s)((%s)%s << %s))" % (ty, u, a, sh)
            return "((%s)(%s >> %s))" % (ty, a, sh)
        if k == 13:
            return "((%s)~%s)" % (ty, a)
        if k == 14:
            return "((%s)(%s ? %s : %s))" % (ty, self.cond(vars, d), a, b)
        if k == 15:
            u = "u%d" % bits
            n = r.randrange(1, bits)
            pass
            return "((%s)(((%s)%s << %d) | ((%s)%s >> %d)))" % (ty, u, a, n, u, a, bits - n)
        if k == 16 and bits >= 32 and not self.cuda:
            s = "ll" if bits == 64 else ""
            f = r.choice(["popcount"])
            return "((%s)__builtin_%s%s(%s))" % (ty, f, s, a)
        if k == 17:
            return "((%s)(%s))" % (ty, self.cond(vars, d))
        t = r.choice(ITYPES + FTYPES)
        return self.cast(ty, self.expr(t, vars, d), t)

    cuda = True

    def cast(self, ty, e, t):
        if t == ty:
            return e
        if t in FTYPES and ty not in FTYPES:
            if t == "f32":
                f = self.r.choice(["f2i32", "f2u32"])
            else:
                f = self.r.choice(["f2i", "f2u64"])
            return "((%s)%s(%s))" % (ty, f, e)
        return "((%s)%s)" % (ty, e)

    def cond(self, vars, d):
        r = self.r
        t = r.choice(ITYPES + FTYPES)
        c = "(%s %s %s)" % (self.expr(t, vars, d - 1), r.choice(["<", ">", "<=", ">=", "==", "!="]),
                            self.expr(t, vars, d - 1))
        if r.random() < 0.25:
            c = "(%s %s %s)" % (c, r.choice(["&&", "||"]), self.cond(vars, d - 1))
        return c

    def stmts(self, vars, n, depth, ind):
        r = self.r
        out = []
        vars = list(vars)
        pad = "  " * ind
        for _ in range(n):
            k = r.random()
            if k < 0.4 or depth == 0:
                t = r.choice(ITYPES + FTYPES + ["u32", "i32", "f32"])
                v = self.name()
                out.append("%s%s %s = %s;" % (pad, t, v, self.expr(t, vars, 3)))
                vars.append((v, t))
            elif k < 0.6:
                m = [x for x in vars if x[0].startswith("v")]
                if m:
                    v, t = r.choice(m)
                    out.append("%s%s = %s;" % (pad, v, self.expr(t, vars, 3)))
            elif k < 0.74:
                out.append("%sif (%s) {" % (pad, self.cond(vars, 2)))
                out += self.stmts(vars, r.randint(1, 3), depth - 1, ind + 1)
                if r.random() < 0.6:
                    out.append("%s} else {" % pad)
                    out += self.stmts(vars, r.randint(1, 3), depth - 1, ind + 1)
                out.append("%s}" % pad)
            elif k < 0.84:
                i = self.name("ix")
                out.append("%sfor (u32 %s = 0; %s < (%s & %d); %s++) {" % (
                    pad, i, i, self.expr("u32", vars, 1), r.choice([3, 7, 15]), i))
                out += self.stmts(vars + [(i, "u32")], r.randint(1, 3), depth - 1, ind + 1)
                if r.random() < 0.3:
                    out.append("%s  if (%s) %s;" % (pad, self.cond(vars, 1),
                                                     r.choice(["break", "continue"])))
                out.append("%s}" % pad)
            elif k < 0.9:
                out.append("%sswitch (%s %% 7) {" % (pad, self.expr("u32", vars, 2)))
                for c in range(r.randint(3, 7)):
                    out.append("%scase %d: {" % (pad, c))
                    out += self.stmts(vars, 1, depth - 1, ind + 1)
                    out.append("%s}%s" % (pad, " break;" if r.random() < 0.8 else ""))
                out.append("%sdefault: break; }" % pad)
            elif k < 0.95:
                a = self.name("a")
                t = r.choice(["u32", "f32", "u8", "i64", "i16", "f64"])
                sz = r.choice([4, 8])
                out.append("%s%s %s[%d];" % (pad, t, a, sz))
                for j in range(sz):
                    out.append("%s%s[%d] = %s;" % (pad, a, j, self.expr(t, vars, 1)))
                out.append("%s%s[%s & %d] = %s;" % (pad, a, self.expr("u32", vars, 1), sz - 1,
                                                   self.expr(t, vars, 2)))
                v = self.name()
                out.append("%s%s %s = %s[%s & %d];" % (pad, t, v, a, self.expr("u32", vars, 2),
                                                       sz - 1))
                vars.append((v, t))
            elif self.funcs:
                f, rt, pts = r.choice(self.funcs)
                v = self.name()
                out.append("%s%s %s = %s(%s);" % (pad, rt, v, f, ", ".join(
                    self.expr(t, vars, 2) for t in pts)))
                vars.append((v, rt))
        self.last = vars
        return out

    def function(self, k):
        r = self.r
        rt = r.choice(ITYPES + FTYPES)
        pts = [r.choice(ITYPES + FTYPES) for _ in range(r.randint(1, 4))]
        ps = [("p%d" % i, t) for i, t in enumerate(pts)]
        body = self.stmts(ps, r.randint(2, 4), 1, 1)
        n = "f%d" % k
        s = "DEV NOINLINE %s %s(%s) {\n%s\n  return %s;\n}\n" % (
            rt, n, ", ".join("%s %s" % (t, p) for p, t in ps), "\n".join(body),
            self.expr(rt, self.last, 2))
        self.funcs.append((n, rt, pts))
        return s

    def program(self):
        r = self.r
        fs = [self.function(k) for k in range(r.randint(0, 2))]
        ins = [("q%d" % i, t) for i, t in enumerate(
            ["u32", "i32", "u64", "f32", "f64", "u8", "i16"])]
        body = ["  %s %s = in[t].%s;" % (t, n, n) for n, t in ins]
        body += self.stmts(ins, r.randint(6, 10), 3, 1)
        outs = []
        for i in range(4):
            t = r.choice(ITYPES + FTYPES)
            v = self.name("o")
            body.append("  %s %s = %s;" % (t, v, self.expr(t, self.last, 2)))
            outs.append((v, t))
        fmt = []
        for v, t in self.last[-8:] + outs:
            if t == "f32":
                fmt.append("  { f32 z = %s; if (z != z) z = 0.f; union { f32 f; u32 u; } c; "
                           "c.f = z; acc = acc * 31 + c.u; }" % v)
            elif t == "f64":
                fmt.append("  { f64 z = %s; if (z != z) z = 0.; union { f64 f; u64 u; } c; "
                           "c.f = z; acc = acc * 31 + c.u; }" % v)
            else:
                fmt.append("  acc = acc * 31 + (u64)%s;" % v)
        s = [PRELUDE,
             "typedef struct { %s } In;" % " ".join("%s %s;" % (t, n) for n, t in ins)]
        s += fs
        s.append("DEV u64 work(const In *in, u32 t) {\n  u64 acc = 17;\n%s\n%s\n  return acc;\n}" % (
            "\n".join(body), "\n".join(fmt)))
        s.append("#if defined(KERNEL)\nKERNEL void k(const In *in, u64 *out) { u32 t = TID; "
                 "out[t] = work(in, t); }\n#else\nvoid host(const In *in, u64 *out, u32 n) { "
                 "for (u32 t = 0; t < n; t++) out[t] = work(in, t); }\n#endif\n")
        return "\n".join(s)


def inputs(seed):
    rng = np.random.default_rng(seed)
    dt = np.dtype([("q0", "u4"), ("q1", "i4"), ("q2", "u8"), ("q3", "f4"), ("q4", "f8"),
                   ("q5", "u1"), ("q6", "i2")], align=True)
    a = np.zeros(N, dt)
    a["q0"] = rng.integers(0, 2**32, N) >> rng.integers(0, 32, N)
    a["q1"] = rng.integers(-2**31, 2**31, N) >> rng.integers(0, 32, N)
    a["q2"] = rng.integers(0, 2**64, N, dtype=np.uint64) >> rng.integers(0, 64, N).astype(
        np.uint64)
    a["q3"] = rng.standard_normal(N) * 10.0 ** rng.integers(-3, 6, N)
    a["q4"] = rng.standard_normal(N) * 10.0 ** rng.integers(-5, 9, N)
    a["q5"] = rng.integers(0, 256, N)
    a["q6"] = rng.integers(-2**15, 2**15, N)
    return a


def host_result(src, a, d):
    c = os.path.join(d, "h.c")
    with open(c, "w") as f:
        f.write(src)
    so = os.path.join(d, "h.so")
    sh([tool("gcc"), "-w", "-O1", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-mfma",
        "-fno-math-errno", "-shared", "-fPIC", c, "-o", so, "-lm"])
    lib = ctypes.CDLL(so)
    out = np.zeros(N, np.uint64)
    lib.host(a.ctypes.data_as(ctypes.c_void_p), out.ctypes.data_as(ctypes.c_void_p),
             ctypes.c_uint32(N))
    return out


def device_ptx(src, how, d):
    o = os.path.join(d, "d.ptx")
    if how == "nvcc":
        c = os.path.join(d, "d.cu")
        with open(c, "w") as f:
            f.write(src)
        sh([tool("nvcc"), "--ptx", "-w", "-arch=sm_90", "-fmad=false", c, "-o", o])
    else:
        c = os.path.join(d, "d.c")
        with open(c, "w") as f:
            f.write(src)
        arch = os.environ.get("PTXRUN_FUZZ_ARCH", "sm_90")
        sh([tool("clang"), "--target=nvptx64-nvidia-cuda", "-nogpulib", "-w", how, "-fwrapv",
            "-fno-strict-aliasing", "-ffp-contract=off", "-fno-math-errno", "-S",
            "-march=" + arch, c, "-o", o])
    with open(o) as f:
        return f.read()


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_random_program(seed):
    src = Gen(seed).program()
    d = tmpdir()
    a = inputs(seed)
    hows = ["-O0", "-O2", "-Os"] if find_tool("clang") else []
    if find_tool("nvcc") and (seed % 3 == 0 or not hows):
        hows.append("nvcc")
    if not hows:
        pytest.skip("needs clang or nvcc")
    want = host_result(src, a, d)
    for how in hows:
        ptx = device_ptx(src, how, d)
        m = Module.from_text(ptx)
        out = np.zeros(N, np.uint64)
        # records have padding bytes and -O0 copies uninitialised locals around
        m.launch("k", N // 64, 64, [a.view(np.uint8), out], timeout_s=120,
                 allow_uninit={"local"} if how == "-O0" else ())
        bad = np.flatnonzero(out != want)
        if how == "-O2" and not bad.size:
            # other batch shapes and the observers must not change anything
            for kw in (dict(batch_threads=64, stats=True), dict(racecheck=True)):
                out2 = np.zeros(N, np.uint64)
                r = m.launch("k", N // 64, 64, [a.view(np.uint8), out2], timeout_s=120, **kw)
                assert (out2 == want).all() and not r.races
        assert bad.size == 0, "seed %d %s: %d of %d threads differ, first %d (%s)" % (
            seed, how, bad.size, N, bad[0], d)


# --- cooperating threads ---------------------------------------------------------------
# Random programs in phases.  Inside a phase every thread computes on its own variables
# (with divergent ifs and loops); between phases the block exchanges values through shared
# memory with barriers, through shuffles, ballots and barrier reductions.  The host runs
# each phase for all threads in turn.

T = 96                       # threads per block: three warps
VARS = 5


class Coop(Gen):
    def phase(self):
        """Thread-local code on w[0..]; returns C statements."""
        vs = [("w[%d]" % k, "u32") for k in range(VARS)] + [("t", "u32")]
        out = []
        for _ in range(self.r.randint(1, 3)):
            k = self.r.randrange(VARS)
            c = self.r.random()
            if c < 0.5:
                out.append("w[%d] = %s;" % (k, self.expr("u32", vs, 2)))
            elif c < 0.75:
                out.append("if (%s) { w[%d] = %s; } else { w[%d] += %s; }" % (
                    self.cond(vs, 1), k, self.expr("u32", vs, 2), (k + 1) % VARS,
                    self.expr("u32", vs, 1)))
            else:
                i = self.name("ix")
                out.append("for (u32 %s = 0; %s < (%s & 7); %s++) { w[%d] += %s; if (%s) break; }" % (
                    i, i, self.expr("u32", vs, 1), i, k, self.expr("u32", vs + [(i, "u32")], 2),
                    self.cond(vs, 1)))
        return " ".join(out)

    def program(self):
        r = self.r
        dev, host = [], []
        for _ in range(r.randint(6, 12)):
            p = self.phase()
            dev.append("  { %s }" % p)
            host.append("  for (u32 t = 0; t < T; t++) { u32 *w = W[t]; %s }" % p)
            a, b = r.sample(range(VARS), 2)
            k = r.randrange(9)
            n = r.choice([1, 2, 3, 4, 8, 16, 31])
            if k < 3:
                f = r.choice(["(t * 7 + %d) %% T" % n, "T - 1 - t", "w[%d] %% T" % b, "t / 3"])
                dev.append("  sh[t] = w[%d]; __syncthreads(); w[%d] ^= sh[%s]; __syncthreads();"
                           % (a, b, f))
                host.append("  for (u32 t = 0; t < T; t++) sh[t] = W[t][%d];\n"
                            "  for (u32 t = 0; t < T; t++) { u32 *w = W[t]; w[%d] ^= sh[%s]; }"
                            % (a, b, f))
            elif k == 3:
                dev.append("  w[%d] += __shfl_xor_sync(~0u, w[%d], %d);" % (b, a, n))
                host.append("  for (u32 t = 0; t < T; t++) sh[t] = W[t][%d];\n"
                            "  for (u32 t = 0; t < T; t++) W[t][%d] += sh[t ^ %d];" % (a, b, n))
            elif k == 4:
                dev.append("  w[%d] += __shfl_sync(~0u, w[%d], w[%d] + %d);" % (b, a, a, n))
                host.append("  for (u32 t = 0; t < T; t++) sh[t] = W[t][%d];\n"
                            "  for (u32 t = 0; t < T; t++) W[t][%d] += sh[(t & ~31u) | ((W[t][%d] "
                            "+ %d) & 31)];" % (a, b, a, n))
                host[-1] = ("  for (u32 t = 0; t < T; t++) { sh[t] = W[t][%d]; }\n  for (u32 t = 0;"
                            " t < T; t++) W[t][%d] += sh[(t & ~31u) | ((sh[t] + %d) & 31)];" % (
                                a, b, n))
            elif k == 5:
                dev.append("  w[%d] ^= __ballot_sync(~0u, w[%d] & %d);" % (b, a, n))
                host.append("  for (u32 q = 0; q < T; q += 32) { u32 m = 0; for (u32 j = 0; j < 32; "
                            "j++) if (W[q + j][%d] & %d) m |= 1u << j; for (u32 j = 0; j < 32; j++)"
                            " W[q + j][%d] ^= m; }" % (a, n, b))
            elif k == 6:
                dev.append("  w[%d] += __syncthreads_count(w[%d] & %d);" % (b, a, n))
                host.append("  { u32 c = 0; for (u32 t = 0; t < T; t++) c += (W[t][%d] & %d) != 0; "
                            "for (u32 t = 0; t < T; t++) W[t][%d] += c; }" % (a, n, b))
            elif k == 7:
                dev.append("  __syncthreads(); if (t == 0) ctr = 5; __syncthreads(); "
                           "atomicAdd(&ctr, w[%d]); __syncthreads(); w[%d] += ctr;" % (a, b))
                host.append("  { u32 c = 5; for (u32 t = 0; t < T; t++) c += W[t][%d]; "
                            "for (u32 t = 0; t < T; t++) W[t][%d] += c; }" % (a, b))
            else:
                dev.append("  if (w[%d] & %d) { w[%d] += __popc(__match_any_sync(__activemask(), "
                           "w[%d] & 3)); } __syncwarp();" % (a, n, b, a))
                host.append("  for (u32 q = 0; q < T; q += 32) { u32 c[4] = {0, 0, 0, 0}; for (u32 j "
                            "= 0; j < 32; j++) if (W[q + j][%d] & %d) c[W[q + j][%d] & 3]++; for "
                            "(u32 j = 0; j < 32; j++) if (W[q + j][%d] & %d) W[q + j][%d] += c[W[q + "
                            "j][%d] & 3]; }" % (a, n, a, a, n, b, a))
        return "\n".join([
            PRELUDE, "#define T %d" % T, "#if defined(KERNEL)",
            "KERNEL void k(const u32 *in, u32 *out) {", "  __shared__ u32 sh[T], ctr;",
            "  u32 t = threadIdx.x, w[%d];" % VARS,
            "  for (int k = 0; k < %d; k++) w[k] = in[(blockIdx.x * T + t) * %d + k];" % (
                VARS, VARS), *dev,
            "  for (int k = 0; k < %d; k++) out[(blockIdx.x * T + t) * %d + k] = w[k];\n}" % (
                VARS, VARS), "#else",
            "void host(const u32 *in, u32 *out, u32 blocks) { static u32 W[T][%d], sh[T];" % VARS,
            "  for (u32 b = 0; b < blocks; b++) {",
            "  for (u32 t = 0; t < T; t++) for (int k = 0; k < %d; k++) W[t][k] = in[(b * T + t) * "
            "%d + k];" % (VARS, VARS), *host,
            "  for (u32 t = 0; t < T; t++) for (int k = 0; k < %d; k++) out[(b * T + t) * %d + k] = "
            "W[t][k];\n  } }" % (VARS, VARS), "#endif\n"])


COOP = int(os.environ.get("PTXRUN_COOP_SEEDS", "12"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COOP))
def test_cooperating_threads(seed):
    src = Coop(seed + 500000).program()
    d = tmpdir()
    with open(d + "/h.c", "w") as f:
        f.write(src)
    sh([tool("gcc"), "-w", "-O1", "-fwrapv", "-ffp-contract=off", "-mfma", "-fno-math-errno", "-shared",
        "-fPIC", d + "/h.c", "-o", d + "/h.so", "-lm"])
    blocks = 9
    a = np.random.default_rng(seed).integers(0, 2 ** 32, blocks * T * VARS, dtype=np.uint32)
    a[::3] &= 0xff
    want = np.zeros_like(a)
    ctypes.CDLL(d + "/h.so").host(a.ctypes.data_as(ctypes.c_void_p),
                                  want.ctypes.data_as(ctypes.c_void_p), blocks)
    m = Module.from_text(device_ptx(src, "nvcc", d))
    for kw in (dict(), dict(batch_threads=2 * T, racecheck=True)):
        out = np.zeros_like(a)
        r = m.launch("k", blocks, T, [a, out], timeout_s=120, **kw)
        bad = np.flatnonzero(out != want)
        assert bad.size == 0, "seed %d: %d of %d values differ, first thread %d (%s)" % (
            seed, bad.size, a.size, bad[0] // VARS, d)
        assert not r.races and not r.warnings, (r.races, r.warnings)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + 8))
def test_a_missing_barrier_is_found(seed):
    """The same programs with the barrier between a shared store and the loads of other
    threads taken out: results do not change in lock step, racecheck must tell."""
    import re
    src = Coop(seed + 700000).program()
    # keep every exchanged value alive
    src = re.sub(r"w\[(\d)\] \^= sh\[", "keep = keep * 3 + sh[", src)
    src = src.replace("u32 t = threadIdx.x, w[5];", "u32 t = threadIdx.x, w[5], keep = 1;")
    src = src.replace("= w[k];\n}\n#else", "= w[k] ^ keep;\n}\n#else")
    at = [x.start() for x in re.finditer(r"sh\[t\] = w\[\d\]; __syncthreads\(\);", src)]
    if not at:
        return
    q = src.index("__syncthreads();", random.Random(seed).choice(at))
    a = np.random.default_rng(seed).integers(0, 2 ** 32, 4 * T * VARS, dtype=np.uint32)
    d = tmpdir()
    for text, racy in ((src, False), (src[:q] + src[q + len("__syncthreads();"):], True)):
        m = Module.from_text(device_ptx(text, "nvcc", d))
        r = m.launch("k", 4, T, [a, np.zeros_like(a)], racecheck=True)
        assert bool(r.races) == racy, (seed, racy, r.races)
