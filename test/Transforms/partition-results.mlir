// RUN: %rng_opt %s --rng-thread-state --rng-partition | FileCheck %s
// RUN: %rng_opt %s --rng-thread-state --rng-partition > %t.once.mlir
// RUN: %rng_opt %t.once.mlir --rng-rematerialize > %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir
// RUN: %rng_opt %s --rng-thread-state --rng-partition=keep-joint \
// RUN:   --rng-generate-driver --rng-to-cpu | %run_cpu \
// RUN:   | FileCheck %s --check-prefix=VALUES

// VALUES: driver: all checks passed

// RUN: %rng_opt %s --rng-thread-state --rng-partition=report=- -o %t.mlir \
// RUN:   | FileCheck %s --check-prefix=REPORT

// To draw again what the forward draws is work, though no mask is computed by
// itself in the forward.

// REPORT-LABEL: @fused_forward saves
// REPORT:       saved {{ *}}16 bytes
// REPORT-NEXT:  if all that is used were saved {{ *}}4096 bytes
// REPORT-NEXT:  of it masks {{ *}}4096 bytes
// REPORT:       recomputes:
// REPORT:       linalg.generic  {{ *[1-9][0-9]*}}

// An op that yields an output and a mask counts as one for each: only the draw
// is computed again, from seed and offset.

// CHECK-LABEL: func.func @fused_forward(
// CHECK-SAME:    -> (tensor<64x64xf32>, i64, i64)
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK-LABEL: func.func @fused_backward(
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{.+}} : tensor<64x64xi1>)
// CHECK:           rng.stateless_bernoulli
// CHECK-NOT:       math.exp
// CHECK:         return
#id = affine_map<(i, j) -> (i, j)>
func.func @fused(%x: tensor<64x64xf32>, %d: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<64x64xf32> {rng.gradient}) {
  %count = arith.constant 1024 : i64
  %seed, %offset = rng.reserve %count : i64, i64
  %p = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %c64 = arith.constant 64 : index
  %ey = tensor.empty() : tensor<64x64xf32>
  %em = tensor.empty() : tensor<64x64xi1>
  %y, %mask = linalg.generic {
      indexing_maps = [#id, #id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>)
      outs(%ey, %em : tensor<64x64xf32>, tensor<64x64xi1>) {
  ^bb0(%a: f32, %oy: f32, %om: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %keep = rng.stateless_bernoulli %seed, %offset prob(%p)
        slice [%i, %j] of [%c64, %c64] : i1
    %e = math.exp %a : f32
    %kept = arith.select %keep, %e, %zero : f32
    linalg.yield %kept, %keep : f32, i1
  } -> (tensor<64x64xf32>, tensor<64x64xi1>)
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %g = arith.select %mask, %d, %zeros : tensor<64x64xi1>, tensor<64x64xf32>
  return %y, %g : tensor<64x64xf32>, tensor<64x64xf32>
}

// What the forward computes of it is one op again, with one exponential.

// CHECK-LABEL: func.func @both_forward(
// CHECK-SAME:    -> (tensor<64xf32>, tensor<64xf32>, i64, i64)
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%{{[^ )]+}}, %{{[^ )]+}} : tensor<64xf32>, tensor<64xf32>)
// CHECK-SAME:      outs(%{{[^ )]+}}, %{{[^ )]+}} : tensor<64xf32>, tensor<64xf32>)
// CHECK:           math.exp
// CHECK-NOT:       math.exp
// CHECK:           linalg.yield %{{.+}}, %{{.+}} : f32, f32
// CHECK-NOT:     linalg.generic
// CHECK-LABEL: func.func @both_backward(
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{.+}} : tensor<64xi1>)
// CHECK:         arith.select
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{.+}} : tensor<64xf32>)
// CHECK-NOT:     math.exp
// CHECK:         return
#line = affine_map<(i) -> (i)>
func.func @both(%x: tensor<64xf32>, %w: tensor<64xf32>,
                %d: tensor<64xf32> {rng.cotangent})
    -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32> {rng.gradient}) {
  %count = arith.constant 64 : i64
  %seed, %offset = rng.reserve %count : i64, i64
  %p = arith.constant 0.5 : f32
  %c64 = arith.constant 64 : index
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %em = tensor.empty() : tensor<64xi1>
  %a, %b, %mask, %noise = linalg.generic {
      indexing_maps = [#line, #line, #line, #line, #line, #line],
      iterator_types = ["parallel"]}
      ins(%x, %w : tensor<64xf32>, tensor<64xf32>)
      outs(%e, %e, %em, %e : tensor<64xf32>, tensor<64xf32>, tensor<64xi1>,
           tensor<64xf32>) {
  ^bb0(%u: f32, %v: f32, %oa: f32, %ob: f32, %om: i1, %on: f32):
    %i = linalg.index 0 : index
    %keep = rng.stateless_bernoulli %seed, %offset prob(%p)
        slice [%i] of [%c64] : i1
    %n = rng.stateless_uniform %seed, %offset slice [%i] of [%c64] : f32
    %t = math.exp %u : f32
    %r = arith.mulf %t, %v : f32
    %s = arith.addf %t, %n : f32
    linalg.yield %r, %s, %keep, %n : f32, f32, i1, f32
  } -> (tensor<64xf32>, tensor<64xf32>, tensor<64xi1>, tensor<64xf32>)
  %f = arith.select %mask, %d, %zeros : tensor<64xi1>, tensor<64xf32>
  %g = arith.mulf %f, %noise : tensor<64xf32>
  return %a, %b, %g : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// An op whose sums are results stays whole: its order of additions is its own.

// CHECK-LABEL: func.func @sums_forward(
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{.+}}, %{{.+}} : tensor<8xf32>, tensor<8xf32>)
// CHECK-LABEL: func.func @sums_backward(
func.func @sums(%x: tensor<8x64xf32>, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %z = arith.constant dense<0.0> : tensor<8xf32>
  %a, %b = linalg.generic {
      indexing_maps = [#id, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%z, %z : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%u: f32, %oa: f32, %ob: f32):
    %s = arith.addf %oa, %u : f32
    %q = arith.mulf %u, %u : f32
    %t = arith.addf %ob, %q : f32
    linalg.yield %s, %t : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  %g = arith.mulf %d, %b : tensor<8xf32>
  return %a, %g : tensor<8xf32>, tensor<8xf32>
}
