//===- CutPrices.cpp - What a cut weighs ------------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CutPrices.h"
#include "Orders.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

static constexpr unsigned kNone = JointGraph::kNone;

CutPrices::CutPrices(const JointGraph &graph, const CostModel &model,
                     const CutOptions &options, bool underBudget,
                     std::vector<bool> closedJoins)
    : graph(graph), model(model), options(options), underBudget(underBudget),
      closedJoins(std::move(closedJoins)), demandedBy(graph.getNumValues()),
      primalOf(graph.getNumValues(), kNone), persistent(graph.findPersistent()),
      recomputePrices(graph.getNumOps()) {
  for (auto [index, value] : llvm::enumerate(graph.getPrimals()))
    if (primalOf[value] == kNone)
      primalOf[value] = index;
  findDemands();
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op)
    if (graph.isFreeOfCotangents(op))
      recomputePrices[op] = findRecomputePrice(op);
}

void CutPrices::findDemands() {
  graph.forEachDemand([&](unsigned value, Operation *user) {
    if (demandedBy[value])
      return;
    demandedBy[value] = user;
    demands.push_back(value);
  });
}

/// cost * numerator / denominator, rounded up, without overflow.
static uint64_t scale(uint64_t cost, uint64_t numerator, uint64_t denominator) {
  numerator = std::min(numerator, MinCutGraph::kMaxFinite);
  uint64_t whole = MinCutGraph::saturatingMul(cost / denominator, numerator);
  uint64_t rest = MinCutGraph::saturatingMul(cost % denominator, numerator);
  return MinCutGraph::saturatingAdd(whole, rest / denominator +
                                               (rest % denominator != 0));
}

Price CutPrices::getSavePrice(unsigned value) const {
  assert(!graph.dependsOnCotangent(value) &&
         "the forward has no such value to save");
  Value v = graph.getValue(value);
  unsigned definer = graph.getDefiningOp(value);
  if (definer != kNone && getOrder(graph.getOp(definer)) == Order::Recompute)
    return Price::never("is ordered to be recomputed by 'rng.recompute'");
  // A view that is returned exists anyway; saving its source beside it would
  // return the same bytes twice.
  StringRef reason = model.getReasonNotToSave(v);
  if (!reason.empty() && !(isPrimal(value) && isFullSizeView(v)))
    return Price::never(reason);
  if (persistent[value])
    return {};
  uint64_t cost = isa<ShapedType>(v.getType())
                      ? model.getSavePrice(model.getBytes(v.getType()))
                      : 1;
  if (graph.isArgument(value) || isPrimal(value))
    cost = scale(cost, options.argumentCostNumerator,
                 options.argumentCostDenominator);
  return {cost};
}

Price CutPrices::findRecomputePrice(unsigned op) const {
  Operation *operation = graph.getOp(op);
  Order order = getOrder(operation);
  if (order == Order::Save)
    return Price::never("is ordered to be saved by 'rng.save'");
  if (hasSaveInside(operation, model.getPureCalls()))
    return Price::never("contains an op that is ordered to be saved by "
                        "'rng.save'");
  // Not computed in the forward otherwise, so nothing is done twice.
  if (graph.getClass(op) == OpClass::BackwardOnly)
    return {};
  RecomputeCost cost = model.getRecomputeCost(operation);
  bool isOrdered = order == Order::Recompute;
  if (cost.kind == RecomputeCost::Impossible ||
      (cost.kind == RecomputeCost::Discouraged && !isOrdered && !underBudget))
    return Price::never(cost.reason);
  if (closedJoins[op] && !isOrdered)
    return Price::never("joins a value with one that depends on it through a "
                        "contraction, and computing it again may raise the "
                        "peak of the backward (see allow-far-recompute)");
  return {model.getPrice(cost)};
}

uint64_t CutPrices::weigh(Price recompute) const {
  if (recompute.isNever())
    return recompute.units;
  return MinCutGraph::saturatingMul(
      recompute.units,
      std::min(options.recomputeWeight, MinCutGraph::kMaxFinite));
}

uint64_t CutPrices::getBudgetBytes(unsigned value) const {
  if (getSavePrice(value).isNever())
    return MinCutGraph::kInfinite;
  if (persistent[value])
    return 0;
  return std::min(model.getBytes(graph.getValue(value).getType()),
                  MinCutGraph::kMaxFinite);
}
