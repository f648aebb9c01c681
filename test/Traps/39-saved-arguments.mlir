// RUN: %rng_opt %s -rng-partition | FileCheck %s
// RUN: %rng_opt %s -rng-partition -rng-to-cpu \
// RUN:   -mlir-print-ir-before=convert-linalg-to-loops -o /dev/null 2>&1 \
// RUN: | FileCheck %s --check-prefix=BUFFERS
//
// Trap 39: saved arguments are returned from the forward, and bufferization
// clones every weight each step. Here what is an argument or a result already is
// not returned again, and the buffers of the forward are those of its results.

// CHECK-LABEL: func.func @f_forward(
// CHECK-SAME:    -> (tensor<8x8xf32>, tensor<8x8xf32>) attributes
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<argument 1>, #rng.saved<result 0>]

// BUFFERS-LABEL: func.func @f_forward(
// BUFFERS-NOT:     bufferization.clone
// BUFFERS-NOT:     memref.copy %arg
// BUFFERS-COUNT-2: memref.alloc
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     bufferization.clone
// BUFFERS-NOT:     memref.copy
// BUFFERS:         return
func.func @f(%w: tensor<8x8xf32> {rng.persistent}, %a: tensor<8x8xf32>,
             %d: tensor<8x8xf32> {rng.cotangent})
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32> {rng.gradient}) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>)
      -> tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %w : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = math.tanh %p : tensor<8x8xf32>
  %0 = arith.mulf %d, %y : tensor<8x8xf32>
  %1 = arith.mulf %0, %w : tensor<8x8xf32>
  %da = arith.mulf %1, %a : tensor<8x8xf32>
  return %y, %p, %da : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
