//===- OpenCalls.h - Bodies in the place of calls ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A call is one op to the cut: it is computed again as a whole or not at all,
/// and what its function computes inside cannot be saved. With the body in its
/// place each op of it is a choice.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_OPENCALLS_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_OPENCALLS_H

#include "RngDialect/Transforms/GeneratorEffects/PureCalls.h"

namespace mlir::rng::cut {

/// Whether `joint` calls, not inside of other ops, a pure function of one basic
/// block; a call with an order (`rng.save`, `rng.recompute`) stays one.
bool hasCallsToOpen(FunctionOpInterface joint, const PureCalls &calls);

/// Puts bodies in the place of such calls of `joint`, a function outside of the
/// module, and of those in these bodies, and merges ops that then compute the
/// same. A call that cannot be inlined stays.
void openCalls(FunctionOpInterface joint, const PureCalls &calls);

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_OPENCALLS_H
