#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the time of rng-thread-state grows with the size of the program.

    benchmarks/thread_state.py [--rng-opt FILE] [--sizes N...] [--runs N]

Runs the pass on generated programs of several kinds and sizes, takes the best
of some runs as the pass manager reports it (the pass alone, without parsing and
printing), and fits time = c * size^exponent over the sizes. Linear growth is an
exponent of 1. The times are of this machine and moment; compare exponents, and
times of one run with each other.
"""

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

from growth import fit_exponent


def draws(n):
    """A straight function: n draws."""
    yield "func.func @f() {"
    for i in range(n):
        yield f"  %{i} = rng.uniform : f32"
    yield "  return\n}"


def calls(n):
    """A chain of n functions, each of which draws and calls the next."""
    for i in range(n):
        yield f"func.func private @f{i}() {{\n  %0 = rng.uniform : f32"
        if i:
            yield f"  call @f{i - 1}() : () -> ()"
        yield "  return\n}"
    yield f"func.func @f() {{\n  call @f{n - 1}() : () -> ()\n  return\n}}"


def branches(n):
    """A straight function: n conditionals that draw in one branch."""
    yield "func.func @f(%c: i1) {"
    for i in range(n):
        yield f"  scf.if %c {{\n    %{i} = rng.uniform : f32\n  }}"
    yield "  return\n}"


def loops(n):
    """A straight function: n loops with a dynamic number of iterations."""
    yield "func.func @f(%n: index) {\n  %one = arith.constant 1 : index"
    for i in range(n):
        yield (f"  scf.for %i = %one to %n step %one {{\n"
               f"    %{i} = rng.uniform : f32\n  }}")
    yield "  return\n}"


def generators(n):
    """n functions that draw from a generator declared after all of them."""
    for i in range(n):
        yield (f"func.func @f{i}() {{\n  %0 = rng.uniform @g : f32\n"
               "  return\n}")
    yield "rng.generator @g"


def blocks(n):
    """One function of about 2 n blocks, half of which draw."""
    yield "func.func @f(%c: i1) {\n  cf.br ^a0"
    for i in range(n):
        yield (f"^a{i}:\n  cf.cond_br %c, ^b{i}, ^a{i + 1}\n"
               f"^b{i}:\n  %{i} = rng.uniform : f32\n  cf.br ^a{i + 1}")
    yield f"^a{n}:\n  return\n}}"


KINDS = [(draws, 100), (calls, 10), (branches, 100), (loops, 100),
         (generators, 10), (blocks, 100)]


def measure(rng_opt, path, runs):
    """Seconds in the pass: the least of `runs`."""
    best = math.inf
    for _ in range(runs):
        run = subprocess.run(
            [rng_opt, path, "-rng-thread-state", "-mlir-timing",
             "-mlir-timing-display=list", "-o", os.devnull],
            stderr=subprocess.PIPE, text=True, check=False)
        found = re.search(r"^\s*([0-9.]+).*RngThreadState(?:Pass)?", run.stderr,
                          re.MULTILINE)
        if run.returncode != 0 or not found:
            sys.exit(f"{rng_opt} failed on {path}:\n{run.stderr}")
        best = min(best, float(found.group(1)))
    return best


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rng-opt", default=os.path.join(
        os.path.dirname(here), "build", "bin", "rng-opt"))
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N",
                        default=[10, 100, 1000],
                        help="multiplied by 100 (calls: by 10)")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    if len(set(options.sizes)) < 2:
        parser.error("an exponent needs two sizes")

    for kind, scale in KINDS:
        points = []
        for size in options.sizes:
            n = size * scale
            with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
                file.write("\n".join(kind(n)) + "\n")
                file.flush()
                points.append((n, measure(options.rng_opt, file.name,
                                          options.runs)))
            print(f"{kind.__name__:10} {n:7} {points[-1][1]:9.4f} s",
                  flush=True)
        print(f"{kind.__name__:10} exponent {fit_exponent(points):.2f}   "
              f"({kind.__doc__.rstrip('.')})")


if __name__ == "__main__":
    main()
