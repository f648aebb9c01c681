//===- CutReasons.cpp - Why values are saved --------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Also why ops are not computed again. Both follow from the prices that the cut
// was made by, so no text here says anything that the cut does not go by.
//
//===----------------------------------------------------------------------===//

#include "CutPrices.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

/// Why the plan saves `value`.
static std::string explainSaved(const JointGraph &graph,
                                const CutPrices &prices, bool underBudget,
                                unsigned value) {
  if (prices.isPersistent(value))
    return "the backward needs it, and saving it is free: it is marked "
           "'rng.persistent'";
  if (graph.isArgument(value))
    return "the backward needs it, and no op computes an argument again";
  unsigned op = graph.getDefiningOp(value);
  Price again = prices.getRecomputePrice(op);
  std::string name =
      ("'" + graph.getOp(op)->getName().getStringRef() + "'").str();
  if (again.isNever())
    return "the backward needs it, and " + name +
           " is not computed again: it " + again.reason.str();
  if (underBudget)
    return "the budget has room for it, and computing " + name +
           " again costs " + std::to_string(again.units) +
           " units, and what its operands cost";
  return "saving it costs " + std::to_string(prices.getSavePrice(value).units) +
         " units, no more than computing " + name +
         " again: " + std::to_string(prices.weigh(again)) +
         " units, and what its operands cost";
}

PlanReasons mlir::rng::explainPlan(const JointGraph &graph,
                                   const CostModel &model,
                                   const CutOptions &options,
                                   const PartitionPlan &plan) {
  bool underBudget = options.budget.has_value();
  CutPrices prices(graph, model, options, underBudget, plan.closedJoins);
  PlanReasons reasons;
  for (const SavedValue &saved : plan.saved)
    reasons.saved.push_back(
        explainSaved(graph, prices, underBudget, saved.value));
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op) {
    if (!graph.isFreeOfCotangents(op))
      continue;
    Price price = prices.getRecomputePrice(op);
    if (price.isNever())
      reasons.notRecomputed.emplace_back(op, "it " + price.reason.str());
  }
  return reasons;
}
