//===- Nvfuser.cpp - The stream of nvFuser ----------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CurandConversion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::rng;

namespace {
class NvfuserConversion : public CurandConversion {
protected:
  Value buildScaled(ImplicitLocOpBuilder &b, Type elementType,
                    ArrayRef<Value> words, Value lo, Value hi) const override {
    // The raw value of a narrow type is rounded once only, after scaling; a
    // wide one is in [0, 1) before it is scaled.
    bool isNarrow = elementType.getIntOrFloatBitWidth() < 32;
    Value raw = buildRaw(b, words);
    Value unit = isNarrow ? raw : buildUnit(b, elementType, words);
    Value width = arith::SubFOp::create(b, hi, lo);
    Value scaled =
        buildRound(b, elementType, math::FmaOp::create(b, width, unit, lo));
    // What is not below hi becomes lo (nvFuser lets f32 and f64 return hi).
    Value isBelow = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, scaled,
                                          buildRound(b, elementType, hi));
    return arith::SelectOp::create(b, isBelow, scaled,
                                   buildRound(b, elementType, lo));
  }
  bool isRangeRounded() const override { return false; }
};
} // namespace

unsigned NvfuserAttr::getValuesPerBlock(Distribution, Type elementType) const {
  return getFourWordSlots(elementType);
}

OpFoldResult NvfuserAttr::getAdvance(OpBuilder &b, Location, Distribution, Type,
                                     ValueRange) const {
  return b.getI64IntegerAttr(1);
}

ElementPlace NvfuserAttr::placeElement(ImplicitLocOpBuilder &b, Distribution,
                                       Type elementType, Value index) const {
  return buildLinearPlace(b, index, getFourWordSlots(elementType));
}

CounterAndKey NvfuserAttr::placeCounter(ImplicitLocOpBuilder &b, Value seed,
                                        Value offset, Value block) const {
  return buildCounterAndKey(b, offset, block, seed);
}

SmallVector<Value> NvfuserAttr::getSlotWords(Distribution distribution,
                                             Type elementType,
                                             ArrayRef<Value> words,
                                             unsigned slot) const {
  return getFourWordSlotWords(distribution, elementType, words, slot);
}

Value NvfuserAttr::convertWords(ImplicitLocOpBuilder &b,
                                Distribution distribution, Type elementType,
                                ArrayRef<Value> words, Value slot,
                                ValueRange params) const {
  return NvfuserConversion().convert(b, distribution, elementType, words, slot,
                                     params);
}

std::string NvfuserAttr::describeSurprise(Distribution distribution,
                                          Type elementType,
                                          ArrayRef<TypedAttr> params) const {
  return NvfuserConversion().describeSurprise(distribution, elementType,
                                              params);
}
