// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest dropout with a choice: y = dropout(a, 0.5), out = a * y.
//
//   rng-opt dropout-tie.mlir --rng-thread-state --rng-partition
//
// The backward uses a, y and the mask. Saved: exactly a, seed, offset.
//
// The name: let a cost 2, the mask 1, seed and offset one half each, any other
// tensor 4, and work nothing. Then {a, mask} and {a, seed, offset} both cost 3,
// and a cut that takes the later of two equal ones saves the mask. Ties go to
// what is nearer to the arguments, so the answer is the one with the two
// scalars. At true costs there is no tie: a scalar costs one unit, a thousandth
// of a byte.

func.func @dropout_tie(
    %a: tensor<2x2xf32>,
    %dout: tensor<2x2xf32> {rng.cotangent})
    -> (tensor<2x2xf32>,
        tensor<2x2xf32> {rng.gradient}) {
  %p = arith.constant 0.5 : f32
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %scale = arith.constant dense<2.0> : tensor<2x2xf32>

  // Forward.
  %keep = rng.bernoulli prob(%p) : tensor<2x2xi1>
  %scaled = arith.mulf %a, %scale : tensor<2x2xf32>
  %y = arith.select %keep, %scaled, %zero : tensor<2x2xi1>, tensor<2x2xf32>
  %out = arith.mulf %a, %y : tensor<2x2xf32>

  // Backward: a reaches out directly and through y.
  %da_direct = arith.mulf %dout, %y : tensor<2x2xf32>
  %dy = arith.mulf %dout, %a : tensor<2x2xf32>
  %dscaled = arith.select %keep, %dy, %zero
      : tensor<2x2xi1>, tensor<2x2xf32>
  %da_dropped = arith.mulf %dscaled, %scale : tensor<2x2xf32>
  %da = arith.addf %da_direct, %da_dropped : tensor<2x2xf32>

  return %out, %da : tensor<2x2xf32>, tensor<2x2xf32>
}
