# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix of LLVM IR operations and types through llc 22 for four GPU generations,
against the same IR compiled by llc for this CPU."""

import ctypes
import random

import numpy as np
import pytest

from ptxrun import Module
from common import pool, ptxas_ok, sh, tmpdir, tool

pytestmark = pytest.mark.slow

N = 256
ARCHS = [("sm_70", "+ptx70"), ("sm_80", "+ptx78"), ("sm_90", "+ptx84"), ("sm_100", "+ptx88")]

# (name, result type or None = T, IR with %a %b %c -> %r); T = type, S = scalar type,
# I = integer type of the same shape, M = overloaded suffix
INT_OPS = [
    ("add", None, "%r = add T %a, %b"), ("sub", None, "%r = sub T %a, %b"),
    ("mul", None, "%r = mul T %a, %b"), ("and", None, "%r = and T %a, %b"),
    ("or", None, "%r = or T %a, %b"), ("xor", None, "%r = xor T %a, %b"),
    ("mad", None, "%m = mul T %a, %b\n%r = add T %m, %c"),
    ("not", None, "%r = xor T %a, splat (S -1)"), ("neg", None, "%r = sub T zeroinitializer, %a"),
    ("shl", None, "%k = and T %b, splat (S BITS1)\n%r = shl T %a, %k"),
    ("lshr", None, "%k = and T %b, splat (S BITS1)\n%r = lshr T %a, %k"),
    ("ashr", None, "%k = and T %b, splat (S BITS1)\n%r = ashr T %a, %k"),
    ("udiv", None, "%d = or T %b, splat (S 1)\n%r = udiv T %a, %d"),
    ("urem", None, "%d = or T %b, splat (S 1)\n%r = urem T %a, %d"),
    ("sdiv", None, "%h = lshr T %b, splat (S 1)\n%d = or T %h, splat (S 1)\n%r = sdiv T %a, %d"),
    ("srem", None, "%h = lshr T %b, splat (S 1)\n%d = or T %h, splat (S 1)\n%r = srem T %a, %d"),
    ("udivc", None, "%r = udiv T %a, splat (S 7)"), ("sdivc", None, "%r = sdiv T %a, splat (S 10)"),
    ("urem100", None, "%r = urem T %a, splat (S 100)"),
    ("sel", None, "%q = icmp slt T %a, %b\n%r = select Q %q, T %b, T %c"),
    ("smulh", None, "%x = sext T %a to W\n%y = sext T %b to W\n%m = mul W %x, %y\n"
     "%h = lshr W %m, splat (WS BITS)\n%r = trunc W %h to T"),
    ("umulh", None, "%x = zext T %a to W\n%y = zext T %b to W\n%m = mul W %x, %y\n"
     "%h = lshr W %m, splat (WS BITS)\n%r = trunc W %h to T"),
]
for p in ("eq", "ne", "ult", "ule", "sgt", "sge", "ugt", "sle"):
    INT_OPS.append(("icmp_" + p, None, "%%q = icmp %s T %%a, %%b\n%%r = sext Q %%q to T" % p))
for f in ("smin", "smax", "umin", "umax", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"):
    INT_OPS.append((f.replace(".", "_"), None, "%%r = call T @llvm.%s.M(T %%a, T %%b)" % f))
for f in ("ctpop", "bitreverse"):
    INT_OPS.append((f, None, "%%r = call T @llvm.%s.M(T %%a)" % f))
for f in ("ctlz", "cttz", "abs"):
    INT_OPS.append((f, None, "%%r = call T @llvm.%s.M(T %%a, i1 false)" % f))
for f in ("fshl", "fshr"):
    INT_OPS.append((f, None, "%%r = call T @llvm.%s.M(T %%a, T %%b, T %%c)" % f))
INT_OPS.append(("rot13", None, "%r = call T @llvm.fshl.M(T %a, T %a, T splat (S 5))"))
SCALAR_INT_OPS = []
for f in ("sadd", "uadd", "ssub", "usub", "smul", "umul"):
    SCALAR_INT_OPS.append((f + "_ov", None, "%%p = call {T, i1} @llvm.%s.with.overflow.M(T %%a, T "
                           "%%b)\n%%v = extractvalue {T, i1} %%p, 0\n%%o = extractvalue {T, i1} "
                           "%%p, 1\n%%r = select i1 %%o, T %%c, T %%v" % f))

FP_OPS = [
    ("fadd", None, "%r = fadd T %a, %b"), ("fsub", None, "%r = fsub T %a, %b"),
    ("fmul", None, "%r = fmul T %a, %b"), ("fdiv", None, "%r = fdiv T %a, %b"),
    ("fneg", None, "%r = fneg T %a"),
    ("select", None, "%q = fcmp olt T %a, %b\n%r = select Q %q, T %b, T %c"),
]
for p in ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
          "une", "uno"):
    FP_OPS.append(("fcmp_" + p, "I", "%%q = fcmp %s T %%a, %%b\n%%r = sext Q %%q to I" % p))
for f in ("fabs", "ceil", "floor", "trunc", "rint", "nearbyint", "roundeven", "sqrt"):
    FP_OPS.append((f, None, "%%r = call T @llvm.%s.M(T %%a)" % f))
for f in ("minnum", "maxnum", "minimum", "maximum", "copysign", "minimumnum", "maximumnum"):
    FP_OPS.append((f, None, "%%r = call T @llvm.%s.M(T %%a, T %%b)" % f))
FP_OPS.append(("fma", None, "%r = call T @llvm.fma.M(T %a, T %b, T %c)"))
for d in ("fptosi", "fptoui"):
    for b in (8, 16, 32, 64):
        FP_OPS.append(("%s%d" % (d, b), "i%d" % b,
                       "%%r = call VI @llvm.%s.sat.MI.M(T %%a)" % d))
FP_OPS += [("sitofp", None, "%ib = bitcast T %a to I\n%r = sitofp I %ib to T"),
           ("uitofp", None, "%ib = bitcast T %a to I\n%r = uitofp I %ib to T"),
           ("bits", "I", "%ib = bitcast T %a to I\n%r = add I %ib, splat (IS 1)")]
CONV = [("half", "float"), ("half", "double"), ("bfloat", "float"), ("float", "double"),
        ("bfloat", "double"), ("half", "bfloat")]

INT_TYPES = ["i8", "i16", "i32", "i64", "<2 x i16>", "<4 x i8>", "<2 x i32>", "<4 x i32>",
             "<2 x i64>", "<4 x i16>", "<8 x i8>"]
FP_TYPES = ["half", "bfloat", "float", "double", "<2 x half>", "<2 x bfloat>", "<4 x half>",
            "<2 x float>", "<4 x float>", "<2 x double>", "<8 x half>", "<8 x bfloat>"]
BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "half": 16, "bfloat": 16, "float": 32,
        "double": 64}
SUF = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}
PTXTY = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64", "i8": "u8",
         "i16": "u16", "i32": "u32", "i64": "u64"}


def parts(ty):
    if ty[0] == "<":
        n, _, s = ty[1:-1].partition(" x ")
        return int(n), s
    return 1, ty


def vec(n, s):
    return "<%d x %s>" % (n, s) if n > 1 else s


def suffix(ty):
    n, s = parts(ty)
    return ("v%d" % n if n > 1 else "") + SUF.get(s, s)


def instantiate(ir, ty, res):
    n, s = parts(ty)
    bits = BITS[s]
    wide = {8: "i16", 16: "i32", 32: "i64", 64: "i128"}[bits]
    rt = ty if res is None else vec(n, "i%d" % bits) if res == "I" else vec(n, res)
    ir = ir.replace("splat (S ", "splat (%s " % s if n > 1 else "\0(S ")
    ir = ir.replace("splat (WS ", "splat (%s " % wide if n > 1 else "\0(S ")
    ir = ir.replace("splat (IS ", "splat (i%d " % bits if n > 1 else "\0(S ")
    import re
    ir = re.sub(r"\0\(S (\S+?)\)", r"\1", ir)
    ir = ir.replace("BITS1", str(bits - 1)).replace("BITS", str(bits))
    if n == 1:
        ir = ir.replace("zeroinitializer", "0")
    out = []
    for tok in re.split(r"(%?[A-Za-z_][\w.]*)", ir):
        out.append({"T": ty, "Q": vec(n, "i1"), "W": vec(n, wide), "I": vec(n, "i%d" % bits),
                    "VI": rt}.get(tok, tok))
    ir = "".join(out)
    ir = re.sub(r"@llvm\.([\w.]+?)\.MI\.M\(", lambda m: "@llvm.%s.%s.%s(" % (
        m.group(1), suffix(rt), suffix(ty)), ir)
    ir = re.sub(r"@llvm\.([\w.]+?)\.M\(", lambda m: "@llvm.%s.%s(" % (m.group(1), suffix(ty)), ir)
    return ir, rt


def ops_for(ty):
    n, s = parts(ty)
    if s[0] == "i":
        ops = list(INT_OPS) + (SCALAR_INT_OPS if n == 1 else [])
        if BITS[s] >= 16:
            ops.append(("bswap", None, "%r = call T @llvm.bswap.M(T %a)"))
        return ops
    ops = list(FP_OPS)
    if s in ("half", "bfloat"):
        # x86 promotes to f32: fma and sqrt would be rounded twice there
        ops = [o for o in ops if o[0] not in ("fma", "sqrt", "sitofp", "uitofp")]
        if s == "bfloat":
            ops = [o for o in ops if o[0] != "fdiv"]
    for x, y in CONV:
        if s == x:
            ops.append(("ext_" + y, "=" + y, "%%r = fpext T %%a to %s" % vec(n, y))
                       if x + y != "halfbfloat" else None)
        if s == y and x + y != "halfbfloat":
            ops.append(("trunc_" + x, "=" + x, "%%r = fptrunc T %%a to %s" % vec(n, x)))
    return [o for o in ops if o]


def build(ty):
    """-> [(name, ir body, result type)]"""
    out = []
    for name, res, ir in ops_for(ty):
        if res is not None and res.startswith("="):
            n, _ = parts(ty)
            b, _ = instantiate(ir, ty, None)
            out.append((name, b, vec(n, res[1:])))
        else:
            b, rt = instantiate(ir, ty, res)
            out.append((name, b, rt))
    return out


def body(ir, ty, rt):
    t = ""
    for v in "abc":
        t += "  %%p%s = getelementptr %s, ptr %%x%s, i64 %%i\n  %%%s = load %s, ptr %%p%s\n" % (
            v, ty, v, v, ty, v)
    t += "".join("  %s\n" % x for x in ir.split("\n"))
    t += "  %%po = getelementptr %s, ptr %%xo, i64 %%i\n  store %s %%r, ptr %%po\n" % (rt, rt)
    return t


def device_ir(fns, ty):
    t = ['target triple = "nvptx64-nvidia-cuda"\n'
         "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
         "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"]
    for name, ir, rt in fns:
        t.append("define ptx_kernel void @%s(ptr %%xa, ptr %%xb, ptr %%xc, ptr %%xo) {\n"
                 "  %%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                 "  %%n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
                 "  %%u = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                 "  %%w = mul i32 %%n, %%u\n  %%z = add i32 %%t, %%w\n"
                 "  %%i = zext i32 %%z to i64\n%s  ret void\n}\n" % (name, body(ir, ty, rt)))
    return "".join(t)


def host_ir(fns, ty):
    t = []
    for name, ir, rt in fns:
        t.append("define void @%s(ptr %%xa, ptr %%xb, ptr %%xc, ptr %%xo, i64 %%n) {\nentry:\n"
                 "  br label %%loop\nloop:\n  %%i = phi i64 [0, %%entry], [%%j, %%loop]\n%s"
                 "  %%j = add i64 %%i, 1\n  %%e = icmp eq i64 %%j, %%n\n"
                 "  br i1 %%e, label %%out, label %%loop\nout:\n  ret void\n}\n" % (
                     name, body(ir, ty, rt)))
    return "".join(t)


# bfloat conversions that the old libgcc lacks; one rounding each
RUNTIME = r"""
typedef unsigned u32;
/* the value travels in the low bits of xmm0 */
typedef u32 V __attribute__((vector_size(16)));
static V rnd(u32 b, int nan) { u32 h = nan ? 0x7fc0 : (b + 0x7fff + ((b >> 16) & 1)) >> 16;
  V r = {h & 0xffff, 0, 0, 0}; return r; }
V __truncsfbf2(float f) { u32 b; __builtin_memcpy(&b, &f, 4); return rnd(b, f != f); }
V __truncdfbf2(double d) { float f = (float)d; u32 b; __builtin_memcpy(&b, &f, 4);
  if (d == d && (double)f != d) { if (__builtin_fabs((double)f) > __builtin_fabs(d)) b--; b |= 1; }
  return rnd(b, d != d); }
"""
_host = {}


def host_results(ty):
    if ty in _host:
        return _host[ty]
    fns = build(ty)
    d = tmpdir()
    with open(d + "/h.ll", "w") as f:
        f.write(host_ir(fns, ty))
    sh([tool("llc"), "-O1", "-mcpu=x86-64-v3", "-relocation-model=pic", "-filetype=obj",
        d + "/h.ll", "-o", d + "/h.o"])
    with open(d + "/r.c", "w") as f:
        f.write(RUNTIME)
    sh([tool("gcc"), "-O1", "-fPIC", "-c", d + "/r.c", "-o", d + "/r.o"])
    sh([tool("gcc"), "-shared", d + "/h.o", d + "/r.o", "-o", d + "/h.so", "-lm", "-lgcc"])
    lib = ctypes.CDLL(d + "/h.so")
    n, s = parts(ty)
    rng = random.Random(ty)
    data = []
    w = BITS[s] // 8
    for _ in range(3):
        v = pool(PTXTY[s], N * n, rng)
        if s in SUF:
            # quiet NaNs only: signalling ones differ between machines
            q = {"half": 0x200, "bfloat": 0x40, "float": 0x400000, "double": 1 << 51}[s]
            v = [x | q if isnan(x, s) else x for x in v]
        a = np.array(v, "u%d" % w)
        data.append(a)
    res = {}
    for name, ir, rt in fns:
        rn, rs = parts(rt)
        o = np.zeros(N * rn * (BITS[rs] // 8) + 64, np.uint8)
        off = -o.ctypes.data % 64
        o = o[off:off + N * rn * (BITS[rs] // 8)]
        bufs = []
        for x in data:
            r = np.zeros(x.nbytes + 64, np.uint8)
            k = -r.ctypes.data % 64
            r = r[k:k + x.nbytes]
            r[:] = x.view(np.uint8)
            bufs.append(r)
        getattr(lib, name)(*[ctypes.c_void_p(b.ctypes.data) for b in bufs],
                           ctypes.c_void_p(o.ctypes.data), ctypes.c_int64(N))
        res[name] = o.view("u%d" % (BITS[rs] // 8)).copy()
    _host[ty] = (fns, data, res)
    return _host[ty]


def isnan(x, s):
    e, m = {"half": (0x7c00, 0x3ff), "bfloat": (0x7f80, 0x7f), "float": (0x7f800000, 0x7fffff),
            "double": (0x7ff << 52, (1 << 52) - 1)}[s]
    return (x & e) == e and (x & m) != 0


@pytest.mark.parametrize("arch,attr", ARCHS)
@pytest.mark.parametrize("ty", INT_TYPES + FP_TYPES)
def test_operations(ty, arch, attr):
    fns, data, want = host_results(ty)
    d = tmpdir()
    with open(d + "/d.ll", "w") as f:
        f.write(device_ir(fns, ty))
    # llc cannot select some operations for some types: drop those kernels
    try:
        sh([tool("llc"), "-O3", "-mcpu=" + arch, "-mattr=" + attr, d + "/d.ll", "-o",
            d + "/d.ptx"])
        ptxs = {None: open(d + "/d.ptx").read()}
    except RuntimeError:
        ptxs = {}
        for fn in fns:
            with open(d + "/d.ll", "w") as f:
                f.write(device_ir([fn], ty))
            try:
                sh([tool("llc"), "-O3", "-mcpu=" + arch, "-mattr=" + attr, d + "/d.ll", "-o",
                    d + "/d.ptx"])
                ptxs[fn[0]] = open(d + "/d.ptx").read()
            except RuntimeError:
                pass
        assert len(ptxs) >= len(fns) * 0.7, "llc rejects too much"
    n, s = parts(ty)
    ran = 0
    for ptx in ptxs.values():
        m = Module.from_text(ptx)
        for name, ir, rt in fns:
            if name not in m.kernels:
                continue
            rn, rs = parts(rt)
            out = np.zeros(N * rn, "u%d" % (BITS[rs] // 8))
            m.launch(name, 2, N // 2, list(data) + [out])
            ran += 1
            w = want[name]
            bad = out != w
            if rs in SUF and bad.any():
                for i in np.flatnonzero(bad):
                    if isnan(int(out[i]), rs) and isnan(int(w[i]), rs):
                        bad[i] = False
            if name in ("minnum", "maxnum", "minimumnum", "maximumnum") and bad.any():
                # the order of differently signed zeros is left open
                top = 1 << (BITS[rs] - 1)
                for i in np.flatnonzero(bad):
                    if (int(out[i]) | int(w[i])) == top:
                        bad[i] = False
            i = int(np.flatnonzero(bad)[0]) if bad.any() else 0
            assert not bad.any(), "%s %s %s: element %d: a=%#x b=%#x c=%#x got %#x want %#x" % (
                arch, ty, name, i, *[int(x[min(i, x.size - 1)]) for x in data], int(out[i]),
                int(w[i]))
    assert ran >= len(fns) * 0.7


MISC = r"""
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare float @llvm.nvvm.ex2.approx.f(float)
declare i32 @llvm.nvvm.flo.u.i32(i32, i1)
@sh = internal addrspace(3) global [64 x i32] poison, align 4
@tab = internal addrspace(4) constant [4 x float] [float 1.0, float 2.5, float -3.0, float 4.0]
%S = type { i8, i32, [3 x i16], double }
define internal i32 @callee(ptr byval(%S) align 8 %s, i128 %w, <4 x float> %v) noinline {
  %p1 = getelementptr %S, ptr %s, i32 0, i32 1
  %x = load i32, ptr %p1
  %p2 = getelementptr %S, ptr %s, i32 0, i32 2, i32 %x
  %y = load i16, ptr %p2
  %p3 = getelementptr %S, ptr %s, i32 0, i32 3
  %d = load double, ptr %p3
  %di = fptosi double %d to i32
  %yi = sext i16 %y to i32
  %wh = lshr i128 %w, 70
  %wt = trunc i128 %wh to i32
  %e = extractelement <4 x float> %v, i32 %x
  %ei = fptosi float %e to i32
  %a = add i32 %x, %yi
  %b = add i32 %a, %di
  %c = add i32 %b, %wt
  %r = add i32 %c, %ei
  ret i32 %r
}
define ptx_kernel void @k(ptr %out, ptr byval(%S) align 8 %ks) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [64 x i32], ptr addrspace(3) @sh, i32 0, i32 %t
  %t3 = mul i32 %t, 3
  store i32 %t3, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = xor i32 %t, 33
  %q = getelementptr [64 x i32], ptr addrspace(3) @sh, i32 0, i32 %x
  %g = addrspacecast ptr addrspace(3) %q to ptr
  %v = load i32, ptr %g
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 5, i32 31)
  %odd = trunc i32 %t to i1
  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  %m = and i32 %t, 3
  %tp = getelementptr [4 x float], ptr addrspace(4) @tab, i32 0, i32 %m
  %f = load float, ptr addrspace(4) %tp
  %ex = call float @llvm.nvvm.ex2.approx.f(float %f)
  %m2 = urem i32 %t, 3
  %st = alloca %S, align 8
  %f1 = getelementptr %S, ptr %st, i32 0, i32 1
  store i32 %m2, ptr %f1
  %f2 = getelementptr %S, ptr %st, i32 0, i32 2
  store [3 x i16] [i16 100, i16 -200, i16 300], ptr %f2
  %f3 = getelementptr %S, ptr %st, i32 0, i32 3
  %d = sitofp i32 %t to double
  store double %d, ptr %f3
  %w0 = zext i32 %t to i128
  %w = shl i128 %w0, 70
  %v0 = insertelement <4 x float> <float 10.0, float 20.0, float 30.0, float 40.0>, float 5.0, i32 %m
  %c = call i32 @callee(ptr byval(%S) align 8 %st, i128 %w, <4 x float> %v0)
  %kp = getelementptr %S, ptr %ks, i32 0, i32 2, i32 %m2
  %kv = load i16, ptr %kp
  %ke = sext i16 %kv to i32
  %bf = call i32 @llvm.nvvm.flo.u.i32(i32 %t3, i1 false)
  %row = mul i32 %t, 6
  %o0 = getelementptr i32, ptr %out, i32 %row
  store i32 %s, ptr %o0
  %o1 = getelementptr i32, ptr %o0, i32 1
  store i32 %b, ptr %o1
  %o2 = getelementptr i32, ptr %o0, i32 2
  store float %ex, ptr %o2
  %o3 = getelementptr i32, ptr %o0, i32 3
  store i32 %c, ptr %o3
  %o4 = getelementptr i32, ptr %o0, i32 4
  store i32 %ke, ptr %o4
  %o5 = getelementptr i32, ptr %o0, i32 5
  store i32 %bf, ptr %o5
  ret void
}
define ptx_kernel void @atomics(ptr addrspace(1) %p, ptr addrspace(1) %f) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = atomicrmw add ptr addrspace(1) %p, i32 %t seq_cst
  %p1 = getelementptr i32, ptr addrspace(1) %p, i32 1
  %b = atomicrmw sub ptr addrspace(1) %p1, i32 %t monotonic
  %p2 = getelementptr i32, ptr addrspace(1) %p, i32 2
  %c = atomicrmw umax ptr addrspace(1) %p2, i32 %t acq_rel
  %p3 = getelementptr i32, ptr addrspace(1) %p, i32 3
  %d = atomicrmw nand ptr addrspace(1) %p3, i32 %t monotonic
  %p4 = getelementptr i32, ptr addrspace(1) %p, i32 4
  %e = atomicrmw uinc_wrap ptr addrspace(1) %p4, i32 9 monotonic
  %ff = atomicrmw fadd ptr addrspace(1) %f, float 1.5 monotonic
  %f1 = getelementptr float, ptr addrspace(1) %f, i32 1
  %tf = uitofp i32 %t to float
  %fg = atomicrmw fmax ptr addrspace(1) %f1, float %tf monotonic
  %p5 = getelementptr i8, ptr addrspace(1) %p, i32 21
  %h = atomicrmw add ptr addrspace(1) %p5, i8 3 monotonic
  %p6 = getelementptr i16, ptr addrspace(1) %p, i32 13
  %i = atomicrmw xor ptr addrspace(1) %p6, i16 -1 monotonic
  %p8 = getelementptr i64, ptr addrspace(1) %p, i32 4
  %cx = cmpxchg ptr addrspace(1) %p8, i64 0, i64 77 monotonic monotonic
  ret void
}
"""


@pytest.mark.parametrize("arch,attr", ARCHS)
@pytest.mark.parametrize("opt", ["-O0", "-O3"])
def test_misc_kernels(arch, attr, opt):
    d = tmpdir()
    with open(d + "/m.ll", "w") as f:
        f.write(MISC)
    sh([tool("llc"), opt, "-mcpu=" + arch, "-mattr=" + attr, d + "/m.ll", "-o", d + "/m.ptx"])
    ptx = open(d + "/m.ptx").read()
    ok, err = ptxas_ok(ptx, arch if arch != "sm_70" else "sm_75")
    m = Module.from_text(ptx)
    out = np.zeros((64, 6), np.uint32)
    st = np.zeros(24, np.uint8)
    st[8:14] = np.array([7, -8, 9], np.int16).view(np.uint8)
    # padding of the byval structure is copied without having been written
    m.launch("k", 1, 64, [out, st.tobytes()], allow_uninit={"local"})
    for t in range(64):
        row = out[t]
        v = lambda i: (i ^ 33) * 3                                      # noqa: E731
        assert row[0] == v(t ^ 5) and row[1] == 0xaaaaaaaa
        assert row[2:3].view(np.float32)[0] == np.float32(2.0 ** [1.0, 2.5, -3.0, 4.0][t & 3])
        vec4 = [10, 20, 30, 40]
        vec4[t & 3] = 5
        assert row[3:4].view(np.int32)[0] == (t % 3) + [100, -200, 300][t % 3] + t + t + \
            vec4[t % 3]
        assert row[4:5].view(np.int32)[0] == [7, -8, 9][t % 3]
        assert row[5] == ((3 * t).bit_length() - 1) & 0xffffffff
    p = np.zeros(16, np.uint32)
    p[1] = 5000
    f = np.zeros(2, np.float32)
    m.launch("atomics", 1, 40, [p, f], timeout_s=60)
    assert p[0] == 780 and p[1] == 5000 - 780 and p[2] == 39 and p[4] == 0
    x = 0
    for t in range(40):
        x = ~(x & t) & 0xffffffff
    assert p[3] == x
    assert f[0] == 60 and f[1] == 39
    b = p.view(np.uint8)
    assert b[21] == 120 and p.view(np.uint16)[13] == 0 and p.view(np.uint64)[4] == 77
