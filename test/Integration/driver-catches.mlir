// RUN: %rng_opt %s --rng-generate-driver=finite-differences --rng-to-cpu > %t
// RUN: not %run_cpu %t | FileCheck %s

// The driver finds what is wrong with a pair. One fault each; the checks that
// the fault does not touch pass.

// The backward draws from the next block.
func.func @next_block_forward(%a: tensor<64xf32>)
    -> (tensor<64xf32>, i64, i64)
    attributes {rng.backward = @next_block_backward,
                rng.saved = [#rng.saved<new 1>, #rng.saved<new 2>]} {
  %p = arith.constant 0.5 : f32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %seed, %offset = rng.reserve %one : i64, i64
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<64xi1>
  %y = arith.select %keep, %a, %zero : tensor<64xi1>, tensor<64xf32>
  return %y, %seed, %offset : tensor<64xf32>, i64, i64
}
func.func @next_block_backward(%seed: i64, %offset: i64, %dy: tensor<64xf32>)
    -> tensor<64xf32> {
  %p = arith.constant 0.5 : f32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %next = arith.addi %offset, %one : i64
  %keep = rng.stateless_bernoulli %seed, %next prob(%p) : tensor<64xi1>
  %da = arith.select %keep, %dy, %zero : tensor<64xi1>, tensor<64xf32>
  return %da : tensor<64xf32>
}
// CHECK:      check next_block: draw 0 of the backward equals draw 0 of the forward: {{[1-9][0-9]?}} of 64 elements FAILED
// CHECK-NEXT: check next_block: draw 0 of a second call differs: {{[1-9][0-9]?}} of 64 elements PASS
// CHECK-NEXT: check next_block: draw 0 is the same after restoring the state: 64 of 64 elements PASS
// CHECK-NEXT: check next_block: finite differences of gradient 0 (argument 0): relative error {{.+}} FAILED

// The forward reads the state and forgets to advance it: two calls are the
// same. The backward draws a tensor that the forward does not have.
func.func @stuck_forward(%a: tensor<64xf32>) -> (tensor<64xf32>, i64, i64)
    attributes {rng.backward = @stuck_backward,
                rng.saved = [#rng.saved<new 1>, #rng.saved<new 2>]} {
  %seed, %offset = rng.get_state : i64, i64
  %u = rng.stateless_uniform %seed, %offset : tensor<64xf32>
  %y = arith.mulf %a, %u : tensor<64xf32>
  return %y, %seed, %offset : tensor<64xf32>, i64, i64
}
func.func @stuck_backward(%seed: i64, %offset: i64, %dy: tensor<64xf32>)
    -> tensor<64xf32> {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<64xi1>
  %da = arith.select %keep, %dy, %zero : tensor<64xi1>, tensor<64xf32>
  return %da : tensor<64xf32>
}
// CHECK:      check stuck: draw 0 of the backward has no draw of its type in the forward FAILED
// CHECK-NEXT: check stuck: draw 0 of a second call differs: 0 of 64 elements FAILED
// CHECK-NEXT: check stuck: draw 0 is the same after restoring the state: 64 of 64 elements PASS
// CHECK-NEXT: check stuck: finite differences of gradient 0 (argument 0): relative error {{.+}} FAILED

// A gradient of zero, and a result and a gradient other than those of the joint
// function.
func.func @other(%a: tensor<64xf32>, %dy: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %y = arith.addf %a, %a : tensor<64xf32>
  %da = arith.addf %dy, %dy : tensor<64xf32>
  return %y, %da : tensor<64xf32>, tensor<64xf32>
}
func.func @other_forward(%a: tensor<64xf32>) -> tensor<64xf32>
    attributes {rng.backward = @other_backward, rng.saved = []} {
  return %a : tensor<64xf32>
}
func.func @other_backward(%dy: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  return %zero : tensor<64xf32>
}
// CHECK:      check other: nothing is redrawn in the backward
// CHECK-NEXT: check other: result 0 and the joint function: 64 of 64 elements differ, at most by {{[^ ]+}} FAILED
// CHECK-NEXT: check other: gradient 0 and the joint function: 64 of 64 elements differ, at most by {{[^ ]+}} FAILED
// CHECK-NEXT: check other: finite differences of gradient 0 (argument 0): relative error 1 FAILED

// Twice the gradient.
func.func @twice_forward(%a: tensor<64xf32>) -> tensor<64xf32>
    attributes {rng.backward = @twice_backward, rng.saved = []} {
  return %a : tensor<64xf32>
}
func.func @twice_backward(%dy: tensor<64xf32>) -> tensor<64xf32> {
  %da = arith.addf %dy, %dy : tensor<64xf32>
  return %da : tensor<64xf32>
}
// CHECK:      check twice: nothing is redrawn in the backward
// CHECK-NEXT: check twice: finite differences of gradient 0 (argument 0): relative error 0.5 FAILED
// CHECK-NEXT: driver: 9 checks FAILED
// CHECK-NOT:  {{.}}
