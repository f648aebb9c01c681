# Part of the RngDialect project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a program that draws tensors of many sizes, which become loops over
vectors, and the same elements one at a time, which do not, and prints how many
differ: one line a draw, and one for a region of several.
"""

# Distribution, element type, operands and algorithm.
DRAWS = [
    ("uniform", "f32", "", ""),
    ("uniform", "f64", " range(%low64, %high64)", ""),
    ("uniform", "f16", " range(%low, %high)", ""),
    ("uniform", "bf16", "", ""),
    ("bernoulli", "i1", " prob(%p)", ""),
    ("bits", "i1", "", ""),
    ("bits", "i8", "", ""),
    ("bits", "i16", "", ""),
    ("bits", "i32", "", ""),
    ("bits", "i64", "", ""),
    ("randint", "i8", " range(%l8, %h8)", ""),
    ("randint", "i64", " range(%l64, %h64)", ""),
    ("normal", "f32", "", ""),
    ("normal", "f64", " params(%low64, %high64)", ""),
    ("normal", "bf16", " params(%low, %high)", ""),
    ("truncated_normal", "f32", "", ""),
    ("exponential", "f32", "", ""),
    ("exponential", "f16", " rate(%high)", ""),
    ("uniform", "f32", "", "#rng.threefry"),
    ("bits", "i64", "", "#rng.threefry"),
    ("uniform", "f32", "", "#rng.philox<convention = torch>"),
    ("normal", "f32", "", "#rng.philox<convention = triton>"),
    ("uniform", "f32", "", "#rng.philox<convention = xla>"),
    ("normal", "f32", "", "#rng.philox<convention = tensorflow>"),
    ("bits", "i32", "", "#rng.philox<rounds = 7, convention = "
     "#rng.torch_eager<threads = 256>>"),
]

# Nothing, less than a block, blocks, vectors, and what is left of all of them.
SIZES = [0, 1, 4, 7, 32, 37, 64, 128, 255, 256, 301, 583]

HEADER = """\
func.func private @rngCountDifferent{0}(memref<*x{1}>, memref<*x{1}>) -> i64
    attributes {{llvm.emit_c_interface}}
"""

CONSTANTS = """\
  %seed = arith.constant -42 : i64
  %offset = arith.constant 4294967295 : i64
  %low = arith.constant -1.5 : f32
  %high = arith.constant 2.25 : f32
  %low64 = arith.constant -1.5 : f64
  %high64 = arith.constant 2.25 : f64
  %p = arith.constant 0.9 : f32
  %l8 = arith.constant -100 : i8
  %h8 = arith.constant 90 : i8
  %l64 = arith.constant -1000000007 : i64
  %h64 = arith.constant 9000000000000000000 : i64
"""

DRAW = """\
func.func @draw{n}(%n: index) -> i64 {{
{constants}
  %fast = rng.stateless_{distribution} %seed, %offset{params} sizes(%n){attrs}
      : tensor<?x{element}>
  %slow = tensor.generate %n {{
  ^bb0(%i: index):
    %e = rng.stateless_{distribution} %seed, %offset{params}
        slice [%i] of [%n]{attrs} : {element}
    tensor.yield %e : {element}
  }} : tensor<?x{element}>
  %any_fast = tensor.cast %fast : tensor<?x{element}> to tensor<*x{element}>
  %any_slow = tensor.cast %slow : tensor<?x{element}> to tensor<*x{element}>
  %left = bufferization.to_buffer %any_fast read_only
      : tensor<*x{element}> to memref<*x{element}>
  %right = bufferization.to_buffer %any_slow read_only
      : tensor<*x{element}> to memref<*x{element}>
  %different = call @rngCountDifferent{suffix}(%left, %right)
      : (memref<*x{element}>, memref<*x{element}>) -> i64
  return %different : i64
}}
"""

# Operands of several kinds, several results and draws, of types that share
# blocks differently, in one region.
REGION = """\
func.func @region(%n: index) -> i64 {{
{constants}
  %c0 = arith.constant 0.0 : f32
  %x = rng.stateless_normal %seed, %seed sizes(%n) : tensor<?x{width}xf32>
  %row = rng.stateless_normal %seed, %offset : tensor<{width}xf32>
  %column = rng.stateless_normal %offset, %offset sizes(%n) : tensor<?xf32>
  %fast:3 = call @fast(%x, %row, %column, %p)
      : (tensor<?x{width}xf32>, tensor<{width}xf32>, tensor<?xf32>, f32)
      -> (tensor<?x{width}xf32>, tensor<?x{width}xi1>, tensor<?x{width}xf64>)
  %y = tensor.generate %n {{
  ^bb0(%i: index, %j: index):
    %xe = tensor.extract %x[%i, %j] : tensor<?x{width}xf32>
    %re = tensor.extract %row[%j] : tensor<{width}xf32>
    %ce = tensor.extract %column[%i] : tensor<?xf32>
    %keep = rng.stateless_bernoulli %seed, %offset prob(%p)
        slice [%i, %j] of [%n, {width}] : i1
    %sum = arith.addf %xe, %re : f32
    %act = math.tanh %sum : f32
    %scaled = arith.mulf %act, %ce : f32
    %kept = arith.select %keep, %scaled, %c0 : f32
    tensor.yield %kept : f32
  }} : tensor<?x{width}xf32>
  %mask = tensor.generate %n {{
  ^bb0(%i: index, %j: index):
    %keep = rng.stateless_bernoulli %seed, %offset prob(%p)
        slice [%i, %j] of [%n, {width}] : i1
    tensor.yield %keep : i1
  }} : tensor<?x{width}xi1>
  %noise = tensor.generate %n {{
  ^bb0(%i: index, %j: index):
    %xe = tensor.extract %x[%i, %j] : tensor<?x{width}xf32>
    %wide = arith.extf %xe : f32 to f64
    %u = rng.stateless_uniform %offset, %seed
        slice [%i, %j] of [%n, {width}] : f64
    %sum = arith.addf %wide, %u : f64
    tensor.yield %sum : f64
  }} : tensor<?x{width}xf64>
{compare}
  %partial = arith.addi %different0, %different1 : i64
  %different = arith.addi %partial, %different2 : i64
  return %different : i64
}}

func.func private @fast(
    %x: tensor<?x{width}xf32>, %row: tensor<{width}xf32>,
    %column: tensor<?xf32>, %p: f32)
    -> (tensor<?x{width}xf32>, tensor<?x{width}xi1>, tensor<?x{width}xf64>) {{
  %seed = arith.constant -42 : i64
  %offset = arith.constant 4294967295 : i64
  %zero = arith.constant 0 : index
  %c0 = arith.constant 0.0 : f32
  %n = tensor.dim %x, %zero : tensor<?x{width}xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) sizes(%n)
      : tensor<?x{width}xi1>
  %u = rng.stateless_uniform %offset, %seed sizes(%n) : tensor<?x{width}xf64>
  %y0 = tensor.empty(%n) : tensor<?x{width}xf32>
  %z0 = tensor.empty(%n) : tensor<?x{width}xf64>
  %fast:2 = linalg.generic {{
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}}
      ins(%x, %row, %column, %keep, %u : tensor<?x{width}xf32>,
          tensor<{width}xf32>, tensor<?xf32>, tensor<?x{width}xi1>,
          tensor<?x{width}xf64>)
      outs(%y0, %z0 : tensor<?x{width}xf32>, tensor<?x{width}xf64>) {{
  ^bb0(%xe: f32, %re: f32, %ce: f32, %k: i1, %ue: f64, %a: f32, %b: f64):
    %sum = arith.addf %xe, %re : f32
    %act = math.tanh %sum : f32
    %scaled = arith.mulf %act, %ce : f32
    %kept = arith.select %k, %scaled, %c0 : f32
    %wide = arith.extf %xe : f32 to f64
    %noisy = arith.addf %wide, %ue : f64
    linalg.yield %kept, %noisy : f32, f64
  }} -> (tensor<?x{width}xf32>, tensor<?x{width}xf64>)
  return %fast#0, %keep, %fast#1
      : tensor<?x{width}xf32>, tensor<?x{width}xi1>, tensor<?x{width}xf64>
}}
"""

COMPARE = """\
  %fast{k} = tensor.cast %fast#{k} : tensor<?x{width}x{element}> to tensor<*x{element}>
  %slow{k} = tensor.cast {slow} : tensor<?x{width}x{element}> to tensor<*x{element}>
  %left{k} = bufferization.to_buffer %fast{k} read_only
      : tensor<*x{element}> to memref<*x{element}>
  %right{k} = bufferization.to_buffer %slow{k} read_only
      : tensor<*x{element}> to memref<*x{element}>
  %different{k} = call @rngCountDifferent{suffix}(%left{k}, %right{k})
      : (memref<*x{element}>, memref<*x{element}>) -> i64"""


def print_main(names):
    print("func.func @main() {\n  %zero = arith.constant 0 : i64")
    for size in SIZES:
        print(f"  %d{size} = arith.constant {size} : index")
    for name in names:
        total = "%zero"
        for k, size in enumerate(SIZES):
            print(f"  %{name}_{size} = call @{name}(%d{size}) : (index) -> i64")
            print(f"  %{name}_sum{k} = arith.addi {total}, %{name}_{size} : i64")
            total = f"%{name}_sum{k}"
        print(f"  vector.print {total} : i64")
    print("  return\n}")


for element in sorted({element for _, element, _, _ in DRAWS}):
    print(HEADER.format(element.upper(), element))
for n, (distribution, element, params, algorithm) in enumerate(DRAWS):
    attrs = f" {{algorithm = {algorithm}}}" if algorithm else ""
    print(DRAW.format(n=n, distribution=distribution, element=element,
                      params=params, attrs=attrs, constants=CONSTANTS,
                      suffix=element.upper()))
compare = "\n".join(
    COMPARE.format(k=k, width=64, element=element, slow=slow,
                   suffix=element.upper())
    for k, (element, slow) in enumerate(
        [("f32", "%y"), ("i1", "%mask"), ("f64", "%noise")]))
print(REGION.format(constants=CONSTANTS, width=64, compare=compare))
print_main([f"draw{n}" for n in range(len(DRAWS))] + ["region"])
