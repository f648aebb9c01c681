//===- StaticSizes.h - How large a type makes its values --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_STATICSIZES_H
#define RNGDIALECT_IR_STATICSIZES_H

#include "mlir/IR/BuiltinTypeInterfaces.h"

namespace mlir::rng {

/// Bytes that a value takes at most: 2^62. No machine addresses more, and the
/// sum of two such sizes, or one rounded up, is still an index.
inline constexpr uint64_t kMaxBytes = uint64_t(1) << 62;

/// The number of elements of `shape`, a dynamic size counting as 1, at most
/// UINT64_MAX. A size of 0 wins over all others.
uint64_t countStaticElements(ArrayRef<int64_t> shape);

/// The bytes that an element of `type` takes in memory: an integer or float
/// whole bytes, a power of two of them (an i1 is one byte), an index 8; two of
/// them for a complex number; of a vector those of its elements; 1 for all that
/// is not known. At most UINT64_MAX.
uint64_t countElementBytes(Type type);

/// The bytes of `shape` with elements of `elementType`, a dynamic size counting
/// as 1. At most UINT64_MAX.
uint64_t countStaticBytes(ArrayRef<int64_t> shape, Type elementType);

/// The bytes of a value of `type`, a dynamic size counting as 1; 0 without a
/// rank. At most UINT64_MAX.
uint64_t countStaticBytes(ShapedType type);

} // namespace mlir::rng

#endif // RNGDIALECT_IR_STATICSIZES_H
