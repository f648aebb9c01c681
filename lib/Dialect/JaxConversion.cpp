//===- JaxConversion.cpp - From words to values as in JAX ------- -*- C++
//-*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JaxConversion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::rng;

/// The random bits of a float: as many as it has, but 8 where its mantissa has
/// fewer.
static unsigned getRandomBits(Type elementType) {
  if (elementType.isBF16())
    return 8;
  return elementType.getIntOrFloatBitWidth();
}

Value JaxConversion::buildUnit(ImplicitLocOpBuilder &b, Type elementType,
                               ArrayRef<Value> words) const {
  Value bits = elementType.isF64() ? buildInteger64(b, words) : words[0];
  unsigned width = getRandomBits(elementType);
  if (width < 32)
    bits = arith::TruncIOp::create(
        b, withElementType(bits.getType(), b.getIntegerType(width)), bits);
  return buildUnitFromHighBits(b, elementType, bits);
}

Value JaxConversion::buildScaled(ImplicitLocOpBuilder &b, Type elementType,
                                 ArrayRef<Value> words, Value lo,
                                 Value hi) const {
  ScaledUnit scaled =
      buildScaledSteps(b, buildUnit(b, elementType, words), lo, hi);
  Value isBelow = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT,
                                        scaled.value, scaled.lo);
  return arith::SelectOp::create(b, isBelow, scaled.lo, scaled.value);
}
