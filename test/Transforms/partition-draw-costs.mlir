// RUN: %rng_opt %s --rng-partition="report=%t.txt" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.txt

// A draw costs what its algorithm says: 48 units an element of a uniform draw
// of the default stream, whose 25 instructions are 20 of the stream block, a
// quarter of 80, and 5 of the conversion. Others cost in proportion.

// CHECK:      @usual_forward saves
// CHECK:      @usual_backward recomputes:
// CHECK:        rng.stateless_uniform  49152  at
func.func @usual(%seed: i64, %offset: i64, %x: tensor<1024xf32>,
                 %d: tensor<1024xf32> {rng.cotangent})
    -> (tensor<1024xf32>, tensor<1024xf32> {rng.gradient}) {
  %u = rng.stateless_uniform %seed, %offset : tensor<1024xf32>
  %y = arith.mulf %x, %u : tensor<1024xf32>
  %dx = arith.mulf %d, %u : tensor<1024xf32>
  return %y, %dx : tensor<1024xf32>, tensor<1024xf32>
}

// 64 rounds instead of 10: 128 + 5 instructions, 255 units.
// CHECK:      @rounds_backward recomputes:
// CHECK:        rng.stateless_uniform  261120  at
func.func @rounds(%seed: i64, %offset: i64, %x: tensor<1024xf32>,
                  %d: tensor<1024xf32> {rng.cotangent})
    -> (tensor<1024xf32>, tensor<1024xf32> {rng.gradient}) {
  %u = rng.stateless_uniform %seed, %offset
      {algorithm = #rng.philox<rounds = 64>} : tensor<1024xf32>
  %y = arith.mulf %x, %u : tensor<1024xf32>
  %dx = arith.mulf %d, %u : tensor<1024xf32>
  return %y, %dx : tensor<1024xf32>, tensor<1024xf32>
}

// Logarithm, root, sine and cosine of a pair: 20 + 28 instructions, 92 units.
// CHECK:      @normal_backward recomputes:
// CHECK:        rng.stateless_normal  94208  at
func.func @normal(%seed: i64, %offset: i64, %x: tensor<1024xf32>,
                  %d: tensor<1024xf32> {rng.cotangent})
    -> (tensor<1024xf32>, tensor<1024xf32> {rng.gradient}) {
  %u = rng.stateless_normal %seed, %offset : tensor<1024xf32>
  %y = arith.mulf %x, %u : tensor<1024xf32>
  %dx = arith.mulf %d, %u : tensor<1024xf32>
  return %y, %dx : tensor<1024xf32>, tensor<1024xf32>
}

// A stream block an element: 80 + 5 instructions, 163 units.
// CHECK:      @threefry_backward recomputes:
// CHECK:        rng.stateless_uniform  166912  at
func.func @threefry(%seed: i64, %offset: i64, %x: tensor<1024xf32>,
                    %d: tensor<1024xf32> {rng.cotangent})
    -> (tensor<1024xf32>, tensor<1024xf32> {rng.gradient}) {
  %u = rng.stateless_uniform %seed, %offset {algorithm = #rng.threefry}
      : tensor<1024xf32>
  %y = arith.mulf %x, %u : tensor<1024xf32>
  %dx = arith.mulf %d, %u : tensor<1024xf32>
  return %y, %dx : tensor<1024xf32>, tensor<1024xf32>
}
