// A result that no forward can compute because of the order of side effects: the
// error names the ops of the program, not those that threading adds.
//
// RUN: %rng_opt %s -split-input-file -verify-diagnostics -rng-thread-state \
// RUN:   -rng-partition
// RUN: %rng_opt %s -split-input-file -verify-diagnostics \
// RUN:   -rng-thread-state=entry=arguments -rng-partition
// RUN: %rng_opt %s -split-input-file -verify-diagnostics \
// RUN:   -rng-thread-state=entry=memory -rng-partition

rng.generator @g

func.func private @draws(f32) -> f32 attributes {rng.draws = [@g]}

func.func @print_first(%x: f32, %d: f32 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  // expected-note@+1 {{'vector.print' uses the cotangent and has side effects that must come before what follows}}
  vector.print %d : f32
  // expected-error@+2 {{primal result #0 depends on the cotangent argument #1}}
  // expected-note@+1 {{'func.call' yields the result}}
  %y = call @draws(%x) : (f32) -> f32
  return %y, %d : f32, f32
}
