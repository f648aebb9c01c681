#===- run.py - Forwards and backwards in any order -------------------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Calls forwards and backwards of random joint functions, and the joint
functions, in several schedules and under each entry mode. Results of each call
and the states after it have to be those that programs.py says. Ends with a table
of the constructs that ran; exit code 1 if a call differs.
"""
import argparse
import os
import sys
import tempfile
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import programs
from calls import Failure, Library, Memory, Runtime
from programs import GENERATORS, Function, Random

# Streams that draw i64 by little code: places are what is tested here, not bits.
# What a draw reserves is constant in the first, and depends on its size in all
# others.
CONVENTIONS = ["nvfuser", "torch", "torch_eager", "xla"]
ROUNDS = 1

ENTRIES = ["state", "arguments", "memory"]

# F3 is the third forward, B3 its backward, J the joint function.
SCHEDULES = ["F1 B1", "F1 F2 B2 B1", "F1 F2 B1 B2", "F1 B1 B1",
             "F1 B1 F2 B2 F3 B3", "F1 F2 F3 B1 B2 B3", "J1 J2", "F1 J2 B1"]


class Machine:
    """Calls compiled functions and keeps the states between calls: in the
    runtime library, in numbers or in memories."""

    def __init__(self, library, runtime, entry, function, states):
        self.library, self.runtime, self.entry = library, runtime, entry
        self.function = function
        self.states = dict(states)
        if entry == "state":
            for g, state in states.items():
                runtime.set(g, state)
        elif entry == "memory":
            self.memories = {g: Memory(s) for g, s in states.items()}

    def get_states(self):
        if self.entry == "state":
            return {g: self.runtime.get(g) for g in self.states}
        if self.entry == "memory":
            return {g: m.state for g, m in self.memories.items()}
        return self.states

    def pass_states(self, generators):
        """Arguments that bring the states of `generators`."""
        if self.entry == "state":
            return []
        if self.entry == "memory":
            return [self.memories[g] for g in generators]
        return [word for g in generators for word in self.states[g]]

    def take_states(self, changes, results):
        """Takes over `results`, what the function hands back of the states
        that it changes."""
        if self.entry != "arguments":
            return
        at = 0
        for g, seeds in changes:
            words = results[at:at + (2 if seeds else 1)]
            at += len(words)
            self.states[g] = tuple(([self.states[g][0]] + words)[-2:])

    def expect(self, name, arguments, results):
        signature = self.library.signatures[name]
        for what, got, want in (("arguments", len(signature.arguments),
                                 arguments),
                                ("results", len(signature.results), results)):
            if got != want:
                raise Failure("@%s has %d %s but should have %d" % (
                    name, got, what, want))

    def expect_marks(self, name, first, generators):
        """Callers find the states that a function is given by their marks:
        behind `first` arguments that are none, those of `generators`. Only
        joint functions with two states to tell apart have marks."""
        if self.entry == "state" or not self.function.taken:
            return
        words = 1 if self.entry == "memory" else 2
        want = [None] * first + [g for g in generators for _ in range(words)]
        got = [a.state for a in self.library.signatures[name].arguments]
        if got != want:
            raise Failure("@%s has arguments of the states %s but should have "
                          "%s" % (name, got, want))

    def count(self, changes):
        if self.entry != "arguments":
            return 0
        return sum(2 if seeds else 1 for _, seeds in changes)

    def forward(self, arguments):
        f = self.function
        name = f.name + "_forward"
        signature = self.library.signatures[name]
        passed = arguments + self.pass_states(f.uses_generators())
        changes = f.changes(backward=False)
        new = sum(kind == "new" for kind, _ in signature.saved)
        self.expect(name, len(passed), 2 + self.count(changes) + new)
        self.expect_marks(name, len(arguments), f.uses_generators())
        results = self.library.call(name, passed)
        self.take_states(changes, results[2:2 + self.count(changes)])
        saved = [(passed if kind == "argument" else results)[index]
                 for kind, index in signature.saved]
        return results[:2], saved

    def backward(self, saved, cotangents):
        f = self.function
        name = f.name + "_backward"
        passed = saved + cotangents + self.pass_states(
            [g for g in GENERATORS if g in f.taken])
        changes = f.changes(backward=True)
        self.expect(name, len(passed), 2 + self.count(changes))
        self.expect_marks(name, len(saved) + len(cotangents),
                          [g for g in GENERATORS if g in f.taken])
        results = self.library.call(name, passed)
        self.take_states(changes, results[2:])
        return results[:2]

    def joint(self, arguments, cotangents):
        f = self.function
        passed = arguments + cotangents + self.pass_states(
            f.uses_generators()) + self.pass_states(
                [g for g in GENERATORS if g in f.taken])
        results = self.library.call(f.name, passed)
        return results[:2], results[2:4]


def random_states(random):
    offsets = [0, 5, 1 << 32, (1 << 64) - 3]
    return {g: (random.bits.getrandbits(64), random.pick(offsets))
            for g in GENERATORS}


def check(library, runtime, entry, function, schedule, random):
    """Raises a failure if a call of the schedule differs."""
    states = random_states(random)
    machine = Machine(library, runtime, entry, function, states)
    arguments, cotangents, kept, saved = {}, {}, {}, {}
    for call in schedule.split():
        kind, number = call[0], call[1]
        if number not in arguments:
            words = [random.bits.getrandbits(64) for _ in range(4)]
            arguments[number], cotangents[number] = words[:2], words[2:]
        if kind == "F":
            want, kept[number] = function.forward(arguments[number], states)
            got, saved[number] = machine.forward(arguments[number])
        elif kind == "B":
            want = function.backward(kept[number], cotangents[number], states)
            got = machine.backward(saved[number], cotangents[number])
        else:
            primals, own = function.forward(arguments[number], states)
            want = primals, function.backward(own, cotangents[number], states)
            got = machine.joint(arguments[number], cotangents[number])
            got = tuple(map(list, got))
        if got != want:
            raise Failure("%s of %s yields %s but should yield %s" % (
                call, schedule, got, want))
        if machine.get_states() != states:
            raise Failure("%s of %s leaves %s but should leave %s" % (
                call, schedule, machine.get_states(), states))


def schedules(entry, function):
    for schedule in SCHEDULES:
        # By arguments, what a joint function that is whole is given for its
        # backward is only known once its forward part has run; and with memory
        # it differs from its parts no more than with the state of the process.
        if "J" in schedule and entry != "state":
            continue
        yield schedule


def check_batch(options, runtime, functions, kinds, entries, folder):
    """(function, what is wrong), ...; one by one where compiling fails."""
    wrong = []
    for entry in entries:
        try:
            with tempfile.TemporaryDirectory(dir=folder) as place:
                library = Library(options, programs.module(functions, kinds),
                                  entry, place)
        except Failure as failure:
            if len(functions) == 1:
                return [(functions[0], "entry=%s: %s" % (entry, failure))]
            half = len(functions) // 2
            return [failure for some in (functions[:half], functions[half:])
                    for failure in check_batch(options, runtime, some, kinds,
                                               entries, folder)]
        for function in functions:
            try:
                for schedule in schedules(entry, function):
                    check(library, runtime, entry, function, schedule,
                          Random(function.name))
            except Failure as failure:
                wrong.append((function, "entry=%s: %s" % (entry, failure)))
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rng-opt", default="rng-opt")
    parser.add_argument("--translate", default="mlir-translate")
    parser.add_argument("--llc", default="llc")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--runtime", default="librng_runtime.so")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--functions", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--entries", default=",".join(ENTRIES))
    parser.add_argument("--in-turn", action="store_true",
                        help="one entry mode a batch, the next one for the "
                        "next, instead of all for each")
    parser.add_argument("--timeout", type=int, default=300)
    parser.add_argument("--stop-after", type=int, default=5,
                        help="failures after which to stop")
    options = parser.parse_args()

    runtime = Runtime(options.runtime)
    constructs = Counter()
    failures = calls = 0
    with tempfile.TemporaryDirectory() as folder:
        end = options.seed + options.functions
        for seed in range(options.seed, end, options.batch):
            entries = options.entries.split(",")
            if options.in_turn:
                entries = [entries[seed // options.batch % len(entries)]]
            random = Random(seed)
            kinds = {g: (random.pick(CONVENTIONS), ROUNDS)
                     for g in GENERATORS}
            functions = [Function("f%d" % s, s, kinds)
                         for s in range(seed, min(seed + options.batch, end))]
            for function in functions:
                constructs.update(function.constructs.keys())
                calls += sum(len(s.split()) for e in entries
                             for s in schedules(e, function))
            for function, message in check_batch(options, runtime, functions,
                                                 kinds, entries, folder):
                failures += 1
                print("FAILED: %s: %s" % (function.name, message))
                print(programs.module([function], kinds))
            if failures >= options.stop_after:
                break
    for name, number in sorted(constructs.items()):
        print("%6d functions with %s" % (number, name))
    print("%d functions, %d calls: %d failures" % (options.functions, calls,
                                                   failures))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
