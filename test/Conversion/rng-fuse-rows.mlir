// RUN: %rng_opt %s --rng-fuse-rows --cse --canonicalize -split-input-file \
// RUN:   | FileCheck %s
// RUN: %rng_opt %s --rng-fuse-rows --cse --canonicalize -split-input-file \
// RUN:   --rng-keep-arguments --rng-repeat-fills --eliminate-empty-tensors \
// RUN:   --empty-tensor-to-alloc-tensor --one-shot-bufferize="\
// RUN:   bufferize-function-boundaries \
// RUN:   function-boundary-type-conversion=identity-layout-map" \
// RUN:   --cse --canonicalize | FileCheck %s --check-prefix=BUFFER

// A softmax with a dropout behind it: all of a row in one iteration. Draws are
// elements of the whole tensor.
// CHECK-LABEL: func @softmax(
// CHECK-SAME: %[[X:.+]]: tensor<?x16xf32>
// CHECK: %[[E:.+]] = tensor.empty(%[[M:.+]]) : tensor<?x16xf32>
// CHECK: %[[R:.+]] = scf.forall (%[[I:.+]]) in (%[[M]])
// CHECK-SAME: shared_outs(%[[O:.+]] = %[[E]]) -> (tensor<?x16xf32>)
// CHECK: %[[XROW:.+]] = tensor.extract_slice %[[X]][%[[I]], 0] [1, 16] [1, 1]
// CHECK: %[[LOW:.+]] = linalg.generic
// CHECK: %[[MAX:.+]] = linalg.generic
// CHECK-SAME: ins(%[[XROW]] : tensor<1x16xf32>)
// CHECK-SAME: outs(%[[LOW]] : tensor<1xf32>)
// CHECK: arith.maximumf
// CHECK: %[[NEW:.+]] = tensor.empty() : tensor<1x16xf32>
// CHECK: %[[EXP:.+]] = linalg.generic
// CHECK-SAME: ins(%[[XROW]], %[[MAX]] : tensor<1x16xf32>, tensor<1xf32>)
// CHECK-SAME: outs(%[[NEW]]
// CHECK: %[[ZERO:.+]] = linalg.generic
// CHECK: %[[SUM:.+]] = linalg.generic
// CHECK-SAME: ins(%[[EXP]] : tensor<1x16xf32>)
// CHECK: %[[OROW:.+]] = tensor.extract_slice %[[O]][%[[I]], 0] [1, 16] [1, 1]
// CHECK: %[[Y:.+]] = linalg.generic
// CHECK-SAME: ins(%[[EXP]], %[[SUM]] : tensor<1x16xf32>, tensor<1xf32>)
// CHECK-SAME: outs(%[[OROW]]
// CHECK: %[[J:.+]] = linalg.index 1
// CHECK: rng.stateless_bernoulli {{.*}} slice [%[[I]], %[[J]]] of [%{{.+}}, 16]
// CHECK: tensor.parallel_insert_slice %[[Y]] into %[[O]][%[[I]], 0] [1, 16] [1, 1]
// CHECK: return %[[R]]
//
// Nothing is copied, and memory is one row's but for the result.
// BUFFER-LABEL: func @softmax(
// BUFFER-NOT: memref.copy
// BUFFER: memref.alloc(%{{.+}}) {{.*}} : memref<?x16xf32>
// BUFFER: scf.forall
// BUFFER-NOT: memref.copy
// BUFFER-NOT: memref.alloc(%
// BUFFER: memref.alloc() {{.*}} : memref<1x16xf32>
// BUFFER-NOT: memref.alloc() {{.*}} : memref<1x16xf32>
// BUFFER-NOT: memref.copy
// BUFFER: return
#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#id1 = affine_map<(i) -> (i)>
func.func @softmax(%x: tensor<?x16xf32>, %seed: i64, %p: f32)
    -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %low = arith.constant -3.0e38 : f32
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%m) : tensor<?x16xf32>
  %f = tensor.empty(%m) : tensor<?xf32>
  %lows = linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]}
      outs(%f : tensor<?xf32>) {
  ^bb0(%out: f32):
    linalg.yield %low : f32
  } -> tensor<?xf32>
  %max = linalg.generic {indexing_maps = [#id, #row],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x16xf32>) outs(%lows : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.maximumf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id],
                         iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<?x16xf32>, tensor<?xf32>)
      outs(%e : tensor<?x16xf32>) {
  ^bb0(%in: f32, %high: f32, %out: f32):
    %d = arith.subf %in, %high : f32
    %s = math.exp %d : f32
    linalg.yield %s : f32
  } -> tensor<?x16xf32>
  %zeros = linalg.generic {indexing_maps = [#id1],
                           iterator_types = ["parallel"]}
      outs(%f : tensor<?xf32>) {
  ^bb0(%out: f32):
    linalg.yield %zero : f32
  } -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row],
                         iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<?x16xf32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<?x16xf32>, tensor<?xf32>)
      outs(%e : tensor<?x16xf32>) {
  ^bb0(%in: f32, %total: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %keep = rng.stateless_bernoulli %seed, %seed prob(%p)
        slice [%i, %j] of [%m, 16] : i1
    %q = arith.divf %in, %total : f32
    %s = arith.select %keep, %q, %zero : f32
    linalg.yield %s : f32
  } -> tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}

// -----

// What others use of a region are results of the loop, filled in place.
// CHECK-LABEL: func @statistics(
// CHECK: %[[R:.+]]:2 = scf.forall
// CHECK-SAME: -> (tensor<8xf32>, tensor<8x16xf32>)
// CHECK: return %[[R]]#1, %[[R]]#0
// BUFFER-LABEL: func @statistics(
// BUFFER-NOT: memref.copy
// BUFFER-COUNT-2: memref.alloc()
// BUFFER-NOT: memref.alloc()
// BUFFER: scf.forall
// BUFFER-NOT: memref.alloc()
// BUFFER-NOT: memref.copy
// BUFFER: return
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#id = affine_map<(i, j) -> (i, j)>
#id1 = affine_map<(i) -> (i)>
func.func @statistics(%x: tensor<8x16xf32>, %w: tensor<16xf32>)
    -> (tensor<8x16xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %f = tensor.empty() : tensor<8xf32>
  %zeros = linalg.generic {indexing_maps = [#id1],
                           iterator_types = ["parallel"]}
      outs(%f : tensor<8xf32>) {
  ^bb0(%out: f32):
    linalg.yield %zero : f32
  } -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #column, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %w : tensor<8x16xf32>, tensor<8xf32>, tensor<16xf32>)
      outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %total: f32, %weight: f32, %out: f32):
    %d = arith.divf %in, %total : f32
    %s = arith.mulf %d, %weight : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %y, %sum : tensor<8x16xf32>, tensor<8xf32>
}

// -----

// Sums over rows (of columns), contractions, other rows than one's own, a
// reduction alone, and few long rows stay.
// CHECK-LABEL: func @not_rows(
// CHECK-NOT: scf.forall
// CHECK: return
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
func.func @not_rows(%x: tensor<64x64xf32>, %zeros: tensor<64xf32>,
                    %e: tensor<64x64xf32>, %long: tensor<2x99999xf32>,
                    %f: tensor<2x99999xf32>, %two: tensor<2xf32>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>,
        tensor<2x99999xf32>) {
  %columns = linalg.generic {indexing_maps = [#turned, #row],
                             iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x64xf32>) outs(%zeros : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %columns : tensor<64x64xf32>, tensor<64xf32>)
      outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %total: f32, %out: f32):
    %s = arith.divf %in, %total : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  %p = linalg.matmul ins(%y, %y : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %q = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.negf %in : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  %sums = linalg.generic {indexing_maps = [#id, #row],
                          iterator_types = ["parallel", "reduction"]}
      ins(%long : tensor<2x99999xf32>) outs(%two : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  %z = linalg.generic {indexing_maps = [#id, #row, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%long, %sums : tensor<2x99999xf32>, tensor<2xf32>)
      outs(%f : tensor<2x99999xf32>) {
  ^bb0(%in: f32, %total: f32, %out: f32):
    %s = arith.divf %in, %total : f32
    linalg.yield %s : f32
  } -> tensor<2x99999xf32>
  return %y, %p, %q, %z : tensor<64x64xf32>, tensor<64x64xf32>,
                          tensor<64x64xf32>, tensor<2x99999xf32>
}

// -----

// Rows of no elements, for which no slices verify.
// CHECK-LABEL: func.func @no_elements(
// CHECK-NOT: scf.forall
// CHECK: return
func.func @no_elements(%x: tensor<8x0x0xf32>, %init: tensor<8x0xf32>)
    -> (tensor<8x0xf32>, tensor<8x0xf32>) {
  %max = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<8x0x0xf32>) outs(%init : tensor<8x0xf32>) {
  ^bb0(%a: f32, %old: f32):
    %next = arith.maximumf %old, %a : f32
    linalg.yield %next : f32
  } -> tensor<8x0xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>,
                       affine_map<(i, j, k) -> (i, j)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %max : tensor<8x0x0xf32>, tensor<8x0xf32>)
      outs(%init : tensor<8x0xf32>) {
  ^bb0(%a: f32, %m: f32, %old: f32):
    %d = arith.subf %a, %m : f32
    %next = arith.addf %old, %d : f32
    linalg.yield %next : f32
  } -> tensor<8x0xf32>
  return %max, %sum : tensor<8x0xf32>, tensor<8x0xf32>
}
