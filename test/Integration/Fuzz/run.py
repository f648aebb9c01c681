#===- run.py - Threaded programs do what stateful programs do --------------===#
#
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Runs random programs as they are written and threaded, under each entry mode,
optimized and not, and compares the numbers that they print and the states that
they leave with those of interpreter.py. rng-check-streams finds nothing in programs
like them that leave the state alone. Ends with a table of the constructs
that ran; exit code 1 if programs differ or, with --require-all, if a construct
never ran.
"""
import argparse
import copy
import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import emitter
import entries
import generator
import programs as p
from interpreter import Interpreter, signed

MARK = 7777777

# Name -> (passes, entry mode).
OPTIMIZE = ["-canonicalize", "-cse"]
MODES = {"stateful": (["-rng-reserve-draws"], "state")}
for _entry in ("state", "arguments", "memory"):
    _thread = ["-rng-thread-state=entry=" + _entry]
    MODES[_entry] = (_thread, _entry)
    MODES[_entry + "-optimized"] = (_thread + OPTIMIZE, _entry)
    MODES[_entry + "-inlined"] = (_thread + OPTIMIZE + ["-inline"], _entry)

# Constructs that a long run has to have run, as interpreter.py names them.
CONSTRUCTS = """
affine.for
affine.for, dynamic bounds
affine.for, iter_args
affine.for, step over 1
affine.for, zero trips
affine.if
affine.parallel
affine.parallel, dynamic bounds
affine.parallel, lower bounds
affine.parallel, reduction
affine.parallel, several dimensions
affine.parallel, steps over 1
affine.parallel, zero trips
calls of private functions
calls of public functions
calls: leaf
calls: mutual recursion
calls: of several blocks
calls: recursion
cf blocks
cf loops with two entries
cf.br
cf.cond_br
cf.cond_br, one target
cf.switch
draws from named generators
draws from the default generator
draws: bernoulli i1
draws: bits i1
draws: bits i16
draws: bits i32
draws: bits i64
draws: bits i8
draws: dynamic tensors
draws: scalars
draws: tensors
draws: uniform bf16
draws: uniform f16
draws: uniform f32
draws: uniform f64
draws: vectors
empty tensors
external function that reads
external function that seeds
func.call_indirect
rng.advance by hand
rng.get_state
rng.reserve, constant
rng.reserve, dynamic
rng.set_state
rng.set_state, in a branch
rng.set_state, in a loop
rng.set_state, negative seed
rng.set_state, offset near 2^64
scf.execute_region
scf.execute_region, blocks
scf.for
scf.for, dynamic bounds
scf.for, i32
scf.for, i64
scf.for, iter_args
scf.for, step over 1
scf.for, zero trips
scf.forall
scf.forall, dynamic bounds
scf.forall, lower bounds
scf.forall, several dimensions
scf.forall, steps over 1
scf.forall, zero trips
scf.if
scf.if in a parallel loop
scf.if with results
scf.if without else
scf.index_switch
scf.parallel
scf.parallel, dynamic bounds
scf.parallel, lower bounds
scf.parallel, reduction
scf.parallel, several dimensions
scf.parallel, steps over 1
scf.parallel, zero trips
scf.while
scf.while, body
scf.while, draws in the condition
stateless draws by hand
streams: nvfuser
streams: tensorflow
streams: threefry
streams: torch
streams: torch_eager
streams: triton
streams: xla
unused draws
""".strip().split("\n")


class Failure(Exception):
    pass


class Tools:
    def __init__(self, options):
        self.rng_opt = options.rng_opt.split()
        self.runner = options.runner.split()
        self.timeout = options.timeout

    def run(self, command, text, what, stream="stdout"):
        try:
            done = subprocess.run(command, input=text, capture_output=True,
                                  text=True, timeout=self.timeout)
        except subprocess.TimeoutExpired:
            raise Failure("%s takes over %d s" % (what, self.timeout))
        if done.returncode:
            raise Failure("%s: exit code %d\n%s" % (
                what, done.returncode, done.stderr.strip()[:4000]))
        return getattr(done, stream)

    def opt(self, text, passes, stream="stdout"):
        return self.run(self.rng_opt + ["-"] + passes, text,
                        "rng-opt " + " ".join(passes[:2]), stream)

    def execute(self, text):
        return self.run(self.runner + ["-"], text, "mlir-runner")


def expectation(batch):
    """For each program the states before and the lines that it prints, and the
    hits of all."""
    machine = Interpreter(batch)
    random = generator.Random(len(batch.programs))
    result = []
    for i, program in enumerate(batch.programs):
        before = None
        if i or batch.reset_first:
            before = {g.name: (random.pick(generator.SEEDS),
                               random.pick(generator.OFFSETS))
                      for g in batch.generators}
            machine.states = dict(before)
        lines = list(machine.run(program))
        for state in machine.states.values():
            lines += [str(signed(x)) for x in state]
        result.append((before, lines))
    return result, machine.hits


def add_main(text, batch, mode, expected):
    """The module with a @main that runs all programs."""
    names = [g.name for g in batch.generators]
    writer = entries.MainWriter(text, names)
    # Reading declares the named ones for external functions.
    for name in names:
        writer.get(name)
    mark = writer.const(MARK)
    taken = set().union(*p.taken(batch).values())
    for program, (before, _) in zip(batch.programs, expected):
        if before:
            writer.reset(before)
        for entry in program.entries:
            uses = p.uses(batch, program, entry.callee,
                          emitter.externs(batch))
            name = program.prefix() + entry.callee
            # What is called through its address keeps its signature.
            is_taken = (program.name, entry.callee) in taken
            writer.call(name, entry.args, uses, "state" if is_taken else mode)
        writer.print_states()
        writer.print(mark)
    return writer.attach()


def outputs(text):
    """What each program printed."""
    parts = [[]]
    for line in text.splitlines():
        if line == str(MARK):
            parts.append([])
        else:
            parts[-1].append(line.rstrip())
    return parts[:-1]


def run_mode(tools, batch, mode, expected):
    """Runs a batch; what each program printed."""
    passes, entry = MODES[mode]
    text = emitter.module(batch)
    if mode == "stateful":
        text = tools.opt(add_main(text, batch, entry, expected), passes +
                         ["-rng-to-cpu"])
    else:
        # What upstream prints of cf.switch it does not always read.
        generic = ["-mlir-print-op-generic"] if "cf.switch" in text else []
        threaded = tools.opt(text, passes + generic)
        try:
            text = add_main(threaded, batch, entry, expected)
        except entries.WrongSignature as error:
            raise Failure(str(error))
        text = tools.opt(text, ["-rng-to-cpu"])
    return outputs(tools.execute(text))


def difference(got, want):
    for i, (a, b) in enumerate(zip(got, want)):
        if a != b:
            return "line %d is %s but should be %s" % (i + 1, a, b)
    if len(got) != len(want):
        return "%d lines but should be %d" % (len(got), len(want))
    return None


def single(batch, index):
    """The batch of one of its programs."""
    result = copy.copy(batch)
    result.programs = [batch.programs[index]]
    result.reset_first = True
    return result


def check(tools, batch, mode):
    """(index of a program or None, what is wrong), ... of one run."""
    if not batch.programs:
        return []
    expected, _ = expectation(batch)
    try:
        got = run_mode(tools, batch, mode, expected)
    except Failure as error:
        if len(batch.programs) == 1:
            return [(0, str(error))]
        return [(None, str(error))]
    wrong = []
    for i, (_, want) in enumerate(expected):
        message = difference(got[i] if i < len(got) else [], want)
        if message:
            wrong.append((i, message))
    return wrong


def has_dynamic_affine(program):
    """Whether inlining may put affine ops where upstream forbids them: bounds
    have to be defined at the top of a function."""
    return any(isinstance(s, p.AffineIf) or
               isinstance(s, p.For) and s.flavor == "affine" and
               not all(isinstance(x, int) for x in (s.lb, s.ub)) or
               isinstance(s, p.Parallel) and s.flavor == "affine.parallel" and
               not all(isinstance(x, int) for x in s.lbs + s.ubs)
               for s in p.statements(program))


def without(batch, mode):
    """The programs of a batch that upstream can lower in `mode`."""
    if not mode.endswith("-inlined"):
        return batch
    programs = [q for q in batch.programs if not has_dynamic_affine(q)]
    if len(programs) == len(batch.programs):
        return batch
    batch = copy.copy(batch)
    batch.programs = programs
    batch.reset_first = True
    return batch


def check_batch(tools, batch, mode):
    """The same, programs one by one where the batch as a whole fails."""
    wrong = check(tools, batch, mode)
    if not any(i is None for i, _ in wrong):
        return wrong
    found = []
    for i in range(len(batch.programs)):
        found += [(i, message) for _, message in
                  check(tools, single(batch, i), mode)]
    return found


# ------------------------------------------------------------ check-streams


def findings(tools, batch, mode):
    """What rng-check-streams finds in a batch, None if nothing: draws of a
    generator never share numbers, however the state is passed."""
    passes = [] if mode == "stateful" else MODES[mode][0]
    try:
        said = tools.opt(emitter.module(batch),
                         passes + ["-rng-check-streams", "-o", os.devnull],
                         stream="stderr")
    except Failure as error:
        return str(error)
    # Warnings of parameters are on purpose.
    return said if "draws the numbers of another call" in said else None


def check_streams(tools, options, number, size):
    """[failure text] for one batch of programs without state by hand, which
    may read what was drawn before."""
    features = [f for f in options.features if f not in ("state", "extern")]
    batch = generator.make_batch(options.seed, number, size, features)
    batch.reset_first = False
    failures = []
    for mode in options.modes:
        if mode.endswith("-inlined"):
            continue
        if not findings(tools, batch, mode):
            continue
        for index in range(len(batch.programs)):
            alone = single(batch, index)
            found = findings(tools, alone, mode)
            if not found:
                continue
            tag = "seed%d-batch%d-%s-%s-streams" % (
                options.seed, number, batch.programs[index].name, mode)
            failures.append("%s: %s" % (tag, found))
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                path = os.path.join(options.keep, tag + ".mlir")
                with open(path, "w") as f:
                    f.write(emitter.module(alone))
    return failures


# ----------------------------------------------------------------- shrinking


def zero(var):
    return p.Const(var, 0)


def variants(program):
    """Smaller programs, as functions that change a copy of this one."""
    count = len(p.statement_lists(program))
    result = []

    def at(k, i, change):
        def apply(copied):
            stmts = p.statement_lists(copied)[k]
            change(stmts, i)
        result.append(apply)

    def drop(stmts, i):
        stmts[i:i + 1] = [zero(v) for v in stmts[i].defs()]

    def unwrap(body):
        def change(stmts, i):
            block = getattr(stmts[i], body)
            names = stmts[i].defs()
            stmts[i:i + 1] = block.stmts + [zero(v) for v in names]
        return change

    for f in range(len(program.functions)):
        name = program.functions[f].name
        if name not in [e.callee for e in program.entries]:
            result.append(lambda c, f=f: c.functions.pop(f))
    if len(program.entries) > 1:
        result.append(lambda c: c.entries.pop())
    for k, stmts in enumerate(p.statement_lists(program)):
        for i in range(len(stmts)):
            if not isinstance(stmts[i], p.Const):
                at(k, i, drop)
            if isinstance(stmts[i], p.If):
                at(k, i, unwrap("then"))
            if isinstance(stmts[i], p.ExecuteRegion) and isinstance(
                    stmts[i].body, p.Block):
                at(k, i, unwrap("body"))
    return result


def used_names(program):
    names = Counter()

    def visit(x):
        if is_dataclass(x):
            for f in fields(x):
                visit(getattr(x, f.name))
        elif isinstance(x, (list, tuple)):
            for y in x:
                visit(y)
        elif isinstance(x, str):
            names[x] += 1
    visit(program)
    return names


def clean(program):
    """Drops constants and comparisons that nothing uses."""
    for f in program.functions:
        changed = True
        while changed:
            changed = False
            names = used_names(f)
            for stmts in p.statement_lists(f):
                for s in list(stmts):
                    if isinstance(s, (p.Const, p.Bin, p.Cmp, p.And,
                                      p.ToIndex)) and names[s.var] == 1:
                        stmts.remove(s)
                        changed = True


def shrink(tools, batch, mode, limit=400):
    """A smaller program that differs in the same way: at all, or fails."""
    program = batch.programs[0]
    best = copy.copy(batch)

    def kind(wrong):
        text = re.sub(r"[-0-9%@#]\w*", "", wrong[0][1])
        return text.split("\n")[0][:60] if "exit code" in text else "differs"

    want = kind(check(tools, best, mode))
    tries = 0
    progress = True
    while progress and tries < limit:
        progress = False
        position = 0
        while tries < limit:
            steps = variants(best.programs[0])
            if position >= len(steps):
                break
            smaller = copy.copy(best)
            smaller.programs = [copy.deepcopy(best.programs[0])]
            tries += 1
            try:
                steps[position](smaller.programs[0])
                clean(smaller.programs[0])
                wrong = check(tools, smaller, mode)
            except Exception:
                wrong = []
            # Invalid modules do not count.
            if wrong and kind(wrong) == want:
                best = smaller
                progress = True
            else:
                position += 1
    return best


# ---------------------------------------------------------------------- main


def keep(folder, batch, mode, message, tag):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, tag + ".mlir")
    expected, _ = expectation(batch)
    passes, entry = MODES[mode]
    with open(path, "w") as f:
        f.write("// %s: %s\n" % (mode, message.replace("\n", "\n// ")))
        f.write("// rng-opt %s\n" % " ".join(passes))
        f.write("// Entries: %s. Expected:\n" % ", ".join(
            "@%s%s(%s)" % (batch.programs[0].prefix(), e.callee,
                            ", ".join(map(str, e.args)))
            for e in batch.programs[0].entries))
        f.write("".join("//   %s\n" % line for line in expected[0][1]))
        text = emitter.module(batch)
        f.write(add_main(text, batch, "state", expected))
    return path


def run_batch(tools, options, number, size):
    """Checks one batch; (hits, [failure text])."""
    batch = generator.make_batch(options.seed, number, size, options.features)
    batch.reset_first = False
    _, hits = expectation(batch)
    failures = check_streams(tools, options, number, size)
    for mode in options.modes:
        if mode.endswith("-inlined") and number % 4:
            continue
        some = without(batch, mode)
        for index, message in check_batch(tools, some, mode):
            name = "all" if index is None else some.programs[index].name
            tag = "seed%d-batch%d-%s-%s" % (options.seed, number, name, mode)
            text = "%s: %s" % (tag, message)
            if options.keep and index is not None:
                one = single(some, index)
                if check(tools, one, mode):
                    text += "\n  kept in " + keep(options.keep, one, mode,
                                                  message, tag)
                    if options.shrink:
                        small = shrink(tools, one, mode)
                        again = check(tools, small, mode)
                        text += "\n  and in " + keep(
                            options.keep, small, mode, again[0][1],
                            tag + "-small")
                else:
                    text += "\n  (passes when alone)"
            failures.append(text)
    return hits, failures


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="compare random programs, stateful and threaded, with an "
                    "independent interpreter")
    parser.add_argument("--programs", type=int, default=100, metavar="N")
    parser.add_argument("--batch", type=int, default=20, metavar="N",
                        help="programs in a module (default %(default)s)")
    parser.add_argument("--first-batch", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--modes", default="", metavar="M,...",
                        help="some of " + ",".join(MODES))
    parser.add_argument("--without", default="", metavar="F,...",
                        help="leave out some of " +
                             ",".join(generator.FEATURES))
    parser.add_argument("--keep", metavar="DIR",
                        help="write programs that differ to DIR")
    parser.add_argument("--shrink", action="store_true",
                        help="also write smaller ones that differ")
    parser.add_argument("--require-all", action="store_true",
                        help="fail if a construct never ran")
    parser.add_argument("--timeout", type=int, default=60, metavar="SECONDS")
    parser.add_argument("--rng-opt", default="rng-opt")
    parser.add_argument("--runner", required=True,
                        help="command that runs @main of a lowered module")
    options = parser.parse_args()
    options.modes = (options.modes.split(",") if options.modes else
                     list(MODES))
    without = options.without.split(",")
    if "--verify-roundtrip" in options.rng_opt:
        # Upstream does not read all that it prints of cf.switch.
        without.append("switch")
    options.features = [f for f in generator.FEATURES if f not in without]
    return options


def main():
    options = parse_arguments()
    tools = Tools(options)
    sizes = [options.batch] * (options.programs // options.batch)
    if options.programs % options.batch:
        sizes.append(options.programs % options.batch)
    hits, failures = Counter(), []
    with ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(run_batch, tools, options,
                            options.first_batch + i, size)
                for i, size in enumerate(sizes)]
        for job in jobs:
            found, failed = job.result()
            hits += found
            failures += failed
            for text in failed:
                print("DIFFERS " + text, flush=True)
    print("construct                                  ran")
    for construct in sorted(set(hits) | set(CONSTRUCTS)):
        print("%-38s %7d" % (construct, hits[construct]))
    missing = [c for c in CONSTRUCTS if not hits[c]]
    if options.require_all and missing:
        print("never ran: " + ", ".join(missing))
    print("%d programs, %d modes, %d differences" %
          (options.programs, len(options.modes), len(failures)))
    return 1 if failures or (options.require_all and missing) else 0


if __name__ == "__main__":
    sys.exit(main())
