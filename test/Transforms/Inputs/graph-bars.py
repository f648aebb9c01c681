#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares budgets with another partitioner's plans on graphs of real models.

    graph-bars.py RNG-OPT [--graphs DIR] [NAME...]

At the bytes that a plan takes, and at its peak as well where it is one for half of
the bytes, ours may not take more work; the bound that comes
with our answer holds for the plan too; and work does not grow with the budget.
Prints a line for each plan, which also says how the peaks of the backwards
compare, and ends with 1 if one of these does not hold.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ["bert", "bert-bf16", "gpt2", "gpt2-bf16", "llama"]


def partition(rng_opt, text, options=""):
    """The report on the one joint function of `text`."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        subprocess.run(
            [rng_opt, "-", "-rng-thread-state", "-o", os.devnull,
             f"-rng-partition=report={report} {options}"],
            input=text, text=True, check=True)
        with open(report) as file:
            return json.load(file)["functions"][0]


def check(rng_opt, folder, name):
    graph = os.path.join(folder, name + "-2-layers.mlir")
    with open(graph) as file:
        text = file.read()
    # From the fewest bytes to the most.
    before = None
    for plan in ["half", "mincut"]:
        orders = subprocess.run(
            [sys.executable, os.path.join(folder, "with_orders.py"), graph,
             os.path.join(folder, f"{name}-2-layers.torch-{plan}")],
            capture_output=True, text=True, check=True).stdout
        theirs = partition(rng_opt, orders)
        budget = f"memory-budget={theirs['savedBytes']}"
        if plan == "half":
            budget += f" peak-budget={theirs['peakBytes']}"
        ours = partition(rng_opt, text, budget)
        work, least = ours["recomputeCost"], ours["recomputeCostBound"]
        gap = (work - least) / max(work, 1)
        faults = []
        if ours["savedBytes"] > theirs["savedBytes"]:
            faults.append("more bytes")
        if plan == "half" and ours["peakBytes"] > theirs["peakBytes"]:
            faults.append("a higher peak")
        if work > theirs["recomputeCost"]:
            faults.append("more work")
        if not least <= min(work, theirs["recomputeCost"]):
            faults.append("a wrong bound")
        if before is not None and work > before:
            faults.append("more work than for fewer bytes")
        before = work
        print(f"{name} {plan}: {ours['savedBytes'] / 2**20:.1f} MiB, "
              f"{100 * work / theirs['recomputeCost']:.1f} % of the work, "
              f"gap {100 * gap:.3f} %, "
              f"{100 * ours['peakBytes'] / theirs['peakBytes']:.4f} % of the "
              f"peak: {', '.join(faults) or 'fine'}")
        if faults:
            yield faults


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("rng_opt")
    parser.add_argument("--graphs", default=os.path.join(HERE, "graphs"))
    parser.add_argument("names", nargs="*", default=NAMES)
    options = parser.parse_args()
    faults = [fault for name in options.names
              for fault in check(options.rng_opt, options.graphs, name)]
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
