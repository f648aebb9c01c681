// RUN: split-file %s %t
// RUN: %rng_opt %t/passes.mlir --rng-partition=keep-joint \
// RUN:   --rng-generate-driver=finite-differences --rng-to-cpu \
// RUN:   | %run_cpu | FileCheck %t/passes.mlir
// RUN: %rng_opt %t/fails.mlir --rng-partition --rng-generate-driver \
// RUN:   --rng-to-cpu | not %run_cpu | FileCheck %t/fails.mlir
//
// A forward that is given its state in memory: the driver makes up such
// memories, a second call draws other numbers, and the same once they are
// restored.

//--- passes.mlir

// Draws from two memories; a generator beside them.
func.func @f(%a: tensor<64xf32>, %m0: memref<2xi64>, %m1: memref<2xi64>,
             %dy: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %d0 = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s0 = rng.reserve_memory %m0, %one : memref<2xi64> -> tensor<2xi64>
  %s1 = rng.reserve_memory %m1, %one : memref<2xi64> -> tensor<2xi64>
  %seed, %offset = rng.reserve %one : i64, i64
  %keep = rng.stateless_bernoulli %s0[%d0] prob(%p) : tensor<64xi1>
  %noise = rng.stateless_uniform %s1[%d0] : tensor<64xf32>
  %scale = rng.stateless_uniform %seed, %offset : tensor<64xf32>
  %y0 = arith.select %keep, %a, %zero : tensor<64xi1>, tensor<64xf32>
  %y1 = arith.mulf %y0, %noise : tensor<64xf32>
  %y = arith.mulf %y1, %scale : tensor<64xf32>
  %g1 = arith.mulf %dy, %scale : tensor<64xf32>
  %g0 = arith.mulf %g1, %noise : tensor<64xf32>
  %da = arith.select %keep, %g0, %zero : tensor<64xi1>, tensor<64xf32>
  return %y, %da : tensor<64xf32>, tensor<64xf32>
}

// CHECK-LABEL: f: result 0: 64xf32
// CHECK-NEXT:  f: saved 0 (new 1): 2xi64 [24302, 1]
// CHECK-NEXT:  f: saved 1 (new 2): 2xi64 [24303, 2]
// CHECK-NEXT:  f: saved 2 (new 3): 0
// CHECK-NEXT:  f: saved 3 (new 4): 0
// CHECK-NEXT:  f: gradient 0: 64xf32
// CHECK-DAG:   check f: draw {{[0-2]}} of the backward equals draw 0 of the forward: 64 of 64 elements PASS
// CHECK-DAG:   check f: draw {{[0-2]}} of the backward equals draw 1 of the forward: 64 of 64 elements PASS
// CHECK-DAG:   check f: draw {{[0-2]}} of the backward equals draw 2 of the forward: 64 of 64 elements PASS
// CHECK:       check f: draw 0 of a second call differs: {{[1-9][0-9]?}} of 64 elements PASS
// CHECK-NEXT:  check f: draw 0 is the same after restoring the state: 64 of 64 elements PASS
// CHECK-NEXT:  check f: draw 1 of a second call differs: 64 of 64 elements PASS
// CHECK-NEXT:  check f: draw 1 is the same after restoring the state: 64 of 64 elements PASS
// CHECK-NEXT:  check f: draw 2 of a second call differs: 64 of 64 elements PASS
// CHECK-NEXT:  check f: draw 2 is the same after restoring the state: 64 of 64 elements PASS
// CHECK-NEXT:  check f: result 0 and the joint function: 0 of 64 elements differ, at most by 0 PASS
// CHECK-NEXT:  check f: gradient 0 and the joint function: 0 of 64 elements differ, at most by 0 PASS
// CHECK-NEXT:  check f: the state after the pair and after the joint function: 0 elements differ PASS
// CHECK-NEXT:  check f: finite differences of gradient 0 (argument 0): relative error {{[^ ]+}} PASS

// A second pair has memory of its own.
func.func @g(%a: tensor<64xf32>, %m: memref<2xi64>,
             %dy: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s = rng.reserve_memory %m, %one : memref<2xi64> -> tensor<2xi64>
  %u = rng.stateless_uniform %s[%zero] : tensor<64xf32>
  %y = arith.mulf %a, %u : tensor<64xf32>
  %da = arith.mulf %dy, %u : tensor<64xf32>
  return %y, %da : tensor<64xf32>, tensor<64xf32>
}
// CHECK-LABEL: g: result 0: 64xf32
// CHECK-NEXT:  g: saved 0 (new 1): 2xi64 [24302, 1]
// CHECK:       driver: all checks passed

//--- fails.mlir

// The memory is never advanced.
func.func @f(%a: tensor<64xf32>, %m: memref<2xi64>,
             %dy: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %zero = arith.constant 0 : i64
  %s = rng.reserve_memory %m, %zero : memref<2xi64> -> tensor<2xi64>
  %u = rng.stateless_uniform %s[%zero] : tensor<64xf32>
  %y = arith.mulf %a, %u : tensor<64xf32>
  %da = arith.mulf %dy, %u : tensor<64xf32>
  return %y, %da : tensor<64xf32>, tensor<64xf32>
}
// CHECK: check f: draw 0 of a second call differs: 0 of 64 elements FAILED
// CHECK: check f: draw 0 is the same after restoring the state: 64 of 64 elements PASS
// CHECK: driver: 1 checks FAILED
