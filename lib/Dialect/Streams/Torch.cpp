//===- Torch.cpp - The stateless draws of PyTorch ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Streams/WordConversion.h"
#include "TorchIntegers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

namespace {
class TorchConversion : public TorchIntegers<WordConversion> {
protected:
  Value buildUnit(ImplicitLocOpBuilder &b, Type elementType,
                  ArrayRef<Value> words) const override {
    bool isWide = elementType.isF64();
    Value bits = isWide ? buildInteger64(b, words) : words[0];
    return buildFraction(b, elementType, bits,
                         cast<FloatType>(elementType).getFPMantissaWidth());
  }

  Value buildScaled(ImplicitLocOpBuilder &b, Type elementType,
                    ArrayRef<Value> words, Value lo, Value hi) const override {
    // Bounds and their distance in the type, the rest in f32 or f64.
    RoundedRange range = buildRoundedRange(b, elementType, lo, hi);
    Value unit = buildUnit(b, elementType, words);
    Value part = arith::MulFOp::create(b, buildExtended(b, unit),
                                       buildExtended(b, range.width));
    Value value = arith::AddFOp::create(b, part, buildExtended(b, range.lo));
    return buildRound(b, elementType, value);
  }

  // Logarithms and angles are cuRAND's.
  Value buildPositive(ImplicitLocOpBuilder &b,
                      ArrayRef<Value> words) const override {
    return words.size() == 2 ? buildCurandF64(b, words[0], words[1])
                             : buildCurandF32(b, words[0]);
  }
  Value buildMinusLog(ImplicitLocOpBuilder &b,
                      ArrayRef<Value> words) const override {
    return buildCurandMinusLog(b, words);
  }
  Value buildTurns(ImplicitLocOpBuilder &b,
                   ArrayRef<Value> words) const override {
    return buildPositive(b, words);
  }
  bool isSineFirst() const override { return false; }

  double getRate(float p) const override { return getRateOfFractions(p, 24); }
};
} // namespace

const WordConversion &TorchAttr::getConversion() const {
  static const TorchConversion conversion;
  return conversion;
}

CounterAndKey TorchAttr::placeCounter(ImplicitLocOpBuilder &b, Value seed,
                                      Value offset, Value block) const {
  Value counter = arith::AddIOp::create(b, offset, block);
  return buildCounterAndKey(b, counter, /*high=*/Value(), seed);
}
