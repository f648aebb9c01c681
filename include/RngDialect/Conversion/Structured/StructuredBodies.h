//===- StructuredBodies.h - Points of structured ops ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a structured op on buffers does at one point of its loops, for loops of
/// the host and for threads of a kernel alike.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_STRUCTURED_STRUCTUREDBODIES_H
#define RNGDIALECT_CONVERSION_STRUCTURED_STRUCTUREDBODIES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::rng::structured {

/// The results of `map` at `indices`; `map` has no symbols.
SmallVector<Value> buildAccess(OpBuilder &b, Location loc, AffineMap map,
                               ValueRange indices);

/// The sizes of the loops of `op`.
SmallVector<OpFoldResult> buildLoopSizes(OpBuilder &b, linalg::LinalgOp op);

/// Inlines the body of `op` for the point `indices`, without the op `without`
/// and the terminator. `accumulators` replace what the results hold so far, and
/// `inputs`, if given, what is to be loaded; both may be null where nobody
/// asks. `known` has values of the body that need not be computed any more.
/// Returns what the values of the body have become.
IRMapping buildBodyOps(OpBuilder &b, linalg::LinalgOp op, ValueRange indices,
                       ValueRange accumulators, ArrayRef<Value> inputs = {},
                       Operation *without = nullptr,
                       const IRMapping &known = IRMapping());

/// Inlines the body of `op` and returns what it yields.
SmallVector<Value> buildBody(OpBuilder &b, linalg::LinalgOp op,
                             ValueRange indices, ValueRange accumulators,
                             ArrayRef<Value> inputs = {},
                             const IRMapping &known = IRMapping());

/// What the results hold at `indices`; null where nobody asks, unless `all`.
SmallVector<Value> buildInitLoads(OpBuilder &b, linalg::LinalgOp op,
                                  ValueRange indices, bool all);

/// Stores `values` where the results are at `indices`.
void buildResultStores(OpBuilder &b, linalg::LinalgOp op, ValueRange values,
                       ValueRange indices);

/// Nested loops over `dims` of `sizes`, outermost first, that carry `values`;
/// `indices` gets their induction variables. Returns the last values.
SmallVector<Value>
buildLoops(OpBuilder &b, Location loc, ArrayRef<unsigned> dims,
           ArrayRef<OpFoldResult> sizes, MutableArrayRef<Value> indices,
           ValueRange values,
           function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> body);

} // namespace mlir::rng::structured

#endif // RNGDIALECT_CONVERSION_STRUCTURED_STRUCTUREDBODIES_H
