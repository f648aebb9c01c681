// RUN: %rng_opt %s -inline -sccp -canonicalize -sccp -cse -rng-partition \
// RUN: | FileCheck %s
//
// Trap 44: a verifier that reads constants makes a valid module invalid after
// constant propagation. Here it looks at types and attributes only: an empty
// range, a probability of 2 and offsets out of bounds may turn up in code that
// is never reached, and it is partitioned like any other.

// CHECK-LABEL: func.func @f_forward(
// CHECK-LABEL: func.func @f_backward(
func.func private @draw(%seed: i64, %lo: f32, %hi: f32, %p: f32, %i: index)
    -> tensor<8xf32> {
  %u = rng.stateless_uniform %seed, %seed range(%lo, %hi)
      slice [%i] of [8] : tensor<8xf32>
  %k = rng.stateless_bernoulli %seed, %seed prob(%p) : tensor<8xi1>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %r = arith.select %k, %u, %zero : tensor<8xi1>, tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @f(%c: i1, %seed: i64, %a: tensor<8xf32>,
             %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %i = arith.constant -5 : index
  %x = scf.if %c -> tensor<8xf32> {
    %0 = func.call @draw(%seed, %two, %one, %two, %i)
        : (i64, f32, f32, f32, index) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  } else {
    scf.yield %a : tensor<8xf32>
  }
  %y = math.exp %x : tensor<8xf32>
  %da = arith.mulf %d, %x : tensor<8xf32>
  return %y, %da : tensor<8xf32>, tensor<8xf32>
}
