// A joint function that keeps its signature and is called: callers go to a twin
// that is never split.

// RUN: %rng_opt %s --rng-thread-state -split-input-file -verify-diagnostics -o %t.mlir
// RUN: %rng_opt %s --rng-thread-state=entry=memory -split-input-file -verify-diagnostics -o %t.mlir

// expected-warning@below {{joint function '@joint' is called: its callers go to a copy, '@joint_threaded', which 'rng-partition' does not split; remove the calls, or make the function private if they are to stay (with 'keep-joint')}}
func.func @joint(%a: f32, %d: f32 {rng.cotangent}) -> (f32, f32 {rng.gradient}) {
  %u = rng.uniform : f32
  %y = arith.mulf %a, %u : f32
  %g = arith.mulf %d, %u : f32
  return %y, %g : f32, f32
}
func.func @caller(%a: f32) -> f32 {
  %y:2 = call @joint(%a, %a) : (f32, f32) -> (f32, f32)
  return %y#0 : f32
}

// -----

// `rng-partition` refuses to replace one that is called itself.

func.func private @private_joint(%a: f32, %d: f32 {rng.cotangent}) -> (f32, f32 {rng.gradient}) {
  %u = rng.uniform : f32
  %y = arith.mulf %a, %u : f32
  %g = arith.mulf %d, %u : f32
  return %y, %g : f32, f32
}
func.func @caller(%a: f32) -> f32 {
  %y:2 = call @private_joint(%a, %a) : (f32, f32) -> (f32, f32)
  return %y#0 : f32
}

// -----

// One that is not called, and one without draws.

func.func @fine(%a: f32, %d: f32 {rng.cotangent}) -> (f32, f32 {rng.gradient}) {
  %u = rng.uniform : f32
  %y = arith.mulf %a, %u : f32
  %g = arith.mulf %d, %u : f32
  return %y, %g : f32, f32
}
func.func @no_draws(%a: f32, %d: f32 {rng.cotangent}) -> (f32, f32 {rng.gradient}) {
  return %a, %d : f32, f32
}
func.func @caller(%a: f32) -> f32 {
  %y:2 = call @no_draws(%a, %a) : (f32, f32) -> (f32, f32)
  return %y#0 : f32
}
