//===- CallGroups.h - Callees before their callers --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order in which everything that follows calls looks at functions: one call
// graph, upstream's, for threading, for side effects and for the checks of
// streams.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_CALLGROUPS_H
#define RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_CALLGROUPS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include <vector>

namespace mlir::rng::effects {

/// Functions that can call each other, directly or through others.
struct CallGroup {
  SmallVector<FunctionOpInterface, 1> functions;
  /// Whether a run of one can call the function itself.
  bool isRecursive = false;
};

/// The functions that are defined in `op`, in symbol tables nested in it too,
/// callees in groups before those of their callers. Only calls of functions by
/// name count (`CallOpInterface`). The order depends on the program alone.
std::vector<CallGroup> getCallGroups(Operation *op);

} // namespace mlir::rng::effects

#endif // RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_CALLGROUPS_H
