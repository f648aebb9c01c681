#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a training step of GPT-2 saves for its backward, and what that costs.

    benchmarks/gpt2_table.py [--rng-opt FILE] [--check] [options of gpt2.py]

Partitions the graph that gpt2.py writes, in f32 and in bf16 with an f32
residual stream, in several ways, and prints for each: the bytes saved, without
weights; the cost of recomputing, in units (one is an addition of one element);
and the peak of live bytes of the backward. Nothing is executed. The ways:

    everything   what the backward uses is saved; recomputed is what is never
                 saved, such as fills
    masks        the default, but the masks of dropout are saved (rng.save)
    default      rng-partition
    budget B     rng-partition=memory-budget=B, a fraction between the least
                 possible, which is 0, and everything

With --check it then fails if the default saves a mask, a weight or a cast of
one, other scalars than one seed and one offset, or if its backward has a higher
peak than that of saving everything; or if a budget is exceeded, or costs more
than a smaller one.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import gpt2

def partition(rng_opt, folder, options, flags=""):
    """Generates and partitions the graph; returns it and the report on it."""
    source = os.path.join(folder, "gpt2.mlir")
    report = os.path.join(folder, "report.json")
    model = gpt2.Gpt2(options)
    with open(source, "w", encoding="utf-8") as file:
        model.write(file)
    subprocess.run([rng_opt, source, "--rng-thread-state",
                    f"--rng-partition=report={report} {flags}",
                    "-o", os.devnull], check=True)
    with open(report, encoding="utf-8") as file:
        (function,) = json.load(file)["functions"]
    return model, function


def row(report):
    return (report["savedBytes"], report["recomputeCost"],
            report["peakBytes"])


def shape(type_):
    """Of "tensor<4x8xf32>": (4, 8); of "i64": none."""
    if not type_.startswith("tensor<"):
        return None
    return tuple(int(size) for size in type_[7:-1].split("x")[:-1])


def find_faults(model, report, with_masks):
    """What is wrong with the default, a line each."""
    paid = [s for s in report["saved"] if not s["persistent"]]
    weights = {w.shape for w in model.weights if w.name != "%tokens"}
    for saved in paid:
        what = f"{saved['kind']} {saved['index']}: {saved['type']}"
        if saved["mask"]:
            yield f"a mask is saved, {what}"
        if shape(saved["type"]) in weights:
            yield f"a weight, or a cast of one, is saved, {what}"
    scalars = [s for s in paid if shape(s["type"]) is None]
    wanted = 2 if model.options.dropout else 0
    if len(scalars) != wanted:
        yield f"{wanted} scalars expected, a seed and an offset, but " \
              f"{len(scalars)} are saved"
    if report["peakBytes"] > report["everythingPeakBytes"]:
        yield "the peak is above that of saving everything"
    # Nor would these say anything of a graph without masks.
    masks = sum(s["mask"] for s in with_masks["saved"])
    wanted = 1 + 3 * model.options.layers if model.options.dropout else 0
    if masks != wanted:
        yield f"{wanted} masks expected where they are saved, but {masks} are"


def find_overruns(budgets):
    """Where a plan exceeds its budget or a larger one costs more, a line each;
    the budgets are known once 0.0, the least, is among them."""
    order = sorted(budgets, key=float)
    if not order or float(order[0]) != 0:
        return
    least = budgets[order[0]]
    for budget in order:
        bound = least["savedBytes"] + float(budget) * (
            least["everythingBytes"] - least["savedBytes"])
        if budgets[budget]["savedBytes"] > bound:
            yield f"more is saved than the budget {budget} allows"
    for tight, loose in zip(order, order[1:]):
        if budgets[loose]["recomputeCost"] > budgets[tight]["recomputeCost"]:
            yield f"the budget {loose} costs more than {tight}"


def print_table(title, rows):
    cells = [("saved", "recompute cost", "peak of backward")]
    cells += [tuple(f"{number:,}" for number in numbers) for _, numbers in rows]
    labels = [title] + [label for label, _ in rows]
    widths = [max(map(len, column)) for column in zip(*cells)]
    left = max(map(len, labels))
    for label, line in zip(labels, cells):
        print(label.ljust(left), *(cell.rjust(width)
                                   for cell, width in zip(line, widths)),
              sep="  ")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--rng-opt", default=os.path.join(
        here, os.pardir, "build", "bin", "rng-opt"))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--dtypes", nargs="+", choices=("f32", "bf16"),
                        default=("f32", "bf16"))
    parser.add_argument("--budgets", nargs="*",
                        default=("0.5", "0.25", "0.0"))
    gpt2.add_shape_options(parser)
    options = parser.parse_args()
    gpt2.check_shape_options(parser, options)

    faults = []
    for dtype in options.dtypes:
        options.dtype, options.save_draws = dtype, False
        with tempfile.TemporaryDirectory() as folder:
            run = lambda flags="": partition(options.rng_opt, folder, options,
                                             flags)
            model, default = run()
            budgets = {b: run(f"memory-budget={b}")[1]
                       for b in options.budgets}
            options.save_draws = True
            _, with_masks = run()
        everything = (default["everythingBytes"],
                      default["everythingRecomputeCost"],
                      default["everythingPeakBytes"])
        print_table(dtype, [("everything", everything),
                            ("masks", row(with_masks)),
                            ("default", row(default))] +
                    [(f"budget {b}", row(report))
                     for b, report in budgets.items()])
        print()
        faults += [f"{dtype}: {fault}"
                   for fault in find_faults(model, default, with_masks)]
        faults += [f"{dtype}: {fault}" for fault in find_overruns(budgets)]
    if options.check:
        for fault in faults:
            print(f"check: {fault}")
        print("check:", "failed" if faults else "passed")
        sys.exit(bool(faults))


if __name__ == "__main__":
    main()
