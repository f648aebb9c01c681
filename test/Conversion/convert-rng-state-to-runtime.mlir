// RUN: %rng_opt %s --convert-rng-state-to-runtime --split-input-file \
// RUN:   --verify-diagnostics | FileCheck %s
// RUN: %rng_opt %s --convert-rng-state-to-runtime="prefix=my_" \
// RUN:   --split-input-file --verify-diagnostics \
// RUN:   | FileCheck %s --check-prefix=PREFIX

// CHECK-DAG: llvm.func @rngDeclare(!llvm.ptr, i64)
// CHECK-DAG: llvm.func @rngReserve(!llvm.ptr, i64, !llvm.ptr)
// CHECK-DAG: llvm.func @rngGetState(!llvm.ptr, !llvm.ptr)
// CHECK-DAG: llvm.func @rngSetState(!llvm.ptr, i64, i64)
// CHECK-DAG: llvm.mlir.global private constant @rng_generator_mask("mask\00")
// CHECK-DAG: llvm.mlir.global private constant @rng_generator_unused("unused\00")
// PREFIX-DAG: llvm.func @my_Declare(!llvm.ptr, i64)
// PREFIX-DAG: llvm.func @my_Reserve(!llvm.ptr, i64, !llvm.ptr)
// CHECK-NOT: rng.generator
rng.generator @mask {seed = -7 : i64}
rng.generator @unused

// CHECK-LABEL: func @default
// CHECK-SAME: (%[[BLOCKS:.+]]: i64)
func.func @default(%blocks: i64) -> (i64, i64) {
  // CHECK: %[[STATE:.+]] = llvm.alloca %{{.+}} x i64
  // CHECK: %[[NAME:.+]] = llvm.mlir.zero : !llvm.ptr
  // CHECK-NEXT: llvm.call @rngReserve(%[[NAME]], %[[BLOCKS]], %[[STATE]])
  // CHECK: %[[A0:.+]] = llvm.getelementptr %[[STATE]][0]
  // CHECK: %[[SEED:.+]] = llvm.load %[[A0]] : !llvm.ptr -> i64
  // CHECK: %[[A1:.+]] = llvm.getelementptr %[[STATE]][1]
  // CHECK: %[[OFFSET:.+]] = llvm.load %[[A1]] : !llvm.ptr -> i64
  // CHECK: return %[[SEED]], %[[OFFSET]]
  %seed, %offset = rng.reserve %blocks : i64, i64
  return %seed, %offset : i64, i64
}

// A named generator is declared, with its seed, before each use; the stack slot
// is not in the loop.
// CHECK-LABEL: func @named
func.func @named(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[STATE:.+]] = llvm.alloca
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK-NOT: llvm.alloca
    // CHECK: %[[NAME:.+]] = llvm.mlir.addressof @rng_generator_mask
    // CHECK: %[[INITIAL:.+]] = llvm.mlir.constant(-7 : i64)
    // CHECK: llvm.call @rngDeclare(%[[NAME]], %[[INITIAL]])
    // CHECK: llvm.call @rngGetState(%[[NAME]], %[[STATE]])
    // CHECK: %[[SEED:.+]] = llvm.load
    // CHECK: %[[OFFSET:.+]] = llvm.load
    %seed, %offset = rng.get_state @mask : i64, i64
    // CHECK: llvm.call @rngDeclare(%[[NAME2:.+]], %{{.+}})
    // CHECK: llvm.call @rngSetState(%[[NAME2]], %[[SEED]], %[[OFFSET]])
    rng.set_state @mask, %seed, %offset : i64, i64
  }
  return
}

// CHECK-LABEL: func private @draws_elsewhere()
// CHECK-NOT: rng.draws
func.func private @draws_elsewhere() attributes {rng.draws = [@mask]}

// The loading of the module declares all generators, used or not.
// CHECK-LABEL: llvm.func internal @rng_declare_generators()
// CHECK-NEXT: %[[MASK:.+]] = llvm.mlir.addressof @rng_generator_mask
// CHECK-NEXT: %[[SEED:.+]] = llvm.mlir.constant(-7 : i64)
// CHECK-NEXT: llvm.call @rngDeclare(%[[MASK]], %[[SEED]])
// CHECK-NEXT: %[[UNUSED:.+]] = llvm.mlir.addressof @rng_generator_unused
// CHECK-NEXT: %[[ZERO:.+]] = llvm.mlir.constant(0 : i64)
// CHECK-NEXT: llvm.call @rngDeclare(%[[UNUSED]], %[[ZERO]])
// CHECK-NEXT: llvm.return
// CHECK: llvm.mlir.global_ctors ctors = [@rng_declare_generators], priorities = [101 : i32], data = [#llvm.zero]
// PREFIX: llvm.func internal @rng_declare_generators()
// PREFIX: llvm.call @my_Declare

// -----

// A declaration that the program has already is used.
// CHECK-COUNT-1: llvm.func @rngGetState
// CHECK-NOT: llvm.func @rngGetState
llvm.func @rngGetState(!llvm.ptr, !llvm.ptr)

// Without generators there is nothing to declare.
// CHECK-LABEL: func @declared
// CHECK-NOT: llvm.mlir.global_ctors
func.func @declared() -> i64 {
  %seed, %offset = rng.get_state : i64, i64
  return %seed : i64
}

// -----

// A name that is taken is not a reason to lose the declarations.
// CHECK: llvm.func internal @rng_declare_generators_{{[0-9]+}}()
// CHECK: llvm.mlir.global_ctors ctors = [@rng_declare_generators_{{[0-9]+}}]
rng.generator @g
func.func private @rng_declare_generators()

// -----

func.func @stateful() -> f32 {
  // expected-error @+1 {{'rng.uniform' op reads and advances a generator and cannot be lowered: run rng-thread-state first}}
  %u = rng.uniform : f32
  return %u : f32
}

// -----

func.func @device(%n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-error @+1 {{'rng.get_state' op is in device code, where the generators of the process cannot be reached: move it to the host}}
    %seed, %offset = rng.get_state : i64, i64
    gpu.terminator
  }
  return
}

// -----

func.func @read() {
  // expected-error @+1 {{'rng.get_state' op is in a function that device code calls, where the generators of the process cannot be reached: move it to the host}}
  %seed, %offset = rng.get_state : i64, i64
  return
}
func.func @calls(%n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-note @+1 {{threads come here by this call}}
    func.call @read() : () -> ()
    gpu.terminator
  }
  return
}

// -----

// expected-error @+1 {{'rng.get_state' op expected to be in a function}}
%seed, %offset = rng.get_state : i64, i64
