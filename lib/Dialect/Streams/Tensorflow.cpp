//===- Tensorflow.cpp - Stateless draws of TensorFlow -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Streams/WordConversion.h"
#include "StreamMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

/// The key under which a pair of seeds is scrambled.
static constexpr uint32_t kScrambleKey[] = {0x3EC8F720, 0x02461E29};
static constexpr unsigned kScrambleRounds = 10;

namespace {
class TensorflowConversion : public WordConversion {
protected:
  Value buildUnit(ImplicitLocOpBuilder &b, Type elementType,
                  ArrayRef<Value> words) const override {
    // Of f64, the first word has the upper bits.
    Value bits =
        elementType.isF64() ? buildWide(b, words[1], words[0]) : words[0];
    return buildUnitFromLowBits(b, elementType, bits);
  }

  Value buildScaled(ImplicitLocOpBuilder &b, Type elementType,
                    ArrayRef<Value> words, Value lo, Value hi) const override {
    return buildScaledSteps(b, buildUnit(b, elementType, words), lo, hi).value;
  }

  Value buildPositive(ImplicitLocOpBuilder &b,
                      ArrayRef<Value> words) const override {
    return buildFloored(b, buildTurns(b, words));
  }

  // Above 0, as the unit is below 1.
  Value buildMinusLog(ImplicitLocOpBuilder &b,
                      ArrayRef<Value> words) const override {
    return arith::NegFOp::create(b, buildLog(b, buildPositive(b, words)));
  }

  double getRate(float p) const override { return getRateOfFractions(p, 23); }

  Value buildBelow(ImplicitLocOpBuilder &b, Value bits,
                   Value count) const override {
    return arith::RemUIOp::create(b, bits, count);
  }
};
} // namespace

const WordConversion &TensorflowAttr::getConversion() const {
  static const TensorflowConversion conversion;
  return conversion;
}

uint64_t TensorflowAttr::getAdvanceDivisor(Distribution, Type) const {
  return 0;
}

CounterAndKey TensorflowAttr::placeCounter(ImplicitLocOpBuilder &b, Value seed,
                                           Value offset, Value block) const {
  Value low = buildLowWord(b, seed);
  Type i32 = low.getType();
  SmallVector<Value> mixed =
      buildPhilox4x32(b,
                      {{low, buildHighWord(b, seed), buildLowWord(b, offset),
                        buildHighWord(b, offset)},
                       {createIntegerConstant(b, i32, kScrambleKey[0]),
                        createIntegerConstant(b, i32, kScrambleKey[1])}},
                      kScrambleRounds);
  // The lower half of the counter starts at 0: no carry into the upper one.
  return {{buildLowWord(b, block), buildHighWord(b, block), mixed[2], mixed[3]},
          {mixed[0], mixed[1]}};
}
