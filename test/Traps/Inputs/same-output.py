# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command N times and compares what it prints, messages too."""
import subprocess
import sys

outputs = {subprocess.run(sys.argv[2:], check=True,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT).stdout
           for _ in range(int(sys.argv[1]))}
if len(outputs) != 1:
    sys.exit("%d different outputs" % len(outputs))
print("%d lines, the same in all runs" % outputs.pop().count(b"\n"))
