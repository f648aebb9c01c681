// RUN: %rng_opt %s -rng-partition | FileCheck %s
// RUN: %rng_opt %s -rng-partition=recompute-weight=0 | FileCheck %s
//
// Trap 26: a tie saves the mask instead of seed and offset. Here what is nearest
// to the arguments wins: even a mask of one element, which takes no more bytes
// than an integer does, is drawn again.

// CHECK-LABEL: func.func @f_forward(
// CHECK-SAME:    -> (tensor<1xf32>, i64, i64)
// CHECK-SAME:    rng.saved = [#rng.saved<new 1>, #rng.saved<new 2>]
// CHECK-LABEL: func.func @f_backward(
// CHECK:         rng.stateless_bernoulli
func.func @f(%a: tensor<1xf32>, %d: tensor<1xf32> {rng.cotangent})
    -> (tensor<1xf32>, tensor<1xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %seed, %offset = rng.reserve %one : i64, i64
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<1xi1>
  %y = arith.select %keep, %a, %zero : tensor<1xi1>, tensor<1xf32>
  %da = arith.select %keep, %d, %zero : tensor<1xi1>, tensor<1xf32>
  return %y, %da : tensor<1xf32>, tensor<1xf32>
}

// Of two scalars in a row, either of which would do, the first.

// CHECK-LABEL: func.func @scalars_forward(
// CHECK-SAME:    -> (i64, i64)
// CHECK:         %[[SEED:.+]], %{{.+}} = rng.reserve
// CHECK:         return %{{.+}}, %[[SEED]]
func.func @scalars(%d: i64 {rng.cotangent}) -> (i64, i64 {rng.gradient}) {
  %one = arith.constant 1 : i64
  %seed, %offset = rng.reserve %one : i64, i64
  %next = arith.addi %seed, %one : i64
  %last = arith.muli %next, %next : i64
  %y = arith.xori %last, %one : i64
  %ds = arith.muli %d, %last : i64
  return %y, %ds : i64, i64
}
