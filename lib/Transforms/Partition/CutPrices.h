//===- CutPrices.h - What a cut weighs --------------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The prices of saving a value and of computing an op again, and why either is
/// out of the question: what the cut, the plan within a budget, and the answers
/// to "why is this saved?" have in common.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_CUTPRICES_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_CUTPRICES_H

#include "RngDialect/Transforms/CutSolver/MinCut.h"
#include "RngDialect/Transforms/Partition/Partition.h"

namespace mlir::rng::cut {

/// A capacity, and why it is infinite if it is.
struct Price {
  /// In units of `CostModel`.
  uint64_t units = 0;
  /// A clause about the value or op: "is a contraction".
  StringRef reason = {};

  static Price never(StringRef reason) {
    assert(!reason.empty() && "a user has to be told why");
    return {MinCutGraph::kInfinite, reason};
  }
  bool isNever() const { return units == MinCutGraph::kInfinite; }
};

/// What the values and ops of a joint function cost, and which of them the
/// backward asks for.
class CutPrices {
public:
  /// `underBudget`: whether ops that are `RecomputeCost::Discouraged` may be
  /// recomputed. `closedJoins`: for each op whether the far-recompute rule
  /// keeps it from being recomputed. The other arguments outlive the prices.
  CutPrices(const JointGraph &graph, const CostModel &model,
            const CutOptions &options, bool underBudget,
            std::vector<bool> closedJoins);

  /// Of handing `value` from the forward to the backward. Only a value without
  /// a cotangent has one.
  Price getSavePrice(unsigned value) const;
  /// Of executing `op` in the backward, without `recomputeWeight`. Only an op
  /// without a cotangent has one.
  Price getRecomputePrice(unsigned op) const {
    assert(graph.isFreeOfCotangents(op) && "only the backward computes it");
    return recomputePrices[op];
  }
  /// The price as the cut sees it, with `recomputeWeight`.
  uint64_t weigh(Price recompute) const;
  /// Bytes of `value` as budgets count them: infinite if it is never saved.
  uint64_t getBudgetBytes(unsigned value) const;

  /// Whether executing the op again is worth a word: the forward executes it
  /// too, and it is no constant.
  bool countsAsRecomputed(unsigned op) const {
    return graph.getClass(op) == OpClass::Forward &&
           !graph.getOperands(op).empty();
  }
  bool isPersistent(unsigned value) const { return persistent[value]; }
  /// The first primal result that the value is, `JointGraph::kNone` if none.
  unsigned getPrimal(unsigned value) const { return primalOf[value]; }
  bool isPrimal(unsigned value) const {
    return primalOf[value] != JointGraph::kNone;
  }

  /// The values that the backward asks for, in the order of their first uses.
  ArrayRef<unsigned> getDemands() const { return demands; }
  /// The first op of class Backward that uses the value, or the terminator;
  /// null where the backward does not ask for it.
  Operation *getDemander(unsigned value) const { return demandedBy[value]; }

private:
  void findDemands();
  Price findRecomputePrice(unsigned op) const;

  const JointGraph &graph;
  const CostModel &model;
  const CutOptions &options;
  const bool underBudget;
  std::vector<bool> closedJoins;
  std::vector<Operation *> demandedBy;
  std::vector<unsigned> demands;
  std::vector<unsigned> primalOf;
  std::vector<bool> persistent;
  /// Each cut that is read asks for those of all ops that it recomputes.
  std::vector<Price> recomputePrices;
};

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_CUTPRICES_H
