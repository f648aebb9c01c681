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

// No stateful draw is left, not even in a block that is never reached.

// CHECK-LABEL: func.func @unreachable(
// CHECK:         return
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    %[[N:.+]] = arith.constant 1 : i64
// CHECK-NEXT:    %[[S:.+]], %[[O:.+]] = rng.reserve %[[N]]
// CHECK-NEXT:    rng.stateless_uniform %[[S]], %[[O]] : f32
func.func @unreachable() {
  return
^dead:
  %0 = rng.uniform : f32
  cf.br ^dead
}
