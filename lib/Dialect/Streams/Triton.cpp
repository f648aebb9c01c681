//===- Triton.cpp - tl.rand of Triton ---------------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Streams/WordConversion.h"
#include "StreamMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

/// The largest f32 below 2^-31 that keeps the product below 1: 2^-31 - 2^-55.
static constexpr double kScale = 0x1p-31 - 0x1p-55;

namespace {
class TritonConversion : public WordConversion {
protected:
  Value buildUnit(ImplicitLocOpBuilder &b, Type,
                  ArrayRef<Value> words) const override {
    Value word = words[0];
    Type i32 = word.getType();
    Type f32 = withElementType(i32, b.getF32Type());
    // -w - 1 of negative words, by two's complement ~w: the sign bit flips all.
    Value sign =
        arith::ShRSIOp::create(b, word, createIntegerConstant(b, i32, 31));
    Value folded = arith::XOrIOp::create(b, word, sign);
    Value value = arith::SIToFPOp::create(b, f32, folded);
    return arith::MulFOp::create(b, value, createFloatConstant(b, f32, kScale));
  }

  Value buildPositive(ImplicitLocOpBuilder &b,
                      ArrayRef<Value> words) const override {
    return buildFloored(b, buildUnit(b, b.getF32Type(), words));
  }
  bool isSineFirst() const override { return false; }

  // Above 0, as the unit is below 1.
  Value buildMinusLog(ImplicitLocOpBuilder &b,
                      ArrayRef<Value> words) const override {
    return arith::NegFOp::create(b, buildLog(b, buildPositive(b, words)));
  }

  double getRate(float p) const override {
    // The unit does not fall as the folded word grows.
    uint64_t low = 0, high = uint64_t(1) << 31;
    while (low < high) {
      uint64_t word = (low + high) / 2;
      bool isBelow = float(word) * float(kScale) < p;
      (isBelow ? low : high) = isBelow ? word + 1 : word;
    }
    return std::ldexp(double(low), -31);
  }

  // Not a function of Triton: what its users write, on a fused machine.
  Value buildScaled(ImplicitLocOpBuilder &b, Type elementType,
                    ArrayRef<Value> words, Value lo, Value hi) const override {
    Value width = arith::SubFOp::create(b, hi, lo);
    Value value =
        math::FmaOp::create(b, buildUnit(b, elementType, words), width, lo);
    return buildReplaceEqual(b, value, hi, lo);
  }
};
} // namespace

const WordConversion &TritonAttr::getConversion() const {
  static const TritonConversion conversion;
  return conversion;
}

LogicalResult
TritonAttr::checkDraw(function_ref<InFlightDiagnostic()> emitError,
                      Distribution distribution, Type elementType) const {
  bool isNarrowFloat = elementType.isF16() || elementType.isBF16();
  if (isNarrowFloat || elementType.getIntOrFloatBitWidth() == 64)
    return emitError() << "Triton draws no " << elementType << " under "
                       << *this << ": draw "
                       << (isa<FloatType>(elementType) ? "f32" : "i32")
                       << " and convert that";
  return success();
}

unsigned TritonAttr::getValuesPerBlock(Distribution, Type) const { return 1; }

CounterAndKey TritonAttr::placeCounter(ImplicitLocOpBuilder &b, Value seed,
                                       Value offset, Value block) const {
  Value counter = arith::AddIOp::create(b, offset, block);
  return buildCounterAndKey(b, counter, /*high=*/Value(), seed);
}
