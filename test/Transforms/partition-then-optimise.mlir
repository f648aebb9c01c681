// RUN: %rng_opt %s --rng-partition --cse --canonicalize --cse | FileCheck %s

// Trap 34: CSE undoes the recomputation.
// Forward and backward are functions of their own: the exponential and the draw
// are still done in both.

// CHECK-LABEL: func.func @f_forward(
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<argument 1>, #rng.saved<argument 2>]
// CHECK:         math.exp
// CHECK:         rng.stateless_bernoulli
// CHECK-LABEL: func.func @f_backward(
// CHECK:         math.exp
// CHECK:         rng.stateless_bernoulli
func.func @f(%a: tensor<8xf32>, %seed: i64, %offset: i64,
             %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %e = math.exp %a : tensor<8xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<8xi1>
  %y = arith.select %keep, %e, %a : tensor<8xi1>, tensor<8xf32>
  %da = arith.mulf %d, %e : tensor<8xf32>
  %dk = arith.select %keep, %da, %d : tensor<8xi1>, tensor<8xf32>
  return %y, %dk : tensor<8xf32>, tensor<8xf32>
}
