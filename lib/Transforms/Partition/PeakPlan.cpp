//===- PeakPlan.cpp - Plans whose peak is bounded ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is saved is live from the start of the backward, so a plan whose peak is
// too high by some bytes is tried again with so many less to save. Where that
// ends, because what is computed again takes more than what it spares, budgets
// from the least to all that is used are tried.
//
//===----------------------------------------------------------------------===//

#include "PeakPlan.h"
#include "LiveBytes.h"
#include "RngDialect/Transforms/CutSolver/MinCut.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

namespace {

class PeakSearch {
public:
  PeakSearch(const JointGraph &graph, const CostModel &model,
             const CutOptions &options, MakePlan makePlan)
      : graph(graph), model(model), options(options), makePlan(makePlan),
        memory(graph, model) {}

  FailureOr<PartitionPlan> run();

private:
  /// Keeps `plan` if it is the best that fits, and returns its peak.
  uint64_t consider(PartitionPlan plan);
  /// Considers the plan of a budget and says by how much its peak is too high,
  /// 0 if it fits, and what it saves; nothing if there is no such plan.
  struct Tried {
    uint64_t excess, savedBytes;
  };
  std::optional<Tried> tryBudget(MemoryBudget budget);
  bool isBetter(const PartitionPlan &a, const PartitionPlan &b) const;
  void lowerFrom(uint64_t bytes, uint64_t excess);
  void tryFractions();
  uint64_t getSavedBytes(const PartitionPlan &plan) const {
    return measurePartition(graph, plan, model).saved;
  }
  uint64_t getLowerBound() const;
  LogicalResult reportTooSmall() const;

  const JointGraph &graph;
  const CostModel &model;
  const CutOptions &options;
  const MakePlan makePlan;
  const LiveBytesModel memory;
  std::optional<PartitionPlan> best;
  uint64_t leastPeak = ~uint64_t(0);
};

} // namespace

bool PeakSearch::isBetter(const PartitionPlan &a,
                          const PartitionPlan &b) const {
  if (options.budget)
    return a.recomputeCost < b.recomputeCost;
  return a.objective < b.objective;
}

uint64_t PeakSearch::consider(PartitionPlan plan) {
  uint64_t peak = memory.getPeak(plan.getSavedValues());
  leastPeak = std::min(leastPeak, peak);
  if (peak <= *options.peakBudget && (!best || isBetter(plan, *best)))
    best = std::move(plan);
  return peak;
}

std::optional<PeakSearch::Tried> PeakSearch::tryBudget(MemoryBudget budget) {
  CutOptions tried = options;
  tried.budget = budget;
  FailureOr<PartitionPlan> plan = makePlan(tried);
  if (failed(plan))
    return std::nullopt;
  uint64_t bytes = getSavedBytes(*plan);
  uint64_t peak = consider(std::move(*plan));
  return Tried{peak - std::min(peak, *options.peakBudget), bytes};
}

void PeakSearch::lowerFrom(uint64_t bytes, uint64_t excess) {
  constexpr unsigned kMaxPlans = 16;
  for (unsigned i = 0; i != kMaxPlans && excess != 0 && excess <= bytes; ++i) {
    MemoryBudget less;
    less.bytes = bytes - excess;
    std::optional<Tried> tried = tryBudget(less);
    if (!tried)
      return;
    bytes = tried->savedBytes;
    excess = tried->excess;
  }
}

void PeakSearch::tryFractions() {
  constexpr uint64_t kParts = 8;
  for (uint64_t part = 0; part <= kParts; ++part) {
    MemoryBudget budget;
    budget.isFraction = true;
    budget.numerator = MemoryBudget::kDenominator / kParts * part;
    tryBudget(budget);
  }
}

uint64_t PeakSearch::getLowerBound() const {
  std::vector<bool> persistent = graph.findPersistent();
  // Views share the bytes of other values, which may be among the values.
  auto takesNoBytes = [&](unsigned value) {
    Value v = graph.getValue(value);
    return persistent[value] || isFullSizeView(v) ||
           !model.getReasonNotToSave(v).empty();
  };
  // All gradients are live at the end, and the operands of an op with it.
  auto addAll = [&](ArrayRef<unsigned> values) {
    llvm::SmallDenseSet<unsigned> counted;
    uint64_t sum = 0;
    for (unsigned value : values)
      if (!takesNoBytes(value) && counted.insert(value).second)
        sum = MinCutGraph::saturatingAdd(
            sum, model.getBytes(graph.getValue(value).getType()));
    return sum;
  };
  uint64_t bound = addAll(graph.getGradients());
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op)
    if (graph.getClass(op) == OpClass::Backward)
      bound = std::max(bound, addAll(graph.getOperands(op)));
  return bound;
}

LogicalResult PeakSearch::reportTooSmall() const {
  FunctionOpInterface joint = graph.getFunction();
  return emitError(joint.getLoc())
         << "the backward of '@" << joint.getName() << "' has " << leastPeak
         << " bytes live at its peak in the best plan found"
         << (options.budget ? " within memory-budget" : "")
         << ", but peak-budget allows " << *options.peakBudget
         << ": raise it to " << leastPeak
         << " or more; no plan has a peak below " << getLowerBound();
}

FailureOr<PartitionPlan> PeakSearch::run() {
  FailureOr<PartitionPlan> plan = makePlan(options);
  if (failed(plan))
    return failure();
  uint64_t bytes = getSavedBytes(*plan);
  uint64_t peak = consider(*plan);
  if (best)
    return std::move(*best);
  {
    // A budget below the least is no error here, but the end of the way.
    ScopedDiagnosticHandler silence(graph.getFunction().getContext(),
                                    [](Diagnostic &) { return success(); });
    lowerFrom(bytes, peak - *options.peakBudget);
    // More may be saved only where no budget forbids it.
    if (!best && !options.budget)
      tryFractions();
  }
  if (!best)
    return reportTooSmall();
  // What was asked for, not the budgets on the way; a bound on plans of any
  // peak holds for these.
  best->recomputeBound = plan->recomputeBound;
  best->budgetBytes = plan->budgetBytes;
  return std::move(*best);
}

FailureOr<PartitionPlan>
mlir::rng::cut::planWithinPeak(const JointGraph &graph, const CostModel &model,
                               const CutOptions &options, MakePlan makePlan) {
  assert(options.peakBudget && "a budget to keep to");
  return PeakSearch(graph, model, options, makePlan).run();
}
