// RUN: %rng_opt %s --rng-unroll-kernel-math | FileCheck %s

gpu.module @kernels {
  // Vectors: an op for each element, of any rank.
  // CHECK-LABEL: gpu.func @vectors(
  // CHECK-SAME: %[[X:.+]]: vector<1x2xf32>, %[[Y:.+]]: vector<2xf64>
  gpu.func @vectors(%x: vector<1x2xf32>, %y: vector<2xf64>)
      -> (vector<1x2xf32>, vector<2xi1>) {
    // CHECK: %[[X0:.+]] = vector.extract %[[X]][0, 0]
    // CHECK: %[[S0:.+]] = math.sqrt %[[X0]] : f32
    // CHECK: %[[R0:.+]] = vector.insert %[[S0]], %{{.+}} [0, 0]
    // CHECK: %[[X1:.+]] = vector.extract %[[X]][0, 1]
    // CHECK: %[[S1:.+]] = math.sqrt %[[X1]] : f32
    // CHECK: %[[R1:.+]] = vector.insert %[[S1]], %[[R0]] [0, 1]
    %r = math.sqrt %x : vector<1x2xf32>
    // CHECK: %[[Y0:.+]] = vector.extract %[[Y]][0]
    // CHECK: %[[N0:.+]] = math.isnan %[[Y0]] : f64
    // CHECK: vector.insert %[[N0]]
    // CHECK: %[[N1:.+]] = math.isnan
    // CHECK: %[[N:.+]] = vector.insert %[[N1]]
    %n = math.isnan %y : vector<2xf64>
    // CHECK: gpu.return %[[R1]], %[[N]]
    gpu.return %r, %n : vector<1x2xf32>, vector<2xi1>
  }

  // Scalars are left.
  // CHECK-LABEL: gpu.func @scalars(
  // CHECK-SAME: %[[X:.+]]: f32
  gpu.func @scalars(%x: f32) -> f32 {
    // CHECK-NEXT: %[[R:.+]] = math.sqrt %[[X]] : f32
    %r = math.sqrt %x : f32
    // CHECK-NEXT: gpu.return %[[R]]
    gpu.return %r : f32
  }
}
