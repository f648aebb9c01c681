// RUN: %rng_opt %s --rng-partition=report=%t.json | FileCheck %s
// RUN: %python %S/Inputs/check-report.py %t.json | FileCheck %s --check-prefix=PEAK
// RUN: %rng_opt %s --rng-partition --rng-rematerialize -o %t.again.mlir
// RUN: %rng_opt %s --rng-partition -o %t.mlir
// RUN: diff %t.mlir %t.again.mlir

// Joins of a value with one that depends on it through a contraction are
// computed again where that spares bytes at no higher peak, and only there.

#nt = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
#tn = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]

// A concatenation of skips is rebuilt from the two, each of 16 KiB, which the
// backward uses too: 32,768 bytes, not 65,536.

// CHECK-LABEL: func.func @skips_forward(
// CHECK-SAME:    rng.saved = [#rng.saved<argument 2>, #rng.saved<new 2>, #rng.saved<new 3>]
// CHECK-LABEL: func.func @skips_backward(
// CHECK:         tensor.concat
// PEAK:        skips_forward: peak 131072 of 131072: fine
func.func @skips(%x: tensor<64x64xf32> {rng.persistent},
                 %w1: tensor<64x64xf32> {rng.persistent},
                 %w2: tensor<128x64xf32> {rng.persistent},
                 %w3: tensor<64x64xf32> {rng.persistent},
                 %d: tensor<64x64xf32> {rng.cotangent},
                 %dq: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32> {rng.gradient},
        tensor<128x64xf32> {rng.gradient}, tensor<64x64xf32> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %wide = arith.constant dense<0.0> : tensor<64x128xf32>
  %tall = arith.constant dense<0.0> : tensor<128x64xf32>
  %h0 = linalg.matmul ins(%x, %w1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %h1 = linalg.matmul ins(%h0, %w1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %q = linalg.matmul ins(%h1, %w3 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = tensor.concat dim(1) %h0, %h1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x128xf32>
  %y = linalg.matmul ins(%c, %w2 : tensor<64x128xf32>, tensor<128x64xf32>) outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %dw2 = linalg.matmul indexing_maps = #tn ins(%c, %d : tensor<64x128xf32>, tensor<64x64xf32>) outs(%tall : tensor<128x64xf32>) -> tensor<128x64xf32>
  %dc = linalg.matmul indexing_maps = #nt ins(%d, %w2 : tensor<64x64xf32>, tensor<128x64xf32>) outs(%wide : tensor<64x128xf32>) -> tensor<64x128xf32>
  %dw3 = linalg.matmul indexing_maps = #tn ins(%h1, %dq : tensor<64x64xf32>, tensor<64x64xf32>) outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %dh1 = tensor.extract_slice %dc[0, 64] [64, 64] [1, 1] : tensor<64x128xf32> to tensor<64x64xf32>
  %dw1 = linalg.matmul indexing_maps = #tn ins(%h0, %dh1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y, %q, %dw1, %dw2, %dw3 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<128x64xf32>, tensor<64x64xf32>
}

// A vector made of the conditions by a product is added in every layer. What is
// saved of a layer is its narrow product, and the vector once.

// CHECK-LABEL: func.func @conditioned_forward(
// CHECK-SAME:    -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64x64xbf16>, tensor<64x64xbf16>)
// PEAK:        conditioned_forward: {{.*}}: fine
func.func @conditioned(%t: tensor<64xf32> {rng.persistent},
                       %wt: tensor<64x64xf32> {rng.persistent},
                       %x: tensor<64x64xbf16> {rng.persistent},
                       %w: tensor<64x64xbf16> {rng.persistent},
                       %d: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<64x64xf32> {rng.gradient}) {
  %line = arith.constant dense<0.0> : tensor<64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xbf16>
  %empty = tensor.empty() : tensor<64x64xf32>
  %v = linalg.matvec ins(%wt, %t : tensor<64x64xf32>, tensor<64xf32>) outs(%line : tensor<64xf32>) -> tensor<64xf32>
  %all = linalg.broadcast ins(%v : tensor<64xf32>) outs(%empty : tensor<64x64xf32>) dimensions = [0]
  %p1 = linalg.matmul ins(%x, %w : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%zero : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %e1 = arith.extf %p1 : tensor<64x64xbf16> to tensor<64x64xf32>
  %s1 = arith.addf %e1, %all : tensor<64x64xf32>
  %a1 = math.tanh %s1 : tensor<64x64xf32>
  %n1 = arith.truncf %a1 : tensor<64x64xf32> to tensor<64x64xbf16>
  %p2 = linalg.matmul ins(%n1, %w : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%zero : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %e2 = arith.extf %p2 : tensor<64x64xbf16> to tensor<64x64xf32>
  %s2 = arith.addf %e2, %all : tensor<64x64xf32>
  %y = math.exp %s2 : tensor<64x64xf32>
  %g2 = arith.mulf %d, %s2 : tensor<64x64xf32>
  %g1 = arith.mulf %g2, %s1 : tensor<64x64xf32>
  return %y, %g1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// Attention adds one mask, made of an argument, to the scores of all layers:
// that is no far join, and the probabilities of both layers are computed again
// from bf16 scores.

// CHECK-LABEL: func.func @masked_forward(
// CHECK-SAME:    -> (tensor<256x4xf32>, tensor<256x256xbf16>, tensor<256x4xf32>, tensor<256x256xbf16>)
// PEAK:        masked_forward: {{.*}}: fine
func.func @masked(%x: tensor<256x4xf32>, %pad: tensor<256xf32>,
                  %d: tensor<256x4xf32> {rng.cotangent})
    -> (tensor<256x4xf32>, tensor<256x4xf32> {rng.gradient}) {
  %zs = arith.constant dense<0.0> : tensor<256x256xbf16>
  %zd = arith.constant dense<0.0> : tensor<256x256xf32>
  %zy = arith.constant dense<0.0> : tensor<256x4xf32>
  %s1 = linalg.matmul indexing_maps = #nt ins(%x, %x : tensor<256x4xf32>, tensor<256x4xf32>) outs(%zs : tensor<256x256xbf16>) -> tensor<256x256xbf16>
  %e1 = arith.extf %s1 : tensor<256x256xbf16> to tensor<256x256xf32>
  %m1 = linalg.generic {indexing_maps = [#j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%pad : tensor<256xf32>) outs(%e1 : tensor<256x256xf32>) {
  ^bb0(%mask: f32, %score: f32):
    %sum = arith.addf %score, %mask : f32
    linalg.yield %sum : f32
  } -> tensor<256x256xf32>
  %p1 = math.exp %m1 : tensor<256x256xf32>
  %y1 = linalg.matmul ins(%p1, %x : tensor<256x256xf32>, tensor<256x4xf32>) outs(%zy : tensor<256x4xf32>) -> tensor<256x4xf32>
  %s2 = linalg.matmul indexing_maps = #nt ins(%y1, %y1 : tensor<256x4xf32>, tensor<256x4xf32>) outs(%zs : tensor<256x256xbf16>) -> tensor<256x256xbf16>
  %e2 = arith.extf %s2 : tensor<256x256xbf16> to tensor<256x256xf32>
  %m2 = linalg.generic {indexing_maps = [#j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%pad : tensor<256xf32>) outs(%e2 : tensor<256x256xf32>) {
  ^bb0(%mask: f32, %score: f32):
    %sum = arith.addf %score, %mask : f32
    linalg.yield %sum : f32
  } -> tensor<256x256xf32>
  %p2 = math.exp %m2 : tensor<256x256xf32>
  %y2 = linalg.matmul ins(%p2, %y1 : tensor<256x256xf32>, tensor<256x4xf32>) outs(%zy : tensor<256x4xf32>) -> tensor<256x4xf32>
  %dp2 = linalg.matmul indexing_maps = #nt ins(%d, %y1 : tensor<256x4xf32>, tensor<256x4xf32>) outs(%zd : tensor<256x256xf32>) -> tensor<256x256xf32>
  %ds2 = arith.mulf %dp2, %p2 : tensor<256x256xf32>
  %dy1 = linalg.matmul ins(%ds2, %y1 : tensor<256x256xf32>, tensor<256x4xf32>) outs(%zy : tensor<256x4xf32>) -> tensor<256x4xf32>
  %dp1 = linalg.matmul indexing_maps = #nt ins(%dy1, %x : tensor<256x4xf32>, tensor<256x4xf32>) outs(%zd : tensor<256x256xf32>) -> tensor<256x256xf32>
  %ds1 = arith.mulf %dp1, %p1 : tensor<256x256xf32>
  %dx = linalg.matmul ins(%ds1, %x : tensor<256x256xf32>, tensor<256x4xf32>) outs(%zy : tensor<256x4xf32>) -> tensor<256x4xf32>
  return %y2, %dx : tensor<256x4xf32>, tensor<256x4xf32>
}

// A short stream of residual additions is computed again from narrow products:
// half the bytes, and no higher peak.

// CHECK-LABEL: func.func @residual_forward(
// CHECK-SAME:    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xbf16>, tensor<64x64xbf16>)
// PEAK:        residual_forward: {{.*}}: fine
func.func @residual(%x: tensor<64x64xbf16> {rng.persistent},
                    %w: tensor<64x64xbf16> {rng.persistent},
                    %d: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>, tensor<64x64xf32> {rng.gradient}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xbf16>
  %p0 = linalg.matmul ins(%x, %w : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%zero : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %h0 = arith.extf %p0 : tensor<64x64xbf16> to tensor<64x64xf32>
  %n0 = arith.truncf %h0 : tensor<64x64xf32> to tensor<64x64xbf16>
  %p1 = linalg.matmul ins(%n0, %w : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%zero : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %e1 = arith.extf %p1 : tensor<64x64xbf16> to tensor<64x64xf32>
  %h1 = arith.addf %h0, %e1 : tensor<64x64xf32>
  %n1 = arith.truncf %h1 : tensor<64x64xf32> to tensor<64x64xbf16>
  %p2 = linalg.matmul ins(%n1, %w : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%zero : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %e2 = arith.extf %p2 : tensor<64x64xbf16> to tensor<64x64xf32>
  %h2 = arith.addf %h1, %e2 : tensor<64x64xf32>
  %n2 = arith.truncf %h2 : tensor<64x64xf32> to tensor<64x64xbf16>
  %p3 = linalg.matmul ins(%n2, %w : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%zero : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %e3 = arith.extf %p3 : tensor<64x64xbf16> to tensor<64x64xf32>
  %h3 = arith.addf %h2, %e3 : tensor<64x64xf32>
  %y = math.exp %h3 : tensor<64x64xf32>
  %g3 = arith.mulf %d, %h3 : tensor<64x64xf32>
  %g2 = arith.mulf %g3, %h2 : tensor<64x64xf32>
  %g1 = arith.mulf %g2, %h1 : tensor<64x64xf32>
  return %y, %g1 : tensor<64x64xf32>, tensor<64x64xf32>
}
