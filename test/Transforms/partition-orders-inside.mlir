// RUN: %rng_opt %s -split-input-file -allow-unregistered-dialect \
// RUN:   --rng-partition | FileCheck %s
//
// Orders on what has ops inside, and on ops inside.

// Attention in a region that is never to be saved inside: not even its
// contractions are.

// CHECK-LABEL: func.func @region_forward(
// CHECK-SAME:      rng.saved = [#rng.saved<argument 0>]
// CHECK-LABEL: func.func @region_backward(
// CHECK:         scf.execute_region
// CHECK:           linalg.matmul
func.func @region(%q: tensor<8x8xf32>, %d: tensor<8x8xf32> {rng.cotangent})
    -> (tensor<8x8xf32>, tensor<8x8xf32> {rng.gradient}) {
  %e = tensor.empty() : tensor<8x8xf32>
  %m, %p = scf.execute_region -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %s = linalg.matmul ins(%q, %q : tensor<8x8xf32>, tensor<8x8xf32>)
        outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x = math.exp %s : tensor<8x8xf32>
    scf.yield %s, %x : tensor<8x8xf32>, tensor<8x8xf32>
  } {rng.recompute}
  %y = math.sin %m : tensor<8x8xf32>
  %f = arith.mulf %d, %m : tensor<8x8xf32>
  %da = arith.mulf %f, %p : tensor<8x8xf32>
  return %y, %da : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// A function with an op that is never to be computed again is not called again.

// CHECK-LABEL: func.func @call_forward(
// CHECK-SAME:      rng.saved = [#rng.saved<new 1>]
// CHECK-LABEL: func.func @call_backward(
// CHECK-NOT:     call
// CHECK:         return
func.func private @inner(%q: tensor<8xf32>) -> tensor<8xf32> {
  %a = math.exp %q {rng.save} : tensor<8xf32>
  return %a : tensor<8xf32>
}
func.func private @outer(%q: tensor<8xf32>) -> tensor<8xf32> {
  %a = func.call @inner(%q) : (tensor<8xf32>) -> tensor<8xf32>
  return %a : tensor<8xf32>
}
func.func @call(%q: tensor<8xf32>, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %m = func.call @outer(%q) : (tensor<8xf32>) -> tensor<8xf32>
  %y = math.sin %m : tensor<8xf32>
  %da = arith.mulf %d, %m : tensor<8xf32>
  return %y, %da : tensor<8xf32>, tensor<8xf32>
}

// -----

// An op that nothing is known of, and the same written out in its backward: the
// scores are computed in the backward alone, and are not saved.

// CHECK-LABEL: func.func @flash_forward(
// CHECK-SAME:      rng.saved = [#rng.saved<argument 0>, #rng.saved<new 1>]
// CHECK-NOT:     linalg.matmul
// CHECK:         "test.flash"
// CHECK-LABEL: func.func @flash_backward(
// CHECK:         linalg.matmul
func.func @flash(%q: tensor<8x8xf32>, %d: tensor<8x8xf32> {rng.cotangent})
    -> (tensor<8x8xf32>, tensor<8x8xf32> {rng.gradient}) {
  %e = tensor.empty() : tensor<8x8xf32>
  %o = "test.flash"(%q) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = math.sin %o : tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %q : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = math.exp %s : tensor<8x8xf32>
  %f = arith.mulf %d, %o : tensor<8x8xf32>
  %da = arith.mulf %f, %x : tensor<8x8xf32>
  return %y, %da : tensor<8x8xf32>, tensor<8x8xf32>
}
