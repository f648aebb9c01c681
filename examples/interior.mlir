// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two values in the middle that nothing at either end can replace: a frozen
// layer, relu, dropout, and a trained layer in mixed precision.
//
//   z   = x @ w1                64x256 @ 256x512, w1 frozen: no gradient
//   d   = dropout(relu(z), 0.25)
//   out = bf16(d) @ bf16(w2)    64x512 @ 512x256, accumulated in f32
//
//   rng-opt interior.mlir --rng-thread-state --rng-partition
//
// The backward uses of the forward:
//
//   active     64x512xi1     32 KiB   z > 0, for the derivative of relu
//   keep       64x512xi1     32 KiB   the dropout mask
//   d_bf16     64x512xbf16   64 KiB   for dw2
//   w2_bf16    512x256xbf16 256 KiB   for dd
//   w1         256x512xf32  512 KiB   for dx
//
// Saved by the cut: active, d_bf16, seed, offset, w1, w2: 96 KiB of tensors,
// for w1 and w2 are persistent and free. What else there is:
//
//   all the arguments   active and d_bf16 cannot be rebuilt from them, as they
//                       come from a product, which is never done twice; and
//                       no gradient needs x
//   the primal result   nothing follows from it
//   z                   128 KiB: active, d_bf16 (with keep) follow from it
//   active and relu     32 + 128 KiB: d_bf16 follows from relu and keep
//   what is used        32 + 32 + 64 + 256 KiB: but keep follows from two
//                       scalars, and w2_bf16 from w2, which is free
//
// The cast of w2 is the case the other way round: half the bytes of w2 and
// still not worth saving.

func.func @interior(
    %x: tensor<64x256xf32>,
    %w1: tensor<256x512xf32> {rng.persistent},
    %w2: tensor<512x256xf32> {rng.persistent},
    %dout: tensor<64x256xf32> {rng.cotangent})
    -> (tensor<64x256xf32>,
        tensor<64x256xf32> {rng.gradient},
        tensor<512x256xf32> {rng.gradient}) {
  %p = arith.constant 0.75 : f32
  %c0 = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : tensor<64x512xf32>
  // 1 / p.
  %scale = arith.constant dense<1.3333333> : tensor<64x512xf32>

  // Forward, frozen layer.
  %z_empty = tensor.empty() : tensor<64x512xf32>
  %z_init = linalg.fill ins(%c0 : f32) outs(%z_empty : tensor<64x512xf32>)
      -> tensor<64x512xf32>
  %z = linalg.matmul ins(%x, %w1 : tensor<64x256xf32>, tensor<256x512xf32>)
      outs(%z_init : tensor<64x512xf32>) -> tensor<64x512xf32>

  // Relu and dropout.
  %active = arith.cmpf ogt, %z, %zero : tensor<64x512xf32>
  %relu = arith.select %active, %z, %zero
      : tensor<64x512xi1>, tensor<64x512xf32>
  %keep = rng.bernoulli prob(%p) : tensor<64x512xi1>
  %relu_scaled = arith.mulf %relu, %scale : tensor<64x512xf32>
  %d = arith.select %keep, %relu_scaled, %zero
      : tensor<64x512xi1>, tensor<64x512xf32>

  // Trained layer.
  %d_bf16 = arith.truncf %d : tensor<64x512xf32> to tensor<64x512xbf16>
  %w2_bf16 = arith.truncf %w2 : tensor<512x256xf32> to tensor<512x256xbf16>
  %out_empty = tensor.empty() : tensor<64x256xf32>
  %out_init = linalg.fill ins(%c0 : f32) outs(%out_empty : tensor<64x256xf32>)
      -> tensor<64x256xf32>
  %out = linalg.matmul
      ins(%d_bf16, %w2_bf16 : tensor<64x512xbf16>, tensor<512x256xbf16>)
      outs(%out_init : tensor<64x256xf32>) -> tensor<64x256xf32>

  // Backward, trained layer: dw2 = d^T @ dout, dd = dout @ w2^T. The cast
  // passes its gradient through.
  %dout_bf16 = arith.truncf %dout : tensor<64x256xf32> to tensor<64x256xbf16>
  %dw2_empty = tensor.empty() : tensor<512x256xf32>
  %dw2_init = linalg.fill ins(%c0 : f32) outs(%dw2_empty : tensor<512x256xf32>)
      -> tensor<512x256xf32>
  %dw2 = linalg.matmul
      indexing_maps = [affine_map<(i, j, k) -> (k, i)>,
                       affine_map<(i, j, k) -> (k, j)>,
                       affine_map<(i, j, k) -> (i, j)>]
      ins(%d_bf16, %dout_bf16 : tensor<64x512xbf16>, tensor<64x256xbf16>)
      outs(%dw2_init : tensor<512x256xf32>) -> tensor<512x256xf32>
  %dd_empty = tensor.empty() : tensor<64x512xf32>
  %dd_init = linalg.fill ins(%c0 : f32) outs(%dd_empty : tensor<64x512xf32>)
      -> tensor<64x512xf32>
  %dd = linalg.matmul
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> (j, k)>,
                       affine_map<(i, j, k) -> (i, j)>]
      ins(%dout_bf16, %w2_bf16 : tensor<64x256xbf16>, tensor<512x256xbf16>)
      outs(%dd_init : tensor<64x512xf32>) -> tensor<64x512xf32>

  // Dropout and relu.
  %drelu_scaled = arith.select %keep, %dd, %zero
      : tensor<64x512xi1>, tensor<64x512xf32>
  %drelu = arith.mulf %drelu_scaled, %scale : tensor<64x512xf32>
  %dz = arith.select %active, %drelu, %zero
      : tensor<64x512xi1>, tensor<64x512xf32>

  // Frozen layer: dx = dz @ w1^T.
  %dx_empty = tensor.empty() : tensor<64x256xf32>
  %dx_init = linalg.fill ins(%c0 : f32) outs(%dx_empty : tensor<64x256xf32>)
      -> tensor<64x256xf32>
  %dx = linalg.matmul
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> (j, k)>,
                       affine_map<(i, j, k) -> (i, j)>]
      ins(%dz, %w1 : tensor<64x512xf32>, tensor<256x512xf32>)
      outs(%dx_init : tensor<64x256xf32>) -> tensor<64x256xf32>

  return %out, %dx, %dw2
      : tensor<64x256xf32>, tensor<64x256xf32>, tensor<512x256xf32>
}
