// RUN: %rng_opt %s -rng-partition | FileCheck %s
// RUN: %rng_opt %s -rng-partition="recompute-weight=0 allow-far-recompute" \
// RUN: | FileCheck %s
// RUN: %rng_opt %s -rng-partition=recompute-weight=1000000 | FileCheck %s
// RUN: %rng_opt %s -rng-partition=memory-budget=0.0 | FileCheck %s
// RUN: %rng_opt %s -rng-partition=memory-budget=1.0 | FileCheck %s
//
// Trap 32: what the user ordered to be saved is overridden by a budget or a
// heuristic. Here orders win, whatever the options, also over ops around the
// ordered one.

// CHECK-LABEL: func.func @save_forward(
// CHECK-SAME:    -> (tensor<8xf32>, tensor<8xi1>)
// CHECK-LABEL: func.func @save_backward(
// CHECK-NOT:     rng.stateless
// CHECK:         return
func.func @save(%a: tensor<8xf32>, %seed: i64, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %keep = rng.stateless_bernoulli %seed, %seed prob(%p) {rng.save} : tensor<8xi1>
  %y = arith.select %keep, %a, %zero : tensor<8xi1>, tensor<8xf32>
  %da = arith.select %keep, %d, %zero : tensor<8xi1>, tensor<8xf32>
  return %y, %da : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @recompute_forward(
// CHECK-SAME:    -> tensor<8x8xf32>
// CHECK-LABEL: func.func @recompute_backward(
// CHECK:         linalg.matmul
// CHECK:         math.exp
func.func @recompute(%a: tensor<8x8xf32>, %d: tensor<8x8xf32> {rng.cotangent})
    -> (tensor<8x8xf32>, tensor<8x8xf32> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %p = linalg.matmul {rng.recompute}
      ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  %e = math.exp %p {rng.recompute} : tensor<8x8xf32>
  %y = math.sin %e : tensor<8x8xf32>
  %da = arith.mulf %d, %e : tensor<8x8xf32>
  return %y, %da : tensor<8x8xf32>, tensor<8x8xf32>
}

// In a branch: the op around it is not done again either.

// CHECK-LABEL: func.func @inside_forward(
// CHECK-SAME:    -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-LABEL: func.func @inside_backward(
// CHECK-NOT:     math.exp
// CHECK:         return
func.func @inside(%c: i1, %a: tensor<8xf32>, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %e = scf.if %c -> tensor<8xf32> {
    %0 = math.exp %a {rng.save} : tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  } else {
    scf.yield %a : tensor<8xf32>
  }
  %y = math.sin %e : tensor<8xf32>
  %da = arith.mulf %d, %e : tensor<8xf32>
  return %y, %da : tensor<8xf32>, tensor<8xf32>
}
