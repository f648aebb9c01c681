// RUN: %rng_opt %s -rng-partition | FileCheck %s
//
// Trap 42: an op that the backward alone needs is hoisted into the forward and
// its result saved. Here it is done in the backward: the cosine that is the
// derivative of the sine, and a draw of the backward's own. Only what makes the
// saved bytes fewer comes into the forward.

// CHECK-LABEL: func.func @f_forward(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<64x64xf32>, %{{[^:]+}}: i64) -> tensor<64x64xf32> attributes
// CHECK-NEXT:    %[[SIN:.+]] = math.sin %[[A]]
// CHECK-NEXT:    return %[[SIN]]
// CHECK-LABEL: func.func @f_backward(
// CHECK-DAG:     math.cos
// CHECK-DAG:     rng.stateless_uniform
// CHECK:         return
func.func @f(%a: tensor<64x64xf32>, %seed: i64,
             %d: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<64x64xf32> {rng.gradient}) {
  %y = math.sin %a : tensor<64x64xf32>
  %cos = math.cos %a : tensor<64x64xf32>
  %u = rng.stateless_uniform %seed, %seed : tensor<64x64xf32>
  %d0 = arith.mulf %d, %cos : tensor<64x64xf32>
  %da = arith.mulf %d0, %u : tensor<64x64xf32>
  return %y, %da : tensor<64x64xf32>, tensor<64x64xf32>
}
