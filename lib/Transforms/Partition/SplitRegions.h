//===- SplitRegions.h - Loops and branches cut inside -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A loop of the forward and one of the backward that reads its tapes are cut
/// by one iteration of both, which is a joint function: what it saves are the
/// tapes to carry, and what it computes again is computed in the iteration of
/// the backward that uses it. A branch of the forward and one of the backward
/// of the same condition are cut likewise, for each of the two ways.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_SPLITREGIONS_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_SPLITREGIONS_H

#include "Partitioner.h"

namespace mlir::rng::cut {

/// Whether `block`, of a joint function, has loops or branches that
/// `splitRegions` looks at.
bool hasRegionsToSplit(Block &block);

/// Saves other values of the loops and branches of `joint`, where those are of
/// fewer bytes, and returns what the backward then computes again within them.
/// `model` is lent. Loops and branches inside of others are split as well.
RegionPlan splitRegions(FunctionOpInterface joint, const PureCalls &calls,
                        const PartitionOptions &options,
                        std::unique_ptr<CostModel> &model);

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_SPLITREGIONS_H
