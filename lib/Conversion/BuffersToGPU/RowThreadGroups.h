//===- RowThreadGroups.h - Groups of elements of a row ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_BUFFERSTOGPU_ROWTHREADGROUPS_H
#define RNGDIALECT_LIB_CONVERSION_BUFFERSTOGPU_ROWTHREADGROUPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::rng::kernels {

/// Distributes `op`, elementwise on buffers with one row (all loops of `sizes`
/// but the innermost have size 1), over the `numThreads` threads of a thread
/// block, of which `thread` is one, in groups of neighbours: they share
/// stream blocks and accesses of up to 16 bytes. What is left of the row, and
/// everything if a row does not start where a stream block does or is not
/// aligned, is done an element at a time. Returns false if `op` has no groups;
/// nothing is built then.
bool buildRowGroups(OpBuilder &b, linalg::LinalgOp op,
                    ArrayRef<OpFoldResult> sizes, Value thread,
                    int64_t numThreads);

} // namespace mlir::rng::kernels

#endif // RNGDIALECT_LIB_CONVERSION_BUFFERSTOGPU_ROWTHREADGROUPS_H
