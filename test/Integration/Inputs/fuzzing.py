# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What fuzzers of several kinds share: numbers, and running a tool on a text."""

import random
import subprocess


class Random:
    """The same on every version of Python."""

    def __init__(self, seed):
        self.bits = random.Random(seed)

    def below(self, n):
        return self.bits.getrandbits(32) % n

    def chance(self, percent):
        return self.below(100) < percent

    def pick(self, items):
        return items[self.below(len(items))]


class Failure(Exception):
    """A tool, or what it wrote, is at fault."""


def run(command, text, timeout):
    """What the command writes for the input text; a failure if it fails or takes
    more seconds than the timeout."""
    try:
        done = subprocess.run(command, input=text, capture_output=True,
                              text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Failure("%s takes over %d s" % (command[0], timeout))
    if done.returncode:
        lines = (done.stderr + done.stdout[-2000:]).strip()
        raise Failure("%s: exit code %d\n%s" % (
            " ".join(command)[:200], done.returncode, lines[:3000]))
    return done.stdout
