//===- CheckTypes.h - Types that no lowering keeps --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_LOWERINGCHECKS_CHECKTYPES_H
#define RNGDIALECT_CONVERSION_LOWERINGCHECKS_CHECKTYPES_H

#include "mlir/IR/Operation.h"

namespace mlir::rng {

/// Lowerings write out code for the elements of a vector: one with more than
/// this many is refused.
inline constexpr int64_t kMaxVectorElements = int64_t(1) << 16;

/// In kernels, each element is instructions of its own, and the backend takes
/// more than linear time for a stretch of them.
inline constexpr int64_t kMaxKernelVectorElements = int64_t(1) << 12;

/// Reports an error of `op` if `type`, of one of its values, is a vector of
/// more than `maxElements`.
LogicalResult checkVectorSize(Operation *op, Type type,
                              int64_t maxElements = kMaxVectorElements);

/// Reports the first op below `root` that has a value, or a function an
/// argument or result, of a type that no lowering keeps: more than `kMaxBytes`
/// of static size, a vector of more than `kMaxVectorElements`, a tensor with an
/// encoding.
LogicalResult checkTypes(Operation *root);

/// Reports likewise a tensor that no buffer can take the place of: one with an
/// encoding, or with elements that memory does not have.
LogicalResult checkBufferTypes(Operation *root);

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_LOWERINGCHECKS_CHECKTYPES_H
