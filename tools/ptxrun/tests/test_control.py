# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches, loops, divergence, calls, barriers, warp operations."""

import numpy as np
import pytest

from ptxrun import (Module, ExecutionError, Trap, Deadlock, Divergence, Timeout,
                    UnknownInstruction)
from common import HEAD, needs_ptxas, ptxas_ok

CHECKED = []


def kernel(params, body, regs="", top="", name="k"):
    t = (HEAD.replace("sm_100", "sm_90") + top + "\n.visible .entry %s(%s)\n{\n"
         ".reg .pred %%p<20>;\n.reg .b16 %%h<40>;\n.reg .b32 %%r<80>;\n.reg .b64 %%d<80>;\n%s\n"
         "mov.u32 %%r70, %%tid.x;\nmov.u32 %%r71, %%ctaid.x;\nmov.u32 %%r72, %%ntid.x;\n"
         "mad.lo.u32 %%r73, %%r71, %%r72, %%r70;\ncvt.u64.u32 %%d70, %%r73;\n"
         "ld.param.u64 %%d71, [b];\nmad.lo.u64 %%d72, %%d70, 4, %%d71;\n%s\nret;\n}\n" % (
             name, params, regs, body))
    CHECKED.append(t)
    return Module.from_text(t)


B = ".param .u64 b"


def run(m, n=64, block=64, dt=np.uint32, args=(), width=1, **kw):
    out = np.zeros(n * width, dt)
    r = m.launch("k", (n + block - 1) // block, block, [out] + list(args), **kw)
    return (out if width == 1 else out.reshape(n, width)), r


# --- control flow ------------------------------------------------------------------

def test_divergent_if_else_and_loop():
    """Collatz lengths: different trip counts and a branch inside the loop."""
    m = kernel(B, """
mov.u32 %r0, %r73;
add.u32 %r0, %r0, 1;
mov.u32 %r1, 0;
LOOP:
setp.eq.u32 %p0, %r0, 1;
@%p0 bra DONE;
and.b32 %r2, %r0, 1;
setp.eq.u32 %p1, %r2, 0;
@%p1 bra EVEN;
mad.lo.u32 %r0, %r0, 3, 1;
bra NEXT;
EVEN:
shr.u32 %r0, %r0, 1;
NEXT:
add.u32 %r1, %r1, 1;
bra LOOP;
DONE:
st.global.u32 [%d72], %r1;
""")
    n = 3072
    out, _ = run(m, n, 128)

    def collatz(x):
        k = 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            k += 1
        return k
    assert out.tolist() == [collatz(i + 1) for i in range(n)]


def test_early_exit_and_ret():
    m = kernel(B, """
and.b32 %r0, %r73, 3;
setp.eq.u32 %p0, %r0, 1;
@%p0 exit;
setp.eq.u32 %p1, %r0, 2;
@!%p1 bra L;
st.global.u32 [%d72], 22;
ret;
L:
st.global.u32 [%d72], 11;
""")
    out, _ = run(m)
    assert (out == np.array([11, 0, 22, 11])[np.arange(64) % 4]).all()


def test_brx():
    m = kernel(B, """
rem.u32 %r0, %r73, 5;
TS: .branchtargets L0, L1, L2, L3, L1;
brx.idx %r0, TS;
L0: mov.u32 %r1, 100; bra E;
L1: mov.u32 %r1, 101; bra E;
L2: mov.u32 %r1, 102;
L3: add.u32 %r1, %r1, 1;
E:
st.global.u32 [%d72], %r1;
""".replace("rem.u32 %r0", "mov.u32 %r1, 50;\nrem.u32 %r0"))
    out, _ = run(m)
    assert (out == np.array([100, 101, 103, 51, 101])[np.arange(64) % 5]).all()
    m = kernel(B, "mov.u32 %r0, %r73;\nTS: .branchtargets L0, L1;\nbrx.idx %r0, TS;\n"
               "L0:\nL1:\nst.global.u32 [%d72], 1;")
    with pytest.raises(ExecutionError) as e:
        run(m)
    assert "brx.idx index 2" in str(e.value)


def test_scopes_and_local_labels():
    """Inline assembly blocks: inner registers and labels shadow outer ones."""
    m = kernel(B, """
mov.u32 %r1, 5;
{
.reg .b32 %r1, t;
.reg .pred q;
mov.u32 %r1, %r73;
setp.lt.u32 q, %r1, 10;
@q bra L;
mov.u32 t, 1;
bra M;
L: mov.u32 t, 2;
M: add.u32 %r2, t, %r1;
}
{
.reg .b32 t;
mov.u32 t, 7;
setp.gt.u32 %p0, %r73, 20;
@%p0 bra L;
add.u32 t, t, 1;
L: add.u32 %r2, %r2, t;
}
add.u32 %r3, %r1, %r2;
st.global.u32 [%d72], %r3;
""")
    out, _ = run(m)
    i = np.arange(64)
    assert (out == 5 + i + np.where(i < 10, 2, 1) + np.where(i > 20, 7, 8)).all()


def test_trap_is_reported():
    m = kernel(B, "setp.eq.u32 %p0, %r73, 37;\n@%p0 trap;")
    with pytest.raises(Trap) as e:
        run(m)
    assert "thread (37, 0, 0)" in str(e.value) and "trap" in str(e.value)


def test_timeout():
    m = kernel(B, "L:\nadd.u32 %r73, %r73, 1;\nbra L;")
    with pytest.raises(Timeout):
        run(m, timeout_s=0.3)


def test_special_registers():
    regs = ["%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z", "%ctaid.x", "%ctaid.y",
            "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z", "%laneid", "%warpid",
            "%lanemask_lt", "%lanemask_le", "%lanemask_eq", "%lanemask_ge", "%lanemask_gt",
            "%dynamic_smem_size"]
    body = ["mov.u32 %r1, %tid.y;\nmov.u32 %r2, %tid.z;\nmov.u32 %r3, %ntid.y;\n"
            "mov.u32 %r4, %ntid.x;\nmad.lo.u32 %r5, %r2, %r3, %r1;\nmad.lo.u32 %r5, %r5, %r4, %r70;\n"
            "mov.u32 %r6, %ctaid.y;\nmov.u32 %r7, %ctaid.z;\nmov.u32 %r8, %nctaid.x;\n"
            "mov.u32 %r9, %nctaid.y;\nmad.lo.u32 %r10, %r7, %r9, %r6;\n"
            "mad.lo.u32 %r10, %r10, %r8, %r71;\nmov.u32 %r11, %ntid.z;\n"
            "mul.lo.u32 %r12, %r4, %r3;\nmul.lo.u32 %r12, %r12, %r11;\n"
            "mad.lo.u32 %r13, %r10, %r12, %r5;\nmad.wide.u32 %d1, %r13, {}, %d71;\n".format(
                4 * len(regs))]
    for i, r in enumerate(regs):
        body.append("mov.u32 %%r20, %s;\nst.global.u32 [%%d1+%d], %%r20;\n" % (r, 4 * i))
    m = kernel(B, "".join(body))
    grid, block = (3, 2, 2), (5, 4, 3)
    n = 12 * 60
    for bt in (60, 200, 100000):
        out = np.zeros((n, len(regs)), np.uint32)
        m.launch("k", grid, block, [out], shared_bytes=48, batch_threads=bt)
        for c in range(12):
            for t in range(60):
                row = out[c * 60 + t].tolist()
                lane = t % 32
                lt = (1 << lane) - 1
                eq = 1 << lane
                assert row == [t % 5, t // 5 % 4, t // 20, 5, 4, 3, c % 3, c // 3 % 2, c // 6,
                               3, 2, 2, lane, t // 32, lt, lt | eq, eq, ~lt & 0xffffffff,
                               ~(lt | eq) & 0xffffffff, 48]


# --- calls ---------------------------------------------------------------------------

FUNCS = """
.func (.param .b32 rv) addmul(.param .b32 x, .param .b32 y)
{
.reg .b32 %r<5>;
.reg .pred %p<2>;
ld.param.b32 %r1, [x];
ld.param.b32 %r2, [y];
setp.gt.u32 %p1, %r1, 20;
@%p1 bra BIG;
mad.lo.u32 %r3, %r1, 3, %r2;
st.param.b32 [rv], %r3;
ret;
BIG:
sub.u32 %r3, %r1, %r2;
st.param.b32 [rv], %r3;
ret;
}
.func (.param .b64 rv) outer(.param .align 16 .b8 s[32], .param .b64 k)
{
.reg .b32 %r<20>;
.reg .b64 %d<9>;
ld.param.v4.b32 {%r1, %r2, %r3, %r4}, [s];
ld.param.v2.b32 {%r5, %r6}, [s+16];
ld.param.b64 %d1, [k];
{
.param .b32 p0;
.param .b32 p1;
.param .b32 r0;
st.param.b32 [p0], %r1;
st.param.b32 [p1], %r5;
call.uni (r0), addmul, (p0, p1);
ld.param.b32 %r7, [r0];
}
add.u32 %r8, %r2, %r3;
add.u32 %r8, %r8, %r4;
add.u32 %r8, %r8, %r6;
add.u32 %r8, %r8, %r7;
cvt.u64.u32 %d2, %r8;
add.u64 %d2, %d2, %d1;
st.param.b64 [rv], %d2;
ret;
}
.func (.reg .u32 res) oldstyle(.reg .u32 a, .reg .u32 b)
{
mad.lo.u32 res, a, b, 7;
ret;
}
.func side(.param .b64 ptr)
{
.reg .b64 %d<2>;
ld.param.b64 %d1, [ptr];
red.add.u32 [%d1], 1;
ret;
}
.func (.param .b32 rv) dyn(.param .align 4 .b8 s[64], .param .b32 i)
{
.reg .b64 %d<5>;
.reg .b32 %r<5>;
mov.b64 %d1, s;
ld.param.b32 %r1, [i];
mul.wide.u32 %d2, %r1, 4;
add.u64 %d3, %d1, %d2;
ld.local.b32 %r2, [%d3];
st.param.b32 [rv], %r2;
ret;
}
"""


def test_calls_with_param_space():
    m = kernel(B, """
{
.param .align 16 .b8 p0[32];
.param .b64 p1;
.param .b64 r0;
add.u32 %r1, %r73, 1;
add.u32 %r2, %r73, 2;
add.u32 %r3, %r73, 3;
st.param.v4.b32 [p0], {%r73, %r1, %r2, %r3};
st.param.v2.b32 [p0+16], {%r1, %r2};
st.param.v2.b32 [p0+24], {%r1, %r2};
st.param.b64 [p1], 1000;
call.uni (r0), outer, (p0, p1);
ld.param.b64 %d1, [r0];
}
cvt.u32.u64 %r5, %d1;
call.uni (%r6), oldstyle, (%r5, %r73);
setp.lt.u32 %p1, %r73, 8;
{
.param .b64 q0;
add.u64 %d2, %d71, 256;
st.param.b64 [q0], %d2;
@%p1 call side, (q0);
}
st.global.u32 [%d72], %r6;
""", top=FUNCS)
    out = np.zeros(65, np.uint32)
    m.launch("k", 1, 64, [out])
    for i in range(64):
        am = i * 3 + i + 1 if i <= 20 else i - (i + 1)
        o = (i + 1 + i + 2 + i + 3 + i + 2 + am & 0xffffffff) + 1000
        assert out[i] == (o * i + 7) & 0xffffffff, i
    assert out[64] == 8


def test_parameter_whose_address_is_taken():
    m = kernel(B, """
{
.param .align 4 .b8 p0[64];
.param .b32 p1;
.param .b32 r0;
%s
and.b32 %%r2, %%r73, 15;
st.param.b32 [p1], %%r2;
call.uni (r0), dyn, (p0, p1);
ld.param.b32 %%r3, [r0];
}
st.global.u32 [%%d72], %%r3;
""" % "\n".join("add.u32 %%r1, %%r73, %d;\nst.param.b32 [p0+%d], %%r1;" % (100 * k, 4 * k)
                for k in range(16)), top=FUNCS)
    out, _ = run(m)
    i = np.arange(64)
    assert (out == i + 100 * (i % 16)).all()


def test_indirect_call():
    m = kernel(B, """
rem.u32 %r0, %r73, 3;
mul.wide.u32 %d1, %r0, 8;
mov.u64 %d2, table;
add.u64 %d2, %d2, %d1;
ld.global.u64 %d3, [%d2];
{
.param .b32 p0;
.param .b32 r0;
st.param.b32 [p0], %r73;
proto: .callprototype (.param .b32 _) _ (.param .b32 _);
call (r0), %d3, (p0), proto;
ld.param.b32 %r1, [r0];
}
st.global.u32 [%d72], %r1;
""", top="".join("""
.func (.param .b32 rv) f%d(.param .b32 x)
{
.reg .b32 %%r<4>;
ld.param.b32 %%r1, [x];
%s
st.param.b32 [rv], %%r2;
ret;
}
""" % (k, s) for k, s in enumerate(["add.u32 %r2, %r1, 10;", "mul.lo.u32 %r2, %r1, 3;",
                                     "not.b32 %r2, %r1;"])) +
               ".global .u64 table[4] = {f0, f1, f2, 0};")
    out, _ = run(m)
    i = np.arange(64, dtype=np.uint32)
    assert (out == np.choose(i % 3, [i + 10, i * 3, ~i])).all()
    m2 = Module.from_text(CHECKED[-1].replace("rem.u32 %r0, %r73, 3", "mov.u32 %r0, 3"))
    with pytest.raises(Trap) as e:
        m2.launch("k", 1, 64, [np.zeros(64, np.uint32)])
    assert "function pointer" in str(e.value)


def test_recursion_and_missing_functions_are_refused():
    m = kernel(B, "call rec;", top=".func rec()\n{\ncall rec;\nret;\n}\n")
    with pytest.raises(UnknownInstruction) as e:
        run(m)
    assert "recursive" in str(e.value)
    CHECKED.pop()
    m = kernel(B, "call ext;", top=".extern .func ext();\n")
    with pytest.raises(UnknownInstruction) as e:
        run(m)
    assert "ext" in str(e.value)
    CHECKED.pop()


# --- barriers --------------------------------------------------------------------------

def test_barrier_after_divergence():
    """Half of the warps take a long way to the barrier."""
    m = kernel(B, """
shr.u32 %r0, %r70, 5;
and.b32 %r1, %r0, 1;
mov.u32 %r2, buf;
shl.b32 %r3, %r70, 2;
add.u32 %r3, %r2, %r3;
setp.eq.u32 %p0, %r1, 0;
mov.u32 %r4, 0;
@%p0 bra STORE;
LOOP:
add.u32 %r4, %r4, 1;
setp.lt.u32 %p1, %r4, %r70;
@%p1 bra LOOP;
STORE:
st.shared.u32 [%r3], %r4;
bar.sync 0;
xor.b32 %r5, %r3, 252;
ld.shared.u32 %r6, [%r5];
st.global.u32 [%d72], %r6;
""", regs=".shared .align 256 .b8 buf[256];")
    out, _ = run(m, 192)
    i = np.arange(192) % 64
    v = np.where(np.arange(64) // 32 % 2 == 0, 0, np.maximum(np.arange(64), 1))
    assert (out == v[i ^ 63]).all()


def test_barriers_at_different_places_per_warp():
    m = kernel(B, """
shr.u32 %r0, %r70, 5;
setp.eq.u32 %p0, %r0, 0;
@%p0 bra A;
bar.sync 0;
mov.u32 %r1, 1;
bra E;
A:
mov.u32 %r2, buf;
st.shared.u32 [%r2], 77;
bar.sync 0;
mov.u32 %r1, 2;
E:
ld.shared.u32 %r3, [buf];
add.u32 %r1, %r1, %r3;
st.global.u32 [%d72], %r1;
""", regs=".shared .align 4 .b8 buf[4];")
    out, _ = run(m, 128)
    assert (out == np.where(np.arange(128) % 64 < 32, 79, 78)).all()


def test_named_and_partial_barriers_and_arrive():
    m = kernel(B, """
shr.u32 %r0, %r70, 5;
setp.lt.u32 %p0, %r0, 2;
setp.eq.u32 %p1, %r0, 3;
@%p1 bra PROD;
@!%p0 bra W2;
bar.sync 1, 64;
mov.u32 %r1, 10;
bra E;
W2:
bar.sync 2, 64;
ld.shared.u32 %r1, [buf];
bra E;
PROD:
st.shared.u32 [buf], 55;
bar.arrive 2, 64;
mov.u32 %r1, 30;
E:
st.global.u32 [%d72], %r1;
""", regs=".shared .align 4 .b8 buf[4];")
    out, _ = run(m, 256, 128)
    w = np.arange(256) // 32 % 4
    assert (out == np.array([10, 10, 55, 30])[w]).all()


def test_barrier_reductions():
    m = kernel(B, """
and.b32 %r0, %r73, 3;
setp.eq.u32 %p0, %r0, 0;
bar.red.popc.u32 %r1, 0, %p0;
setp.lt.u32 %p1, %r71, 1;
bar.red.and.pred %p2, 0, %p1;
setp.eq.u32 %p3, %r73, 70;
bar.red.or.pred %p4, 0, %p3;
selp.u32 %r2, 1000, 0, %p2;
selp.u32 %r3, 2000, 0, %p4;
add.u32 %r1, %r1, %r2;
add.u32 %r1, %r1, %r3;
st.global.u32 [%d72], %r1;
""")
    out, _ = run(m, 192)
    assert (out.reshape(3, 64) == np.array([[1016], [2016], [16]])).all()


def test_barrier_after_exit_warns():
    m = kernel(B, "setp.gt.u32 %p0, %r70, 40;\n@%p0 exit;\nbar.sync 0;\n"
               "st.global.u32 [%d72], 1;")
    out, r = run(m)
    assert out.sum() == 41 and any("exited" in w for w, _ in r.warnings)


def test_barrier_errors():
    # a warp diverged around an aligned barrier
    m = kernel(B, "and.b32 %r0, %r70, 1;\nsetp.eq.u32 %p0, %r0, 1;\n@%p0 bra A;\nbar.sync 0;\n"
               "bra E;\nA:\nbar.sync 0;\nE:\nst.global.u32 [%d72], 1;")
    with pytest.raises(Divergence) as e:
        run(m)
    assert "part of a warp" in str(e.value)
    # a barrier that some threads never reach
    m = kernel(B, "setp.lt.u32 %p0, %r70, 32;\n@%p0 bra E;\nbar.sync 0;\nE:\nbar.sync 1;")
    with pytest.raises(Deadlock) as e:
        run(m)
    assert "bar.sync" in str(e.value) and e.value.line is not None


def test_spin_lock_makes_progress():
    """Threads of one warp take a lock in turn (needs independent progress)."""
    m = kernel(B + ", .param .u64 lock", """
ld.param.u64 %d1, [lock];
SPIN:
atom.global.cas.b32 %r0, [%d1], 0, 1;
setp.ne.u32 %p0, %r0, 0;
@%p0 bra SPIN;
ld.volatile.global.u32 %r1, [%d71];
add.u32 %r1, %r1, 1;
st.volatile.global.u32 [%d71], %r1;
membar.gl;
atom.global.exch.b32 %r2, [%d1], 0;
""")
    lock = np.zeros(1, np.uint32)
    out = np.zeros(1, np.uint32)
    m.launch("k", 2, 40, [out, lock], timeout_s=60)
    assert out[0] == 80 and lock[0] == 0


def test_flag_between_blocks():
    """Block 1 waits for a flag that block 0 sets after a barrier."""
    m = kernel(B, """
setp.eq.u32 %p0, %r71, 0;
@%p0 bra PROD;
WAIT:
ld.volatile.global.u32 %r0, [%d71];
setp.eq.u32 %p1, %r0, 0;
@%p1 bra WAIT;
bra E;
PROD:
bar.sync 0;
st.volatile.global.u32 [%d71], 9;
mov.u32 %r0, 9;
E:
st.global.u32 [%d72+4], %r0;
""")
    out = np.zeros(130, np.uint32)
    m.launch("k", 2, 64, [out], timeout_s=60)
    assert (out[:129] == 9).all()


# --- warp operations ------------------------------------------------------------------

def shfl_model(mode, lane, b, c):
    bval, cval, seg = b & 31, c & 31, (c >> 8) & 31
    mx = (lane & seg) | (cval & ~seg & 31)
    mn = lane & seg
    if mode == "up":
        j = lane - bval
        p = j >= mx
    elif mode == "down":
        j = lane + bval
        p = j <= mx
    elif mode == "bfly":
        j = lane ^ bval
        p = j <= mx
    else:
        j = mn | (bval & ~seg & 31)
        p = j <= mx
    return (j if p else lane), p


@pytest.mark.parametrize("mode", ["up", "down", "bfly", "idx"])
@pytest.mark.parametrize("b", [0, 1, 3, 8, 16, 31, "lane"])
@pytest.mark.parametrize("c", [31, 0, 0x1c1f, 0x181f, 0x1800, 0x1003])
def test_shfl(mode, b, c):
    bb = "%r5" if b == "lane" else str(b)
    m = kernel(B, "mul.lo.u32 %%r5, %%r73, 7;\nadd.u32 %%r1, %%r73, 1000;\n"
               "shfl.sync.%s.b32 %%r2|%%p1, %%r1, %s, %d, -1;\nselp.u32 %%r3, 1, 0, %%p1;\n"
               "mad.lo.u64 %%d1, %%d70, 8, %%d71;\nst.global.v2.u32 [%%d1], {%%r2, %%r3};" % (
                   mode, bb, c))
    CHECKED.pop()
    out, r = run(m, 128, 64, width=2)
    for i in range(128):
        bv = (i * 7) if b == "lane" else b
        j, p = shfl_model(mode, i % 32, bv, c)
        assert out[i].tolist() == [1000 + i // 32 * 32 + j, int(p)]
    assert not r.warnings


def test_shfl_partial_warp_warns():
    m = kernel(B, "shfl.sync.down.b32 %r2, %r73, 8, 31, -1;\nst.global.u32 [%d72], %r2;")
    out, r = run(m, 40, 40)
    assert (out[:24] == np.arange(8, 32)).all()
    assert any("shfl" in w for w, _ in r.warnings)


def test_shfl_in_divergent_subset():
    m = kernel(B, """
and.b32 %r0, %r70, 1;
mov.u32 %r1, 7;
setp.eq.u32 %p0, %r0, 0;
@!%p0 bra E;
shfl.sync.bfly.b32 %r1, %r73, 2, 31, 0x55555555;
E:
st.global.u32 [%d72], %r1;
""")
    out, r = run(m)
    i = np.arange(64)
    assert (out == np.where(i % 2 == 0, i ^ 2, 7)).all() and not r.warnings


def test_shfl_waits_for_the_other_lanes():
    """Lanes arrive at the shuffle at different times."""
    m = kernel(B, """
mov.u32 %r1, 0;
setp.ge.u32 %p2, %r70, 20;
@%p2 bra S;
LOOP:
add.u32 %r1, %r1, 1;
setp.lt.u32 %p1, %r1, %r70;
@%p1 bra LOOP;
S:
shfl.sync.idx.b32 %r2, %r1, 13, 31, -1;
st.global.u32 [%d72], %r2;
""")
    out, _ = run(m, 32, 32)
    assert (out == 13).all()


def test_shfl_errors():
    m = kernel(B, "and.b32 %r0, %r70, 1;\nsetp.eq.u32 %p0, %r0, 0;\n@!%p0 bra E;\n"
               "shfl.sync.bfly.b32 %r1, %r73, 2, 31, -1;\nE:\nbar.sync 0;")
    with pytest.raises(Deadlock) as e:
        run(m)
    assert "shfl" in str(e.value) and "0xaaaaaaaa" in str(e.value)
    m = kernel(B, "shfl.sync.bfly.b32 %r1, %r73, 2, 31, 0xffff;")
    with pytest.raises(Divergence) as e:
        run(m)
    assert "membermask" in str(e.value)


def test_exited_lanes_do_not_block_a_shuffle():
    m = kernel(B, "setp.ge.u32 %p0, %r70, 24;\n@%p0 exit;\n"
               "shfl.sync.bfly.b32 %r1, %r73, 1, 31, -1;\nst.global.u32 [%d72], %r1;")
    out, _ = run(m, 32, 32)
    assert (out[:24] == (np.arange(24) ^ 1)).all() and (out[24:] == 0).all()


def test_votes():
    m = kernel(B, """
and.b32 %r0, %r73, 5;
setp.eq.u32 %p0, %r0, 5;
vote.sync.ballot.b32 %r1, %p0, -1;
vote.sync.any.pred %p1, %p0, -1;
vote.sync.all.pred %p2, %p0, -1;
setp.lt.u32 %p3, %r73, 64;
vote.sync.uni.pred %p4, %p3, -1;
vote.sync.all.pred %p5, !%p0, -1;
setp.ge.u32 %p6, %r73, 50;
vote.sync.uni.pred %p7, %p6, -1;
selp.u32 %r2, 1, 0, %p1;
selp.u32 %r3, 2, 0, %p2;
selp.u32 %r4, 4, 0, %p4;
selp.u32 %r5, 8, 0, %p5;
selp.u32 %r6, 16, 0, %p7;
or.b32 %r2, %r2, %r3;
or.b32 %r2, %r2, %r4;
or.b32 %r2, %r2, %r5;
or.b32 %r2, %r2, %r6;
mad.lo.u64 %d1, %d70, 8, %d71;
st.global.v2.u32 [%d1], {%r1, %r2};
""")
    out, _ = run(m, 128, 128, width=2)
    for i in range(128):
        w = range(i // 32 * 32, i // 32 * 32 + 32)
        bal = sum(1 << (j % 32) for j in w if j & 5 == 5)
        uni6 = len({j >= 50 for j in w}) == 1
        assert out[i].tolist() == [bal, 1 | 4 | (16 if uni6 else 0)]


def test_match_redux_elect_activemask():
    m = kernel(B, """
rem.u32 %r0, %r73, 5;
match.any.sync.b32 %r1, %r0, -1;
shr.u32 %r9, %r73, 5;
match.all.sync.b32 %r2|%p1, %r9, -1;
match.all.sync.b32 %r3|%p2, %r0, -1;
selp.u32 %r4, 1, 0, %p1;
selp.u32 %r5, 2, 0, %p2;
or.b32 %r4, %r4, %r5;
redux.sync.add.s32 %r10, %r73, -1;
redux.sync.min.u32 %r11, %r73, -1;
redux.sync.max.s32 %r12, %r0, -1;
redux.sync.xor.b32 %r13, %r73, -1;
redux.sync.or.b32 %r14, %r73, -1;
redux.sync.and.b32 %r15, %r73, -1;
elect.sync %r16|%p3, -1;
selp.u32 %r17, 4, 0, %p3;
or.b32 %r4, %r4, %r17;
mad.lo.u64 %d1, %d70, 48, %d71;
st.global.v4.u32 [%d1], {%r1, %r2, %r3, %r4};
st.global.v4.u32 [%d1+16], {%r10, %r11, %r12, %r13};
and.b32 %r18, %r70, 3;
setp.eq.u32 %p4, %r18, 1;
mov.u32 %r19, 0;
@!%p4 bra E;
activemask.b32 %r19;
E:
st.global.v4.u32 [%d1+32], {%r14, %r15, %r16, %r19};
""")
    out, _ = run(m, 64, 64, width=12)
    for i in range(64):
        w = list(range(i // 32 * 32, i // 32 * 32 + 32))
        x = 0
        o = 0
        a = 0xffffffff
        for j in w:
            x ^= j
            o |= j
            a &= j
        anym = sum(1 << (j % 32) for j in w if j % 5 == i % 5)
        assert out[i].tolist() == [
            anym, 0xffffffff, 0, 1 | (4 if i % 32 == 0 else 0), sum(w), w[0], 4, x, o, a, 0,
            0x22222222 if i % 4 == 1 else 0]


def test_warp_barrier_in_both_branches():
    m = kernel(B, """
and.b32 %r0, %r70, 1;
mov.u32 %r2, buf;
shl.b32 %r3, %r70, 2;
add.u32 %r3, %r2, %r3;
setp.eq.u32 %p0, %r0, 0;
@%p0 bra A;
st.shared.u32 [%r3], 5;
bar.warp.sync -1;
xor.b32 %r4, %r3, 4;
ld.shared.u32 %r5, [%r4];
bra E;
A:
st.shared.u32 [%r3], 6;
bar.warp.sync 0xffffffff;
xor.b32 %r4, %r3, 4;
ld.shared.u32 %r5, [%r4];
E:
st.global.u32 [%d72], %r5;
""", regs=".shared .align 256 .b8 buf[256];")
    out, _ = run(m, 64, 64)
    assert (out == np.where(np.arange(64) % 2 == 1, 6, 5)).all()


def test_warp_reduction_loop_matches_numpy():
    m = kernel(B + ", .param .u64 x", """
ld.param.u64 %d1, [x];
mad.lo.u64 %d1, %d70, 4, %d1;
ld.global.f32 %r1, [%d1];
mov.u32 %r2, 16;
L:
shfl.sync.down.b32 %r3, %r1, %r2, 31, -1;
add.f32 %r1, %r1, %r3;
shr.u32 %r2, %r2, 1;
setp.ne.u32 %p1, %r2, 0;
@%p1 bra L;
st.global.f32 [%d72], %r1;
""")
    x = np.random.default_rng(0).random(4096, dtype=np.float32)
    out = np.zeros(4096, np.float32)
    m.launch("k", 32, 128, [out, x])
    v = x.reshape(-1, 32).copy()
    for s in (16, 8, 4, 2, 1):
        w = v.copy()
        for lane in range(32):
            w[:, lane] = v[:, lane] + v[:, lane + s if lane + s < 32 else lane]
        v = w
    assert (out[::32] == v[:, 0]).all()


# --- races ---------------------------------------------------------------------------

RACE = """
mov.u32 %r2, buf;
shl.b32 %r3, %r70, 2;
add.u32 %r3, %r2, %r3;
st.shared.u32 [%r3], %r70;
SYNC
xor.b32 %r4, %r3, XOR;
ld.shared.u32 %r5, [%r4];
st.global.u32 [%d72], %r5;
"""


@pytest.mark.parametrize("sync,xor,bad", [
    ("bar.sync 0;", 252, False), ("", 252, True), ("bar.warp.sync -1;", 252, True),
    ("bar.warp.sync -1;", 4, False), ("", 4, True), ("", 0, False)])
def test_racecheck(sync, xor, bad):
    m = kernel(B, RACE.replace("SYNC", sync).replace("XOR", str(xor)),
               regs=".shared .align 256 .b8 buf[256];")
    _, r = run(m, 128, racecheck=True)
    assert bool(r.races) == bad, r.races
    if bad:
        assert "ld.shared.u32 %r5" in r.races[0] and "st.shared" in r.races[0]


def test_racecheck_write_after_read_and_write_write():
    m = kernel(B, """
mov.u32 %r2, buf;
shl.b32 %r3, %r70, 2;
add.u32 %r3, %r2, %r3;
st.shared.u32 [%r3], %r70;
bar.sync 0;
ld.shared.u32 %r5, [%r2+128];
add.u32 %r5, %r5, 1;
st.shared.u32 [%r3], %r5;
""", regs=".shared .align 256 .b8 buf[256];")
    _, r = run(m, racecheck=True)
    assert any("write after read" in x for x in r.races)
    m = kernel(B, "and.b32 %r1, %r70, 1;\nst.shared.u32 [buf], %r1;",
               regs=".shared .align 256 .b8 buf[256];")
    _, r = run(m, racecheck=True)
    assert any("write after write" in x for x in r.races)
    m = kernel(B, "st.shared.u32 [buf], 1;", regs=".shared .align 256 .b8 buf[256];")
    _, r = run(m, racecheck=True)
    assert not r.races                      # the same value: benign
    m = kernel(B, "st.shared.u32 [buf], 0;\nbar.sync 0;\nred.shared.add.u32 [buf], 1;",
               regs=".shared .align 256 .b8 buf[256];")
    _, r = run(m, racecheck=True)
    assert not r.races


def test_racecheck_global():
    body = "st.global.u32 [%d72], %r73;\nSYNC\nxor.b32 %r1, %r73, XOR;\n" \
           "mad.wide.u32 %d1, %r1, 4, %d71;\nld.global.u32 %r2, [%d1];"
    for sync, xor, bad in [("", 0, False), ("", 1, True), ("bar.sync 0;", 33, False),
                           ("bar.sync 0;", 64, True)]:
        m = kernel(B, body.replace("SYNC", sync).replace("XOR", str(xor)))
        _, r = run(m, 256, racecheck=True)
        assert bool(r.races) == bad, (sync, xor, r.races)
    m = kernel(B, "red.global.add.u32 [%d71], 1;")
    _, r = run(m, 256, racecheck=True)
    assert not r.races


@needs_ptxas
def test_ptxas_accepts_these_kernels():
    bad = []
    seen = list(dict.fromkeys(CHECKED))
    for t in seen[:120]:
        ok, err = ptxas_ok(t, "sm_90")
        if not ok:
            bad.append(err.strip().split("\n")[0] + "\n" + t)
    assert not bad, "\n".join(bad)[:6000]
