// RUN: %rng_opt %s -rng-reserve-draws -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -rng-to-cpu | %run_cpu | FileCheck %s
// RUN: %rng_opt %s -rng-thread-state -inline -canonicalize -cse -rng-to-cpu \
// RUN: | %run_cpu | FileCheck %s
//
// Trap 7: the branches of a conditional leave different offsets, and the code
// after it takes one of them. Here the join carries that of the branch taken:
// through structured branches, blocks, and a loop left early.

func.func private @structured(%c: i1) -> i64 {
  scf.if %c {
    %0 = rng.bits : i64
    %1 = rng.bits : i64
  } else {
    %0 = rng.bits : i64
  }
  %s, %o = rng.get_state : i64, i64
  %2 = rng.bits : i64
  return %o : i64
}

func.func private @blocks(%c: i1) -> i64 {
  cf.cond_br %c, ^a, ^b
^a:
  %0 = rng.bits : i64
  %1 = rng.bits : i64
  cf.br ^b
^b:
  %s, %o = rng.get_state : i64, i64
  %2 = rng.bits : i64
  return %o : i64
}

func.func private @loop(%n: i64) -> i64 {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %r = scf.while (%i = %zero) : (i64) -> i64 {
    %0 = rng.bits : i64
    %c = arith.cmpi slt, %i, %n : i64
    scf.condition(%c) %i : i64
  } do {
  ^bb0(%i: i64):
    %j = arith.addi %i, %one : i64
    scf.yield %j : i64
  }
  %s, %o = rng.get_state : i64, i64
  return %o : i64
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %three = arith.constant 3 : i64
  // After 2 draws, 1; each with one more behind it.
  // CHECK: ( 2, 4 )
  %0 = call @structured(%true) : (i1) -> i64
  %1 = call @structured(%false) : (i1) -> i64
  %a = vector.from_elements %0, %1 : vector<2xi64>
  vector.print %a : vector<2xi64>
  // CHECK-NEXT: ( 7, 8 )
  %2 = call @blocks(%true) : (i1) -> i64
  %3 = call @blocks(%false) : (i1) -> i64
  %b = vector.from_elements %2, %3 : vector<2xi64>
  vector.print %b : vector<2xi64>
  // The condition draws four times.
  // CHECK-NEXT: {{^}}13{{$}}
  %4 = call @loop(%three) : (i64) -> i64
  vector.print %4 : i64
  return
}
