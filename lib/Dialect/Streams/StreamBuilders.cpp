//===- StreamBuilders.cpp - What streams are built of -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Streams/StreamBuilders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::rng;

Type mlir::rng::withElementType(Type like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(element);
  return element;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value mlir::rng::createConstant(ImplicitLocOpBuilder &b, Type type,
                                TypedAttr value) {
  if (auto vector = dyn_cast<VectorType>(type))
    value = SplatElementsAttr::get(vector, Attribute(value));
  return arith::ConstantOp::create(b, value);
}

Value mlir::rng::createIntegerConstant(ImplicitLocOpBuilder &b, Type type,
                                       uint64_t value) {
  auto element = cast<IntegerType>(getElementTypeOrSelf(type));
  return createConstant(b, type,
                        b.getIntegerAttr(element, APInt(64, value).zextOrTrunc(
                                                      element.getWidth())));
}

Value mlir::rng::createFloatConstant(ImplicitLocOpBuilder &b, Type type,
                                     double value) {
  return createConstant(b, type,
                        b.getFloatAttr(getElementTypeOrSelf(type), value));
}

//===----------------------------------------------------------------------===//
// Words and counters
//===----------------------------------------------------------------------===//

Value mlir::rng::buildLowWord(ImplicitLocOpBuilder &b, Value value) {
  Type i32 = withElementType(value.getType(), b.getI32Type());
  return arith::TruncIOp::create(b, i32, value);
}

Value mlir::rng::buildHighWord(ImplicitLocOpBuilder &b, Value value) {
  Value shift = createIntegerConstant(b, value.getType(), 32);
  return buildLowWord(b, arith::ShRUIOp::create(b, value, shift));
}

Value mlir::rng::buildWide(ImplicitLocOpBuilder &b, Value low, Value high) {
  Type i64 = withElementType(low.getType(), b.getI64Type());
  low = arith::ExtUIOp::create(b, i64, low);
  high = arith::ExtUIOp::create(b, i64, high);
  high = arith::ShLIOp::create(b, high, createIntegerConstant(b, i64, 32));
  return arith::OrIOp::create(b, low, high);
}

Wide128 mlir::rng::buildAdd128(ImplicitLocOpBuilder &b, Wide128 value,
                               Value amount) {
  Value low = arith::AddIOp::create(b, value.low, amount);
  Value carry =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, low, amount);
  carry = arith::ExtUIOp::create(b, low.getType(), carry);
  return {low, arith::AddIOp::create(b, value.high, carry)};
}

CounterAndKey mlir::rng::buildCounterAndKey(ImplicitLocOpBuilder &b, Value low,
                                            Value high, Value seed) {
  CounterAndKey in;
  in.counter[0] = buildLowWord(b, low);
  in.counter[1] = buildHighWord(b, low);
  if (high) {
    in.counter[2] = buildLowWord(b, high);
    in.counter[3] = buildHighWord(b, high);
  } else {
    in.counter[2] = createIntegerConstant(b, in.counter[0].getType(), 0);
    in.counter[3] = in.counter[2];
  }
  in.key[0] = buildLowWord(b, seed);
  in.key[1] = buildHighWord(b, seed);
  return in;
}

ElementPlace mlir::rng::buildLinearPlace(ImplicitLocOpBuilder &b, Value index,
                                         unsigned slots) {
  assert(llvm::isPowerOf2_32(slots) && "slots are found by shifting the index");
  Type type = index.getType();
  if (slots == 1)
    return {index,
            createIntegerConstant(b, withElementType(type, b.getI32Type()), 0)};
  Value block = arith::ShRUIOp::create(
      b, index, createIntegerConstant(b, type, llvm::Log2_32(slots)));
  Value slot = arith::AndIOp::create(b, index,
                                     createIntegerConstant(b, type, slots - 1));
  return {block, buildLowWord(b, slot)};
}

/// Constants of the bijection (Salmon et al., SC 2011, and Random123).
static constexpr uint32_t kMultiplier0 = 0xD2511F53;
static constexpr uint32_t kMultiplier1 = 0xCD9E8D57;
static constexpr uint32_t kWeyl0 = 0x9E3779B9;
static constexpr uint32_t kWeyl1 = 0xBB67AE85;

/// The rounds on vectors. A word is the lower half of a lane of 64 bits, whose
/// upper half may hold anything: SIMD units multiply such lanes, and no word
/// ever moves to another lane, as it would in products of vectors of i32.
static SmallVector<Value> buildPhiloxLanes(ImplicitLocOpBuilder &b,
                                           const CounterAndKey &in,
                                           unsigned rounds) {
  Type word = in.counter[0].getType();
  Type lane = withElementType(word, b.getI64Type());
  auto constant = [&](uint64_t value) {
    return createIntegerConstant(b, lane, value);
  };
  Value mask = constant(0xffffffff), width = constant(32);
  SmallVector<Value> c, k;
  for (Value counter : in.counter)
    c.push_back(arith::ExtUIOp::create(b, lane, counter));
  for (Value key : in.key)
    k.push_back(arith::ExtUIOp::create(b, lane, key));
  auto multiply = [&](Value counter, uint64_t multiplier) -> Value {
    Value low = arith::AndIOp::create(b, counter, mask);
    return arith::MulIOp::create(b, low, constant(multiplier));
  };
  auto mix = [&](Value counter, Value key, Value product) -> Value {
    Value high = arith::ShRUIOp::create(b, product, width);
    // First what may be the same for all stream blocks.
    Value mixed = arith::XOrIOp::create(b, counter, key);
    return arith::XOrIOp::create(b, mixed, high);
  };
  for (unsigned round = 0; round < rounds; ++round) {
    if (round > 0) {
      k[0] = arith::AddIOp::create(b, k[0], constant(kWeyl0));
      k[1] = arith::AddIOp::create(b, k[1], constant(kWeyl1));
    }
    Value product0 = multiply(c[0], kMultiplier0);
    Value product1 = multiply(c[2], kMultiplier1);
    c = {mix(c[1], k[0], product1), product1, mix(c[3], k[1], product0),
         product0};
  }
  for (Value &counter : c)
    counter = arith::TruncIOp::create(b, word, counter);
  return c;
}

SmallVector<Value> mlir::rng::buildPhilox4x32(ImplicitLocOpBuilder &b,
                                              const CounterAndKey &in,
                                              unsigned rounds) {
  assert(rounds > 0 && "without a round, words are the counter");
  Type type = in.counter[0].getType();
  if (isa<VectorType>(type))
    return buildPhiloxLanes(b, in, rounds);
  Value c0 = in.counter[0], c1 = in.counter[1];
  Value c2 = in.counter[2], c3 = in.counter[3];
  Value k0 = in.key[0], k1 = in.key[1];
  Value multiplier0 = createIntegerConstant(b, type, kMultiplier0);
  Value multiplier1 = createIntegerConstant(b, type, kMultiplier1);
  for (unsigned round = 0; round < rounds; ++round) {
    if (round > 0) {
      k0 = arith::AddIOp::create(b, k0, createIntegerConstant(b, type, kWeyl0));
      k1 = arith::AddIOp::create(b, k1, createIntegerConstant(b, type, kWeyl1));
    }
    auto product0 = arith::MulUIExtendedOp::create(b, c0, multiplier0);
    auto product1 = arith::MulUIExtendedOp::create(b, c2, multiplier1);
    auto mix = [&](Value x, Value y, Value z) -> Value {
      Value mixed = arith::XOrIOp::create(b, x, y);
      return arith::XOrIOp::create(b, mixed, z);
    };
    // First what is the same for stream blocks of one draw that are not far
    // apart, in which only the low word of their number differs: by default all
    // but c2 in the first round, all but c0 and c1 in the second.
    c0 = round == 1 ? mix(product1.getHigh(), k0, c1)
                    : mix(c1, k0, product1.getHigh());
    c1 = product1.getLow();
    c2 = mix(c3, k1, product0.getHigh());
    c3 = product0.getLow();
  }
  return {c0, c1, c2, c3};
}

DerivedSeeds mlir::rng::buildDerivedSeeds(ImplicitLocOpBuilder &b, Value seed,
                                          Value data) {
  Value low = buildLowWord(b, data);
  Value ones = createIntegerConstant(b, low.getType(), ~uint32_t(0));
  SmallVector<Value> words =
      buildPhilox4x32(b,
                      {{low, buildHighWord(b, data), ones, ones},
                       {buildLowWord(b, seed), buildHighWord(b, seed)}},
                      /*rounds=*/10);
  return {buildWide(b, words[0], words[1]), buildWide(b, words[2], words[3])};
}

//===----------------------------------------------------------------------===//
// Reservations
//===----------------------------------------------------------------------===//

/// The static part of the number of elements, mod 2^64.
static uint64_t countStatic(Type drawType) {
  uint64_t count = 1;
  if (auto shaped = dyn_cast<ShapedType>(drawType))
    for (int64_t size : shaped.getShape())
      count *= ShapedType::isDynamic(size) ? 1 : size;
  return count;
}

std::optional<uint64_t> mlir::rng::countElementBlocks(Type drawType,
                                                      uint64_t divisor) {
  if (divisor == 0)
    return 1;
  uint64_t count = countStatic(drawType);
  auto shaped = dyn_cast<ShapedType>(drawType);
  if (shaped && !shaped.hasStaticShape() && count != 0)
    return std::nullopt;
  // Without a sum that could wrap.
  return count / divisor + (count % divisor > 0);
}

OpFoldResult mlir::rng::buildElementBlocks(OpBuilder &b, Location loc,
                                           Type drawType, ValueRange sizes,
                                           uint64_t divisor) {
  if (std::optional<uint64_t> blocks = countElementBlocks(drawType, divisor))
    return b.getI64IntegerAttr(int64_t(*blocks));
  assert(!sizes.empty() && "a dynamic type has a size for each such dimension");
  uint64_t count = countStatic(drawType);
  ImplicitLocOpBuilder builder(loc, b);
  Type i64 = b.getI64Type();
  Value total;
  for (Value size : sizes) {
    Value extent = arith::IndexCastUIOp::create(builder, i64, size);
    total = total ? arith::MulIOp::create(builder, total, extent).getResult()
                  : extent;
  }
  if (count != 1)
    total = arith::MulIOp::create(builder, total,
                                  createIntegerConstant(builder, i64, count));
  if (divisor == 1)
    return total;
  Value by = createIntegerConstant(builder, i64, divisor);
  Value full = arith::DivUIOp::create(builder, total, by);
  Value rest = arith::RemUIOp::create(builder, total, by);
  Value isPartial =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, rest,
                            createIntegerConstant(builder, i64, 0));
  Value more = arith::ExtUIOp::create(builder, i64, isPartial);
  return arith::AddIOp::create(builder, full, more).getResult();
}
