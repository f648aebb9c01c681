# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed of the interpreter on typical kernels (not a test).  Prints a table."""

import sys
import time

import numpy as np

from common import HEAD, nvcc_ptx
from ptxrun import Module
from test_cuda import CURAND, KERNELS

N = 1 << 20


def chain(op, n, ty="f32"):
    body = "".join(op % {"d": "%r" + str(3 + i % 4), "a": "%r" + str(3 + (i + 3) % 4),
                         "b": "%r2", "c": "%r" + str(3 + (i + 2) % 4)} + "\n" for i in range(n))
    return (HEAD + ".visible .entry k(.param .u64 x)\n{\n.reg .b32 %%r<20>;\n.reg .b64 %%d<9>;\n"
            "ld.param.u64 %%d1, [x];\nmov.u32 %%r10, %%ctaid.x;\nmov.u32 %%r11, %%ntid.x;\n"
            "mov.u32 %%r12, %%tid.x;\nmad.lo.u32 %%r13, %%r10, %%r11, %%r12;\n"
            "mad.wide.u32 %%d2, %%r13, 4, %%d1;\nld.global.b32 %%r2, [%%d2];\n"
            "mov.b32 %%r3, %%r2;\nmov.b32 %%r4, %%r2;\nmov.b32 %%r5, %%r2;\nmov.b32 %%r6, %%r2;\n"
            "%s\nadd.u32 %%r3, %%r3, %%r6;\nst.global.b32 [%%d2], %%r3;\nret;\n}\n" % body)


def report(name, r, wall):
    print("%-44s %9d %8.1f %9.3f %9.1f" % (
        name, r.threads, r.instructions / r.threads, wall, r.instructions / wall / 1e6))
    sys.stdout.flush()


def timed(name, m, *a, **kw):
    best = None
    for _ in range(2):
        t = time.perf_counter()
        r = m.launch(*a, **kw)
        w = time.perf_counter() - t
        if best is None or w < best[1]:
            best = (r, w)
    report(name, *best)


def main():
    print("%-44s %9s %8s %9s %9s" % ("kernel", "threads", "instr/th", "seconds", "M instr/s"))
    x = np.random.default_rng(0).random(N, dtype=np.float32)
    for name, op in [("150 x integer add", "add.u32 %(d)s, %(a)s, %(b)s;"),
                     ("150 x mad.lo.u32", "mad.lo.u32 %(d)s, %(a)s, %(b)s, %(c)s;"),
                     ("150 x mul.hi.u32", "mul.hi.u32 %(d)s, %(a)s, %(b)s;"),
                     ("150 x xor/shift by constant", "shf.l.wrap.b32 %(d)s, %(a)s, %(c)s, 13;"),
                     ("150 x mul.rn.f32", "mul.rn.f32 %(d)s, %(a)s, %(b)s;"),
                     ("150 x fma.rn.f32", "fma.rn.f32 %(d)s, %(a)s, %(b)s, %(c)s;"),
                     ("150 x fma.rn.ftz.f32", "fma.rn.ftz.f32 %(d)s, %(a)s, %(b)s, %(c)s;"),
                     ("150 x ex2.approx.f32", "ex2.approx.f32 %(d)s, %(a)s;"),
                     ("150 x fma.rn.f16x2", "fma.rn.f16x2 %(d)s, %(a)s, %(b)s, %(c)s;"),
                     ("150 x mul.rn.bf16x2", "mul.rn.bf16x2 %(d)s, %(a)s, %(b)s;")]:
        m = Module.from_text(chain(op, 150))
        timed(name, m, "k", N // 256, 256, [x.copy()])
    c = Module.from_text(nvcc_ptx(CURAND, "sm_90"))
    o = np.zeros((N, 4), np.float32)
    timed("cuRAND Philox uniform4", c, "uni", N // 256, 256, [o, 1, 0, N])
    timed("cuRAND Philox normal4", c, "nor", N // 256, 256, [o, 1, 0, N])
    k = Module.from_text(nvcc_ptx(KERNELS, "sm_90"))
    y = np.zeros(N, np.float32)
    timed("saxpy, grid stride", k, "saxpy", 512, 256, [N, 2.0, x, y])
    timed("12 libm functions f32", k, "mathf", N // 4 // 256, 256,
          [x[:N // 4] * 40, np.zeros((N // 4, 12), np.float32), N // 4])
    xd = np.random.default_rng(0).random(N // 16)
    timed("8 libm functions f64", k, "mathd", N // 16 // 256, 256,
          [xd, np.zeros((N // 16, 8)), N // 16])
    timed("block reduction (shuffles, shared)", k, "reduce", 1024, 256,
          [x, np.zeros(1024, np.float32), N])
    timed("softmax rows of 256", k, "softmax", 4096, 32,
          [x, np.zeros(N, np.float32), 256], shared_bytes=1024)
    a = np.random.default_rng(1).random((256, 256), dtype=np.float32)
    timed("tiled matmul 256x256x256 in shared memory", k, "matmul", (16, 16), (16, 16),
          [a, a, np.zeros((256, 256), np.float32), 256, 256, 256])
    timed("bitonic sort of 256 in shared memory", k, "bitonic", 1024, 256,
          [x[:1024 * 256].view(np.uint32).copy()])
    timed("saxpy with --stats", k, "saxpy", 512, 256, [N, 2.0, x, y], stats=True)
    timed("block reduction with racecheck", k, "reduce", 1024, 256,
          [x, np.zeros(1024, np.float32), N], racecheck=True)


if __name__ == "__main__":
    main()
