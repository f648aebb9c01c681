#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a graph with the plan of another partitioner as orders.

    with_orders.py GRAPH.mlir PLAN

A line of PLAN is `line column |text|`: insert the text there. The text is
`rng.save` on what the other partitioner saves and `rng.recompute` on the rest,
so that rng-partition does as that one did, and reports it in our terms.
"""

import sys


def main():
    graph, plan = sys.argv[1:]
    with open(graph) as file:
        lines = file.read().split("\n")
    with open(plan) as file:
        for entry in file:
            if entry.startswith("#"):
                continue
            line, column, text = entry.rstrip("\n").split(" ", 2)
            at, column = int(line) - 1, int(column)
            lines[at] = lines[at][:column] + text[1:-1] + lines[at][column:]
    print("\n".join(lines), end="")


if __name__ == "__main__":
    main()
