//===- CheckDraws.h - Draws that no lowering defines ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_LOWERINGCHECKS_CHECKDRAWS_H
#define RNGDIALECT_CONVERSION_LOWERINGCHECKS_CHECKDRAWS_H

#include "RngDialect/IR/RngOps.h"

namespace mlir::rng {

/// Reports the first draw below `root` that its algorithm does not define yet,
/// or of a vector that is too large, or nothing. `filter` chooses the draws
/// looked at, all if null.
LogicalResult
checkStatelessDraws(Operation *root,
                    function_ref<bool(StatelessDrawOpInterface)> filter = {});

/// Reports each stateful draw below `root`: lowerings want them threaded.
LogicalResult checkNoStatefulDraws(Operation *root);

/// Reports the first `rng.reserve_memory` below `root` that cannot be lowered:
/// in code that threads run, or on memory of an unknown layout or space.
LogicalResult checkReserveMemory(Operation *root);

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_LOWERINGCHECKS_CHECKDRAWS_H
