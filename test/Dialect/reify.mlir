// RUN: rng-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s

// The shape of a draw is known without the draw.
// CHECK-LABEL: func.func @dims
// CHECK-SAME: %[[D:[a-z0-9]+]]: index
func.func @dims(%s: i64, %o: i64, %d: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[C8:.+]] = arith.constant 8 : index
  // CHECK-NOT: tensor.dim
  // CHECK: return %[[D]], %[[C8]], %[[D]]
  %0 = rng.stateless_uniform %s, %o sizes(%d) : tensor<?x8xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x8xf32>
  %2 = tensor.dim %0, %c1 : tensor<?x8xf32>
  %3 = rng.bits sizes(%d) : tensor<4x?xi32>
  %4 = tensor.dim %3, %c1 : tensor<4x?xi32>
  return %1, %2, %4 : index, index, index
}
