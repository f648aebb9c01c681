// RUN: %rng_opt %s -allow-unregistered-dialect -split-input-file \
// RUN:   -verify-diagnostics -rng-thread-state
//
// A module that is refused is left as it was, in all its functions.
// RUN: not %rng_opt %s -allow-unregistered-dialect -split-input-file \
// RUN:   -rng-thread-state -mlir-print-ir-after-failure 2>&1 | FileCheck %s
// CHECK-NOT:     rng.stateless
// CHECK:         func.func @refused(
// CHECK-NOT:     rng.stateless

func.func @fine() -> f32 {
  %u = rng.uniform : f32
  return %u : f32
}
func.func @refused(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    // expected-error @below {{'rng.uniform' op expected stateful draws in functions and in control flow that state can be threaded through but got one inside 'tensor.generate': reserve blocks before it with 'rng.reserve' and use stateless draws inside, or run 'rng-reserve-draws' instead}}
    %u = rng.uniform : f32
    tensor.yield %u : f32
  } : tensor<?xf32>
  return %0 : tensor<?xf32>
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
func.func @call_in_generate(%n: index) -> tensor<?xf32> {
  %x = arith.constant 0.0 : f32
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    // expected-error @below {{'func.call' op expected calls of drawing functions in functions and in control flow}}
    func.call @callee() : () -> ()
    tensor.yield %x : f32
  } : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @state_in_unknown(%s: i64) {
  %u = rng.uniform : f32
  "some.region"() ({
    // expected-error @below {{'rng.set_state' op expected state operations in functions}}
    rng.set_state %s, %s : i64, i64
    "some.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

// A draw in the combination of the results of a parallel loop.
func.func @in_reduce(%n: index, %x: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %0 = scf.parallel (%i) = (%c1) to (%n) step (%c1) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      // expected-error @below {{but got one inside 'scf.reduce'}}
      %u = rng.uniform : f32
      scf.reduce.return %u : f32
    }
  }
  return %0 : f32
}

// -----

// Iterations of a parallel loop have their places in the stream before they
// run.

func.func @differs(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{parallel loop here}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.for %j = %c0 to %i step %c1 {
      %u = rng.uniform : f32
    // expected-error @-2 {{'scf.for' op reserves blocks of the default generator whose number may differ between the iterations of 'scf.parallel', so that their places are not known before they run: make the number the same in all iterations, or use a sequential loop}}
    }
  }
  return
}

// -----

rng.generator @g
func.func @branch_differs(%n: index, %c: i1) {
  // expected-note @below {{parallel loop here}}
  scf.forall (%i) in (%n) {
    // expected-error @below {{'scf.if' op reserves blocks of generator '@g' whose number may differ between the iterations of 'scf.forall'}}
    scf.if %c {
      %u = rng.uniform @g : f32
    }
  }
  return
}

// -----

func.func @while_in_parallel() {
  // expected-note @below {{parallel loop here}}
  affine.parallel (%i) = (0) to (8) {
    // expected-error @below {{'scf.while' op reserves blocks of the default generator}}
    scf.while : () -> () {
      %b = rng.bits : i1
      scf.condition(%b)
    } do {
      scf.yield
    }
  }
  return
}

// -----

func.func @set_in_parallel(%n: index, %s: i64) {
  // expected-note @below {{parallel loop here}}
  scf.forall (%i) in (%n) {
    %u = rng.uniform : f32
    // expected-error @below {{'rng.set_state' op may set the state of the default generator in an iteration of 'scf.forall', whose iterations run in any order: set the state before or after the loop, or use a sequential loop}}
    rng.set_state %s, %s : i64, i64
  }
  return
}

// -----

func.func private @external() attributes {rng.draws = [unit]}
func.func @opaque_in_parallel(%n: index) {
  %u = rng.uniform : f32
  // expected-note @below {{parallel loop here}}
  scf.forall (%i) in (%n) {
    // expected-error @below {{'func.call' op may set the state of the default generator in an iteration of 'scf.forall'}}
    func.call @external() : () -> ()
  }
  return
}

// -----

// The innermost of the loops is named.
func.func private @recursive(%c: i1) {
  scf.if %c {
    %b = rng.bits : i1
    func.call @recursive(%b) : (i1) -> ()
  }
  return
}
func.func @recursion_in_parallel(%n: index, %c: i1) {
  // expected-note @below {{parallel loop here}}
  scf.forall (%i) in (%n) {
    scf.execute_region {
      // expected-error @below {{'func.call' op reserves blocks of the default generator whose number may differ}}
      func.call @recursive(%c) : (i1) -> ()
      scf.yield
    }
  }
  return
}

// -----

func.func @unknown_branch(%c: i1) {
  %u = rng.uniform : f32
  // expected-error @below {{'some.branch' op expected branches that pass operands to their successors (op interface 'BranchOpInterface') in '@unknown_branch', which draws from generators: use 'cf' branches, or run 'rng-reserve-draws' instead}}
  "some.branch"()[^end] : () -> ()
^end:
  return
}

// -----

// expected-note @below {{drawing function defined here}}
llvm.func @draws() {
  %u = rng.uniform : f32
  llvm.return
}
func.func @llvm_call() {
  // expected-error @below {{'llvm.call' op expected only calls ('func.call', or 'func.call_indirect' of a 'func.constant', in functions of the same module) of drawing function '@draws' but got another reference: call it directly, or give it seed and offset as arguments and use stateless draws in it}}
  llvm.call @draws() : () -> ()
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
    func.func @f() {
      "some.region"() ({
        // expected-error @below {{but got one inside 'some.region'}}
        %u = rng.uniform : f32
        "some.yield"() : () -> ()
      }) : () -> ()
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
// expected-error @below {{'func.func' op names drawing function '@backward' as its backward ('rng.backward')}}
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

// expected-error @below {{'func.func' op unknown generator @nobody: declare it with 'rng.generator @nobody'}}
func.func private @external() attributes {rng.draws = [@nobody]}

// -----

// expected-error @below {{'llvm.func' op expected a 'func.func' where the state becomes arguments but got 'llvm.func': use a 'func.func', or keep the function public and use entry=state}}
llvm.func @no_signature() attributes {sym_visibility = "private"} {
  %u = rng.uniform : f32
  llvm.return
}
