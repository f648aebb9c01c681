# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a program of reductions that prints the bits of its results (arguments
'program' and 'static' or 'dynamic', for its shapes), or these bits, from the
order of docs/spec.md (argument 'expected'). With a further argument 'small',
only those of few elements."""

import itertools
import math
import struct
import sys

LANES = 256

# Element type, combiner, init. Where the init is -0.0, so are all elements.
ADD = [("f32", "arith.addf", 0.5)]
MORE = [
    ("f16", "arith.addf", 0.5),
    ("bf16", "arith.addf", 0.5),
    ("f64", "arith.addf", 0.5),
    ("i32", "arith.addi", 7),
    ("f32", "arith.addf", -0.0),
    ("f64", "arith.mulf", 0.001),
    ("f32", "arith.maximumf", 10.0),
    ("f32", "arith.minnumf", 10.0),
    ("i32", "arith.maxsi", -100),
]

# Shape, iterators (p or r), types.
CASES = (
    [((2, n), "pr", ADD) for n in (1, 3, 32, 33, 100, 256, 257, 1300)] +
    [((n,), "r", ADD) for n in (5, 700)] +
    [(shape, "rr", ADD) for shape in ((3, 5), (70, 9), (2, 300), (3, 256))] +
    [((2, 3, 50), "prr", ADD), ((3, 20, 33), "prr", ADD),
     ((3, 2, 100), "rpr", ADD), ((3, 4, 40), "ppr", ADD)] +
    [((100, 5), "rp", ADD), ((4, 30, 3), "prp", ADD)] +
    [((3, 0), "pr", ADD), ((0, 5), "pr", ADD), ((0,), "r", ADD)] +
    [((2, 20), "pr", MORE), ((3, 300), "pr", MORE)])

NAMES = {"f16": "F16", "bf16": "BF16", "f32": "F32", "f64": "F64", "i32": "I32"}


def rounded(value, element):
    """`value` in `element`, as a Python number."""
    if element == "i32":
        return (int(value) + 2**31) % 2**32 - 2**31
    if element == "f64" or math.isnan(value):
        return value
    code = {"f16": "e", "f32": "f", "bf16": "f"}[element]
    value = struct.unpack(code, struct.pack(code, value))[0]
    if element == "bf16":
        bits = struct.unpack("I", struct.pack("f", value))[0]
        bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000
        value = struct.unpack("f", struct.pack("I", bits))[0]
    return value


def hexadecimal(value, element):
    if element == "i32":
        return f"{value % 2**32:08x}"
    if element == "bf16":
        return struct.pack(">f", value).hex()[:4]
    return struct.pack({"f16": ">e", "f32": ">f", "f64": ">d"}[element],
                       value).hex()


def element_at(linear, element, init):
    """What `make` in the program computes."""
    k = (linear * 37 + 11) % 1009 - 300
    if element == "i32":
        return k
    if math.copysign(1, init) < 0:
        return init
    product = k * rounded(0.01, "f32")
    return product if element == "f64" else rounded(rounded(product, "f32"),
                                                    element)


def combine(a, b, combiner, element):
    if combiner in ("arith.addf", "arith.addi"):
        return rounded(a + b, element)
    if combiner == "arith.mulf":
        return rounded(a * b, element)
    return max(a, b) if "max" in combiner else min(a, b)


def reduce(values, init, combiner, element, lanes):
    """The value of one result."""
    if not lanes:
        for value in values:
            init = combine(init, value, combiner, element)
        return init
    if not values:
        return init
    partial = list(values[:LANES])
    for i, value in enumerate(values[LANES:]):
        lane = i % LANES
        partial[lane] = combine(partial[lane], value, combiner, element)
    count = len(partial)
    stride = LANES // 2
    while stride:
        for lane in range(min(stride, max(count - stride, 0))):
            partial[lane] = combine(partial[lane], partial[lane + stride],
                                    combiner, element)
        count = min(count, stride)
        stride //= 2
    return combine(init, partial[0], combiner, element)


def cases():
    for shape, kinds, types in CASES:
        if sys.argv[-1] == "small" and math.prod(shape) > 210:
            continue
        for element, combiner, init in types:
            name = (f"{combiner[6:]}_{element}_{kinds}_" +
                    "x".join(map(str, shape)))
            if element != "i32" and math.copysign(1, init) < 0:
                name += "_zeros"
            yield name, shape, kinds, element, combiner, init


def expected():
    for name, shape, kinds, element, combiner, init in cases():
        results = []
        outer = [range(n) if k == "p" else [0] for n, k in zip(shape, kinds)]
        inner = [range(n) if k == "r" else [0] for n, k in zip(shape, kinds)]
        for point in itertools.product(*outer):
            values = []
            for place in itertools.product(*inner):
                linear = 0
                for size, i, j in zip(shape, point, place):
                    linear = linear * size + i + j
                values.append(element_at(linear, element, init))
            results.append(hexadecimal(
                reduce(values, rounded(init, element), combiner, element,
                       kinds[-1] == "r"), element))
        print(f"{name}: " + " ".join(results))


def constant(value, element):
    return str(value) if element == "i32" else f"{value:e}"


def program(dynamic):
    for element, name in sorted(NAMES.items()):
        print(f"func.func private @rngPrintBits{name}(tensor<*x{element}>\n"
              '    {bufferization.access = "read"})\n'
              "    attributes {llvm.emit_c_interface}")
    calls = []
    for name, shape, kinds, element, combiner, init in cases():
        dims = [f"d{i}" for i in range(len(shape))]
        sizes = ["?"] * len(shape) if dynamic else list(map(str, shape))
        full = "x".join(sizes + [element])
        kept = [i for i, k in enumerate(kinds) if k == "p"]
        out = "x".join([sizes[i] for i in kept] + [element])
        args = ", ".join(f"%n{i}: index" for i in range(len(shape)))
        size_args = ", ".join(f"%n{i}" for i in range(len(shape)))
        full_sizes = size_args if dynamic else ""
        out_sizes = ", ".join(f"%n{i}" for i in kept) if dynamic else ""
        iterators = ", ".join(
            '"parallel"' if k == "p" else '"reduction"' for k in kinds)
        loops = "(" + ", ".join(dims) + ")"
        kept_dims = "(" + ", ".join(dims[i] for i in kept) + ")"
        all_parallel = ", ".join(['"parallel"'] * len(shape))
        print(f"func.func private @make_{name}({args}) -> tensor<{full}> {{")
        print(f"  %empty = tensor.empty({full_sizes}) : tensor<{full}>")
        print(f"  %y = linalg.generic {{indexing_maps = [affine_map<{loops} -> "
              f"{loops}>], iterator_types = [{all_parallel}]}} "
              f"outs(%empty : tensor<{full}>) {{")
        print(f"  ^bb0(%old: {element}):")
        print("    %l0 = linalg.index 0 : index")
        last = "%l0"
        for i in range(1, len(shape)):
            print(f"    %m{i} = arith.muli {last}, %n{i} : index")
            print(f"    %i{i} = linalg.index {i} : index")
            print(f"    %l{i} = arith.addi %m{i}, %i{i} : index")
            last = f"%l{i}"
        print("    %c37 = arith.constant 37 : index\n"
              "    %c11 = arith.constant 11 : index\n"
              "    %c1009 = arith.constant 1009 : index\n"
              "    %c300 = arith.constant 300 : i32\n"
              "    %tenth = arith.constant 0.01 : f32\n"
              f"    %a = arith.muli {last}, %c37 : index\n"
              "    %b = arith.addi %a, %c11 : index\n"
              "    %c = arith.remui %b, %c1009 : index\n"
              "    %d = arith.index_cast %c : index to i32\n"
              "    %e = arith.subi %d, %c300 : i32")
        value = "%e"
        if element != "i32":
            print("    %f = arith.sitofp %e : i32 to f32\n"
                  "    %g = arith.mulf %f, %tenth : f32")
            value = "%g"
        if element in ("f16", "bf16"):
            print(f"    %h = arith.truncf %g : f32 to {element}")
            value = "%h"
        if element == "f64":
            # Exact: the product of two f32.
            print("    %tenth64 = arith.extf %tenth : f32 to f64\n"
                  "    %f64 = arith.sitofp %e : i32 to f64\n"
                  "    %h = arith.mulf %f64, %tenth64 : f64")
            value = "%h"
        if element != "i32" and math.copysign(1, init) < 0:
            print(f"    %z = arith.constant {init} : {element}")
            value = "%z"
        print(f"    linalg.yield {value} : {element}\n  }} -> tensor<{full}>")
        print(f"  return %y : tensor<{full}>\n}}")

        print(f"func.func private @{name}(%x: tensor<{full}>, {args})"
              f" -> tensor<{out}> {{")
        print(f"  %init = arith.constant {constant(init, element)} : {element}")
        print(f"  %empty = tensor.empty({out_sizes}) : tensor<{out}>")
        print(f"  %start = linalg.fill ins(%init : {element}) "
              f"outs(%empty : tensor<{out}>) -> tensor<{out}>")
        print(f"  %y = linalg.generic {{indexing_maps = [affine_map<{loops} -> "
              f"{loops}>, affine_map<{loops} -> {kept_dims}>], "
              f"iterator_types = [{iterators}]}} ins(%x : tensor<{full}>) "
              f"outs(%start : tensor<{out}>) {{")
        print(f"  ^bb0(%a: {element}, %sum: {element}):")
        print(f"    %next = {combiner} %sum, %a : {element}")
        print(f"    linalg.yield %next : {element}\n  }} -> tensor<{out}>")
        print(f"  return %y : tensor<{out}>\n}}")
        calls.append((name, shape, full, out, element))
    print("func.func @main() {")
    for size in sorted({n for shape, _, _ in CASES for n in shape}):
        print(f"  %c{size} = arith.constant {size} : index")
    for name, shape, full, out, element in calls:
        sizes = ", ".join(f"%c{n}" for n in shape)
        types = ", ".join(["index"] * len(shape))
        print(f"  %x_{name} = call @make_{name}({sizes}) : ({types}) -> "
              f"tensor<{full}>")
        print(f"  %y_{name} = call @{name}(%x_{name}, {sizes}) : "
              f"(tensor<{full}>, {types}) -> tensor<{out}>")
        print(f"  %z_{name} = tensor.cast %y_{name} : tensor<{out}> to "
              f"tensor<*x{element}>")
        print(f'  vector.print str "{name}: "')
        print(f"  call @rngPrintBits{NAMES[element]}(%z_{name}) : "
              f"(tensor<*x{element}>) -> ()")
    print("  return\n}")


if sys.argv[1] == "expected":
    expected()
else:
    program(sys.argv[2] == "dynamic")
