// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dropout and a product: y = dropout(a, 0.5), out = y @ y.
//
//   rng-opt dropout.mlir --rng-thread-state --rng-partition
//
// This is what reverse-mode differentiation hands over: the forward, then the
// backward, in one function. The backward uses two values of the forward:
//
//   keep   64x64xi1    4 KiB   the mask, for da
//   y      64x64xf32  16 KiB   both factors of the product, for dy
//
// Saved by the cut instead: a, seed, offset. The argument `a` most likely
// lives on anyway, so its 16 KiB count for one eighth (2 KiB), less than the
// mask alone; seed and offset are two scalars. The backward draws the mask
// again from (seed, offset), the same bits, and y again from a and the mask:
// about 50 units of work an element, where saving a byte costs 1024.

func.func @dropout(
    %a: tensor<64x64xf32>,
    %dout: tensor<64x64xf32> {rng.cotangent})
    -> (tensor<64x64xf32>,
        tensor<64x64xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %c0 = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // 1 / p: what is kept is scaled so that the mean stays the same.
  %scale = arith.constant dense<2.0> : tensor<64x64xf32>

  // Forward.
  %keep = rng.bernoulli prob(%p) : tensor<64x64xi1>
  %scaled = arith.mulf %a, %scale : tensor<64x64xf32>
  %y = arith.select %keep, %scaled, %zero
      : tensor<64x64xi1>, tensor<64x64xf32>
  %out_empty = tensor.empty() : tensor<64x64xf32>
  %out_init = linalg.fill ins(%c0 : f32) outs(%out_empty : tensor<64x64xf32>)
      -> tensor<64x64xf32>
  %out = linalg.matmul ins(%y, %y : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%out_init : tensor<64x64xf32>) -> tensor<64x64xf32>

  // Backward: y is both factors, so dy = dout @ y^T + y^T @ dout.
  %dy_empty = tensor.empty() : tensor<64x64xf32>
  %dy_init = linalg.fill ins(%c0 : f32) outs(%dy_empty : tensor<64x64xf32>)
      -> tensor<64x64xf32>
  %dy_left = linalg.matmul
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> (j, k)>,
                       affine_map<(i, j, k) -> (i, j)>]
      ins(%dout, %y : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%dy_init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %dy_right = linalg.matmul
      indexing_maps = [affine_map<(i, j, k) -> (k, i)>,
                       affine_map<(i, j, k) -> (k, j)>,
                       affine_map<(i, j, k) -> (i, j)>]
      ins(%y, %dout : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%dy_init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %dy = arith.addf %dy_left, %dy_right : tensor<64x64xf32>
  %dscaled = arith.select %keep, %dy, %zero
      : tensor<64x64xi1>, tensor<64x64xf32>
  %da = arith.mulf %dscaled, %scale : tensor<64x64xf32>

  return %out, %da : tensor<64x64xf32>, tensor<64x64xf32>
}
