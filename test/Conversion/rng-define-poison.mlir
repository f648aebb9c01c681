// RUN: %rng_opt %s -rng-define-poison | FileCheck %s

// What lift-cf-to-scf leaves is made something that bufferization knows.

// CHECK-LABEL: func.func @tensors
// CHECK-NEXT:    %[[STATIC:.+]] = tensor.empty() : tensor<2xi64>
// CHECK-NEXT:    %[[C0:.+]] = arith.constant 0 : index
// CHECK-NEXT:    %[[DYNAMIC:.+]] = tensor.empty(%[[C0]]) : tensor<?x3xf32>
// CHECK-NEXT:    return %[[STATIC]], %[[DYNAMIC]]
func.func @tensors() -> (tensor<2xi64>, tensor<?x3xf32>) {
  %0 = ub.poison : tensor<2xi64>
  %1 = ub.poison : tensor<?x3xf32>
  return %0, %1 : tensor<2xi64>, tensor<?x3xf32>
}

// CHECK-LABEL: func.func @scalar
// CHECK-NEXT:    ub.poison : i64
func.func @scalar() -> i64 {
  %0 = ub.poison : i64
  return %0 : i64
}
