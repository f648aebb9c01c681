// RUN: %rng_opt %s --rng-partition | FileCheck %s --check-prefix=DEFAULT
// RUN: %rng_opt %s --rng-partition=memory-budget=1.0 \
// RUN:   | FileCheck %s --check-prefix=ALL
// RUN: %rng_opt %s --rng-partition=memory-budget=2TiB \
// RUN:   | FileCheck %s --check-prefix=ALL
// RUN: %rng_opt %s --rng-partition=memory-budget=20KiB \
// RUN:   | FileCheck %s --check-prefix=MASK
// RUN: %rng_opt %s --rng-partition=memory-budget=0.5 \
// RUN:   | FileCheck %s --check-prefix=MASK
// RUN: %rng_opt %s --rng-partition="memory-budget=.5 recompute-weight=0 argument-cost=2" \
// RUN:   | FileCheck %s --check-prefix=MASK
// RUN: %rng_opt %s --rng-partition=memory-budget=20479 \
// RUN:   | FileCheck %s --check-prefix=SCALARS
// RUN: %rng_opt %s --rng-partition=memory-budget=12288 \
// RUN:   | FileCheck %s --check-prefix=PRODUCT
// RUN: %rng_opt %s --rng-partition=memory-budget=0.0 \
// RUN:   | FileCheck %s --check-prefix=LEAST
// RUN: %rng_opt %s --rng-partition=memory-budget=8208 \
// RUN:   | FileCheck %s --check-prefix=LEAST
// RUN: not %rng_opt %s --rng-partition=memory-budget=8207 \
// RUN:   --mlir-print-ir-after-failure 2>&1 | FileCheck %s --check-prefix=LITTLE
// RUN: not %rng_opt %s --rng-partition=memory-budget=1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ONEBYTE

// RUN: %rng_opt %s --rng-partition=pareto-csv=%t.csv \
// RUN:   | FileCheck %s --check-prefix=DEFAULT
// RUN: FileCheck %s --check-prefix=CURVE --input-file=%t.csv
// RUN: %rng_opt %s --rng-partition="pareto-csv=- memory-budget=0.0" -o %t.mlir \
// RUN:   | FileCheck %s --check-prefix=CURVE
// RUN: FileCheck %s --check-prefix=LEAST --input-file=%t.mlir
// RUN: not %rng_opt %s --rng-partition=pareto-csv=%t.none/curve.csv \
// RUN:   --mlir-print-ir-after-failure 2>&1 | FileCheck %s --check-prefix=NOFILE
// RUN: %rng_opt %s --rng-partition=memory-budget=0.0 -o %t.mlir \
// RUN:   --remarks-filter=rng-partition --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// What is spared for each byte differs, so each budget has a plan of its own:
// all three values that are used; not tanh; not the mask but seed and offset;
// the mask, but x instead of the product; and the least, where the product is
// computed again, which only a budget allows.
//
// Trap 36: bytes that count scalars as nothing, or arguments as an eighth.

// ALL-LABEL: func.func @f_forward(
// ALL-SAME:    -> (tensor<32x128xf32>, tensor<32x128xf32>, tensor<32x128xf32>, tensor<32x128xi1>)
// ALL-SAME:    rng.saved = [#rng.saved<new 1>, #rng.saved<new 2>, #rng.saved<new 3>]
// ALL-LABEL: func.func @f_backward(
// ALL-NOT:     math.tanh
// ALL-NOT:     rng.stateless

// MASK-LABEL: func.func @f_forward(
// MASK-SAME:    -> (tensor<32x128xf32>, tensor<32x128xf32>, tensor<32x128xi1>)
// MASK-SAME:    rng.saved = [#rng.saved<new 1>, #rng.saved<new 2>]
// MASK-LABEL: func.func @f_backward(
// MASK-NOT:     linalg.matmul
// MASK-NOT:     rng.stateless
// MASK:         math.tanh

// DEFAULT-LABEL: func.func @f_forward(
// DEFAULT-SAME:    rng.saved = [#rng.saved<new 1>, #rng.saved<argument 2>, #rng.saved<argument 3>]
// SCALARS-LABEL: func.func @f_forward(
// SCALARS-SAME:    -> (tensor<32x128xf32>, tensor<32x128xf32>)
// SCALARS-SAME:    rng.saved = [#rng.saved<new 1>, #rng.saved<argument 2>, #rng.saved<argument 3>]
// SCALARS-LABEL: func.func @f_backward(
// SCALARS-NOT:     linalg.matmul
// SCALARS:         rng.stateless_bernoulli

// PRODUCT-LABEL: func.func @f_forward(
// PRODUCT-SAME:    -> (tensor<32x128xf32>, tensor<32x128xi1>)
// PRODUCT-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<argument 1>, #rng.saved<new 1>]
// PRODUCT-LABEL: func.func @f_backward(
// PRODUCT-NOT:     rng.stateless
// PRODUCT:         linalg.matmul

// LEAST-LABEL: func.func @f_forward(
// LEAST-SAME:    -> tensor<32x128xf32>
// LEAST-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<argument 1>, #rng.saved<argument 2>, #rng.saved<argument 3>]
// LEAST-LABEL: func.func @f_backward(
// LEAST-DAG:     linalg.matmul
// LEAST-DAG:     rng.stateless_bernoulli

// LITTLE:     error: the backward of '@f' needs at least 8208 bytes saved, but memory-budget allows 8207: raise it to 8208 or more, or set memory-budget=0.0, the least
// LITTLE-NOT: note: allow-far-recompute
// LITTLE-NOT: _forward
// LITTLE:     func.func @f(
// ONEBYTE: but memory-budget allows 1:

// The product counts two units in each of its 32x128x64 steps, tanh 8 and the
// draw 48 for each of 4096 elements.

// CURVE:      function,saved_bytes,recompute_cost,recomputed_ops,saved_values
// CURVE-NEXT: f,8208,753664,3,4
// CURVE-NEXT: f,12288,557056,2,3
// CURVE-NEXT: f,16400,229376,2,3
// CURVE-NEXT: f,20480,32768,1,2
// CURVE-NEXT: f,36864,0,0,3
// CURVE-NOT:  {{.}}

// NOFILE:     error: cannot write the curve of pareto-csv: cannot open output file
// NOFILE-NOT: _forward
// NOFILE:     func.func @f(

// REMARK: remark: [Passed] {{.*}}Partitioned{{.*}}RecomputeCost=753664, RecomputedOps=3, SavedBytes=8208

func.func @f(%x: tensor<32x64xf32>, %w: tensor<64x128xf32> {rng.persistent},
             %seed: i64, %offset: i64, %d: tensor<32x128xf32> {rng.cotangent})
    -> (tensor<32x128xf32>, tensor<32x128xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<32x128xf32>
  %h = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x128xf32>)
      outs(%zero : tensor<32x128xf32>) -> tensor<32x128xf32>
  %t = math.tanh %h : tensor<32x128xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<32x128xi1>
  %y = arith.select %keep, %t, %zero : tensor<32x128xi1>, tensor<32x128xf32>
  %0 = arith.mulf %d, %t : tensor<32x128xf32>
  %1 = arith.mulf %0, %h : tensor<32x128xf32>
  %g = arith.select %keep, %1, %zero : tensor<32x128xi1>, tensor<32x128xf32>
  return %y, %g : tensor<32x128xf32>, tensor<32x128xf32>
}
