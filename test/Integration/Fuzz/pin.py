#===- pin.py - Writes the pinned programs ----------------------------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Writes pinned-01.mlir, ... beside itself: few and short random programs that
run every construct, with the numbers that interpreter.py says they print. They
stay what they are when the generator changes."""
import os
import sys

import emitter
import generator
import programs as p
import run
from interpreter import Interpreter

HEAD = """\
// A random program (generator.py) and what it prints by interpreter.py, which
// shares no code with what runs it here. pin.py wrote this file.
//
// DEFINE: %{{entries}} = python3 %S/entries.py {uses}
// DEFINE: %{{run}} = %rng_opt -rng-to-cpu | %run_cpu | \\
// DEFINE:   FileCheck --match-full-lines %s
// RUN: %rng_opt %s -rng-reserve-draws{generic} | %{{entries}} | %{{run}}
"""
THREADED = """\
// RUN: %rng_opt %s -rng-thread-state=entry={mode}{passes}{generic} | \\
// RUN:   %{{entries}} --entry={mode} | %{{run}}
"""


def candidates(seed):
    number = 0
    while True:
        batch = generator.make_batch(seed, number, 1)
        number += 1
        program = batch.programs[0]
        if len(program.entries) > 1:
            continue
        program.name = ""
        batch.reset_first = False
        yield batch


def text_of(batch):
    program = batch.programs[0]
    expected, _ = run.expectation(batch)
    uses = p.uses(batch, program, "prog", emitter.externs(batch))
    names = []
    for g in batch.generators:
        if g.name in uses:
            changes = "".join(c for c, x in zip("so", uses[g.name]) if x)
            names.append((g.name or "default") + (changes and "=" + changes))
    module = emitter.module(batch)
    # What upstream prints of cf.switch it does not always read.
    generic = " -mlir-print-op-generic" if "cf.switch" in module else ""
    head = HEAD.format(uses="prog:" + ",".join(names), generic=generic)
    inline = "" if run.has_dynamic_affine(program) else " -inline"
    for mode in ("state", "arguments", "memory"):
        for passes in ("", " -canonicalize -cse" + inline):
            head += THREADED.format(mode=mode, passes=passes, generic=generic)
    checks = ["// CHECK-NOT: {{.+}}"]
    kind = "CHECK"
    for line in expected[0][1]:
        checks.append("// %s: %s" % (kind, line) if line else
                      "// CHECK-EMPTY:")
        kind = "CHECK-NEXT"
    checks.append("// CHECK-NOT: {{.+}}")
    return head + "\n" + module + "\n" + "\n".join(checks) + "\n"


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    pool = []
    for batch in candidates(seed):
        machine = Interpreter(batch)
        machine.run(batch.programs[0])
        text = text_of(batch)
        lines = text.count("\n")
        # No more than fits on two screens.
        if 50 <= lines <= 140 and max(map(len, text.split("\n"))) < 400:
            pool.append((set(machine.hits) & set(run.CONSTRUCTS), lines, text))
        if len(pool) == 2500:
            break
    seen, chosen = set(), []
    while len(chosen) < 12:
        best = max(pool, key=lambda x: (len(x[0] - seen), len(x[0]), -x[1]))
        pool.remove(best)
        chosen.append(best)
        seen |= best[0]
    missing = sorted(set(run.CONSTRUCTS) - seen)
    print("missing: " + ", ".join(missing))
    folder = os.path.dirname(os.path.abspath(__file__))
    for i, (_, _, text) in enumerate(chosen):
        path = os.path.join(folder, "pinned-%02d.mlir" % (i + 1))
        with open(path, "w") as f:
            f.write(text)


if __name__ == "__main__":
    main()
