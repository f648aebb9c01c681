// RUN: %rng_opt %s --rng-vectorize-draws --canonicalize | FileCheck %s
// RUN: %rng_opt %s --rng-vectorize-draws=parallel=true --canonicalize \
// RUN:   | FileCheck %s --check-prefix=THREADS

#id = affine_map<(i) -> (i)>
#id2 = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
#column = affine_map<(i, j) -> (i)>
#transposed = affine_map<(i, j) -> (j, i)>

// 64 blocks, 8 blocks, a block and an element at a time. Draws are made for the
// whole vector, all else for 64 lanes; what will be read next is fetched.
// CHECK-LABEL: func @dynamic
// THREADS-LABEL: func @dynamic
// THREADS: scf.parallel (%{{.+}}) = (%c0) to (%[[MOST:.+]]) step (%c256) {
// THREADS: scf.for %{{.+}} = %[[MOST]] to
// THREADS-LABEL: func @mask
// THREADS-NOT: scf.parallel
// THREADS: scf.for
// CHECK-SAME: (%[[X:.+]]: memref<?xf32>, %[[Y:.+]]: memref<?xf32>, %[[SEED:.+]]: i64, %[[OFFSET:.+]]: i64, %[[P:.+]]: f32, %[[N:.+]]: index)
func.func @dynamic(%x: memref<?xf32>, %y: memref<?xf32>, %seed: i64,
                   %offset: i64, %p: f32, %n: index) {
  // CHECK-DAG: %[[SIZE:.+]] = memref.dim %[[X]]
  // CHECK-DAG: %[[REST:.+]] = arith.remui %[[SIZE]], %c256
  // CHECK: %[[MOST:.+]] = arith.subi %[[SIZE]], %[[REST]]
  // CHECK: scf.for %[[I:.+]] = %c0 to %[[MOST]] step %c256 {
  // CHECK: %[[NEXT:.+]] = arith.addi %[[I]], %c256
  // CHECK: %[[LAST:.+]] = arith.subi %[[SIZE]], %c256
  // CHECK: %[[READ:.+]] = arith.minui %[[NEXT]], %[[LAST]]
  // CHECK: memref.prefetch %[[X]][%[[READ]]], read
  // CHECK-COUNT-15: memref.prefetch %[[X]]{{.+}}, read
  // CHECK-NOT: memref.prefetch
  // CHECK: %[[KEEP:.+]] = rng.stateless_bernoulli %[[SEED]], %[[OFFSET]] prob(%[[P]]) slice [%[[I]]] of [%[[SIZE]]] {aligned} : vector<256xi1>
  // CHECK: %[[PART:.+]] = vector.extract_strided_slice %[[KEEP]] {offsets = [0], sizes = [64]
  // CHECK: %[[IN:.+]] = vector.load %[[X]][%[[I]]] {alignment = 4 : i64} : memref<?xf32>, vector<64xf32>
  // CHECK: %[[OUT:.+]] = arith.select %[[PART]], %[[IN]], %cst{{.*}} : vector<64xi1>, vector<64xf32>
  // CHECK: vector.store %[[OUT]], %[[Y]][%[[I]]] {alignment = 4 : i64}
  // CHECK-COUNT-3: vector.store
  // CHECK: scf.for %{{.+}} = %[[MOST]] to %[[MORE:.+]] step %c32 {
  // CHECK-NOT: memref.prefetch
  // CHECK: rng.stateless_bernoulli {{.+}} {aligned} : vector<32xi1>
  // CHECK: scf.for %{{.+}} = %[[MORE]] to %[[BLOCKS:.+]] step %c4 {
  // CHECK: rng.stateless_bernoulli {{.+}} {aligned} : vector<4xi1>
  // CHECK: scf.for %[[E:.+]] = %[[BLOCKS]] to %[[SIZE]] step %c1 {
  // CHECK: rng.stateless_bernoulli %[[SEED]], %[[OFFSET]] prob(%[[P]]) slice [%[[E]]] of [%[[SIZE]]] : i1
  // CHECK: memref.store
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %keep = rng.stateless_bernoulli %seed, %offset prob(%p)
        slice [%i] of [%n] : i1
    %kept = arith.select %keep, %in, %zero : f32
    linalg.yield %kept : f32
  }
  return
}

// Whole vectors of a static size are followed by nothing. Masks are bytes.
// CHECK-LABEL: func @mask
func.func @mask(%y: memref<8x64xi1>, %seed: i64, %offset: i64) {
  // CHECK: %[[FLAT:.+]] = memref.collapse_shape
  // CHECK: scf.for %[[I:.+]] = %c0 to %c512 step %c256
  // CHECK-NOT: memref.prefetch
  // CHECK: %[[BITS:.+]] = rng.stateless_bits {{.+}} : vector<256xi1>
  // CHECK: %[[PART:.+]] = vector.extract_strided_slice %[[BITS]] {offsets = [0]
  // CHECK: %[[BYTES:.+]] = builtin.unrealized_conversion_cast %[[FLAT]] : memref<512xi1> to memref<512xi8>
  // CHECK: %[[BYTE:.+]] = arith.extui %[[PART]] : vector<64xi1> to vector<64xi8>
  // CHECK: vector.store %[[BYTE]], %[[BYTES]][%[[I]]]
  // CHECK-NOT: scf.for
  // CHECK: return
  linalg.generic {indexing_maps = [#id2],
                  iterator_types = ["parallel", "parallel"]}
      outs(%y : memref<8x64xi1>) {
  ^bb0(%out: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %w = rng.stateless_bits %seed, %offset slice [%i, %j] of [8, 64] : i1
    linalg.yield %w : i1
  }
  return
}

// Rows and columns; a draw of two values a block beside one of four.
// CHECK-LABEL: func @broadcast
// CHECK-SAME: %[[ROW:[^:]+]]: memref<128xf32>, %[[COLUMN:[^:]+]]: memref<4xf32>
func.func @broadcast(%row: memref<128xf32>, %column: memref<4xf32>,
                     %y: memref<4x128xf32>, %z: memref<4x128xf64>, %seed: i64,
                     %offset: i64) {
  // CHECK: scf.for %[[I:.+]] = %c0 to %c512 step %c256
  // CHECK: rng.stateless_uniform {{.+}} : vector<256xf32>
  // CHECK: rng.stateless_uniform {{.+}} : vector<256xf64>
  // CHECK: %[[J:.+]] = arith.remui %[[I]], %c128
  // CHECK: vector.load %[[ROW]][%[[J]]] {{.+}} vector<64xf32>
  // CHECK: %[[K:.+]] = arith.divui %[[I]], %c128
  // CHECK: %[[C:.+]] = memref.load %[[COLUMN]][%[[K]]]
  // CHECK: vector.broadcast %[[C]] : f32 to vector<64xf32>
  // CHECK-NOT: scf.for
  // CHECK: return
  linalg.generic {indexing_maps = [#row, #column, #id2, #id2],
                  iterator_types = ["parallel", "parallel"]}
      ins(%row, %column : memref<128xf32>, memref<4xf32>)
      outs(%y, %z : memref<4x128xf32>, memref<4x128xf64>) {
  ^bb0(%r: f32, %c: f32, %out0: f32, %out1: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %u = rng.stateless_uniform %seed, %offset slice [%i, %j] of [4, 128] : f32
    %w = rng.stateless_uniform %offset, %seed slice [%i, %j] of [4, 128] : f64
    %s = arith.addf %u, %r : f32
    %t = arith.mulf %s, %c : f32
    linalg.yield %t, %w : f32, f64
  }
  return
}

// Less than a vector: only what there is.
// CHECK-LABEL: func @small
func.func @small(%y: memref<7xf32>, %seed: i64, %offset: i64) {
  // CHECK: rng.stateless_uniform {{.+}} : vector<4xf32>
  // CHECK: scf.for %{{.+}} = %c4 to %c7 step %c1
  // CHECK: rng.stateless_uniform {{.+}} : f32
  // CHECK-NOT: rng
  // CHECK: return
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%y : memref<7xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %u = rng.stateless_uniform %seed, %offset slice [%i] of [7] : f32
    linalg.yield %u : f32
  }
  return
}

// Left alone: an operand that is walked in another order, a range that differs
// from element to element, elements of another place in a larger draw, rows of
// an odd length.
// CHECK-LABEL: func @others
// CHECK-NOT: scf.for
// CHECK-COUNT-4: linalg.generic
// CHECK: return
func.func @others(%x: memref<64x64xf32>, %y: memref<64x64xf32>,
                  %row: memref<60xf32>, %z: memref<64x60xf32>, %seed: i64,
                  %offset: i64) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#transposed, #id2],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<64x64xf32>) outs(%y : memref<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %u = rng.stateless_uniform %seed, %offset slice [%i, %j] of [64, 64] : f32
    %s = arith.addf %u, %in : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id2, #id2],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<64x64xf32>) outs(%y : memref<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %u = rng.stateless_uniform %seed, %offset range(%zero, %in)
        slice [%i, %j] of [64, 64] : f32
    linalg.yield %u : f32
  }
  linalg.generic {indexing_maps = [#id2],
                  iterator_types = ["parallel", "parallel"]}
      outs(%y : memref<64x64xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %u = rng.stateless_uniform %seed, %offset slice [%i, %j] of [64, 65] : f32
    linalg.yield %u : f32
  }
  linalg.generic {indexing_maps = [#row, #id2],
                  iterator_types = ["parallel", "parallel"]}
      ins(%row : memref<60xf32>) outs(%z : memref<64x60xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %u = rng.stateless_uniform %seed, %offset slice [%i, %j] of [64, 60] : f32
    %s = arith.addf %u, %in : f32
    linalg.yield %s : f32
  }
  return
}
