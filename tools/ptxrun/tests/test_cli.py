# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line and the statistics."""

import os
import subprocess
import sys

import numpy as np
import pytest

from ptxrun import Module
from common import HEAD, HERE, tmpdir

TOOL = os.path.dirname(HERE)  # A folder with a __main__.py.

PTX = HEAD.replace("sm_100", "sm_90") + """
.extern .shared .align 4 .b8 dyn[];
.visible .entry scale(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)
.maxntid 256, 1, 1
{
.reg .pred %p<3>;
.reg .b32 %r<10>;
.reg .b64 %d<6>;
ld.param.u64 %d1, [x];
ld.param.u64 %d2, [y];
ld.param.f32 %r1, [a];
ld.param.u32 %r2, [n];
mov.u32 %r3, %ctaid.x;
mov.u32 %r4, %ntid.x;
mov.u32 %r5, %tid.x;
mad.lo.s32 %r6, %r3, %r4, %r5;
setp.ge.u32 %p1, %r6, %r2;
@%p1 bra END;
mul.wide.u32 %d3, %r6, 4;
add.u64 %d4, %d1, %d3;
add.u64 %d5, %d2, %d3;
ld.global.f32 %r7, [%d4];
mul.rn.f32 %r8, %r7, %r1;
st.global.f32 [%d5], %r8;
END:
ret;
}
.visible .entry strided(.param .u64 x)
{
.reg .b32 %r<10>;
.reg .b64 %d<6>;
ld.param.u64 %d1, [x];
mov.u32 %r5, %tid.x;
mul.wide.u32 %d3, %r5, 128;
add.u64 %d4, %d1, %d3;
ld.global.f32 %r7, [%d4];
mov.u32 %r1, dyn;
shl.b32 %r2, %r5, 7;
add.u32 %r2, %r1, %r2;
st.shared.f32 [%r2], %r7;
ld.shared.f32 %r8, [dyn];
ex2.approx.f32 %r7, %r7;
ret;
}
"""


@pytest.fixture(scope="module")
def ptx():
    p = os.path.join(tmpdir(), "k.ptx")
    with open(p, "w") as f:
        f.write(PTX)
    return p


def cli(*a):
    r = subprocess.run([sys.executable, TOOL, *map(str, a)], capture_output=True, text=True)
    return r.returncode, r.stdout, r.stderr


def test_run_and_dump(ptx):
    rc, out, err = cli(ptx, "--kernel", "scale", "--grid", 2, "--block", "4", "--arg",
                       "f32:iota:8", "--arg", "f32:empty:8", "--arg", "f32:2.5", "--arg", "u32:7",
                       "--dump", 1)
    assert rc == 0, err
    assert "0.   2.5  5.   7.5 10.  12.5 15. " in out and "1 of 8 elements were not written" in out


def test_npy_files_and_scalars(ptx):
    d = tmpdir()
    x = np.random.default_rng(0).random(100).astype(np.float32)
    np.save(d + "/x.npy", x)
    rc, out, err = cli(ptx, "--kernel", "scale", "--grid", "4,1,1", "--block", "32", "--arg",
                       "f32:" + d + "/x.npy", "--arg", "f32:zeros:10x10", "--arg", "f32:0x1p-1",
                       "--arg", "u32:0x64", "--dump", "1:" + d + "/y.npy")
    assert rc == 0, err
    assert (np.load(d + "/y.npy").reshape(-1) == x * np.float32(0.5)).all()


def test_stats_output(ptx):
    rc, out, err = cli(ptx, "--kernel", "scale", "--grid", 8, "--block", 128, "--arg",
                       "f32:rand:1000", "--arg", "f32:zeros:1000", "--arg", "f32:3", "--arg",
                       "u32:1000", "--stats")
    assert rc == 0, err
    for s in ("ld.global 32-bit", "st.global 32-bit", "f32 mul", "int mul 32", "branch",
              "registers declared: .b32 9, .b64 5, .pred 2", "warp efficiency",
              "total ld.global: 4000 bytes wanted, 125 sectors"):
        assert s in out, (s, out)
    rc, out, err = cli(ptx, "--kernel", "scale", "--stats")
    assert rc == 0 and "static counts" in out


def test_stats_numbers():
    m = Module.from_text(PTX)
    r = m.launch("scale", 8, 128, [np.zeros(1000, np.float32), np.zeros(1000, np.float32), 2.0,
                                   1000], stats=True)
    s = r.stats
    assert s.total_static == 17 and s.static["branch"] == 2
    assert s.dynamic["f32 mul"] == 1000 and s.dynamic["ld.global 32-bit"] == 1000
    assert s.dynamic["branch"] == 2 * 1024
    assert s.total_dynamic == 17 * 1000 + 11 * 24
    assert abs(s.per_thread - s.total_dynamic / 1024) < 1e-9
    assert s.issued["f32 mul"] == 32                # 31 full warps and one of 8 threads
    ld = [e for e in s.memory if e["op"] == "ld"][0]
    assert ld["requests"] == 32 and ld["sectors"] == 125 and ld["threads"] == 1000
    r = m.launch("strided", 1, 64, [np.zeros(64 * 32, np.float32)], shared_bytes=64 * 128,
                 stats=True)
    e = {(x["op"], x["space"]): x for x in r.stats.memory}
    assert e["ld", "global"]["sectors"] == 64 and e["ld", "global"]["efficiency"] == 0.125
    assert e["st", "shared"]["wavefronts"] == 64    # 32-way bank conflict in both warps
    assert e["ld", "shared"]["wavefronts"] == 2     # broadcast
    assert r.stats.approx == ["ex2.approx.f32"]
    assert "may differ by a few ulp" in r.stats.text()


@pytest.mark.parametrize("args,msg", [
    (["--kernel", "nope"], "no kernel named 'nope'"),
    ([], "--kernel is needed"),
    (["--kernel", "scale", "--arg", "f32:1"], "takes 4 arguments, 1 were given"),
    (["--kernel", "scale", "--arg", "q32:1"], "bad argument"),
    (["--kernel", "scale", "--arg", "f32:zeros"], "needs a shape"),
    (["--kernel", "scale", "--arg", "u8:300"], "does not fit"),
    (["--kernel", "scale", "--arg", "same:3"], "same:3"),
])
def test_cli_errors(ptx, args, msg):
    rc, out, err = cli(ptx, *args)
    assert rc == 1 and msg in err, err


def test_cli_memory_error_and_missing_file(ptx):
    rc, out, err = cli(ptx, "--kernel", "scale", "--grid", 2, "--block", 8, "--arg", "f32:iota:8",
                       "--arg", "same:0", "--arg", "f32:2.5", "--arg", "u32:16")
    assert rc == 1 and "OutOfBounds" in err and "ld.global.f32 %r7, [%d4];" in err
    rc, out, err = cli("/nonexistent.ptx")
    assert rc == 2


def test_list_check_and_source(ptx):
    rc, out, err = cli(ptx, "--list")
    assert rc == 0 and "scale" in out and ".maxntid 256, 1, 1" in out and "offset 16" in out
    rc, out, err = cli(ptx, "--check")
    assert rc == 0 and "scale: ok" in out
    rc, out, err = cli(ptx, "--kernel", "scale", "--source")
    assert rc == 0 and "def b0(R, C):" in out


def test_import_as_package():
    r = subprocess.run([sys.executable, "-c", "import ptxrun; print(ptxrun.Module.__name__)"],
                       capture_output=True, text=True,
                       env=dict(os.environ, PYTHONPATH=TOOL), cwd=tmpdir())
    assert r.stdout.strip() == "Module", r.stderr
