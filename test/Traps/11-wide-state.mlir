// RUN: %rng_opt %s -rng-reserve-draws -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -inline -canonicalize -cse -rng-to-cpu \
// RUN: | %run_cpu | FileCheck %s
//
// Trap 11: a seed is treated as signed, or a 64-bit offset is truncated by
// index arithmetic. Here both are unsigned and whole, and arithmetic wraps:
// in loops, parallel loops and calls, from an offset near 2^64 on.

func.func private @draw() -> i64 {
  %0 = rng.bits : i64
  return %0 : i64
}

func.func @main() {
  %seed = arith.constant 0xfedcba9876543210 : i64
  %start = arith.constant -3 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  rng.set_state %seed, %start : i64, i64
  // Offsets -3, -2, -1, 0.
  %m = memref.alloca() : memref<4xi64>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %0 = rng.bits : i64
    memref.store %0, %m[%i] : memref<4xi64>
  }
  // CHECK: {{^}}4{{$}}
  %same = scf.for %i = %c0 to %c4 step %c1 iter_args(%n = %zero) -> i64 {
    %i64 = arith.index_cast %i : index to i64
    %o = arith.addi %start, %i64 : i64
    %x = memref.load %m[%i] : memref<4xi64>
    %y = rng.stateless_bits %seed, %o : i64
    %eq = arith.cmpi eq, %x, %y : i64
    %add = arith.extui %eq : i1 to i64
    %next = arith.addi %n, %add : i64
    scf.yield %next : i64
  }
  vector.print %same : i64

  // 2^32 and beyond, by a reservation that large.
  %huge = arith.constant 0x7fffffff00000000 : i64
  %s, %o = rng.reserve %huge : i64, i64
  %a = call @draw() : () -> i64
  %at = arith.addi %huge, %one : i64
  %b = rng.stateless_bits %seed, %at : i64
  %eq = arith.cmpi eq, %a, %b : i64
  // CHECK-NEXT: {{^}}1{{$}}
  vector.print %eq : i1
  // CHECK-NEXT: ( -81985529216486896, 9223372032559808514 )
  %s1, %o1 = rng.get_state : i64, i64
  %state = vector.from_elements %s1, %o1 : vector<2xi64>
  vector.print %state : vector<2xi64>
  return
}
