# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a program that makes every kind of draw twice, once marked with its
rank for a schedule to tile, and prints how many elements differ, one line each.
"""

# Distribution, element type and operands.
DRAWS = [
    ("uniform", "f16", " range(%low, %high)"),
    ("uniform", "bf16", ""),
    ("uniform", "f32", " range(%low, %high)"),
    ("uniform", "f64", " range(%low64, %high64)"),
    ("bernoulli", "i1", " prob(%p)"),
    ("bits", "i1", ""),
    ("bits", "i8", ""),
    ("bits", "i32", ""),
    ("bits", "i64", ""),
]

# Rank, sizes, slice and shape.
SHAPES = [
    (1, "", "", "37"),
    (1, " sizes(%d37)", "", "?"),
    (2, "", "", "7x19"),
    (2, " sizes(%d7, %d19)", "", "?x?"),
    (2, " sizes(%d19)", " slice [1, %d3, 5] of [%d7, 11, 30]", "7x?"),
    (4, "", "", "3x5x4x11"),
    (4, " sizes(%d3, %d11)", "", "?x5x4x?"),
]

STATES = ["%seed, %offset", "%snapshot[%delta]"]

HELPERS = """\
func.func private @rngCountDifferent{0}(memref<*x{1}>, memref<*x{1}>) -> i64
    attributes {{llvm.emit_c_interface}}

func.func @compare_{1}(%a: tensor<*x{1}>, %b: tensor<*x{1}>) {{
  %left = bufferization.to_buffer %a read_only
      : tensor<*x{1}> to memref<*x{1}>
  %right = bufferization.to_buffer %b read_only
      : tensor<*x{1}> to memref<*x{1}>
  %different = call @rngCountDifferent{0}(%left, %right)
      : (memref<*x{1}>, memref<*x{1}>) -> i64
  vector.print %different : i64
  return
}}
"""

CONSTANTS = """\
  %seed = arith.constant -42 : i64
  %offset = arith.constant 4294967295 : i64
  %before = arith.constant -3 : i64
  %delta = arith.constant 5 : i64
  %snapshot = tensor.from_elements %seed, %before : tensor<2xi64>
  %low = arith.constant -1.5 : f32
  %high = arith.constant 2.25 : f32
  %low64 = arith.constant -1.5 : f64
  %high64 = arith.constant 2.25 : f64
  %p = arith.constant 0.9 : f32
"""

DRAW = """\
  %{mark}{n} = rng.stateless_{distribution} {state}{params}{sizes}{slice}{attrs}
      : {type}
  %any_{mark}{n} = tensor.cast %{mark}{n} : {type} to tensor<*x{element}>
"""

COMPARE = """\
  call @compare_{element}(%any_tiled{n}, %any_whole{n})
      : (tensor<*x{element}>, tensor<*x{element}>) -> ()
"""


def print_draw(n, draw, shape):
    distribution, element, params = draw
    rank, sizes, logical, extents = shape
    names = dict(n=n, distribution=distribution, element=element,
                 params=params, sizes=sizes, slice=logical,
                 state=STATES[n % 2], type=f"tensor<{extents}x{element}>")
    print(DRAW.format(mark="tiled", attrs=f" {{rank{rank}}}", **names) +
          DRAW.format(mark="whole", attrs="", **names) +
          COMPARE.format(**names), end="")


for element in sorted({element for _, element, _ in DRAWS}):
    print(HELPERS.format(element.upper(), element))
SIZES = "%d3: index, %d7: index, %d11: index, %d19: index, %d37: index"
for index, draw in enumerate(DRAWS):
    print(f"func.func @draw{index}({SIZES}) {{\n{CONSTANTS}", end="")
    for n, shape in enumerate(SHAPES):
        # All shapes for some draws; for the others one in two, to save time.
        if draw[1] == "f32" or draw[0] == "bernoulli" or (n + index) % 2:
            print_draw(n, draw, shape)
    print("  return\n}\n")
print("func.func @main() {")
for size in (3, 7, 11, 19, 37):
    print(f"  %d{size} = arith.constant {size} : index")
for index in range(len(DRAWS)):
    print(f"  call @draw{index}(%d3, %d7, %d11, %d19, %d37)\n"
          "      : (index, index, index, index, index) -> ()")
print("  return\n}")
