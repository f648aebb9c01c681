# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a program that draws tensors of every element type and of the sizes
that kernels may get wrong, and prints their bits. The argument says whether the
shapes are static or dynamic."""

import sys

SIZES = [*range(1, 18), 1023, 1024, 1025, 2**20 + 3]
# Each static shape costs a kernel; these have no paths of their own.
STATIC_BITS_SIZES = [1, 2, 3, 5, 17, 1025, 2**20 + 3]

# Draw, element type, type that is printed, its name in the library.
DRAWS = [
    ("uniform", "f16", "f16", "F16"),
    ("uniform", "bf16", "bf16", "BF16"),
    ("uniform", "f32", "f32", "F32"),
    ("uniform", "f64", "f64", "F64"),
    ("normal", "f32", "f32", "F32"),
    ("normal", "f64", "f64", "F64"),
    ("bernoulli", "i1", "i1", "I1"),
    ("bits", "i1", "i1", "I1"),
    ("bits", "i8", "i8", "I8"),
    ("bits", "i16", "i32", "I32"),
    ("bits", "i32", "i32", "I32"),
    ("bits", "i64", "i64", "I64"),
]


def function(draw, element, printed, name, size):
    """A function that draws and prints `size` elements, or %n if it is '?'."""
    sizes = " sizes(%n)" if size == "?" else ""
    prob = " prob(%p)" if draw == "bernoulli" else ""
    label = f"{draw}_{element}" + ("" if size == "?" else f"_{size}")
    lines = [
        f"func.func private @{label}(%n: index, %seed: i64, %offset: i64) {{",
        "  %p = arith.constant 0.3 : f32",
        f"  %0 = rng.stateless_{draw} %seed, %offset{prob}{sizes}"
        f" : tensor<{size}x{element}>",
    ]
    value = "%0"
    if printed != element:
        value = "%1"
        lines.append(f"  %1 = arith.extui %0 : tensor<{size}x{element}>"
                     f" to tensor<{size}x{printed}>")
    lines += [
        f"  %2 = tensor.cast {value} : tensor<{size}x{printed}>"
        f" to tensor<*x{printed}>",
        f'  vector.print str "{label}: "',
        f"  call @rngPrint{name}(%2) : (tensor<*x{printed}>) -> ()",
        "  return",
        "}",
    ]
    return label, "\n".join(lines)


def main():
    static = sys.argv[1] == "static"
    for name in sorted({(draw[2], draw[3]) for draw in DRAWS}):
        print(f"func.func private @rngPrint{name[1]}(tensor<*x{name[0]}>\n"
              '    {bufferization.access = "read"})\n'
              "    attributes {llvm.emit_c_interface}")
    calls = []
    for draw in DRAWS:
        is_few = draw[0] in ("bits", "normal")
        static_sizes = STATIC_BITS_SIZES if is_few else SIZES
        for size in static_sizes if static else ["?"]:
            label, text = function(*draw, size)
            print(text)
            for n in [size] if static else SIZES:
                calls.append((label, n))
    print("func.func @main() {")
    print("  %seed = arith.constant 0x123456789abcdef0 : i64")
    # The next offset carries into the high half of the counter.
    print("  %offset = arith.constant 0xffffffff : i64")
    for n in SIZES:
        print(f"  %n{n} = arith.constant {n} : index")
    for label, n in calls:
        print(f"  call @{label}(%n{n}, %seed, %offset)"
              " : (index, i64, i64) -> ()")
    print("  return\n}")


main()
