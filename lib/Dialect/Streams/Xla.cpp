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
using namespace mlir::rng::streams;

const WordConversion &XlaAttr::getConversion() const {
  static const JaxConversion conversion;
  return conversion;
}

CounterAndKey XlaAttr::placeCounter(ImplicitLocOpBuilder &b, Value seed,
                                    Value offset, Value block) const {
  Wide128 counter = buildAdd128(b, {offset, seed}, block);
  return buildCounterAndKey(b, counter.low, counter.high, seed);
}
