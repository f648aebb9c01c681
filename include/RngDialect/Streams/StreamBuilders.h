//===- StreamBuilders.h - What streams are built of -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Pieces of IR that algorithms and conventions have in common. Operands are
/// scalars or vectors, all of one shape; what is built has that shape too, and
/// is made of ops of `arith` (and `math.fma`), so that it lowers everywhere.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_STREAMS_STREAMBUILDERS_H
#define RNGDIALECT_STREAMS_STREAMBUILDERS_H

#include "RngDialect/IR/RngAttrs.h"

namespace mlir::rng {

/// `element` in the shape of `like`: a scalar or a vector type.
Type withElementType(Type like, Type element);

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// `value`, a scalar attribute, in every lane of `type`.
Value createConstant(ImplicitLocOpBuilder &b, Type type, TypedAttr value);

/// The integer `value`, truncated to the element type, in every lane of `type`.
Value createIntegerConstant(ImplicitLocOpBuilder &b, Type type, uint64_t value);

/// The float `value` in every lane of `type`.
Value createFloatConstant(ImplicitLocOpBuilder &b, Type type, double value);

//===----------------------------------------------------------------------===//
// Words and counters
//===----------------------------------------------------------------------===//

/// The lower and the upper half (i32) of `value` (i64).
Value buildLowWord(ImplicitLocOpBuilder &b, Value value);
Value buildHighWord(ImplicitLocOpBuilder &b, Value value);

/// low | high << 32 (i64) of two words (i32).
Value buildWide(ImplicitLocOpBuilder &b, Value low, Value high);

/// A number of 128 bits as two of 64.
struct Wide128 {
  Value low;
  Value high;
};

/// `value` + `amount` (i64) mod 2^128.
Wide128 buildAdd128(ImplicitLocOpBuilder &b, Wide128 value, Value amount);

/// Counter and key of a 4x32 block function: the halves of `low` and `high`
/// (i64; null is 0), and of `seed`, the lower ones first.
CounterAndKey buildCounterAndKey(ImplicitLocOpBuilder &b, Value low, Value high,
                                 Value seed);

/// Philox4x32 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
/// SC 2011) with `rounds` rounds: the four words of the stream block.
SmallVector<Value> buildPhilox4x32(ImplicitLocOpBuilder &b,
                                   const CounterAndKey &in, unsigned rounds);

/// The seed (i64) of `rng.fold_in` of `seed` and `data`, and of result `data`
/// of `rng.split`; i64 values.
struct DerivedSeeds {
  Value folded;
  Value split;
};
DerivedSeeds buildDerivedSeeds(ImplicitLocOpBuilder &b, Value seed, Value data);

} // namespace mlir::rng

#endif // RNGDIALECT_STREAMS_STREAMBUILDERS_H
