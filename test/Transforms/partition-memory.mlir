// RUN: %rng_opt %s -rng-partition -split-input-file \
// RUN:   -verify-diagnostics | FileCheck %s
//
// State in memory: the reservation stays in the forward, once, and the backward
// gets its snapshot instead of the memory: 16 bytes for any number of draws.

// CHECK-LABEL: func.func @ten_forward
// CHECK-SAME:    (%[[X:.+]]: tensor<64xf32>, %[[MEMORY:.+]]: memref<2xi64>)
// CHECK-SAME:    -> (tensor<64xf32>, tensor<2xi64>)
// CHECK-SAME:    rng.saved = [#rng.saved<new 1>]
// CHECK:         %[[S:.+]] = rng.reserve_memory %[[MEMORY]], %{{.+}}
// CHECK-NOT:     rng.reserve_memory
// CHECK-COUNT-10: rng.stateless_bernoulli %[[S]][
// CHECK:         return %{{.+}}, %[[S]] : tensor<64xf32>, tensor<2xi64>
// CHECK-LABEL: func.func @ten_backward
// CHECK-SAME:    (%[[S:.+]]: tensor<2xi64>, %{{.+}}: tensor<64xf32> {rng.cotangent})
// CHECK-NOT:     rng.reserve_memory
// CHECK-COUNT-10: rng.stateless_bernoulli %[[S]][
// CHECK-NOT:     rng.reserve_memory
// CHECK:         return
func.func @ten(%x: tensor<64xf32>, %memory: memref<2xi64>,
               %dy: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %blocks = arith.constant 10 : i64
  %s = rng.reserve_memory %memory, %blocks : memref<2xi64> -> tensor<2xi64>
  %d0 = arith.constant 0 : i64
  %k0 = rng.stateless_bernoulli %s[%d0] prob(%p) : tensor<64xi1>
  %y0 = arith.select %k0, %x, %zero : tensor<64xi1>, tensor<64xf32>
  %d1 = arith.constant 1 : i64
  %k1 = rng.stateless_bernoulli %s[%d1] prob(%p) : tensor<64xi1>
  %y1 = arith.select %k1, %y0, %zero : tensor<64xi1>, tensor<64xf32>
  %d2 = arith.constant 2 : i64
  %k2 = rng.stateless_bernoulli %s[%d2] prob(%p) : tensor<64xi1>
  %y2 = arith.select %k2, %y1, %zero : tensor<64xi1>, tensor<64xf32>
  %d3 = arith.constant 3 : i64
  %k3 = rng.stateless_bernoulli %s[%d3] prob(%p) : tensor<64xi1>
  %y3 = arith.select %k3, %y2, %zero : tensor<64xi1>, tensor<64xf32>
  %d4 = arith.constant 4 : i64
  %k4 = rng.stateless_bernoulli %s[%d4] prob(%p) : tensor<64xi1>
  %y4 = arith.select %k4, %y3, %zero : tensor<64xi1>, tensor<64xf32>
  %d5 = arith.constant 5 : i64
  %k5 = rng.stateless_bernoulli %s[%d5] prob(%p) : tensor<64xi1>
  %y5 = arith.select %k5, %y4, %zero : tensor<64xi1>, tensor<64xf32>
  %d6 = arith.constant 6 : i64
  %k6 = rng.stateless_bernoulli %s[%d6] prob(%p) : tensor<64xi1>
  %y6 = arith.select %k6, %y5, %zero : tensor<64xi1>, tensor<64xf32>
  %d7 = arith.constant 7 : i64
  %k7 = rng.stateless_bernoulli %s[%d7] prob(%p) : tensor<64xi1>
  %y7 = arith.select %k7, %y6, %zero : tensor<64xi1>, tensor<64xf32>
  %d8 = arith.constant 8 : i64
  %k8 = rng.stateless_bernoulli %s[%d8] prob(%p) : tensor<64xi1>
  %y8 = arith.select %k8, %y7, %zero : tensor<64xi1>, tensor<64xf32>
  %d9 = arith.constant 9 : i64
  %k9 = rng.stateless_bernoulli %s[%d9] prob(%p) : tensor<64xi1>
  %y9 = arith.select %k9, %y8, %zero : tensor<64xi1>, tensor<64xf32>
  %g9 = arith.select %k9, %dy, %zero : tensor<64xi1>, tensor<64xf32>
  %g8 = arith.select %k8, %g9, %zero : tensor<64xi1>, tensor<64xf32>
  %g7 = arith.select %k7, %g8, %zero : tensor<64xi1>, tensor<64xf32>
  %g6 = arith.select %k6, %g7, %zero : tensor<64xi1>, tensor<64xf32>
  %g5 = arith.select %k5, %g6, %zero : tensor<64xi1>, tensor<64xf32>
  %g4 = arith.select %k4, %g5, %zero : tensor<64xi1>, tensor<64xf32>
  %g3 = arith.select %k3, %g4, %zero : tensor<64xi1>, tensor<64xf32>
  %g2 = arith.select %k2, %g3, %zero : tensor<64xi1>, tensor<64xf32>
  %g1 = arith.select %k1, %g2, %zero : tensor<64xi1>, tensor<64xf32>
  %g0 = arith.select %k0, %g1, %zero : tensor<64xi1>, tensor<64xf32>
  return %y9, %g0 : tensor<64xf32>, tensor<64xf32>
}

// -----

// Reserved once the total is known, which is a number of its own; a draw that
// only the backward needs is drawn there.
// CHECK-LABEL: func.func @late_forward
// CHECK-SAME:    %[[MEMORY:[a-z0-9]+]]: memref<2xi64>, %{{.+}}: i64)
// CHECK:         %[[S:.+]] = rng.reserve_memory %[[MEMORY]], %c0_i64
// CHECK-NOT:     rng.stateless_uniform
// CHECK:         rng.reserve_memory %[[MEMORY]], %{{.+}}
// CHECK-NOT:     rng.stateless_uniform
// CHECK:         return
// CHECK-LABEL: func.func @late_backward
// CHECK-NOT:     memref
// CHECK-NOT:     rng.reserve_memory
// CHECK:         rng.stateless_uniform %{{.+}}[
// CHECK-NOT:     rng.reserve_memory
// CHECK:         return
func.func @late(%x: tensor<64xf32>, %memory: memref<2xi64>, %n: i64,
                %dy: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s = rng.reserve_memory %memory, %none : memref<2xi64> -> tensor<2xi64>
  %keep = rng.stateless_bernoulli %s[%none] prob(%p) : tensor<64xi1>
  %y = arith.select %keep, %x, %zero : tensor<64xi1>, tensor<64xf32>
  %delta = arith.addi %n, %one : i64
  %noise = rng.stateless_uniform %s[%delta] : tensor<64xf32>
  %dk = arith.select %keep, %dy, %zero : tensor<64xi1>, tensor<64xf32>
  %dx = arith.addf %dk, %noise : tensor<64xf32>
  %total = arith.addi %delta, %one : i64
  %t = rng.reserve_memory %memory, %total : memref<2xi64> -> tensor<2xi64>
  return %y, %dx : tensor<64xf32>, tensor<64xf32>
}

// -----

// The seed is set: both snapshots stay values, and what writes the second one
// back stays in the forward.
// CHECK-LABEL: func.func @seeded_forward
// CHECK:         rng.reserve_memory
// CHECK:         bufferization.materialize_in_destination
// CHECK:         rng.reserve_memory
// CHECK:         return
// CHECK-LABEL: func.func @seeded_backward
// CHECK-NOT:     memref
// CHECK:         return
func.func @seeded(%x: tensor<64xf32>, %memory: memref<2xi64>, %seed: i64,
                  %dy: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s = rng.reserve_memory %memory, %none : memref<2xi64> -> tensor<2xi64>
  %k0 = rng.stateless_bernoulli %s[%none] prob(%p) : tensor<64xi1>
  %h = arith.select %k0, %x, %zero : tensor<64xi1>, tensor<64xf32>
  %t = tensor.from_elements %seed, %none : tensor<2xi64>
  %k1 = rng.stateless_bernoulli %t[%none] prob(%p) : tensor<64xi1>
  %y = arith.select %k1, %h, %zero : tensor<64xi1>, tensor<64xf32>
  %dh = arith.select %k1, %dy, %zero : tensor<64xi1>, tensor<64xf32>
  %dx = arith.select %k0, %dh, %zero : tensor<64xi1>, tensor<64xf32>
  bufferization.materialize_in_destination %t in writable %memory
      : (tensor<2xi64>, memref<2xi64>) -> ()
  %u = rng.reserve_memory %memory, %one : memref<2xi64> -> tensor<2xi64>
  return %y, %dx : tensor<64xf32>, tensor<64xf32>
}

// -----

// A side effect of the backward leaves the state in the forward, also where the
// state is advanced behind it.

// CHECK-LABEL: func.func @printed_forward
// CHECK-SAME:    (%{{.+}}: tensor<4xf32>, %[[K:.+]]: f32, %[[N:.+]]: i64, %[[MEMORY:.+]]: memref<2xi64>)
// CHECK:         rng.reserve_memory %[[MEMORY]], %{{.+}}
// CHECK-NOT:     vector.print
// CHECK:         rng.reserve_memory %[[MEMORY]], %[[N]]
// CHECK:         return
// CHECK-LABEL: func.func @printed_backward
// CHECK-NOT:     memref<2xi64>
// CHECK:         vector.print
// CHECK-NOT:     rng.reserve_memory
// CHECK:         return
func.func @printed(%x: tensor<4xf32>, %k: f32, %n: i64, %memory: memref<2xi64>,
                   %d: f32 {rng.cotangent})
    -> (tensor<4xf32>, f32 {rng.gradient}) {
  %c0 = arith.constant 0 : i64
  %s = rng.reserve_memory %memory, %c0 : memref<2xi64> -> tensor<2xi64>
  %u = rng.stateless_uniform %s[%c0] : tensor<4xf32>
  %y = arith.mulf %x, %u : tensor<4xf32>
  %g = arith.mulf %d, %k : f32
  vector.print %g : f32
  %next = rng.reserve_memory %memory, %n : memref<2xi64> -> tensor<2xi64>
  return %y, %g : tensor<4xf32>, f32
}

// -----

// So does one in a branch, behind a call.

func.func private @print(%x: f32) {
  vector.print %x : f32
  return
}
// CHECK-LABEL: func.func @called_forward
// CHECK:         rng.reserve_memory
// CHECK:         rng.set_state
// CHECK:         return
// CHECK-LABEL: func.func @called_backward
// CHECK:         func.call @print
// CHECK-NOT:     rng.reserve_memory
// CHECK-NOT:     rng.set_state
// CHECK:         return
func.func @called(%c: i1, %k: f32, %n: i64, %memory: memref<2xi64>,
                  %d: f32 {rng.cotangent}) -> (i64, f32 {rng.gradient}) {
  %g = arith.mulf %d, %k : f32
  scf.if %c {
    func.call @print(%g) : (f32) -> ()
  }
  %next = rng.reserve_memory %memory, %n : memref<2xi64> -> tensor<2xi64>
  rng.set_state %n, %n : i64, i64
  return %n, %g : i64, f32
}
