// RUN: %rng_opt %s --convert-rng-to-linalg --split-input-file \
// RUN:   --verify-diagnostics | FileCheck %s
// RUN: %rng_opt %s --convert-rng-to-linalg=snapshots-in-body \
// RUN:   --split-input-file --verify-diagnostics \
// RUN: | FileCheck %s --check-prefix=BODY

// CHECK: #[[ID:.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func @whole
// CHECK-SAME: (%[[SEED:.+]]: i64, %[[OFFSET:.+]]: i64, %[[P:.+]]: f32)
func.func @whole(%seed: i64, %offset: i64, %p: f32) -> tensor<8x4xi1> {
  // CHECK: %[[EMPTY:.+]] = tensor.empty() : tensor<8x4xi1>
  // CHECK: linalg.generic {indexing_maps = [#[[ID]]], iterator_types = ["parallel", "parallel"]}
  // CHECK-SAME: outs(%[[EMPTY]] : tensor<8x4xi1>)
  // CHECK: %[[I:.+]] = linalg.index 0 : index
  // CHECK: %[[J:.+]] = linalg.index 1 : index
  // CHECK: %[[E:.+]] = rng.stateless_bernoulli %[[SEED]], %[[OFFSET]] prob(%[[P]])
  // CHECK-SAME: slice [%[[I]], %[[J]]] of [8, 4] : i1
  // CHECK: linalg.yield %[[E]] : i1
  %m = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<8x4xi1>
  return %m : tensor<8x4xi1>
}

// The piece of a larger draw: leading indices stay, the others move.
// CHECK-LABEL: func @slice
// CHECK-SAME: %[[D:[^:]+]]: index, %[[I:[^:]+]]: index, %[[N:[^:]+]]: index
func.func @slice(%seed: i64, %offset: i64, %d: index, %i: index, %n: index)
    -> tensor<?x4xf32> {
  // CHECK: tensor.empty(%[[D]]) : tensor<?x4xf32>
  // CHECK: %[[I0:.+]] = linalg.index 0 : index
  // CHECK: %[[C3:.+]] = arith.constant 3 : index
  // CHECK: %[[ROW:.+]] = arith.addi %[[C3]], %[[I0]] : index
  // CHECK: %[[J:.+]] = linalg.index 1 : index
  // CHECK: rng.stateless_uniform %{{.+}}, %{{.+}} slice [%[[I]], %[[ROW]], %[[J]]] of [7, %[[N]], 4]
  // CHECK-SAME: algorithm = #rng.philox<rounds = 7>
  // CHECK-SAME: : f32
  %u = rng.stateless_uniform %seed, %offset sizes(%d) slice [%i, 3, 0]
      of [7, %n, 4] {algorithm = #rng.philox<rounds = 7>} : tensor<?x4xf32>
  return %u : tensor<?x4xf32>
}

// A snapshot is read once, outside; or in the body.
// BODY-DAG: #[[SEED_MAP:.+]] = affine_map<(d0) -> (0)>
// BODY-DAG: #[[OFFSET_MAP:.+]] = affine_map<(d0) -> (1)>
// CHECK-LABEL: func @snapshot
// CHECK-SAME: (%[[S:.+]]: tensor<2xi64>, %[[DELTA:.+]]: i64)
func.func @snapshot(%s: tensor<2xi64>, %delta: i64) -> tensor<4xi32> {
  // CHECK: %[[SEED:.+]] = tensor.extract %[[S]][%c0]
  // CHECK: %[[START:.+]] = tensor.extract %[[S]][%c1]
  // CHECK: %[[OFFSET:.+]] = arith.addi %[[START]], %[[DELTA]] : i64
  // CHECK: linalg.generic
  // CHECK: rng.stateless_bits %[[SEED]], %[[OFFSET]] slice [%{{.+}}] of [4] : i32
  // BODY-LABEL: func @snapshot
  // BODY-SAME: (%[[S:.+]]: tensor<2xi64>, %[[DELTA:.+]]: i64)
  // BODY-NOT: tensor.extract
  // BODY: linalg.generic {indexing_maps = [#[[SEED_MAP]], #[[OFFSET_MAP]], #{{.+}}]
  // BODY-SAME: ins(%[[S]], %[[S]] : tensor<2xi64>, tensor<2xi64>)
  // BODY-NEXT: ^bb0(%[[SEED:.+]]: i64, %[[START:.+]]: i64, %{{.+}}: i32):
  // BODY-NEXT: %[[OFFSET:.+]] = arith.addi %[[START]], %[[DELTA]] : i64
  // BODY: rng.stateless_bits %[[SEED]], %[[OFFSET]] slice [%{{.+}}] of [4] : i32
  %w = rng.stateless_bits %s[%delta] : tensor<4xi32>
  return %w : tensor<4xi32>
}

// Of known words and rank 0: nothing is read where the words are host values.
// BODY-LABEL: func @snapshots_at_hand
// BODY-SAME: (%[[SEED:.+]]: i64, %[[DELTA:.+]]: i64, %[[S:.+]]: tensor<2xi64>)
func.func @snapshots_at_hand(%seed: i64, %delta: i64, %s: tensor<2xi64>)
    -> (tensor<4xi32>, tensor<4xi32>, tensor<i32>) {
  // BODY: linalg.generic {{.*}} outs(
  // BODY: linalg.generic {{.*}} outs(
  // BODY: linalg.generic {{.*}} ins(%[[S]], %[[S]] : tensor<2xi64>, tensor<2xi64>) outs(%{{.+}} : tensor<i32>)
  %made = tensor.from_elements %seed, %seed : tensor<2xi64>
  %constant = arith.constant dense<[3, 4]> : tensor<2xi64>
  %0 = rng.stateless_bits %made[%delta] : tensor<4xi32>
  %1 = rng.stateless_bits %constant[%delta] : tensor<4xi32>
  %2 = rng.stateless_bits %s[%delta] : tensor<i32>
  return %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<i32>
}

// CHECK-LABEL: func @rank_0_and_nothing
func.func @rank_0_and_nothing(%seed: i64, %offset: i64)
    -> (tensor<f32>, tensor<0x4xf32>) {
  // CHECK: linalg.generic {indexing_maps = [{{.+}}], iterator_types = []}
  // CHECK: rng.stateless_uniform %{{.+}}, %{{.+}} : f32
  %u = rng.stateless_uniform %seed, %offset : tensor<f32>
  // CHECK: tensor.empty() : tensor<0x4xf32>
  // CHECK-NOT: rng.stateless_uniform
  // CHECK: return
  %none = rng.stateless_uniform %seed, %offset : tensor<0x4xf32>
  return %u, %none : tensor<f32>, tensor<0x4xf32>
}

// Scalars and vectors are the business of convert-rng-to-arith.
// CHECK-LABEL: func @other_types
func.func @other_types(%seed: i64, %offset: i64) -> vector<4xf32> {
  // CHECK: rng.stateless_uniform %{{.+}}, %{{.+}} : vector<4xf32>
  %u = rng.stateless_uniform %seed, %offset : vector<4xf32>
  return %u : vector<4xf32>
}

// -----

func.func @not_drawn(%seed: i64, %offset: i64) -> tensor<4xf64> {
  // expected-error @+1 {{'rng.stateless_normal' op Triton draws no 'f64' under #rng.triton: draw f32 and convert that}}
  %z = rng.stateless_normal %seed, %offset
      {algorithm = #rng.philox<convention = triton>} : tensor<4xf64>
  return %z : tensor<4xf64>
}
