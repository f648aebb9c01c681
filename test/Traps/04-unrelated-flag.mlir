// RUN: %rng_opt %s -rng-thread-state | FileCheck %s
//
// Trap 4: the values of a draw change when something unrelated does, such as
// whether a gradient is wanted. Here the numbering depends on the program alone:
// the second function is the first one with marks.

// CHECK-LABEL: func.func @plain(
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.reserve
// CHECK:         rng.stateless_bernoulli %[[SEED]], %[[BASE]]
// CHECK:         %[[C1:.+]] = arith.constant 1 : i64
// CHECK:         %[[O1:.+]] = arith.addi %[[BASE]], %[[C1]]
// CHECK:         rng.stateless_uniform %[[SEED]], %[[O1]]
func.func @plain(%x: tensor<8xf32>, %d: tensor<8xf32>, %p: f32)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %keep = rng.bernoulli prob(%p) : tensor<8xi1>
  %noise = rng.uniform : tensor<8xf32>
  %y = arith.select %keep, %x, %noise : tensor<8xi1>, tensor<8xf32>
  %dx = arith.select %keep, %d, %zero : tensor<8xi1>, tensor<8xf32>
  return %y, %dx : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @marked(
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.reserve
// CHECK:         rng.stateless_bernoulli %[[SEED]], %[[BASE]]
// CHECK:         %[[C1:.+]] = arith.constant 1 : i64
// CHECK:         %[[O1:.+]] = arith.addi %[[BASE]], %[[C1]]
// CHECK:         rng.stateless_uniform %[[SEED]], %[[O1]]
func.func @marked(%x: tensor<8xf32> {rng.persistent},
                  %d: tensor<8xf32> {rng.cotangent}, %p: f32)
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %keep = rng.bernoulli prob(%p) {rng.recompute} : tensor<8xi1>
  %noise = rng.uniform {rng.save} : tensor<8xf32>
  %y = arith.select %keep, %x, %noise : tensor<8xi1>, tensor<8xf32>
  %dx = arith.select %keep, %d, %zero : tensor<8xi1>, tensor<8xf32>
  return %y, %dx : tensor<8xf32>, tensor<8xf32>
}
