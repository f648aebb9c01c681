// Kernels in which the threads of a block work together.
//
// RUN: %rng_opt %s --split-input-file --convert-rng-to-gpu --canonicalize --cse \
// RUN:   | FileCheck %s

// A block for each row. Lanes add up in workgroup memory; a barrier after each
// step.
// CHECK-LABEL: func.func @row(
// CHECK-SAME:    %[[X:.+]]: memref<8x1000xf32>, %[[SUM:.+]]: memref<8xf32>)
// CHECK-DAG:     %[[C0:.+]] = arith.constant 0 : index
// CHECK-DAG:     %[[C8:.+]] = arith.constant 8 : index
// CHECK-DAG:     %[[C128:.+]] = arith.constant 128 : index
// CHECK-DAG:     %[[C256:.+]] = arith.constant 256 : index
// CHECK-DAG:     %[[C1000:.+]] = arith.constant 1000 : index
// CHECK:         gpu.launch blocks(%[[I:.+]], %{{.+}}, %{{.+}}) in (%{{.+}} = %[[C8]],
// CHECK-SAME:      threads(%[[T:.+]], %{{.+}}, %{{.+}}) in (%{{.+}} = %[[C256]],
// CHECK-SAME:      workgroup(%[[LANES:.+]] : memref<256xf32, #gpu.address_space<workgroup>>) {
// CHECK:           scf.if
// CHECK-NEXT:        %[[FIRST:.+]] = memref.load %[[X]][%[[I]], %[[T]]]
// CHECK-NEXT:        %[[SECOND:.+]] = arith.addi %[[T]], %[[C256]]
// CHECK-NEXT:        %[[LANE:.+]] = scf.for %[[J:.+]] = %[[SECOND]] to %[[C1000]] step %[[C256]] iter_args(%[[OLD:.+]] = %[[FIRST]])
// CHECK-NEXT:          %[[V:.+]] = memref.load %[[X]][%[[I]], %[[J]]]
// CHECK-NEXT:          arith.addf %[[OLD]], %[[V]] : f32
// CHECK:             memref.store %[[LANE]], %[[LANES]][%[[T]]]
// CHECK-NEXT:      }
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      %[[ACTIVE:.+]] = arith.cmpi ult, %[[T]], %[[C128]]
// CHECK-NEXT:      scf.if %[[ACTIVE]] {
// CHECK-NEXT:        %[[OTHER:.+]] = arith.addi %[[T]], %[[C128]]
// CHECK-NEXT:        %[[A:.+]] = memref.load %[[LANES]][%[[T]]]
// CHECK-NEXT:        %[[B:.+]] = memref.load %[[LANES]][%[[OTHER]]]
// CHECK-NEXT:        %[[AB:.+]] = arith.addf %[[A]], %[[B]]
// CHECK-NEXT:        memref.store %[[AB]], %[[LANES]][%[[T]]]
// CHECK-NEXT:      }
// CHECK-COUNT-8:   gpu.barrier
// CHECK-NOT:       gpu.barrier
// CHECK:           scf.if
// CHECK-NEXT:        %[[TOTAL:.+]] = memref.load %[[LANES]][%[[C0]]]
// CHECK-NEXT:        %[[OLD:.+]] = memref.load %[[SUM]][%[[I]]]
// CHECK-NEXT:        arith.addf %[[OLD]], %[[TOTAL]]
func.func @row(%x: memref<8x1000xf32>, %sum: memref<8xf32>)
    attributes {rng.device} {
  linalg.reduce { arith.addf } ins(%x : memref<8x1000xf32>)
      outs(%sum : memref<8xf32>) dimensions = [1]
  return
}

// -----

// No more threads than values.
// CHECK-LABEL: func.func @narrow_row(
// CHECK:         gpu.launch {{.+}} in (%{{.+}} = %c64,
// CHECK-SAME:      workgroup(%{{.+}} : memref<64xf16,
func.func @narrow_row(%x: memref<8x40xf16>, %sum: memref<8xf16>)
    attributes {rng.device} {
  linalg.reduce { arith.addf } ins(%x : memref<8x40xf16>)
      outs(%sum : memref<8xf16>) dimensions = [1]
  return
}

// -----

// A thread for each row.
// CHECK-LABEL: func.func @short_rows(
// CHECK:         gpu.launch
// CHECK-NOT:       workgroup
// CHECK-NOT:       gpu.barrier
// CHECK-COUNT-3:   memref.load %arg0
// CHECK-NOT:     gpu.launch
func.func @short_rows(%x: memref<?x3xf32>, %sum: memref<?xf32>)
    attributes {rng.device} {
  linalg.reduce { arith.addf } ins(%x : memref<?x3xf32>)
      outs(%sum : memref<?xf32>) dimensions = [1]
  return
}

// -----

// A thread for each column.
// CHECK-LABEL: func.func @columns(
// CHECK:         gpu.launch
// CHECK-NOT:       gpu.barrier
// CHECK:           scf.for
// CHECK-NOT:     gpu.launch
func.func @columns(%x: memref<300x?xf32>, %sum: memref<?xf32>)
    attributes {rng.device} {
  linalg.reduce { arith.addf } ins(%x : memref<300x?xf32>)
      outs(%sum : memref<?xf32>) dimensions = [0]
  return
}

// -----

// 3 x 2 tiles; the depth is a multiple of 16.
// CHECK-LABEL: func.func @matmul(
// CHECK-DAG:     %[[C6:.+]] = arith.constant 6 : index
// CHECK-DAG:     %[[C16:.+]] = arith.constant 16 : index
// CHECK-DAG:     %[[C64:.+]] = arith.constant 64 : index
// CHECK:         gpu.launch blocks({{.+}}) in (%{{.+}} = %[[C6]],
// CHECK-SAME:      threads({{.+}}) in (%{{.+}} = %[[C16]], %{{.+}} = %[[C16]], %{{.+}} = %c1)
// CHECK-SAME:      workgroup(%[[A:.+]] : memref<16x17xf32, #gpu.address_space<workgroup>>, %[[B:.+]] : memref<16x17xf32, #gpu.address_space<workgroup>>)
// CHECK:           scf.for %{{.+}} = %c0 to %[[C64]] step %[[C16]]
// CHECK:             memref.load %arg0
// CHECK:             memref.store %{{.+}}, %[[A]]
// CHECK:             memref.load %arg1
// CHECK:             memref.store %{{.+}}, %[[B]]
// CHECK-NEXT:        gpu.barrier
// CHECK-NEXT:        scf.for %{{.+}} = %c0 to %[[C16]] step %c1
// CHECK-NEXT:          %[[L:.+]] = memref.load %[[A]]
// CHECK-NEXT:          %[[R:.+]] = memref.load %[[B]]
// CHECK-NEXT:          %[[LR:.+]] = arith.mulf %[[L]], %[[R]]
// CHECK-NEXT:          arith.addf %{{.+}}, %[[LR]]
// CHECK:             gpu.barrier
// CHECK-NOT:         gpu.barrier
// CHECK:         return
func.func @matmul(%a: memref<48x64xf32>, %b: memref<64x32xf32>,
                  %c: memref<48x32xf32>) attributes {rng.device} {
  linalg.matmul ins(%a, %b : memref<48x64xf32>, memref<64x32xf32>)
      outs(%c : memref<48x32xf32>)
  return
}

// -----

// A contraction whose body may trap where there is nothing has no tiles, nor
// has one of three inputs.
// CHECK-LABEL: func.func @no_tiles(
// CHECK-COUNT-2: gpu.launch
// CHECK-NOT:     gpu.barrier
// CHECK:         return
func.func @no_tiles(%a: memref<48x64xi32>, %b: memref<64x32xi32>,
                    %w: memref<64xi32>, %c: memref<48x32xi32>)
    attributes {rng.device} {
  linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> (k, j)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<48x64xi32>, memref<64x32xi32>)
      outs(%c : memref<48x32xi32>) {
  ^bb0(%l: i32, %r: i32, %sum: i32):
    %lr = arith.divsi %l, %r : i32
    %next = arith.addi %sum, %lr : i32
    linalg.yield %next : i32
  }
  linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> (k, j)>,
                       affine_map<(i, j, k) -> (k)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b, %w : memref<48x64xi32>, memref<64x32xi32>, memref<64xi32>)
      outs(%c : memref<48x32xi32>) {
  ^bb0(%l: i32, %r: i32, %weight: i32, %sum: i32):
    %lr = arith.muli %l, %r : i32
    %wlr = arith.muli %weight, %lr : i32
    %next = arith.addi %sum, %wlr : i32
    linalg.yield %next : i32
  }
  return
}

// -----

#row = affine_map<(d0, d1) -> (d0, d1)>
#stat = affine_map<(d0, d1) -> (d0)>

// One kernel, a block for each row. The first temporary is workgroup memory, the
// second one does not fit and is device memory with a piece for each row.
// CHECK-LABEL: func.func @rows(
// CHECK-DAG:     %[[C5:.+]] = arith.constant 5 : index
// CHECK:         %[[SPACE:.+]] = gpu.alloc (%{{.+}}) : memref<?xi8>
// CHECK:         gpu.launch blocks(%[[I:.+]], %{{.+}}, %{{.+}}) in (%{{.+}} = %[[C5]],
// CHECK-SAME:      workgroup(%[[STAT:.+]] : memref<1xf32, #gpu.address_space<workgroup>>, %[[LANES:.+]] : memref<256xf32, #gpu.address_space<workgroup>>)
// CHECK:           %[[BIG:.+]] = memref.view %[[SPACE]]
// CHECK-SAME:        to memref<1x20000xf32>
// CHECK:           memref.store %{{.+}}, %[[BIG]]
// CHECK:           gpu.barrier
// CHECK:           memref.load %[[BIG]]
// CHECK:           memref.store %{{.+}}, %[[LANES]]
// CHECK:           gpu.barrier
// CHECK:           memref.load %[[BIG]]
// CHECK-NOT:     gpu.launch
// CHECK:         return
func.func @rows(%x: memref<5x20000xf32>, %y: memref<5x20000xf32>)
    attributes {rng.device} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (5) {
    %xi = memref.subview %x[%i, 0] [1, 20000] [1, 1]
        : memref<5x20000xf32> to memref<1x20000xf32, strided<[20000, 1], offset: ?>>
    %yi = memref.subview %y[%i, 0] [1, 20000] [1, 1]
        : memref<5x20000xf32> to memref<1x20000xf32, strided<[20000, 1], offset: ?>>
    %stat = memref.alloc() : memref<1xf32>
    %big = memref.alloc() : memref<1x20000xf32>
    linalg.generic {indexing_maps = [#row, #row],
                    iterator_types = ["parallel", "parallel"]}
        ins(%xi : memref<1x20000xf32, strided<[20000, 1], offset: ?>>)
        outs(%big : memref<1x20000xf32>) {
    ^bb0(%a: f32, %old: f32):
      %aa = arith.mulf %a, %a : f32
      linalg.yield %aa : f32
    }
    linalg.fill ins(%zero : f32) outs(%stat : memref<1xf32>)
    linalg.generic {indexing_maps = [#row, #stat],
                    iterator_types = ["parallel", "reduction"]}
        ins(%big : memref<1x20000xf32>) outs(%stat : memref<1xf32>) {
    ^bb0(%a: f32, %old: f32):
      %next = arith.addf %old, %a : f32
      linalg.yield %next : f32
    }
    linalg.generic {indexing_maps = [#row, #stat, #row],
                    iterator_types = ["parallel", "parallel"]}
        ins(%big, %stat : memref<1x20000xf32>, memref<1xf32>)
        outs(%yi : memref<1x20000xf32, strided<[20000, 1], offset: ?>>) {
    ^bb0(%a: f32, %b: f32, %old: f32):
      %p = arith.divf %a, %b : f32
      linalg.yield %p : f32
    }
  }
  return
}

// -----

// Work of each row that touches other memory needs no barrier.
// CHECK-LABEL: func.func @independent(
// CHECK:         gpu.launch
// CHECK-NOT:       gpu.barrier
// CHECK:         return
func.func @independent(%n: index) attributes {rng.device} {
  %one = arith.constant 1.0 : f32
  %x = memref.alloc(%n) : memref<?x64xf32>
  %y = memref.alloc(%n) : memref<?x64xf32>
  scf.forall (%i) in (%n) {
    %xi = memref.subview %x[%i, 0] [1, 64] [1, 1]
        : memref<?x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    %yi = memref.subview %y[%i, 0] [1, 64] [1, 1]
        : memref<?x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    linalg.fill ins(%one : f32) outs(%xi : memref<64xf32, strided<[1], offset: ?>>)
    linalg.fill ins(%one : f32) outs(%yi : memref<64xf32, strided<[1], offset: ?>>)
  }
  return
}

// -----

// What is no row is a loop of the host around kernels: with a mapping, with a
// loop inside.
// CHECK-LABEL: func.func @no_rows(
// CHECK:         scf.forall
// CHECK:           gpu.launch
// CHECK:         scf.forall
// CHECK:           scf.for
// CHECK:             gpu.launch
// CHECK:         return
func.func @no_rows(%x: memref<5x64xf32>) attributes {rng.device} {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i) in (5) {
    %xi = memref.subview %x[%i, 0] [1, 64] [1, 1]
        : memref<5x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    linalg.fill ins(%one : f32) outs(%xi : memref<64xf32, strided<[1], offset: ?>>)
  } {mapping = [#gpu.block<x>]}
  scf.forall (%i) in (5) {
    scf.for %j = %c0 to %c64 step %c1 {
      memref.store %one, %x[%i, %j] : memref<5x64xf32>
    }
  }
  return
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#word0 = affine_map<(d0, d1) -> (0)>
#word1 = affine_map<(d0, d1) -> (1)>

// Neighbours of a row share accesses and blocks of a draw, here at a snapshot,
// if the row is aligned and a block begins where it does; else, and for the
// rest, each thread does one element.
// CHECK-LABEL: func.func @groups(
// CHECK-SAME:    %[[X:.+]]: memref<?x?xf32>, %[[Y:.+]]: memref<?x?xf32>, %[[STATE:.+]]: memref<2xi64>
// CHECK:         gpu.launch
// CHECK-NOT:       gpu.barrier
// CHECK:           memref.extract_aligned_pointer_as_index
// CHECK:           %[[FITS:.+]] = arith.cmpi eq
// CHECK:           %[[GROUPS:.+]] = arith.select %[[FITS]]
// CHECK:           scf.for %{{.+}} = %{{.+}} to %[[GROUPS]]
// CHECK:             vector.load %{{.+}} {alignment = 16 : i64} : memref<1x?xf32, {{.+}}>, vector<4xf32>
// CHECK-COUNT-20:    arith.mului_extended
// CHECK-NOT:         arith.mului_extended
// CHECK:             vector.store %{{.+}} {alignment = 16 : i64} : memref<1x?xf32, {{.+}}>, vector<4xf32>
// CHECK:           scf.for
// CHECK:             memref.load
// CHECK:             rng.stateless_uniform
// CHECK:             memref.store
// CHECK-NOT:     gpu.launch
// CHECK:         return
func.func @groups(%x: memref<?x?xf32>, %y: memref<?x?xf32>,
                  %state: memref<2xi64>, %m: index, %n: index)
    attributes {rng.device} {
  scf.forall (%i) in (%m) {
    %xi = memref.subview %x[%i, 0] [1, %n] [1, 1]
        : memref<?x?xf32> to memref<1x?xf32, strided<[?, 1], offset: ?>>
    %yi = memref.subview %y[%i, 0] [1, %n] [1, 1]
        : memref<?x?xf32> to memref<1x?xf32, strided<[?, 1], offset: ?>>
    linalg.generic {indexing_maps = [#all, #word0, #word1, #all],
                    iterator_types = ["parallel", "parallel"]}
        ins(%xi, %state, %state : memref<1x?xf32, strided<[?, 1], offset: ?>>,
            memref<2xi64>, memref<2xi64>)
        outs(%yi : memref<1x?xf32, strided<[?, 1], offset: ?>>) {
    ^bb0(%a: f32, %seed: i64, %offset: i64, %old: f32):
      %c3 = arith.constant 3 : i64
      %at = arith.addi %offset, %c3 : i64
      %j = linalg.index 1 : index
      %u = rng.stateless_uniform %seed, %at slice [%i, %j] of [%m, %n] : f32
      %ua = arith.mulf %u, %a : f32
      linalg.yield %ua : f32
    }
  }
  return
}
