// RUN: %rng_opt %s -split-input-file -rng-thread-state=entry=memory \
// RUN: | FileCheck %s

// Trap 10: seed and offset are both read from memory, by one snapshot at the
// entry; draws are at constant distances from it.

// CHECK-LABEL: func.func @static_draws(
// CHECK-SAME:      %{{[^:]+}}: f32, %[[MEMORY:[^:]+]]: memref<2xi64>) -> (f32, f32) {
// CHECK-NEXT:    %[[TOTAL:.+]] = arith.constant 2 : i64
// CHECK-NEXT:    %[[S:.+]] = rng.reserve_memory %[[MEMORY]], %[[TOTAL]] : memref<2xi64> -> tensor<2xi64>
// CHECK-NEXT:    %[[C0:.+]] = arith.constant 0 : i64
// CHECK-NEXT:    rng.stateless_uniform %[[S]][%[[C0]]] : f32
// CHECK-NEXT:    %[[C1:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    rng.stateless_uniform %[[S]][%[[C1]]] : f32
// CHECK-NEXT:    return
func.func @static_draws(%x: f32) -> (f32, f32) {
  %0 = rng.uniform : f32
  %1 = rng.uniform : f32
  return %0, %1 : f32, f32
}

// -----

// One memory a generator, in their order; private functions take a snapshot and
// the blocks after it.

// CHECK-LABEL: func.func private @callee(
// CHECK-SAME:      %[[S:[^:]+]]: tensor<2xi64>, %[[D:[^:]+]]: i64) -> i64 {
// CHECK-NEXT:    rng.stateless_uniform %[[S]][%[[D]]] : f32
// CHECK-NEXT:    %[[C1:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[NEXT:.+]] = arith.addi %[[D]], %[[C1]]
// CHECK-NEXT:    return %[[NEXT]]
func.func private @callee() {
  %0 = rng.uniform @g : f32
  return
}

// CHECK-LABEL: func.func @caller(
// CHECK-SAME:      %[[M0:[^:]+]]: memref<2xi64>, %[[MG:[^:]+]]: memref<2xi64>) {
// CHECK:         %[[S0:.+]] = rng.reserve_memory %[[M0]]
// CHECK:         %[[SG:.+]] = rng.reserve_memory %[[MG]]
// CHECK:         rng.stateless_uniform %[[S0]]
// CHECK:         call @callee(%[[SG]], %{{.+}}) : (tensor<2xi64>, i64) -> i64
// CHECK-NOT:     rng.reserve_memory
func.func @caller() {
  %0 = rng.uniform : f32
  call @callee() : () -> ()
  return
}
rng.generator @g

// -----

// How many blocks are drawn is not known at the entry: a snapshot there, and at
// the end the state in memory moves on.

// CHECK-LABEL: func.func @unknown(
// CHECK-SAME:      %[[C:[^:]+]]: i1, %[[MEMORY:[^:]+]]: memref<2xi64>) {
// CHECK-NEXT:    %[[ZERO:.+]] = arith.constant 0 : i64
// CHECK-NEXT:    %[[S:.+]] = rng.reserve_memory %[[MEMORY]], %[[ZERO]]
// CHECK:         %[[DELTA:.+]] = scf.if %[[C]] -> (i64) {
// CHECK:           rng.stateless_uniform %[[S]]
// CHECK:         rng.reserve_memory %[[MEMORY]], %[[DELTA]]
// CHECK-NEXT:    return
func.func @unknown(%c: i1) {
  scf.if %c {
    %0 = rng.uniform : f32
  }
  return
}

// -----

// State that is set is a new snapshot, and is in memory at the end. What reads
// the state reads the snapshot.

// CHECK-LABEL: func.func @set(
// CHECK-SAME:      %[[SEED:[^:]+]]: i64, %[[MEMORY:[^:]+]]: memref<2xi64>) -> (i64, i64) {
// CHECK:         %[[S:.+]] = rng.reserve_memory %[[MEMORY]]
// CHECK:         rng.stateless_uniform %[[S]]
// CHECK:         %[[GOT:.+]] = tensor.extract %[[S]]
// CHECK:         %[[OFFSET:.+]] = tensor.extract %[[S]]
// CHECK:         %[[NEXT:.+]] = arith.addi %[[OFFSET]]
// CHECK:         %[[NEW:.+]] = tensor.from_elements %[[SEED]], %[[SEED]] : tensor<2xi64>
// CHECK:         rng.stateless_uniform %[[NEW]]
// CHECK:         bufferization.materialize_in_destination %[[NEW]] in restrict writable %[[MEMORY]]
// CHECK-NEXT:    %[[ONE:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    rng.reserve_memory %[[MEMORY]], %[[ONE]]
// CHECK-NEXT:    return %[[GOT]], %[[NEXT]]
func.func @set(%seed: i64) -> (i64, i64) {
  %0 = rng.uniform : f32
  %s, %o = rng.get_state : i64, i64
  rng.set_state %seed, %seed : i64, i64
  %1 = rng.uniform : f32
  return %s, %o : i64, i64
}

// -----

// A public function that is also called: the wrapper has the memory, the twin
// is given a snapshot.

// CHECK-LABEL: func.func @shared(
// CHECK-SAME:      %[[MEMORY:[^:]+]]: memref<2xi64>) -> f32 {
// CHECK:         %[[S:.+]] = rng.reserve_memory %[[MEMORY]]
// CHECK:         call @shared_threaded(%[[S]],
// CHECK-LABEL: func.func private @shared_threaded(
// CHECK-SAME:      %{{[^:]+}}: tensor<2xi64>, %{{[^:]+}}: i64) -> (f32, i64) {
func.func @shared() -> f32 {
  %0 = rng.uniform : f32
  return %0 : f32
}
// CHECK-LABEL: func.func @shares(
// CHECK-COUNT-1: rng.reserve_memory
// CHECK:         call @shared_threaded(
// CHECK:         call @shared_threaded(
func.func @shares() {
  %0 = call @shared() : () -> f32
  %1 = call @shared() : () -> f32
  return
}

// -----

// An external function draws from the generators of the process: they have the
// state while it runs.

// CHECK-LABEL: func.func @calls_external(
// CHECK-SAME:      %[[MEMORY:[^:]+]]: memref<2xi64>) {
// CHECK:         %[[S:.+]] = rng.reserve_memory
// CHECK:         rng.set_state
// CHECK-NEXT:    call @external()
// CHECK-NEXT:    %[[SEED:.+]], %[[OFFSET:.+]] = rng.get_state
// CHECK-NEXT:    %[[AFTER:.+]] = tensor.from_elements %[[SEED]], %[[OFFSET]]
// CHECK:         rng.stateless_uniform %[[AFTER]]
// CHECK:         bufferization.materialize_in_destination %[[AFTER]]
// CHECK:         rng.reserve_memory %[[MEMORY]]
func.func private @external() attributes {rng.draws = [unit]}
func.func @calls_external() {
  call @external() : () -> ()
  %0 = rng.uniform : f32
  return
}
