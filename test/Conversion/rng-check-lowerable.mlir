// RUN: %rng_opt %s --allow-unregistered-dialect --rng-check-lowerable \
// RUN:   --split-input-file --verify-diagnostics
// RUN: %rng_opt %s --allow-unregistered-dialect --rng-to-cpu \
// RUN:   --split-input-file --verify-diagnostics

func.func @fine(%seed: i64, %offset: i64) -> f32 {
  %u = rng.stateless_uniform %seed, %offset : f32
  return %u : f32
}

// -----

func.func @stateful(%p: f32) -> tensor<4xi1> {
  // expected-error @+1 {{'rng.bernoulli' op reads and advances a generator and cannot be lowered: run rng-thread-state first}}
  %m = rng.bernoulli prob(%p) : tensor<4xi1>
  return %m : tensor<4xi1>
}

// -----

func.func @not_drawn(%seed: i64, %offset: i64) -> vector<4xf64> {
  // expected-error @+1 {{'rng.stateless_normal' op Triton draws no 'f64' under #rng.triton: draw f32 and convert that}}
  %z = rng.stateless_normal %seed, %offset
      {algorithm = #rng.philox<convention = triton>} : vector<4xf64>
  return %z : vector<4xf64>
}

// -----

func.func @dealloc(%m: memref<4xf32>) {
  // expected-error @+1 {{'memref.dealloc' op cannot be lowered here: remove it, buffers that a function allocates are freed at their end of life}}
  memref.dealloc %m : memref<4xf32>
  return
}

// -----

func.func @unregistered(%m: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'custom.op' op cannot be lowered here: its dialect is not registered; lower it first, or register the dialect}}
  %0 = "custom.op"(%m) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

module {
  // expected-note @+1 {{nested module here}}
  module @inner {
    func.func @f(%seed: i64, %offset: i64) -> f32 {
      // expected-error @+1 {{'rng.stateless_uniform' op cannot be lowered in a nested module: move its functions into the module around it}}
      %u = rng.stateless_uniform %seed, %offset : f32
      return %u : f32
    }
  }
}
