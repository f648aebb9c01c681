//===- JaxConversion.h - From words to values as in JAX ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_DIALECT_STREAMS_JAXCONVERSION_H
#define RNGDIALECT_LIB_DIALECT_STREAMS_JAXCONVERSION_H

#include "RngDialect/Streams/WordConversion.h"

namespace mlir::rng::streams {

/// What `jax.random.uniform` makes of random bits, whatever generates them. A
/// value of N bits has N random bits, bf16 only 8.
class JaxConversion : public WordConversion {
protected:
  Value buildUnit(ImplicitLocOpBuilder &b, Type elementType,
                  ArrayRef<Value> words) const override;
  Value buildScaled(ImplicitLocOpBuilder &b, Type elementType,
                    ArrayRef<Value> words, Value lo, Value hi) const override;
  double getRate(float p) const override;
  bool areNormalsPaired() const override { return false; }
  /// sqrt(2) erfinv(u) of a u in (-1, 1), as `jax.random.normal`.
  Value buildNormal(ImplicitLocOpBuilder &b, Type elementType,
                    ArrayRef<Value> words, Value slot) const override;
};

} // namespace mlir::rng::streams

#endif // RNGDIALECT_LIB_DIALECT_STREAMS_JAXCONVERSION_H
