//===- TestStreams.cpp - Streams of an embedder -----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestStreams.h"
#include "RngDialect/Streams/WordConversion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::test;

#include "TestStreamsDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "TestStreamsAttrs.cpp.inc"

void TestDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TestStreamsAttrs.cpp.inc"
      >();
  registerStateOps();
}

namespace {
/// The upper mantissa bits of the word or of two of them.
class HighBits : public WordConversion {
protected:
  Value buildUnit(ImplicitLocOpBuilder &b, Type elementType,
                  ArrayRef<Value> words) const override {
    Value bits = elementType.isF64() ? buildInteger64(b, words) : words[0];
    return buildUnitFromHighBits(b, elementType, bits);
  }
  Value buildScaled(ImplicitLocOpBuilder &b, Type elementType,
                    ArrayRef<Value> words, Value lo, Value hi) const override {
    return buildScaledSteps(b, buildUnit(b, elementType, words), lo, hi).value;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// An algorithm
//===----------------------------------------------------------------------===//

static constexpr unsigned kWords = 8;

const WordConversion &LinearAttr::getConversion() const {
  static const HighBits conversion;
  return conversion;
}

unsigned LinearAttr::getWordsPerBlock() const { return kWords; }

// A product, an addition and a shift each.
unsigned LinearAttr::getBlockWork() const { return 3 * kWords; }

SmallVector<Value> LinearAttr::generateBlock(ImplicitLocOpBuilder &b,
                                             Value seed, Value offset,
                                             Value block) const {
  Type i64 = block.getType();
  auto constant = [&](uint64_t value) {
    return createIntegerConstant(b, i64, value);
  };
  Value number = arith::AddIOp::create(b, offset, block);
  Value first = arith::MulIOp::create(b, number, constant(kWords));
  first = arith::AddIOp::create(b, first, seed);
  SmallVector<Value> words;
  for (unsigned j = 0; j < kWords; ++j) {
    Value position = arith::AddIOp::create(b, first, constant(j));
    Value product = arith::MulIOp::create(b, position, constant(getFactor()));
    words.push_back(buildHighWord(b, product));
  }
  return words;
}

//===----------------------------------------------------------------------===//
// A convention
//===----------------------------------------------------------------------===//

const WordConversion &ReversedAttr::getConversion() const {
  static const HighBits conversion;
  return conversion;
}

uint64_t ReversedAttr::getAdvanceDivisor(Distribution, Type) const { return 0; }

CounterAndKey ReversedAttr::placeCounter(ImplicitLocOpBuilder &b, Value seed,
                                         Value offset, Value block) const {
  return buildCounterAndKey(b, offset, block, seed);
}

SmallVector<Value> ReversedAttr::getSlotWords(Distribution distribution,
                                              Type elementType,
                                              ArrayRef<Value> words,
                                              unsigned slot) const {
  SmallVector<Value> reversed(llvm::reverse(words));
  return getConversion().getSlotWords(distribution, elementType, reversed,
                                      slot);
}
