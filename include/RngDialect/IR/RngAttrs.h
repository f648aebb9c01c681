//===- RngAttrs.h - Algorithms, conventions, saved values -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_RNGATTRS_H
#define RNGDIALECT_IR_RNGATTRS_H

#include "RngDialect/IR/RngDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"

#include "RngDialect/IR/RngEnums.h.inc"

namespace mlir::rng {

class WordConversion;

/// Where an element of a draw comes from: the stream block (i64) and the slot
/// in it (i32), or vectors of both.
struct ElementPlace {
  Value block;
  Value slot;
};

/// The words (i32 or vectors of i32, least significant first) that a 4x32 block
/// function takes.
struct CounterAndKey {
  Value counter[4];
  Value key[2];
};

//===----------------------------------------------------------------------===//
// What streams do by default
//===----------------------------------------------------------------------===//

/// Words that one value takes: 64-bit types take two.
unsigned getWordsPerValue(Type elementType);

/// The place of `index` (i64) where a stream block holds `slots` neighbours, a
/// power of two: stream block index / slots, slot index % slots.
ElementPlace buildLinearPlace(ImplicitLocOpBuilder &b, Value index,
                              unsigned slots);

/// The number of elements of `drawType` divided by `divisor` and rounded up,
/// mod 2^64, if it is static; 1 if `divisor` is 0.
std::optional<uint64_t> countElementBlocks(Type drawType, uint64_t divisor);

/// The same as an `IntegerAttr` (i64), or as an i64 value made of the dynamic
/// dimensions `sizes` of `drawType`.
OpFoldResult buildElementBlocks(OpBuilder &b, Location loc, Type drawType,
                                ValueRange sizes, uint64_t divisor);

namespace detail {
/// Methods of `conversion`, which the headers of attributes do not know.
SmallVector<Value> getSlotWords(const WordConversion &conversion,
                                Distribution distribution, Type elementType,
                                ArrayRef<Value> words, unsigned slot);
Value convertWords(const WordConversion &conversion, ImplicitLocOpBuilder &b,
                   Distribution distribution, Type elementType,
                   ArrayRef<Value> words, Value slot, ValueRange params);
std::string describeSurprise(const WordConversion &conversion,
                             Distribution distribution, Type elementType,
                             ArrayRef<TypedAttr> params);
unsigned getWork(const WordConversion &conversion, Distribution distribution,
                 Type elementType, unsigned blockWork, unsigned valuesPerBlock);
} // namespace detail

} // namespace mlir::rng

#include "RngDialect/IR/RngAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "RngDialect/IR/RngAttrs.h.inc"

namespace mlir::rng {

/// The algorithm of draws that name none: `#rng.philox`.
RngAlgorithmAttrInterface getDefaultAlgorithm(MLIRContext *context);

} // namespace mlir::rng

#endif // RNGDIALECT_IR_RNGATTRS_H
