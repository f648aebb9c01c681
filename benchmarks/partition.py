#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the time and memory of rng-partition grow with the size of the program.

    benchmarks/partition.py [--rng-opt FILE] [--ops N...] [--runs N]
                            [--options "memory-budget=0.5"]

Partitions training steps of transformer shape (gpt2.py: attention, MLP, layer
norm, residual stream and dropout, forward and backward), made deeper until they
have the number of ops asked for. Reports, as the least of some runs, the time
in the pass and that of the whole run of rng-opt without parsing (both as the
pass manager reports them), the largest resident memory, and fits time = c *
ops^exponent. The times are of this machine and moment.
"""

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

from growth import fit_exponent

HERE = os.path.dirname(os.path.abspath(__file__))
GPT2 = [sys.executable, os.path.join(HERE, "gpt2.py"), "--vocab", "0",
        "--batch", "1", "--seq", "64", "--width", "64", "--heads", "4"]


def make(rng_opt, layers, path):
    """Writes a threaded step of `layers` layers and returns its ops."""
    text = path + ".mlir"
    subprocess.run(GPT2 + ["--layers", str(layers), "-o", text], check=True)
    subprocess.run([rng_opt, text, "-rng-thread-state", "-emit-bytecode", "-o",
                    path], check=True)
    os.remove(text)
    stats = subprocess.run(
        [rng_opt, path, "-print-op-stats", "-o", os.devnull],
        stderr=subprocess.PIPE, text=True, check=True).stderr
    return sum(int(n) for n in re.findall(r",\s*(\d+)\s*$", stats, re.M))


def measure(rng_opt, path, options, runs):
    """Seconds in the pass, seconds without parsing, MiB: the least of runs."""
    best = (math.inf, math.inf, math.inf)
    for _ in range(runs):
        with tempfile.TemporaryFile("w+") as log:
            process = subprocess.Popen(
                [rng_opt, path, f"-rng-partition={options}", "-mlir-timing",
                 "-mlir-timing-display=list", "-o", os.devnull], stderr=log)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            log.seek(0)
            text = log.read()
        times = {name: float(re.search(rf"^\s*([0-9.]+).*\b{name}(?:Pass)?\b", text,
                                       re.M).group(1))
                 for name in ("RngPartitionPass", "Parser", "Total")
                 } if process.returncode == 0 else sys.exit(text)
        best = (min(best[0], times["RngPartitionPass"]),
                min(best[1], times["Total"] - times["Parser"]),
                min(best[2], usage.ru_maxrss / 1024))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rng-opt", default=os.path.join(
        os.path.dirname(HERE), "build", "bin", "rng-opt"))
    parser.add_argument("--ops", type=int, nargs="+", metavar="N",
                        default=[1000, 10000, 100000, 1000000])
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--options", default="",
                        help="options of rng-partition")
    options = parser.parse_args()

    print("     ops  layers  partition   run w/o parsing     memory")
    points = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "step.mlirbc")
        one = make(options.rng_opt, 1, path)
        each = max(make(options.rng_opt, 2, path) - one, 1)
        for wanted in options.ops:
            layers = max(1, round((wanted - one) / each) + 1)
            ops = make(options.rng_opt, layers, path)
            own, whole, memory = measure(options.rng_opt, path,
                                         options.options, options.runs)
            points.append((ops, whole))
            print(f"{ops:8} {layers:7} {own:8.3f} s {whole:15.3f} s "
                  f"{memory:8.0f} MiB", flush=True)
    if len({ops for ops, _ in points}) > 1:
        print(f"exponent {fit_exponent(points):.2f}")


if __name__ == "__main__":
    main()
