// RUN: %rng_opt %s --split-input-file --rng-lower-reductions --canonicalize \
// RUN:   --cse | FileCheck %s

// Lanes take one value each, then one each time around, then add up in pairs.
// CHECK-LABEL: func.func @row(
// CHECK-SAME:    %[[X:.+]]: memref<8x1000xf32>, %[[SUM:.+]]: memref<8xf32>)
// CHECK-DAG:     %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.+]] = arith.constant 1 : index
// CHECK-DAG:     %[[C8:.+]] = arith.constant 8 : index
// CHECK-DAG:     %[[C128:.+]] = arith.constant 128 : index
// CHECK-DAG:     %[[C256:.+]] = arith.constant 256 : index
// CHECK-DAG:     %[[C1000:.+]] = arith.constant 1000 : index
// CHECK:         %[[LANES:.+]] = memref.alloca() {{.*}} : memref<256xf32>
// CHECK:         scf.for %[[I:.+]] = %[[C0]] to %[[C8]] step %[[C1]] {
// CHECK-NEXT:      scf.for %[[LANE:.+]] = %[[C0]] to %[[C256]] step %[[C1]] {
// CHECK-NEXT:        %[[V:.+]] = memref.load %[[X]][%[[I]], %[[LANE]]]
// CHECK-NEXT:        memref.store %[[V]], %[[LANES]][%[[LANE]]]
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.for %[[START:.+]] = %[[C256]] to %[[C1000]] step %[[C256]] {
// CHECK-NEXT:        %[[LEFT:.+]] = arith.subi %[[C1000]], %[[START]]
// CHECK-NEXT:        %[[COUNT:.+]] = arith.minui %[[LEFT]], %[[C256]]
// CHECK-NEXT:        scf.for %[[LANE:.+]] = %[[C0]] to %[[COUNT]] step %[[C1]] {
// CHECK-NEXT:          %[[J:.+]] = arith.addi %[[LANE]], %[[START]]
// CHECK-NEXT:          %[[V:.+]] = memref.load %[[X]][%[[I]], %[[J]]]
// CHECK-NEXT:          %[[OLD:.+]] = memref.load %[[LANES]][%[[LANE]]]
// CHECK-NEXT:          %[[NEW:.+]] = arith.addf %[[OLD]], %[[V]] : f32
// CHECK-NEXT:          memref.store %[[NEW]], %[[LANES]][%[[LANE]]]
// CHECK:           scf.for %[[STEP:.+]] = %[[C0]] to %[[C8]] step %[[C1]] {
// CHECK-NEXT:        %[[STRIDE:.+]] = arith.shrui %[[C128]], %[[STEP]]
// CHECK:             scf.for %[[LANE:.+]] =
// CHECK-NEXT:          %[[OTHER:.+]] = arith.addi %[[LANE]], %[[STRIDE]]
// CHECK-NEXT:          %[[A:.+]] = memref.load %[[LANES]][%[[LANE]]]
// CHECK-NEXT:          %[[B:.+]] = memref.load %[[LANES]][%[[OTHER]]]
// CHECK-NEXT:          %[[AB:.+]] = arith.addf %[[A]], %[[B]] : f32
// CHECK:           %[[TOTAL:.+]] = memref.load %[[LANES]][%[[C0]]]
// CHECK-NEXT:      %[[OLD:.+]] = memref.load %[[SUM]][%[[I]]]
// CHECK-NEXT:      %[[NEW:.+]] = arith.addf %[[OLD]], %[[TOTAL]] : f32
// CHECK-NEXT:      memref.store %[[NEW]], %[[SUM]][%[[I]]]
func.func @row(%x: memref<8x1000xf32>, %sum: memref<8xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<8x1000xf32>)
      outs(%sum : memref<8xf32>) dimensions = [1]
  return
}

// -----

// Sides stay where they are; of one type, one array of lanes is enough, and it
// is not in a loop.
// CHECK-LABEL: func.func @whole(
// CHECK:         memref.alloca()
// CHECK-NOT:     memref.alloca()
// CHECK:         scf.for
// CHECK:           arith.maximumf %{{.+}}, %[[OLD:.+]] : f32
// CHECK:         return
func.func @whole(%x: memref<?x?xf32>, %max: memref<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
        iterator_types = ["reduction", "reduction"]}
        ins(%x : memref<?x?xf32>) outs(%max : memref<f32>) {
    ^bb0(%a: f32, %old: f32):
      %next = arith.maximumf %a, %old : f32
      linalg.yield %next : f32
    }
    linalg.reduce { arith.addf } ins(%x : memref<?x?xf32>)
        outs(%max : memref<f32>) dimensions = [0, 1]
  }
  return
}

// -----

// Written out: ((0 + 4) + 2) + ((1) + 3).
// CHECK-LABEL: func.func @short(
// CHECK-SAME:    %[[X:.+]]: memref<?x5xf32>, %[[SUM:.+]]: memref<?xf32>)
// CHECK-NOT:     memref.alloca
// CHECK:         scf.for
// CHECK:           %[[V0:.+]] = memref.load %[[X]]
// CHECK-NEXT:      %[[V1:.+]] = memref.load %[[X]]
// CHECK-NEXT:      %[[V2:.+]] = memref.load %[[X]]
// CHECK-NEXT:      %[[V3:.+]] = memref.load %[[X]]
// CHECK-NEXT:      %[[V4:.+]] = memref.load %[[X]]
// CHECK-NEXT:      %[[V04:.+]] = arith.addf %[[V0]], %[[V4]]
// CHECK-NEXT:      %[[V024:.+]] = arith.addf %[[V04]], %[[V2]]
// CHECK-NEXT:      %[[V13:.+]] = arith.addf %[[V1]], %[[V3]]
// CHECK-NEXT:      %[[ALL:.+]] = arith.addf %[[V024]], %[[V13]]
// CHECK-NEXT:      %[[OLD:.+]] = memref.load %[[SUM]]
// CHECK-NEXT:      arith.addf %[[OLD]], %[[ALL]]
// CHECK-NOT:       scf.for
func.func @short(%x: memref<?x5xf32>, %sum: memref<?xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<?x5xf32>)
      outs(%sum : memref<?xf32>) dimensions = [1]
  return
}

// -----

// None of these has lanes: columns, contractions, windows, two results, another
// combiner, what the result holds used twice, a value that depends on it.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-8: linalg.
// CHECK-NOT:     memref.alloca
// CHECK:         return
func.func @others(%x: memref<40x50xf32>, %y: memref<60x50xf32>,
                  %columns: memref<50xf32>, %product: memref<40x60xf32>,
                  %image: memref<1x40x40x3xf32>, %kernel: memref<5x5xf32>,
                  %pooled: memref<1x36x36x3xf32>, %rows: memref<40xf32>,
                  %places: memref<40xindex>) {
  linalg.reduce { arith.addf } ins(%x : memref<40x50xf32>)
      outs(%columns : memref<50xf32>) dimensions = [0]
  linalg.matmul
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> (j, k)>,
                       affine_map<(i, j, k) -> (i, j)>]
      ins(%x, %y : memref<40x50xf32>, memref<60x50xf32>)
      outs(%product : memref<40x60xf32>)
  linalg.vecmat ins(%rows, %x : memref<40xf32>, memref<40x50xf32>)
      outs(%columns : memref<50xf32>)
  linalg.pooling_nhwc_max
      ins(%image, %kernel : memref<1x40x40x3xf32>, memref<5x5xf32>)
      outs(%pooled : memref<1x36x36x3xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<40x50xf32>)
      outs(%rows, %places : memref<40xf32>, memref<40xindex>) {
  ^bb0(%a: f32, %old: f32, %at: index):
    %j = linalg.index 1 : index
    %more = arith.cmpf ogt, %a, %old : f32
    %new = arith.select %more, %a, %old : f32
    %place = arith.select %more, %j, %at : index
    linalg.yield %new, %place : f32, index
  }
  linalg.reduce { arith.subf } ins(%x : memref<40x50xf32>)
      outs(%rows : memref<40xf32>) dimensions = [1]
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<40x50xf32>) outs(%rows : memref<40xf32>) {
  ^bb0(%a: f32, %old: f32):
    %next = arith.addf %old, %old : f32
    linalg.yield %next : f32
  }
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<40x50xf32>) outs(%rows : memref<40xf32>) {
  ^bb0(%a: f32, %old: f32):
    %scaled = arith.mulf %old, %a : f32
    %next = arith.addf %old, %scaled : f32
    linalg.yield %next : f32
  }
  return
}

// -----

// Rows of a length that only the run knows: a few values are combined as they
// are, in the same order, and more of them in lanes.
// CHECK-LABEL: func.func @dynamic_row(
// CHECK-SAME:    %[[X:.+]]: memref<?x?xf32>
// CHECK:         scf.for
// CHECK:           scf.index_switch
// CHECK:           case 0 {
// CHECK-NEXT:        scf.yield
// CHECK:           case 3 {
// CHECK:             %[[A:.+]] = memref.load %[[X]][%{{.+}}, %c0]
// CHECK:             %[[B:.+]] = memref.load %[[X]][%{{.+}}, %c1]
// CHECK:             %[[C:.+]] = memref.load %[[X]][%{{.+}}, %c2]
// CHECK:             %[[AC:.+]] = arith.addf %[[A]], %[[C]]
// CHECK:             arith.addf %[[AC]], %[[B]]
// CHECK:           case 4 {
// CHECK-NOT:       case
// CHECK:           default {
// CHECK:             scf.for
func.func @dynamic_row(%x: memref<?x?xf32>, %sum: memref<?xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<?x?xf32>)
      outs(%sum : memref<?xf32>) dimensions = [1]
  return
}
