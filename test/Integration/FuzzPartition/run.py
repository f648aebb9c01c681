#===- run.py - A forward and its backward do what the joint function does --===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Partitions random joint functions under several options and runs them on the
CPU: all results of forward and backward have to have the bits of those of the
joint function, as the driver of rng-generate-driver checks. What is cut anew
with the same options has to stay as it is, and cut anew with other options it
has to compute the same. Exit code 1 if a function fails; it is printed then.
"""
import argparse
import os
import re
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from generator import Function
from fuzzing import Failure, run  # generator.py knows where this is.

# Name -> options of rng-partition, and of an rng-rematerialize after it.
MODES = {
    "default": ("", None),
    "bytes": ("recompute-weight=0", None),
    "far": ("allow-far-recompute", None),
    "work": ("recompute-weight=100000 argument-cost=1", None),
    "again": ("recompute-weight=100000 argument-cost=1", ""),
    "anew": ("", "recompute-weight=0 allow-far-recompute"),
    "half": ("memory-budget=0.5", None),
    "least": ("memory-budget=0.0", None),
}

# The mode in which pairs are called in several orders, too: what it recomputes
# is most.
SCHEDULED = ["least"]


def check(options, functions, mode):
    """Raises a failure if one of the functions is at fault."""
    text = "\n".join(["rng.generator @noise {seed = 5 : i64}"] +
                     [f.text() for f in functions])
    opt = options.rng_opt.split() + ["-"]
    cut, anew = MODES[mode]
    passes = ["-rng-thread-state", "-rng-partition=keep-joint " + cut]
    if anew is None:
        once = run(opt + passes, text, options.timeout)
        twice = run(opt + ["-rng-rematerialize=" + cut], once, options.timeout)
        if once != twice:
            raise Failure("rng-rematerialize changes what rng-partition did")
        text = once
    else:
        text = run(opt + passes + ["-rng-rematerialize=" + anew], text,
                   options.timeout)
    driver = "-rng-generate-driver" + (
        "=schedules" if mode in SCHEDULED else "")
    lowered = run(opt + [driver, "-rng-to-cpu"], text, options.timeout)
    printed = run(options.runner.split() + ["-"], lowered, options.timeout)
    last = printed.strip().split("\n")[-1]
    if last != "driver: all checks passed":
        raise Failure(last)
    # A check that is not there does not pass.
    checks = sum("and the joint function: 0 of" in line
                 for line in printed.split("\n"))
    results = sum(len(f.results) for f in functions)
    if checks != results:
        raise Failure("%d checks of %d results" % (checks, results))


def single_failures(options, functions, mode):
    """(function, message) of those that fail alone, or of all of them."""
    try:
        check(options, functions, mode)
        return []
    except Failure as failure:
        if len(functions) == 1:
            return [(functions[0], str(failure))]
    half = len(functions) // 2
    return (single_failures(options, functions[:half], mode) +
            single_failures(options, functions[half:], mode))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rng-opt", default="rng-opt")
    parser.add_argument("--runner", default="mlir-runner")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--functions", type=int, default=20)
    parser.add_argument("--batch", type=int, default=10)
    parser.add_argument("--size", type=int, default=60,
                        help="steps that make a function")
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=300)
    options = parser.parse_args()

    functions = [Function("f%d" % seed, seed, options.size)
                 for seed in range(options.seed,
                                   options.seed + options.functions)]
    batches = [functions[i:i + options.batch]
               for i in range(0, len(functions), options.batch)]
    work = [(batch, mode) for mode in options.modes.split(",")
            for batch in batches]
    with ThreadPoolExecutor(options.jobs) as pool:
        found = list(pool.map(
            lambda job: single_failures(options, *job), work))
    failures = 0
    for (_, mode), wrong in zip(work, found):
        for function, message in wrong:
            failures += 1
            print("FAILED: %s in mode %s: %s" % (function.name, mode, message))
            print(function.text())
    constructs = Counter()
    for function in functions:
        constructs.update(function.constructs.keys())
    for name, number in sorted(constructs.items()):
        print("%6d functions with %s" % (number, name))
    print("%d functions in %d modes: %d failures" % (
        len(functions), len(options.modes.split(",")), failures))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
