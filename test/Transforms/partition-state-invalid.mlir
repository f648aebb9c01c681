// State by hand that the forward reads and only the backward advances.
//
// RUN: %rng_opt %s -split-input-file -verify-diagnostics -rng-partition

func.func @by_hand(%x: f32, %d: f32 {rng.cotangent}, %k: i64 {rng.cotangent})
    -> (f32, f32 {rng.gradient}) {
  // expected-error@+1 {{'rng.get_state' op reads in the forward the state that draws are at, but only the backward advances it, so that a second forward would draw the same numbers: advance it in the forward ('rng.reserve'), or run rng-thread-state on the function once it has one basic block}}
  %seed, %offset = rng.get_state : i64, i64
  %m = rng.stateless_uniform %seed, %offset : f32
  %y = arith.mulf %x, %m : f32
  %g = arith.mulf %d, %m : f32
  %next = arith.addi %offset, %k : i64
  // expected-note@+1 {{the backward advances it here}}
  rng.set_state %seed, %next : i64, i64
  return %y, %g : f32, f32
}

// -----

func.func @in_memory(%m: memref<2xi64>, %x: f32, %d: f32 {rng.cotangent},
                     %k: i64 {rng.cotangent}) -> (f32, f32 {rng.gradient}) {
  %zero = arith.constant 0 : i64
  // expected-error@+1 {{'rng.reserve_memory' op reads in the forward the state that draws are at}}
  %s = rng.reserve_memory %m, %zero : memref<2xi64> -> tensor<2xi64>
  %u = rng.stateless_uniform %s[%zero] : f32
  %y = arith.mulf %x, %u : f32
  %g = arith.mulf %d, %u : f32
  // expected-note@+1 {{the backward advances it here}}
  %t = rng.reserve_memory %m, %k : memref<2xi64> -> tensor<2xi64>
  return %y, %g : f32, f32
}

// -----

func.func @marked(%d: f32 {rng.cotangent}) -> (i64, f32 {rng.gradient}) {
  %seed, %offset = rng.get_state {rng.in_backward} : i64, i64
  // expected-note@-1 {{'rng.get_state' is in the backward and is used by what follows}}
  // expected-error@+1 {{primal result #0 depends on 'rng.get_state', which 'rng.in_backward' puts in the backward, so no forward can compute it}}
  %y = arith.addi %seed, %offset : i64
  // expected-note@-1 {{'arith.addi' yields the result}}
  return %y, %d : i64, f32
}

// -----

// Not an error: nothing is drawn there, or the forward advances it.
func.func @fine(%x: f32, %d: f32 {rng.cotangent}, %k: i64 {rng.cotangent})
    -> (i64, f32, f32 {rng.gradient}) {
  %seed, %offset = rng.get_state : i64, i64
  %one = arith.constant 1 : i64
  %s, %o = rng.reserve %one : i64, i64
  %m = rng.stateless_uniform %s, %o : f32
  %y = arith.mulf %x, %m : f32
  %g = arith.mulf %d, %m : f32
  rng.set_state %seed, %k : i64, i64
  return %offset, %y, %g : i64, f32, f32
}
