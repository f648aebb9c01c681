// An embedder's pass applies the public patterns: what cannot be lowered is
// left, and said to those who listen to patterns, not reported as an error of a
// pass that then succeeds.
//
// RUN: rng-test-opt %s -test-rng-patterns 2> %t.errors | FileCheck %s
// RUN: FileCheck %s --allow-empty --check-prefix=NONE < %t.errors
// NONE-NOT: {{.}}

// CHECK-LABEL: func.func @f
// CHECK-SAME:  %[[SEED:.+]]: i64, %[[OFFSET:.+]]: i64
// CHECK-NOT:     rng.stateless_uniform
// CHECK-NOT:     rng.advance
// CHECK-NOT:     rng.fold_in
// CHECK-NOT:     rng.split
// CHECK:         rng.stateless_normal %[[SEED]], %[[OFFSET]] {algorithm = #rng.philox<convention = #rng.triton>} : f64
// CHECK-NEXT:    rng.stateless_normal %[[SEED]], %[[OFFSET]] {algorithm = #rng.philox<convention = #rng.triton>} : tensor<4xf64>
// CHECK-NEXT:    rng.stateless_normal %[[SEED]], %[[OFFSET]] : vector<131072xf32>
func.func @f(%seed: i64, %offset: i64)
    -> (f32, tensor<4xf32>, i64, i64, i64, f64, tensor<4xf64>, vector<131072xf32>) {
  %a = rng.stateless_uniform %seed, %offset : f32
  %b = rng.stateless_uniform %seed, %offset : tensor<4xf32>
  %c = rng.advance %offset by uniform f32
  %d = rng.fold_in %seed, %offset
  %e = rng.split %seed : i64
  %f = rng.stateless_normal %seed, %offset
      {algorithm = #rng.philox<convention = triton>} : f64
  %g = rng.stateless_normal %seed, %offset
      {algorithm = #rng.philox<convention = triton>} : tensor<4xf64>
  %h = rng.stateless_normal %seed, %offset : vector<131072xf32>
  return %a, %b, %c, %d, %e, %f, %g, %h
      : f32, tensor<4xf32>, i64, i64, i64, f64, tensor<4xf64>, vector<131072xf32>
}

// CHECK-LABEL: func.func @threads
// CHECK:         scf.parallel
// CHECK:           rng.reserve_memory
// CHECK:         linalg.generic
// CHECK-NOT:     rng.reserve_memory
// CHECK:         return
func.func @threads(%memory: memref<2xi64>, %n: index, %blocks: i64)
    -> tensor<2xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  }
  %1 = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  return %1 : tensor<2xi64>
}
