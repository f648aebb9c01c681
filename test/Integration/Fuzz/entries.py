#===- entries.py - Mains that call threaded programs -----------------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Adds @main to the text of a module whose public functions have the signature
of an entry mode of `rng-thread-state`.

    entries.py [--entry=MODE] NAME:GENERATORS... < module

calls each public function NAME, without arguments of its own, and prints its
results, then the state of all generators. GENERATORS are those that it uses,
`default` or a symbol, with `=s` behind where the seed can change and `=o` where
the offset can, `=so` both: `prog:default=o,g=so`.
"""
import argparse
import re
import sys


def signed(x):
    x &= (1 << 64) - 1
    return x - (1 << 64) if x >> 63 else x


class WrongSignature(Exception):
    """A threaded function is not what the generators that it uses ask for."""


def split_types(text):
    return [t.strip() for t in text.split(",")] if text.strip() else []


def signature(text, name):
    """Types of arguments and results of a function in the text, which may be
    in the generic form."""
    match = re.search(r"func\.func (?:public )?@%s\((.*?)\)(?: -> (.*?))?"
                      r"(?: attributes .*)? \{$" % re.escape(name), text, re.M)
    generic = re.search(r"function_type = \((.*?)\) -> (.*?), "
                        r'sym_name = "%s"}' % re.escape(name), text)
    if match:
        args = [a.split(":", 1)[1].strip().split(" {")[0]
                for a in split_types(match.group(1))]
        results = match.group(2) or ""
    elif generic:
        args, results = split_types(generic.group(1)), generic.group(2)
    else:
        raise WrongSignature("no public function @%s" % name)
    return args, split_types(results.strip().strip("()"))


class MainWriter:
    def __init__(self, text, generators):
        """`generators`: all names in order, None for the default one."""
        self.text = text
        self.generators = generators
        self.lines = ["  func.func @main() {"]
        self.temps = 0

    def put(self, text):
        self.lines.append("    " + text)

    def temp(self):
        self.temps += 1
        return "%%m%d" % self.temps

    def const(self, value, type="i64"):
        t = self.temp()
        self.put("%s = arith.constant %d : %s" %
                 (t, signed(value) if type == "i64" else value, type))
        return t

    def get(self, generator):
        seed, offset = self.temp(), self.temp()
        self.put("%s, %s = rng.get_state %s: i64, i64" %
                 (seed, offset, "@" + generator + " " if generator else ""))
        return seed, offset

    def set(self, generator, seed, offset):
        self.put("rng.set_state %s%s, %s : i64, i64" %
                 ("@" + generator + ", " if generator else "", seed, offset))

    def print(self, value):
        self.put("vector.print %s : i64" % value)

    def print_states(self):
        for g in self.generators:
            for value in self.get(g):
                self.print(value)

    def reset(self, states):
        for g, (seed, offset) in states.items():
            self.set(g, self.const(seed), self.const(offset))

    def call(self, name, own, uses, mode):
        """Calls @name with the numbers `own` and prints its results. `uses`:
        generator -> (seed can change, offset can change)."""
        args, results = signature(self.text, name)
        used = [g for g in self.generators if g in uses]
        operands = [self.const(x) for x in own]
        states = {}
        extra = []
        if mode == "arguments":
            for g in used:
                states[g] = list(self.get(g))
                operands += states[g]
                extra += [(g, i) for i in range(2) if uses[g][i]]
            expected = ["i64"] * len(operands)
        elif mode == "memory":
            memory = "memref<2xi64>"
            zero, one = self.const(0, "index"), self.const(1, "index")
            for g in used:
                t = self.temp()
                self.put("%s = memref.alloc() : %s" % (t, memory))
                for value, at in zip(self.get(g), (zero, one)):
                    self.put("memref.store %s, %s[%s] : %s" %
                             (value, t, at, memory))
                states[g] = t
                operands.append(t)
            expected = ["i64"] * len(own) + [memory] * len(used)
        else:
            expected = ["i64"] * len(own)
        if args != expected or len(results) < len(extra):
            raise WrongSignature(
                "@%s: expected arguments (%s) and at least %d results but got "
                "(%s) -> (%s)" % (name, ", ".join(expected), len(extra),
                                  ", ".join(args), ", ".join(results)))
        values = [self.temp() for _ in results]
        self.put("%sfunc.call @%s(%s) : (%s) -> (%s)" % (
            ", ".join(values) + " = " if values else "", name,
            ", ".join(operands), ", ".join(args), ", ".join(results)))
        own_results = values[:len(values) - len(extra)]
        if mode == "arguments":
            for (g, i), value in zip(extra, values[len(own_results):]):
                states[g][i] = value
            for g in used:
                if any(uses[g]):
                    self.set(g, *states[g])
        elif mode == "memory":
            for g in used:
                loaded = []
                for at in (zero, one):
                    loaded.append(self.temp())
                    self.put("%s = memref.load %s[%s] : %s" %
                             (loaded[-1], states[g], at, memory))
                self.set(g, *loaded)
        for value in own_results:
            self.print(value)
        return len(own_results)

    def attach(self):
        """The text with @main before its last brace. (The module may be in
        the generic form: `}) : () -> ()`.)"""
        end = self.text.rfind("\n}") + 1
        return "\n".join([self.text[:end].rstrip("\n")] + self.lines +
                         ["    func.return", "  }", self.text[end:]])


def main():
    parser = argparse.ArgumentParser(
        description="add a @main that calls functions of an entry mode")
    parser.add_argument("--entry", default="state",
                        choices=["state", "arguments", "memory"])
    parser.add_argument("call", nargs="+", metavar="NAME:GENERATORS")
    options = parser.parse_args()
    text = sys.stdin.read()
    generators = [None] + re.findall(
        r'^ *(?:rng\.generator @|"rng\.generator"\(\).* sym_name = ")(\w+)',
        text, re.M)
    writer = MainWriter(text, generators)
    for call in options.call:
        name, _, used = call.partition(":")
        uses = {}
        for use in filter(None, used.split(",")):
            generator, _, changes = use.partition("=")
            uses[None if generator == "default" else generator] = (
                "s" in changes, "o" in changes)
        try:
            writer.call(name, [], uses, options.entry)
        except WrongSignature as error:
            sys.exit("entries.py: " + str(error))
    writer.print_states()
    sys.stdout.write(writer.attach())


if __name__ == "__main__":
    main()
