//===- ThreadGroups.h - Several elements a thread ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which elementwise ops are done in groups, and how many elements a thread
/// does.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_BUFFERSTOGPU_THREADGROUPS_H
#define RNGDIALECT_LIB_CONVERSION_BUFFERSTOGPU_THREADGROUPS_H

#include "RngDialect/Conversion/Structured/OperandAccess.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::rng::kernels {

/// Threads of a thread block.
inline constexpr int64_t kGroupThreads = 256;

/// What a thread does in the main path: `groups` groups of `lanes` consecutive
/// elements. With several groups, those of a thread block lie side by side,
/// first the first group of each thread, so that neighbouring threads access
/// neighbouring memory.
struct GroupShape {
  int64_t lanes;
  int64_t groups;

  /// Elements that a thread does.
  int64_t getElements() const { return lanes * groups; }
  /// Elements that a thread block does.
  int64_t getTile() const { return getElements() * kGroupThreads; }
};

/// Whether `op` has so few points, known now, that their numbers, and those of
/// the threads of a kernel for them, fit into 31 bits.
bool hasNarrowIndices(linalg::LinalgOp op);

/// How `op` is done in groups; none if it does not fit.
std::optional<GroupShape> findGroupShape(linalg::LinalgOp op);

} // namespace mlir::rng::kernels

#endif // RNGDIALECT_LIB_CONVERSION_BUFFERSTOGPU_THREADGROUPS_H
