//===- PeakPlan.h - Plans whose peak is bounded -----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Bounds the live bytes of the backward. No cut knows them: which values are
/// live together depends on all that is recomputed. So plans for several
/// budgets of saved bytes are measured.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_PEAKPLAN_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_PEAKPLAN_H

#include "RngDialect/Transforms/Partition/Partition.h"

namespace mlir::rng::cut {

/// Makes a plan as the options say, but for `CutOptions::peakBudget`.
using MakePlan = function_ref<FailureOr<PartitionPlan>(const CutOptions &)>;

/// A plan whose peak of live bytes is within `options.peakBudget`. Reports an
/// error and fails if `makePlan` does, or if none is found; it says the
/// smallest peak that was and a bound that no plan goes below.
FailureOr<PartitionPlan> planWithinPeak(const JointGraph &graph,
                                        const CostModel &model,
                                        const CutOptions &options,
                                        MakePlan makePlan);

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_PEAKPLAN_H
