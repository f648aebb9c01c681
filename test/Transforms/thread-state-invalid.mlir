// RUN: %rng_opt %s -split-input-file -verify-diagnostics -rng-thread-state
//
// A module that is refused is left as it was, in all its functions.
// RUN: not %rng_opt %s -split-input-file -rng-thread-state \
// RUN:   -mlir-print-ir-after-failure 2>&1 | FileCheck %s
// CHECK-NOT:     rng.stateless
// CHECK:         func.func @in_loop(
// CHECK-NOT:     rng.stateless

func.func @fine() -> f32 {
  %u = rng.uniform : f32
  return %u : f32
}
func.func @in_loop(%lo: index, %hi: index, %step: index) {
  scf.for %i = %lo to %hi step %step {
    // expected-error @below {{'rng.uniform' op expected stateful draws at the top level of a single-block function but got one inside 'scf.for': reserve blocks before it with 'rng.reserve' and use stateless draws inside, or run 'rng-reserve-draws' instead}}
    %u = rng.uniform : f32
  }
  return
}

// -----

func.func @in_generic(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%a : tensor<4xf32>) {
  ^bb0(%x: f32):
    // expected-error @below {{but got one inside 'linalg.generic'}}
    %u = rng.uniform : f32
    linalg.yield %u : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @in_launch(%n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
      threads(%tx, %ty, %tz) in (%lx = %n, %ly = %n, %lz = %n) {
    // expected-error @below {{but got one inside 'gpu.launch'}}
    %u = rng.uniform : f32
    gpu.terminator
  }
  return
}

// -----

// expected-note @below {{drawing function defined here}}
func.func private @callee() {
  %u = rng.uniform : f32
  return
}
// Trap 7: branches that leave different offsets are refused, not guessed.
func.func @call_in_branch(%c: i1) {
  scf.if %c {
    // expected-error @below {{'func.call' op expected calls of drawing functions at the top level of a single-block function but got one inside 'scf.if'}}
    func.call @callee() : () -> ()
  }
  return
}

// -----

func.func @state_in_branch(%c: i1, %s: i64) {
  %u = rng.uniform : f32
  scf.if %c {
    // expected-error @below {{'rng.set_state' op expected state operations at the top level of a single-block function but got one inside 'scf.if'}}
    rng.set_state %s, %s : i64, i64
  }
  return
}

// -----

func.func @two_blocks() {
  // expected-error @below {{'rng.uniform' op expected stateful draws at the top level of a single-block function but got one in '@two_blocks' of 2 blocks: use 'rng.reserve' and stateless draws in this function, or run 'rng-reserve-draws' instead}}
  %u = rng.uniform : f32
  cf.br ^end
^end:
  return
}

// -----

// expected-note @below {{drawing function defined here}}
func.func @draws() {
  %u = rng.uniform : f32
  return
}
func.func @indirect() {
  // expected-error @below {{'func.constant' op expected only direct calls ('func.call', in functions of the same module) of drawing function '@draws' but got a reference: call it directly, or give it seed and offset as arguments and use stateless draws in it}}
  %f = func.constant @draws : () -> ()
  call_indirect %f() : () -> ()
  return
}

// -----

// expected-note @below {{drawing function defined here}}
func.func private @external() attributes {rng.draws = [unit]}
func.func @indirect_external() {
  %u = rng.uniform : f32
  // expected-error @below {{expected only direct calls}}
  %f = func.constant @external : () -> ()
  call_indirect %f() : () -> ()
  return
}

// -----

// A function that only sets the state, called through a reference among draws.
// expected-note @below {{drawing function defined here}}
func.func private @sets(%s: i64) {
  rng.set_state %s, %s : i64, i64
  return
}
func.func @indirect_set(%s: i64) {
  %u = rng.uniform : f32
  // expected-error @below {{expected only direct calls}}
  %f = func.constant @sets : (i64) -> ()
  call_indirect %f(%s) : (i64) -> ()
  %v = rng.uniform : f32
  return
}

// -----

// Shadowed names and nested modules: refused in one, left alone in all.
module @outer {
  func.func @f() -> f32 {
    %u = rng.uniform : f32
    return %u : f32
  }
  module @inner {
    func.func @f(%c: i1) {
      scf.if %c {
        // expected-error @below {{but got one inside 'scf.if'}}
        %u = rng.uniform : f32
      }
      return
    }
  }
}

// -----

// expected-note @below {{drawing function defined here}}
func.func private @backward() {
  %u = rng.uniform : f32
  return
}
// expected-error @below {{'func.func' op expected only direct calls}}
func.func @forward() attributes {rng.backward = @backward} {
  return
}

// -----

gpu.module @kernels {
  gpu.func @kernel() kernel {
    // expected-error @below {{'rng.uniform' op expected stateful draws in functions of a 'builtin.module' but got one in 'gpu.module': draw in such a function, or use a stateless draw at an explicit state}}
    %u = rng.uniform : f32
    gpu.return
  }
}

// -----

// expected-error @below {{'rng.uniform' op expected stateful draws in functions of a 'builtin.module' but got one outside any function}}
%u = rng.uniform : f32

// -----

// expected-error @below {{'func.func' op unknown generator @nobody in 'rng.draws': declare it with 'rng.generator @nobody'}}
func.func private @external() attributes {rng.draws = [@nobody]}

// -----

// expected-error @below {{'llvm.func' op expected a 'func.func' where seed and offset become arguments but got 'llvm.func': use a 'func.func', or keep the function public and use entry=state}}
llvm.func @no_signature() attributes {sym_visibility = "private"} {
  %u = rng.uniform : f32
  llvm.return
}
