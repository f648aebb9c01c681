//===- WordConversion.cpp - From words to values ----------------*- C++ -*-===//
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
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

//===----------------------------------------------------------------------===//
// Formulas that several systems share
//===----------------------------------------------------------------------===//

/// `value` * 2^-`digits` + 2^-(`digits` + 1). The product is exact, so that it
/// does not matter whether a machine rounds it: it may use an fma.
static Value buildMiddle(ImplicitLocOpBuilder &b, Value value, int digits) {
  Type type = value.getType();
  auto contract = arith::FastMathFlags::contract;
  Value unit = createFloatConstant(b, type, std::ldexp(1.0, -digits));
  Value half = createFloatConstant(b, type, std::ldexp(0.5, -digits));
  value = arith::MulFOp::create(b, value, unit, contract);
  return arith::AddFOp::create(b, value, half, contract);
}

Value mlir::rng::buildCurandF32(ImplicitLocOpBuilder &b, Value word) {
  Type f32 = withElementType(word.getType(), b.getF32Type());
  return buildMiddle(b, arith::UIToFPOp::create(b, f32, word), 32);
}

Value mlir::rng::buildCurandF64(ImplicitLocOpBuilder &b, Value x, Value y) {
  Type i64 = withElementType(x.getType(), b.getI64Type());
  Type f64 = withElementType(x.getType(), b.getF64Type());
  Value low = arith::ExtUIOp::create(b, i64, x);
  Value high = arith::ExtUIOp::create(b, i64, y);
  high = arith::ShLIOp::create(b, high, createIntegerConstant(b, i64, 21));
  Value bits = arith::XOrIOp::create(b, low, high);
  return buildMiddle(b, arith::UIToFPOp::create(b, f64, bits), 53);
}

Value mlir::rng::buildCurandMinusLog(ImplicitLocOpBuilder &b,
                                     ArrayRef<Value> words) {
  if (words.size() == 1)
    return buildMinusLogOfBits(b, words[0]);
  // The 53 bits of `buildCurandF64`, at the upper end.
  Type i64 = withElementType(words[0].getType(), b.getI64Type());
  Value high =
      arith::ShLIOp::create(b, arith::ExtUIOp::create(b, i64, words[1]),
                            createIntegerConstant(b, i64, 32));
  Value low = arith::ShLIOp::create(b, arith::ExtUIOp::create(b, i64, words[0]),
                                    createIntegerConstant(b, i64, 11));
  return buildMinusLogOfBits(b, arith::XOrIOp::create(b, low, high));
}

static const llvm::fltSemantics &getSemantics(Type elementType) {
  return cast<FloatType>(elementType).getFloatSemantics();
}

/// 2^exponent in every lane of the float type `type`.
static Value createPowerOfTwo(ImplicitLocOpBuilder &b, Type type,
                              int exponent) {
  APFloat one(getSemantics(getElementTypeOrSelf(type)), 1);
  return createConstant(
      b, type,
      b.getFloatAttr(getElementTypeOrSelf(type),
                     scalbn(one, exponent, APFloat::rmNearestTiesToEven)));
}

Value mlir::rng::buildFraction(ImplicitLocOpBuilder &b, Type elementType,
                               Value bits, unsigned count) {
  Type type = withElementType(bits.getType(), elementType);
  uint64_t mask = count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
  if (count < getElementTypeOrSelf(bits).getIntOrFloatBitWidth())
    bits = arith::AndIOp::create(
        b, bits, createIntegerConstant(b, bits.getType(), mask));
  // f32 holds what narrower types hold: converted there, as no machine converts
  // integers to all of them.
  Type wide =
      elementType.isF64() ? type : withElementType(type, b.getF32Type());
  Value value = arith::UIToFPOp::create(b, wide, bits);
  value =
      arith::MulFOp::create(b, value, createPowerOfTwo(b, wide, -int(count)));
  return buildRound(b, elementType, value);
}

static unsigned getMantissaBits(Type elementType) {
  return APFloat::semanticsPrecision(getSemantics(elementType)) - 1;
}

Value mlir::rng::buildUnitFromHighBits(ImplicitLocOpBuilder &b,
                                       Type elementType, Value bits) {
  unsigned width = getElementTypeOrSelf(bits).getIntOrFloatBitWidth();
  unsigned count = getMantissaBits(elementType);
  bits = arith::ShRUIOp::create(
      b, bits, createIntegerConstant(b, bits.getType(), width - count));
  return buildFraction(b, elementType, bits, count);
}

Value mlir::rng::buildUnitFromLowBits(ImplicitLocOpBuilder &b, Type elementType,
                                      Value bits) {
  return buildFraction(b, elementType, bits, getMantissaBits(elementType));
}

Value mlir::rng::buildFloored(ImplicitLocOpBuilder &b, Value unit) {
  return arith::MaxNumFOp::create(
      b, unit, createFloatConstant(b, unit.getType(), 1.0e-7));
}

Value mlir::rng::buildRound(ImplicitLocOpBuilder &b, Type elementType,
                            Value value) {
  Type type = withElementType(value.getType(), elementType);
  if (type == value.getType())
    return value;
  return arith::TruncFOp::create(b, type, value);
}

Value mlir::rng::buildReplaceEqual(ImplicitLocOpBuilder &b, Value value,
                                   Value bound, Value other) {
  Value isBound =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, value, bound);
  return arith::SelectOp::create(b, isBound, other, value);
}

Value mlir::rng::buildExtended(ImplicitLocOpBuilder &b, Value value) {
  Type type = value.getType();
  if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() >= 32)
    return value;
  return arith::ExtFOp::create(b, withElementType(type, b.getF32Type()), value);
}

// A narrow type is calculated with in f32, rounded after each operation: that
// is what arithmetic in it yields, as f32 has more than twice its precision.

RoundedRange mlir::rng::buildRoundedRange(ImplicitLocOpBuilder &b,
                                          Type elementType, Value lo,
                                          Value hi) {
  RoundedRange range;
  range.lo = buildRound(b, elementType, lo);
  range.hi = buildRound(b, elementType, hi);
  Value width = arith::SubFOp::create(b, buildExtended(b, range.hi),
                                      buildExtended(b, range.lo));
  range.width = buildRound(b, elementType, width);
  return range;
}

ScaledUnit mlir::rng::buildScaledSteps(ImplicitLocOpBuilder &b, Value unit,
                                       Value lo, Value hi) {
  Type elementType = getElementTypeOrSelf(unit);
  RoundedRange range = buildRoundedRange(b, elementType, lo, hi);
  Value part = arith::MulFOp::create(b, buildExtended(b, unit),
                                     buildExtended(b, range.width));
  part = buildExtended(b, buildRound(b, elementType, part));
  Value value = arith::AddFOp::create(b, part, buildExtended(b, range.lo));
  return {buildRound(b, elementType, value), range.lo, range.hi};
}

//===----------------------------------------------------------------------===//
// Defaults of a system
//===----------------------------------------------------------------------===//

Value WordConversion::buildInteger64(ImplicitLocOpBuilder &b,
                                     ArrayRef<Value> words) const {
  return buildWide(b, words[0], words[1]);
}

Value WordConversion::buildPositive(ImplicitLocOpBuilder &b,
                                    ArrayRef<Value> words) const {
  Type type = words.size() == 2 ? b.getF64Type() : b.getF32Type();
  Value unit = buildUnit(b, type, words);
  // Exact, as the unit is a multiple of half the distance of floats below 1.
  return arith::SubFOp::create(b, createFloatConstant(b, unit.getType(), 1.0),
                               unit);
}

Value WordConversion::buildMinusLog(ImplicitLocOpBuilder &b,
                                    ArrayRef<Value> words) const {
  Value bits = words.size() == 2 ? buildInteger64(b, words) : words[0];
  Value ones = createIntegerConstant(b, bits.getType(), ~uint64_t(0));
  return buildMinusLogOfBits(b, arith::XOrIOp::create(b, bits, ones));
}

Value WordConversion::buildTurns(ImplicitLocOpBuilder &b,
                                 ArrayRef<Value> words) const {
  return buildUnit(b, words.size() == 2 ? b.getF64Type() : b.getF32Type(),
                   words);
}

Value WordConversion::buildNormal(ImplicitLocOpBuilder &b, Type,
                                  ArrayRef<Value> words, Value slot) const {
  ArrayRef<Value> first = words.take_front(words.size() / 2);
  ArrayRef<Value> second = words.drop_front(words.size() / 2);
  Value log = buildLog(b, buildPositive(b, first));
  Value square = arith::MulFOp::create(
      b, log, createFloatConstant(b, log.getType(), -2.0));
  Value radius = math::SqrtOp::create(b, square);
  // Folded where the slot is known: one function instead of both.
  Value one = createIntegerConstant(b, slot.getType(), 1);
  Value parity = b.createOrFold<arith::AndIOp>(slot, one);
  Value isCosine = b.createOrFold<arith::CmpIOp>(
      arith::CmpIPredicate::eq, parity,
      createIntegerConstant(b, slot.getType(), isSineFirst() ? 1 : 0));
  Value turns = buildTurns(b, second);
  return arith::MulFOp::create(b, radius,
                               buildSinOrCosTurns(b, turns, isCosine));
}

Value WordConversion::buildBernoulli(ImplicitLocOpBuilder &b,
                                     ArrayRef<Value> words, Value p) const {
  // Drawn in f32 whatever surrounds it: a bf16 uniform would bias the rate.
  Value uniform = buildUnit(b, b.getF32Type(), words);
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, uniform, p);
}

Value WordConversion::buildBelow(ImplicitLocOpBuilder &b, Value bits,
                                 Value count) const {
  return arith::MulUIExtendedOp::create(b, bits, count).getHigh();
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

Value WordConversion::buildBits(ImplicitLocOpBuilder &b, Type elementType,
                                ArrayRef<Value> words) const {
  unsigned width = elementType.getIntOrFloatBitWidth();
  if (width == 64)
    return buildInteger64(b, words);
  Value word = words[0];
  if (width == 32)
    return word;
  if (width == 1)
    word = arith::ShRUIOp::create(b, word,
                                  createIntegerConstant(b, word.getType(), 31));
  return arith::TruncIOp::create(
      b, withElementType(word.getType(), elementType), word);
}

Value WordConversion::buildUniform(ImplicitLocOpBuilder &b, Type elementType,
                                   ArrayRef<Value> words,
                                   ValueRange params) const {
  if (params.empty())
    return buildUnit(b, elementType, words);
  Value lo = params[0], hi = params[1];
  Value scaled = buildScaled(b, elementType, words, lo, hi);
  // One comparison would not do: a NaN bound, lo >= hi and a width that
  // overflows all yield lo.
  // So does one that overflows when rounded, though hi - lo does not: infinity
  // times a unit of 0 would be NaN.
  Value width = isRangeRounded()
                    ? buildRoundedRange(b, elementType, lo, hi).width
                    : arith::SubFOp::create(b, hi, lo).getResult();
  Type boundType = getElementTypeOrSelf(width);
  Value infinity = createConstant(
      b, width.getType(),
      b.getFloatAttr(boundType, APFloat::getInf(getSemantics(boundType))));
  Value isRange = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, lo, hi);
  Value isFinite =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, width, infinity);
  Value isValid = arith::AndIOp::create(b, isRange, isFinite);
  return arith::SelectOp::create(b, isValid, scaled,
                                 buildRound(b, elementType, lo));
}

Value WordConversion::buildRandint(ImplicitLocOpBuilder &b, Type elementType,
                                   ArrayRef<Value> words, Value lo,
                                   Value hi) const {
  // Unsigned and mod 2^N, so that a range may cover more than half of a type.
  Value count = arith::SubIOp::create(b, hi, lo);
  Value zero = createIntegerConstant(b, count.getType(), 0);
  Value isEmpty =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, count, zero);
  Value bits = elementType.isInteger(64) ? buildInteger64(b, words) : words[0];
  Value wide = count;
  if (wide.getType() != bits.getType())
    wide = arith::ExtUIOp::create(b, bits.getType(), wide);
  // No division by zero, whatever a system does.
  Value one = createIntegerConstant(b, bits.getType(), 1);
  wide = arith::MaxUIOp::create(b, wide, one);
  Value below = buildBelow(b, bits, wide);
  if (below.getType() != count.getType())
    below = arith::TruncIOp::create(b, count.getType(), below);
  Value value = arith::AddIOp::create(b, lo, below);
  return arith::SelectOp::create(b, isEmpty, lo, value);
}

/// erf(sqrt(2)): two standard deviations on both sides hold this part of all.
static constexpr double kTwoDeviations = 0.95449973610364158;
static constexpr double kSqrtTwo = 1.4142135623730951;

Value WordConversion::buildTruncatedNormal(ImplicitLocOpBuilder &b,
                                           ArrayRef<Value> words) const {
  Value unit = buildPositive(b, words);
  Type type = unit.getType();
  auto real = [&](double value) { return createFloatConstant(b, type, value); };
  Value signedUnit = math::FmaOp::create(b, real(2.0), unit, real(-1.0));
  Value part = arith::MulFOp::create(b, signedUnit, real(kTwoDeviations));
  Value value = arith::MulFOp::create(b, buildErfInv(b, part), real(kSqrtTwo));
  // At the ends, rounding may go beyond.
  value = arith::MinNumFOp::create(b, value, real(2.0));
  return arith::MaxNumFOp::create(b, value, real(-2.0));
}

/// `number` in every lane of the wider float type `type`, exactly.
static Value createWidened(ImplicitLocOpBuilder &b, Type type, APFloat number) {
  Type wide = getElementTypeOrSelf(type);
  bool isInexact;
  number.convert(getSemantics(wide), APFloat::rmNearestTiesToEven, &isInexact);
  return createConstant(b, type, b.getFloatAttr(wide, number));
}

// Held before it is rounded to a type, a value is held after it too.

/// `value`, no NaN, or the least number of `elementType` above 0.
static Value buildAboveZero(ImplicitLocOpBuilder &b, Type elementType,
                            Value value) {
  APFloat least = APFloat::getSmallest(getSemantics(elementType));
  return arith::MaxNumFOp::create(b, value,
                                  createWidened(b, value.getType(), least),
                                  arith::FastMathFlags::nnan);
}

/// `value`, no NaN, or the largest number of `elementType`.
static Value buildFinite(ImplicitLocOpBuilder &b, Type elementType,
                         Value value) {
  APFloat largest = APFloat::getLargest(getSemantics(elementType));
  return arith::MinNumFOp::create(b, value,
                                  createWidened(b, value.getType(), largest),
                                  arith::FastMathFlags::nnan);
}

Value WordConversion::buildExponential(ImplicitLocOpBuilder &b,
                                       Type elementType, ArrayRef<Value> words,
                                       ValueRange params) const {
  Value value = buildMinusLog(b, words);
  Type type = value.getType();
  if (params.empty()) {
    // Of all types f16 alone rounds 2^-33 to 0.
    if (elementType.isF16())
      value = buildAboveZero(b, elementType, value);
    return buildRound(b, elementType, value);
  }
  Value rate = params[0];
  Type wide = getElementTypeOrSelf(type);
  Value zero = createFloatConstant(b, type, 0.0);
  Value infinity = createConstant(
      b, type, b.getFloatAttr(wide, APFloat::getInf(getSemantics(wide))));
  Value isAbove =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, rate, zero);
  Value isFinite =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, rate, infinity);
  Value isRate = arith::AndIOp::create(b, isAbove, isFinite);
  // Nothing is divided by what is no rate: the quotient is a number.
  Value one = createFloatConstant(b, type, 1.0);
  rate = arith::SelectOp::create(b, isRate, rate, one);
  // A small rate overflows, a large one underflows.
  value = buildAboveZero(b, elementType, arith::DivFOp::create(b, value, rate));
  value = buildFinite(b, elementType, value);
  value = buildRound(b, elementType, value);
  Value none = createFloatConstant(b, value.getType(), 0.0);
  return arith::SelectOp::create(b, isRate, value, none);
}

/// mean + std * `value`, rounded to the type once.
static Value buildLocated(ImplicitLocOpBuilder &b, Type elementType,
                          Value value, ValueRange params) {
  if (!params.empty())
    value = math::FmaOp::create(b, params[1], value, params[0]);
  return buildRound(b, elementType, value);
}

Value WordConversion::convert(ImplicitLocOpBuilder &b,
                              Distribution distribution, Type elementType,
                              ArrayRef<Value> words, Value slot,
                              ValueRange params) const {
  switch (distribution) {
  case Distribution::Bits:
    return buildBits(b, elementType, words);
  case Distribution::Uniform:
    return buildUniform(b, elementType, words, params);
  case Distribution::Bernoulli:
    return buildBernoulli(b, words, params[0]);
  case Distribution::Randint:
    return buildRandint(b, elementType, words, params[0], params[1]);
  case Distribution::Normal:
    return buildLocated(b, elementType,
                        buildNormal(b, elementType, words, slot), params);
  case Distribution::TruncatedNormal:
    return buildLocated(b, elementType, buildTruncatedNormal(b, words), params);
  case Distribution::Exponential:
    return buildExponential(b, elementType, words, params);
  }
  llvm_unreachable("all distributions are converted");
}

//===----------------------------------------------------------------------===//
// Words and work
//===----------------------------------------------------------------------===//

unsigned mlir::rng::getWordsPerValue(Type elementType) {
  return elementType.getIntOrFloatBitWidth() == 64 ? 2 : 1;
}

SmallVector<Value> WordConversion::getSlotWords(Distribution distribution,
                                                Type elementType,
                                                ArrayRef<Value> words,
                                                unsigned slot) const {
  unsigned count = getWordsPerValue(elementType);
  if (distribution == Distribution::Normal && areNormalsPaired()) {
    count *= 2;
    slot /= 2;
  }
  assert((slot + 1) * count <= words.size() && "a slot has words");
  return llvm::to_vector(words.slice(slot * count, count));
}

/// Conversion, fused multiply-add, comparison and selection for the end rule,
/// and moving the result.
static constexpr unsigned kUnitWork = 5;
/// Operations of StreamMath.h: of a logarithm and of both a sine and a cosine,
/// which a pair of normal numbers shares, with the root.
static constexpr unsigned kLogWork = 15, kTurnsWork = 24, kRootWork = 8;
static constexpr unsigned kMinusLogWork = 24, kErfInvWork = 43;

unsigned WordConversion::getWork(Distribution distribution,
                                 Type elementType) const {
  auto getFunctions = [&]() -> unsigned {
    switch (distribution) {
    case Distribution::Bits:
      return 1;
    case Distribution::Uniform:
    case Distribution::Bernoulli:
    case Distribution::Randint:
      return kUnitWork;
    case Distribution::Normal:
      if (!areNormalsPaired())
        return kUnitWork + kErfInvWork;
      return kUnitWork + (kLogWork + kRootWork + kTurnsWork) / 2;
    case Distribution::TruncatedNormal:
      return kUnitWork + kErfInvWork;
    case Distribution::Exponential:
      return kUnitWork + kMinusLogWork;
    }
    llvm_unreachable("all distributions take work");
  };
  return getFunctions() * getWordsPerValue(elementType);
}

//===----------------------------------------------------------------------===//
// What the headers of attributes do not know
//===----------------------------------------------------------------------===//

SmallVector<Value>
mlir::rng::detail::getSlotWords(const WordConversion &conversion,
                                Distribution distribution, Type elementType,
                                ArrayRef<Value> words, unsigned slot) {
  return conversion.getSlotWords(distribution, elementType, words, slot);
}

Value mlir::rng::detail::convertWords(const WordConversion &conversion,
                                      ImplicitLocOpBuilder &b,
                                      Distribution distribution,
                                      Type elementType, ArrayRef<Value> words,
                                      Value slot, ValueRange params) {
  return conversion.convert(b, distribution, elementType, words, slot, params);
}

std::string
mlir::rng::detail::describeSurprise(const WordConversion &conversion,
                                    Distribution distribution, Type elementType,
                                    ArrayRef<TypedAttr> params) {
  return conversion.describeSurprise(distribution, elementType, params);
}

unsigned mlir::rng::detail::getWork(const WordConversion &conversion,
                                    Distribution distribution, Type elementType,
                                    unsigned blockWork,
                                    unsigned valuesPerBlock) {
  return llvm::divideCeil(blockWork, std::max(valuesPerBlock, 1u)) +
         conversion.getWork(distribution, elementType);
}

//===----------------------------------------------------------------------===//
// What constant parameters do
//===----------------------------------------------------------------------===//

double WordConversion::getRate(float p) const { return p; }

double mlir::rng::getRateOfFractions(float p, unsigned count) {
  return std::ldexp(std::ceil(std::ldexp(double(p), count)), -int(count));
}

std::string WordConversion::describeRange(Type, const APInt &) const {
  return {};
}

std::string mlir::rng::describeTorchRange(Type elementType,
                                          const APInt &count) {
  bool isWide = elementType.isInteger(64);
  if (count.uge(uint64_t(1) << 28) == isWide)
    return {};
  return llvm::formatv(
      "has a range of {0} integers, which PyTorch draws from {1} bits and this "
      "draw from {2}: for PyTorch's numbers draw {3} it",
      llvm::toString(count, 10, /*Signed=*/false), isWide ? 32 : 64,
      isWide ? 64 : 32, isWide ? "i32 and extend" : "i64 and truncate");
}

static std::string toProbability(double p) {
  std::string text;
  llvm::raw_string_ostream os(text);
  bool isNearOne = p > 0.5 && p < 1.0;
  os << (isNearOne ? "1 - " : "")
     << llvm::format("%.6g", isNearOne ? 1.0 - p : p);
  return text;
}

/// Of a rate that is off by 1 % or more of the probability or its complement.
static std::string describeRate(double p, double rate) {
  if (std::fabs(rate - p) < 0.01 * std::min(p, 1.0 - p))
    return {};
  return llvm::formatv(
      "has a probability of {0} but is true with probability {1}, as f32 "
      "uniforms are no finer: compare a uniform draw of f64 instead",
      toProbability(p), toProbability(rate));
}

/// The 2^N values of N bits shared by `count` integers: q or q + 1 each. Where
/// 1 % of them or more would have to change hands to be fair, that is said.
static std::string describeShares(Type elementType, const APInt &count) {
  unsigned bits = elementType.isInteger(64) ? 64 : 32;
  APInt all = APInt::getOneBitSet(2 * bits + 1, bits);
  APInt wide = count.zext(all.getBitWidth()), share, rest;
  APInt::udivrem(all, wide, share, rest);
  double part = rest.roundToDouble(false) / wide.roundToDouble(false);
  double moved =
      part * (1 - part) * wide.roundToDouble(false) / all.roundToDouble(false);
  if (moved < 0.01)
    return {};
  return llvm::formatv(
      "has a range of {0} integers that {1} bits do not share out evenly: some "
      "are drawn {2:F2} times as often as others, {3}",
      llvm::toString(count, 10, /*Signed=*/false), bits,
      1 + 1 / share.roundToDouble(false),
      bits == 64 ? "so draw bits and drop what is out of range"
                 : "so draw i64 and truncate it");
}

std::string WordConversion::describeSurprise(Distribution distribution,
                                             Type elementType,
                                             ArrayRef<TypedAttr> params) const {
  if (distribution == Distribution::Bernoulli) {
    float p = cast<FloatAttr>(params[0]).getValue().convertToFloat();
    return p > 0 && p < 1 ? describeRate(p, getRate(p)) : std::string();
  }
  if (distribution != Distribution::Randint)
    return {};
  APInt count = cast<IntegerAttr>(params[1]).getValue() -
                cast<IntegerAttr>(params[0]).getValue();
  if (count.isZero())
    return {};
  std::string range = describeRange(elementType, count);
  return range.empty() ? describeShares(elementType, count) : range;
}
