// RUN: %rng_opt %s --rng-thread-state --rng-partition=keep-joint \
// RUN:   --rng-generate-driver --rng-to-cpu | %run_cpu | FileCheck %s

// Through text, which forgets the locations that draws share.
// RUN: %rng_opt %s --rng-thread-state --rng-partition=keep-joint \
// RUN:   | %rng_opt --rng-generate-driver --rng-to-cpu \
// RUN:   | %run_cpu | FileCheck %s

// A draw that only the backward needs is not in the forward; what it has to
// equal is in the joint function.

func.func @only_backward(%a: tensor<64xf32>, %dy: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %keep = rng.uniform : tensor<64xf32>
  %noise = rng.uniform : tensor<64xf32>
  %y = arith.mulf %a, %keep : tensor<64xf32>
  %dkeep = arith.mulf %dy, %keep : tensor<64xf32>
  %da = arith.addf %dkeep, %noise : tensor<64xf32>
  return %y, %da : tensor<64xf32>, tensor<64xf32>
}
// CHECK-LABEL: only_backward: result 0
// CHECK-DAG:   check only_backward: draw {{[01]}} of the backward equals draw 0 of the forward: 64 of 64 elements PASS
// CHECK-DAG:   check only_backward: draw {{[01]}} of the backward equals draw 1 of the joint function: 64 of 64 elements PASS
// CHECK:       check only_backward: draw 0 of a second call differs

// Draws that have no reason to differ in a second call: from a state that is an
// argument, never true, nearly always true.

func.func @alike(%a: tensor<64xf32>, %seed: i64,
                 %dy: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %never = arith.constant 0.0 : f32
  %nearly = arith.constant 0.9999 : f32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %fixed = rng.stateless_uniform %seed, %seed : tensor<64xf32>
  %k0 = rng.bernoulli prob(%never) : tensor<64xi1>
  %k1 = rng.bernoulli prob(%nearly) : tensor<64xi1>
  %y0 = arith.select %k0, %fixed, %a : tensor<64xi1>, tensor<64xf32>
  %y = arith.select %k1, %y0, %zero : tensor<64xi1>, tensor<64xf32>
  %d1 = arith.select %k1, %dy, %zero : tensor<64xi1>, tensor<64xf32>
  %da = arith.select %k0, %zero, %d1 : tensor<64xi1>, tensor<64xf32>
  return %y, %da : tensor<64xf32>, tensor<64xf32>
}
// CHECK-LABEL: alike: result 0
// CHECK-NOT:   FAILED
// CHECK-NOT:   draw 0 of a second call
// CHECK:       check alike: draw 1 of a second call differs: 0 of 64 elements PASS
// CHECK-NOT:   FAILED
// CHECK:       driver: all checks passed
