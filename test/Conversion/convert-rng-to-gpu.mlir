// RUN: %rng_opt %s --split-input-file --convert-rng-to-gpu \
// RUN:   --convert-rng-to-arith --canonicalize --cse | FileCheck %s

// Four groups of four neighbours a thread, those of a block of threads side by
// side, in 64-bit arithmetic, loads first; what is left of the size, or all if a
// buffer is not aligned, by further threads; no launch for no elements.
// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME: %[[X:.+]]: memref<?x8xf32>, %[[Y:.+]]: memref<?x8xf32>
// CHECK: %[[N:.+]] = memref.dim
// CHECK: %[[TOTAL:.+]] = arith.muli %[[N]], %c8
// CHECK: %[[SOME:.+]] = arith.cmpi ne, %[[TOTAL]], %c0
// CHECK: scf.if %[[SOME]]
// CHECK-DAG: %[[FLATX:.+]] = memref.collapse_shape %[[X]]
// CHECK-DAG: %[[FLATY:.+]] = memref.collapse_shape %[[Y]]
// CHECK-DAG: %[[FULL:.+]] = arith.divui %[[TOTAL]], %c4096
// CHECK-DAG: %[[BITS:.+]] = arith.andi %{{.+}}, %c15
// CHECK: %[[ALIGNED:.+]] = arith.cmpi eq, %[[BITS]], %c0
// CHECK: %[[FLAG:.+]] = arith.index_castui %[[ALIGNED]]
// CHECK: %[[TILES:.+]] = arith.muli %[[FULL]], %[[FLAG]]
// CHECK: %[[GROUPED:.+]] = arith.muli %[[TILES]], %c4096
// CHECK: %[[REST:.+]] = arith.subi %[[TOTAL]], %[[GROUPED]]
// CHECK: %[[THREADS:.+]] = arith.muli %[[TILES]], %c256
// CHECK: arith.addi %[[THREADS]], %[[REST]]
// CHECK: gpu.launch blocks(%[[BX:[^,]+]], %{{[^)]+}}) in (%{{[^,]+}} = %{{[^,]+}}, %{{[^,]+}} = %c1, %{{[^,]+}} = %c1)
// CHECK-SAME: threads(%[[TX:[^,]+]], %{{[^)]+}}) in (%{{[^,]+}} = %c256, %{{[^,]+}} = %c1, %{{[^,]+}} = %c1)
// CHECK: %[[BASE:.+]] = arith.muli %[[BX]], %c256
// CHECK: %[[I:.+]] = arith.addi %[[BASE]], %[[TX]]
// CHECK: %[[ISTILE:.+]] = arith.cmpi ult, %[[BX]], %[[TILES]]
// CHECK: scf.if %[[ISTILE]]
// CHECK: %[[TILE:.+]] = arith.muli %[[BX]], %c4096
// CHECK: %[[OWN:.+]] = arith.muli %[[TX]], %c4
// CHECK: %[[FIRST:.+]] = arith.addi %[[TILE]], %[[OWN]]
// CHECK: %[[SECOND:.+]] = arith.addi %[[FIRST]], %c1024
// CHECK: %[[LAST:.+]] = arith.addi %[[FIRST]], %c3072
// CHECK: vector.load %[[FLATX]][%[[FIRST]]] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK: vector.load %[[FLATX]][%[[SECOND]]] {alignment = 16 : i64}
// CHECK: vector.load %[[FLATX]][%[[LAST]]] {alignment = 16 : i64}
// CHECK: %[[S:.+]] = vector.from_elements
// CHECK: vector.store %[[S]], %[[FLATY]][%[[FIRST]]] {alignment = 16 : i64}
// CHECK: vector.store %{{.+}}, %[[FLATY]][%[[LAST]]] {alignment = 16 : i64}
// CHECK: } else {
// CHECK: %[[K:.+]] = arith.subi %[[I]], %[[THREADS]]
// CHECK: %[[E:.+]] = arith.addi %[[K]], %[[GROUPED]]
// CHECK: %[[INSIDE:.+]] = arith.cmpi ult, %[[E]], %[[TOTAL]]
// CHECK: scf.if %[[INSIDE]]
// CHECK: %[[B:.+]] = memref.load %[[FLATX]][%[[E]]]
// CHECK: %[[T:.+]] = arith.addf %[[B]], %[[B]]
// CHECK: memref.store %[[T]], %[[FLATY]][%[[E]]]
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

// One element a thread where an operand is transposed.
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME: %[[X:.+]]: memref<8x?xf32>, %[[Y:.+]]: memref<?x8xf32>
// CHECK: gpu.launch
// CHECK: %[[INSIDE:.+]] = arith.cmpi ult, %[[I:.+]], %
// CHECK: scf.if %[[INSIDE]]
// CHECK-DAG: %[[COLUMN:.+]] = arith.remui %[[I]], %c8
// CHECK-DAG: %[[ROW:.+]] = arith.divui %[[I]], %c8
// CHECK: %[[A:.+]] = memref.load %[[X]][%[[COLUMN]], %[[ROW]]]
// CHECK: %[[S:.+]] = arith.addf %[[A]], %[[A]]
// CHECK: memref.store %[[S]], %[[Y]][%[[ROW]], %[[COLUMN]]]
// CHECK-NOT: } else {
func.func @transposed(%x: memref<8x?xf32>, %y: memref<?x8xf32>)
    attributes {rng.device} {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j, i)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x?xf32>) outs(%y : memref<?x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A bias of a row is loaded as four neighbours, a scale for a row once; all
// elements of a block come from one computation of it, and seed and offset are
// loaded once. A mask is stored as bytes, four at a time.
// CHECK-LABEL: func.func @draw(
// CHECK-SAME: %[[STATE:[^:]+]]: memref<2xi64>, %[[X:[^:]+]]: memref<?x8xf32>, %[[BIAS:[^:]+]]: memref<8xf32>, %[[SCALE:[^:]+]]: memref<?xf32>
// CHECK: gpu.launch
// CHECK: scf.if
// CHECK: %[[SEED:.+]] = memref.load %[[STATE]][%c0
// CHECK: %[[OFFSET:.+]] = memref.load %[[STATE]][%c1
// CHECK: vector.load {{.*}} : memref<?xf32>, vector<4xf32>
// CHECK: %[[COLUMN:.+]] = arith.remui %[[FIRST:.+]], %c8
// CHECK: vector.load %[[BIAS]][%[[COLUMN]]] {alignment = 16 : i64} : memref<8xf32>, vector<4xf32>
// CHECK: %[[ROW:.+]] = arith.divui %[[FIRST]], %c8
// CHECK: memref.load %[[SCALE]][%[[ROW]]] : memref<?xf32>
// CHECK-COUNT-20: arith.mului_extended
// CHECK-NOT: arith.mului_extended
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK: %[[BYTES:.+]] = builtin.unrealized_conversion_cast %{{.+}} : memref<?xi1> to memref<?xi8>
// CHECK: vector.store %{{.+}}, %[[BYTES]][%{{.+}}] {alignment = 4 : i64} : memref<?xi8>, vector<4xi8>
// The second group has the product of the offset in common with the first.
// CHECK-COUNT-19: arith.mului_extended
// CHECK-NOT: arith.mului_extended
// CHECK: vector.store {{.*}} {alignment = 4 : i64} : memref<?xi8>, vector<4xi8>
// CHECK: } else {
// CHECK-COUNT-20: arith.mului_extended
// CHECK-NOT: arith.mului_extended
// CHECK: memref.store {{.*}} : memref<?xi1>
// CHECK-NOT: memref.store {{.*}} : memref<?xi1>
// CHECK: gpu.terminator
func.func @draw(%state: memref<2xi64>, %x: memref<?x8xf32>,
                %bias: memref<8xf32>, %scale: memref<?xf32>,
                %y: memref<?x8xf32>, %mask: memref<?x8xi1>)
    attributes {rng.device} {
  %c8 = arith.constant 8 : index
  %p = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (0)>, affine_map<(i, j) -> (1)>,
                       affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%state, %state, %x, %bias, %scale : memref<2xi64>, memref<2xi64>,
          memref<?x8xf32>, memref<8xf32>, memref<?xf32>)
      outs(%y, %mask : memref<?x8xf32>, memref<?x8xi1>) {
  ^bb0(%seed: i64, %offset: i64, %a: f32, %b: f32, %c: f32, %d: f32, %e: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %keep = rng.stateless_bernoulli %seed, %offset prob(%p)
        slice [%i, %j] of [%c8, %c8] : i1
    %sum = arith.addf %a, %b : f32
    %scaled = arith.mulf %sum, %c : f32
    %kept = arith.select %keep, %scaled, %zero : f32
    linalg.yield %kept, %keep : f32, i1
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

// -----

// The bytes of a mask lie in the memory space of the mask.

// CHECK-LABEL: func.func @mask_in_space
// CHECK: %[[BYTES:.+]] = builtin.unrealized_conversion_cast %{{.+}} : memref<256xi1, 1> to memref<256xi8, 1>
// CHECK: vector.load %[[BYTES]]
func.func @mask_in_space(%keep: memref<256xi1, 1>, %x: memref<256xf32, 1>,
                         %y: memref<256xf32, 1>) attributes {rng.device} {
  linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                       affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%keep, %x : memref<256xi1, 1>, memref<256xf32, 1>)
      outs(%y : memref<256xf32, 1>) {
  ^bb0(%k: i1, %a: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %kept = arith.select %k, %a, %zero : f32
    linalg.yield %kept : f32
  }
  return
}
