// RUN: %rng_opt %s --linalg-generalize-named-ops --rng-order-loops \
// RUN:   | FileCheck %s

// CHECK-DAG: #[[IK:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[KJ:.+]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[IJ:.+]] = affine_map<(d0, d1, d2) -> (d0, d2)>

// Row by row of the right operand: i, k, j.
// CHECK-LABEL: func @matmul
func.func @matmul(%a: memref<4x5xf32>, %b: memref<5x6xf32>,
                  %c: memref<4x6xf32>) {
  // CHECK: linalg.generic {indexing_maps = [#[[IK]], #[[KJ]], #[[IJ]]],
  // CHECK-SAME: iterator_types = ["parallel", "reduction", "parallel"]
  linalg.matmul ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>)
      outs(%c : memref<4x6xf32>)
  return
}

// The right operand is walked along the reduction: nothing to gain.
// CHECK-LABEL: func @transposed
func.func @transposed(%a: memref<4x5xf32>, %b: memref<6x5xf32>,
                      %c: memref<4x6xf32>) {
  // CHECK: iterator_types = ["parallel", "parallel", "reduction"]
  linalg.matmul
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> (j, k)>,
                       affine_map<(i, j, k) -> (i, j)>]
      ins(%a, %b : memref<4x5xf32>, memref<6x5xf32>)
      outs(%c : memref<4x6xf32>)
  return
}

// Batches stay outermost.
// CHECK-LABEL: func @batch
func.func @batch(%a: memref<2x4x5xf32>, %b: memref<2x5x6xf32>,
                 %c: memref<2x4x6xf32>) {
  // CHECK: iterator_types = ["parallel", "parallel", "reduction", "parallel"]
  linalg.batch_matmul ins(%a, %b : memref<2x4x5xf32>, memref<2x5x6xf32>)
      outs(%c : memref<2x4x6xf32>)
  return
}

// Elementwise work has no reduction to move out of the way.
// CHECK-LABEL: func @transpose
func.func @transpose(%a: memref<4x5xf32>, %c: memref<5x4xf32>) {
  // CHECK: iterator_types = ["parallel", "parallel"]
  linalg.transpose ins(%a : memref<4x5xf32>) outs(%c : memref<5x4xf32>)
      permutation = [1, 0]
  return
}
