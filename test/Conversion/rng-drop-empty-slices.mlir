// RUN: %rng_opt %s --rng-drop-empty-slices | FileCheck %s
//
// These once failed in bufferization.
// RUN: %rng_opt %s --rng-to-cpu -o /dev/null
// RUN: %rng_opt %s --rng-to-nvptx -o /dev/null

// CHECK-LABEL: func.func @one_left(
// CHECK-SAME: %[[A:.+]]: tensor<5x2xf32>, %{{.+}}: tensor<5x0xf32>
func.func @one_left(%a: tensor<5x2xf32>, %b: tensor<5x0xf32>)
    -> tensor<5x2xf32> {
  // CHECK-NEXT: return %[[A]]
  %c = tensor.concat dim(1) %a, %b
      : (tensor<5x2xf32>, tensor<5x0xf32>) -> tensor<5x2xf32>
  return %c : tensor<5x2xf32>
}

// CHECK-LABEL: func.func @two_left(
// CHECK-SAME: %[[A:.+]]: tensor<2xf32>, %{{.+}}: tensor<0xf32>
func.func @two_left(%a: tensor<2xf32>, %b: tensor<0xf32>) -> tensor<4xf32> {
  // CHECK: tensor.concat dim(0) %[[A]], %[[A]]
  %c = tensor.concat dim(0) %a, %b, %a
      : (tensor<2xf32>, tensor<0xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// CHECK-LABEL: func.func @nothing(
// CHECK-SAME: %[[A:.+]]: tensor<?x8x0xi1>
func.func @nothing(%a: tensor<?x8x0xi1>) -> tensor<?x16x0xi1> {
  // CHECK: %[[N:.+]] = tensor.dim %[[A]]
  // CHECK: tensor.empty(%[[N]]) : tensor<?x16x0xi1>
  %c = tensor.concat dim(1) %a, %a
      : (tensor<?x8x0xi1>, tensor<?x8x0xi1>) -> tensor<?x16x0xi1>
  return %c : tensor<?x16x0xi1>
}

// CHECK-LABEL: func.func @insert(
// CHECK-SAME: %{{.+}}: tensor<0xf32>, %[[B:.+]]: tensor<3xf32>
func.func @insert(%a: tensor<0xf32>, %b: tensor<3xf32>, %i: index)
    -> tensor<3xf32> {
  // CHECK-NEXT: return %[[B]]
  %c = tensor.insert_slice %a into %b[%i] [0] [1]
      : tensor<0xf32> into tensor<3xf32>
  return %c : tensor<3xf32>
}

// CHECK-LABEL: func.func @pad(
// CHECK: tensor.generate
// CHECK-NOT: tensor.pad
func.func @pad(%a: tensor<0xf32>) -> tensor<3xf32> {
  %z = arith.constant 1.0 : f32
  %c = tensor.pad %a low[3] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<0xf32> to tensor<3xf32>
  return %c : tensor<3xf32>
}
