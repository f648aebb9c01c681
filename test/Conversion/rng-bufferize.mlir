// RUN: %rng_opt %s --rng-bufferize | FileCheck %s

// A view that may have gaps is copied.
//
// CHECK-LABEL: func.func @view(
// CHECK: %[[VIEW:.+]] = memref.subview
// CHECK: %[[COPY:.+]] = memref.alloc(%{{.+}}, %{{.+}}) : memref<?x?xf32>
// CHECK: memref.copy %[[VIEW]], %[[COPY]]
// CHECK: return %[[COPY]]
func.func @view(%t: tensor<?x?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %s = tensor.extract_slice %t[0, 0] [%m, %n] [1, 1]
      : tensor<?x?xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// All of a buffer is not.
//
// CHECK-LABEL: func.func @all(
// CHECK-NOT: memref.copy
// CHECK: return
func.func @all(%t: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %s = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// Nor is what the program has a cast for.
//
// CHECK-LABEL: func.func @of_program(
// CHECK: %[[CAST:.+]] = memref.cast %{{.+}} :
// CHECK-SAME: memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32>
// CHECK-NOT: memref.copy
// CHECK: return %[[CAST]]
func.func @of_program(%m: memref<?x?xf32, strided<[?, 1]>>)
    -> memref<?x?xf32> {
  %c = memref.cast %m
      : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32>
  return %c : memref<?x?xf32>
}
