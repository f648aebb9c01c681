# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""State spaces, vector accesses, initialisers, atomics and the error paths."""

import numpy as np
import pytest

from ptxrun import (Module, Buffer, Ptr, Struct, uninit, LaunchError, OutOfBounds, Misaligned,
                    UninitialisedRead, ReadOnlyWrite, UnknownInstruction, PtxParseError,
                    PtxError, MemoryFault)
from common import HEAD, needs_ptxas, ptxas_ok

CHECKED = []


def kernel(params, body, regs="", top="", name="k", arch="sm_90"):
    t = (HEAD.replace("sm_100", arch) + top + "\n.visible .entry %s(%s)\n{\n"
         ".reg .pred %%p<20>;\n.reg .b16 %%h<40>;\n.reg .b32 %%r<80>;\n.reg .b64 %%d<80>;\n%s\n"
         "mov.u32 %%r70, %%tid.x;\nmov.u32 %%r71, %%ctaid.x;\nmov.u32 %%r72, %%ntid.x;\n"
         "mad.lo.u32 %%r73, %%r71, %%r72, %%r70;\ncvt.u64.u32 %%d70, %%r73;\n%s\nret;\n}\n" % (
             name, params, regs, body))
    CHECKED.append((arch, t))
    return Module.from_text(t)


P2 = ".param .u64 a, .param .u64 b"
LD2 = "ld.param.u64 %d0, [a];\nld.param.u64 %d1, [b];\n"


# --- plain and vector loads and stores -----------------------------------------

@pytest.mark.parametrize("ty,dt", [("u8", np.uint8), ("s8", np.int8), ("u16", np.uint16),
                                   ("s16", np.int16), ("u32", np.uint32), ("s32", np.int32),
                                   ("u64", np.uint64), ("b8", np.uint8), ("b32", np.uint32)])
def test_load_extension(ty, dt):
    for dst in (16, 32, 64):
        if dst >= 8 * np.dtype(dt).itemsize:
            load_extension(ty, dt, dst)


def load_extension(ty, dt, dst):
    w = np.dtype(dt).itemsize
    reg = {16: "%h0", 32: "%r0", 64: "%d5"}[dst]
    m = kernel(P2, LD2 + "mad.lo.u64 %%d2, %%d70, %d, %%d0;\nmad.lo.u64 %%d3, %%d70, %d, %%d1;\n"
               "ld.global.%s %s, [%%d2];\nst.global.b%d [%%d3], %s;" % (w, dst // 8, ty, reg, dst,
                                                                       reg))
    info = np.iinfo(dt)
    src = np.array([0, 1, info.max, info.min, 0x55, 5], dtype=dt)
    out = np.zeros(6, "u%d" % (dst // 8))
    m.launch("k", 1, 6, [src, out])
    assert (out == src.astype("i%d" % (dst // 8) if info.min < 0 else out.dtype).view(
        out.dtype)).all()


VEC = [("v2", "b8"), ("v4", "b8"), ("v2", "b16"), ("v4", "b16"), ("v2", "b32"), ("v4", "b32"),
       ("v2", "b64"), ("v4", "f32"), ("v2", "f64"), ("v4", "u32"), ("v8", "b32"), ("v4", "b64")]


VSP = [(v, t, s) for v, t in VEC for s in ("global", "shared", "local", "generic")
       if s == "global" or int(v[1:]) * int(t[1:]) < 256]     # 256 bits: global only


@pytest.mark.parametrize("vec,ty,space", VSP)
def test_vector_access(vec, ty, space):
    n = int(vec[1:])
    w = int(ty[1:]) // 8
    size = n * w
    pre = {1: "%h", 2: "%h", 4: "%r", 8: "%d"}[w]
    regs = ", ".join("%s%d" % (pre, 10 + i) for i in range(n))
    arch = "sm_100" if size == 32 else "sm_90"
    decl, mid = "", ""
    ld = "ld.global.%s.%s" % (vec, ty)
    st = "st.global.%s.%s" % (vec, ty)
    if space in ("shared", "local"):
        if space == "shared":
            decl = ".shared .align 32 .b8 buf[%d];" % (64 * size)
            mid = "mov.u64 %%d4, buf;\nmad.lo.u64 %%d4, %%d70, %d, %%d4;\n" % size
        else:
            decl = ".local .align 32 .b8 buf[%d];" % (2 * size)
            mid = "mov.u64 %%d4, buf;\nadd.u64 %%d4, %%d4, %d;\n" % size
        mid += "st.%s.%s.%s [%%d4], {%s};\n" % (space, vec, ty, regs)
        mid += "".join("mov.b%d %s%d, 0;\n" % (max(8 * w, 16), pre, 10 + i) for i in range(n))
        mid += "ld.%s.%s.%s {%s}, [%%d4];\n" % (space, vec, ty, regs)
    elif space == "generic":
        ld, st = "ld.%s.%s" % (vec, ty), "st.%s.%s" % (vec, ty)
    m = kernel(P2, LD2 + "mad.lo.u64 %%d2, %%d70, %d, %%d0;\nmad.lo.u64 %%d3, %%d70, %d, %%d1;\n"
               "%s {%s}, [%%d2];\n%s%s [%%d3], {%s};" % (
                   size, size, ld, regs, mid, st, regs), decl, arch=arch)
    rng = np.random.default_rng(5)
    src = rng.integers(0, 256, 64 * size, dtype=np.uint8)
    out = np.zeros_like(src)
    m.launch("k", 2, 32, [src, out])
    assert (src == out).all()


def test_qualifiers_and_predicated_access():
    m = kernel(P2, LD2 + """
mad.lo.u64 %d2, %d70, 4, %d0;
mad.lo.u64 %d3, %d70, 4, %d1;
and.b32 %r1, %r73, 3;
setp.eq.u32 %p1, %r1, 1;
mov.b32 %r0, 7;
ld.volatile.global.u32 %r5, [%d2];
ld.relaxed.gpu.global.u32 %r6, [%d2];
ld.global.nc.u32 %r7, [%d2];
ld.global.nc.L1::no_allocate.L2::128B.u32 %r8, [%d2];
ld.global.ca.u32 %r9, [%d2];
ld.weak.global.u32 %r10, [%d2];
ld.acquire.sys.global.u32 %r11, [%d2];
ld.global.L1::evict_last.u32 %r12, [%d2];
@%p1 ld.global.u32 %r0, [%d2+0];
@!%p1 st.global.u32 [%d3], %r0;
@%p1 st.global.wt.u32 [%d3], %r0;
""")
    src = np.arange(100, 164, dtype=np.uint32)
    out = np.zeros(64, np.uint32)
    m.launch("k", 1, 64, [src, out])
    i = np.arange(64)
    assert (out == np.where(i % 4 == 1, src, 7)).all()


def test_negative_offsets_and_ptr_argument():
    m = kernel(P2, LD2 + "mad.lo.u64 %d2, %d70, 4, %d0;\nmad.lo.u64 %d3, %d70, 4, %d1;\n"
               "ld.global.u32 %r0, [%d2+-8];\nst.global.u32 [%d3+-4], %r0;")
    src = np.arange(40, dtype=np.uint32)
    out = np.zeros(40, np.uint32)
    m.launch("k", 1, 30, [Ptr(src, 12), Ptr(out, 4)])
    assert (out[:30] == np.arange(1, 31)).all() and (out[30:] == 0).all()


def test_same_array_twice_and_overlapping_views():
    m = kernel(P2, LD2 + "mad.lo.u64 %d2, %d70, 4, %d0;\nmad.lo.u64 %d3, %d70, 4, %d1;\n"
               "ld.global.u32 %r0, [%d2];\nadd.u32 %r0, %r0, 1;\nst.global.u32 [%d3], %r0;")
    a = np.arange(32, dtype=np.uint32)
    m.launch("k", 1, 32, [a, a])
    assert (a == np.arange(1, 33)).all()
    base = np.zeros(64, np.uint32)
    base[:32] = 5
    m.launch("k", 1, 32, [base[:40], base[16:]])
    assert (base[16:48] == np.where(np.arange(16, 48) < 48, 1, 0) + np.where(
        np.arange(32) < 32, np.r_[np.full(32, 5)], 0)).all()


def test_unaligned_host_array():
    raw = np.zeros(4 * 64 + 64, np.uint8)
    a = raw[4:4 + 256].view(np.uint32)
    a[:] = np.arange(64)
    out = np.zeros(64, np.uint32)
    m = kernel(P2, LD2 + "mad.lo.u64 %d2, %d70, 16, %d0;\nmad.lo.u64 %d3, %d70, 16, %d1;\n"
               "ld.global.v4.u32 {%r0,%r1,%r2,%r3}, [%d2];\n"
               "st.global.v4.u32 [%d3], {%r0,%r1,%r2,%r3};\nst.global.u32 [%d2], %r3;")
    m.launch("k", 1, 16, [a, out])
    assert (out == np.arange(64)).all()
    assert a[0] == 3 and a[4] == 7


def test_unused_vector_elements_are_not_checked():
    """Sinks and used_bytes_mask: bytes past the end that nobody uses."""
    m = kernel(P2, LD2 + "mad.lo.u64 %d2, %d70, 16, %d0;\nmad.lo.u64 %d3, %d70, 16, %d1;\n"
               "ld.global.v4.u32 {%r0, %r1, %r2, _}, [%d2];\n"
               "st.global.v2.u32 [%d3], {%r0, %r1};\nst.global.u32 [%d3+8], %r2;")
    src = np.arange(31, dtype=np.uint32)
    out = uninit(32, np.uint32)
    m.launch("k", 1, 8, [src, out])
    w = out.array.reshape(8, 4)
    assert (w[:, :3] == np.r_[src, 0].reshape(8, 4)[:, :3]).all()
    m = kernel(P2, LD2 + "mad.lo.u64 %d2, %d70, 16, %d0;\nmad.lo.u64 %d3, %d70, 4, %d1;\n"
               '.pragma "used_bytes_mask 0x0fff";\n'
               "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%d2];\n"
               "add.u32 %r0, %r0, %r2;\nst.global.u32 [%d3], %r0;")
    out = np.zeros(8, np.uint32)
    m.launch("k", 1, 8, [src, out])
    assert (out == src[0::4] + src[2::4]).all()
    with pytest.raises(Misaligned):
        m.launch("k", 1, 1, [Ptr(src, 4), out])
    with pytest.raises(OutOfBounds):
        m.launch("k", 1, 8, [src[:30], out])


def test_masked_vector_store():
    m = kernel(P2, LD2 + "mad.lo.u64 %d3, %d70, 32, %d1;\n"
               "st.global.v8.b32 [%d3], {%r73, _, %r70, _, _, %r72, _, _};", arch="sm_100")
    CHECKED.pop()
    out = uninit((4, 8), np.uint32)
    m.launch("k", 1, 4, [np.zeros(1), out])
    assert out.written.tolist() == [[True, False, True, False, False, True, False, False]] * 4
    assert out.array[3].tolist() == [3, 0, 3, 0, 0, 4, 0, 0]


def test_non_coherent_load_of_written_buffer_warns():
    m = kernel(P2, LD2 + "mad.lo.u64 %d2, %d70, 4, %d0;\nmad.lo.u64 %d3, %d70, 4, %d1;\n"
               "ld.global.nc.u32 %r0, [%d2];\nst.global.u32 [%d3], %r0;")
    a, b = np.zeros(8, np.uint32), np.zeros(8, np.uint32)
    assert not m.launch("k", 1, 8, [a, b]).warnings
    r = m.launch("k", 1, 8, [a, a])
    assert len(r.warnings) == 1 and "non-coherent" in r.warnings[0][0]


def test_large_local_memory_uses_smaller_batches():
    m = kernel(".param .u64 b", "ld.param.u64 %d1, [b];\nmov.u64 %d2, big;\n"
               "mad.lo.u64 %d3, %d70, 4, %d2;\nst.local.u32 [%d3], %r73;\n"
               "ld.local.u32 %r1, [%d3];\nmad.lo.u64 %d4, %d70, 4, %d1;\n"
               "st.global.u32 [%d4], %r1;", regs=".local .align 4 .b8 big[65536];")
    out = np.zeros(4096, np.uint32)
    m.launch("k", 32, 128, [out])
    assert (out == np.arange(4096)).all()


# --- module variables -----------------------------------------------------------

TOP = """
.global .align 4 .u32 tab[4] = {10, 20, 0x1e, 0b101000};
.global .align 4 .f32 ftab[3] = {0f3F800000, 2.5, -1.0};
.global .f64 d1 = 0d4009000000000000;
.global .align 2 .s16 m2[2][3] = {{1, 2, 3}, {-4, -5}};
.const .align 4 .u32 ctab[5] = {1, 2};
.global .u64 ptr = tab;
.global .u64 ptr2 = generic(tab)+8;
.global .align 1 .b8 str[6] = {104, 101, 108, 108, 111};
.global .align 4 .u8 masked[4] = {0xFF(tab), 0xFF00(tab), 0xFF0000(tab), 0xFF000000(tab)};
.global .u32 counter;
.visible .global .align 16 .b8 scratch[256];
"""


def test_module_variables():
    m = kernel(".param .u64 b", """
ld.param.u64 %d1, [b];
mov.u64 %d2, tab;
ld.global.u32 %r0, [%d2+4];
st.global.u32 [%d1], %r0;
ld.global.f32 %r1, [ftab+4];
st.global.f32 [%d1+4], %r1;
ld.global.s16 %r2, [m2+8];
st.global.u32 [%d1+8], %r2;
ld.const.u32 %r3, [ctab+4];
st.global.u32 [%d1+12], %r3;
ld.global.u64 %d3, [ptr];
ld.u32 %r4, [%d3+8];
st.global.u32 [%d1+16], %r4;
ld.global.u64 %d4, [ptr2];
ld.u32 %r5, [%d4+4];
st.global.u32 [%d1+20], %r5;
ld.global.u8 %r6, [str+4];
st.global.u32 [%d1+24], %r6;
ld.const.u32 %r7, [ctab+16];
st.global.u32 [%d1+28], %r7;
ld.global.s16 %r8, [m2+10];
st.global.u32 [%d1+32], %r8;
mov.u64 %d6, ctab;
cvta.const.u64 %d7, %d6;
ld.u32 %r9, [%d7];
st.global.u32 [%d1+36], %r9;
atom.global.add.u32 %r10, [counter], 1;
ld.global.f64 %d8, [d1];
cvt.rzi.u32.f64 %r11, %d8;
st.global.u32 [%d1+40], %r11;
""", top=TOP)
    out = np.zeros(16, np.uint32)
    for k in range(3):
        m.launch("k", 1, 1, [out])
    assert out[0] == 20 and out[1:2].view(np.float32)[0] == 2.5 and out[2:3].view(np.int32) == -5
    assert list(out[3:11]) == [2, 30, 40, 111, 0, 0, 1, 3]
    assert m.globals["counter"][0] == 3
    assert list(m.globals["m2"].view(np.int16)) == [1, 2, 3, -4, -5, 0]
    addr = int(m.globals["ptr"][0])
    assert [int(x) for x in m.globals["masked"]] == [(addr >> (8 * i)) & 255 for i in range(4)]
    m.reset_globals()
    assert m.globals["counter"][0] == 0


def test_shared_static_dynamic_and_generic():
    m = kernel(".param .u64 b", """
ld.param.u64 %d1, [b];
mov.u32 %r0, s1;
mov.u32 %r1, dyn;
shl.b32 %r2, %r70, 2;
add.u32 %r3, %r0, %r2;
add.u32 %r4, %r1, %r2;
st.shared.u32 [%r3], %r73;
mul.lo.u32 %r5, %r73, 3;
st.shared.u32 [%r4], %r5;
bar.sync 0;
xor.b32 %r6, %r2, 124;
add.u32 %r7, %r0, %r6;
ld.shared.u32 %r8, [%r7];
mov.u64 %d2, dyn;
cvta.shared.u64 %d3, %d2;
cvt.u64.u32 %d4, %r6;
add.u64 %d5, %d3, %d4;
ld.u32 %r9, [%d5];
cvta.to.shared.u64 %d6, %d5;
ld.shared.u32 %r10, [%d6];
setp.ne.u32 %p1, %r9, %r10;
@%p1 trap;
add.u32 %r11, %r8, %r9;
mad.lo.u64 %d7, %d70, 4, %d1;
st.global.u32 [%d7], %r11;
""", regs=".shared .align 4 .u32 s1[32];", top=".extern .shared .align 16 .b8 dyn[];")
    out = np.zeros(96, np.uint32)
    m.launch("k", 3, 32, [out], shared_bytes=128)
    i = np.arange(96)
    src = i // 32 * 32 + ((i % 32) ^ 31)
    assert (out == src * 4).all()


def test_generic_pointer_to_mixed_spaces():
    """Threads of one warp access global, shared and local through one ld/st."""
    m = kernel(P2, LD2 + """
mov.u64 %d2, s1;
cvta.shared.u64 %d2, %d2;
mov.u64 %d3, l1;
cvta.local.u64 %d3, %d3;
mad.lo.u64 %d4, %d70, 4, %d0;
mad.lo.u64 %d2, %d70, 4, %d2;
rem.u32 %r0, %r73, 3;
setp.eq.u32 %p0, %r0, 0;
setp.eq.u32 %p1, %r0, 1;
selp.b64 %d5, %d2, %d3, %p1;
selp.b64 %d5, %d4, %d5, %p0;
add.u32 %r1, %r73, 1000;
st.u32 [%d5], %r1;
ld.u32 %r2, [%d5];
isspacep.global %p2, %d5;
isspacep.shared %p3, %d5;
isspacep.local %p4, %d5;
selp.u32 %r3, 1, 0, %p2;
selp.u32 %r4, 2, 0, %p3;
selp.u32 %r5, 4, 0, %p4;
or.b32 %r3, %r3, %r4;
or.b32 %r3, %r3, %r5;
mad.lo.u64 %d6, %d70, 8, %d1;
st.global.v2.u32 [%d6], {%r2, %r3};
""", regs=".shared .align 4 .b8 s1[256];\n.local .align 4 .b8 l1[4];")
    a = np.zeros(64, np.uint32)
    out = np.zeros((64, 2), np.uint32)
    m.launch("k", 1, 64, [a, out])
    i = np.arange(64)
    assert (out[:, 0] == i + 1000).all()
    assert (out[:, 1] == np.array([1, 2, 4])[i % 3]).all()
    assert (a == np.where(i % 3 == 0, i + 1000, 0)).all()


def test_kernel_parameters():
    m = kernel(".param .u64 b, .param .align 8 .b8 s[24], .param .f32 f, .param .u8 c, "
               ".param .s16 h, .param .f64 d, .param .align 16 .b8 v[16]", """
ld.param.u64 %d1, [b];
ld.param.u32 %r0, [s];
ld.param.u64 %d2, [s+8];
ld.param.f32 %r1, [s+16];
ld.param.f32 %r2, [f];
ld.param.u8 %r3, [c];
ld.param.s16 %r4, [h];
ld.param.f64 %d3, [d];
ld.param.v4.f32 {%r5, %r6, %r7, %r8}, [v];
st.global.u32 [%d1], %r0;
st.global.f32 [%d1+4], %r1;
st.global.u64 [%d1+8], %d2;
st.global.f32 [%d1+16], %r2;
st.global.u32 [%d1+20], %r3;
st.global.f64 [%d1+24], %d3;
st.global.u32 [%d1+32], %r4;
st.global.v2.f32 [%d1+40], {%r6, %r8};
mov.b64 %d5, s;
ld.param.u64 %d6, [%d5+8];
st.global.u64 [%d1+48], %d6;
""")
    k = m.kernels["k"]
    assert [(p.name, p.size, p.align, p.offset) for p in k.params] == [
        ("b", 8, 8, 0), ("s", 24, 8, 8), ("f", 4, 4, 32), ("c", 1, 1, 36), ("h", 2, 2, 38),
        ("d", 8, 8, 40), ("v", 16, 16, 48)]
    out = np.zeros(64, np.uint8)
    s = Struct([(0, np.uint32(77)), (8, np.uint64(1 << 40)), (16, np.float32(1.5))])
    v = np.array([1, 2, 3, 4], np.float32).tobytes()
    m.launch("k", 1, 1, [out, s, 0.25, 200, -5, 2.75, v])
    assert out[0:4].view(np.uint32)[0] == 77
    assert out[4:8].view(np.float32)[0] == 1.5
    assert out[8:16].view(np.uint64)[0] == 1 << 40
    assert out[16:20].view(np.float32)[0] == 0.25
    assert out[20:24].view(np.uint32)[0] == 200
    assert out[24:32].view(np.float64)[0] == 2.75
    assert out[32:36].view(np.int32)[0] == -5
    assert list(out[40:48].view(np.float32)) == [2, 4]
    assert out[48:56].view(np.uint64)[0] == 1 << 40


def test_struct_holding_a_pointer():
    m = kernel(".param .align 8 .b8 s[16]", "ld.param.u64 %d0, [s];\nld.param.u32 %r0, [s+8];\n"
               "st.global.u32 [%d0+4], %r0;")
    out = np.zeros(4, np.uint32)
    m.launch("k", 1, 1, [Struct([(0, out), (8, np.uint32(9))])])
    assert list(out) == [0, 9, 0, 0]


# --- atomics ---------------------------------------------------------------------

def seq_atomic(op, ty, mem, idx, vals):
    """Sequential model in thread order."""
    old = []
    mem = list(mem)
    bits = int(ty[1:])
    for i, v in zip(idx, vals):
        o = mem[i]
        old.append(o)
        if op == "add":
            mem[i] = (o + v) & ((1 << bits) - 1)
        elif op == "exch":
            mem[i] = v
        elif op in ("min", "max"):
            key = (lambda x: x - (1 << bits) if x >> (bits - 1) else x) if ty[0] == "s" \
                else (lambda x: x)
            f = min if op == "min" else max
            mem[i] = f(o, v, key=key)
        elif op == "and":
            mem[i] = o & v
        elif op == "or":
            mem[i] = o | v
        elif op == "xor":
            mem[i] = o ^ v
        elif op == "inc":
            mem[i] = 0 if o >= v else o + 1
        elif op == "dec":
            mem[i] = v if o == 0 or o > v else o - 1
    return old, mem


ATOMS = [("add", "u32"), ("add", "u64"), ("exch", "b32"), ("exch", "b64"), ("min", "u32"),
         ("max", "u32"), ("min", "s32"), ("max", "s32"), ("min", "u64"), ("max", "s64"),
         ("and", "b32"), ("or", "b32"), ("xor", "b32"), ("and", "b64"), ("or", "b64"),
         ("xor", "b64"), ("inc", "u32"), ("dec", "u32")]


@pytest.mark.parametrize("op,ty", ATOMS)
@pytest.mark.parametrize("spread", [1, 3, 50, 100000])
def test_atomics_global(op, ty, spread):
    bits = int(ty[1:])
    w = bits // 8
    r = "%r" if w == 4 else "%d"
    m = kernel(".param .u64 mem, .param .u64 idx, .param .u64 val, .param .u64 old", """
ld.param.u64 %%d0, [mem];
ld.param.u64 %%d1, [idx];
ld.param.u64 %%d2, [val];
ld.param.u64 %%d3, [old];
mad.lo.u64 %%d1, %%d70, 4, %%d1;
ld.global.u32 %%r1, [%%d1];
mad.wide.u32 %%d0, %%r1, %d, %%d0;
mad.lo.u64 %%d2, %%d70, %d, %%d2;
mad.lo.u64 %%d3, %%d70, %d, %%d3;
ld.global.b%d %s20, [%%d2];
atom.global.%s.%s %s21, [%%d0], %s20;
st.global.b%d [%%d3], %s21;
""" % (w, w, w, bits, r, op, ty, r, r, bits, r))
    n = 512
    rng = np.random.default_rng(spread)
    nm = min(spread, 600)
    idx = rng.integers(0, nm, n).astype(np.uint32) if spread < 1000 else \
        rng.permutation(nm)[:n].astype(np.uint32)
    dt = "u%d" % w
    val = rng.integers(0, 40 if op in ("inc", "dec") else 2 ** bits - 1, n, dtype=dt)
    mem = rng.integers(0, 30 if op in ("inc", "dec") else 2 ** bits - 1, nm, dtype=dt)
    old, new = seq_atomic(op, ty, [int(x) for x in mem], idx.tolist(), [int(x) for x in val])
    got = np.zeros(n, dt)
    m.launch("k", 4, 128, [mem, idx, val, got])
    assert got.tolist() == old
    assert mem.tolist() == new


@pytest.mark.parametrize("spread", [1, 5, 400])
def test_atomic_cas(spread):
    m = kernel(".param .u64 mem, .param .u64 idx, .param .u64 cmp, .param .u64 val, "
               ".param .u64 old", """
ld.param.u64 %d0, [mem];
ld.param.u64 %d1, [idx];
ld.param.u64 %d2, [cmp];
ld.param.u64 %d3, [val];
ld.param.u64 %d4, [old];
mad.lo.u64 %d1, %d70, 4, %d1;
ld.global.u32 %r1, [%d1];
mad.wide.u32 %d0, %r1, 4, %d0;
mad.lo.u64 %d2, %d70, 4, %d2;
mad.lo.u64 %d3, %d70, 4, %d3;
mad.lo.u64 %d4, %d70, 4, %d4;
ld.global.u32 %r2, [%d2];
ld.global.u32 %r3, [%d3];
atom.acq_rel.gpu.global.cas.b32 %r4, [%d0], %r2, %r3;
st.global.u32 [%d4], %r4;
""")
    n = 256
    rng = np.random.default_rng(3)
    idx = rng.integers(0, spread, n).astype(np.uint32)
    cmp, val = (rng.integers(0, 4, n).astype(np.uint32) for _ in range(2))
    mem = rng.integers(0, 4, spread).astype(np.uint32)
    mm = mem.tolist()
    want = []
    for i, c, v in zip(idx.tolist(), cmp.tolist(), val.tolist()):
        want.append(mm[i])
        if mm[i] == c:
            mm[i] = v
    got = np.zeros(n, np.uint32)
    m.launch("k", 2, 128, [mem, idx, cmp, val, got])
    assert got.tolist() == want and mem.tolist() == mm


@pytest.mark.parametrize("ty,dt", [("f32", np.float32), ("f64", np.float64)])
@pytest.mark.parametrize("spread", [1, 7, 200])
def test_atomic_float_add(ty, dt, spread):
    w = np.dtype(dt).itemsize
    r = "%r" if w == 4 else "%d"
    m = kernel(".param .u64 mem, .param .u64 idx, .param .u64 val", """
ld.param.u64 %%d0, [mem];
ld.param.u64 %%d1, [idx];
ld.param.u64 %%d2, [val];
mad.lo.u64 %%d1, %%d70, 4, %%d1;
ld.global.u32 %%r1, [%%d1];
mad.wide.u32 %%d0, %%r1, %d, %%d0;
mad.lo.u64 %%d2, %%d70, %d, %%d2;
ld.global.%s %s20, [%%d2];
red.global.add.%s [%%d0], %s20;
""" % (w, w, ty, r, ty, r))
    n = 600
    rng = np.random.default_rng(4)
    idx = rng.integers(0, spread, n).astype(np.uint32)
    val = (rng.standard_normal(n) * 10.0 ** rng.integers(-3, 4, n)).astype(dt)
    mem = np.zeros(spread, dt)
    want = mem.copy()
    for i, v in zip(idx, val):
        want[i] = want[i] + v
    m.launch("k", 6, 100, [mem, idx, val])
    assert (mem == want).all()


def test_atomic_f32_add_flushes_subnormals_only_in_global():
    body = """
ld.param.u64 %d1, [b];
mov.u32 %r0, s1;
st.shared.u32 [%r0], 0x00000100;
mov.b32 %r1, 0f00000200;
red.shared.add.f32 [%r0], %r1;
ld.shared.u32 %r2, [%r0];
st.global.u32 [%d1], %r2;
red.global.add.f32 [%d1+4], %r1;
"""
    m = kernel(".param .u64 b", body, regs=".shared .align 4 .b8 s1[4];")
    out = np.array([0, 0x100], np.uint32)
    m.launch("k", 1, 1, [out])
    assert out[0] == 0x300 and out[1] == 0


def test_shared_histogram_and_generic_atomic():
    m = kernel(P2, LD2 + """
mov.u32 %r0, hist;
shl.b32 %r1, %r70, 2;
add.u32 %r1, %r0, %r1;
st.shared.u32 [%r1], 0;
bar.sync 0;
add.u64 %d2, %d0, %d70;
ld.global.u8 %r2, [%d2];
shl.b32 %r2, %r2, 2;
add.u32 %r2, %r0, %r2;
atom.shared.add.u32 %r3, [%r2], 1;
bar.sync 0;
ld.shared.u32 %r4, [%r1];
mad.wide.u32 %d3, %r70, 4, %d1;
red.add.u32 [%d3], %r4;
""", regs=".shared .align 4 .b8 hist[1024];")
    rng = np.random.default_rng(0)
    data = rng.integers(0, 256, 256 * 9).astype(np.uint8)
    out = np.zeros(256, np.uint32)
    m.launch("k", 9, 256, [data, out])
    assert (out == np.bincount(data, minlength=256)).all()


def test_atomic_half_types():
    m = kernel(".param .u64 b", """
ld.param.u64 %d1, [b];
mov.b32 %r1, 0x3c003800;
red.global.add.noftz.f16x2 [%d1], %r1;
mov.b16 %h1, 0x3f80;
atom.global.add.noftz.bf16 %h2, [%d1+4], %h1;
mov.b16 %h3, 0x4000;
atom.global.add.noftz.f16 %h4, [%d1+6], %h3;
""")
    out = np.zeros(4, np.uint16)
    m.launch("k", 1, 32, [out])
    assert out[0:2].view(np.float16).tolist() == [16.0, 32.0]
    assert (out[2:3].astype(np.uint32) << 16).view(np.float32)[0] == 32.0
    assert out[3:4].view(np.float16)[0] == 64.0


def test_predicated_atomic_and_vector_red():
    m = kernel(".param .u64 b", """
ld.param.u64 %d1, [b];
and.b32 %r1, %r73, 1;
setp.eq.u32 %p1, %r1, 1;
mov.b32 %r3, 99;
@%p1 atom.global.add.u32 %r3, [%d1], 1;
@!%p1 red.global.add.u32 [%d1+4], 2;
mov.b32 %r5, 0f3F800000;
red.global.add.v2.f32 [%d1+8], {%r5, %r5};
""")
    out = np.zeros(4, np.uint32)
    m.launch("k", 1, 32, [out])
    assert out[0] == 16 and out[1] == 32 and list(out[2:].view(np.float32)) == [32, 32]


# --- error paths -------------------------------------------------------------------

LOADK = LD2 + ("mad.lo.u64 %d2, %d70, 4, %d0;\nmad.lo.u64 %d3, %d70, 4, %d1;\n"
               "ld.global.u32 %r0, [%d2];\nst.global.u32 [%d3], %r0;")


def line_of(m, text):
    return next(i for i, ln in enumerate(m.ast.lines, 1) if text in ln)


def test_out_of_bounds_load():
    m = kernel(P2, LOADK)
    with pytest.raises(OutOfBounds) as e:
        m.launch("k", 2, 16, [np.zeros(30, np.uint32), np.zeros(32, np.uint32)])
    x = e.value
    assert x.line == line_of(m, "ld.global.u32 %r0")
    assert "ld.global.u32 %r0, [%d2]" in str(x)
    assert x.thread == (14, 0, 0) and x.block == (1, 0, 0)
    assert "argument 0" in str(x) and "4 bytes past the end" in str(x)


def test_out_of_bounds_store_and_before_start():
    m = kernel(P2, LOADK)
    with pytest.raises(OutOfBounds) as e:
        m.launch("k", 1, 8, [np.zeros(8, np.uint32), np.zeros(7, np.uint32)])
    assert e.value.line == line_of(m, "st.global.u32 [%d3]") and "store" in str(e.value)
    with pytest.raises(OutOfBounds) as e:
        m.launch("k", 1, 8, [Ptr(np.zeros(8, np.uint32), -4), np.zeros(8, np.uint32)])
    assert "before the start" in str(e.value)


def test_null_and_wild_pointers():
    m = kernel(P2, LOADK)
    with pytest.raises(OutOfBounds) as e:
        m.launch("k", 1, 8, [None, np.zeros(8, np.uint32)])
    assert "null pointer" in str(e.value)
    with pytest.raises(OutOfBounds):
        m.launch("k", 1, 8, [0x123456789abc0, np.zeros(8, np.uint32)])


def test_one_bad_thread_among_many():
    m = kernel(".param .u64 a, .param .u64 b", LD2 + """
mad.lo.u64 %d2, %d70, 8, %d0;
ld.global.u64 %d4, [%d2];
shl.b64 %d4, %d4, 2;
add.u64 %d5, %d1, %d4;
ld.global.u32 %r0, [%d5];
""")
    idx = np.arange(1000, dtype=np.uint64)
    idx[777] = 1 << 40
    with pytest.raises(OutOfBounds) as e:
        m.launch("k", 10, 100, [idx, np.zeros(1000, np.uint32)])
    assert e.value.thread == (77, 0, 0) and e.value.block == (7, 0, 0)


def test_misaligned():
    m = kernel(P2, LOADK)
    with pytest.raises(Misaligned) as e:
        m.launch("k", 1, 8, [Ptr(np.zeros(16, np.uint32), 2), np.zeros(8, np.uint32)])
    assert e.value.line == line_of(m, "ld.global.u32 %r0")
    m = kernel(P2, LD2 + "ld.global.v4.u32 {%r0,%r1,%r2,%r3}, [%d0];")
    with pytest.raises(Misaligned):
        m.launch("k", 1, 1, [Ptr(np.zeros(16, np.uint32), 8), np.zeros(1, np.uint32)])
    for sp in ("shared", "local"):
        m = kernel(P2, "mov.u64 %%d2, buf;\nst.%s.u64 [%%d2+4], %%d2;" % sp,
                   regs=".%s .align 8 .b8 buf[32];" % sp)
        with pytest.raises(Misaligned):
            m.launch("k", 1, 1, [np.zeros(1, np.uint32)] * 2)


def test_uninitialised_global():
    m = kernel(P2, LOADK)
    b = uninit(8, np.uint32)
    with pytest.raises(UninitialisedRead) as e:
        m.launch("k", 1, 8, [b, np.zeros(8, np.uint32)])
    assert e.value.line == line_of(m, "ld.global.u32 %r0") and "never written" in str(e.value)
    m.launch("k", 1, 8, [b, np.zeros(8, np.uint32)], allow_uninit={"global"})
    out = uninit(10, np.uint32)
    m.launch("k", 1, 8, [np.ones(8, np.uint32), out])
    assert out.written.tolist() == [True] * 8 + [False] * 2
    # written by the kernel, then read: fine; a half-written word is not
    m = kernel(".param .u64 a", "ld.param.u64 %d0, [a];\nst.global.u16 [%d0], %h0;\n"
               "ld.global.u16 %h1, [%d0];\nld.global.u32 %r0, [%d0];")
    with pytest.raises(UninitialisedRead) as e:
        m.launch("k", 1, 1, [uninit(1, np.uint32)])
    assert e.value.line == line_of(m, "ld.global.u32")


@pytest.mark.parametrize("space", ["shared", "local"])
def test_uninitialised_shared_and_local(space):
    m = kernel(".param .u64 a", "mov.u64 %%d2, buf;\nst.%s.u32 [%%d2], %%r73;\n"
               "ld.%s.u32 %%r0, [%%d2];\nld.%s.u32 %%r1, [%%d2+4];" % (space, space, space),
               regs=".%s .align 8 .b8 buf[32];" % space)
    with pytest.raises(UninitialisedRead) as e:
        m.launch("k", 1, 4, [np.zeros(1, np.uint32)])
    assert e.value.line == line_of(m, "[%d2+4]")
    m.launch("k", 1, 4, [np.zeros(1, np.uint32)], allow_uninit={space})


def test_shared_contents_do_not_survive_between_blocks():
    m = kernel(".param .u64 a", "mov.u64 %d2, buf;\nsetp.ne.u32 %p1, %r71, 0;\n"
               "@%p1 bra L;\nst.shared.u32 [%d2], 5;\nL:\nld.shared.u32 %r0, [%d2];",
               regs=".shared .align 8 .b8 buf[32];")
    for bt in (1, 1000):
        with pytest.raises(UninitialisedRead) as e:
            m.launch("k", 2, 1, [np.zeros(1, np.uint32)], batch_threads=bt)
        assert e.value.block == (1, 0, 0)


@pytest.mark.parametrize("space", ["shared", "local"])
def test_window_bounds(space):
    """Overruns between neighbouring variables are seen."""
    m = kernel(".param .u64 a", "mov.u64 %%d2, buf1;\nst.%s.u32 [%%d2+32], %%r73;" % space,
               regs=".%s .align 8 .b8 buf1[32];\n.%s .align 8 .b8 buf2[32];" % (space, space))
    with pytest.raises(OutOfBounds) as e:
        m.launch("k", 1, 4, [np.zeros(1, np.uint32)])
    assert "buf1" in str(e.value)
    m = kernel(".param .u64 a", "mov.u64 %%d2, buf1;\nst.%s.u64 [%%d2+-8], %%d2;" % space,
               regs=".%s .align 8 .b8 buf1[32];" % space)
    with pytest.raises(OutOfBounds):
        m.launch("k", 1, 4, [np.zeros(1, np.uint32)])


def test_dynamic_shared_bounds():
    m = kernel(".param .u64 a", "mov.u32 %r0, dyn;\nshl.b32 %r1, %r70, 2;\n"
               "add.u32 %r0, %r0, %r1;\nst.shared.u32 [%r0], %r1;",
               top=".extern .shared .align 4 .b8 dyn[];")
    m.launch("k", 1, 32, [np.zeros(1)], shared_bytes=128)
    with pytest.raises(OutOfBounds) as e:
        m.launch("k", 1, 32, [np.zeros(1)], shared_bytes=124)
    assert e.value.thread == (31, 0, 0)
    with pytest.raises(OutOfBounds):
        m.launch("k", 1, 32, [np.zeros(1)])


def test_read_only():
    m = kernel(P2, LOADK)
    a = np.zeros(8, np.uint32)
    b = np.zeros(8, np.uint32)
    b.flags.writeable = False
    with pytest.raises(ReadOnlyWrite):
        m.launch("k", 1, 8, [a, b])
    with pytest.raises(ReadOnlyWrite):
        m.launch("k", 1, 8, [a, Buffer(np.zeros(8, np.uint32), readonly=True)])
    m = kernel(".param .u64 a", "mov.u64 %d0, c;\ncvta.const.u64 %d0, %d0;\nst.u32 [%d0], %r70;",
               top=".const .u32 c = 5;")
    with pytest.raises(ReadOnlyWrite):
        m.launch("k", 1, 1, [a])


def test_wrong_space():
    m = kernel(".param .u64 a", "mov.u64 %d0, s1;\nld.global.u32 %r0, [%d0];",
               regs=".shared .align 4 .b8 s1[16];")
    with pytest.raises(OutOfBounds):
        m.launch("k", 1, 1, [np.zeros(1)])
    m = kernel(".param .u64 a", "ld.param.u64 %d0, [a];\nld.const.u32 %r0, [%d0];")
    with pytest.raises(MemoryFault) as e:
        m.launch("k", 1, 1, [np.zeros(1)])
    assert ".const" in str(e.value)


def test_argument_errors():
    m = kernel(P2 + ", .param .u32 n, .param .f32 f", LOADK)
    a = np.zeros(8, np.uint32)
    ok = [a, a, 5, 1.0]
    m.launch("k", 1, 8, ok)
    for bad, msg in [(ok[:3], "takes 4 arguments, 3"), (ok + [1], "takes 4 arguments, 5"),
                     ([a, a, a, 1.0], "not a 64-bit pointer"),
                     ([a, a, 2 ** 40, 1.0], "does not fit"),
                     ([a, a, 2.5, 1.0], "integer parameter"),
                     ([a, a, 5, a], "not a 64-bit pointer"),
                     ([a[::2], a, 5, 1.0], "contiguous"),
                     ([a, a, "x", 1.0], "cannot pass"),
                     ([a, a, None, 1.0], "null")]:
        with pytest.raises(LaunchError) as e:
            m.launch("k", 1, 8, bad)
        assert msg in str(e.value), str(e.value)
    with pytest.raises(LaunchError) as e:
        m.launch("nosuch", 1, 8, ok)
    assert "no kernel named 'nosuch'" in str(e.value) and "k" in str(e.value)
    for g, b in [(0, 8), (1, 1025), (1, (1, 1, 65)), ((1, 70000), 1), (1, (32, 64))]:
        with pytest.raises(LaunchError):
            m.launch("k", g, b, ok)
    with pytest.raises(LaunchError):
        m.launch("k", 1, 8, ok, colour=3)


def test_entry_directives():
    t = HEAD + (".visible .entry k()\n.maxntid 64, 2, 1\n.minnctapersm 2\n{\nret;\n}\n"
                ".visible .entry q()\n.reqntid 32, 4\n{\nret;\n}\n"
                ".visible .entry s()\n{\n.shared .align 4 .b8 x[49153];\n.reg .b32 %r<2>;\n"
                "st.shared.b32 [x], %r1;\nret;\n}\n")
    m = Module.from_text(t)
    m.launch("k", 1, 128)
    with pytest.raises(LaunchError):
        m.launch("k", 1, 129)
    m.launch("q", 1, (32, 4))
    with pytest.raises(LaunchError):
        m.launch("q", 1, 128)
    assert m.kernels["k"].directives[".maxntid"] == [64, 2, 1]
    with pytest.raises(LaunchError):
        m.launch("s", 1, 1)
    with pytest.raises(LaunchError):
        m.launch("k", 1, 1, [], shared_bytes=300000)


@pytest.mark.parametrize("body,what", [
    ("frobnicate.b32 %r0, %r1;", "frobnicate"),
    ("add.frob.s32 %r0, %r1, %r2;", "frob"),
    ("wgmma.fence.sync.aligned;", "wgmma"),
    ("tex.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [tx, {%r4, %r5}];", "address form"),
    ("ld.global.frob.u32 %r0, [%d0];", "frob"),
    ("cvt.rn.s32.f32 %r0, %r1;", "rni"),
    ("setp.foo.s32 %p0, %r1, %r2;", "foo"),
    ("mul.s32 %r0, %r1, %r2;", "lo"),
    ("add.s32 %r0, %r1;", "operands"),
    ("add.s64 %r0, %r1, %r2;", "byte"),
    ("add.f32 %r0, %r1, 1;", "integer constant"),
    ("mov.b32 %r0, nosuchvar;", "nosuchvar"),
    ("bra NOWHERE;", "NOWHERE"),
    ("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r0,%r1,%r2,%r3}, {%r4,%r5}, "
     "{%r6,%r7}, {%r0,%r1,%r2,%r3};", "mma"),
    ("add.s32 %r0, %zz1, %r2;", "undeclared register %zz1"),
])
def test_unknown_instruction(body, what):
    t = HEAD + (".visible .entry k()\n{\n.reg .pred %%p<9>;\n.reg .b32 %%r<9>;\n"
                ".reg .b64 %%d<9>;\nbra SKIP;\n%s\nSKIP:\nret;\n}\n" % body)
    # never executed, and still refused, with the line
    with pytest.raises(PtxError) as e:
        Module.from_text(t).launch("k", 1, 1)
    assert what in str(e.value), str(e.value)
    assert "PTX line 10" in str(e.value) and body.split()[0] in str(e.value)


def test_module_check_reports_every_kernel():
    t = HEAD + (".visible .entry good()\n{\nret;\n}\n.visible .entry bad()\n{\n"
                ".reg .b32 %r<3>;\nfoo.b32 %r1, %r2;\nret;\n}\n")
    m = Module.from_text(t)
    c = m.check()
    assert c["good"] is None and isinstance(c["bad"], UnknownInstruction)
    m.launch("good")


def test_clusters_and_unknown_directives_are_refused():
    m = Module.from_text(HEAD + ".visible .entry k()\n.reqnctapercluster 2\n{\nret;\n}\n")
    with pytest.raises(UnknownInstruction) as e:
        m.launch("k")
    assert "cluster" in str(e.value)
    Module.from_text(HEAD + ".visible .entry k()\n.reqnctapercluster 1, 1, 1\n.maxnreg 64\n"
                     "{\nret;\n}\n").launch("k")


def test_parse_errors():
    for t, msg in [(HEAD + ".visible .entry k()\n.frobnicate 3\n{\nret;\n}", "frobnicate"),
                   (HEAD + ".visible .entry k(\n{", "expected"),
                   (HEAD + ".visible .entry k()\n{\nadd.s32 %r1", "undeclared"),
                   (HEAD + ".frob;", "frob"), ("garbage", "module level")]:
        with pytest.raises(PtxParseError) as e:
            Module.from_text(t)
        assert msg in str(e.value)


@needs_ptxas
def test_ptxas_accepts_these_kernels():
    """All hand-written kernels above that are meant to be valid assemble."""
    bad = []
    for arch in ("sm_90", "sm_100"):
        seen = []
        for a, t in CHECKED:
            if a == arch and "ld.const.u32 %r0, [%d0]" not in t and t not in seen:
                seen.append(t)
        for t in seen[:200]:
            ok, err = ptxas_ok(t, arch)
            if not ok:
                bad.append(err.strip().split("\n")[0] + "\n" + t)
    assert not bad, "\n".join(bad)[:5000]
