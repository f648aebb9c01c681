// RUN: %rng_opt %s --convert-rng-to-arith -verify-diagnostics -split-input-file

// A vector without end.
func.func @vector(%seed: i64, %offset: i64) -> vector<4294967296xf32> {
  // expected-error @+1 {{'rng.stateless_normal' op cannot be lowered with a value of type 'vector<4294967296xf32>': use a tensor, or vectors of at most 65536 elements}}
  %z = rng.stateless_normal %seed, %offset : vector<4294967296xf32>
  return %z : vector<4294967296xf32>
}

// -----

// The largest that is lowered.
func.func @largest(%seed: i64, %offset: i64, %i: index) -> vector<256x256xf32> {
  %z = rng.stateless_normal %seed, %offset slice [%i, %i] of [512, 512]
      : vector<256x256xf32>
  return %z : vector<256x256xf32>
}

// -----

func.func @undefined(%seed: i64, %offset: i64) -> f64 {
  // expected-error @+1 {{'rng.stateless_normal' op Triton draws no 'f64' under #rng.triton: draw f32 and convert that}}
  %z = rng.stateless_normal %seed, %offset
      {algorithm = #rng.philox<convention = triton>} : f64
  return %z : f64
}
