#===- run.py - Loops are cut as if they were unrolled ----------------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Cuts random pairs of loops, and the same unrolled, for two numbers of trips.

What a trip more saves must not be more bytes at more cost than a trip more of
straight code does. Of the first bodies, forward and backward also run on the CPU:
their results have to have the bits of those of the joint function. Exit code 1
if a body fails; it is printed then.

What is known to fail: a chain of cheap ops that is carried from one iteration to
the next, of which straight code saves the beginning alone.
"""
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generator
from generator import Body
from fuzzing import Failure, Random, run

TRIPS = (4, 8)


def growth(reports, name, seed, key):
    few, many = (reports["%s_%d_%d" % (name, seed, trips)][key]
                 for trips in TRIPS)
    return (many - few) / (TRIPS[1] - TRIPS[0])


def cut_all(options, bodies):
    """(seed, message) of the bodies of which a loop saves more."""
    text = "".join(
        write("%s_%d_%d" % (name, seed, trips), body, trips)
        for seed, body in bodies for trips in TRIPS
        for name, write in (("loops", generator.write_loops),
                            ("unrolled", generator.write_unrolled)))
    report = options.report
    run(options.rng_opt.split() + [
        "-", "-rng-thread-state", "-rng-partition=report=" + report,
        "-o", os.devnull], text, options.timeout)
    with open(report) as file:
        reports = {entry["forward"][:-len("_forward")]: entry
                   for entry in json.load(file)["functions"]}
    wrong = []
    for seed, _ in bodies:
        bytes_more = [growth(reports, name, seed, "savedBytes")
                      for name in ("loops", "unrolled")]
        cost_more = [growth(reports, name, seed, "objective")
                     for name in ("loops", "unrolled")]
        # A scalar that straight code does without costs a byte or two a trip.
        if bytes_more[0] > bytes_more[1] + 4 and cost_more[0] > cost_more[1]:
            wrong.append((seed, "a trip more saves %d bytes at a cost of %d, of "
                          "straight code %d bytes at %d" % (
                              bytes_more[0], cost_more[0],
                              bytes_more[1], cost_more[1])))
    return wrong


def run_all(options, bodies):
    """(seed, message) of the bodies of which values differ."""
    wrong = []
    for seed, body in bodies:
        text = generator.write_loops("loops", body, TRIPS[0])
        try:
            lowered = run(options.rng_opt.split() + [
                "-", "-rng-thread-state", "-rng-partition=keep-joint",
                "-rng-generate-driver", "-rng-to-cpu"], text, options.timeout)
            printed = run(options.runner.split() + ["-"], lowered,
                          options.timeout)
            checks = printed.count("and the joint function: 0 of")
            results = len(body.carried) + len(body.cotangents)
            if ("driver: all checks passed" not in printed or
                    checks != results):
                raise Failure("%d of %d results are right" % (checks, results))
        except Failure as failure:
            wrong.append((seed, str(failure)))
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rng-opt", default="rng-opt")
    parser.add_argument("--runner", default="mlir-runner")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bodies", type=int, default=100)
    parser.add_argument("--run", type=int, default=10,
                        help="of how many bodies values are computed")
    parser.add_argument("--report", default="loops.json",
                        help="a file to write, which may be there")
    parser.add_argument("--timeout", type=int, default=300)
    options = parser.parse_args()

    bodies = [(seed, Body(Random(seed)))
              for seed in range(options.seed, options.seed + options.bodies)]
    failures = cut_all(options, bodies)
    failures += run_all(options, bodies[:options.run])
    texts = dict(bodies)
    for seed, message in failures:
        print("FAILED: body %d: %s" % (seed, message))
        print(generator.write_loops("loops", texts[seed], TRIPS[0]))
    print("%d bodies, values of %d: %d failures" % (
        len(bodies), min(options.run, len(bodies)), len(failures)))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
