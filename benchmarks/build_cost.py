#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the jobs of a build cost a compiler: memory, processor and wall time.

    benchmarks/build_cost.py build
    benchmarks/build_cost.py build --match Conversion/ToLLVM --goal 1000

Compiles each C++ file of a configured build folder again, one at a time and
without a compiler cache, and prints the dearest in memory first. The build is
left as it is: objects go to a temporary folder. Precompiled headers must be
there, so build first.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

LAUNCHERS = {"ccache", "sccache", "distcc"}


def find_jobs(build, match):
    """Pairs (file, command) of the C++ files whose path matches."""
    entries = json.loads(
        subprocess.run(["ninja", "-C", build, "-t", "compdb"], check=True,
                       capture_output=True, text=True).stdout)
    jobs = {}
    for entry in entries:
        if entry["file"].endswith(".cpp") and re.search(match, entry["file"]):
            jobs[entry["output"]] = (entry["file"], entry["command"])
    return sorted(jobs.values())


def redirect(command, folder):
    """The words of `command` without a launcher, writing to `folder`."""
    words = shlex.split(command)
    if pathlib.Path(words[0]).name in LAUNCHERS:
        words = words[1:]
    for option, name in (("-o", "job.o"), ("-MF", "job.d")):
        if option in words:
            words[words.index(option) + 1] = os.path.join(folder, name)
    return words


def measure(build, words):
    """(megabytes, seconds of processor, seconds of wall) of one compile job: of
    its largest process, and of all."""
    start = time.monotonic()
    process = subprocess.Popen(words, cwd=build, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(errors.decode() + "failed: " + shlex.join(words))
    wall = time.monotonic() - start
    return usage.ru_maxrss * 1024 / 1e6, usage.ru_utime + usage.ru_stime, wall


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("build", help="the build folder")
    parser.add_argument("--match", default="", help="regular expression of paths")
    parser.add_argument("--goal", type=float, metavar="MB",
                        help="fail if a job takes more memory")
    arguments = parser.parse_args()

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for file, command in find_jobs(arguments.build, arguments.match):
            words = redirect(command, folder)
            rows.append((*measure(arguments.build, words), file))
            print("  %4.0f MB %6.1f s  %s" % (rows[-1][0], rows[-1][1], file),
                  file=sys.stderr)
    rows.sort(key=lambda row: (-row[0], row[3]))
    print("    MB    CPU s   wall s  file")
    for memory, cpu, wall, file in rows:
        file = os.path.relpath(os.path.join(arguments.build, file))
        print("%6.0f %8.1f %8.1f  %s" % (memory, cpu, wall, file))
    print("%6.0f %8.1f %8.1f  largest, sums of %d jobs" %
          (max((row[0] for row in rows), default=0), sum(row[1] for row in rows),
           sum(row[2] for row in rows), len(rows)))
    if arguments.goal and rows and rows[0][0] > arguments.goal:
        sys.exit("above the goal of %.0f MB" % arguments.goal)


if __name__ == "__main__":
    main()
