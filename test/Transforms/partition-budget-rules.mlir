// RUN: %rng_opt %s --rng-partition=memory-budget=0.0 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,LEAST
// RUN: %rng_opt %s --rng-partition=memory-budget=1.0 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: %rng_opt %s --rng-partition="memory-budget=0.0 allow-far-recompute" \
// RUN:   | FileCheck %s --check-prefixes=CHECK,FAR
// RUN: %rng_opt %s --rng-partition=pareto-csv=- -o %t.mlir \
// RUN:   | FileCheck %s --check-prefix=CURVE
// RUN: not %rng_opt %s --rng-partition=memory-budget=64 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR

// What holds whatever the budget. The fractions are of each function.

// Trap 32: orders overridden by a budget. The product is not computed again,
// although the least would have it so.

// CHECK-LABEL: func.func @saved_forward(
// CHECK-SAME:    -> (tensor<64x64xf32>, tensor<64x64xf32>)
// CHECK-SAME:    rng.saved = [#rng.saved<new 1>]
func.func @saved(%x: tensor<64x4xf32>, %w: tensor<4x64xf32>,
                 %d: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<64x64xf32> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %h = linalg.matmul {rng.save} ins(%x, %w : tensor<64x4xf32>, tensor<4x64xf32>)
      outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = math.exp %h : tensor<64x64xf32>
  %g = arith.mulf %d, %h : tensor<64x64xf32>
  return %y, %g : tensor<64x64xf32>, tensor<64x64xf32>
}

// Trap 32, the other order: not saved, although the budget would allow it.

// CHECK-LABEL: func.func @recomputed_forward(
// CHECK-SAME:    rng.saved = [#rng.saved<argument 0>]
// CHECK-LABEL: func.func @recomputed_backward(
// CHECK:         math.tanh
func.func @recomputed(%x: tensor<64xf32>, %d: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %t = math.tanh %x {rng.recompute} : tensor<64xf32>
  %y = math.exp %t : tensor<64xf32>
  %g = arith.mulf %d, %t : tensor<64xf32>
  return %y, %g : tensor<64xf32>, tensor<64xf32>
}

// A residual addition is recomputed if that takes the budget.

// LEAST-LABEL: func.func @residual_forward(
// LEAST-SAME:    rng.saved = [#rng.saved<argument 0>]
// ALL-LABEL: func.func @residual_forward(
// ALL-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<new 1>]
// FAR-LABEL: func.func @residual_forward(
// FAR-SAME:    rng.saved = [#rng.saved<argument 0>]
func.func @residual(%a: tensor<64x64xf32>, %d: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<64x64xf32> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %p = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %sum = arith.addf %a, %p : tensor<64x64xf32>
  %y = math.exp %sum : tensor<64x64xf32>
  %0 = arith.mulf %d, %sum : tensor<64x64xf32>
  %g = arith.mulf %0, %a : tensor<64x64xf32>
  return %y, %g : tensor<64x64xf32>, tensor<64x64xf32>
}

// Side effects happen once.

// CHECK-LABEL: func.func @effect_forward(
// CHECK-SAME:    rng.saved = [#rng.saved<new 1>]
// CHECK-LABEL: func.func @effect_backward(
// CHECK-NOT:     call
// CHECK:         return
func.func private @produce(f32) -> tensor<64xf32>
func.func @effect(%s: f32, %d: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %x = func.call @produce(%s) : (f32) -> tensor<64xf32>
  %y = math.exp %x : tensor<64xf32>
  %g = arith.mulf %d, %x : tensor<64xf32>
  return %y, %g : tensor<64xf32>, tensor<64xf32>
}

// A large reduction is recomputed where bytes are scarce, and not otherwise.

// LEAST-LABEL: func.func @reduction_forward(
// LEAST-SAME:    rng.saved = [#rng.saved<argument 0>]
// LEAST-LABEL: func.func @reduction_backward(
// LEAST:         linalg.reduce
// ALL-LABEL: func.func @reduction_forward(
// ALL-SAME:    rng.saved = [#rng.saved<argument 0>, #rng.saved<result 0>]
// ALL-LABEL: func.func @reduction_backward(
// ALL-NOT:     linalg.reduce
// ALL:         return
func.func @reduction(%x: tensor<16x64xf32>, %d: tensor<16xf32> {rng.cotangent})
    -> (tensor<16xf32>, tensor<16xf32> {rng.gradient},
        tensor<16x64xf32> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %sum = linalg.reduce { arith.addf }
      ins(%x : tensor<16x64xf32>) outs(%zero : tensor<16xf32>) dimensions = [1]
  %g = arith.mulf %d, %sum : tensor<16xf32>
  return %sum, %g, %x : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>
}

// Trap 38: empty, dynamic and huge values. Nothing wraps: a value of more bytes
// than numbers reach is not cheap.

// LEAST-LABEL: func.func @sizes_forward(
// LEAST-SAME:    rng.saved = [#rng.saved<argument 1>, #rng.saved<new 1>, #rng.saved<argument 2>]
func.func @sizes(%e: tensor<0x4294967296x4294967296xf32>, %n: tensor<?xf32>,
                 %s: f32, %d: f32 {rng.cotangent})
    -> (tensor<?xf32>, f32 {rng.gradient},
        tensor<0x4294967296x4294967296xf32> {rng.gradient},
        tensor<4294967296x4294967296xf32> {rng.gradient},
        tensor<?xf32> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<4294967296x4294967296xf32>
  %y = math.exp %n : tensor<?xf32>
  %ee = math.exp %e : tensor<0x4294967296x4294967296xf32>
  %huge = linalg.fill ins(%s : f32) outs(%zero : tensor<4294967296x4294967296xf32>)
      -> tensor<4294967296x4294967296xf32>
  %hh = math.exp %huge : tensor<4294967296x4294967296xf32>
  return %y, %d, %ee, %hh, %n
      : tensor<?xf32>, f32, tensor<0x4294967296x4294967296xf32>,
        tensor<4294967296x4294967296xf32>, tensor<?xf32>
}

// CURVE:      function,saved_bytes,recompute_cost,recomputed_ops,saved_values
// CURVE-NEXT: saved,16384,0,0,1
// CURVE-NEXT: recomputed,256,512,1,1
// CURVE-NEXT: residual,16384,528384,2,1
// CURVE-NEXT: residual,32768,0,0,2
// CURVE-NEXT: effect,256,0,0,1
// CURVE-NEXT: reduction,4096,1024,1,1
// CURVE-NEXT: reduction,4160,0,0,2
// CURVE-NEXT: sizes,516,{{.*}}
// CURVE-NOT:  {{saved|recomputed|residual|effect|reduction}},

// Each function that has too little says so.

// ERROR: error: the backward of '@saved' needs at least 16384 bytes saved
// ERROR: error: the backward of '@recomputed' needs at least 256 bytes saved
// ERROR: error: the backward of '@residual' needs at least 16384 bytes saved
// ERROR: error: the backward of '@effect' needs at least 256 bytes saved
