#!/usr/bin/env python3
# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a joint function of layers with a residual stream.

    residual-layers.py LAYERS STAGES

Each layer is h' = relu(h + relu(h) w) (h is f32, the product bf16), as in a
ResNet whose convolutions are products. Each of the stages has layers of half
the width of the one before; the first layer of a stage projects the stream,
h' = relu(h) w. The stream begins with a product of the input. All weights but
that of this product have a gradient.
"""

import sys

ROWS, WIDTH = 64, 128

layers, stages = int(sys.argv[1]), int(sys.argv[2])
arguments, results, lines, gradients = [], [], [], []
constants = {}
count = 0


def emit(text):
    """Adds an op and returns the name of its result."""
    global count
    count += 1
    lines.append(f"  %{count} = {text}")
    return f"%{count}"


def tensor(shape, kind):
    return f"tensor<{shape[0]}x{shape[1]}x{kind}>"


def zero(shape, kind):
    """Of which there is one for each type."""
    key = tensor(shape, kind)
    if key not in constants:
        constants[key] = f"%zero{len(constants)}"
    return constants[key]


def cast(value, shape, narrow):
    a, b = tensor(shape, "f32"), tensor(shape, "bf16")
    return emit(f"arith.truncf {value} : {a} to {b}" if narrow
                else f"arith.extf {value} : {b} to {a}")


def matmul(a, a_shape, b, b_shape, maps=""):
    """a b, or with the maps of a transposed product; all bf16."""
    rows = a_shape[1] if maps == "tn" else a_shape[0]
    columns = b_shape[0] if maps == "nt" else b_shape[1]
    d = {"nt": "#nt", "tn": "#tn"}.get(maps)
    attribute = f"indexing_maps = {d} " if d else ""
    out = tensor((rows, columns), "bf16")
    return emit(f"linalg.matmul {attribute}ins({a}, {b} : "
                f"{tensor(a_shape, 'bf16')}, {tensor(b_shape, 'bf16')}) "
                f"outs({zero((rows, columns), 'bf16')} : {out}) -> {out}")


def relu(value, shape):
    """Returns the result and what takes its cotangent to that of `value`."""
    t = tensor(shape, "f32")
    result = emit(f"arith.maximumf {value}, {zero(shape, 'f32')} : {t}")

    def backward(cotangent):
        mask = emit(f"arith.cmpf ogt, {value}, {zero(shape, 'f32')} : {t}")
        return emit(f"arith.select {mask}, {cotangent}, "
                    f"{zero(shape, 'f32')} : "
                    f"{tensor(shape, 'i1')}, {t}")
    return result, backward


def layer(h, width, out_width, index):
    shape, out = (ROWS, width), (ROWS, out_width)
    weights = (width, out_width)
    arguments.append(f"%w{index}: {tensor(weights, 'bf16')} {{rng.persistent}}")
    active, inner = relu(h, shape)
    narrow = cast(active, shape, True)
    product = cast(matmul(narrow, shape, f"%w{index}", weights), out, False)
    isProjection = width != out_width
    total = product if isProjection else emit(
        f"arith.addf {h}, {product} : {tensor(out, 'f32')}")
    result, outer = relu(total, out)

    def backward(cotangent):
        d = outer(cotangent)
        d16 = cast(d, out, True)
        gradients.append((matmul(narrow, shape, d16, out, "tn"), weights))
        da = matmul(d16, out, f"%w{index}", weights, "nt")
        dh = inner(cast(da, shape, False))
        return dh if isProjection else emit(
            f"arith.addf {dh}, {d} : {tensor(shape, 'f32')}")
    return result, backward


shape = (ROWS, WIDTH)
arguments.append(f"%stem: {tensor((WIDTH, WIDTH), 'bf16')} {{rng.persistent}}")
h = cast(matmul("%x", shape, "%stem", (WIDTH, WIDTH)), shape, False)
tape, width = [], WIDTH
for index in range(layers):
    stage = index * stages // layers
    out_width = max(WIDTH >> stage, 1)
    h, backward = layer(h, width, out_width, index)
    tape.append(backward)
    width = out_width
cotangent = "%d"
for backward in reversed(tape):
    cotangent = backward(cotangent)
last = tensor((ROWS, width), "f32")
first = tensor((ROWS, WIDTH), "f32")
print("#nt = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,"
      " affine_map<(i, j, k) -> (i, j)>]")
print("#tn = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>,"
      " affine_map<(i, j, k) -> (i, j)>]")
print(f"func.func @layers(%x: {tensor(shape, 'bf16')} {{rng.persistent}}, "
      f"{', '.join(arguments)}, "
      f"%d: {last} {{rng.cotangent}})")
types = [tensor(shape, "bf16") for _, shape in gradients]
print(f"    -> ({last}, {first} {{rng.gradient}}, "
      + ", ".join(t + " {rng.gradient}" for t in types) + ") {")
for kind, name in constants.items():
    print(f"  {name} = arith.constant dense<0.0> : {kind}")
print("\n".join(lines))
print(f"  return {h}, {cotangent}, {', '.join(v for v, _ in gradients)} : "
      f"{last}, {first}, {', '.join(types)}")
print("}")
