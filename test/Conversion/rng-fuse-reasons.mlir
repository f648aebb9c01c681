// Why ops are not fused, for those who ask; nobody else hears of it.
//
// RUN: %rng_opt %s --split-input-file --rng-fuse-elementwise=max-cost=40 \
// RUN:   --remarks-filter-missed=rng-fuse-elementwise -verify-diagnostics
// RUN: %rng_opt %s --split-input-file --rng-fuse-elementwise=max-cost=40 2>&1 \
// RUN:   | FileCheck %s
// RUN: %rng_opt %s --split-input-file --rng-fuse-elementwise=max-cost=40 \
// RUN:   --remarks-filter-missed=rng-fuse-rows 2>&1 | FileCheck %s
// CHECK-NOT: remark: [Missed]

#id = affine_map<(i, j) -> (i, j)>
#transposed = affine_map<(i, j) -> (j, i)>

// Read in its own order and transposed, it cannot be in one group with both.
func.func @transposed(%x: tensor<4x4xf32>, %e: tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  // expected-remark@+1 {{Missed] NotFused | Category:rng-fuse-elementwise | Function=transposed | Reason="with rng-fuse-reasons.mlir:}}
  %b = linalg.generic {indexing_maps = [#transposed, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  return %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// One more than what a group may cost.
func.func @limits(%x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %a = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    %s = math.exp %r : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  // expected-remark@+1 {{their group would cost more than 40 (max-cost) or have more than 32 tensors (max-operands)"}}
  %b = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

// A group would need itself: through the reduction, all of the first op.
func.func @between(%x: tensor<8xf32>, %zero: tensor<f32>, %e: tensor<8xf32>)
    -> tensor<8xf32> {
  %a = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  // expected-remark@+1 {{this is not an elementwise op, and something else reads that, too"}}
  %sum = linalg.generic {indexing_maps = [#id, #none],
                         iterator_types = ["reduction"]}
      ins(%a : tensor<8xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  // expected-remark@+2 {{something that depends on one and makes the other cannot be in the same group"}}
  // expected-remark@+1 {{that is not an elementwise op without effects"}}
  %b = linalg.generic {indexing_maps = [#id, #none, #id],
                       iterator_types = ["parallel"]}
      ins(%a, %sum : tensor<8xf32>, tensor<f32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.divf %in, %s : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %b : tensor<8xf32>
}
