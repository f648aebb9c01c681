# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line: arguments of a kernel from text, a launch, what it prints."""

import argparse
import sys
import time

import numpy as np

from .errors import LaunchError, PtxError
from .memory import Buffer
from .module import Module, memref
from .softfp import f32_to_bf16
from .stats import classify, term_op

DTYPES = {
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": "bf16",
    "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32,
    "u32": np.uint32, "i64": np.int64, "u64": np.uint64,
    "s8": np.int8, "s16": np.int16, "s32": np.int32, "s64": np.int64,
    "b8": np.uint8, "b16": np.uint16, "b32": np.uint32, "b64": np.uint64,
}

ARG_HELP = """\
argument forms (TYPE is f16 bf16 f32 f64 i8..i64 u8..u64; SHAPE is 1024 or 32x64):
  TYPE:VALUE                 scalar, e.g. i64:42, f32:1.5, u32:0xff
  TYPE:zeros:SHAPE           buffers of constants ...
  TYPE:ones:SHAPE
  TYPE:full:SHAPE:VALUE
  TYPE:iota:SHAPE            0, 1, 2, ...
  TYPE:rand:SHAPE[:SEED]     uniform [0,1), integers: all bit patterns
  TYPE:randn:SHAPE[:SEED]    standard normal
  TYPE:empty:SHAPE           counts as never written: reading it is an error
  TYPE:FILE.npy              buffer from a file (its dtype must match)
  TYPE:FILE.bin              raw little-endian data
  memref:TYPE:...            the same buffer as an MLIR memref descriptor
                             (pointer, pointer, offset, sizes, strides)
  same:K                     the buffer of the K-th --arg again
  null                       null pointer
"""


def shape_of(s):
    try:
        t = tuple(int(x, 0) for x in s.split("x")) if not s.startswith("0x") else (int(s, 0),)
    except ValueError:
        raise LaunchError("bad shape %r" % s)
    if any(x < 0 for x in t):
        raise LaunchError("bad shape %r" % s)
    return t


def to_bf16(x):
    return f32_to_bf16(np.asarray(x, np.float32).reshape(-1)).reshape(np.shape(x))


def from_bf16(x):
    return (x.astype(np.uint32) << 16).view(np.float32)


def number(dt, s):
    if dt in (np.float16, np.float32, np.float64, "bf16"):
        v = float(int(s, 0)) if s.lower().startswith("0x") and "p" not in s.lower() else (
            float.fromhex(s) if s.lower().startswith(("0x", "-0x")) else float(s))
        if dt == "bf16":
            return np.uint16(to_bf16(np.array([v]))[0])
        with np.errstate(over="ignore"):
            return dt(v)
    v = int(s, 0)
    bits = np.dtype(dt).itemsize * 8
    if not -(1 << (bits - 1)) <= v < 1 << bits:
        raise LaunchError("%s does not fit in %d bits" % (s, bits))
    return np.array([v & ((1 << bits) - 1)], dtype=np.uint64).astype(
        "u%d" % (bits // 8)).view(dt)[0]


class CliArg:
    """One --arg: what to pass, its type, and whether as a memref descriptor."""

    def __init__(self, value, kind, is_memref=False):
        self.value, self.kind, self.is_memref = value, kind, is_memref

    @property
    def array(self):
        return self.value.array if isinstance(self.value, Buffer) else self.value


def parse_arg(spec, earlier):
    if spec == "null":
        return CliArg(None, "null")
    parts = spec.split(":")
    if parts[0] == "same":
        k = int(parts[1])
        if not 0 <= k < len(earlier) or earlier[k].array is None or \
                not isinstance(earlier[k].array, np.ndarray):
            raise LaunchError("same:%s does not name an earlier buffer argument" % parts[1])
        return CliArg(earlier[k].value, earlier[k].kind)
    mr = parts[0] == "memref"
    if mr:
        parts = parts[1:]
    if len(parts) < 2 or parts[0] not in DTYPES:
        raise LaunchError("bad argument %r\n%s" % (spec, ARG_HELP))
    ty, src, rest = parts[0], parts[1], parts[2:]
    dt = DTYPES[ty]
    store = np.uint16 if dt == "bf16" else dt

    def conv(a):
        return to_bf16(a) if dt == "bf16" else np.ascontiguousarray(a, dtype=store)
    name = "--arg %d" % len(earlier)
    if src in ("zeros", "ones", "full", "iota", "rand", "randn", "empty"):
        if not rest:
            raise LaunchError("%r needs a shape" % spec)
        sh = shape_of(rest[0])
        if src == "zeros":
            a = np.zeros(sh, store)
        elif src == "ones":
            a = conv(np.ones(sh))
        elif src == "full":
            a = np.full(sh, number(dt, rest[1]), dtype=store)
        elif src == "iota":
            n = int(np.prod(sh))
            a = conv(np.arange(n).reshape(sh))
        elif src == "empty":
            return CliArg(Buffer(np.zeros(sh, store), name, uninit=True), ty, mr)
        else:
            rng = np.random.default_rng(int(rest[1]) if len(rest) > 1 else 0)
            if src == "randn":
                a = conv(rng.standard_normal(sh))
            elif dt == "bf16" or np.dtype(store).kind == "f":
                a = conv(rng.random(sh))
            else:
                info = np.iinfo(store)
                a = rng.integers(info.min, info.max, sh, dtype=store, endpoint=True)
        return CliArg(Buffer(a, name), ty, mr)
    if src.endswith(".npy"):
        a = np.load(":".join([src] + rest))
        if a.dtype != np.dtype(store):
            raise LaunchError("%s holds %s, the argument says %s" % (src, a.dtype, ty))
        return CliArg(Buffer(np.ascontiguousarray(a), name), ty, mr)
    if src.endswith(".bin"):
        a = np.fromfile(":".join([src] + rest), dtype=store)
        return CliArg(Buffer(a, name), ty, mr)
    if mr:
        raise LaunchError("memref of a scalar: %r" % spec)
    try:
        return CliArg(number(dt, src), ty)
    except ValueError:
        raise LaunchError("bad argument %r\n%s" % (spec, ARG_HELP))


def dims(s):
    try:
        t = tuple(int(x, 0) for x in s.replace("x", ",").split(","))
    except ValueError:
        raise argparse.ArgumentTypeError("bad dimensions %r" % s)
    return t


def main(argv):
    ap = argparse.ArgumentParser(
        prog="ptxrun", description="Execute a PTX kernel on the CPU.",
        formatter_class=argparse.RawDescriptionHelpFormatter, epilog=ARG_HELP)
    ap.add_argument("file")
    ap.add_argument("--kernel", help="kernel name (may be left out if there is only one)")
    ap.add_argument("--grid", type=dims, default=(1,), metavar="X[,Y[,Z]]")
    ap.add_argument("--block", type=dims, default=(1,), metavar="X[,Y[,Z]]")
    ap.add_argument("--arg", action="append", default=[], metavar="SPEC")
    ap.add_argument("--shared", type=int, default=0, metavar="BYTES",
                    help="dynamic shared memory")
    ap.add_argument("--dump", action="append", default=[], metavar="N[:FILE]",
                    help="print the N-th --arg (or write it to a .npy file) afterwards")
    ap.add_argument("--stats", action="store_true", help="instruction and memory statistics")
    ap.add_argument("--racecheck", action="store_true",
                    help="report unordered accesses to the same memory")
    ap.add_argument("--allow-uninit", default="", metavar="SPACES",
                    help="comma list of global,shared,local")
    ap.add_argument("--approx-ulp", type=int, default=0, metavar="K",
                    help="perturb every approximate instruction by up to K ulp")
    ap.add_argument("--timeout", type=float, metavar="SECONDS")
    ap.add_argument("--batch-threads", type=int, default=32768)
    ap.add_argument("--list", action="store_true", help="list the kernels and stop")
    ap.add_argument("--check", action="store_true",
                    help="compile every kernel, report what is not supported, and stop")
    ap.add_argument("--source", action="store_true",
                    help="print the Python code generated for the kernel and stop")
    a = ap.parse_args(argv)
    try:
        return run(a)
    except PtxError as e:
        print("ptxrun: %s: %s" % (type(e).__name__, e), file=sys.stderr)
        return 1
    except OSError as e:
        print("ptxrun: %s" % e, file=sys.stderr)
        return 2


def run(a):
    mod = Module.from_file(a.file)
    if a.list:
        for k in mod.kernels.values():
            print(k.name)
            for p in k.params:
                print("   %r" % p)
            for d, v in k.directives.items():
                print("   %s %s" % (d, ", ".join(map(str, v))))
        return 0
    if a.check:
        bad = 0
        for n, e in mod.check().items():
            print("%s: %s" % (n, "ok" if e is None else "%s: %s" % (type(e).__name__, e)))
            bad += e is not None
        return 1 if bad else 0
    name = a.kernel
    if name is None:
        if len(mod.kernels) != 1:
            raise LaunchError("--kernel is needed; the module has: %s" % (
                ", ".join(sorted(mod.kernels)) or "none"))
        name = next(iter(mod.kernels))
    k = mod.kernel(name)
    if a.source:
        print(k.code.source)
        return 0
    cargs = []
    for s in a.arg:
        cargs.append(parse_arg(s, cargs))
    args = []
    for c in cargs:
        args.extend(memref(c.value) if c.is_memref else [c.value])
    if not args and k.params and a.stats and a.grid == (1,) and a.block == (1,):
        # static statistics only
        counts = {}
        k.code
        for b in k.blocks:
            for o in list(b.ops) + [x for x in [term_op(b)] if x is not None]:
                c = classify(o)
                counts[c] = counts.get(c, 0) + 1
        print("kernel %s: static counts (no arguments given, not run)" % k.name)
        print("registers declared: " + ", ".join(
            ".%s %d" % x for x in sorted(k.fn.reg_decl.items())))
        for c, n in sorted(counts.items()):
            print("%-32s %8d" % (c, n))
        print("%-32s %8d" % ("total", sum(counts.values())))
        return 0
    t0 = time.perf_counter()
    r = k.launch(a.grid, a.block, args, a.shared, stats=a.stats, racecheck=a.racecheck,
                 allow_uninit=[s for s in a.allow_uninit.split(",") if s],
                 approx_ulp=a.approx_ulp, timeout_s=a.timeout, echo_printf=True,
                 batch_threads=a.batch_threads)
    wall = time.perf_counter() - t0
    print("ran %s: %d threads, %d thread-instructions in %.3f s (%.1f million per second)" % (
        k.name, r.threads, r.instructions, wall, r.instructions / max(wall, 1e-9) / 1e6))
    for w, n in r.warnings:
        print("warning: %s%s" % (w, " (%d times)" % n if n > 1 else ""))
    for w in r.races:
        print("race: %s" % w)
    for d in a.dump:
        n, _, path = d.partition(":")
        n = int(n)
        if not 0 <= n < len(cargs) or not isinstance(cargs[n].array, np.ndarray):
            raise LaunchError("--dump %d: no such buffer argument" % n)
        arr = cargs[n].array
        if path:
            np.save(path, arr)
            print("argument %d written to %s" % (n, path))
            continue
        if cargs[n].kind == "bf16":
            arr = from_bf16(arr)
        print("argument %d: %s %s" % (n, cargs[n].kind, "x".join(map(str, arr.shape))))
        print(np.array2string(arr, threshold=1 << 30, max_line_width=100))
        if isinstance(cargs[n].value, Buffer) and cargs[n].value.uninit:
            w = cargs[n].value.written
            if not w.all():
                print("  %d of %d elements were not written" % (int((~w).sum()), w.size))
    if r.stats is not None:
        print()
        print(r.stats.text())
    return 1 if r.races else 0
