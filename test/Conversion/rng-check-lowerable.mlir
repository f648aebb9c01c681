// RUN: %rng_opt %s --allow-unregistered-dialect --rng-check-lowerable \
// RUN:   --split-input-file --verify-diagnostics
// RUN: %rng_opt %s --allow-unregistered-dialect --rng-to-cpu \
// RUN:   --split-input-file --verify-diagnostics

// All of it is the first thing that the pipelines do, with the module as it was.
// RUN: not %rng_opt %s --allow-unregistered-dialect --rng-to-cpu \
// RUN:   --mlir-print-ir-after-failure --split-input-file 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CPU
// CPU-COUNT-36: IR Dump After RngCheckLowerablePass Failed
// CPU-NOT: Failed

// The way to kernels lets kernels pass, and what frees memory or hides that.
// RUN: not %rng_opt %s --allow-unregistered-dialect --rng-to-emulated-gpu \
// RUN:   --mlir-print-ir-after-failure --split-input-file 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GPU
// GPU-COUNT-31: IR Dump After RngCheckLowerablePass Failed
// GPU-NOT: RngCheckLowerablePass

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

// -----

// Dialects that nothing here lowers.

func.func @async(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'async.execute' op cannot be lowered here: no pass of this pipeline lowers the dialect 'async'; lower it first}}
  %token, %later = async.execute -> !async.value<tensor<4xf32>> {
    async.yield %a : tensor<4xf32>
  }
  %x = async.await %later : !async.value<tensor<4xf32>>
  return %x : tensor<4xf32>
}

// -----

func.func @async_scalars(%a: i32) {
  // expected-error @+1 {{'async.execute' op cannot be lowered here: no pass of this pipeline lowers the dialect 'async'; lower it first}}
  %token = async.execute {
    async.yield
  }
  return
}

// -----

func.func @shape(%a: tensor<?xf32>) -> tensor<1xindex> {
  // expected-error @+1 {{'shape.shape_of' op cannot be lowered here: no pass of this pipeline lowers the dialect 'shape'; lower it first}}
  %s = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  return %s : tensor<1xindex>
}

// -----

func.func @tosa(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tosa.tanh' op cannot be lowered here: no pass of this pipeline lowers the dialect 'tosa'; lower it first}}
  %r = tosa.tanh %a : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @quantised_ops(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'quant.qcast' op cannot be lowered here: no pass of this pipeline lowers the dialect 'quant'; lower it first}}
  %q = quant.qcast %a : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32, 2.0>>
  %r = quant.dcast %q : tensor<4x!quant.uniform<i8:f32, 2.0>> to tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Kernels are, on the way to a GPU.

func.func @kernel(%n: index, %m: memref<4xf32>) {
  // expected-error @+1 {{'gpu.launch' op cannot be lowered here: no pass of this pipeline lowers the dialect 'gpu'; lower it first}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    gpu.terminator
  }
  return
}

// -----

// Types without a form in LLVM: of arguments, results, functions without a body
// and globals.

// expected-error @+1 {{'func.func' op cannot be lowered here: '!quant.uniform<i8:f32, 2.000000e+00>' has no form in LLVM; convert it to another type first}}
func.func @quantised(%a: !quant.uniform<i8:f32, 2.0>) {
  return
}

// -----

// expected-error @+1 {{'func.func' op cannot be lowered here: 'tensor<4x!quant.uniform<i8:f32, 2.000000e+00>>' has no form in LLVM; convert it to another type first}}
func.func @quantised_tensor(%a: tensor<4x!quant.uniform<i8:f32, 2.0>>)
    -> tensor<4x!quant.uniform<i8:f32, 2.0>> {
  return %a : tensor<4x!quant.uniform<i8:f32, 2.0>>
}

// -----

// expected-error @+1 {{'func.func' op cannot be lowered here: '(tuple<i32>) -> none' has no form in LLVM}}
func.func private @declared(tuple<i32>) -> none

// -----

// expected-error @+1 {{'memref.global' op cannot be lowered here: 'memref<4xf32, "space">' has no form in LLVM}}
memref.global @global : memref<4xf32, "space">

// -----

func.func @layout(%n: index) {
  // expected-error @+1 {{'memref.alloc' op cannot be lowered here: 'memref<?xf32, affine_map<(d0) -> (d0 mod 2)>>' has no form in LLVM}}
  %m = memref.alloc(%n) : memref<?xf32, affine_map<(d0) -> (d0 mod 2)>>
  return
}

// -----

// Functions that do not return.

func.func @unreachable(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'llvm.unreachable' op cannot end a function that is lowered here: end it in func.return}}
  llvm.unreachable
}

// -----

// expected-error @+1 {{'func.func' op cannot be lowered here: it never returns; let one of its paths end in func.return}}
func.func @forever(%a: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^again
^again:
  cf.br ^again
}

// -----

// expected-error @+1 {{'func.func' op cannot be lowered here: it never returns; let one of its paths end in func.return}}
func.func @returns_out_of_reach(%a: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^again
^again:
  cf.br ^again
^out:
  return %a : tensor<4xf32>
}

// -----

// Ops that cannot be bufferized.

func.func @unranked_poison() -> tensor<*xf32> {
  // expected-error @+1 {{'ub.poison' op works on tensors and has no form on buffers}}
  %p = ub.poison : tensor<*xf32>
  return %p : tensor<*xf32>
}

// -----

func.func @gather(%a: tensor<8x8xf32>, %i: tensor<3x1xindex>)
    -> tensor<3x8xf32> {
  // expected-error @+1 {{'tensor.gather' op works on tensors and has no form on buffers: replace it by linalg or tensor ops before this pipeline}}
  %g = tensor.gather %a[%i] gather_dims([0])
      : (tensor<8x8xf32>, tensor<3x1xindex>) -> tensor<3x8xf32>
  return %g : tensor<3x8xf32>
}

// -----

func.func private @callee(tensor<4xf32>) -> tensor<4xf32>
func.func @indirect(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'func.constant' op works on tensors and has no form on buffers}}
  %f = constant @callee : (tensor<4xf32>) -> tensor<4xf32>
  %r = call_indirect %f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @unranked(%a: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{'arith.addf' op works on tensors and has no form on buffers}}
  %r = arith.addf %a, %a : tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

func.func @shared(%m: memref<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'bufferization.to_tensor' op cannot be lowered here: its buffer might change under the tensor; add 'restrict' if nothing else uses it}}
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

module {
  // expected-note @+1 {{nested module here}}
  module @inner {
    func.func @tensors(%a: tensor<4xf32>) -> tensor<4xf32> {
      // expected-error @+1 {{'arith.addf' op cannot be lowered in a nested module: move its functions into the module around it}}
      %s = arith.addf %a, %a : tensor<4xf32>
      return %s : tensor<4xf32>
    }
  }
}

// -----

// What deallocation does not understand.

func.func @realloc(%m: memref<4xf32>) -> memref<8xf32> {
  // expected-error @+1 {{'memref.realloc' op cannot be lowered here: remove it, buffers that a function allocates are freed at their end of life}}
  %r = memref.realloc %m : memref<4xf32> to memref<8xf32>
  return %r : memref<8xf32>
}

// -----

func.func @unknown_effects(%m: memref<4xf32>, %t: memref<1xi32>, %i: index) {
  // expected-error @+1 {{'memref.dma_start' op cannot be lowered here: what it does to memory is not known, so that no buffer can be freed after it; lower it first}}
  memref.dma_start %m[%i], %m[%i], %i, %t[%i]
      : memref<4xf32>, memref<4xf32>, memref<1xi32>
  return
}

// -----

func.func @atomic(%m: memref<4xf32>, %i: index) -> f32 {
  // expected-error @+1 {{'memref.generic_atomic_rmw' op cannot be lowered here: which results its region has is not known, so that no buffer can be freed in it; lower it first}}
  %x = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %old : f32
  }
  return %x : f32
}
