# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared test helpers."""

import atexit
import os
import re
import shutil
import subprocess
import tempfile

import numpy as np
import pytest

from ptxrun import Module

HERE = os.path.dirname(os.path.abspath(__file__))
# Where LLVM 22 and the CUDA toolkit are; $PATH is searched as well.
LLVM = os.path.join(os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22"), "bin")
CUDA = os.environ.get("CUDA_HOME", "/usr/local/cuda")


def find_tool(name):
    """The path of a program of LLVM, CUDA or the system, or None."""
    if name in ("nvcc", "ptxas"):
        return shutil.which(os.path.join(CUDA, "bin", name)) or shutil.which(name)
    if name in ("clang", "llc", "mlir-opt"):
        # Other versions print other PTX, or none at all.
        return shutil.which(os.path.join(LLVM, name)) or shutil.which(name + "-22")
    return shutil.which(name)


def tool(name):
    """The path of a program; the test is skipped where it is missing."""
    path = find_tool(name)
    if path is None:
        pytest.skip("needs " + name)
    return path

HEAD = ".version 8.8\n.target sm_100\n.address_size 64\n"

NP = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
SIZE = {"u8": 1, "s8": 1, "b8": 1, "u16": 2, "s16": 2, "b16": 2, "f16": 2, "bf16": 2,
        "u32": 4, "s32": 4, "b32": 4, "f32": 4, "f16x2": 4, "bf16x2": 4, "tf32": 4,
        "u16x2": 4, "s16x2": 4, "u64": 8, "s64": 8, "b64": 8, "f64": 8, "f32x2": 8, "pred": 1}

EDGE_INT = {
    1: [0, 1, 2, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff],
    2: [0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x100, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff],
    4: [0, 1, 2, 3, 5, 7, 31, 32, 33, 63, 64, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000,
        0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x55555555,
        0xaaaaaaaa, 0x01234567, 0xdeadbeef],
    8: [0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 0xff, 0xffff, 0xffffffff, 0x100000000,
        0x1ffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
        0xffffffffffffffff, 0xfffffffffffffffe, 0x0123456789abcdef, 0x20000000000001,
        0x3fffffffffffff, 0x7ffffffffffffc00, 0xfffffffffffffbff, 0xfffffffffffffc00],
}
EDGE_F = {
    "f32": [0, 0x80000000, 1, 0x80000001, 2, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
            0x00800001, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x40000000, 0x3f000000,
            0x3effffff, 0x3f000001, 0x3fc00000, 0x40200000, 0xbf000000, 0xbfc00000, 0x4b000000,
            0x4b7fffff, 0x4b800000, 0x4b800001, 0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000,
            0xcf000000, 0xcf000001, 0x5effffff, 0x5f000000, 0x5f7fffff, 0x5f800000, 0xdf000000,
            0x7f7fffff, 0xff7fffff, 0x7f7ffffe, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
            0x7f800001, 0x7fffffff, 0x477fe000, 0x477ff000, 0x477fefff, 0x47800000, 0x33000000,
            0x33000001, 0x33800000, 0x387fc000, 0x387fe000, 0x38800000, 0x42fe0000, 0x42ff0000,
            0x437f0000, 0x437f8000, 0x43800000, 0xc3000000, 0xc3008000],
    "f64": [0, 1 << 63, 1, (1 << 63) | 1, 0x000fffffffffffff, 0x0010000000000000,
            0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff,
            0x4000000000000000, 0x3fe0000000000000, 0x3fdfffffffffffff, 0x3ff8000000000000,
            0x4004000000000000, 0xbfe0000000000000, 0x41dfffffffc00000, 0x41e0000000000000,
            0x41efffffffe00000, 0x41f0000000000000, 0xc1e0000000000000, 0xc1e0000000200000,
            0x43dfffffffffffff, 0x43e0000000000000, 0x43efffffffffffff, 0x43f0000000000000,
            0xc3e0000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000,
            0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000000, 0x47efffffe0000000,
            0x47efffffefffffff, 0x47effffff0000000, 0x380fffffe0000000, 0x36a0000000000000,
            0x3690000000000000, 0x3690000000000001, 0x3810000000000000, 0x380fffffffffffff,
            0x0360000000000000, 0x7c80000000000000, 0x40efffffffffffff],
    "f16": [0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x401, 0x83ff, 0x8400, 0x3c00, 0xbc00, 0x3c01,
            0x3bff, 0x4000, 0x3800, 0x37ff, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe00,
            0x7c01, 0x7fff, 0x1400, 0x6400, 0x63ff, 0x5bff, 0x5c00, 0x3e00, 0x4100],
    "bf16": [0, 0x8000, 1, 0x8001, 0x7f, 0x80, 0x81, 0x807f, 0x3f80, 0xbf80, 0x3f81, 0x3f7f,
             0x4000, 0x3f00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc0, 0x7f81, 0x7fff,
             0x4b00, 0x4b80, 0x3fc0, 0x4020, 0x4f00, 0x5f00],
}


def pool(ty, n, rng, near=True):
    """n bit patterns of a type: edge cases and several random distributions."""
    w = SIZE[ty]
    if ty in ("f16x2", "bf16x2", "u16x2", "s16x2"):
        h = {"f16x2": "f16", "bf16x2": "bf16"}.get(ty, "u16")
        a, b = pool(h, n, rng), pool(h, n, rng)
        rng.shuffle(b)
        return [x | (y << 16) for x, y in zip(a, b)]
    if ty == "f32x2":
        a, b = pool("f32", n, rng), pool("f32", n, rng)
        rng.shuffle(b)
        return [x | (y << 32) for x, y in zip(a, b)]
    if ty == "pred":
        return [rng.randrange(2) for _ in range(n)]
    bits = 8 * w
    edge = EDGE_F.get(ty) or EDGE_INT[w]
    out = []
    for _ in range(n):
        k = rng.random()
        if k < 0.35:
            v = rng.choice(edge)
        elif k < 0.6:
            v = rng.getrandbits(bits)
        elif k < 0.8 and ty in EDGE_F:
            # moderate exponents
            p = {"f32": 23, "f64": 52, "f16": 10, "bf16": 7}[ty]
            bias = {"f32": 127, "f64": 1023, "f16": 15, "bf16": 127}[ty]
            e = bias + rng.randrange(-min(14, bias - 1), 15)
            m = rng.getrandbits(p)
            if rng.random() < 0.5:
                m &= ~((1 << rng.randrange(p + 1)) - 1)      # short mantissas: ties
            v = (rng.getrandbits(1) << (bits - 1)) | (e << p) | m
        elif k < 0.9 and ty in EDGE_F:
            v = (rng.choice(edge) + rng.randrange(-3, 4)) & ((1 << bits) - 1)
        else:
            v = rng.getrandbits(rng.randrange(1, bits + 1))
            if rng.random() < 0.5:
                v = (-v) & ((1 << bits) - 1)
        out.append(v)
    return out


REG = {1: ("b16", "%h"), 2: ("b16", "%h"), 4: ("b32", "%r"), 8: ("b64", "%d")}


def op_kernel(body, ins, outs, pred_guard=False):
    """Kernel text: thread i loads one value per input, runs `body`, stores outputs.

    In body: {i0} {i1} ... are input registers, {o0} ... outputs, {p0}.. predicates."""
    t = [HEAD, ".visible .entry k(.param .u64 n"]
    for j in range(len(ins)):
        t.append(", .param .u64 in%d" % j)
    for j in range(len(outs)):
        t.append(", .param .u64 out%d" % j)
    t.append(")\n{\n.reg .pred %p<20>;\n.reg .b16 %h<40>;\n.reg .b32 %r<60>;\n"
             ".reg .b64 %d<80>;\n.reg .b64 %a<60>;\n.reg .pred %g<4>;\n")
    t.append("mov.u32 %r50, %ctaid.x;\nmov.u32 %r51, %ntid.x;\nmov.u32 %r52, %tid.x;\n"
             "mad.lo.s32 %r53, %r50, %r51, %r52;\ncvt.u64.u32 %a50, %r53;\n"
             "ld.param.u64 %a51, [n];\nsetp.ge.u64 %p19, %a50, %a51;\n@%p19 bra END;\n")
    names = {}
    for j, ty in enumerate(ins):
        w = SIZE[ty]
        t.append("ld.param.u64 %%a%d, [in%d];\nmad.lo.u64 %%a%d, %%a50, %d, %%a%d;\n" % (
            j, j, j, w, j))
        if ty == "pred":
            t.append("ld.global.u8 %%h%d, [%%a%d];\nsetp.ne.u16 %%p%d, %%h%d, 0;\n" % (
                30 + j, j, j, 30 + j))
            names["i%d" % j] = "%%p%d" % j
        else:
            r = REG[w][1]
            t.append("ld.global.b%d %s%d, [%%a%d];\n" % (8 * w, r, j, j))
            names["i%d" % j] = "%s%d" % (r, j)
    for j, ty in enumerate(outs):
        w = SIZE[ty]
        if ty == "pred":
            names["o%d" % j] = "%%p%d" % (10 + j)
            if pred_guard:
                t.append("setp.ne.u32 %%p%d, %%r53, %%r53;\n" % (10 + j))
        else:
            r = REG[w][1]
            names["o%d" % j] = "%s%d" % (r, 10 + j)
            if pred_guard:
                t.append("mov.b%d %s%d, 0x5a;\n" % (8 * max(w, 2), r, 10 + j))
    for k in range(6):
        names["t%d" % k] = "%%r%d" % (20 + k)
        names["u%d" % k] = "%%d%d" % (20 + k)
        names["h%d" % k] = "%%h%d" % (20 + k)
        names["q%d" % k] = "%%p%d" % (4 + k)
    names["g"] = ""
    if pred_guard:
        t.append("and.b32 %r54, %r53, 1;\nsetp.eq.u32 %g0, %r54, 1;\n")
        names["g"] = "@%g0"
    t.append(body.format(**names) + "\n")
    for j, ty in enumerate(outs):
        w = SIZE[ty]
        t.append("ld.param.u64 %%a%d, [out%d];\nmad.lo.u64 %%a%d, %%a50, %d, %%a%d;\n" % (
            20 + j, j, 20 + j, w, 20 + j))
        if ty == "pred":
            t.append("selp.b16 %%h%d, 1, 0, %%p%d;\nst.global.b8 [%%a%d], %%h%d;\n" % (
                30 + j, 10 + j, 20 + j, 30 + j))
        else:
            t.append("st.global.b%d [%%a%d], %s;\n" % (8 * w, 20 + j, names["o%d" % j]))
    t.append("END:\nret;\n}\n")
    return "".join(t)


def run_op(body, ins, outs, data, block=128, pred_guard=False, **opts):
    """Execute op_kernel on lists of bit patterns; -> list of output lists."""
    mod = Module.from_text(op_kernel(body, ins, outs, pred_guard))
    n = len(data[0]) if data else 128
    arrs = [np.array(d, dtype=NP[SIZE[ty]]) for d, ty in zip(data, ins)]
    res = [np.zeros(n, NP[SIZE[ty]]) for ty in outs]
    mod.launch("k", (n + block - 1) // block, block, [n] + arrs + res, **opts)
    return [r.tolist() for r in res]


_tmp = []


def tmpdir():
    """A directory removed when the test process ends (PTXRUN_KEEP=1 keeps it)."""
    if not _tmp and not os.environ.get("PTXRUN_KEEP"):
        atexit.register(lambda: [shutil.rmtree(d, ignore_errors=True) for d in _tmp])
    _tmp.append(tempfile.mkdtemp(prefix="ptxrun-test-"))
    return _tmp[-1]


def sh(cmd, **kw):
    r = subprocess.run(cmd, capture_output=True, text=True, **kw)
    if r.returncode:
        raise RuntimeError("%s failed:\n%s\n%s" % (cmd[0], r.stdout[-2000:], r.stderr[-4000:]))
    return r.stdout


def mlir_to_ptx(mlir, chip="sm_90", features="+ptx80", extra="", pre=()):
    """MLIR module with gpu.module -> PTX text."""
    d = tmpdir()
    f = os.path.join(d, "k.mlir")
    with open(f, "w") as fh:
        fh.write(mlir)
    out = sh([tool("mlir-opt"), f, *pre, "--gpu-lower-to-nvvm-pipeline=cubin-chip=%s "
              "cubin-features=%s cubin-format=isa %s" % (chip, features, extra)],
             env=dict(os.environ, CUDA_ROOT=CUDA, CUDA_HOME=CUDA, CUDA_PATH=CUDA))
    m = re.search(r'assembly = "((?:[^"\\]|\\.)*)"', out)
    if m is None:
        raise RuntimeError("no assembly in mlir-opt output")
    raw = m.group(1)
    return re.sub(r"\\(?:([0-9A-Fa-f]{2})|(.))",
                  lambda x: chr(int(x.group(1), 16)) if x.group(1) else x.group(2), raw)


def nvcc_ptx(src, arch="sm_90", *flags):
    d = tmpdir()
    f = os.path.join(d, "k.cu")
    with open(f, "w") as fh:
        fh.write(src)
    o = os.path.join(d, "k.ptx")
    sh([tool("nvcc"), "--ptx", "-arch=" + arch, *flags, f, "-o", o])
    with open(o) as fh:
        return fh.read()


def needs_ptxas(test):
    """Marks a test that does nothing but ask NVIDIA's assembler."""
    missing = pytest.mark.skipif(find_tool("ptxas") is None, reason="needs ptxas")
    return missing(pytest.mark.slow(test))


def ptxas_ok(ptx, arch):
    """Does NVIDIA's assembler accept this text?  Not asked where there is none."""
    if find_tool("ptxas") is None:
        return True, ""
    d = tmpdir()
    f = os.path.join(d, "k.ptx")
    with open(f, "w") as fh:
        fh.write(ptx)
    r = subprocess.run([tool("ptxas"), "-arch=" + arch, f, "-o", os.path.join(d, "k.cubin")],
                       capture_output=True, text=True)
    return r.returncode == 0, r.stderr


def bits32(x):
    return np.asarray(x, np.float32).view(np.uint32)


def ulp_diff32(a, b):
    """Distance in f32 ulps (monotone integer ordering); NaN pairs count 0."""
    a = np.asarray(a, np.float32)
    b = np.asarray(b, np.float32)

    def key(x):
        i = x.view(np.int32).astype(np.int64)
        return np.where(i < 0, -(i & 0x7fffffff), i)
    d = np.abs(key(a) - key(b))
    both = np.isnan(a) & np.isnan(b)
    return np.where(both, 0, np.where(np.isnan(a) != np.isnan(b), 1 << 40, d))
