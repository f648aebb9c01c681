//===- Threefry.cpp - Threefry2x32, the stream of JAX -----------*- C++ -*-===//
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
using namespace mlir::rng::streams;

/// Constants of the bijection (Salmon et al., SC 2011, and Random123).
static constexpr unsigned kRounds = 20;
static constexpr unsigned kRotations[] = {13, 15, 26, 6, 17, 29, 16, 24};
static constexpr uint32_t kParity = 0x1BD11BDA;

static Value buildRotateLeft(ImplicitLocOpBuilder &b, Value word,
                             unsigned amount) {
  Type type = word.getType();
  Value left =
      arith::ShLIOp::create(b, word, createIntegerConstant(b, type, amount));
  Value right = arith::ShRUIOp::create(
      b, word, createIntegerConstant(b, type, 32 - amount));
  return arith::OrIOp::create(b, left, right);
}

namespace {
class ThreefryConversion : public JaxConversion {
protected:
  Value buildInteger64(ImplicitLocOpBuilder &b,
                       ArrayRef<Value> words) const override {
    return buildWide(b, words[1], words[0]);
  }
};
} // namespace

const WordConversion &ThreefryAttr::getConversion() const {
  static const ThreefryConversion conversion;
  return conversion;
}

// A rotation is one instruction of a GPU: an addition, a rotation and an
// exclusive or a round, three additions each time that keys are injected.
unsigned ThreefryAttr::getBlockWork() const {
  return 3 * kRounds + 3 * (kRounds / 4) + 5;
}

unsigned ThreefryAttr::getValuesPerBlock(Distribution, Type) const { return 1; }

SmallVector<Value> ThreefryAttr::generateBlock(ImplicitLocOpBuilder &b,
                                               Value seed, Value offset,
                                               Value block) const {
  Value counter = arith::AddIOp::create(b, offset, block);
  Value keys[3] = {buildHighWord(b, seed), buildLowWord(b, seed)};
  Type i32 = keys[0].getType();
  keys[2] = arith::XOrIOp::create(b, keys[0], keys[1]);
  keys[2] =
      arith::XOrIOp::create(b, keys[2], createIntegerConstant(b, i32, kParity));
  Value x0 = arith::AddIOp::create(b, buildHighWord(b, counter), keys[0]);
  Value x1 = arith::AddIOp::create(b, buildLowWord(b, counter), keys[1]);
  for (unsigned round = 0; round < kRounds; ++round) {
    x0 = arith::AddIOp::create(b, x0, x1);
    x1 = buildRotateLeft(b, x1, kRotations[round % 8]);
    x1 = arith::XOrIOp::create(b, x1, x0);
    if (round % 4 != 3)
      continue;
    unsigned injection = round / 4 + 1;
    x0 = arith::AddIOp::create(b, x0, keys[injection % 3]);
    Value key = arith::AddIOp::create(b, keys[(injection + 1) % 3],
                                      createIntegerConstant(b, i32, injection));
    x1 = arith::AddIOp::create(b, x1, key);
  }
  return {x0, x1};
}

SmallVector<Value> ThreefryAttr::getSlotWords(Distribution, Type,
                                              ArrayRef<Value> words,
                                              unsigned) const {
  return llvm::to_vector(words);
}

Value ThreefryAttr::convertWords(ImplicitLocOpBuilder &b,
                                 Distribution distribution, Type elementType,
                                 ArrayRef<Value> words, Value slot,
                                 ValueRange params) const {
  // 64 bits take both words, all else their exclusive or.
  SmallVector<Value> used(words);
  if (elementType.getIntOrFloatBitWidth() != 64)
    used = {arith::XOrIOp::create(b, words[0], words[1])};
  return getConversion().convert(b, distribution, elementType, used, slot,
                                 params);
}
