#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a training step of GPT-2 as one joint function.

    benchmarks/gpt2.py [--layers 12] [--batch 8] [--seq 1024] [--width 768]
        [--heads 12] [--vocab 50257] [--dropout 0.1] [--dtype f32|bf16]
        [--save-draws] [-o FILE]

Without options it is GPT-2 small. `@gpt2` takes token ids, the ids to predict,
the weights (`rng.persistent`) and the cotangent of the loss (`rng.cotangent`),
and returns the loss, the mean cross entropy, and the gradient of each weight
(`rng.gradient`). Dropout is where GPT-2 has it: on the embeddings, on the
attention probabilities, and on what attention and MLP add to the residual
stream. The draws are stateful (`rng.bernoulli`), so

    benchmarks/gpt2.py | rng-opt --rng-thread-state --rng-partition

With `--dtype bf16`, weights are kept in f32 and cast to bf16 where they are
used, products take bf16 and accumulate in f32, and the residual stream, layer
norm, softmax and loss are f32.

With `--vocab 0` the lookup of tokens and the output layer are left out: the
function takes embedded tokens and returns the hidden states after the last
layer norm, and the cotangent is theirs.

`--save-draws` marks each draw `rng.save`, for the customary partition in which
masks are saved.

The backward comes from a small reverse mode: each function that emits a piece
of the forward leaves a function behind that emits its derivative.
"""

import argparse
import math
import sys


class Value:
    """An SSA value: a tensor, or the scalar kinds that are written by hand."""

    def __init__(self, name, shape, dtype):
        self.name, self.shape, self.dtype = name, tuple(shape), dtype

    @property
    def type(self):
        return tensor(self.shape, self.dtype)


def tensor(shape, dtype):
    return "tensor<" + "".join(f"{size}x" for size in shape) + f"{dtype}>"


def dims(count):
    return ", ".join(f"d{i}" for i in range(count))


def parallel(count):
    return "[" + ", ".join(['"parallel"'] * count) + "]"


class Emitter:
    """Tensor ops, each a line of text, and a tape for the reverse mode."""

    def __init__(self, options):
        self.options = options
        self.constants, self.lines = [], []
        self.cache = {}
        # How often a name was asked for; regions have names of their own.
        self.used = dict.fromkeys(
            ("after before column d e goal hit id key n next o p query r rest "
             "row s seen t").split(), 1)
        self.tape, self.gradients = [], {}

    # Names and constants.

    def new(self, hint, shape, dtype):
        count = self.used.get(hint, 0)
        self.used[hint] = count + 1
        return Value(f"%{hint}_{count}" if count else f"%{hint}", shape, dtype)

    def emit(self, text):
        self.lines.append(text)

    def once(self, key, hint, shape, dtype, text):
        """A value at the top of the function, shared by all that ask."""
        if key not in self.cache:
            value = self.new(hint, shape, dtype)
            self.constants.append(f"{value.name} = {text(value)}")
            self.cache[key] = value
        return self.cache[key]

    def scalar(self, number, dtype):
        text = f"{number:.9e}" if isinstance(number, float) else number
        return self.once(("scalar", number, dtype), "c", (), dtype,
                         lambda v: f"arith.constant {text} : {dtype}")

    def splat(self, number, shape, dtype):
        return self.once(
            ("splat", number, shape, dtype), "cst", shape, dtype,
            lambda v: f"arith.constant dense<{number:.9e}> : {v.type}")

    def empty(self, shape, dtype):
        return self.once(("empty", shape, dtype), "empty", shape, dtype,
                         lambda v: f"tensor.empty() : {v.type}")

    def filled(self, number, shape, dtype):
        element = self.scalar(number, dtype)
        empty = self.empty(shape, dtype)
        return self.once(
            ("fill", number, shape, dtype), "init", shape, dtype,
            lambda v: f"linalg.fill ins({element.name} : {dtype}) "
                      f"outs({empty.name} : {v.type}) -> {v.type}")

    # Ops.

    def elementwise(self, op, hint, *operands):
        out = self.new(hint, operands[0].shape, operands[0].dtype)
        names = ", ".join(value.name for value in operands)
        self.emit(f"{out.name} = {op} {names} : {out.type}")
        return out

    def add(self, a, b, hint="sum"):
        return self.elementwise("arith.addf", hint, a, b)

    def sub(self, a, b, hint="diff"):
        return self.elementwise("arith.subf", hint, a, b)

    def mul(self, a, b, hint="prod"):
        return self.elementwise("arith.mulf", hint, a, b)

    def scale(self, a, number, hint="scaled"):
        return self.mul(a, self.splat(number, a.shape, a.dtype), hint)

    def convert(self, a, dtype, hint="cast"):
        if a.dtype == dtype:
            return a
        out = self.new(hint, a.shape, dtype)
        op = "arith.extf" if dtype == "f32" else "arith.truncf"
        self.emit(f"{out.name} = {op} {a.name} : {a.type} to {out.type}")
        return out

    def select(self, condition, a, b, hint):
        out = self.new(hint, a.shape, a.dtype)
        self.emit(f"{out.name} = arith.select {condition.name}, {a.name}, "
                  f"{b.name} : {condition.type}, {a.type}")
        return out

    def broadcast(self, a, shape, new_dims, hint="rows"):
        out = self.new(hint, shape, a.dtype)
        empty = self.empty(out.shape, a.dtype)
        self.emit(f"{out.name} = linalg.broadcast ins({a.name} : {a.type}) "
                  f"outs({empty.name} : {out.type}) dimensions = {new_dims}")
        return out

    def reduce(self, op, a, over, hint):
        shape = tuple(n for i, n in enumerate(a.shape) if i not in over)
        start = 0.0 if op == "arith.addf" else -1e30
        out = self.new(hint, shape, a.dtype)
        init = self.filled(start, shape, a.dtype)
        self.emit(f"{out.name} = linalg.reduce {{ {op} }} ins({a.name} : "
                  f"{a.type}) outs({init.name} : {out.type}) "
                  f"dimensions = {over}")
        return out

    def total(self, a, over, hint="total"):
        return self.reduce("arith.addf", a, over, hint)

    def matmul(self, a, b, form, dtype, hint):
        """a b for the form "nn", a b^T for "nt", a^T b for "tn", batched or
        not: accumulated in f32, then cast."""
        batch = ["b"] if len(a.shape) == 3 else []
        maps = {"nn": ("ik", "kj"), "nt": ("ik", "jk"), "tn": ("ki", "kj")}
        every = ", ".join(batch + ["i", "j", "k"])
        attribute = ", ".join(
            f"affine_map<({every}) -> ({', '.join(batch + list(indices))})>"
            for indices in maps[form] + ("ij",))
        rows, columns = a.shape[-2:], b.shape[-2:]
        shape = a.shape[:-2] + (rows[form[0] == "t"], columns[form[1] == "n"])
        init = self.filled(0.0, shape, "f32")
        out = self.new(hint, shape, "f32")
        name = "linalg.batch_matmul" if batch else "linalg.matmul"
        self.emit(f"{out.name} = {name} indexing_maps = [{attribute}] "
                  f"ins({a.name}, {b.name} : {a.type}, {b.type}) "
                  f"outs({init.name} : {out.type}) -> {out.type}")
        return self.convert(out, dtype, hint + "_low")

    def transpose(self, a, permutation, hint="transposed"):
        out = self.new(hint, [a.shape[i] for i in permutation], a.dtype)
        empty = self.empty(out.shape, out.dtype)
        self.emit(f"{out.name} = linalg.transpose ins({a.name} : {a.type}) "
                  f"outs({empty.name} : {out.type}) "
                  f"permutation = {list(permutation)}")
        return out

    def reshape(self, a, shape, groups, hint="view"):
        out = self.new(hint, shape, a.dtype)
        if len(shape) < len(a.shape):
            self.emit(f"{out.name} = tensor.collapse_shape {a.name} {groups} : "
                      f"{a.type} into {out.type}")
        else:
            self.emit(f"{out.name} = tensor.expand_shape {a.name} {groups} "
                      f"output_shape {list(shape)} : {a.type} into {out.type}")
        return out

    # The reverse mode.

    def record(self, out, derivative):
        """`derivative` is to emit what the cotangent of `out` adds to those of
        the values that `out` is computed from."""
        self.tape.append((out, derivative))
        return out

    def accumulate(self, value, cotangent):
        before = self.gradients.get(value.name)
        self.gradients[value.name] = (
            cotangent if before is None
            else self.add(before, cotangent, "d" + value.name[1:]))

    def run_tape(self, out, cotangent):
        self.gradients[out.name] = cotangent
        for value, derivative in reversed(self.tape):
            derivative(self.gradients[value.name])


class Gpt2(Emitter):
    """The layers, each with its derivative."""

    def __init__(self, options):
        super().__init__(options)
        self.low = options.dtype
        self.arguments, self.weights = [], []

    def argument(self, name, shape, dtype, attribute=""):
        value = self.new(name, shape, dtype)
        self.arguments.append(f"{value.name}: {value.type}{attribute}")
        return value

    def weight(self, name, *shape):
        value = self.argument(name, shape, "f32", " {rng.persistent}")
        self.weights.append(value)
        return value

    def cast(self, a, dtype, hint="cast"):
        if a.dtype == dtype:
            return a
        out = self.convert(a, dtype, hint)
        return self.record(
            out, lambda d: self.accumulate(a, self.convert(d, a.dtype)))

    def dropout(self, x, hint):
        keep_rate = 1.0 - self.options.dropout
        if keep_rate == 1.0:
            return x
        keep = self.new(hint + "_keep", x.shape, "i1")
        p = self.scalar(keep_rate, "f32")
        save = " {rng.save}" if self.options.save_draws else ""
        self.emit(f"{keep.name} = rng.bernoulli prob({p.name}){save} : "
                  f"{keep.type}")
        zero = self.splat(0.0, x.shape, x.dtype)
        scaled = self.scale(x, 1.0 / keep_rate)
        out = self.select(keep, scaled, zero, hint)

        def derivative(d):
            kept = self.select(keep, d, zero, "d_" + hint)
            self.accumulate(x, self.scale(kept, 1.0 / keep_rate))
        return self.record(out, derivative)

    def residual(self, x, branch):
        wide = self.cast(branch, "f32")
        out = self.add(x, wide, "residual")

        def derivative(d):
            self.accumulate(x, d)
            self.accumulate(wide, d)
        return self.record(out, derivative)

    def linear(self, x, w, b, hint):
        w, b = self.cast(w, self.low, "w_low"), self.cast(b, self.low, "b_low")
        product = self.matmul(x, w, "nn", self.low, hint + "_product")
        out = self.add(product, self.broadcast(b, product.shape, [0]), hint)

        def derivative(d):
            wide = self.convert(d, "f32")
            self.accumulate(
                b, self.convert(self.total(wide, [0], "d_bias"), b.dtype))
            self.accumulate(w, self.matmul(x, d, "tn", w.dtype, "d_weight"))
            self.accumulate(x, self.matmul(d, w, "nt", x.dtype, "d_input"))
        return self.record(out, derivative)

    def layer_norm(self, x, gain, bias, hint):
        rows, width = x.shape
        columns = lambda v: self.broadcast(v, x.shape, [1], "columns")
        mean = self.scale(self.total(x, [1]), 1.0 / width, hint + "_mean")
        centred = self.sub(x, columns(mean), hint + "_centred")
        squares = self.mul(centred, centred, "squares")
        variance = self.scale(self.total(squares, [1]), 1.0 / width,
                              hint + "_variance")
        eps = self.splat(1e-5, (rows,), "f32")
        slope = self.elementwise("math.rsqrt", hint + "_slope",
                                 self.add(variance, eps))
        normal = self.mul(centred, columns(slope), hint + "_normal")
        gain_rows = self.broadcast(gain, x.shape, [0])
        out = self.add(self.mul(normal, gain_rows),
                       self.broadcast(bias, x.shape, [0]), hint)

        # y = n s g + b with n = x - mean and s = 1 / deviation:
        # dx = s (dn - mean(dn) - n s mean(dn n s)), where dn = dy g.
        def derivative(d):
            self.accumulate(gain, self.total(self.mul(d, normal), [0]))
            self.accumulate(bias, self.total(d, [0]))
            d_normal = self.mul(d, gain_rows, "d_normal")
            average = self.scale(self.total(d_normal, [1]), 1.0 / width)
            along = self.scale(self.total(self.mul(d_normal, normal), [1]),
                               1.0 / width)
            flat = self.sub(d_normal, columns(average))
            straight = self.sub(flat, self.mul(normal, columns(along)))
            self.accumulate(x, self.mul(straight, columns(slope), "d_" + hint))
        return self.record(out, derivative)

    def gelu(self, h):
        """h / 2 (1 + t) with t = tanh(root (h + cubic h^3))."""
        root, cubic = math.sqrt(2 / math.pi), 0.044715
        one = self.splat(1.0, h.shape, h.dtype)
        square = self.mul(h, h, "square")
        cube = self.scale(self.mul(square, h), cubic, "cube")
        inner = self.scale(self.add(h, cube), root, "inner")
        t = self.elementwise("math.tanh", "tanh", inner)
        up = self.add(t, one)
        half = self.scale(h, 0.5, "half")
        out = self.mul(half, up, "gelu")

        # (1 + t) / 2 + h / 2 (1 - t^2) root (1 + 3 cubic h^2).
        def derivative(d):
            steep = self.sub(one, self.mul(t, t))
            bend = self.scale(
                self.add(self.scale(square, 3 * cubic), one), root)
            slope = self.add(self.scale(up, 0.5),
                             self.mul(half, self.mul(steep, bend)), "slope")
            self.accumulate(h, self.mul(d, slope, "d_gelu"))
        return self.record(out, derivative)

    def heads(self, x):
        """batch * seq x width to batch * heads x seq x width / heads."""
        o = self.options
        size = o.width // o.heads
        split = self.reshape(x, (o.batch, o.seq, o.heads, size),
                             "[[0, 1], [2, 3]]")
        turned = self.transpose(split, (0, 2, 1, 3))
        return self.reshape(turned, (o.batch * o.heads, o.seq, size),
                            "[[0, 1], [2], [3]]")

    def unheads(self, x):
        o = self.options
        size = o.width // o.heads
        split = self.reshape(x, (o.batch, o.heads, o.seq, size),
                             "[[0, 1], [2], [3]]")
        turned = self.transpose(split, (0, 2, 1, 3))
        return self.reshape(turned, (o.batch * o.seq, o.width),
                            "[[0, 1], [2, 3]]")

    def split(self, qkv):
        """The queries, keys and values, by head."""
        rows, width = qkv.shape[0], qkv.shape[1] // 3
        parts = []
        for i, hint in enumerate(("q", "k", "v")):
            part = self.new(hint, (rows, width), qkv.dtype)
            self.emit(f"{part.name} = tensor.extract_slice {qkv.name}"
                      f"[0, {i * width}] [{rows}, {width}] [1, 1] : {qkv.type} "
                      f"to {part.type}")
            parts.append(self.heads(part))

        def derivative(_):
            whole = self.empty(qkv.shape, qkv.dtype)
            for i, part in enumerate(parts):
                d = self.unheads(self.gradients[part.name])
                out = self.new("d_qkv", qkv.shape, qkv.dtype)
                self.emit(f"{out.name} = tensor.insert_slice {d.name} into "
                          f"{whole.name}[0, {i * width}] [{rows}, {width}] "
                          f"[1, 1] : {d.type} into {out.type}")
                whole = out
            self.accumulate(qkv, whole)
        self.record(parts[0], derivative)
        return parts

    def causal(self, scores):
        """Where the key is later than the query: a probability of zero, and so
        a derivative of zero as it is."""
        rank = len(scores.shape)
        low = self.scalar(-1e30, "f32")
        empty = self.empty(scores.shape, "f32")
        out = self.new("causal", scores.shape, "f32")
        every = f"affine_map<({dims(rank)}) -> ({dims(rank)})>"
        self.emit(f"""{out.name} = linalg.generic {{
      indexing_maps = [{every}, {every}],
      iterator_types = {parallel(rank)}}}
      ins({scores.name} : {scores.type}) outs({empty.name} : {out.type}) {{
  ^bb0(%s: f32, %o: f32):
    %query = linalg.index {rank - 2} : index
    %key = linalg.index {rank - 1} : index
    %seen = arith.cmpi ule, %key, %query : index
    %r = arith.select %seen, %s, {low.name} : f32
    linalg.yield %r : f32
  }} -> {out.type}""")
        return self.record(out, lambda d: self.accumulate(scores, d))

    def softmax(self, x):
        columns = lambda v: self.broadcast(v, x.shape, [len(x.shape) - 1],
                                           "columns")
        last = [len(x.shape) - 1]
        most = self.reduce("arith.maximumf", x, last, "most")
        e = self.elementwise("math.exp", "exp", self.sub(x, columns(most)))
        out = self.elementwise("arith.divf", "probabilities", e,
                               columns(self.total(e, last)))

        # p (d - sum(d p)).
        def derivative(d):
            along = self.total(self.mul(d, out), last)
            self.accumulate(x, self.mul(out, self.sub(d, columns(along)),
                                        "d_scores"))
        return self.record(out, derivative)

    def product(self, a, b, form, dtype, hint):
        """A product of two activations."""
        out = self.matmul(a, b, form, dtype, hint)

        def derivative(d):
            if form == "nt":
                d_a = self.matmul(d, b, "nn", a.dtype, "d_left")
                d_b = self.matmul(d, a, "tn", b.dtype, "d_right")
            else:
                d_a = self.matmul(d, b, "nt", a.dtype, "d_left")
                d_b = self.matmul(a, d, "tn", b.dtype, "d_right")
            self.accumulate(a, d_a)
            self.accumulate(b, d_b)
        return self.record(out, derivative)

    def attention(self, qkv):
        q, k, v = self.split(qkv)
        scores = self.cast(self.product(q, k, "nt", self.low, "scores"), "f32")
        factor = 1.0 / math.sqrt(q.shape[2])
        scaled = self.scale(scores, factor)
        self.record(scaled, lambda d: self.accumulate(
            scores, self.scale(d, factor)))
        p = self.cast(self.softmax(self.causal(scaled)), self.low)
        mixed = self.product(self.dropout(p, "attention"), v, "nn", self.low,
                             "mixed")
        out = self.unheads(mixed)
        return self.record(
            out, lambda d: self.accumulate(mixed, self.heads(d)))

    def block(self, x, i):
        o = self.options
        w = lambda name, *shape: self.weight(f"{name}{i}", *shape)
        a = self.layer_norm(x, w("norm_a_gain", o.width),
                            w("norm_a_bias", o.width), f"norm_a{i}")
        qkv = self.linear(self.cast(a, self.low),
                          w("w_qkv", o.width, 3 * o.width),
                          w("b_qkv", 3 * o.width), f"qkv{i}")
        a = self.linear(self.attention(qkv), w("w_proj", o.width, o.width),
                        w("b_proj", o.width), f"proj{i}")
        x = self.residual(x, self.dropout(a, f"proj{i}_dropped"))
        m = self.layer_norm(x, w("norm_m_gain", o.width),
                            w("norm_m_bias", o.width), f"norm_m{i}")
        m = self.gelu(self.linear(self.cast(m, self.low),
                                  w("w_up", o.width, 4 * o.width),
                                  w("b_up", 4 * o.width), f"up{i}"))
        m = self.linear(m, w("w_down", 4 * o.width, o.width),
                        w("b_down", o.width), f"down{i}")
        return self.residual(x, self.dropout(m, f"down{i}_dropped"))

    def wrapped(self, name):
        """Ids are taken modulo the vocabulary, so that any are valid."""
        vocab = self.scalar(self.options.vocab, "i32")
        return (f"%id = arith.remui {name}, {vocab.name} : i32\n"
                f"    %row = arith.index_cast %id : i32 to index")

    def lookup(self, tokens, table):
        rows, width = tokens.shape[0], table.shape[1]
        empty = self.empty((rows, width), "f32")
        out = self.new("looked_up", (rows, width), "f32")
        self.emit(f"""{out.name} = linalg.generic {{
      indexing_maps = [affine_map<(d0, d1) -> (d0)>,
                       affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = {parallel(2)}}}
      ins({tokens.name} : {tokens.type}) outs({empty.name} : {out.type}) {{
  ^bb0(%t: i32, %o: f32):
    {self.wrapped("%t")}
    %column = linalg.index 1 : index
    %e = tensor.extract {table.name}[%row, %column] : {table.type}
    linalg.yield %e : f32
  }} -> {out.type}""")

        # Rows may repeat: added one after the other.
        def derivative(d):
            start = self.gradients.get(
                table.name, self.filled(0.0, table.shape, "f32"))
            begin, end, step = (self.scalar(n, "index") for n in (0, rows, 1))
            total = self.new("d_table", table.shape, "f32")
            row = tensor((1, width), "f32")
            self.emit(f"""{total.name} = scf.for %n = {begin.name} to \
{end.name} step {step.name}
      iter_args(%rest = {start.name}) -> ({total.type}) {{
    %t = tensor.extract {tokens.name}[%n] : {tokens.type}
    {self.wrapped("%t")}
    %d = tensor.extract_slice {d.name}[%n, 0] [1, {width}] [1, 1]
        : {d.type} to {row}
    %before = tensor.extract_slice %rest[%row, 0] [1, {width}] [1, 1]
        : {total.type} to {row}
    %after = arith.addf %before, %d : {row}
    %next = tensor.insert_slice %after into %rest[%row, 0] [1, {width}] [1, 1]
        : {row} into {total.type}
    scf.yield %next : {total.type}
  }}""")
            self.gradients[table.name] = total
        return self.record(out, derivative)

    def positions(self, x, table):
        o = self.options
        every = self.broadcast(table, (o.batch, o.seq, o.width), [0])
        flat = self.reshape(every, x.shape, "[[0, 1], [2]]")
        out = self.add(x, flat, "embedded")

        def derivative(d):
            self.accumulate(x, d)
            split = self.reshape(d, (o.batch, o.seq, o.width),
                                 "[[0, 1], [2]]")
            self.accumulate(table, self.total(split, [0]))
        return self.record(out, derivative)

    def loss(self, logits, targets):
        """The mean of log(sum(exp(logits))) - logits[target]."""
        rows, vocab = logits.shape
        columns = lambda v: self.broadcast(v, logits.shape, [1], "columns")
        most = self.reduce("arith.maximumf", logits, [1], "most")
        e = self.elementwise("math.exp", "exp", self.sub(logits, columns(most)))
        log = self.add(
            self.elementwise("math.log", "log", self.total(e, [1])), most,
            "log_total")
        empty = self.empty((rows,), "f32")
        picked = self.new("picked", (rows,), "f32")
        row_map = "affine_map<(d0) -> (d0)>"
        self.emit(f"""{picked.name} = linalg.generic {{
      indexing_maps = [{row_map}, {row_map}],
      iterator_types = {parallel(1)}}}
      ins({targets.name} : {targets.type}) outs({empty.name} : {picked.type}) {{
  ^bb0(%t: i32, %o: f32):
    {self.wrapped("%t")}
    %n = linalg.index 0 : index
    %e = tensor.extract {logits.name}[%n, %row] : {logits.type}
    linalg.yield %e : f32
  }} -> {picked.type}""")
        out = self.scale(self.total(self.sub(log, picked), [0]), 1.0 / rows,
                         "loss")

        # (softmax(logits) - (1 at the target)) / rows.
        def derivative(d):
            p = self.elementwise("math.exp", "exp",
                                 self.sub(logits, columns(log)))
            share = self.broadcast(self.scale(d, 1.0 / rows), logits.shape,
                                   [0, 1])
            one, zero = self.scalar(1.0, "f32"), self.scalar(0.0, "f32")
            hole = self.empty(logits.shape, "f32")
            off = self.new("off", logits.shape, "f32")
            every = "affine_map<(d0, d1) -> (d0, d1)>"
            self.emit(f"""{off.name} = linalg.generic {{
      indexing_maps = [{every}, affine_map<(d0, d1) -> (d0)>, {every}],
      iterator_types = {parallel(2)}}}
      ins({p.name}, {targets.name} : {p.type}, {targets.type})
      outs({hole.name} : {off.type}) {{
  ^bb0(%p: f32, %t: i32, %o: f32):
    {self.wrapped("%t")}
    %column = linalg.index 1 : index
    %hit = arith.cmpi eq, %row, %column : index
    %goal = arith.select %hit, {one.name}, {zero.name} : f32
    %r = arith.subf %p, %goal : f32
    linalg.yield %r : f32
  }} -> {off.type}""")
            self.accumulate(logits, self.mul(off, share, "d_logits"))
        return self.record(out, derivative)

    def write(self, file):
        o = self.options
        rows = o.batch * o.seq
        tokens = self.argument("tokens", (rows,) if o.vocab
                               else (rows, o.width),
                               "i32" if o.vocab else "f32")
        if o.vocab:
            targets = self.argument("targets", (rows,), "i32")
            table = self.weight("token_table", o.vocab, o.width)
        place_table = self.weight("position_table", o.seq, o.width)
        if o.vocab:
            x = self.lookup(tokens, table)
        else:
            x = tokens
            self.weights.insert(0, tokens)
        x = self.dropout(self.positions(x, place_table), "embedding")
        for i in range(o.layers):
            x = self.block(x, i)
        out = self.layer_norm(x, self.weight("norm_gain", o.width),
                              self.weight("norm_bias", o.width), "norm")
        if o.vocab:
            h = self.cast(out, self.low)
            # The output layer uses the table of the input.
            narrow = self.cast(table, self.low, "table_low")
            logits = self.cast(
                self.product(h, narrow, "nt", self.low, "logits"), "f32")
            out = self.loss(logits, targets)
        cotangent = self.argument("d_out", out.shape, "f32",
                                  " {rng.cotangent}")
        self.emit("// Backward.")
        self.run_tape(out, cotangent)

        gradients = [self.gradients[w.name] for w in self.weights]
        types = ", ".join(value.type for value in [out] + gradients)
        print("func.func @gpt2(", file=file)
        print(",\n".join("    " + a for a in self.arguments), file=file)
        results = [out.type] + [v.type + " {rng.gradient}" for v in gradients]
        print("  ) -> (", file=file)
        print(",\n".join("    " + r for r in results), file=file)
        print("  ) {", file=file)
        for line in self.constants + ["// Forward."] + self.lines:
            print("  " + line, file=file)
        names = ", ".join(value.name for value in [out] + gradients)
        print(f"  return {names}\n      : {types}\n}}", file=file)


def add_shape_options(parser):
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--seq", type=int, default=1024)
    parser.add_argument("--width", type=int, default=768)
    parser.add_argument("--heads", type=int, default=12)
    parser.add_argument("--vocab", type=int, default=50257)
    parser.add_argument("--dropout", type=float, default=0.1)


def check_shape_options(parser, options):
    for name in ("batch", "seq", "width", "heads"):
        if getattr(options, name) < 1:
            parser.error(f"expected --{name} to be positive")
    if options.layers < 0:
        parser.error("expected --layers to be positive or 0")
    if options.vocab < 0:
        parser.error("expected --vocab to be positive, or 0 for none")
    if options.width % options.heads:
        parser.error("expected --width to be a multiple of --heads")
    if not 0.0 <= options.dropout < 1.0:
        parser.error("expected --dropout to be in [0, 1)")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add_shape_options(parser)
    parser.add_argument("--dtype", choices=("f32", "bf16"), default="f32")
    parser.add_argument("--save-draws", action="store_true")
    parser.add_argument("-o", "--output", default="-")
    options = parser.parse_args()
    check_shape_options(parser, options)
    model = Gpt2(options)
    if options.output == "-":
        model.write(sys.stdout)
    else:
        with open(options.output, "w", encoding="utf-8") as file:
            model.write(file)


if __name__ == "__main__":
    main()
