// RUN: %rng_opt %s -rng-reserve-draws -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -inline -canonicalize -cse -rng-to-cpu \
// RUN: | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -cse -canonicalize -rng-thread-state -cse -rng-to-cpu \
// RUN: | %run_cpu | FileCheck %s
//
// Trap 3: CSE merges two draws with equal operands, or a query of the state
// across a write of it, or two draws whose state is memory across a store. Here
// draws and state ops have effects, and a snapshot is a value.

func.func @main() {
  %p = arith.constant 0.5 : f32
  %seven = arith.constant 7 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s0, %o0 = rng.get_state : i64, i64
  %a = rng.bits : i64
  %b = rng.bits : i64
  %s1, %o1 = rng.get_state : i64, i64
  rng.set_state %seven, %zero : i64, i64
  %s2, %o2 = rng.get_state : i64, i64
  %differ = arith.cmpi ne, %a, %b : i64
  // CHECK: 1{{$}}
  vector.print %differ : i1
  // CHECK-NEXT: ( 0, 0, 0, 2, 7, 0 )
  %states = vector.from_elements %s0, %o0, %s1, %o1, %s2, %o2 : vector<6xi64>
  vector.print %states : vector<6xi64>

  // State in memory that is overwritten: each snapshot keeps what it read.
  %memory = memref.alloca() : memref<2xi64>
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  memref.store %zero, %memory[%i0] : memref<2xi64>
  memref.store %zero, %memory[%i1] : memref<2xi64>
  %x = rng.reserve_memory %memory, %one : memref<2xi64> -> tensor<2xi64>
  %y = rng.reserve_memory %memory, %one : memref<2xi64> -> tensor<2xi64>
  memref.store %seven, %memory[%i0] : memref<2xi64>
  %z = rng.reserve_memory %memory, %one : memref<2xi64> -> tensor<2xi64>
  %dx = rng.stateless_bits %x[%zero] : i64
  %dy = rng.stateless_bits %y[%zero] : i64
  %dz = rng.stateless_bits %z[%zero] : i64
  %two = arith.constant 2 : i64
  %ez = rng.stateless_bits %seven, %two : i64
  %sx = arith.cmpi eq, %dx, %a : i64
  %sy = arith.cmpi eq, %dy, %b : i64
  %sz = arith.cmpi eq, %dz, %ez : i64
  // CHECK-NEXT: 1{{$}}
  // CHECK-NEXT: 1{{$}}
  // CHECK-NEXT: 1{{$}}
  vector.print %sx : i1
  vector.print %sy : i1
  vector.print %sz : i1
  return
}
