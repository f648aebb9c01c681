#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how one report of rng-partition compares with another.

    compare-plans.py REPORT.json OTHER.json

For each function and for bytes, peak and work: less, same or more.
"""

import json
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["functions"]


def compare(a, b):
    return "same" if a == b else "less" if a < b else "more"


for mine, other in zip(read(sys.argv[1]), read(sys.argv[2])):
    print(f"{mine['forward']}:", ", ".join(
        f"{name} {compare(mine[key], other[key])}"
        for name, key in (("bytes", "savedBytes"), ("peak", "peakBytes"),
                          ("work", "recomputeCost"))))
