# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random joint functions of a forward and a backward loop, and the same unrolled.

A `Body` is what one iteration does: a list of ops over values by name. From one
body, `write_loops` makes two loops with tapes, and `write_unrolled` straight code
in which the backward uses the values of the forward.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                os.pardir, "Inputs"))

TILE = "tensor<4x4xf32>"
MASK = "tensor<4x4xi1>"
WEIGHTS = "tensor<{}x4x4xf32>"


class Body:
    """What an iteration of the forward and one of the backward compute.

    forward, backward: lists of (name, op, operands); `carried` names what the
    forward carries and `yields` what becomes of it; likewise `cotangents` and
    `gradients`. `tapes` names values of the forward that the backward uses.
    """

    def __init__(self, rng):
        self.rng = rng
        self.types = {"x": TILE, "w": TILE}
        self.carried = [f"h{i}" for i in range(1 + rng.below(2))]
        self.cotangents = [f"g{i}" for i in range(1 + rng.below(2))]
        for name in self.carried + self.cotangents:
            self.types[name] = TILE
        self.forward = self.make_ops("f", self.carried + ["x", "w"],
                                     2 + rng.below(7), draws=True)
        self.yields = self.pick_next(self.forward, self.carried)
        known = self.carried + [name for name, _, _ in self.forward]
        self.tapes = []
        for _ in range(1 + rng.below(4)):
            self.tapes.append(rng.pick([v for v in known if v not in self.tapes]
                                       or [None]))
        self.tapes = [tape for tape in self.tapes if tape]
        self.backward = self.make_ops(
            "b", self.cotangents + self.tapes + ["x", "w"], 2 + rng.below(7),
            draws=False)
        self.gradients = self.pick_next(self.backward, self.cotangents)
        # A tape that nothing uses is no demand; a loop needs one.
        used = {name for _, _, operands in self.backward for name in operands}
        if not used & set(self.tapes):
            self.tapes = [self.carried[0]]
            self.types["b_tape"] = TILE
            self.backward.append(
                ("b_tape", "mulf", [self.gradients[0], self.carried[0]]))
            used.add(self.carried[0])
            self.gradients[0] = "b_tape"
        self.tapes = [name for name in self.tapes if name in used]
        self.reverse = rng.chance(80)

    def tiles(self, names):
        return [name for name in names if self.types[name] == TILE]

    def pick_next(self, ops, carried):
        """For each value that is carried one that depends on it, else only the
        last iterations would matter, and through a contraction: unrolled, a chain
        of cheap ops is computed again from its beginning, for which the backward
        would need a loop of its own."""
        result = []
        for start in carried:
            reached, far = {start}, set()
            for name, kind, operands in ops:
                if reached & set(operands):
                    reached.add(name)
                if far & set(operands) or (kind == "matmul" and name in reached):
                    far.add(name)
            later = self.tiles([name for name, _, _ in ops if name in far])
            if not later:
                later = [f"{start}_next"]
                self.types[later[0]] = TILE
                ops.append((later[0], "matmul", [start, "w"]))
            result.append(self.rng.pick(later))
        return result

    def make_ops(self, prefix, known, count, draws):
        ops = []
        for i in range(count):
            name = f"{prefix}{i}"
            tiles = self.tiles(known)
            masks = [value for value in known if self.types[value] == MASK]
            kinds = ["mulf", "addf", "tanh", "matmul", "halve"]
            kinds += ["bernoulli", "uniform"] * draws + ["select"] * 2 * bool(masks)
            kind = self.rng.pick(kinds)
            # Late values are used more often, so that chains grow.
            pick = lambda: self.rng.pick(tiles[-3:] + tiles)
            operands = {"bernoulli": [], "uniform": [],
                        "tanh": [pick()], "halve": [pick()],
                        "select": [self.rng.pick(masks or [None]), pick()]}.get(
                            kind, [pick(), pick()])
            self.types[name] = MASK if kind == "bernoulli" else TILE
            ops.append((name, kind, operands))
            known = known + [name]
        return ops


def write_op(kind, result, operands, type):
    values = ", ".join(operands)
    if kind in ("mulf", "addf"):
        return [f"{result} = arith.{kind} {values} : {TILE}"]
    if kind == "tanh":
        return [f"{result} = math.tanh {values} : {TILE}"]
    if kind == "halve":
        return [f"{result} = arith.mulf {values}, %half : {TILE}"]
    if kind == "select":
        return [f"{result} = arith.select {values}, %zeros : {MASK}, {TILE}"]
    if kind == "bernoulli":
        return [f"{result} = rng.bernoulli prob(%p) : {MASK}"]
    if kind == "uniform":
        return [f"{result} = rng.uniform : {TILE}"]
    assert kind == "matmul"
    return [f"{result} = linalg.matmul ins({values} : {TILE}, {TILE}) "
            f"outs(%zeros : {TILE}) -> {TILE}"]


def write_ops(ops, body, names, suffix):
    """Lines for `ops`; `names` says what the values of the body are called, and
    is extended."""
    lines = []
    for name, kind, operands in ops:
        names[name] = f"%{name}{suffix}"
        lines += write_op(kind, names[name], [names[o] for o in operands],
                          body.types[name])
    return lines


def slice_of(value, index, type):
    shape = type[len("tensor<"):]
    return (f"%{value}[{index}, 0, 0] [1, 4, 4] [1, 1, 1]",
            lambda trips: f"tensor<{trips}x{shape}")


def write_function(name, body, trips, lines):
    weights = WEIGHTS.format(trips)
    arguments = [f"%x: {TILE}", f"%ws: {weights}"]
    arguments += [f"%{h}_in: {TILE}" for h in body.carried]
    arguments += [f"%{g}_in: {TILE} {{rng.cotangent}}" for g in body.cotangents]
    results = [TILE] * len(body.carried)
    results += [f"{TILE} {{rng.gradient}}"] * len(body.cotangents)
    constants = [f"%zeros = arith.constant dense<0.0> : {TILE}",
                 f"%half = arith.constant dense<0.5> : {TILE}",
                 "%p = arith.constant 0.75 : f32",
                 "%c0 = arith.constant 0 : index",
                 "%c1 = arith.constant 1 : index",
                 f"%trips = arith.constant {trips} : index",
                 f"%last = arith.constant {trips - 1} : index"]
    text = f"func.func @{name}({', '.join(arguments)}) -> ({', '.join(results)}) {{\n"
    return text + "".join(f"  {line}\n" for line in constants + lines) + "}\n"


def write_loops(name, body, trips):
    lines = []
    tape_type = lambda value: slice_of("", "", body.types[value])[1](trips)
    for tape in body.tapes:
        lines.append(f"%{tape}_tape = tensor.empty() : {tape_type(tape)}")
    results = [f"{h}_out" for h in body.carried]
    results += [f"{tape}_all" for tape in body.tapes]
    inits = [f"%{h} = %{h}_in" for h in body.carried]
    inits += [f"%{tape}_old = %{tape}_tape" for tape in body.tapes]
    types = [TILE] * len(body.carried) + [tape_type(t) for t in body.tapes]
    lines.append(", ".join(f"%{result}" for result in results) +
                 " = scf.for %i = %c0 to %trips step %c1 "
                 f"iter_args({', '.join(inits)}) -> ({', '.join(types)}) {{")
    read_weights = (f"%w = tensor.extract_slice {slice_of('ws', '%{}', TILE)[0]} "
                    f": {WEIGHTS.format(trips)} to {TILE}")
    names = {"x": "%x", "w": "%w", **{h: f"%{h}" for h in body.carried}}
    inner = [read_weights.format("i")]
    inner += write_ops(body.forward, body, names, "")
    for tape in body.tapes:
        inner.append(f"%{tape}_new = tensor.insert_slice {names[tape]} into "
                     f"{slice_of(tape + '_old', '%i', body.types[tape])[0]} : "
                     f"{body.types[tape]} into {tape_type(tape)}")
    yielded = [names[value] for value in body.yields]
    yielded += [f"%{tape}_new" for tape in body.tapes]
    inner.append(f"scf.yield {', '.join(yielded)} : {', '.join(types)}")
    lines += ["  " + line for line in inner] + ["}"]

    inits = [f"%{g} = %{g}_in" for g in body.cotangents]
    types = [TILE] * len(body.cotangents)
    lines.append(", ".join(f"%{g}_out" for g in body.cotangents) +
                 " = scf.for %k = %c0 to %trips step %c1 "
                 f"iter_args({', '.join(inits)}) -> ({', '.join(types)}) {{")
    inner = ["%j = arith.subi %last, %k : index"] if body.reverse else []
    index = "j" if body.reverse else "k"
    inner.append(read_weights.format(index))
    names = {"x": "%x", "w": "%w", **{g: f"%{g}" for g in body.cotangents}}
    for tape in body.tapes:
        names[tape] = f"%{tape}_read"
        inner.append(f"%{tape}_read = tensor.extract_slice "
                     f"{slice_of(tape + '_all', '%' + index, body.types[tape])[0]} : "
                     f"{tape_type(tape)} to {body.types[tape]}")
    inner += write_ops(body.backward, body, names, "")
    yielded = [names[value] for value in body.gradients]
    inner.append(f"scf.yield {', '.join(yielded)} : {', '.join(types)}")
    lines += ["  " + line for line in inner] + ["}"]
    returned = [f"%{h}_out" for h in body.carried]
    returned += [f"%{g}_out" for g in body.cotangents]
    lines.append(f"return {', '.join(returned)} : "
                 f"{', '.join([TILE] * len(returned))}")
    return write_function(name, body, trips, lines)


def write_unrolled(name, body, trips):
    lines, taped = [], []
    read_weights = "tensor.extract_slice {} : " + f"{WEIGHTS.format(trips)} to {TILE}"
    carried = {h: f"%{h}_in" for h in body.carried}
    for i in range(trips):
        lines.append(f"%w_f{i} = " + read_weights.format(slice_of("ws", i, TILE)[0]))
        names = {"x": "%x", "w": f"%w_f{i}", **carried}
        lines += write_ops(body.forward, body, names, f"_{i}")
        taped.append({tape: names[tape] for tape in body.tapes})
        carried = dict(zip(body.carried, [names[v] for v in body.yields]))
    cotangents = {g: f"%{g}_in" for g in body.cotangents}
    for k in range(trips):
        j = trips - 1 - k if body.reverse else k
        lines.append(f"%w_b{k} = " + read_weights.format(slice_of("ws", j, TILE)[0]))
        names = {"x": "%x", "w": f"%w_b{k}", **cotangents, **taped[j]}
        lines += write_ops(body.backward, body, names, f"_{k}")
        cotangents = dict(zip(body.cotangents, [names[v] for v in body.gradients]))
    returned = list(carried.values()) + list(cotangents.values())
    lines.append(f"return {', '.join(returned)} : "
                 f"{', '.join([TILE] * len(returned))}")
    return write_function(name, body, trips, lines)
