// RUN: %rng_opt %s -split-input-file -rng-thread-state | FileCheck %s
// RUN: %rng_opt %s -split-input-file -rng-thread-state=entry=arguments \
// RUN: | FileCheck %s --check-prefix=ARGUMENTS

// A function whose address is taken keeps its signature and draws from the
// generator of the process; the state goes there for the indirect call and is
// read again after it.

// CHECK-LABEL: func.func @draws()
// CHECK:         rng.reserve
// ARGUMENTS-LABEL: func.func @draws()
// ARGUMENTS:     rng.reserve
func.func @draws() {
  %u = rng.uniform : f32
  return
}
// CHECK-LABEL: func.func @indirect()
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[BASE]]
// CHECK:         %[[NEXT:.+]] = arith.addi %[[BASE]]
// CHECK:         rng.set_state %[[SEED]], %[[NEXT]]
// CHECK-NEXT:    call_indirect
// CHECK-NEXT:    %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[BASE]]
// CHECK:         rng.set_state
// ARGUMENTS-LABEL: func.func @indirect(
// ARGUMENTS-SAME:    %[[SEED:[^:]+]]: i64, %[[BASE:[^:]+]]: i64) -> (i64, i64) {
// ARGUMENTS:     rng.set_state %[[SEED]], %{{.+}}
// ARGUMENTS-NEXT: call_indirect
// ARGUMENTS-NEXT: %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// ARGUMENTS:     return %[[SEED]], %{{.+}}
func.func @indirect() {
  %u = rng.uniform : f32
  %f = func.constant @draws : () -> ()
  call_indirect %f() : () -> ()
  %v = rng.uniform : f32
  return
}

// -----

// A private function that is called both ways has a twin for the direct calls.

// CHECK-LABEL: func.func private @both()
// CHECK:         rng.reserve
// CHECK:         call @both_threaded(
// CHECK-LABEL: func.func private @both_threaded(
// CHECK-SAME:      i64, %{{.+}}: i64) -> i64
func.func private @both() {
  %u = rng.uniform : f32
  return
}
// CHECK-LABEL: func.func @calls_both()
// CHECK:         call @both_threaded(
// CHECK:         rng.set_state
// CHECK-NEXT:    call_indirect
func.func @calls_both() {
  call @both() : () -> ()
  %f = func.constant @both : () -> ()
  call_indirect %f() : () -> ()
  return
}

// -----

// What is called indirectly is a function of the type of the call: others are
// as if they did not draw.

func.func private @draws(%x: f32) {
  %u = rng.uniform : f32
  return
}
// CHECK-LABEL: func.func @other_type(
// CHECK:         rng.reserve
// CHECK-NOT:     rng.set_state
// CHECK:         call_indirect
// CHECK-NOT:     rng.get_state
// CHECK:         return
func.func @other_type(%g: () -> ()) -> ((f32) -> ()) {
  %f = func.constant @draws : (f32) -> ()
  %u = rng.uniform : f32
  call_indirect %g() : () -> ()
  return %f : (f32) -> ()
}

// -----

// An external function; one that only sets the state.

func.func private @external() attributes {rng.draws = [unit]}
func.func private @sets(%s: i64) {
  rng.set_state %s, %s : i64, i64
  return
}
// CHECK-LABEL: func.func @calls(
// CHECK:         rng.stateless_uniform
// CHECK:         rng.set_state
// CHECK-NEXT:    call_indirect
// CHECK-NEXT:    rng.get_state
// CHECK-NEXT:    rng.set_state
// CHECK-NEXT:    call_indirect
// CHECK-NEXT:    rng.get_state
// CHECK-NEXT:    rng.stateless_uniform
func.func @calls(%s: i64, %c: i1) {
  %f = func.constant @external : () -> ()
  %g = func.constant @sets : (i64) -> ()
  %u = rng.uniform : f32
  call_indirect %f() : () -> ()
  call_indirect %g(%s) : (i64) -> ()
  %v = rng.uniform : f32
  return
}
