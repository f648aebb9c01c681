// RUN: %rng_opt %s --convert-rng-to-linalg --convert-elementwise-to-linalg \
// RUN:   --rng-generalize-elementwise --rng-fuse-elementwise --canonicalize \
// RUN:   --cse | FileCheck %s

// A draw and what is done with it are one op.
// CHECK-LABEL: func @dropout
func.func @dropout(%seed: i64, %offset: i64, %p: f32, %x: tensor<8x4xf32>)
    -> tensor<8x4xf32> {
  // CHECK: linalg.generic
  // CHECK: rng.stateless_bernoulli
  // CHECK-NEXT: arith.select
  // CHECK-NOT: linalg.generic
  // CHECK: return
  %c0 = arith.constant 0.0 : f32
  %zero = tensor.splat %c0 : tensor<8x4xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<8x4xi1>
  %y = arith.select %keep, %x, %zero : tensor<8x4xi1>, tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// A row mask that is broadcast is drawn once for each row, not once for each
// element.
// CHECK-LABEL: func @broadcast
func.func @broadcast(%seed: i64, %offset: i64, %p: f32, %x: tensor<8x4xf32>)
    -> tensor<8x4xf32> {
  // CHECK: linalg.generic
  // CHECK: %[[ROW:.+]] = rng.stateless_bernoulli
  // CHECK-NEXT: linalg.yield %[[ROW]]
  // CHECK: linalg.generic
  // CHECK-NOT: rng.stateless_bernoulli
  // CHECK: arith.select
  // CHECK-NOT: linalg.generic
  // CHECK: return
  %zero = arith.constant dense<0.0> : tensor<8x4xf32>
  %empty = tensor.empty() : tensor<8x4xi1>
  %rows = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<8xi1>
  %keep = linalg.broadcast ins(%rows : tensor<8xi1>)
      outs(%empty : tensor<8x4xi1>) dimensions = [1]
  %y = arith.select %keep, %x, %zero : tensor<8x4xi1>, tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// A contraction stays as it is: its innermost loop is no place for a draw.
// CHECK-LABEL: func @contraction
func.func @contraction(%seed: i64, %offset: i64, %x: tensor<8x8xf32>,
                       %init: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: linalg.generic
  // CHECK: rng.stateless_uniform
  // CHECK: linalg.matmul
  // CHECK: return
  %u = rng.stateless_uniform %seed, %offset : tensor<8x8xf32>
  %y = linalg.matmul ins(%u, %x : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
