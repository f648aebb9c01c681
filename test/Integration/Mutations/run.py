#===- run.py - No input breaks the parser, a pass or a pipeline ------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Mutates the modules of the tests, examples and documents, and gives them to
the parser, to each pass and to each pipeline of this project, as rng-opt --help
lists them. A failure is a process that dies, takes over 20 s of a CPU or over
4 GiB, that says no without an error, or that prints what it does not read; an
error of a verifier after one of our passes; and output that differs from run to
run. What dies in code of upstream, without any of ours on the stack, is counted
apart. Exit code 1 if there is a failure; the input is printed then, made
smaller, with the command.
"""
import argparse
import os
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import corpus
import mutations
from tool import Tool

# Passes one after the other that others' outputs get to.
THREAD = "--rng-thread-state"
SEQUENCES = [
    [THREAD, "--rng-partition"],
    [THREAD + "=entry=memory", "--rng-partition=keep-joint"],
    [THREAD + "=entry=arguments", "--rng-partition=memory-budget=0.5"],
    [THREAD, "--rng-partition", "--rng-rematerialize=recompute-weight=0"],
    [THREAD, "--rng-partition=keep-joint", "--rng-generate-driver"],
    [THREAD, "--rng-partition", "--rng-to-cpu"],
    [THREAD + "=entry=memory", "--rng-to-emulated-gpu"],
    [THREAD + "=entry=arguments", "--rng-to-cpu=openmp"],
    ["--rng-check-streams", THREAD, "--rng-check-streams"],
    ["--rng-reserve-draws", "--rng-to-cpu"],
]
# How often a pipeline, which takes longer, is chosen compared with a pass.
PIPELINE_WEIGHT, SEQUENCE_WEIGHT = 3, 2
GARBAGE = ["-1", "0", "1", "3", "x", "", "4294967296", "9223372036854775807",
           "-9223372036854775808", "18446744073709551616", "nan", "inf", "-0.5",
           "1e308", "0.5", "true", "{}", "{1,2}", "'", "é", "@f", "/dev/full",
           "-", "no/such/folder/file", "64MiB", "-1MiB", "9999999999999999999GiB"]
PASS = re.compile(r"^ +--((?:convert-)?rng-[\w-]+)\s+-", re.M)
OPTION = re.compile(r"^ +--([\w-]+)(=<[^>]*>)?\s+-")


@dataclass
class Config:
    flags: list
    is_garbage: bool = False

    def __str__(self):
        return " ".join(self.flags) or "(parser)"


def general(error):
    """An error without the types, numbers and names in it."""
    error = re.sub(r"'[^']*[<>][^']*'", "'T'", error)
    return re.sub(r"\d+", "N", re.sub(r"@[\w.$-]+", "@f", error))[:200]


@dataclass
class Finding:
    kind: str
    config: Config
    text: str
    detail: str
    names: list
    is_own: bool = True

    def signature(self):
        return "%s: %s" % (self.kind, general(self.detail))


def passes(help_text):
    """Name of each pass and pipeline of ours -> its options."""
    result, current = {}, None
    for line in help_text.split("\n"):
        match = PASS.match(line)
        option = OPTION.match(line)
        if match:
            current = result.setdefault(match.group(1), [])
            indent = len(line) - len(line.lstrip())
        elif current is not None and option and \
                len(line) - len(line.lstrip()) > indent:
            current.append((option.group(1), option.group(2) or ""))
        elif current is not None and not line.lstrip().startswith("="):
            current = None
    return result


def with_garbage(name, options, chance):
    """A pass with values of its options that are mostly wrong."""
    chosen = chance.sample(options, min(len(options), chance.choice([1, 1, 2])))
    values = " ".join("%s=%s" % (option, chance.choice(GARBAGE))
                      for option, _ in chosen)
    return Config(["--%s=%s" % (name, values)], is_garbage=True)


def printed(config, items, outcomes):
    return [(config, item, outcome.text)
            for item, outcome in zip(items, outcomes)
            if outcome and outcome.text is not None]


class Fuzzer:
    def __init__(self, options, folder):
        self.options = options
        self.tool = Tool(options.rng_opt, folder)
        self.inputs = corpus.read(options.root)
        help_text = self.tool.process(["--help"], "").stdout
        known = passes(help_text)
        if not known:
            sys.exit("rng-opt --help lists no passes")
        self.options_of = {n: o for n, o in known.items() if o}
        pipelines = {n for n in known if n.startswith("rng-to-")}
        self.configs = [Config(["--" + name]) for name in sorted(known)]
        self.weights = [PIPELINE_WEIGHT if n in pipelines else 1
                        for n in sorted(known)]
        self.configs += [Config(flags) for flags in SEQUENCES]
        self.weights += [SEQUENCE_WEIGHT] * len(SEQUENCES)
        self.parser = Config([])
        self.findings = []
        self.runs, self.valid, self.mutated = 0, 0, Counter()
        self.survived = Counter()
        self.errors, self.examples = Counter(), {}

    # ------------------------------------------------------------- of batches

    def outcomes(self, config, items, flags=[]):
        """The outcome of each (text, names); those that end the process are
        found, reported and None."""
        texts = [text for text, _ in items]
        result = self.tool.run(config.flags + flags, texts)
        if result is not None:
            return result
        if len(items) > 1:
            half = len(items) // 2
            return (self.outcomes(config, items[:half], flags) +
                    self.outcomes(config, items[half:], flags))
        death = self.tool.death(config.flags + flags, texts[0])
        # Else it was not this input alone, or a limit of time just missed.
        if death:
            self.report(death.kind, config, items[0],
                        " < ".join(death.frames[:4]), self.tool.is_own(death))
        return [None]

    def report(self, kind, config, item, detail, is_own=True):
        self.findings.append(Finding(kind, config, item[0], detail, item[1],
                                     is_own))
        if self.options.progress:
            print("%s, in rng-opt %s" % (self.findings[-1].signature(), config),
                  file=sys.stderr, flush=True)

    def check_errors(self, config, items, outcomes):
        """Each input that fails has an error."""
        for item, outcome in zip(items, outcomes):
            if outcome is None or outcome.text is not None or outcome.errors:
                continue
            # An error without a place is nobody's in a batch.
            done = self.tool.process(config.flags, item[0])
            if done.returncode == 1 and "error:" not in done.stderr:
                self.report("fails without an error", config, item,
                            str(config))

    def check_verified(self, config, items, outcomes):
        """What fails does so in a pass, not in the verifier after it."""
        failed = [(item, outcome) for item, outcome in zip(items, outcomes)
                  if outcome and outcome.text is None and outcome.errors]
        if not failed:
            return
        unchecked = self.tool.run(config.flags + ["--verify-each=false"],
                                  [item[0] for item, _ in failed])
        for i, (item, outcome) in enumerate(failed):
            if unchecked and unchecked[i].text is None and \
                    unchecked[i].errors[:1] == outcome.errors[:1]:
                continue
            self.check_single(config, item, outcome.errors[0])

    def check_single(self, config, item, error):
        """Whether the verifier fails on what one of our passes made."""
        done = self.tool.process(config.flags + [
            "--mlir-print-ir-after-failure", "--mlir-print-ir-module-scope"],
            item[0])
        match = re.search(r"IR Dump After \S+ Failed \(([\w-]+)", done.stderr)
        if not match or done.returncode != 1:
            return
        ir = done.stderr[match.end():].split("\n", 1)[1]
        again = self.tool.process([], ir)
        if again.returncode == 1 and error in again.stderr:
            self.report("invalid IR", config, item, "%s: %s" % (
                match.group(1), error),
                match.group(1).startswith(("rng-", "convert-rng-")))

    def check_reads(self, printed):
        """What is printed, (config, item, output), ..., is read again."""
        if not printed:
            return
        again = self.outcomes(self.parser, [(text, item[1])
                                            for _, item, text in printed])
        for (config, item, _), outcome in zip(printed, again):
            if not outcome or outcome.text is not None:
                continue
            generic = self.tool.process(
                config.flags + ["--mlir-print-op-generic"], item[0])
            # Without a pass, only the printers of our own ops are ours.
            is_own = bool(config.flags) and self.tool.process(
                [], generic.stdout).returncode != 0
            self.report("prints what it does not read", config, item,
                        "".join(outcome.errors[:1]),
                        is_own or "rng." in "".join(outcome.errors))

    def check_same(self, config, items):
        texts = [text for text, _ in items]
        first = self.tool.run(config.flags, texts)
        second = self.tool.run(config.flags, texts)
        for item, a, b in zip(items, first or [], second or []):
            if a != b:
                self.report("differs from run to run", config, item,
                            str(config))

    def check(self, config, items, number):
        """Checks all but that outputs are read again, and returns these."""
        outcomes = self.outcomes(config, items)
        self.runs += len(items)
        if config.is_garbage:
            # Options that are refused are an error of all inputs.
            if any(o and o.text is not None for o in outcomes):
                self.check_errors(config, items, outcomes)
            elif not self.tool.process(config.flags, items[0][0]).stderr:
                self.report("fails without an error", config, items[0],
                            str(config))
            return []
        self.check_errors(config, items, outcomes)
        self.check_verified(config, items, outcomes)
        if number % self.options.same_every == 0:
            self.check_same(config, items)
        for (text, _), outcome in zip(items, outcomes):
            for error in outcome.errors[:1] if outcome else []:
                error = (config.flags or ["(parser)"])[-1] + ": " + general(error)
                self.errors[error] += 1
                self.examples.setdefault(error, text)
        return printed(config, items, outcomes)

    # -------------------------------------------------------------- of a round

    def round(self, number):
        """Mutates and checks `--batch` inputs, each with `--configs` of the
        passes and pipelines."""
        chance = random.Random("%d/%d" % (self.options.seed, number))
        items = []
        for _ in range(self.options.batch):
            items.append(mutations.mutate(self.inputs.pick(chance), chance,
                                          self.inputs))
        parsed = self.outcomes(self.parser, items)
        self.check_errors(self.parser, items, parsed)
        valid = [item for item, outcome in zip(items, parsed)
                 if outcome and outcome.text is not None]
        outputs = printed(self.parser, items, parsed)
        groups = defaultdict(list)
        for item in valid:
            for i in chance.choices(range(len(self.configs)), self.weights,
                                    k=self.options.configs):
                if item not in groups[i]:
                    groups[i].append(item)
        for i in sorted(groups):
            outputs += self.check(self.configs[i], groups[i], number + i)
        for _ in range(self.options.garbage):
            name = chance.choice(sorted(self.options_of))
            config = with_garbage(name, self.options_of[name], chance)
            if valid:
                self.check(config, chance.choices(valid, k=3), number)
        self.check_reads(outputs)
        self.valid += len(valid)
        for _, names in items:
            self.mutated.update(names)
        for _, names in valid:
            self.survived.update(names)

    # --------------------------------------------------------------- of faults

    def happens(self, finding, text):
        """Whether the fault of `finding` is one of `text` too."""
        other = Fuzzer.__new__(Fuzzer)
        other.__dict__.update(self.__dict__)
        other.findings, other.errors, other.examples = [], Counter(), {}
        item = (text, finding.names)
        if finding.config.flags:
            parsed = other.outcomes(self.parser, [item])
            if not parsed[0] or parsed[0].text is None:
                return False
        other.options = argparse.Namespace(same_every=2, progress=False)
        is_compared = finding.kind.startswith("differs")
        other.check_reads(other.check(finding.config, [item],
                                      0 if is_compared else 1))
        return finding.signature() in [f.signature() for f in other.findings]

    def smaller(self, finding):
        """The input with the lines left out without which it fails too."""
        lines, tries = finding.text.split("\n"), 0
        size = max(1, len(lines) // 2)
        while size and tries < self.options.shrink:
            i = 0
            while i < len(lines) and tries < self.options.shrink:
                rest = lines[:i] + lines[i + size:]
                tries += 1
                if rest and self.happens(finding, "\n".join(rest)):
                    lines = rest
                else:
                    i += size
            size //= 2
        return "\n".join(lines)

    def show(self, finding, count):
        text = self.smaller(finding)
        print("FAILED %s, %d times\n  seed %d, %s\n  rng-opt %s" % (
            finding.signature(), count, self.options.seed,
            ", ".join(finding.names) or "not mutated",
            " ".join("'%s'" % f for f in finding.config.flags)))
        print("".join("  | %s\n" % line for line in text.split("\n")))
        sys.stdout.flush()
        self.keep(finding.signature(), str(finding.config), text)

    def keep(self, name, comment, text):
        if not self.options.keep:
            return
        os.makedirs(self.options.keep, exist_ok=True)
        name = re.sub(r"\W+", "-", name)[:120] + ".mlir"
        with open(os.path.join(self.options.keep, name), "w") as file:
            file.write("// rng-opt %s\n%s\n" % (comment, text))


def run_rounds(options, folder, numbers):
    fuzzer = Fuzzer(options, folder)
    for number in numbers:
        fuzzer.round(number)
        if options.progress:
            print("round %d: %d findings" % (number, len(fuzzer.findings)),
                  file=sys.stderr, flush=True)
    return fuzzer


def parse_arguments():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(
        description="give mutated modules to the parser, passes and pipelines")
    parser.add_argument("--inputs", type=int, default=1000, metavar="N")
    parser.add_argument("--batch", type=int, default=200, metavar="N",
                        help="inputs at a time (default %(default)s)")
    parser.add_argument("--first-batch", type=int, default=0, metavar="N")
    parser.add_argument("--configs", type=int, default=3, metavar="N",
                        help="passes, pipelines or sequences of passes that "
                             "each valid input gets (default %(default)s)")
    parser.add_argument("--garbage", type=int, default=2, metavar="N",
                        help="runs with odd options a batch "
                             "(default %(default)s)")
    parser.add_argument("--same-every", type=int, default=8, metavar="N",
                        help="of N runs one is run twice and compared")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--keep", metavar="DIR",
                        help="write inputs that fail to DIR")
    parser.add_argument("--shrink", type=int, default=200, metavar="N",
                        help="runs to make one smaller (default %(default)s)")
    parser.add_argument("--list-errors", action="store_true",
                        help="also list the errors of passes and pipelines; "
                             "--keep writes an input for each")
    parser.add_argument("--progress", action="store_true")
    parser.add_argument("--root", default=os.path.join(here, *[".."] * 3),
                        help="the checkout whose modules are mutated")
    parser.add_argument("--rng-opt", default="rng-opt")
    return parser.parse_args()


def main():
    options = parse_arguments()
    rounds = range(options.first_batch, options.first_batch + max(
        1, (options.inputs + options.batch - 1) // options.batch))
    with tempfile.TemporaryDirectory() as folder:
        with ThreadPoolExecutor(options.jobs) as pool:
            fuzzers = list(pool.map(
                lambda job: run_rounds(options, folder,
                                       rounds[job::options.jobs]),
                range(options.jobs)))
        all_findings = [f for z in fuzzers for f in z.findings]
        first, counts = {}, Counter()
        for finding in all_findings:
            first.setdefault(finding.signature(), finding)
            counts[finding.signature()] += 1
        own = [s for s in first if first[s].is_own]
        for signature in own:
            fuzzers[0].show(first[signature], counts[signature])
    mutated = sum((z.mutated for z in fuzzers), Counter())
    survived = sum((z.survived for z in fuzzers), Counter())
    print("mutation                 inputs   valid")
    for name in mutations.MUTATIONS:
        print("%-22s %8d %7d" % (name, mutated[name], survived[name]))
    for signature in first:
        if signature not in own:
            print("upstream's: %s, %d times" % (signature, counts[signature]))
            fuzzers[0].keep(signature, str(first[signature].config),
                            first[signature].text)
    if options.list_errors:
        errors = sum((z.errors for z in fuzzers), Counter())
        for error, count in sorted(errors.items()):
            print("%6d %s" % (count, error))
        for fuzzer in fuzzers:
            for error, text in fuzzer.examples.items():
                fuzzer.keep(error, error, text)
    print("%d inputs, %d valid, %d runs in %d configurations, %d failures "
          "(%d kinds), %d of upstream" % (
              len(rounds) * options.batch, sum(z.valid for z in fuzzers),
              sum(z.runs for z in fuzzers), len(fuzzers[0].configs),
              sum(counts[s] for s in own), len(own),
              sum(counts[s] for s in first) - sum(counts[s] for s in own)))
    return 1 if own else 0


if __name__ == "__main__":
    sys.exit(main())
