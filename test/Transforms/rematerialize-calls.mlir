// RUN: %rng_opt %s -rng-rematerialize=memory-budget=1.0 | FileCheck %s
// RUN: %rng_opt %s -rng-rematerialize=memory-budget=1.0 \
// RUN:   -rng-rematerialize=memory-budget=0.0 \
// RUN:   -rng-rematerialize=memory-budget=1.0 | FileCheck %s
//
// A call of a pure function that the backward repeats is the call of the
// forward, and what follows from both is the same, too: with room for it, it is
// saved. A call that has side effects stays where it is.

func.func private @pure(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = math.sin %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func private @prints(%x: f32) -> f32 {
  vector.print %x : f32
  return %x : f32
}

// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    rng.saved = [#rng.saved<new 3>]
// CHECK-COUNT-2: call @prints
// CHECK-COUNT-2: call @pure
// CHECK-NOT:     call
// CHECK-LABEL: func.func @backward(
// CHECK-NOT:     call
// CHECK:         return
func.func @forward(%a: tensor<8xf32>, %k: f32)
    -> (tensor<8xf32>, f32, f32)
    attributes {rng.backward = @backward, rng.saved = [#rng.saved<argument 0>]} {
  %p0 = call @prints(%k) : (f32) -> f32
  %p1 = call @prints(%k) : (f32) -> f32
  %x = call @pure(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %e = math.exp %x : tensor<8xf32>
  %y = call @pure(%e) : (tensor<8xf32>) -> tensor<8xf32>
  %z = math.exp %y : tensor<8xf32>
  return %z, %p0, %p1 : tensor<8xf32>, f32, f32
}
func.func @backward(%a: tensor<8xf32>, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32> {rng.gradient}) {
  %x = call @pure(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %e = math.exp %x : tensor<8xf32>
  %y = call @pure(%e) : (tensor<8xf32>) -> tensor<8xf32>
  %da = arith.mulf %d, %y : tensor<8xf32>
  return %da : tensor<8xf32>
}
