//===- CurandConversion.h - From words to values as in cuRAND ---*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_DIALECT_STREAMS_CURANDCONVERSION_H
#define RNGDIALECT_LIB_DIALECT_STREAMS_CURANDCONVERSION_H

#include "RngDialect/Streams/WordConversion.h"

namespace mlir::rng::streams {

/// What systems built on cuRAND make of words: values in (0, 1], of which 1
/// becomes 0 after rounding to the type.
class CurandConversion : public WordConversion {
protected:
  /// In (0, 1]: f32 of one word, f64 of two.
  static Value buildRaw(ImplicitLocOpBuilder &b, ArrayRef<Value> words);

  Value buildUnit(ImplicitLocOpBuilder &b, Type elementType,
                  ArrayRef<Value> words) const override;
  Value buildBernoulli(ImplicitLocOpBuilder &b, ArrayRef<Value> words,
                       Value p) const override;
  Value buildPositive(ImplicitLocOpBuilder &b,
                      ArrayRef<Value> words) const override;
  Value buildMinusLog(ImplicitLocOpBuilder &b,
                      ArrayRef<Value> words) const override;
  double getRate(float p) const override;
  Value buildTurns(ImplicitLocOpBuilder &b,
                   ArrayRef<Value> words) const override;
};

} // namespace mlir::rng::streams

#endif // RNGDIALECT_LIB_DIALECT_STREAMS_CURANDCONVERSION_H
