// RUN: %rng_opt %s --rng-partition --remarks-filter-missed=rng-partition \
// RUN:   --remark-format=emitRemark -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WHY --implicit-check-not=remark:
// RUN: %rng_opt %t.mlir --remark-format=emitRemark -o %t.again.mlir 2>&1 \
// RUN:   --rng-rematerialize --remarks-filter-missed=rng-rematerialize \
// RUN:   | FileCheck %s --check-prefix=AGAIN
// RUN: %rng_opt %s --rng-partition=memory-budget=1.0 -o %t.mlir \
// RUN:   --remarks-filter-missed=rng-partition --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BUDGET
// RUN: %rng_opt %s --rng-partition -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=QUIET --allow-empty

// Whoever asks is told of each saved value and of each op that is not computed
// again why that is so; nobody else is told anything.

// QUIET-NOT: {{.}}

// WHY: [[#@LINE+16]]:{{[0-9]+}}: remark: [Missed] Saved | {{.*}}Function=f | Reason="as argument 0: the backward needs it, and no op computes an argument again"
// WHY: remark: [Missed] Saved | {{.*}}Reason="as argument 1: the backward needs it, and saving it is free: it is marked 'rng.persistent'"
// WHY: remark: [Missed] Saved | {{.*}}Reason="as new 1: the backward needs it, and 'linalg.matmul' is not computed again: it is a contraction"
// WHY: remark: [Missed] Saved | {{.*}}Reason="as new 2: the backward needs it, and 'arith.addf' is not computed again: it is ordered to be saved by 'rng.save'"
// WHY: remark: [Missed] Saved | {{.*}}Reason="as new 3: the backward needs it, and 'rng.reserve' is not computed again: it has side effects"
// WHY: remark: [Missed] Saved | {{.*}}Reason="as new 4: the backward needs it, and 'rng.reserve' is not computed again: it has side effects"
// WHY: remark: [Missed] NotRecomputed | {{.*}}Reason="it has side effects"
// WHY: remark: [Missed] NotRecomputed | {{.*}}Reason="it is a contraction"
// WHY: remark: [Missed] NotRecomputed | {{.*}}Reason="it is ordered to be saved by 'rng.save'"

// AGAIN: remark: [Missed] Saved | Category:rng-rematerialize | {{.*}}Reason="as new 1: the backward needs it, and 'linalg.matmul' is not computed again: it is a contraction"

// What a budget has room for need not be computed again.

// BUDGET: remark: [Missed] Saved | {{.*}}Reason="as new {{[0-9]}}: the budget has room for it, and computing 'linalg.matmul' again costs {{[0-9]+}} units, and what its operands cost"

func.func @f(%x: tensor<8x8xf32>, %w: tensor<8x8xf32> {rng.persistent},
             %d: tensor<8x8xf32> {rng.cotangent})
    -> (tensor<8x8xf32>, tensor<8x8xf32> {rng.gradient},
        tensor<8x8xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %blocks = arith.constant 16 : i64
  %seed, %offset = rng.reserve %blocks : i64, i64
  %h = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.addf %h, %h {rng.save} : tensor<8x8xf32>
  %keep = rng.stateless_bernoulli %seed, %offset prob(%p) : tensor<8x8xi1>
  %y = arith.select %keep, %s, %zero : tensor<8x8xi1>, tensor<8x8xf32>
  %dk = arith.select %keep, %d, %zero : tensor<8x8xi1>, tensor<8x8xf32>
  %dh = arith.mulf %dk, %h : tensor<8x8xf32>
  %ds = arith.mulf %dh, %s : tensor<8x8xf32>
  %dx = linalg.matmul ins(%ds, %w : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw = linalg.matmul ins(%x, %ds : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y, %dx, %dw : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
