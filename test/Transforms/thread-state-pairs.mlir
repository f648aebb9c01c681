// Pairs written by hand: what the backward draws is marked as the backward's, so
// that the two can be joined and cut again.

// RUN: %rng_opt %s -split-input-file --rng-thread-state | FileCheck %s
// RUN: %rng_opt %s -split-input-file --rng-thread-state --rng-rematerialize \
// RUN:   | FileCheck %s --check-prefix=REMAT
// RUN: %rng_opt %s -split-input-file -verify-diagnostics \
// RUN:   --rng-thread-state=entry=arguments
// RUN: %rng_opt %s -split-input-file -verify-diagnostics \
// RUN:   --rng-thread-state=entry=memory

// CHECK-LABEL: func.func @noise_forward(
// CHECK:         rng.reserve %{{[^ ]+}} : i64, i64
// CHECK-LABEL: func.func @noise_backward(
// CHECK:         rng.reserve %{{[^ ]+}} {rng.in_backward} : i64, i64
// CHECK:         rng.stateless_normal

// REMAT-LABEL: func.func @noise_forward(
// REMAT:         rng.reserve %{{[^ ]+}} : i64, i64
// REMAT-LABEL: func.func @noise_backward(
// REMAT:         rng.reserve %{{[^ ]+}} {rng.in_backward} : i64, i64
// REMAT:         rng.stateless_normal

// expected-error @below {{'func.func' op names drawing function '@noise_backward' as its backward ('rng.backward'), whose state would become arguments and results that the backward of a pair does not have: keep it public and use entry=state, or give it seed and offset as arguments and use stateless draws in it}}
func.func @noise_forward(%a: f32) -> (f32, f32)
    attributes {rng.backward = @noise_backward, rng.saved = [#rng.saved<new 1>]} {
  %m = rng.uniform : f32
  %y = arith.mulf %a, %m : f32
  return %y, %m : f32, f32
}
// expected-note @below {{drawing function defined here}}
func.func @noise_backward(%m: f32, %d: f32) -> f32 {
  %n = rng.normal : f32
  %s = arith.addf %n, %m : f32
  %g = arith.mulf %s, %d : f32
  return %g : f32
}

// -----

// A number of stream blocks that is known only in the end: reads and writes.

// CHECK-LABEL: func.func @loop_backward(
// CHECK:         rng.get_state {rng.in_backward} : i64, i64
// CHECK:         rng.set_state %{{.+}}, %{{.+}} {rng.in_backward} : i64, i64

// REMAT-LABEL: func.func @loop_backward(
// REMAT:         rng.get_state {rng.in_backward} : i64, i64
// REMAT:         rng.set_state %{{.+}}, %{{.+}} {rng.in_backward} : i64, i64

// expected-error @below {{'func.func' op names drawing function '@loop_backward' as its backward}}
func.func @loop_forward(%a: f32) -> f32
    attributes {rng.backward = @loop_backward, rng.saved = [#rng.saved<argument 0>]} {
  return %a : f32
}
// expected-note @below {{drawing function defined here}}
func.func @loop_backward(%a: f32, %d: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf olt, %d, %zero : f32
  %n = scf.if %c -> f32 {
    %z = rng.normal : f32
    scf.yield %z : f32
  } else {
    scf.yield %a : f32
  }
  %g = arith.mulf %n, %d : f32
  return %g : f32
}
