//===- Xla.cpp - RngBitGenerator of XLA -------------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JaxConversion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::rng;

unsigned XlaAttr::getValuesPerBlock(Distribution, Type elementType) const {
  return getFourWordSlots(elementType);
}

OpFoldResult XlaAttr::getAdvance(OpBuilder &b, Location loc, Distribution,
                                 Type drawType, ValueRange sizes) const {
  return buildElementBlocks(b, loc, drawType, sizes,
                            getFourWordSlots(getElementTypeOrSelf(drawType)));
}

ElementPlace XlaAttr::placeElement(ImplicitLocOpBuilder &b, Distribution,
                                   Type elementType, Value index) const {
  return buildLinearPlace(b, index, getFourWordSlots(elementType));
}

CounterAndKey XlaAttr::placeCounter(ImplicitLocOpBuilder &b, Value seed,
                                    Value offset, Value block) const {
  Wide128 counter = buildAdd128(b, {offset, seed}, block);
  return buildCounterAndKey(b, counter.low, counter.high, seed);
}

SmallVector<Value> XlaAttr::getSlotWords(Distribution, Type elementType,
                                         ArrayRef<Value> words,
                                         unsigned slot) const {
  // Normal numbers are inverted, one by one.
  return getFourWordSlotWords(Distribution::Uniform, elementType, words, slot);
}

Value XlaAttr::convertWords(ImplicitLocOpBuilder &b, Distribution distribution,
                            Type elementType, ArrayRef<Value> words, Value slot,
                            ValueRange params) const {
  return JaxConversion().convert(b, distribution, elementType, words, slot,
                                 params);
}

std::string XlaAttr::describeSurprise(Distribution distribution,
                                      Type elementType,
                                      ArrayRef<TypedAttr> params) const {
  return JaxConversion().describeSurprise(distribution, elementType, params);
}
