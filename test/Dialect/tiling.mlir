// RUN: rng-opt %s -split-input-file --transform-interpreter --canonicalize \
// RUN:   --verify-diagnostics | FileCheck %s

// A tile of a draw is a slice of it, whatever is drawn and whatever the state:
// upstream's drivers insert the tiles into an empty tensor.

module attributes {transform.with_named_sequence} {
// CHECK-LABEL: func.func @draws
// CHECK-SAME:      %[[SEED:.+]]: i64, %[[OFFSET:.+]]: i64, %[[S:.+]]: tensor<2xi64>, %[[LO:.+]]: i32, %[[HI:.+]]: i32, %[[P:.+]]: f32
// CHECK:           %[[EMPTY:.+]] = tensor.empty() : tensor<8xf32>
// CHECK:           scf.for %[[I:[a-z0-9]+]] = {{.+}} iter_args(%[[ITER:.+]] = %[[EMPTY]])
// CHECK-NEXT:        %[[TILE:.+]] = rng.stateless_uniform %[[SEED]], %[[OFFSET]] slice [%[[I]]] of [8] : tensor<4xf32>
// CHECK-NEXT:        tensor.insert_slice %[[TILE]] into %[[ITER]][%[[I]]] [4] [1]
// CHECK:           rng.stateless_normal %[[SEED]], %[[OFFSET]] slice [%{{.+}}] of [8] : tensor<4xf16>
// CHECK:           rng.stateless_bernoulli %[[S]][%[[OFFSET]]] prob(%[[P]]) slice [%{{.+}}] of [8] : tensor<4xi1>
// CHECK:           rng.stateless_randint %[[SEED]], %[[OFFSET]] range(%[[LO]], %[[HI]]) slice [%{{.+}}] of [8] : tensor<4xi32>
// CHECK:           rng.stateless_bits %[[S]][%[[OFFSET]]] slice [%{{.+}}] of [8] {algorithm = #rng.philox<rounds = 7>} : tensor<4xi64>
// CHECK:           return
func.func @draws(%seed: i64, %offset: i64, %s: tensor<2xi64>, %lo: i32,
                 %hi: i32, %p: f32)
    -> (tensor<8xf32>, tensor<8xf16>, tensor<8xi1>, tensor<8xi32>,
        tensor<8xi64>) {
  %u = rng.stateless_uniform %seed, %offset {aligned} : tensor<8xf32>
  %z = rng.stateless_normal %seed, %offset : tensor<8xf16>
  %k = rng.stateless_bernoulli %s[%offset] prob(%p) : tensor<8xi1>
  %n = rng.stateless_randint %seed, %offset range(%lo, %hi) : tensor<8xi32>
  %w = rng.stateless_bits %s[%offset] {algorithm = #rng.philox<rounds = 7>}
      : tensor<8xi64>
  return %u, %z, %k, %n, %w
      : tensor<8xf32>, tensor<8xf16>, tensor<8xi1>, tensor<8xi32>, tensor<8xi64>
}

transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %draws = transform.structured.match interface{TilingInterface} in %root
      : (!transform.any_op) -> !transform.any_op
  %tiles, %loops = transform.structured.tile_using_for %draws tile_sizes [4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

// Sizes of tiles that do not divide are dynamic, those of dynamic draws come
// from the draw, and tiles of a slice add its start.

module attributes {transform.with_named_sequence} {
// CHECK-DAG: #[[MIN4:.+]] = affine_map<(d0)[s0] -> (-d0 + s0, 4)>
// CHECK-DAG: #[[MIN7:.+]] = affine_map<(d0) -> (-d0 + 30, 7)>
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME:      %[[SEED:.+]]: i64, %[[OFFSET:.+]]: i64, %[[N:.+]]: index)
// CHECK:           scf.for %[[J:[a-z0-9]+]] = %c0 to %c30 step %c7
// CHECK:             scf.for %[[I:[a-z0-9]+]] = %c0 to %[[N]] step %c4
// CHECK:               %[[W:.+]] = affine.min #[[MIN7]](%[[J]])
// CHECK:               %[[H:.+]] = affine.min #[[MIN4]](%[[I]])[%[[N]]]
// CHECK:               rng.stateless_uniform %[[SEED]], %[[OFFSET]] sizes(%[[H]], %[[W]]) slice [%[[I]], %[[J]]] of [%[[N]], 30] : tensor<?x?xf32>
func.func @dynamic(%seed: i64, %offset: i64, %n: index) -> tensor<?x30xf32> {
  %u = rng.stateless_uniform %seed, %offset sizes(%n) : tensor<?x30xf32>
  return %u : tensor<?x30xf32>
}

// CHECK-LABEL: func.func @slice
// CHECK-SAME:      %[[SEED:.+]]: i64, %[[OFFSET:.+]]: i64, %[[N:.+]]: index, %[[K:.+]]: index)
// CHECK:           scf.for %[[J:[a-z0-9]+]] = %c0 to %c30 step %c7
// CHECK:             scf.for %[[I:[a-z0-9]+]] = %c0 to %c8 step %c4
// CHECK:               %[[ROW:.+]] = arith.addi %[[K]], %[[I]] : index
// CHECK:               %[[COLUMN:.+]] = arith.addi %[[J]], %c5 : index
// CHECK:               rng.stateless_bits {{.+}} slice [2, %[[ROW]], %[[COLUMN]]] of [3, %[[N]], 40] : tensor<4x?xi32>
func.func @slice(%seed: i64, %offset: i64, %n: index, %k: index)
    -> tensor<8x30xi32> {
  %w = rng.stateless_bits %seed, %offset slice [2, %k, 5] of [3, %n, 40]
      : tensor<8x30xi32>
  return %w : tensor<8x30xi32>
}

transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %draws = transform.structured.match interface{TilingInterface} in %root
      : (!transform.any_op) -> !transform.any_op
  %tiles, %loops:2 = transform.structured.tile_using_for %draws
      tile_sizes [4, 7] interchange = [1, 0]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

// Orders to the partition and other attributes go along.

module attributes {transform.with_named_sequence} {
// CHECK-LABEL: func.func @forall
// CHECK:         scf.forall (%[[I:.+]], %[[J:.+]]) in (2, 4)
// CHECK:           rng.stateless_uniform {{.+}} slice [%{{.+}}, 0, %{{.+}}] of [8, 3, 16] {rng.recompute} : tensor<4x3x4xf32>
// CHECK:           scf.forall.in_parallel
func.func @forall(%seed: i64, %offset: i64) -> tensor<8x3x16xf32> {
  %u = rng.stateless_uniform %seed, %offset {rng.recompute}
      : tensor<8x3x16xf32>
  return %u : tensor<8x3x16xf32>
}

transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %draw = transform.structured.match ops{["rng.stateless_uniform"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %tiles, %loop = transform.structured.tile_using_forall %draw
      tile_sizes [4, 0, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

// A draw fused into a loop over its pieces; an encoding stays.

module attributes {transform.with_named_sequence} {
func.func private @use(tensor<4xf32, "layout">)

// CHECK-LABEL: func.func @pieces
// CHECK:         scf.for %[[I:[a-z0-9]+]] =
// CHECK-NEXT:      rng.stateless_uniform {{.+}} slice [%[[I]]] of [8] : tensor<4xf32, "layout">
func.func @pieces(%seed: i64, %offset: i64) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %u = rng.stateless_uniform %seed, %offset : tensor<8xf32, "layout">
  scf.for %i = %c0 to %c8 step %c4 {
    %piece = tensor.extract_slice %u[%i] [4] [1]
        : tensor<8xf32, "layout"> to tensor<4xf32, "layout">
    func.call @use(%piece) : (tensor<4xf32, "layout">) -> ()
  }
  return
}

transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %draw = transform.structured.match ops{["rng.stateless_uniform"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %loop = transform.structured.match ops{["scf.for"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %fused, %with = transform.structured.fuse_into_containing_op %draw into %loop
      : (!transform.any_op, !transform.any_op)
      -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

// A piece that is out of bounds, perhaps in code that never runs, is cut from
// the whole draw: a draw of just that piece would not be a valid op.

module attributes {transform.with_named_sequence} {
func.func private @use(tensor<16xf32>)

// CHECK-LABEL: func.func @out_of_bounds
// CHECK:         scf.for
// CHECK:           %[[U:.+]] = rng.stateless_uniform {{.+}} sizes(%{{.+}}) slice [%{{.+}}] of [8] : tensor<?xf32>
// CHECK:           tensor.extract_slice %[[U]]
func.func @out_of_bounds(%seed: i64, %offset: i64, %n: index, %k: index) {
  %c1 = arith.constant 1 : index
  %u = rng.stateless_uniform %seed, %offset sizes(%n) slice [%k] of [8]
      : tensor<?xf32>
  scf.for %i = %c1 to %n step %c1 {
    %piece = tensor.extract_slice %u[%i] [16] [1]
        : tensor<?xf32> to tensor<16xf32>
    func.call @use(%piece) : (tensor<16xf32>) -> ()
  }
  return
}

transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %draw = transform.structured.match ops{["rng.stateless_uniform"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %loop = transform.structured.match ops{["scf.for"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %fused, %with = transform.structured.fuse_into_containing_op %draw into %loop
      : (!transform.any_op, !transform.any_op)
      -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}
