# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""growth.py SMALL LARGE FACTOR TOOL OPTION...: whether TOOL takes at most
FACTOR times as much processor time on the file LARGE as on SMALL."""
import resource
import subprocess
import sys


def seconds(file):
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before = used()
    subprocess.run(sys.argv[4:] + [file], check=True)
    return used() - before


small = min(seconds(sys.argv[1]) for _ in range(3))
large = seconds(sys.argv[2])
if large > float(sys.argv[3]) * small and large > 8:
    sys.exit("%.2f s become %.2f s" % (small, large))
print("near-linear: %.2f s become %.2f s" % (small, large))
