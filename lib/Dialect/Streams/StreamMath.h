//===- StreamMath.h - Elementary functions of distributions -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions built of `arith`, `math.fma` and `math.sqrt` alone: no tables, no
/// calls, no branches. Each operation is rounded correctly by every target and
/// no product is added to anything outside an fma, so that nothing is left to
/// contract: a value is the same bits on the CPU and the GPU, in a scalar and
/// in a vector.
///
/// Values are f32 or f64, or vectors of these of any shape; f32 is computed in
/// f32. The polynomials come from `scripts/math_coefficients.py`. Errors are in
/// units in the last place of the exact value: for f32 the largest there is,
/// for f64 the largest of 4 million arguments, dense around zeros and ends. The
/// program `MathFunctions` of the tests measures them.
///
/// With these, sqrt(-2 log(u)) times a sine or cosine is within 3.5 ulp (f32;
/// f64: 3.6) of its exact value: the relative errors of the factors, at
/// most 1.76 and 1.24 (1.82 and 1.21) halves of an ulp of 1, and half an ulp of
/// the product. And sqrt(2) erfinv(y) is within 3.4 in f32.
///
/// Operations are counted without constants and bitcasts.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_DIALECT_STREAMS_STREAMMATH_H
#define RNGDIALECT_LIB_DIALECT_STREAMS_STREAMMATH_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::rng::streams {

/// log(u) for a normal float `u` in (0, 1]: at most 0, and +0 at 1; a finite
/// number for 0. Errors: f32 1.13 (all floats from 2^-33 on), f64 1.26 (from
/// 2^-65 on). 15 operations for f32, 29 for f64.
Value buildLog(ImplicitLocOpBuilder &b, Value u);

/// -log(u) of the number u in (0, 1) that `bits`, i32 or i64, stand for, in f32
/// or f64: above 0 and finite, from 2^-33 to 22.9 (f64: 2^-54 to 37.5). With n
/// the upper N = 32 (f64: 53) of the bits, u is (n + 1/2) 2^-N where the upper
/// bit is clear, and 1 - v of v = (N ones - n + 1/2) 2^-N where it is set, u
/// and v rounded to the type (in f64 they are exact). Errors: f32 1.13 (all
/// words), f64 1.26. 24 operations for f32, 39 for f64.
Value buildMinusLogOfBits(ImplicitLocOpBuilder &b, Value bits);

/// sin(2 pi v) where `isCosine` is false, cos(2 pi v) where it is true, for `v`
/// in [0, 1]; `isCosine` is an i1, or a vector of i1 in the shape of `v`. The
/// reduction is exact, so that values at quarter turns are exact (a zero of
/// either sign, +-1) and those near zeros as good as others. Errors: f32 0.88
/// (all floats from 2^-33 on, and 0), f64 0.89.
///
/// 19 operations for the sine in f32, 20 for the cosine, 24 for both of one `v`
/// once common subexpressions are eliminated; in f64 25, 26 and 30. 2 more
/// where `isCosine` is no constant.
Value buildSinOrCosTurns(ImplicitLocOpBuilder &b, Value v, Value isCosine);

/// The x with erf(x) = `y`, for |y| < 1; odd, and +-0 at +-0. Errors: f32 2.2
/// (all k 2^-24 and all floats of [1/8, 1/2]), f64 2.4; these occur at |y| >
/// 0.99, 1.6 and 1.9 below. 43 operations for f32, 88 for f64, a square root
/// among them.
Value buildErfInv(ImplicitLocOpBuilder &b, Value y);

} // namespace mlir::rng::streams

#endif // RNGDIALECT_LIB_DIALECT_STREAMS_STREAMMATH_H
