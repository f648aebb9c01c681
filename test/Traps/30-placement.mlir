// RUN: %rng_opt %s -rng-partition | FileCheck %s
//
// Trap 30: what is computed again is computed at the top of the backward, all of
// it alive at once. Here each op stands just before its first use, and before
// the loop if that use is in one.

// CHECK-LABEL: func.func @f_backward(
// CHECK-SAME:    %[[A:[^:]+]]: tensor<8xf32>, %[[N:[^:]+]]: index, %[[D:[^:]+]]: tensor<8xf32> {rng.cotangent})
// CHECK-NEXT:    %[[SIN:.+]] = math.sin %[[A]]
// CHECK-NEXT:    %[[D1:.+]] = arith.mulf %[[D]], %[[SIN]]
// CHECK-NEXT:    %[[COS:.+]] = math.cos %[[A]]
// CHECK-NEXT:    %[[D2:.+]] = arith.mulf %[[D1]], %[[COS]]
// CHECK-DAG:     arith.constant 0 : index
// CHECK-DAG:     arith.constant 1 : index
// CHECK-DAG:     %[[EXP:.+]] = math.exp %[[A]]
// CHECK:         scf.for
// CHECK-NEXT:      arith.mulf %{{.+}}, %[[EXP]]
// CHECK-NEXT:      scf.yield
func.func @f(%a: tensor<8xf32>, %n: index, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %exp = math.exp %a : tensor<8xf32>
  %cos = math.cos %a : tensor<8xf32>
  %sin = math.sin %a : tensor<8xf32>
  %s = arith.addf %exp, %cos : tensor<8xf32>
  %y = arith.addf %s, %sin : tensor<8xf32>
  %d1 = arith.mulf %d, %sin : tensor<8xf32>
  %d2 = arith.mulf %d1, %cos : tensor<8xf32>
  %da = scf.for %i = %c0 to %n step %c1 iter_args(%x = %d2) -> tensor<8xf32> {
    %z = arith.mulf %x, %exp : tensor<8xf32>
    scf.yield %z : tensor<8xf32>
  }
  return %y, %da : tensor<8xf32>, tensor<8xf32>
}
