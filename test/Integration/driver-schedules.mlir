// The driver calls pairs in several orders: against calls of the joint function
// those that follow each other, and, where the backward moves no generator, all
// others. The state of the backward comes from where the forward left it.
//
// RUN: %rng_opt %s --rng-thread-state --rng-partition=keep-joint \
// RUN:   --rng-generate-driver=schedules --rng-to-cpu -o %t && %run_cpu %t \
// RUN:   | FileCheck %s --check-prefixes=CHECK,JOINT
// RUN: %rng_opt %s --rng-thread-state=entry=memory \
// RUN:   --rng-partition=keep-joint --rng-generate-driver=schedules --rng-to-cpu -o %t \
// RUN:   && %run_cpu %t | FileCheck %s --check-prefixes=CHECK,JOINT
// RUN: %rng_opt %s --rng-thread-state=entry=arguments \
// RUN:   --rng-partition=keep-joint --rng-generate-driver=schedules --rng-to-cpu -o %t \
// RUN:   && %run_cpu %t | FileCheck %s --check-prefixes=CHECK,ARGUMENTS
//
// The same where what is drawn again is saved instead, and cut anew.
// RUN: %rng_opt %s --rng-thread-state \
// RUN:   --rng-partition="keep-joint recompute-weight=100000" \
// RUN:   --rng-rematerialize --rng-generate-driver=schedules --rng-to-cpu -o %t \
// RUN:   && %run_cpu %t | FileCheck %s --check-prefixes=CHECK,JOINT

rng.generator @noise {seed = 9 : i64}

// Noise on the gradient, in a branch that the gradient takes.
// ARGUMENTS: check noisy: gradient 0 and the joint function: 0 of 64 elements differ, at most by 0 PASS
// JOINT:     check noisy: gradient 0 and the joint function: 0 of 64 elements differ, at most by 0 PASS
// JOINT:     check noisy: the state after the pair and after the joint function: 0 elements differ PASS
// JOINT:     check noisy: F1 B1 F2 B2 F3 B3 and the joint function: 0 elements differ PASS
// CHECK-NOT: check noisy: F1 F2
func.func @noisy(%x: tensor<64xf32>, %d: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %m = rng.bernoulli prob(%p) : tensor<64xi1>
  %y = arith.select %m, %x, %zero : tensor<64xi1>, tensor<64xf32>
  %g = arith.select %m, %d, %zero : tensor<64xi1>, tensor<64xf32>
  %c0 = arith.constant 0 : index
  %first = tensor.extract %d[%c0] : tensor<64xf32>
  %bound = arith.constant 100.0 : f32
  %c = arith.cmpf olt, %first, %bound : f32
  %h = scf.if %c -> (tensor<64xf32>) {
    %n = rng.normal @noise : tensor<64xf32>
    %u = rng.uniform : tensor<64xf32>
    %s = arith.addf %n, %u : tensor<64xf32>
    %t = arith.addf %g, %s : tensor<64xf32>
    scf.yield %t : tensor<64xf32>
  } else {
    scf.yield %g : tensor<64xf32>
  }
  return %y, %h : tensor<64xf32>, tensor<64xf32>
}

// The backward draws as often as the entry says: all is the forward's.
// JOINT:     check known: the state after the pair and after the joint function: 0 elements differ PASS
// JOINT:     check known: F1 B1 F2 B2 F3 B3 and the joint function: 0 elements differ PASS
// CHECK:     check known: F1 B1 B1: 0 elements differ PASS
// CHECK:     check known: F1 F2 B2 B1: 0 elements differ PASS
// CHECK:     check known: F1 F2 B1 B2: 0 elements differ PASS
// CHECK:     check known: F1 F2 F3 B1 B2 B3: 0 elements differ PASS
func.func @known(%x: tensor<64xf32>, %k: index,
                 %d: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = scf.for %i = %c0 to %k step %c1 iter_args(%a = %d)
      -> (tensor<64xf32>) {
    %n = rng.normal : tensor<64xf32>
    %b = arith.addf %a, %n : tensor<64xf32>
    scf.yield %b : tensor<64xf32>
  }
  %m = rng.uniform : tensor<64xf32>
  %y = arith.mulf %x, %m : tensor<64xf32>
  %h = arith.mulf %g, %m : tensor<64xf32>
  return %y, %h : tensor<64xf32>, tensor<64xf32>
}

// CHECK: driver: all checks passed
