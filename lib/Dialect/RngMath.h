//===- RngMath.h - Elementary functions of distributions ------ -*- C++ -*-===//
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
/// units of the last place of the exact value; they are the largest of all
/// u = fl(w 2^-32 + 2^-33), w in [0, 2^32), and of all k 2^-24 for f32, and of
/// 4 million arguments, dense around the zeros and the ends, for f64. The
/// program `MathFunctions` of the tests measures them.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_DIALECT_RNGMATH_H
#define RNGDIALECT_LIB_DIALECT_RNGMATH_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::rng {

/// log(u) for a normal float `u` in (0, 1]: at most 0, and +0 at 1. Errors: f32
/// 1.13, f64 1.27. 17 operations for f32, 31 for f64. Of other arguments
/// above 1 the error is larger near 1, 0 gives a finite number.
Value buildLog(ImplicitLocOpBuilder &b, Value u);

/// sin(2 pi v) where `isCosine` is false, cos(2 pi v) where it is true, for `v`
/// in [0, 1]; `isCosine` is an i1, or a vector of i1 in the shape of `v`. The
/// reduction is exact: zeros and +-1 at quarter turns are exact and values near
/// zeros have the same relative error. Errors: f32 0.88, f64 0.88. 20
/// operations for f32 where `isCosine` is constant (19 if false), 26 for f64;
/// but the sine and the cosine of one `v` share all but 5 of them, once common
/// subexpressions are eliminated.
Value buildSinOrCosTurns(ImplicitLocOpBuilder &b, Value v, Value isCosine);

/// The x with erf(x) = `y`, for |y| < 1; odd, and +-0 at +-0. Errors: f32 2.0,
/// f64 2.5 (the largest at |y| > 0.99; 1.4 and 1.6 below).
Value buildErfInv(ImplicitLocOpBuilder &b, Value y);

} // namespace mlir::rng

#endif // RNGDIALECT_LIB_DIALECT_RNGMATH_H
