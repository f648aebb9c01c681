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

func.func @vector(%seed: i64, %offset: i64) {
  // expected-error @+1 {{'rng.stateless_uniform' op cannot be lowered with a value of type 'vector<4294967296xf32>': use a tensor, or vectors of at most 65536 elements}}
  %u = rng.stateless_uniform %seed, %offset : vector<4294967296xf32>
  return
}

// -----

func.func @vector_of_others(%x: memref<65536x65536xf32>, %i: index) {
  %z = arith.constant 0.0 : f32
  // expected-error @+1 {{'vector.transfer_read' op cannot be lowered with a value of type 'vector<65536x65536xf32>'}}
  %v = vector.transfer_read %x[%i, %i], %z : memref<65536x65536xf32>, vector<65536x65536xf32>
  vector.transfer_write %v, %x[%i, %i] : vector<65536x65536xf32>, memref<65536x65536xf32>
  return
}

// -----

// A product of sizes that wraps.
func.func @large(%n: index) {
  // expected-error @+1 {{'tensor.empty' op cannot be lowered with a value of type 'tensor<3037000500x3037000500xf32>': it has more than 2^62 bytes, which no machine addresses; work on pieces of it}}
  %x = tensor.empty() : tensor<3037000500x3037000500xf32>
  %y = math.exp %x : tensor<3037000500x3037000500xf32>
  %z = tensor.extract %y[%n, %n] : tensor<3037000500x3037000500xf32>
  return
}

// -----

// expected-error @+1 {{'func.func' op cannot be lowered with a value of type 'memref<9223372036854775807xvector<4xf32>>': it has more than 2^62 bytes}}
func.func private @large_argument(memref<9223372036854775807xvector<4xf32>>)

// -----

func.func @large_in_a_region(%c: i1) {
  scf.if %c {
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{'memref.alloc' op cannot be lowered with a value of type 'memref<?x4611686018427387905xi8>'}}
    %m = memref.alloc(%c1) : memref<?x4611686018427387905xi8>
  }
  return
}

// -----

// A size of none is none, and a dynamic one is not known.
func.func @large_but_empty(%x: tensor<9223372036854775807x0x4294967296xf32>,
                           %y: tensor<?x4611686018427387904xi8>,
                           %z: tensor<*xf32>, %v: vector<256x256xf32>,
                           %w: vector<[4]xf32>) {
  return
}

// -----

// expected-error @+1 {{'func.func' op cannot be lowered with a value of type 'tensor<4xf32, "layout">': a buffer does not keep the encoding; lower what it stands for before, or use a type without it}}
func.func @encoding(%x: tensor<4xf32, "layout">) -> tensor<4xf32, "layout"> {
  return %x : tensor<4xf32, "layout">
}

// -----

#sparse = #sparse_tensor.encoding<{map = (d0) -> (d0 : compressed)}>
// expected-error @+1 {{'func.func' op cannot be lowered with a value of type 'tensor<4xf32, #sparse_tensor.encoding}}
func.func private @sparse_result() -> tensor<4xf32, #sparse>

// -----

func.func @encoding_inside(%seed: i64, %offset: i64) -> tensor<4xf32> {
  // expected-error @+1 {{'rng.stateless_uniform' op cannot be lowered with a value of type 'tensor<4xf32, "layout">'}}
  %u = rng.stateless_uniform %seed, %offset : tensor<4xf32, "layout">
  %v = tensor.cast %u : tensor<4xf32, "layout"> to tensor<4xf32>
  return %v : tensor<4xf32>
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
