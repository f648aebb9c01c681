// RUN: %rng_opt %s --rng-thread-state --rng-partition=keep-joint \
// RUN:   --rng-generate-driver=finite-differences --rng-to-cpu \
// RUN:   | %run_cpu | FileCheck %s

// Through text, which forgets the locations that draws share: of the draws of
// the forward with the right type the one with the same bits is found.
// RUN: %rng_opt %s --rng-thread-state --rng-partition=keep-joint \
// RUN:   | %rng_opt --rng-generate-driver=finite-differences --rng-to-cpu \
// RUN:   | %run_cpu | FileCheck %s

// Dynamic sizes, which get 7.
// RUN: %rng_opt %s --rng-thread-state --rng-partition=keep-joint \
// RUN:   --rng-generate-driver="finite-differences dynamic-size=7" \
// RUN:   --rng-to-cpu | %run_cpu | FileCheck %s --check-prefix=SEVEN

// Three draws from two generators, of two types; two outputs, one of them a
// scalar, and one cotangent.

rng.generator @g {seed = 7 : i64}

func.func @layers(%a: tensor<?x8xf64>, %b: tensor<?x8xf64>,
                  %dy: tensor<?x8xf64> {rng.cotangent})
    -> (tensor<?x8xf64>, i64, tensor<?x8xf64> {rng.gradient},
        tensor<?x8xf64> {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %count = arith.constant 3 : i64
  %p = arith.constant 0.5 : f32
  %d0 = tensor.dim %a, %c0 : tensor<?x8xf64>
  %keep0 = rng.bernoulli prob(%p) sizes(%d0) : tensor<?x8xi1>
  %noise = rng.uniform @g sizes(%d0) : tensor<?x8xf64>
  %keep1 = rng.bernoulli prob(%p) sizes(%d0) : tensor<?x8xi1>
  %zero_value = arith.constant 0.0 : f64
  %zero = tensor.splat %zero_value[%d0] : tensor<?x8xf64>
  %y0 = arith.select %keep0, %a, %zero : tensor<?x8xi1>, tensor<?x8xf64>
  %y1 = arith.mulf %b, %noise : tensor<?x8xf64>
  %sum = arith.addf %y0, %y1 : tensor<?x8xf64>
  %y = arith.select %keep1, %sum, %zero : tensor<?x8xi1>, tensor<?x8xf64>
  %dsum = arith.select %keep1, %dy, %zero : tensor<?x8xi1>, tensor<?x8xf64>
  %db = arith.mulf %dsum, %noise : tensor<?x8xf64>
  %da = arith.select %keep0, %dsum, %zero : tensor<?x8xi1>, tensor<?x8xf64>
  return %y, %count, %da, %db
      : tensor<?x8xf64>, i64, tensor<?x8xf64>, tensor<?x8xf64>
}

// CHECK-LABEL: layers: result 0: 5x8xf64
// CHECK-NEXT:  layers: result 1: 3{{$}}
// CHECK-DAG:   check layers: draw {{[0-2]}} of the backward equals draw 0 of the forward: 40 of 40 elements PASS
// CHECK-DAG:   check layers: draw {{[0-2]}} of the backward equals draw 1 of the forward: 40 of 40 elements PASS
// CHECK-DAG:   check layers: draw {{[0-2]}} of the backward equals draw 2 of the forward: 40 of 40 elements PASS
// CHECK:       check layers: draw 0 of a second call differs: {{[1-9][0-9]?}} of 40 elements PASS
// CHECK-NEXT:  check layers: draw 0 is the same after restoring the state: 40 of 40 elements PASS
// CHECK-NEXT:  check layers: draw 1 of a second call differs: 40 of 40 elements PASS
// CHECK-NEXT:  check layers: draw 1 is the same after restoring the state: 40 of 40 elements PASS
// CHECK-NEXT:  check layers: draw 2 of a second call differs: {{[1-9][0-9]?}} of 40 elements PASS
// CHECK-NEXT:  check layers: draw 2 is the same after restoring the state: 40 of 40 elements PASS
// CHECK-NEXT:  check layers: result 0 and the joint function: 0 of 40 elements differ, at most by 0 PASS
// CHECK-NEXT:  check layers: result 1 and the joint function: 0 of 1 elements differ PASS
// CHECK-NEXT:  check layers: gradient 0 and the joint function: 0 of 40 elements differ, at most by 0 PASS
// CHECK-NEXT:  check layers: gradient 1 and the joint function: 0 of 40 elements differ, at most by 0 PASS
// CHECK-NEXT:  check layers: the state after the pair and after the joint function: 0 elements differ PASS
// CHECK-NEXT:  check layers: finite differences of gradient 0 (argument 0): relative error {{[^ ]+}} PASS
// CHECK-NEXT:  check layers: finite differences of gradient 1 (argument 1): relative error {{[^ ]+}} PASS
// CHECK-NEXT:  driver: all checks passed

// SEVEN-LABEL: layers: result 0: 7x8xf64
// SEVEN:       driver: all checks passed
