// RUN: %rng_opt %s --split-input-file --convert-rng-to-gpu \
// RUN:   --canonicalize --cse | FileCheck %s

// One thread an element, in 64-bit arithmetic; no launch for no elements.
// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME: %[[X:.+]]: memref<?x8xf32>, %[[Y:.+]]: memref<?x8xf32>
// CHECK: %[[N:.+]] = memref.dim
// CHECK: %[[TOTAL:.+]] = arith.muli %[[N]], %c8
// CHECK: %[[SOME:.+]] = arith.cmpi ne, %[[TOTAL]], %c0
// CHECK: scf.if %[[SOME]]
// CHECK: gpu.launch blocks(%[[BX:[^,]+]], %{{[^)]+}}) in (%{{[^,]+}} = %{{[^,]+}}, %{{[^,]+}} = %c1, %{{[^,]+}} = %c1)
// CHECK-SAME: threads(%[[TX:[^,]+]], %{{[^)]+}}) in (%{{[^,]+}} = %c256, %{{[^,]+}} = %c1, %{{[^,]+}} = %c1)
// CHECK: %[[BASE:.+]] = arith.muli %[[BX]], %c256
// CHECK: %[[I:.+]] = arith.addi %[[BASE]], %[[TX]]
// CHECK: %[[INSIDE:.+]] = arith.cmpi ult, %[[I]], %[[TOTAL]]
// CHECK: scf.if %[[INSIDE]]
// CHECK-DAG: %[[COLUMN:.+]] = arith.remui %[[I]], %c8
// CHECK-DAG: %[[ROW:.+]] = arith.divui %[[I]], %c8
// CHECK: %[[A:.+]] = memref.load %[[X]][%[[ROW]], %[[COLUMN]]]
// CHECK: %[[S:.+]] = arith.addf %[[A]], %[[A]]
// CHECK: memref.store %[[S]], %[[Y]][%[[ROW]], %[[COLUMN]]]
func.func @elementwise(%x: memref<?x8xf32>, %y: memref<?x8xf32>)
    attributes {rng.device} {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x8xf32>) outs(%y : memref<?x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// The dimension to sum over comes first: a thread for each column all the same,
// the sum in a register.
// CHECK-LABEL: func.func @column_sum(
// CHECK-SAME: %[[X:.+]]: memref<4x8xf32>, %[[Y:.+]]: memref<8xf32>
// CHECK: gpu.launch
// CHECK: %[[INIT:.+]] = memref.load %[[Y]][%[[J:.+]]]
// CHECK: %[[SUM:.+]] = scf.for %[[I:.+]] = %c0{{.*}} to %c4 step %c1{{.*}} iter_args(%[[S:.+]] = %[[INIT]])
// CHECK: %[[A:.+]] = memref.load %[[X]][%[[I]], %[[J]]]
// CHECK: %[[NEXT:.+]] = arith.addf %[[S]], %[[A]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: memref.store %[[SUM]], %[[Y]][%[[J]]]
func.func @column_sum(%x: memref<4x8xf32>, %y: memref<8xf32>)
    attributes {rng.device} {
  linalg.reduce ins(%x : memref<4x8xf32>) outs(%y : memref<8xf32>)
      dimensions = [0] (%a: f32, %s: f32) {
    %next = arith.addf %s, %a : f32
    linalg.yield %next : f32
  }
  return
}

// -----

// Points that meet in one element: one thread, in order.
// CHECK-LABEL: func.func @histogram(
// CHECK: gpu.launch blocks({{.*}}) in (%{{[^,]+}} = %c1,{{.*}} threads({{.*}}) in (%{{[^,]+}} = %c1,
// CHECK: scf.for
// CHECK: memref.load
// CHECK: memref.store
// CHECK: gpu.terminator
func.func @histogram(%x: memref<8xf32>, %y: memref<4xf32>)
    attributes {rng.device} {
  linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i floordiv 2)>],
      iterator_types = ["parallel"]}
      ins(%x : memref<8xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Single elements, temporaries, constants, copies.
memref.global "private" constant @table : memref<2xf32> = dense<[1.0, 2.0]>
// CHECK-LABEL: func.func @elements(
// CHECK-SAME: %[[X:.+]]: memref<2xf32>, %[[I:.+]]: index
// CHECK: %[[GLOBAL:.+]] = memref.get_global @table
// CHECK: %[[TABLE:.+]] = gpu.alloc
// CHECK: gpu.memcpy {{.*}}%[[TABLE]], %[[GLOBAL]]
// CHECK: gpu.launch
// CHECK: memref.load %[[TABLE]]
// CHECK: memref.store
// CHECK: gpu.launch
// CHECK: %[[E:.+]] = memref.load %[[X]][%[[I]]]
// CHECK: memref.store %[[E]], %[[DEVICE:.+]][]
// CHECK: %[[HOST:.+]] = memref.alloc() : memref<f32>
// CHECK: gpu.memcpy {{.*}}%[[HOST]], %[[DEVICE]]
// CHECK: %[[V:.+]] = memref.load %[[HOST]][]
// CHECK: gpu.launch
// CHECK: memref.store %[[V]], %[[X]]
func.func @elements(%x: memref<2xf32>, %i: index) -> memref<2xf32>
    attributes {rng.device} {
  %c0 = arith.constant 0 : index
  %table = memref.get_global @table : memref<2xf32>
  %t = memref.alloc() : memref<2xf32>
  memref.copy %table, %t : memref<2xf32> to memref<2xf32>
  %v = memref.load %x[%i] : memref<2xf32>
  memref.store %v, %x[%c0] : memref<2xf32>
  return %t : memref<2xf32>
}

// -----

// A function of the host gets copies.
// CHECK-LABEL: func.func @calls(
// CHECK-SAME: %[[X:.+]]: memref<2xf32>
// CHECK: %[[HOST:.+]] = memref.alloc() : memref<2xf32>
// CHECK: gpu.memcpy {{.*}}%[[HOST]], %[[X]]
// CHECK: %[[ANY:.+]] = memref.cast %[[HOST]]
// CHECK: call @print(%[[ANY]])
// CHECK: gpu.memcpy {{.*}}%[[X]], %[[HOST]]
func.func private @print(memref<*xf32>)
func.func @calls(%x: memref<2xf32>) attributes {rng.device} {
  %any = memref.cast %x : memref<2xf32> to memref<*xf32>
  call @print(%any) : (memref<*xf32>) -> ()
  return
}

// -----

// Host code stays.
// CHECK-LABEL: func.func @host(
// CHECK-NOT: gpu.
// CHECK: memref.load
// CHECK-NOT: gpu.
// CHECK: return
func.func @host(%x: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<2xf32>
  return %v : f32
}
