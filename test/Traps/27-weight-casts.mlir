// RUN: %rng_opt %s -rng-partition | FileCheck %s
// RUN: %rng_opt %s -rng-partition="argument-cost=1 recompute-weight=100" \
// RUN: | FileCheck %s
//
// Trap 27: a cast copy of every weight is saved because it is smaller than the
// weight, which is alive anyway. Here what is persistent costs nothing: the
// weight is passed on and its cast, transpose and product done again.

// CHECK-LABEL: func.func @f_forward(
// CHECK-SAME:    %{{[^:]+}}: tensor<64x64xf32> {rng.persistent}, %{{[^:]+}}: tensor<64x64xbf16>) -> tensor<64x64xbf16> attributes
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>]
// CHECK-LABEL: func.func @f_backward(
// CHECK-SAME:    %[[W:[^:]+]]: tensor<64x64xf32> {rng.persistent}
// CHECK:         arith.truncf %[[W]]
// CHECK:         linalg.transpose
// CHECK:         linalg.matmul
func.func @f(%w: tensor<64x64xf32> {rng.persistent}, %a: tensor<64x64xbf16>,
             %d: tensor<64x64xbf16> {rng.cotangent})
    -> (tensor<64x64xbf16>, tensor<64x64xbf16> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xbf16>
  %empty = tensor.empty() : tensor<64x64xbf16>
  %w16 = arith.truncf %w : tensor<64x64xf32> to tensor<64x64xbf16>
  %y = linalg.matmul ins(%a, %w16 : tensor<64x64xbf16>, tensor<64x64xbf16>)
      outs(%zero : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %t = linalg.transpose ins(%w16 : tensor<64x64xbf16>)
      outs(%empty : tensor<64x64xbf16>) permutation = [1, 0]
  %da = linalg.matmul ins(%d, %t : tensor<64x64xbf16>, tensor<64x64xbf16>)
      outs(%zero : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %y, %da : tensor<64x64xbf16>, tensor<64x64xbf16>
}

// A result that the caller keeps is alive, too.

// CHECK-LABEL: func.func @result_forward(
// CHECK-SAME:    -> (tensor<64xf32> {rng.persistent}) attributes
// CHECK-SAME:    rng.saved = [#rng.saved<result 0>]
// CHECK-LABEL: func.func @result_backward(
// CHECK-SAME:    %[[Y:[^:]+]]: tensor<64xf32>
// CHECK:         arith.truncf %[[Y]]
func.func @result(%a: tensor<64xf32>, %d: tensor<64xbf16> {rng.cotangent})
    -> (tensor<64xf32> {rng.persistent}, tensor<64xbf16> {rng.gradient}) {
  %y = math.exp %a : tensor<64xf32>
  %y16 = arith.truncf %y : tensor<64xf32> to tensor<64xbf16>
  %da = arith.mulf %d, %y16 : tensor<64xbf16>
  return %y, %da : tensor<64xf32>, tensor<64xbf16>
}
