//===- LoopTrips.h - How often a loop runs ----------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_LOOPTRIPS_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_LOOPTRIPS_H

#include "RngDialect/Transforms/Partition/CostModel.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::rng::cut {

/// The iterations of `loop`, if they are counted; a bound that is not constant
/// counts as a dynamic size of `model`.
std::optional<uint64_t> countTrips(LoopLikeOpInterface loop,
                                   const CostModel &model);

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_LOOPTRIPS_H
