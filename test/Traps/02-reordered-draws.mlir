// RUN: %rng_opt %s -rng-reserve-draws -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -inline -canonicalize -cse -rng-to-cpu \
// RUN: | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -control-flow-sink -loop-invariant-code-motion -cse \
// RUN:   -rng-thread-state -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -canonicalize -control-flow-sink \
// RUN:   -loop-invariant-code-motion -cse -rng-to-cpu | %run_cpu | FileCheck %s
//
// Trap 2: two independent draws are reordered and swap their numbers. Here
// offsets are fixed in program order; what moves a draw after that, into the
// branch that alone uses it, moves its numbers along.


func.func @main() {
  %true = arith.constant true
  %zero = arith.constant 0 : i64
  %a = rng.bits : i64
  %b = rng.bits : i64
  %c = rng.bits : i1
  %d = rng.bits : i64
  // Used in the other order.
  %r = scf.if %c -> i64 {
    %x = arith.xori %d, %b : i64
    scf.yield %x : i64
  } else {
    %x = arith.xori %d, %a : i64
    scf.yield %x : i64
  }
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %a0 = rng.stateless_bits %zero, %zero : i64
  %b1 = rng.stateless_bits %zero, %one : i64
  %c2 = rng.stateless_bits %zero, %two : i1
  %d3 = rng.stateless_bits %zero, %three : i64
  %left = arith.select %c2, %b1, %a0 : i64
  %expected = arith.xori %d3, %left : i64
  %same = arith.cmpi eq, %r, %expected : i64
  // CHECK: 1{{$}}
  vector.print %same : i1
  return
}
