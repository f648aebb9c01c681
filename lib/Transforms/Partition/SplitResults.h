//===- SplitResults.h - A structured op for each result ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A `linalg.generic` that yields an output and a mask is computed again as a
/// whole, with all that the output takes. Split by results, only what leads to
/// the mask is.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_SPLITRESULTS_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_SPLITRESULTS_H

#include "RngDialect/Transforms/JointFunctions/JointGraph.h"
#include "mlir/IR/Block.h"

namespace mlir::rng::cut {

/// Whether `block` has an op that `splitResults` splits: a `linalg.generic` on
/// tensors of several results and parallel loops alone, whose body reads none
/// of its outputs and whose outputs each have a place for each point.
bool hasResultsToSplit(Block &block);

/// Puts an op for each result in the place of such ops of `block`. It takes the
/// inputs that lead to its result and no others.
void splitResults(Block &block);

/// Counts what only the backward needs of an op that was split, and of which
/// the forward needs another result, as computed by the forward: to compute it
/// in the backward is to do it again.
void countPartsAsForward(JointGraph &graph);

/// Makes one op again of those in `block` that come of one, as far as no op
/// between them uses their results, and forgets which these are.
void joinResults(Block &block);

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_SPLITRESULTS_H
