# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads reports of rng-partition as JSON and checks what holds of all of them.

Sums are those of their parts, and recomputing does not raise the peak above
that of saving everything. Prints a line for each function.
"""

import json
import sys

failed = False
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        functions = json.load(file)["functions"]
    for f in functions:
        paid = sum(s["bytes"] for s in f["saved"] if not s["persistent"])
        free = sum(s["bytes"] for s in f["saved"] if s["persistent"])
        faults = []
        if paid != f["savedBytes"] or free != f["persistentBytes"]:
            faults.append("bytes do not add up")
        if sum(op["cost"] for op in f["recomputed"]) != f["recomputeCost"]:
            faults.append("costs do not add up")
        if f["everythingMaskBytes"] > f["everythingBytes"]:
            faults.append("masks are larger than everything")
        if f["peakBytes"] > f["everythingPeakBytes"]:
            faults.append("the peak is above that of saving everything")
        print(f"{f['forward']}: peak {f['peakBytes']} of "
              f"{f['everythingPeakBytes']}: {', '.join(faults) or 'fine'}")
        failed |= bool(faults)
sys.exit(failed)
