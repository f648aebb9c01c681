//===- JudgedPlan.h - Far joins, judged by the peak -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Recomputing a residual addition can drag a chain of layers through the
/// backward, and recomputing a concatenation of skips spares its bytes for
/// nothing. What tells them apart is the peak of live bytes.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_JUDGEDPLAN_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_JUDGEDPLAN_H

#include "CutPrices.h"

namespace mlir::rng::cut {

/// The plan that saves, of the values on the way back from the demands, those
/// that a predicate names.
using ReadCut =
    function_ref<PartitionPlan(function_ref<bool(unsigned value)> isCut)>;

/// Between the cuts with far joins `closed` and `open`: all of `open` if that
/// saves no more, as the cut weighs bytes, at no higher peak of live bytes.
/// Otherwise the connected sets of values in which the two differ are tried, in
/// halves and in order of definition, and taken if the bytes fall and the peak
/// does not rise over the plan so far. At most 64 peaks are found, each in
/// linear time, so the answer may keep joins closed that would do no harm.
/// `prices` are those with far joins open, `farJoins` says which ops these are.
PartitionPlan judgeFarJoins(const JointGraph &graph, const CostModel &model,
                            const CutPrices &prices,
                            const std::vector<bool> &farJoins,
                            const PartitionPlan &closed,
                            const PartitionPlan &open, ReadCut readCut);

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_JUDGEDPLAN_H
