// RUN: %rng_opt %s -rng-thread-state -rng-partition | FileCheck %s
//
// Trap 13: forward and backward are paired by names, and names collide. Here
// values pair them: functions, generators and twins may be named as they like.

rng.generator @f

func.func private @shared_threaded() {
  return
}

// CHECK-LABEL: func.func @shared(
// CHECK:         call @shared_threaded_0(
// CHECK:       func.func private @shared_threaded_0(
func.func @shared() -> f32 {
  %0 = rng.uniform @f : f32
  return %0 : f32
}
func.func @shares() -> f32 {
  %0 = call @shared() : () -> f32
  return %0 : f32
}

// Two draws that are alike but for their places: the backward draws each where
// the forward did.

// CHECK-LABEL: func.func @seed_forward(
// CHECK-SAME:      attributes {rng.backward = @seed_backward
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.reserve @f
// CHECK:         rng.stateless_bernoulli %[[SEED]], %[[BASE]]
// CHECK:         %[[C1:.+]] = arith.constant 1
// CHECK:         %[[O1:.+]] = arith.addi %[[BASE]], %[[C1]]
// CHECK:         rng.stateless_bernoulli %[[SEED]], %[[O1]]
// CHECK:         return %{{.+}}, %[[SEED]], %[[BASE]]
// CHECK-LABEL: func.func @seed_backward(
// CHECK-SAME:      %[[SEED:[^:]+]]: i64, %[[BASE:[^:]+]]: i64,
// CHECK-DAG:     rng.stateless_bernoulli %[[SEED]], %[[BASE]]
// CHECK-DAG:     %[[O1:.+]] = arith.addi %[[BASE]]
// CHECK-DAG:     rng.stateless_bernoulli %[[SEED]], %[[O1]]
func.func @seed(%x: tensor<64xf32>, %d: tensor<64xf32> {rng.cotangent}, %p: f32)
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %offset = rng.bernoulli @f prob(%p) : tensor<64xi1>
  %seed = rng.bernoulli @f prob(%p) : tensor<64xi1>
  %a = arith.select %offset, %x, %zero : tensor<64xi1>, tensor<64xf32>
  %y = arith.select %seed, %a, %zero : tensor<64xi1>, tensor<64xf32>
  %b = arith.select %seed, %d, %zero : tensor<64xi1>, tensor<64xf32>
  %dx = arith.select %offset, %b, %zero : tensor<64xi1>, tensor<64xf32>
  return %y, %dx : tensor<64xf32>, tensor<64xf32>
}
