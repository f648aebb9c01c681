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
using namespace mlir::rng::streams;

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

const WordConversion &NvfuserAttr::getConversion() const {
  static const NvfuserConversion conversion;
  return conversion;
}

uint64_t NvfuserAttr::getAdvanceDivisor(Distribution, Type) const { return 0; }

CounterAndKey NvfuserAttr::placeCounter(ImplicitLocOpBuilder &b, Value seed,
                                        Value offset, Value block) const {
  return buildCounterAndKey(b, offset, block, seed);
}
