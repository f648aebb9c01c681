// RUN: %rng_opt %s --rng-partition=report=- -o %t.mlir \
// RUN:   | FileCheck %s --check-prefix=DEFAULT
// RUN: %rng_opt %s --rng-partition="report=- peak-budget=1.5MiB" -o %t.mlir \
// RUN:   | FileCheck %s --check-prefix=PEAK
// RUN: not %rng_opt %s --rng-partition=peak-budget=1MiB 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LITTLE
// RUN: not %rng_opt %s --rng-partition="peak-budget=1.5MiB memory-budget=1" \
// RUN:   2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not %rng_opt %s --rng-partition=peak-budget=0.5 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FRACTION
// RUN: not %rng_opt %s --rng-partition=peak-budget=much 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TEXT
// RUN: not %rng_opt %s --rng-rematerialize=peak-budget=-1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TEXT

// Two values of 1 MiB that products compute are saved for the backward. With
// fewer bytes at its peak it computes each when it gets there.

// DEFAULT:      peak of the backward {{ *}}2101248 bytes
// PEAK:         saved {{ *}}4096 bytes
// PEAK:         peak of the backward {{ *}}1054720 bytes
// LITTLE:       error: the backward of '@f' has 1054720 bytes live at its peak in the best plan found, but peak-budget allows 1048576: raise it to 1054720 or more; no plan has a peak below 1050624
// BOTH:         error: the backward of '@f' needs at least 2048 bytes saved, but memory-budget allows 1: raise it
// FRACTION:     error: expected peak-budget to be a number of bytes (1000000, 64KiB, 1.5MiB, 2GiB) but got '0.5': a fraction of what is saved says nothing about the peak
// TEXT:         error: expected peak-budget to be a number of bytes (1000000, 64KiB, 1.5MiB, 2GiB) but got '{{much|-1}}'{{$}}
#outer = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
func.func @f(%x: tensor<512x1xf32>, %d: tensor<512x1xf32> {rng.cotangent})
    -> (tensor<512x1xf32>, tensor<512x1xf32> {rng.gradient}) {
  %c0 = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<512x512xf32>
  %ey = tensor.empty() : tensor<512x1xf32>
  %zs = linalg.fill ins(%c0 : f32) outs(%es : tensor<512x512xf32>) -> tensor<512x512xf32>
  %zy = linalg.fill ins(%c0 : f32) outs(%ey : tensor<512x1xf32>) -> tensor<512x1xf32>
  %s = linalg.matmul indexing_maps = #outer ins(%x, %x : tensor<512x1xf32>, tensor<512x1xf32>) outs(%zs : tensor<512x512xf32>) -> tensor<512x512xf32>
  %y = linalg.matmul ins(%s, %x : tensor<512x512xf32>, tensor<512x1xf32>) outs(%zy : tensor<512x1xf32>) -> tensor<512x1xf32>
  %t = linalg.matmul indexing_maps = #outer ins(%y, %y : tensor<512x1xf32>, tensor<512x1xf32>) outs(%zs : tensor<512x512xf32>) -> tensor<512x512xf32>
  %z = linalg.matmul ins(%t, %y : tensor<512x512xf32>, tensor<512x1xf32>) outs(%zy : tensor<512x1xf32>) -> tensor<512x1xf32>
  %e = linalg.matmul ins(%t, %d : tensor<512x512xf32>, tensor<512x1xf32>) outs(%zy : tensor<512x1xf32>) -> tensor<512x1xf32>
  %g = linalg.matmul ins(%s, %e : tensor<512x512xf32>, tensor<512x1xf32>) outs(%zy : tensor<512x1xf32>) -> tensor<512x1xf32>
  return %z, %g : tensor<512x1xf32>, tensor<512x1xf32>
}
