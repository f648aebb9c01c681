// RUN: %rng_opt %s -rng-partition | FileCheck %s
// RUN: %rng_opt %s -rng-partition=keep-joint -rng-generate-driver -rng-to-cpu \
// RUN: | %run_cpu | FileCheck %s --check-prefix=EXEC
// RUN: %rng_opt %s -rng-partition=keep-joint -rng-rematerialize \
// RUN:   -rng-generate-driver -rng-to-cpu | %run_cpu \
// RUN: | FileCheck %s --check-prefix=EXEC
//
// Trap 31: the forward returns N saved values and the backward unpacks N + 2.
// Here one list says for each leading argument of the backward where it is from:
// an argument, a result, or a result that is there for it. Tensors first, in the
// order of their definition, then scalars, then cotangents.

// CHECK-LABEL: func.func @f_forward(
// CHECK-SAME:    %[[N:[^:]+]]: i64, %[[A:[^:]+]]: tensor<8x8xf32>, %[[B:[^:]+]]: tensor<8x8xf32>)
// CHECK-SAME:    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, i64)
// CHECK-SAME:    rng.saved = [#rng.saved<argument 1>, #rng.saved<new 2>, #rng.saved<result 1>, #rng.saved<argument 0>, #rng.saved<new 3>]
// CHECK:         return %{{.+}}, %{{.+}}, %[[P:.+]], %[[SEED:.+]] :
// CHECK-LABEL: func.func @f_backward(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<8x8xf32>, %[[P:[^:]+]]: tensor<8x8xf32>, %[[Q:[^:]+]]: tensor<8x8xf32>, %[[N:[^:]+]]: i64, %[[SEED:[^:]+]]: i64, %{{[^:]+}}: tensor<8x8xf32> {rng.cotangent}, %{{[^:]+}}: i64 {rng.cotangent})

// EXEC: driver: all checks passed
func.func @f(%d: tensor<8x8xf32> {rng.cotangent}, %n: i64, %a: tensor<8x8xf32>,
             %b: tensor<8x8xf32>, %e: i64 {rng.cotangent})
    -> (tensor<8x8xf32> {rng.gradient}, tensor<8x8xf32>, i64 {rng.gradient},
        tensor<8x8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %one = arith.constant 1 : i64
  %seed, %offset = rng.reserve %one : i64, i64
  %p = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  %q = linalg.matmul ins(%p, %b : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = arith.addf %p, %q : tensor<8x8xf32>
  %d1 = arith.mulf %d, %p : tensor<8x8xf32>
  %d2 = arith.mulf %d1, %q : tensor<8x8xf32>
  %da = arith.mulf %d2, %a : tensor<8x8xf32>
  %m = arith.muli %e, %n : i64
  %dn = arith.addi %m, %seed : i64
  return %da, %y, %dn, %q
      : tensor<8x8xf32>, tensor<8x8xf32>, i64, tensor<8x8xf32>
}
