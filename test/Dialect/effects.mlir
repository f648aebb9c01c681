// RUN: rng-opt %s --cse --canonicalize --split-input-file | FileCheck %s
// RUN: rng-opt %s --inline --split-input-file | FileCheck %s --check-prefix=INLINE

// Trap 3: two stateful draws with equal operands are two draws.
// CHECK-LABEL: func.func @two_draws
func.func @two_draws() -> (f32, f32) {
  // CHECK: %[[A:.+]] = rng.uniform : f32
  // CHECK: %[[B:.+]] = rng.uniform : f32
  // CHECK: return %[[A]], %[[B]]
  %a = rng.uniform : f32
  %b = rng.uniform : f32
  return %a, %b : f32, f32
}

// Trap 3: a query of the state is not merged across a draw.
// CHECK-LABEL: func.func @query_across_draw
func.func @query_across_draw() -> (i64, i64) {
  // CHECK: rng.get_state
  // CHECK: rng.uniform
  // CHECK: rng.get_state
  %s0, %o0 = rng.get_state : i64, i64
  %u = rng.uniform : f32
  %s1, %o1 = rng.get_state : i64, i64
  return %o0, %o1 : i64, i64
}

// Traps 3, 10: the same draw from the same state is one draw; snapshots before and after an
// advance in memory are different values.
// CHECK-LABEL: func.func @stateless
func.func @stateless(%s: i64, %o: i64, %m: memref<2xi64>, %n: i64)
    -> (f32, f32, f32, f32) {
  // CHECK: %[[A:.+]] = rng.stateless_uniform %{{.+}}, %{{.+}} : f32
  %a = rng.stateless_uniform %s, %o : f32
  %b = rng.stateless_uniform %s, %o : f32
  // CHECK: %[[S0:.+]] = rng.reserve_memory
  %s0 = rng.reserve_memory %m, %n : memref<2xi64> -> tensor<2xi64>
  // CHECK: %[[C:.+]] = rng.stateless_uniform %[[S0]]
  %c = rng.stateless_uniform %s0[%n] : f32
  // CHECK: %[[S1:.+]] = rng.reserve_memory
  %s1 = rng.reserve_memory %m, %n : memref<2xi64> -> tensor<2xi64>
  // CHECK: %[[D:.+]] = rng.stateless_uniform %[[S1]]
  %d = rng.stateless_uniform %s1[%n] : f32
  // CHECK: return %[[A]], %[[A]], %[[C]], %[[D]]
  return %a, %b, %c, %d : f32, f32, f32, f32
}

// Trap 21: draws that differ in the seed only, or in the block only, differ.
// CHECK-LABEL: func.func @two_seeds
func.func @two_seeds(%s: i64, %t: i64, %o: i64) -> (f32, f32, f32) {
  // CHECK: %[[A:.+]] = rng.stateless_uniform
  // CHECK: %[[B:.+]] = rng.stateless_uniform
  // CHECK: %[[C:.+]] = rng.stateless_uniform
  // CHECK: return %[[A]], %[[B]], %[[C]]
  %a = rng.stateless_uniform %s, %o : f32
  %b = rng.stateless_uniform %t, %o : f32
  %c = rng.stateless_uniform %s, %o slice [4] of [8] : f32
  return %a, %b, %c : f32, f32, f32
}

// -----

func.func private @callee() -> f32 {
  %0 = rng.uniform : f32
  return %0 : f32
}

// INLINE-LABEL: func.func @caller
func.func @caller() -> (f32, f32) {
  // INLINE-COUNT-2: rng.uniform : f32
  // INLINE-NOT: call
  %0 = func.call @callee() : () -> f32
  %1 = func.call @callee() : () -> f32
  return %0, %1 : f32, f32
}
