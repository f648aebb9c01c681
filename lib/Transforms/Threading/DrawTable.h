//===- DrawTable.h - Where draws are in their streams -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table that `rng-thread-state` writes with `report`: a line a draw.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_THREADING_DRAWTABLE_H
#define RNGDIALECT_LIB_TRANSFORMS_THREADING_DRAWTABLE_H

#include "mlir/IR/Operation.h"

namespace mlir::rng::threading {

/// A draw of a program that has been threaded.
struct DrawTableRow {
  std::string function, location;
  /// "@g", or "default".
  std::string generator;
  /// What the offset counts from, and the stream blocks after that.
  std::string base;
  uint64_t delta;
  std::string type, distribution;
};

void printDrawTable(llvm::raw_ostream &os, ArrayRef<DrawTableRow> rows);

} // namespace mlir::rng::threading

#endif // RNGDIALECT_LIB_TRANSFORMS_THREADING_DRAWTABLE_H
