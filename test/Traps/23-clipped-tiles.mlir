// Trap 23. Indices of a mask computed from a loop bound that is clipped for a
// causal tile: forward and backward agree in the first 64 keys only. Here the
// mask of an attention with 150 keys is drawn tile by tile, the forward's loop
// over keys clipped at the diagonal, the backward's over queries: its elements
// are those of the whole mask, wherever they are used.

// RUN: %rng_opt %s \
// RUN:   --transform-preload-library=transform-library-paths=%S/Inputs/fuse-mask.mlir \
// RUN:   --transform-interpreter --canonicalize -o %t.mlir
// RUN: FileCheck %s --check-prefix=FUSED --input-file=%t.mlir
// RUN: %rng_opt %t.mlir --rng-to-cpu | %run_cpu | FileCheck %s

#rows = affine_map<(i) -> (150 - i, 32)>
#keys = affine_map<(j, end) -> (end - j, 64)>
#columns = affine_map<(j) -> (150 - j, 48)>
#queries = affine_map<(i) -> (150 - i, 40)>

// Tiles of 32 queries and 64 keys, of keys up to the last query.
// FUSED-LABEL: func.func @forward
// FUSED:       scf.for %[[I:[a-z0-9]+]] = %
// FUSED:       scf.for %[[J:[a-z0-9]+]] = %
// FUSED:       rng.stateless_bernoulli {{.+}} slice [%[[I]], %[[J]]] of [150, 150] : tensor<?x?xi1>
func.func @forward(%seed: i64, %offset: i64) -> tensor<150x150xi1> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c150 = arith.constant 150 : index
  %p = arith.constant 0.5 : f32
  %mask = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<150x150xi1>
  %none = arith.constant dense<false> : tensor<150x150xi1>
  %used = scf.for %i = %c0 to %c150 step %c32 iter_args(%rows = %none)
      -> tensor<150x150xi1> {
    %m = affine.min #rows(%i)
    %end = arith.addi %i, %m : index
    %row = scf.for %j = %c0 to %end step %c64 iter_args(%tiles = %rows)
        -> tensor<150x150xi1> {
      %n = affine.min #keys(%j, %end)
      %tile = tensor.extract_slice %mask[%i, %j] [%m, %n] [1, 1]
          : tensor<150x150xi1> to tensor<?x?xi1>
      %next = tensor.insert_slice %tile into %tiles[%i, %j] [%m, %n] [1, 1]
          : tensor<?x?xi1> into tensor<150x150xi1>
      scf.yield %next : tensor<150x150xi1>
    }
    scf.yield %row : tensor<150x150xi1>
  } {rows}
  return %used : tensor<150x150xi1>
}

// Tiles of 48 keys and 40 queries, of queries from the first key.
// FUSED-LABEL: func.func @backward
// FUSED:       scf.for %[[J:[a-z0-9]+]] = %
// FUSED:       scf.for %[[I:[a-z0-9]+]] = %[[J]]
// FUSED:       rng.stateless_bernoulli {{.+}} slice [%[[I]], %[[J]]] of [150, 150] : tensor<?x?xi1>
func.func @backward(%seed: i64, %offset: i64) -> tensor<150x150xi1> {
  %c0 = arith.constant 0 : index
  %c40 = arith.constant 40 : index
  %c48 = arith.constant 48 : index
  %c150 = arith.constant 150 : index
  %p = arith.constant 0.5 : f32
  %mask = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<150x150xi1>
  %none = arith.constant dense<false> : tensor<150x150xi1>
  %used = scf.for %j = %c0 to %c150 step %c48 iter_args(%columns = %none)
      -> tensor<150x150xi1> {
    %n = affine.min #columns(%j)
    %column = scf.for %i = %j to %c150 step %c40 iter_args(%tiles = %columns)
        -> tensor<150x150xi1> {
      %m = affine.min #queries(%i)
      %tile = tensor.extract_slice %mask[%i, %j] [%m, %n] [1, 1]
          : tensor<150x150xi1> to tensor<?x?xi1>
      %next = tensor.insert_slice %tile into %tiles[%i, %j] [%m, %n] [1, 1]
          : tensor<?x?xi1> into tensor<150x150xi1>
      scf.yield %next : tensor<150x150xi1>
    }
    scf.yield %column : tensor<150x150xi1>
  } {columns}
  return %used : tensor<150x150xi1>
}

// The elements up to the diagonal, the used ones; false elsewhere.
func.func @causal(%mask: tensor<150x150xi1>) -> tensor<150x150xi1> {
  %false = arith.constant false
  %empty = tensor.empty() : tensor<150x150xi1>
  %causal = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%mask : tensor<150x150xi1>) outs(%empty : tensor<150x150xi1>) {
  ^bb0(%element: i1, %out: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %below = arith.cmpi ule, %j, %i : index
    %used = arith.select %below, %element, %false : i1
    linalg.yield %used : i1
  } -> tensor<150x150xi1>
  return %causal : tensor<150x150xi1>
}

func.func private @rngCountDifferentI1(memref<*xi1>, memref<*xi1>) -> i64
    attributes {llvm.emit_c_interface}

func.func @compare(%a: tensor<150x150xi1>, %b: tensor<150x150xi1>) {
  %left_causal = call @causal(%a) : (tensor<150x150xi1>) -> tensor<150x150xi1>
  %right_causal = call @causal(%b) : (tensor<150x150xi1>) -> tensor<150x150xi1>
  %left_any = tensor.cast %left_causal : tensor<150x150xi1> to tensor<*xi1>
  %right_any = tensor.cast %right_causal : tensor<150x150xi1> to tensor<*xi1>
  %left = bufferization.to_buffer %left_any read_only
      : tensor<*xi1> to memref<*xi1>
  %right = bufferization.to_buffer %right_any read_only
      : tensor<*xi1> to memref<*xi1>
  %different = call @rngCountDifferentI1(%left, %right)
      : (memref<*xi1>, memref<*xi1>) -> i64
  vector.print %different : i64
  return
}

func.func @main() {
  %seed = arith.constant 23 : i64
  %offset = arith.constant 0 : i64
  %p = arith.constant 0.5 : f32
  %whole = rng.stateless_bernoulli %seed, %offset prob(%p)
      : tensor<150x150xi1>
  %none = arith.constant dense<false> : tensor<150x150xi1>
  %forward = call @forward(%seed, %offset)
      : (i64, i64) -> tensor<150x150xi1>
  %backward = call @backward(%seed, %offset)
      : (i64, i64) -> tensor<150x150xi1>
  // About half of the 11325 elements up to the diagonal are true.
  // CHECK: {{^}}5{{[5-7][0-9][0-9]$}}
  call @compare(%whole, %none)
      : (tensor<150x150xi1>, tensor<150x150xi1>) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @compare(%whole, %forward)
      : (tensor<150x150xi1>, tensor<150x150xi1>) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @compare(%whole, %backward)
      : (tensor<150x150xi1>, tensor<150x150xi1>) -> ()
  return
}
