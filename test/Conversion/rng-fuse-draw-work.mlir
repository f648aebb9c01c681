// RUN: %rng_opt %s --convert-rng-to-linalg --convert-elementwise-to-linalg \
// RUN:   --rng-generalize-elementwise --rng-fuse-elementwise=max-cost=60 \
// RUN:   | FileCheck %s

// What a draw takes depends on its algorithm and its distribution.

// Two uniform draws of 25 instructions an element and a sum are one op.
// CHECK-LABEL: func @usual
// CHECK: linalg.generic
// CHECK: rng.stateless_uniform
// CHECK: rng.stateless_uniform
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @usual(%seed: i64, %offset: i64, %next: i64) -> tensor<8x4xf32> {
  %u = rng.stateless_uniform %seed, %offset : tensor<8x4xf32>
  %v = rng.stateless_uniform %seed, %next : tensor<8x4xf32>
  %y = arith.addf %u, %v : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// Two of 64 rounds are too much for one, and so are two normal draws.
// CHECK-LABEL: func @rounds
// CHECK: linalg.generic
// CHECK: rng.stateless_uniform
// CHECK: linalg.generic
// CHECK: rng.stateless_uniform
// CHECK: return
func.func @rounds(%seed: i64, %offset: i64, %next: i64) -> tensor<8x4xf32> {
  %u = rng.stateless_uniform %seed, %offset
      {algorithm = #rng.philox<rounds = 64>} : tensor<8x4xf32>
  %v = rng.stateless_uniform %seed, %next
      {algorithm = #rng.philox<rounds = 64>} : tensor<8x4xf32>
  %y = arith.addf %u, %v : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// CHECK-LABEL: func @normal
// CHECK: linalg.generic
// CHECK: rng.stateless_normal
// CHECK: linalg.generic
// CHECK: rng.stateless_normal
// CHECK: return
func.func @normal(%seed: i64, %offset: i64, %next: i64) -> tensor<8x4xf32> {
  %u = rng.stateless_normal %seed, %offset : tensor<8x4xf32>
  %v = rng.stateless_normal %seed, %next : tensor<8x4xf32>
  %y = arith.addf %u, %v : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
