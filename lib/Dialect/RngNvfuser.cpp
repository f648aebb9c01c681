//===- RngNvfuser.cpp - The stream of nvFuser ---------------- -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngAttrs.h"
#include "RngBernoulli.h"
#include "RngIRBuilding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::rng;

/// Words that one value takes: 64-bit types take two.
static unsigned getWordsPerValue(Type elementType) {
  return elementType.getIntOrFloatBitWidth() == 64 ? 2 : 1;
}

LogicalResult
NvfuserAttr::checkDraw(function_ref<InFlightDiagnostic()> emitError,
                       Distribution distribution, Type elementType) const {
  switch (distribution) {
  case Distribution::Bits:
  case Distribution::Uniform:
  case Distribution::Bernoulli:
    return success();
  case Distribution::Randint:
  case Distribution::Normal:
    break;
  }
  return emitError() << "drawing '" << stringifyDistribution(distribution)
                     << "' is not implemented yet under " << *this
                     << ": draw uniform, bernoulli or bits and transform those";
}

unsigned NvfuserAttr::getValuesPerBlock(Distribution distribution,
                                        Type elementType) const {
  return 4 / getWordsPerValue(elementType);
}

OpFoldResult NvfuserAttr::getAdvance(OpBuilder &b, Location, Distribution, Type,
                                     ValueRange) const {
  return b.getI64IntegerAttr(1);
}

ElementPlace NvfuserAttr::placeElement(ImplicitLocOpBuilder &b,
                                       Distribution distribution,
                                       Type elementType, Value index) const {
  unsigned values = getValuesPerBlock(distribution, elementType);
  Type type = index.getType();
  Value block = arith::ShRUIOp::create(
      b, index, createIntegerConstant(b, type, values == 4 ? 2 : 1));
  Value slot = arith::AndIOp::create(
      b, index, createIntegerConstant(b, type, values - 1));
  Type i32 = withElementType(type, b.getI32Type());
  return {block, arith::TruncIOp::create(b, i32, slot)};
}

CounterAndKey NvfuserAttr::placeCounter(ImplicitLocOpBuilder &b, Value seed,
                                        Value offset, Value block) const {
  auto low = [&](Value value) -> Value {
    Type i32 = withElementType(value.getType(), b.getI32Type());
    return arith::TruncIOp::create(b, i32, value);
  };
  auto high = [&](Value value) -> Value {
    Value shift = createIntegerConstant(b, value.getType(), 32);
    return low(arith::ShRUIOp::create(b, value, shift));
  };
  return {{low(offset), high(offset), low(block), high(block)},
          {low(seed), high(seed)}};
}

SmallVector<Value> NvfuserAttr::getSlotWords(Distribution, Type elementType,
                                             ArrayRef<Value> words,
                                             unsigned slot) const {
  unsigned count = getWordsPerValue(elementType);
  return llvm::to_vector(words.slice(slot * count, count));
}

//===----------------------------------------------------------------------===//
// Words to values
//===----------------------------------------------------------------------===//

/// w * 2^-32 + 2^-33 in f32, in (0, 1]. The product is exact, so that a fused
/// and an unfused addition agree.
static Value convertToRawF32(ImplicitLocOpBuilder &b, Value word) {
  Type f32 = withElementType(word.getType(), b.getF32Type());
  Value value = arith::UIToFPOp::create(b, f32, word);
  value = arith::MulFOp::create(b, value, createFloatConstant(b, f32, 0x1p-32));
  return arith::AddFOp::create(b, value, createFloatConstant(b, f32, 0x1p-33));
}

/// (x ^ (y << 21)) * 2^-53 + 2^-54 in f64, in (0, 1]; all but the last
/// operation are exact.
static Value convertToRawF64(ImplicitLocOpBuilder &b, Value x, Value y) {
  Type i64 = withElementType(x.getType(), b.getI64Type());
  Type f64 = withElementType(x.getType(), b.getF64Type());
  Value low = arith::ExtUIOp::create(b, i64, x);
  Value high = arith::ExtUIOp::create(b, i64, y);
  high = arith::ShLIOp::create(b, high, createIntegerConstant(b, i64, 21));
  Value bits = arith::XOrIOp::create(b, low, high);
  Value value = arith::UIToFPOp::create(b, f64, bits);
  value = arith::MulFOp::create(b, value, createFloatConstant(b, f64, 0x1p-53));
  return arith::AddFOp::create(b, value, createFloatConstant(b, f64, 0x1p-54));
}

/// The end rule of [0, 1): 1.0 becomes 0.0.
static Value wrapOne(ImplicitLocOpBuilder &b, Value value) {
  Type type = value.getType();
  Value isOne = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, value,
                                      createFloatConstant(b, type, 1.0));
  return arith::SelectOp::create(b, isOne, createFloatConstant(b, type, 0.0),
                                 value);
}

static Value createUniform(ImplicitLocOpBuilder &b, Type elementType,
                           ArrayRef<Value> words, ValueRange params) {
  bool isNarrow = elementType.getIntOrFloatBitWidth() < 32;
  Value raw = words.size() == 2 ? convertToRawF64(b, words[0], words[1])
                                : convertToRawF32(b, words[0]);
  Type type = withElementType(raw.getType(), elementType);
  auto round = [&](Value value) -> Value {
    return isNarrow ? arith::TruncFOp::create(b, type, value) : value;
  };
  if (params.empty())
    return wrapOne(b, round(raw));

  // The raw value of a narrow type is rounded once only, after scaling; a wide
  // one is in [0, 1) before it is scaled, as in nvFuser.
  Value unit = isNarrow ? raw : wrapOne(b, raw);
  Value lo = params[0], hi = params[1];
  Value width = arith::SubFOp::create(b, hi, lo);
  Value scaled = round(math::FmaOp::create(b, width, unit, lo));
  Value first = round(lo), end = round(hi);
  // One comparison would not do: a NaN bound, lo >= hi and a width that
  // overflows all yield lo.
  Value isBelowEnd =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, scaled, end);
  Value isRange = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, lo, hi);
  Value infinity = createConstant(
      b, width.getType(),
      b.getFloatAttr(
          getElementTypeOrSelf(width),
          APFloat::getInf(cast<FloatType>(getElementTypeOrSelf(width))
                              .getFloatSemantics())));
  Value isFinite =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, width, infinity);
  Value isValid = arith::AndIOp::create(b, isRange, isFinite);
  isValid = arith::AndIOp::create(b, isValid, isBelowEnd);
  return arith::SelectOp::create(b, isValid, scaled, first);
}

static Value createBits(ImplicitLocOpBuilder &b, Type elementType,
                        ArrayRef<Value> words) {
  Type type = withElementType(words[0].getType(), elementType);
  unsigned width = elementType.getIntOrFloatBitWidth();
  if (width == 32)
    return words[0];
  if (width == 64) {
    Value low = arith::ExtUIOp::create(b, type, words[0]);
    Value high = arith::ExtUIOp::create(b, type, words[1]);
    high = arith::ShLIOp::create(b, high, createIntegerConstant(b, type, 32));
    return arith::OrIOp::create(b, low, high);
  }
  Value word = words[0];
  if (width == 1)
    word = arith::ShRUIOp::create(b, word,
                                  createIntegerConstant(b, word.getType(), 31));
  return arith::TruncIOp::create(b, type, word);
}

Value NvfuserAttr::convertWords(ImplicitLocOpBuilder &b,
                                Distribution distribution, Type elementType,
                                ArrayRef<Value> words,
                                ValueRange params) const {
  switch (distribution) {
  case Distribution::Bits:
    return createBits(b, elementType, words);
  case Distribution::Uniform:
    return createUniform(b, elementType, words, params);
  case Distribution::Bernoulli:
    // Drawn in f32 whatever surrounds it: a bf16 uniform would bias the rate.
    return buildUniformIsBelow(b, words[0], params[0]);
  case Distribution::Randint:
  case Distribution::Normal:
    break;
  }
  llvm_unreachable("checkDraw refuses what is not implemented");
}
