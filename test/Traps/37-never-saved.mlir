// RUN: %rng_opt %s -rng-partition | FileCheck %s
// RUN: %rng_opt %s -rng-partition=recompute-weight=0 | FileCheck %s
//
// Trap 37: a value is saved whose cheap consumer takes fewer bytes; or a
// `tensor.empty`, a constant, a view of all of a value. Here the consumer is,
// and none of the others ever.

// CHECK-LABEL: func.func @consumer_forward(
// CHECK-SAME:    -> (tensor<64x64xf32>, tensor<64x64xi8>)
// CHECK-LABEL: func.func @consumer_backward(
// CHECK-SAME:    tensor<64x64xi8>
// CHECK:         arith.sitofp
func.func @consumer(%a: tensor<64x64xf32>, %d: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<64x64xf32> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %p = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %i = arith.fptosi %p : tensor<64x64xf32> to tensor<64x64xi8>
  %wide = arith.sitofp %i : tensor<64x64xi8> to tensor<64x64xf32>
  %y = math.exp %p : tensor<64x64xf32>
  %da = arith.mulf %d, %wide : tensor<64x64xf32>
  return %y, %da : tensor<64x64xf32>, tensor<64x64xf32>
}

// Of the product, a slice; of the rest nothing.

// CHECK-LABEL: func.func @views_forward(
// CHECK-SAME:    -> (tensor<64x64xf32>, tensor<2x64xf32>)
// CHECK-SAME:    rng.saved = [#rng.saved<new 1>]
// CHECK:         %[[SLICE:.+]] = tensor.extract_slice
// CHECK:         return %{{.+}}, %[[SLICE]]
// CHECK-LABEL: func.func @views_backward(
// CHECK-SAME:    %[[SLICE:[^:]+]]: tensor<2x64xf32>, %{{[^:]+}}: tensor<128xf32> {rng.cotangent})
// CHECK-DAG:     tensor.collapse_shape %[[SLICE]]
// CHECK-DAG:     tensor.bitcast
// CHECK-DAG:     tensor.empty
// CHECK-DAG:     linalg.fill
// CHECK-DAG:     tensor.splat
// CHECK-DAG:     arith.constant dense<2.0
// CHECK:         return
func.func @views(%a: tensor<64x64xf32>, %d: tensor<128xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<128xf32> {rng.gradient}) {
  %c = arith.constant 0.0 : f32
  %two = arith.constant dense<2.0> : tensor<128xf32>
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%c : f32) outs(%empty : tensor<64x64xf32>)
      -> tensor<64x64xf32>
  %p = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = math.exp %p : tensor<64x64xf32>
  %slice = tensor.extract_slice %p[0, 0] [2, 64] [1, 1]
      : tensor<64x64xf32> to tensor<2x64xf32>
  %flat = tensor.collapse_shape %slice [[0, 1]]
      : tensor<2x64xf32> into tensor<128xf32>
  %bits = tensor.bitcast %flat : tensor<128xf32> to tensor<128xi32>
  %ints = arith.sitofp %bits : tensor<128xi32> to tensor<128xf32>
  %splat = tensor.splat %c : tensor<128xf32>
  %none = tensor.empty() : tensor<128xf32>
  %filled = linalg.fill ins(%c : f32) outs(%none : tensor<128xf32>)
      -> tensor<128xf32>
  %d0 = arith.mulf %d, %flat : tensor<128xf32>
  %d1 = arith.mulf %d0, %two : tensor<128xf32>
  %d2 = arith.addf %d1, %splat : tensor<128xf32>
  %d3 = arith.addf %d2, %filled : tensor<128xf32>
  %d4 = arith.mulf %d3, %ints : tensor<128xf32>
  return %y, %d4 : tensor<64x64xf32>, tensor<128xf32>
}
