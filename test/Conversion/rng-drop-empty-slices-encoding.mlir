// RUN: %rng_opt %s --rng-drop-empty-slices | FileCheck %s

// An encoding stays.
// CHECK-LABEL: func.func @encoding
// CHECK: tensor.empty() : tensor<0x4xf32, "layout">
func.func @encoding(%x: tensor<0x4xf32, "layout">)
    -> tensor<0x4xf32, "layout"> {
  %0 = tensor.concat dim(0) %x, %x
      : (tensor<0x4xf32, "layout">, tensor<0x4xf32, "layout">)
      -> tensor<0x4xf32, "layout">
  return %0 : tensor<0x4xf32, "layout">
}
