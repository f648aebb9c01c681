#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the PTX instructions that kernels execute for an element.

    ptx_instructions.py [--lanes N] FILE.ptx ...
    ptx_instructions.py --rng-opt build/bin/rng-opt

For each kernel of each file, the main path is walked: from the entry to `ret`,
at each forward branch the side that leads to the widest store. Every statement
on it counts as one (loads of parameters, index arithmetic, the bounds test and
the branch over the tail too), an unpacking block `{ .reg ...; mov ...; }` too;
labels and directives are none. The sum is divided by the elements
that the main path stores to its first output: the elements of the accesses to
the buffer of the first `st.global`, or N.

With --rng-opt, the kernels are those of dropout forward and backward in f32,
f16, bf16 and f64 (dynamic size, run-time probability), compiled for --chip.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = """
func.func @dropout_NAME(%x: tensor<?xTYPE>, %seed: i64, %offset: i64, %p: f32,
                        %scale: TYPE) -> tensor<?xTYPE> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : TYPE
  %n = tensor.dim %x, %c0 : tensor<?xTYPE>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?xi1>
  %scales = tensor.splat %scale[%n] : tensor<?xTYPE>
  %zeros = tensor.splat %zero[%n] : tensor<?xTYPE>
  BODY
  return %y : tensor<?xTYPE>
}
"""
BODIES = {
    "forward": """%s = arith.mulf %x, %scales : tensor<?xTYPE>
  %y = arith.select %keep, %s, %zeros : tensor<?xi1>, tensor<?xTYPE>""",
    "backward": """%s = arith.select %keep, %x, %zeros
      : tensor<?xi1>, tensor<?xTYPE>
  %y = arith.mulf %s, %scales : tensor<?xTYPE>""",
}


def read_kernels(text):
    """Yields (name, statements) of each kernel."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    entry = r"\.entry\s+(\w+)\s*\([^)]*\)[^{]*\n\{\n(.*?)\n\}"
    for match in re.finditer(entry, text, re.S):
        statements = []
        for line in match[2].splitlines():
            line = line.strip()
            if line and not line.startswith("."):
                statements.append(line)
        yield match[1], statements


def count_vector(statement):
    """Elements that a load or store accesses, in registers."""
    match = re.search(r"\.v(\d+)\.", statement)
    return int(match[1]) if match else 1


def is_store(statement):
    return re.match(r"(@!?%p\d+ )?st\.global", statement) is not None


def walk(statements):
    """The statements of the main path."""
    labels = {s.rstrip(":"): i for i, s in enumerate(statements)
              if s.endswith(":")}

    def paths(position, path):
        # Kernels of elementwise ops have no loops: few forward branches.
        while position < len(statements):
            statement = statements[position]
            if statement.endswith(":"):
                position += 1
                continue
            path.append(statement)
            branch = re.match(r"(@!?%p\d+\s+)?bra(?:\.uni)?\s+(\S+);",
                              statement)
            if statement == "ret;":
                break
            if branch:
                target = labels[branch[2]]
                if target <= position:
                    raise ValueError("the kernel has a loop")
                if not branch[1]:
                    position = target
                    continue
                yield from paths(target, list(path))
            position += 1
        yield path

    def width(path):
        return max([count_vector(s) for s in path if is_store(s)], default=0)

    return max(paths(0, []), key=width)


def count_elements(path):
    """Elements that `path` stores to the buffer of its first store."""
    elements = 0
    buffer = None
    for store in filter(is_store, path):
        match = re.match(
            r".*?st\.global(?:\.v(\d+))?\.[a-z](\d+)\s+\[(%\w+)", store)
        if buffer is None:
            buffer = match[3]
        if match[3] == buffer:
            elements += int(match[1] or 1) * int(match[2]) // 8
    return elements


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--lanes", type=int,
                        help="elements that the main path of FILEs does "
                             "(default: its first output has 4-byte elements)")
    parser.add_argument("--rng-opt")
    parser.add_argument("--chip", default="sm_80")
    parser.add_argument("--max-f32", type=float,
                        help="fail if a dropout kernel of f32 executes more")
    args = parser.parse_args()
    rows = []
    for file in args.files:
        for name, statements in read_kernels(pathlib.Path(file).read_text()):
            path = walk(statements)
            rows.append((name, len(path),
                         args.lanes or count_elements(path) // 4))
    if args.rng_opt:
        bytes_of = {"f32": 4, "f16": 2, "bf16": 2, "f64": 8}
        for name, body in BODIES.items():
            for element, size in bytes_of.items():
                program = (PROGRAM.replace("BODY", body)
                           .replace("NAME", f"{name}_{element}")
                           .replace("TYPE", element))
                with tempfile.TemporaryDirectory() as folder:
                    subprocess.run(
                        [args.rng_opt, "-", "-o", "/dev/null",
                         f"--rng-to-nvptx=chip={args.chip} dump-dir={folder}"],
                        input=program, text=True, check=True)
                    (file,) = pathlib.Path(folder).glob("*.ptx")
                    ((kernel, statements),) = read_kernels(file.read_text())
                path = walk(statements)
                rows.append((kernel, len(path),
                             count_elements(path) // size))
    failed = False
    print(f"{'kernel':32} {'executed':>8} {'elements':>8} {'each':>7}")
    for name, count, elements in rows:
        each = count / max(elements, 1)
        print(f"{name:32} {count:8} {elements:8} {each:7.2f}")
        failed |= bool(args.max_f32 and "_f32" in name and each > args.max_f32)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
