// RUN: %rng_opt %s -rng-thread-state -canonicalize -cse | FileCheck %s
//
// Iterations that run in any order have their places in the stream before they
// run: those of running one by one in row-major order.

// CHECK-LABEL: func.func @static(
// CHECK-DAG:     %[[C1:.+]] = arith.constant 1 : i64
// CHECK-DAG:     %[[C2:.+]] = arith.constant 2 : i64
// CHECK-DAG:     %[[C3:.+]] = arith.constant 3 : i64
// CHECK-DAG:     %[[C25:.+]] = arith.constant 25 : i64
// CHECK-DAG:     %[[C26:.+]] = arith.constant 26 : i64
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.reserve %[[C26]]
// CHECK:         %[[START:.+]] = arith.addi %[[BASE]], %[[C1]]
// CHECK-NEXT:    scf.parallel (%[[I:.+]], %[[J:.+]]) =
// CHECK-NEXT:      %[[I64:.+]] = arith.index_cast %[[I]]
// CHECK-NEXT:      %[[J64:.+]] = arith.index_cast %[[J]]
// CHECK-NEXT:      %[[ROW:.+]] = arith.muli %[[I64]], %[[C3]]
// CHECK-NEXT:      %[[NUMBER:.+]] = arith.addi %[[ROW]], %[[J64]]
// CHECK-NEXT:      %[[DISTANCE:.+]] = arith.muli %[[NUMBER]], %[[C2]]
// CHECK-NEXT:      %[[O:.+]] = arith.addi %[[START]], %[[DISTANCE]]
// CHECK-NEXT:      %[[A:.+]] = rng.stateless_uniform %[[SEED]], %[[O]]
// CHECK-NEXT:      %[[O1:.+]] = arith.addi %[[O]], %[[C1]]
// CHECK-NEXT:      %[[B:.+]] = rng.stateless_uniform %[[SEED]], %[[O1]]
// CHECK:         %[[AFTER:.+]] = arith.addi %[[BASE]], %[[C25]]
// CHECK-NEXT:    rng.stateless_uniform %[[SEED]], %[[AFTER]]
func.func @static(%m: memref<4x3xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %0 = rng.uniform : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c3) step (%c1, %c1) {
    %a = rng.uniform : f32
    %b = rng.uniform : f32
    %c = arith.addf %a, %b : f32
    memref.store %c, %m[%i, %j] : memref<4x3xf32>
  }
  %1 = rng.uniform : f32
  return %1 : f32
}

// Bounds that are arguments: one reservation all the same.

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:      %[[N:[^:]+]]: index,
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.reserve
// CHECK:         scf.forall (%[[I:.+]]) = (2) to (%[[N]]) step (3) {
// CHECK-NEXT:      %[[I64:.+]] = arith.index_cast %[[I]]
// CHECK-NEXT:      %[[FROM:.+]] = arith.subi %[[I64]], %c2_i64
// CHECK-NEXT:      %[[NUMBER:.+]] = arith.divui %[[FROM]], %c3_i64
// CHECK-NEXT:      %[[O:.+]] = arith.addi %[[BASE]], %[[NUMBER]]
// CHECK-NEXT:      rng.stateless_uniform %[[SEED]], %[[O]]
// CHECK-NOT:     rng.set_state
func.func @dynamic(%n: index, %m: memref<?xf32>) {
  scf.forall (%i) = (2) to (%n) step (3) {
    %a = rng.uniform : f32
    memref.store %a, %m[%i] : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func.func @affine(
// CHECK-SAME:      %[[N:[^:]+]]: index,
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.reserve
// CHECK:         affine.parallel (%[[I:.+]], %[[J:.+]]) = (0, 1) to (min(symbol(%[[N]]), 9), 8) step (1, 2) {
// CHECK-NEXT:      %[[I64:.+]] = arith.index_cast %[[I]]
// CHECK-NEXT:      %[[J64:.+]] = arith.index_cast %[[J]]
// CHECK-NEXT:      %[[FROM:.+]] = arith.subi %[[J64]], %c1_i64
// CHECK-NEXT:      %[[COLUMN:.+]] = arith.divui %[[FROM]], %c2_i64
// CHECK-NEXT:      %[[ROW:.+]] = arith.muli %[[I64]], %c4_i64
// CHECK-NEXT:      %[[NUMBER:.+]] = arith.addi %[[ROW]], %[[COLUMN]]
// CHECK-NEXT:      %[[O:.+]] = arith.addi %[[BASE]], %[[NUMBER]]
// CHECK-NEXT:      rng.stateless_uniform %[[SEED]], %[[O]]
func.func @affine(%n: index, %m: memref<?x?xf32>) {
  affine.parallel (%i, %j) = (0, 1) to (min(%n, 9), 8) step (1, 2) {
    %a = rng.uniform : f32
    affine.store %a, %m[%i, %j] : memref<?x?xf32>
  }
  return
}

// A loop in each iteration, the same number of times in all.

// CHECK-LABEL: func.func @inner_loop(
// CHECK-SAME:      %[[N:[^:]+]]: index, %[[K:[^:]+]]: index,
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.reserve
// CHECK:         scf.forall (%[[I:.+]]) in (%[[N]]) {
// CHECK-NEXT:      %[[I64:.+]] = arith.index_cast %[[I]]
// CHECK-NEXT:      %[[DISTANCE:.+]] = arith.muli %[[I64]], %[[TRIPS:.+]] :
// CHECK-NEXT:      %[[O:.+]] = arith.addi %[[BASE]], %[[DISTANCE]]
// CHECK-NEXT:      scf.for {{.+}} to %[[K]] {{.+}} iter_args(%[[P:.+]] = %[[O]]) -> (i64) {
// CHECK-NEXT:        rng.stateless_uniform %[[SEED]], %[[P]]
func.func @inner_loop(%n: index, %k: index, %m: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    scf.for %j = %c1 to %k step %c1 {
      %a = rng.uniform : f32
      memref.store %a, %m[%j] : memref<?xf32>
    }
  }
  return
}

// A loop that does not draw is left as it is.

// CHECK-LABEL: func.func @without_draws(
// CHECK:         scf.forall (%{{.+}}) in (%{{.+}}) {
// CHECK-NEXT:      memref.store
func.func @without_draws(%n: index, %m: memref<?xf32>) {
  %0 = rng.uniform : f32
  scf.forall (%i) in (%n) {
    memref.store %0, %m[%i] : memref<?xf32>
  }
  return
}

// A number of blocks within a nested loop that is itself a result of what was
// threaded before: the state, a draw, a branch that draws.

// CHECK-LABEL: func.func @threaded_count(
// CHECK-SAME:      %[[C:[^:]+]]: i1,
// CHECK:         %[[SEED:.+]], %[[BASE:.+]] = rng.get_state
// CHECK:         %[[DRAWN:.+]] = rng.stateless_bits %[[SEED]], %[[BASE]] : i64
// CHECK:         %[[OFFSET:.+]] = arith.addi %[[BASE]], %{{.+}} : i64
// CHECK:         %[[BRANCH:.+]] = arith.select %[[C]], %[[OFFSET]], %{{.+}} : i64
// CHECK:         %[[N0:.+]] = arith.muli %[[DRAWN]], %[[TRIPS:.+]] : i64
// CHECK:         %[[N1:.+]] = arith.muli %[[OFFSET]], %[[TRIPS]] : i64
// CHECK:         %[[N01:.+]] = arith.addi %[[N0]], %[[N1]] : i64
// CHECK:         %[[N2:.+]] = arith.muli %[[BRANCH]], %[[TRIPS]] : i64
// CHECK:         %[[N:.+]] = arith.addi %[[N01]], %[[N2]] : i64
// CHECK:         %[[ALL:.+]] = arith.muli %[[TRIPS]], %[[N]] : i64
// CHECK:         %[[END:.+]] = arith.addi %{{.+}}, %[[ALL]] : i64
// CHECK:         rng.set_state %[[SEED]], %[[END]]
func.func @threaded_count(%c: i1, %lower: index, %n: index) {
  %one = arith.constant 1 : i64
  %drawn = rng.bits : i64
  %seed, %offset = rng.get_state : i64, i64
  %branch = scf.if %c -> i64 {
    %s, %o = rng.reserve %one : i64, i64
    scf.yield %o : i64
  } else {
    scf.yield %one : i64
  }
  scf.parallel (%i) = (%lower) to (%n) step (%n) {
    scf.for %j = %lower to %n step %n {
      %s0, %o0 = rng.reserve %drawn : i64, i64
      %s1, %o1 = rng.reserve %offset : i64, i64
      %s2, %o2 = rng.reserve %branch : i64, i64
    }
  }
  return
}
