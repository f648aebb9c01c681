// RUN: %rng_opt %s -rng-reserve-draws -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -inline -canonicalize -cse -rng-to-cpu \
// RUN: | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -canonicalize -cse -symbol-dce -rng-thread-state \
// RUN:   -canonicalize -cse -rng-to-cpu | %run_cpu | FileCheck %s
//
// Trap 1: a draw whose values are unused is removed, and every later draw
// shifts. Here its reservation stays: optimised before threading or after it.

func.func @main() {
  %zero = arith.constant 0 : i64
  %unused = rng.bits : i64
  %empty = rng.bits : vector<1xi32>
  %nothing = rng.bits : tensor<0xi32>
  %c = arith.constant false
  scf.if %c {
    %never = rng.bits : i32
  }
  %a = rng.bits : i64
  %three = arith.constant 3 : i64
  %expected = rng.stateless_bits %zero, %three : i64
  %same = arith.cmpi eq, %a, %expected : i64
  %seed, %offset = rng.get_state : i64, i64
  // CHECK: 1{{$}}
  vector.print %same : i1
  // CHECK-NEXT: 4{{$}}
  vector.print %offset : i64
  return
}
