// What is refused of ops of another dialect that implement the interface of
// state ops.

// RUN: rng-test-opt %s --rng-check-streams=severity=error --split-input-file --verify-diagnostics

// The shuffle uses blocks [0, 3), of which the draw reads one.
func.func @overlap(%x: f32, %seed: i64) -> (f32, f32) {
  %c0 = arith.constant 0 : i64
  %c2 = arith.constant 2 : i64
  rng.set_state %seed, %c0 : i64, i64
  // expected-note @below {{'test_rng.shuffle' reads blocks [0, 3) here}}
  %y = test_rng.shuffle %x by 3 : f32
  // expected-error @below {{'rng.stateless_uniform' op reads blocks [2, 3) of a seed, which another draw reads, too}}
  %u = rng.stateless_uniform %seed, %c2 : f32
  return %y, %u : f32, f32
}

// -----

// The draw behind it is past it.
func.func @past(%x: f32) -> (f32, f32) {
  %seed, %offset = rng.get_state : i64, i64
  %y = test_rng.shuffle %x by 3 : f32
  // expected-note @below {{'rng.uniform' reads blocks [3, 4) here}}
  %a = rng.uniform : f32
  %c3 = arith.constant 3 : i64
  %at = arith.addi %offset, %c3 : i64
  // expected-error @below {{'rng.stateless_normal' op reads blocks [3, 4) after the state of the generator at the entry, which another draw reads, too}}
  %b = rng.stateless_normal %seed, %at : f32
  return %a, %b : f32, f32
}
