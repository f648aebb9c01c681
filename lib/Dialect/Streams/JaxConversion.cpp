//===- JaxConversion.cpp - From words to values as in JAX -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JaxConversion.h"
#include "StreamMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

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
  Value unit = buildUnit(b, elementType, words);
  ScaledUnit scaled = buildScaledSteps(b, unit, lo, hi);
  // XLA fuses in f32 and f64, on CPUs and GPUs, and rounds each step in others.
  if (elementType.getIntOrFloatBitWidth() >= 32) {
    Value width = arith::SubFOp::create(b, scaled.hi, scaled.lo);
    scaled.value = math::FmaOp::create(b, unit, width, scaled.lo);
  }
  Value isBelow = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT,
                                        scaled.value, scaled.lo);
  return arith::SelectOp::create(b, isBelow, scaled.lo, scaled.value);
}

double JaxConversion::getRate(float p) const {
  return getRateOfFractions(p, 23);
}

Value JaxConversion::buildNormal(ImplicitLocOpBuilder &b, Type elementType,
                                 ArrayRef<Value> words, Value) const {
  // Uniform in the type, from the number after -1 on.
  APFloat first =
      -APFloat::getOne(cast<FloatType>(elementType).getFloatSemantics());
  first.next(/*nextDown=*/false);
  Type wide = elementType.isF64() ? elementType : b.getF32Type();
  Type type = withElementType(words[0].getType(), wide);
  Value lo = createFloatConstant(b, type, first.convertToDouble());
  Value hi = createFloatConstant(b, type, 1.0);
  Value unit = buildScaled(b, elementType, words, lo, hi);
  if (unit.getType() != type)
    unit = arith::ExtFOp::create(b, type, unit);
  return arith::MulFOp::create(
      b, buildErfInv(b, unit),
      createFloatConstant(b, type, 1.4142135623730951));
}
