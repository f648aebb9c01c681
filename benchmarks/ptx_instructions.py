#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the PTX instructions that kernels execute for an element.

    ptx_instructions.py [--lanes N] FILE.ptx ...
    ptx_instructions.py --rng-opt build/bin/rng-opt [--check]

For each kernel of each file, the main path is walked: from the entry to `ret`,
at each forward branch the side that leads to the most bytes stored. Every
instruction on it counts as one (loads of parameters, index arithmetic, the
bounds test and the branch over the tail too). If the main path stores in a
loop, the instructions of one iteration count. The sum is divided by the
elements that are stored to the first output: the elements of the accesses to
the buffer of the first `st.global`, or N.

With --rng-opt, the kernels are those of benchmarks/kernels, compiled for
--chip, beside the ones by hand of benchmarks/cuda, compiled by nvcc, if there
is one. If there is a ptxas, registers and bytes spilled are printed too.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BYTES = {"f32": 4, "f16": 2, "bf16": 2, "f64": 8}
# Program, its variants by element type: the same kernels by hand.
PROGRAMS = [
    ("dropout.mlir", ["f32", "f16", "bf16", "f64"]),
    ("bias_gelu_dropout_f32.mlir", ["f32"]),
    ("bias_gelu_dropout_bf16.mlir", ["bf16"]),
]


def read_kernels(text):
    """Yields (name, instructions and labels) of each kernel."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    for match in re.finditer(r"\.entry\s+(\w+)\s*\([^)]*\)[^{;]*\{", text):
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        statements = []
        for part in text[match.end():end].split(";"):
            # Labels end without a semicolon, and scopes too.
            for piece in re.split(r"(?<![\w.:])([$\w]+:)(?=\s)", part):
                piece = re.sub(r"\s+", " ", piece).lstrip("{} ").strip()
                if re.match(r"[@a-z]|[$\w]+:$", piece):
                    statements.append(piece)
        yield match[1], statements


def is_store(statement):
    return re.match(r"(@!?%p\d+ )?st\.global", statement) is not None


def read_store(statement):
    """The bytes that a store writes, and the register of its address."""
    match = re.match(r".*?st\.global[\w.]*?(?:\.v(\d+))?\.[a-z](\d+) "
                     r"?\[(%\w+)", statement)
    return int(match[1] or 1) * int(match[2]) // 8, match[3]


def walk(statements):
    """The instructions of the main path."""
    labels = {s.rstrip(":"): i for i, s in enumerate(statements)
              if s.endswith(":")}

    # Few forward branches: those of the bounds, and of special cases of math
    # functions, of which the one with more instructions counts.
    def paths(position, path):
        loop = None
        while position < len(statements):
            statement = statements[position]
            if statement.endswith(":"):
                position += 1
                continue
            path.append((position, statement))
            branch = re.match(r"(@!?%p\d+ )?bra(?:\.uni)? (\S+)", statement)
            if statement == "ret":
                break
            if branch:
                target = labels[branch[2]]
                if target > position and not branch[1]:
                    position = target
                    continue
                if target > position:
                    yield from paths(target, list(path))
                elif any(is_store(s) for p, s in path if p >= target):
                    # A loop that stores: its body.
                    loop = [s for p, s in path if p >= target]
                    break
            position += 1
        yield loop or [s for _, s in path]

    def weigh(path):
        stored = sum(read_store(s)[0] for s in path if is_store(s))
        return stored, len(path)

    return max(paths(0, []), key=weigh)


def count_bytes(path):
    """Bytes that `path` stores to the buffer of its first store."""
    stores = [read_store(s) for s in path if is_store(s)]
    # Addresses of one buffer are sums with the same base.
    sums = {}
    for statement in path:
        match = re.match(r"add\.s64 (%rd\d+), (%rd\d+), (\S+)$", statement)
        if match:
            sums[match[1]] = match.groups()[1:]
    bases = {m[1] for s in path
             if (m := re.match(r"cvta\.to\.global\.u64 (%rd\d+),", s))}

    def find_bases(register):
        if register in bases:
            return {register}
        return set().union(*map(find_bases, sums.get(register, ())))

    first = find_bases(stores[0][1])
    return sum(size for size, register in stores
               if find_bases(register) == first)


def read_registers(ptxas, chip, file):
    """(registers, bytes spilled) of each kernel of `file`."""
    text = subprocess.run(
        [ptxas, f"-arch={chip}", "-v", str(file), "-o", "/dev/null"],
        stderr=subprocess.PIPE, text=True, check=True).stderr
    found = {}
    for part in text.split("Compiling entry function '")[1:]:
        spilled = sum(map(int, re.findall(r"(\d+) bytes (?:spill|stack)",
                                          part)))
        found[part.split("'")[0]] = (
            int(re.search(r"Used (\d+) registers", part)[1]), spilled)
    return found


def measure(args, file, size=None):
    """{kernel: (instructions, elements, registers, spilled)} of `file`."""
    registers = (read_registers(args.ptxas, args.chip, file)
                 if args.ptxas else {})
    rows = {}
    for name, statements in read_kernels(file.read_text()):
        path = walk(statements)
        width = size or next(
            (BYTES[t] for t in BYTES if name.endswith(f"_{t}")), 4)
        elements = args.lanes or max(count_bytes(path) // width, 1)
        rows[name] = (len(path), elements, *registers.get(name, (None, None)))
    return rows


def compile_ours(args, folder):
    """The kernels of the programs, by the names of those by hand."""
    rows = {}
    for program, elements in PROGRAMS:
        for element in elements:
            text = (HERE / "kernels" / program).read_text()
            text = re.sub(r"^!element = \w+", f"!element = {element}", text,
                          flags=re.M)
            files = folder / f"{program}-{element}"
            subprocess.run(
                [args.rng_opt, "-", "-o", "/dev/null",
                 f"--rng-to-nvptx=chip={args.chip} dump-dir={files}"],
                input=text, text=True, check=True)
            for file in sorted(files.glob("*.ptx")):
                ((name, row),) = measure(args, file, BYTES[element]).items()
                rows[f"{name.removesuffix('_kernel')}_{element}"] = row
    return rows


def compile_theirs(args, folder):
    rows = {}
    for source in sorted((HERE / "cuda").glob("*.cu")):
        file = folder / f"{source.stem}.ptx"
        subprocess.run(
            [args.nvcc, "-ptx", f"-arch={args.chip}", "-O3", str(source), "-o",
             str(file)], check=True)
        rows.update(measure(args, file))
    return rows


def print_table(ours, theirs):
    def show(row):
        if row is None:
            return f"{'-':>8} {'-':>6} {'-':>5}"
        count, elements, registers, spilled = row
        optional = lambda x: "-" if x is None else x
        return (f"{count / elements:8.2f} {optional(registers):>6} "
                f"{optional(spilled):>5}")

    print(f"{'':32} {'':>8} {'each,':>7} {'regis-':>7} {'':>5}"
          f" {'each,':>8} {'regis-':>7}")
    print(f"{'kernel':32} {'elements':>8} {'ours':>7} {'ters':>6} {'spill':>5}"
          f" | {'by hand':>7} {'ters':>6} {'spill':>5}")
    for name, row in ours.items():
        print(f"{name:32} {row[1]:8} {show(row)} |{show(theirs.get(name))}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--lanes", type=int,
                        help="elements that the main path of FILEs does "
                             "(default: by the bytes it stores)")
    parser.add_argument("--rng-opt")
    parser.add_argument("--chip", default="sm_80")
    parser.add_argument("--nvcc", default=shutil.which("nvcc"))
    parser.add_argument("--ptxas", default=shutil.which("ptxas"))
    parser.add_argument("--max-f32", type=float, default=40.0,
                        help="bound of --check for dropout in f32")
    parser.add_argument("--check", action="store_true",
                        help="fail if a kernel executes more for an element "
                             "than the one by hand,\nif dropout in f32 "
                             "executes more than --max-f32, or if one spills")
    args = parser.parse_args()
    ours, theirs = {}, {}
    for file in args.files:
        ours.update(measure(args, pathlib.Path(file)))
    if args.rng_opt:
        with tempfile.TemporaryDirectory() as folder:
            ours.update(compile_ours(args, pathlib.Path(folder)))
            if args.nvcc:
                theirs = compile_theirs(args, pathlib.Path(folder))
    print_table(ours, theirs)
    if not args.check:
        return 0
    failed = False
    for name, (count, elements, _, spilled) in ours.items():
        each = count / elements
        if name in theirs and each > theirs[name][0] / theirs[name][1]:
            print(f"{name} executes more than the kernel by hand")
            failed = True
        if re.match(r"dropout_.*_f32", name) and each > args.max_f32:
            print(f"{name} executes more than {args.max_f32:g} for an element")
            failed = True
        if spilled:
            print(f"{name} spills or has a stack frame")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
