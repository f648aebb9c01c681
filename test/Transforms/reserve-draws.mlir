// RUN: %rng_opt %s -rng-reserve-draws | FileCheck %s

rng.generator @g {algorithm = #rng.philox<rounds = 7>}

// Each draw reserves for itself, where it stands, used or not. Trap 7: so no
// branch or loop leaves an offset that the code after it could get wrong.

// CHECK-LABEL: func.func @everywhere(
// CHECK-SAME:      %[[P:.+]]: f32, %[[D0:.+]]: index)
// CHECK-NEXT:    %[[N0:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[S0:.+]], %[[O0:.+]] = rng.reserve %[[N0]]
// CHECK-NEXT:    rng.stateless_bernoulli %[[S0]], %[[O0]] prob(%[[P]]) sizes(%[[D0]]) {rng.save} : tensor<?xi1>
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      %[[N1:.+]] = arith.constant 1 : i64
// CHECK-NEXT:      %[[S1:.+]], %[[O1:.+]] = rng.reserve @g, %[[N1]]
// CHECK-NEXT:      rng.stateless_uniform %[[S1]], %[[O1]] {algorithm = #rng.philox<rounds = 7>} : f32
func.func @everywhere(%p: f32, %d0: index) {
  %keep = rng.bernoulli prob(%p) sizes(%d0) {rng.save} : tensor<?xi1>
  scf.for %i = %d0 to %d0 step %d0 {
    %u = rng.uniform @g : f32
  }
  return
}

// Blocks that are never reached are no exception: what is left in them would
// stop the lowerings.
// CHECK-LABEL: func.func @unreachable
// CHECK:         return
// CHECK:         rng.reserve
// CHECK-NEXT:    rng.stateless_uniform
// CHECK-NOT:     rng.uniform
func.func @unreachable() {
  return
^never:
  %0 = rng.uniform : f32
  return
}
