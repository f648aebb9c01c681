#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast programs lowered by rng-to-cpu are, beside hand-written ones.

    benchmarks/cpu_speed.py [--build build] [--small 16] [--large 28]

Compiles benchmarks/cpu/ours.mlir as a user would (rng-opt --rng-to-cpu,
mlir-translate, opt -O3 and llc for this machine) and links it with Philox of the
same stream written with AVX-512 and AVX2 intrinsics (compiled by each compiler
there is, with several numbers of registers at a time: the fastest counts), with
plain loops that compilers vectorise, and the standard library's mt19937. All run
in one process on one thread, take turns, and must yield the same bits. NumPy's
Philox follows if NumPy is there (--numpy-python: the interpreter that has it).

Prints a markdown table of ratios: how many times as fast ours is.
"""

import argparse
import datetime
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE / "cpu"

NUMPY = """
import sys, time, statistics
import numpy
repetitions, sizes = int(sys.argv[1]), [int(a) for a in sys.argv[2:]]
g = numpy.random.Generator(numpy.random.Philox(7))
keep = numpy.float32(0.9)
for size in sizes:
    n4 = 2 ** size // 4
    out = numpy.zeros(n4, numpy.float32)
    wide = numpy.zeros(n4 // 2, numpy.float64)
    x = numpy.ones(n4, numpy.float32)
    mask = numpy.zeros(n4, bool)
    def bernoulli():
        g.random(out=out, dtype=numpy.float32)
        numpy.less(out, keep, out=mask)
    def dropout():
        bernoulli()
        numpy.multiply(x, mask, out=out)
        numpy.multiply(out, numpy.float32(1 / 0.9), out=out)
    cases = [
        ("uniform f32", n4, lambda: g.random(out=out, dtype=numpy.float32)),
        ("uniform f64", n4 // 2, lambda: g.random(out=wide)),
        ("bernoulli i1", n4, bernoulli),
        ("normal f32", n4,
         lambda: g.standard_normal(out=out, dtype=numpy.float32)),
        ("dropout forward f32", n4, dropout),
        ("dropout backward f32", n4, dropout)]
    for name, n, call in cases:
        call()
        times = []
        for _ in range(repetitions):
            count = max(int(2e6 / n), 1)
            start = time.thread_time()
            for _ in range(count):
                call()
            times.append((time.thread_time() - start) * 1e9 / (n * count))
        print("numpy", name, size, statistics.median(times), sep="\\t")
"""


def run(command, **options):
    return subprocess.run([str(part) for part in command], check=True,
                          **options)


def has(cpu_flag):
    try:
        with open("/proc/cpuinfo") as file:
            return any(cpu_flag in line.split() for line in file
                       if line.startswith("flags"))
    except OSError:
        return False


def get_machine():
    """The CPU's name and family, as the kernel knows them."""
    fields = {}
    with open("/proc/cpuinfo") as file:
        for line in file:
            key, _, value = line.partition(":")
            fields.setdefault(key.strip(), value.strip())
    name = fields.get("model name", "unknown CPU")
    if "cpu family" in fields:
        name += " (family %s, model %s)" % (fields["cpu family"],
                                            fields.get("model", "?"))
    return name


def compile_ours(build, llvm, folder, cpu):
    """The object file of ours.mlir."""
    llvm = pathlib.Path(llvm)
    steps = [
        [build / "bin" / "rng-opt", SOURCES / "ours.mlir", "--rng-to-cpu",
         "-o", folder / "ours.llvm.mlir"],
        [llvm / "mlir-translate", "--mlir-to-llvmir",
         folder / "ours.llvm.mlir", "-o", folder / "ours.ll"],
        [llvm / "opt", "-O3", "-mcpu=" + cpu, folder / "ours.ll", "-o",
         folder / "ours.bc"],
        [llvm / "llc", "-O3", "-mcpu=" + cpu, "-filetype=obj",
         "-relocation-model=pic", folder / "ours.bc", "-o",
         folder / "ours.o"]]
    for step in steps:
        run(step)
    return folder / "ours.o"


def compile_others(folder, numbers):
    """Object files of hand-written programs, and the names of their tables."""
    objects, tables = [], []

    def add(source, table, name, compiler, *options):
        out = folder / (table + ".o")
        macro = source.split("_")[1].upper()
        run([compiler, "-std=c++17", "-O3", *options,
             "-D%s_PROGRAMS=%s" % (macro, table),
             '-D%s_NAME="%s"' % (macro, name), "-c",
             SOURCES / (source + ".cpp"), "-o", out])
        objects.append(out)
        tables.append(table)

    for compiler in ("clang++", "g++"):
        if not shutil.which(compiler):
            continue
        short = compiler.rstrip("+")
        add("philox_loop", "loop_" + short, "loop " + short, compiler,
            "-march=native")
        for sets in numbers:
            if has("avx512dq"):
                add("philox_avx512", "avx512_%s_%d" % (short, sets),
                    "AVX-512 %s %d" % (short, sets), compiler,
                    "-march=native", "-DSIMD_SETS=%d" % sets)
            if has("avx2"):
                add("philox_avx2", "avx2_%s_%d" % (short, sets),
                    "AVX2 %s %d" % (short, sets), compiler, "-mavx2", "-mfma",
                    "-DSIMD_SETS=%d" % sets)
    return objects, tables


def measure(arguments):
    """{(case, size): {program: nanoseconds per element}}"""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        ours = compile_ours(pathlib.Path(arguments.build), arguments.llvm,
                            folder, arguments.cpu)
        others, tables = compile_others(folder, arguments.sets)
        compiler = shutil.which("clang++") or shutil.which("g++")
        if not compiler:
            sys.exit("cpu_speed.py: found neither clang++ nor g++")
        run([compiler, "-std=c++17", "-O2", "-march=native",
             "-DALL_PROGRAMS=" + "".join("X(%s)" % t for t in tables),
             SOURCES / "bench.cpp", ours, *others, "-o", folder / "bench"])
        sizes = [arguments.small, arguments.large]
        command = [folder / "bench", arguments.repetitions, *sizes]
        text = run(command, stdout=subprocess.PIPE, text=True).stdout
    python = arguments.numpy_python
    found = subprocess.run([python, "-c", "import numpy"],
                           stderr=subprocess.DEVNULL)
    if found.returncode == 0:
        text += run([python, "-c", NUMPY, min(arguments.repetitions, 5),
                     arguments.small, arguments.large],
                    stdout=subprocess.PIPE, text=True).stdout
    times = {}
    for line in text.splitlines():
        program, case, size, value = line.split("\t")
        times.setdefault((case, int(size)), {})[program] = float(value)
    return times


def get_best(times, prefix):
    found = [time for program, time in times.items()
             if program.startswith(prefix)]
    return min(found) if found else None


COLUMNS = [("AVX-512 intrinsics", "AVX-512 "), ("AVX2 intrinsics", "AVX2 "),
           ("clang's loop", "loop clang"), ("gcc's loop", "loop g"),
           ("`std::mt19937`", "std::mt19937"), ("NumPy's Philox", "numpy"),
           ("a copy", "copy")]


def print_table(times, arguments):
    machine, date = get_machine(), datetime.date.today().isoformat()
    print("%s, one thread, %s. How many times as fast `rng-to-cpu` is as each, "
          "and as its own uniform f32:\n" % (machine, date))
    print("| draw | array | " + " | ".join(name for name, _ in COLUMNS) +
          " | uniform f32 |")
    print("|---|---|" + "---:|" * (len(COLUMNS) + 1))
    for size in (arguments.small, arguments.large):
        array = ("%d KiB" % 2 ** (size - 10) if size < 20 else
                 "%d MiB" % 2 ** (size - 20))
        uniform = times[("uniform f32", size)]["rng-to-cpu"]
        for case in [case for case, s in times if s == size]:
            row = times[(case, size)]
            ours = row["rng-to-cpu"]
            cells = []
            for _, prefix in COLUMNS:
                best = get_best(row, prefix)
                cells.append("%.2f" % (best / ours) if best else "")
            cells.append("%.2f" % (uniform / ours))
            print("| %s | %s | %s |" % (case, array, " | ".join(cells)))
    if arguments.verbose:
        for (case, size), row in times.items():
            for program, time in sorted(row.items(), key=lambda p: p[1]):
                print("%-22s %2d %-18s %8.3f ns  %7.3f G/s" %
                      (case, size, program, time, 1 / time), file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=HERE.parent / "build",
                        help="folder with bin/rng-opt")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin",
                        help="folder with opt and llc")
    parser.add_argument("--cpu", default="native", help="-mcpu of ours")
    parser.add_argument("--small", type=int, default=16,
                        help="log2 of the bytes of an array inside the cache")
    parser.add_argument("--large", type=int, default=28,
                        help="log2 of the bytes of an array beyond the cache")
    parser.add_argument("--repetitions", type=int, default=11)
    parser.add_argument("--sets", type=int, nargs="+", default=[2, 4, 8],
                        help="registers at a time in intrinsics to try, even")
    parser.add_argument("--numpy-python", default="python3",
                        help="interpreter to ask for NumPy")
    parser.add_argument("--verbose", action="store_true",
                        help="print absolute times to stderr as well")
    arguments = parser.parse_args()
    print_table(measure(arguments), arguments)


if __name__ == "__main__":
    main()
