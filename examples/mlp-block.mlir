// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The MLP block of GPT-2 small on 128 tokens:
//
//   h   = x @ w1 + b1          128x768 @ 768x3072
//   g   = gelu(h)              0.5 h (1 + tanh(sqrt(2/pi) (h + 0.044715 h^3)))
//   m   = g @ w2 + b2          128x3072 @ 3072x768
//   out = x + dropout(m, 0.1)
//
//   rng-opt mlp-block.mlir --rng-thread-state --rng-partition
//
// The backward uses of the forward, each 128x3072xf32 (1536 KiB) unless said:
//
//   x               128x768xf32, 384 KiB   for dw1
//   h, h^2, h/2, tanh, 1 + tanh            for the derivative of gelu
//   g                                      for dw2
//   keep            128x768xi1, 96 KiB     for the derivative of dropout
//   w1, w2          9216 KiB each          for dx and dg
//
// Saved by the cut: x, h, seed, offset, w1, w2. One tensor of the hidden width
// instead of six, because all of gelu follows from h by elementwise work. The
// product x @ w1 before the bias has the same number of bytes, but saving h
// spares an addition and the need for b1. The mask is drawn again from two
// scalars. w1 and w2 are `rng.persistent`: they live on whatever we do, so they
// are free, and as arguments they are handed on and not returned again. The
// biases are not needed.
//
// The transposed operands of the backward are written in the indexing maps of
// the products, so that no transposed copy of a weight ever exists.

func.func @mlp_block(
    %x: tensor<128x768xf32>,
    %w1: tensor<768x3072xf32> {rng.persistent},
    %b1: tensor<3072xf32> {rng.persistent},
    %w2: tensor<3072x768xf32> {rng.persistent},
    %b2: tensor<768xf32> {rng.persistent},
    %dout: tensor<128x768xf32> {rng.cotangent})
    -> (tensor<128x768xf32>,
        tensor<128x768xf32> {rng.gradient},
        tensor<768x3072xf32> {rng.gradient},
        tensor<3072xf32> {rng.gradient},
        tensor<3072x768xf32> {rng.gradient},
        tensor<768xf32> {rng.gradient}) {
  %p = arith.constant 0.9 : f32
  %c0 = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : tensor<128x768xf32>
  // 1 / p.
  %scale = arith.constant dense<1.1111111> : tensor<128x768xf32>
  %half = arith.constant dense<0.5> : tensor<128x3072xf32>
  %one = arith.constant dense<1.0> : tensor<128x3072xf32>
  %two = arith.constant dense<2.0> : tensor<128x3072xf32>
  %cubic = arith.constant dense<0.044715> : tensor<128x3072xf32>
  // sqrt(2 / pi).
  %root = arith.constant dense<0.7978845608> : tensor<128x3072xf32>

  // Forward, first layer.
  %hidden_empty = tensor.empty() : tensor<128x3072xf32>
  %hidden_init = linalg.fill ins(%c0 : f32)
      outs(%hidden_empty : tensor<128x3072xf32>) -> tensor<128x3072xf32>
  %xw1 = linalg.matmul ins(%x, %w1 : tensor<128x768xf32>, tensor<768x3072xf32>)
      outs(%hidden_init : tensor<128x3072xf32>) -> tensor<128x3072xf32>
  %b1_rows = linalg.broadcast ins(%b1 : tensor<3072xf32>)
      outs(%hidden_empty : tensor<128x3072xf32>) dimensions = [0]
  %h = arith.addf %xw1, %b1_rows : tensor<128x3072xf32>

  // Gelu: g = (h / 2) (1 + t), t = tanh(root (h + cubic h^3)).
  %h2 = arith.mulf %h, %h : tensor<128x3072xf32>
  %h3 = arith.mulf %h2, %h : tensor<128x3072xf32>
  %h3_scaled = arith.mulf %h3, %cubic : tensor<128x3072xf32>
  %poly = arith.addf %h, %h3_scaled : tensor<128x3072xf32>
  %u = arith.mulf %poly, %root : tensor<128x3072xf32>
  %t = math.tanh %u : tensor<128x3072xf32>
  %t1 = arith.addf %t, %one : tensor<128x3072xf32>
  %h_half = arith.mulf %h, %half : tensor<128x3072xf32>
  %g = arith.mulf %h_half, %t1 : tensor<128x3072xf32>

  // Second layer.
  %model_empty = tensor.empty() : tensor<128x768xf32>
  %model_init = linalg.fill ins(%c0 : f32)
      outs(%model_empty : tensor<128x768xf32>) -> tensor<128x768xf32>
  %gw2 = linalg.matmul ins(%g, %w2 : tensor<128x3072xf32>, tensor<3072x768xf32>)
      outs(%model_init : tensor<128x768xf32>) -> tensor<128x768xf32>
  %b2_rows = linalg.broadcast ins(%b2 : tensor<768xf32>)
      outs(%model_empty : tensor<128x768xf32>) dimensions = [0]
  %m = arith.addf %gw2, %b2_rows : tensor<128x768xf32>

  // Dropout and residual.
  %keep = rng.bernoulli prob(%p) : tensor<128x768xi1>
  %m_scaled = arith.mulf %m, %scale : tensor<128x768xf32>
  %dropped = arith.select %keep, %m_scaled, %zero
      : tensor<128x768xi1>, tensor<128x768xf32>
  %out = arith.addf %x, %dropped : tensor<128x768xf32>

  // Backward, dropout.
  %dm_scaled = arith.select %keep, %dout, %zero
      : tensor<128x768xi1>, tensor<128x768xf32>
  %dm = arith.mulf %dm_scaled, %scale : tensor<128x768xf32>

  // Second layer: db2 = sum over tokens, dw2 = g^T @ dm, dg = dm @ w2^T.
  %db2_empty = tensor.empty() : tensor<768xf32>
  %db2_init = linalg.fill ins(%c0 : f32) outs(%db2_empty : tensor<768xf32>)
      -> tensor<768xf32>
  %db2 = linalg.reduce { arith.addf } ins(%dm : tensor<128x768xf32>)
      outs(%db2_init : tensor<768xf32>) dimensions = [0]
  %dw2_empty = tensor.empty() : tensor<3072x768xf32>
  %dw2_init = linalg.fill ins(%c0 : f32)
      outs(%dw2_empty : tensor<3072x768xf32>) -> tensor<3072x768xf32>
  %dw2 = linalg.matmul
      indexing_maps = [affine_map<(i, j, k) -> (k, i)>,
                       affine_map<(i, j, k) -> (k, j)>,
                       affine_map<(i, j, k) -> (i, j)>]
      ins(%g, %dm : tensor<128x3072xf32>, tensor<128x768xf32>)
      outs(%dw2_init : tensor<3072x768xf32>) -> tensor<3072x768xf32>
  %dg_empty = tensor.empty() : tensor<128x3072xf32>
  %dg_init = linalg.fill ins(%c0 : f32)
      outs(%dg_empty : tensor<128x3072xf32>) -> tensor<128x3072xf32>
  %dg = linalg.matmul
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> (j, k)>,
                       affine_map<(i, j, k) -> (i, j)>]
      ins(%dm, %w2 : tensor<128x768xf32>, tensor<3072x768xf32>)
      outs(%dg_init : tensor<128x3072xf32>) -> tensor<128x3072xf32>

  // Gelu, from the product back to h; h has four uses.
  %dh_half = arith.mulf %dg, %t1 : tensor<128x3072xf32>
  %dh_factor = arith.mulf %dh_half, %half : tensor<128x3072xf32>
  %dt = arith.mulf %dg, %h_half : tensor<128x3072xf32>
  // These two see no cotangent: they belong to the backward's own side.
  %t_squared = arith.mulf %t, %t : tensor<128x3072xf32>
  %tanh_slope = arith.subf %one, %t_squared : tensor<128x3072xf32>
  %du = arith.mulf %dt, %tanh_slope : tensor<128x3072xf32>
  %dpoly = arith.mulf %du, %root : tensor<128x3072xf32>
  %dh3 = arith.mulf %dpoly, %cubic : tensor<128x3072xf32>
  %dh_cube = arith.mulf %dh3, %h2 : tensor<128x3072xf32>
  %dh2 = arith.mulf %dh3, %h : tensor<128x3072xf32>
  %h_twice = arith.mulf %h, %two : tensor<128x3072xf32>
  %dh_square = arith.mulf %dh2, %h_twice : tensor<128x3072xf32>
  %dh_0 = arith.addf %dh_factor, %dpoly : tensor<128x3072xf32>
  %dh_1 = arith.addf %dh_0, %dh_cube : tensor<128x3072xf32>
  %dh = arith.addf %dh_1, %dh_square : tensor<128x3072xf32>

  // First layer: db1 = sum over tokens, dw1 = x^T @ dh, dx = dh @ w1^T, to
  // which the residual adds dout.
  %db1_empty = tensor.empty() : tensor<3072xf32>
  %db1_init = linalg.fill ins(%c0 : f32) outs(%db1_empty : tensor<3072xf32>)
      -> tensor<3072xf32>
  %db1 = linalg.reduce { arith.addf } ins(%dh : tensor<128x3072xf32>)
      outs(%db1_init : tensor<3072xf32>) dimensions = [0]
  %dw1_empty = tensor.empty() : tensor<768x3072xf32>
  %dw1_init = linalg.fill ins(%c0 : f32)
      outs(%dw1_empty : tensor<768x3072xf32>) -> tensor<768x3072xf32>
  %dw1 = linalg.matmul
      indexing_maps = [affine_map<(i, j, k) -> (k, i)>,
                       affine_map<(i, j, k) -> (k, j)>,
                       affine_map<(i, j, k) -> (i, j)>]
      ins(%x, %dh : tensor<128x768xf32>, tensor<128x3072xf32>)
      outs(%dw1_init : tensor<768x3072xf32>) -> tensor<768x3072xf32>
  %dx_empty = tensor.empty() : tensor<128x768xf32>
  %dx_init = linalg.fill ins(%c0 : f32)
      outs(%dx_empty : tensor<128x768xf32>) -> tensor<128x768xf32>
  %dx_layers = linalg.matmul
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> (j, k)>,
                       affine_map<(i, j, k) -> (i, j)>]
      ins(%dh, %w1 : tensor<128x3072xf32>, tensor<768x3072xf32>)
      outs(%dx_init : tensor<128x768xf32>) -> tensor<128x768xf32>
  %dx = arith.addf %dout, %dx_layers : tensor<128x768xf32>

  return %out, %dx, %dw1, %db1, %dw2, %db2
      : tensor<128x768xf32>, tensor<128x768xf32>, tensor<768x3072xf32>,
        tensor<3072xf32>, tensor<3072x768xf32>, tensor<768xf32>
}
