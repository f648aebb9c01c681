// RUN: not %rng_opt %s -rng-partition 2>&1 | FileCheck %s
//
// Trap 29: a path that cannot be cut crashes the solver, or ends in a message
// about capacities. Here the error names the path in the user's ops: why the
// first is not done again, why nothing on the way is saved, who needs the last.

// CHECK: 29-infinite-path.mlir:[[#@LINE+11]]:{{.*}}: error: the backward needs what 'tensor.collapse_shape' computes, but it can neither be saved nor computed again: remove an order (rng.save, rng.recompute) or the use
// CHECK: 29-infinite-path.mlir:[[#@LINE+10]]:{{.*}}: note: 'tensor.collapse_shape' is not computed again: it is ordered to be saved by 'rng.save'; its result is not saved: it is a view of a value of the same size
// CHECK: 29-infinite-path.mlir:[[#@LINE+12]]:{{.*}}: note: 'math.sin' needs that; its result is not saved: it is ordered to be recomputed by 'rng.recompute'
// CHECK: 29-infinite-path.mlir:[[#@LINE+12]]:{{.*}}: note: 'math.cos' needs that; its result is not saved: it is ordered to be recomputed by 'rng.recompute'
// CHECK: 29-infinite-path.mlir:[[#@LINE+16]]:{{.*}}: note: 'arith.mulf' uses it in the backward
// CHECK-NOT: error:
func.func @f(%a: tensor<2x4xf32>, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  // What comes before and after is no part of it.
  %b = math.exp %a : tensor<2x4xf32>

  %flat = tensor.collapse_shape %b [[0, 1]] {rng.save}
      : tensor<2x4xf32> into tensor<8xf32>

  %sin = math.sin %flat {rng.recompute} : tensor<8xf32>
  %cos = math.cos %sin {rng.recompute} : tensor<8xf32>

  %tanh = math.tanh %sin : tensor<8xf32>


  %da = arith.mulf %d, %cos : tensor<8xf32>
  return %tanh, %da : tensor<8xf32>, tensor<8xf32>
}
