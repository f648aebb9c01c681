// RUN: %rng_opt %s -rng-partition | FileCheck %s
// RUN: %rng_opt %s -rng-partition=argument-cost=1 \
// RUN: | FileCheck %s --check-prefix=DEAR
//
// Trap 43: a half-width cast of an argument is saved beside the argument. Here
// an argument costs less than its casts, being alive most likely; only at its
// full price does the cast win.

// CHECK-LABEL: func.func @f_forward(
// CHECK-SAME:    -> tensor<64xf32> attributes
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>]
// CHECK-LABEL: func.func @f_backward(
// CHECK:         arith.truncf
// DEAR-LABEL: func.func @f_forward(
// DEAR-SAME:    -> (tensor<64xf32>, tensor<64xbf16>)
func.func @f(%a: tensor<64xf32>, %d: tensor<64xbf16> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xbf16> {rng.gradient}) {
  %a16 = arith.truncf %a : tensor<64xf32> to tensor<64xbf16>
  %y16 = math.exp %a16 : tensor<64xbf16>
  %y = arith.extf %y16 : tensor<64xbf16> to tensor<64xf32>
  %da = arith.mulf %d, %a16 : tensor<64xbf16>
  return %y, %da : tensor<64xf32>, tensor<64xbf16>
}
