// What the forward may not do behind an op of the backward that moves the same
// generator.
//
// RUN: %rng_opt %s -split-input-file -verify-diagnostics -rng-thread-state
// RUN: %rng_opt %s -split-input-file -verify-diagnostics \
// RUN:   -rng-thread-state=entry=arguments
// RUN: %rng_opt %s -split-input-file -verify-diagnostics \
// RUN:   -rng-thread-state=entry=memory

func.func @draw_behind(%d: f32 {rng.cotangent}) -> (f32, f32 {rng.gradient}) {
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf olt, %d, %zero : f32
  // expected-note@+1 {{'scf.if' is here}}
  %g = scf.if %c -> (f32) {
    %n = rng.normal : f32
    scf.yield %n : f32
  } else {
    scf.yield %d : f32
  }
  // expected-error@+1 {{'rng.uniform' op uses the default generator in the forward of '@draw_behind' behind 'scf.if', which uses a cotangent and moves the generator in a way that only the backward knows, so no forward can compute it: move this op before that one, or let that one use a generator of its own ('rng.generator')}}
  %y = rng.uniform : f32
  return %y, %g : f32, f32
}

// -----

rng.generator @g

// The innermost op is named.
func.func @nested(%n: index, %k: index {rng.cotangent}, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note@+1 {{'scf.for' is here}}
  %g = scf.for %i = %c0 to %k step %c1 iter_args(%a = %d) -> (f32) {
    %z = rng.normal @g : f32
    scf.yield %z : f32
  }
  %zero = arith.constant 0.0 : f32
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
    // expected-error@+1 {{'rng.uniform' op uses generator '@g' in the forward of '@nested' behind 'scf.for'}}
    %u = rng.uniform @g : f32
    scf.yield %u : f32
  }
  return %y, %g : f32, f32
}

// -----

func.func @look_behind(%s: i64 {rng.cotangent}) -> (i64, f32 {rng.gradient}) {
  %u = rng.uniform : f32
  // expected-note@+1 {{'rng.set_state' is here}}
  rng.set_state %s, %s : i64, i64
  // expected-error@+1 {{'rng.get_state' op uses the default generator in the forward of '@look_behind' behind 'rng.set_state'}}
  %seed, %offset = rng.get_state : i64, i64
  return %offset, %u : i64, f32
}

// -----

// A state that is set again does not help: the backward may run before.
func.func @set_behind(%a: i64, %s: i64 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %u = rng.uniform : f32
  // expected-note@+1 {{'rng.set_state' is here}}
  rng.set_state %s, %s : i64, i64
  rng.set_state %a, %a : i64, i64
  // expected-error@+1 {{'rng.uniform' op uses the default generator in the forward}}
  %y = rng.uniform : f32
  return %y, %u : f32, f32
}

// -----

// Not an error: what only gradients use is the backward's, too.
func.func @noise_behind(%s: i64 {rng.cotangent}, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  %y = rng.uniform : f32
  rng.set_state %s, %s : i64, i64
  %n = rng.uniform : f32
  %g = arith.addf %d, %n : f32
  return %y, %g : f32, f32
}
