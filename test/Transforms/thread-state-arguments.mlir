// RUN: %rng_opt %s -split-input-file -rng-thread-state=entry=arguments \
// RUN: | FileCheck %s

rng.generator @g

// Public functions gain seed and offset for each generator that they use and
// return the next offset; attributes of the rest stay where they are.

// CHECK-LABEL: func.func @two_generators(
// CHECK-SAME:      %[[P:[^:]+]]: f32 {rng.persistent}, %[[S0:[^:]+]]: i64, %[[O0:[^:]+]]: i64,
// CHECK-SAME:      %[[SG:[^:]+]]: i64, %[[OG:[^:]+]]: i64)
// CHECK-SAME:      -> (tensor<4xf32> {rng.gradient}, i64, i64) {
// CHECK-NEXT:    rng.stateless_bernoulli %[[SG]], %[[OG]]
// CHECK-NEXT:    %[[U:.+]] = rng.stateless_uniform %[[S0]], %[[O0]]
// CHECK:         %[[NEXT:.+]] = arith.addi %[[O0]]
// CHECK:         %[[NEXT_G:.+]] = arith.addi %[[OG]]
// CHECK-NEXT:    return %[[U]], %[[NEXT]], %[[NEXT_G]]
func.func @two_generators(%p: f32 {rng.persistent})
    -> (tensor<4xf32> {rng.gradient}) {
  %keep = rng.bernoulli @g prob(%p) : tensor<4xi1>
  %u = rng.uniform : tensor<4xf32>
  return %u : tensor<4xf32>
}

// The seed is a result where it is set.
// CHECK-LABEL: func.func @set(
// CHECK-SAME:      %[[NEW:[^:]+]]: i64, %[[S:[^:]+]]: i64, %[[O:[^:]+]]: i64) -> (i64, i64) {
// CHECK-NEXT:    rng.stateless_uniform %[[S]], %[[O]]
// CHECK-NEXT:    return %[[NEW]], %[[NEW]]
func.func @set(%new: i64) {
  %u = rng.uniform : f32
  rng.set_state %new, %new : i64, i64
  return
}

// A called public function needs no twin.
// CHECK-LABEL: func.func @called(
// CHECK-SAME:      i64, %{{[^:]+}}: i64) -> (f32, i64)
func.func @called() -> f32 {
  %u = rng.uniform : f32
  return %u : f32
}
// CHECK-LABEL: func.func @calls(
// CHECK-SAME:      %[[S:[^:]+]]: i64, %[[O:[^:]+]]: i64) -> (f32, i64)
// CHECK-NEXT:    %[[CALL:.+]]:2 = call @called(%[[S]], %[[O]])
func.func @calls() -> f32 {
  %0 = call @called() : () -> f32
  return %0 : f32
}

// The state of the process is left to external functions.
// CHECK-LABEL: func.func @read_only(
// CHECK-SAME:      %[[S:[^:]+]]: i64, %[[O:[^:]+]]: i64) -> (i64, i64) {
// CHECK-NEXT:    return %[[S]], %[[O]]
func.func @read_only() -> (i64, i64) {
  %seed, %offset = rng.get_state : i64, i64
  return %seed, %offset : i64, i64
}

func.func private @external() attributes {rng.draws = [unit]}
// CHECK-LABEL: func.func @calls_external(
// CHECK-SAME:      %[[S:[^:]+]]: i64, %[[O:[^:]+]]: i64) -> (i64, i64) {
// CHECK-NEXT:    rng.set_state %[[S]], %[[O]]
// CHECK-NEXT:    call @external()
// CHECK-NEXT:    %[[S2:.+]], %[[O2:.+]] = rng.get_state
// CHECK-NEXT:    return %[[S2]], %[[O2]]
func.func @calls_external() {
  call @external() : () -> ()
  return
}

// CHECK-LABEL: func.func @no_draws()
// CHECK-NEXT:    return
func.func @no_draws() {
  return
}
