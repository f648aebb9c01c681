#===- tool.py - Runs of rng-opt on many inputs at once ---------------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Runs rng-opt under limits of time and memory, on many inputs in one process,
and says what became of each.
"""
import bisect
import os
import re
import resource
import signal
import subprocess
from dataclasses import dataclass, field

from corpus import SPLIT

CPU_SECONDS = 20
# More inputs in one process may take this much more each.
SECONDS_AN_INPUT = 1
MEMORY_BYTES = 4 << 30

ERROR = re.compile(r"^[^\s:]+:(\d+):\d+: error: (.*)", re.M)
FRAME = re.compile(r"^ *#\d+ 0x[0-9a-f]+ (.*?) ?\(?(\S*)$", re.M)


@dataclass
class Outcome:
    """Of one input. `text` is the output, None if it failed."""
    text: str = None
    errors: list = field(default_factory=list)


@dataclass
class Death:
    """Of a process: `kind` and the frames of the stack that say where."""
    kind: str
    frames: tuple
    stderr: str

    def signature(self):
        return self.kind + ": " + " < ".join(self.frames[:3])


def limit(inputs):
    seconds = CPU_SECONDS + SECONDS_AN_INPUT * (inputs - 1)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Tool:
    def __init__(self, command, folder):
        self.command = command.split()
        self.folder = folder
        self.processes = 0

    def line(self, flags):
        return self.command + ["-", "--allow-unregistered-dialect",
                               "--mlir-disable-threading"] + flags

    def process(self, flags, text, inputs=1, symbols=False):
        self.processes += 1
        environment = dict(os.environ)
        if not symbols:
            environment["LLVM_DISABLE_SYMBOLIZATION"] = "1"
        # Not by the clock, which other tests slow down; this only ends a
        # process that sleeps.
        return subprocess.run(
            self.line(flags), input=text, capture_output=True, text=True,
            errors="replace", cwd=self.folder, env=environment, timeout=3600,
            preexec_fn=lambda: limit(inputs))

    def run(self, flags, texts):
        """The outcome of each of `texts`, or None if the process died."""
        joined, starts, line = [], [], 1
        for text in texts:
            joined.append(text.rstrip("\n") + "\n")
            starts.append(line)
            line += joined[-1].count("\n") + 1
        done = self.process(
            flags + ["--split-input-file", "--output-split-marker=" + SPLIT],
            (SPLIT + "\n").join(joined), len(texts))
        if done.returncode not in (0, 1):
            return None
        outcomes = [Outcome() for _ in texts]
        parts = done.stdout.split(SPLIT + "\n")
        if len(parts) == len(texts):
            for outcome, part in zip(outcomes, parts):
                outcome.text = part if part.strip() else None
        for line, error in ERROR.findall(done.stderr):
            index = bisect.bisect_right(starts, int(line)) - 1
            outcomes[max(index, 0)].errors.append(error)
        return outcomes

    def death(self, flags, text):
        """How the process dies of this one input, None if it does not."""
        done = self.process(flags, text, symbols=True)
        if done.returncode in (0, 1):
            return None
        frames = [re.sub(r"\(.*|<.*", "", frame.replace(
            "(anonymous namespace)", "anonymous"))
            for frame, _ in FRAME.findall(done.stderr)]
        frames = tuple(frame for frame in frames if "::" in frame and
                       not frame.startswith("llvm::sys::"))
        kind = "exit code %d" % done.returncode
        if done.returncode < 0:
            kind = signal.Signals(-done.returncode).name
        if kind in ("SIGXCPU", "SIGKILL"):
            # The place differs from run to run.
            kind, frames = "over %d s" % CPU_SECONDS, ()
        elif re.search("out of memory|bad_alloc|Cannot allocate", done.stderr):
            kind = "out of memory"
        return Death(kind, frames, done.stderr)

    def is_own(self, death):
        """Whether code of this project is on the stack: more of the program
        than what starts it. So is what leaves no stack. But an op of ours that
        has upstream's parser read a builtin attribute is not at fault."""
        program = os.path.basename(self.command[0]) + "+"
        frames = [place for _, place in FRAME.findall(death.stderr)]
        if any(frame.startswith("mlir::detail::Parser::parseDenseArrayAttr")
               for frame in death.frames):
            return False
        return not frames or sum(program in place for place in frames) > 2
