// RUN: %rng_opt %s --rng-to-cpu | %run_cpu | FileCheck %s

// Programs read and advance the generators of the runtime. Numbers are printed
// as signed.

rng.generator @a {seed = -1 : i64}
rng.generator @b

func.func @show(%seed: i64, %offset: i64) {
  vector.print %seed : i64
  vector.print %offset : i64
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %three = arith.constant 3 : i64

  // A process starts with (0, 0); a reservation answers the state before.
  // CHECK: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 3
  %s0, %o0 = rng.reserve %three : i64, i64
  call @show(%s0, %o0) : (i64, i64) -> ()
  %s1, %o1 = rng.get_state : i64, i64
  call @show(%s1, %o1) : (i64, i64) -> ()

  // Generators by name, each with its seed and its own offset; in a loop.
  // CHECK-NEXT: -1
  // CHECK-NEXT: 15
  scf.for %i = %c0 to %c5 step %c1 {
    %s, %o = rng.reserve @a, %three : i64, i64
  }
  %s2, %o2 = rng.get_state @a : i64, i64
  call @show(%s2, %o2) : (i64, i64) -> ()
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  %s3, %o3 = rng.get_state @b : i64, i64
  call @show(%s3, %o3) : (i64, i64) -> ()

  // Offsets wrap.
  // CHECK-NEXT: 7
  // CHECK-NEXT: 1
  %seven = arith.constant 7 : i64
  %last = arith.constant -2 : i64
  rng.set_state @b, %seven, %last : i64, i64
  %s4, %o4 = rng.reserve @b, %three : i64, i64
  %s5, %o5 = rng.get_state @b : i64, i64
  call @show(%s5, %o5) : (i64, i64) -> ()
  // CHECK-NEXT: 7
  // CHECK-NEXT: -2
  call @show(%s4, %o4) : (i64, i64) -> ()
  // CHECK-NEXT: 0
  // CHECK-NEXT: 3
  %s6, %o6 = rng.get_state : i64, i64
  call @show(%s6, %o6) : (i64, i64) -> ()
  return
}
