// RUN: %rng_opt %s -rng-partition -cse -canonicalize -cse | FileCheck %s
// RUN: %rng_opt %s -rng-partition -cse -canonicalize -cse -rng-rematerialize \
// RUN:   -cse -canonicalize -cse | FileCheck %s
// RUN: %rng_opt %s -rng-partition -cse -canonicalize -symbol-dce \
// RUN:   -loop-invariant-code-motion -sccp -cse | FileCheck %s
//
// Trap 34: a later CSE finds the op that is computed again beside the first and
// undoes the recomputation. Here they are in functions of their own.

// CHECK-LABEL: func.func @f_forward(
// CHECK-SAME:    -> tensor<64xf32> attributes
// CHECK:         math.exp
// CHECK:         rng.stateless_bernoulli
// CHECK-LABEL: func.func @f_backward(
// CHECK:         math.exp
// CHECK:         rng.stateless_bernoulli
func.func @f(%a: tensor<64xf32>, %seed: i64, %d: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %e = math.exp %a : tensor<64xf32>
  %keep = rng.stateless_bernoulli %seed, %seed prob(%p) : tensor<64xi1>
  %y = arith.select %keep, %e, %zero : tensor<64xi1>, tensor<64xf32>
  %d0 = arith.mulf %d, %e : tensor<64xf32>
  %da = arith.select %keep, %d0, %zero : tensor<64xi1>, tensor<64xf32>
  return %y, %da : tensor<64xf32>, tensor<64xf32>
}
