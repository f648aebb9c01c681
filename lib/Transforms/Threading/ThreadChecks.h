//===- ThreadChecks.h - What cannot be threaded -----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Refuses, before anything is changed, what `rng-thread-state` cannot thread.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_THREADING_THREADCHECKS_H
#define RNGDIALECT_LIB_TRANSFORMS_THREADING_THREADCHECKS_H

#include "RngDialect/Transforms/GeneratorEffects/DrawingFunctions.h"
#include "RngDialect/Transforms/Threading/Passes.h"

namespace mlir::rng::threading {

using effects::DrawingFunction;
using effects::DrawingFunctions;

/// Where a function that is threaded has its state from.
enum class StateSource {
  /// The generators of the process; the signature stays.
  Generator,
  /// Its arguments; it returns the state after it.
  Arguments,
  /// Memory that it is given; the state is advanced there.
  Memory
};

StateSource getStateSource(DrawingFunction &function, ThreadStateEntry entry);

/// Whether calls in the module need another function than the one that keeps
/// the name.
bool needsTwin(DrawingFunction &function, ThreadStateEntry entry);

/// Whether `user` is a function that names `function` as its backward.
bool isForwardOf(Operation *user, DrawingFunction &function);

/// Reports all that cannot be threaded, one problem a function.
LogicalResult checkThreadable(DrawingFunctions &functions,
                              ThreadStateEntry entry);

} // namespace mlir::rng::threading

#endif // RNGDIALECT_LIB_TRANSFORMS_THREADING_THREADCHECKS_H
