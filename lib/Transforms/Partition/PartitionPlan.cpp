//===- PartitionPlan.cpp - The cut of a joint function ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A node for each op without a cotangent, two (in, out) for each value without
// one. Being on the source side means: computed in the forward.
//
//   source -> in(argument)   infinite
//   source -> op             cost of recomputing it; 0 if the forward has no
//                            need of it
//   out(operand) -> op       infinite, captured values too
//   op -> in(result)         infinite
//   in(v) -> out(v)          cost of saving v
//   out(v) -> sink           infinite, where the backward uses v or returns it
//
// A value cut between in and out is saved. An op on the sink side is computed
// in the backward, and the third line then asks for all its operands there. Of
// what the cut offers only that counts which is met on the way back from the
// demands.
//
// Under a budget the same choice is a `BudgetGraph`.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/Transforms/CutSolver/BudgetCut.h"
#include "RngDialect/Transforms/CutSolver/MinCut.h"
#include "RngDialect/Transforms/Partition/Partition.h"

using namespace mlir;
using namespace mlir::rng;

static constexpr unsigned kNone = JointGraph::kNone;

namespace {

/// A capacity, and why it is infinite if it is.
struct Price {
  uint64_t units = 0;
  StringRef reason = {};

  static Price never(StringRef reason) {
    return {MinCutGraph::kInfinite, reason};
  }
};

class Planner {
public:
  Planner(const JointGraph &graph, const CostModel &model,
          const CutOptions &options, bool underBudget);

  FailureOr<PartitionPlan> plan();
  FailureOr<PartitionPlan> planWithin(const MemoryBudget &budget);
  FailureOr<std::vector<ParetoPoint>> findCurve();

private:
  static constexpr unsigned kSource = 0;
  static constexpr unsigned kSink = 1;
  unsigned opNode(unsigned op) const { return 2 + op; }
  unsigned inNode(unsigned value) const {
    return 2 + graph.getNumOps() + 2 * value;
  }
  unsigned outNode(unsigned value) const { return inNode(value) + 1; }

  void findDemands();
  Price getSavePrice(unsigned value) const;
  /// Without `recomputeWeight`.
  Price getRecomputePrice(unsigned op) const;
  uint64_t weigh(Price recompute) const;
  MinCutGraph buildCutGraph() const;
  BudgetGraph buildBudgetGraph(std::vector<unsigned> &numberOf) const;
  LogicalResult reportImpossible() const;
  LogicalResult reportImpossible(ArrayRef<unsigned> path) const;
  /// Whether executing the op again is worth a word: the forward executes it
  /// too, and it is no constant.
  bool countsAsRecomputed(unsigned op) const {
    return graph.getClass(op) == OpClass::Forward &&
           !graph.getOperands(op).empty();
  }
  PartitionPlan readCut(function_ref<bool(unsigned value)> isCut) const;

  const JointGraph &graph;
  const CostModel &model;
  const CutOptions &options;
  /// Whether ops may be recomputed that are not by default.
  const bool underBudget;
  std::vector<bool> farJoins;
  /// For each value: the first op of class Backward that uses it, or the
  /// terminator; null where the backward does not ask for it.
  std::vector<Operation *> demandedBy;
  std::vector<unsigned> demands;
  /// For each value: the first primal that it is, kNone if none.
  std::vector<unsigned> primalOf;
  std::vector<bool> persistent;
};

} // namespace

Planner::Planner(const JointGraph &graph, const CostModel &model,
                 const CutOptions &options, bool underBudget)
    : graph(graph), model(model), options(options), underBudget(underBudget),
      farJoins(options.allowFarRecompute ? std::vector<bool>(graph.getNumOps())
                                         : findFarJoins(graph, model)),
      demandedBy(graph.getNumValues()), primalOf(graph.getNumValues(), kNone),
      persistent(graph.findPersistent()) {
  for (auto [index, value] : llvm::enumerate(graph.getPrimals()))
    if (primalOf[value] == kNone)
      primalOf[value] = index;
  findDemands();
}

void Planner::findDemands() {
  graph.forEachDemand([&](unsigned value, Operation *user) {
    if (demandedBy[value])
      return;
    demandedBy[value] = user;
    demands.push_back(value);
  });
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

/// cost * numerator / denominator, rounded up, without overflow.
static uint64_t scale(uint64_t cost, uint64_t numerator, uint64_t denominator) {
  numerator = std::min(numerator, MinCutGraph::kMaxFinite);
  uint64_t whole = MinCutGraph::saturatingMul(cost / denominator, numerator);
  uint64_t rest = MinCutGraph::saturatingMul(cost % denominator, numerator);
  return MinCutGraph::saturatingAdd(whole, rest / denominator +
                                               (rest % denominator != 0));
}

Price Planner::getSavePrice(unsigned value) const {
  Value v = graph.getValue(value);
  unsigned definer = graph.getDefiningOp(value);
  if (definer != kNone && graph.getOp(definer)->hasAttr(RngDialect::kRecompute))
    return Price::never("is ordered to be recomputed by 'rng.recompute'");
  bool isPrimal = primalOf[value] != kNone;
  // A view that is returned exists anyway; saving its source beside it would
  // return the same bytes twice.
  StringRef reason = model.getReasonNotToSave(v);
  if (!reason.empty() && !(isPrimal && isFullSizeView(v)))
    return Price::never(reason);
  if (persistent[value])
    return {};
  uint64_t cost = isa<ShapedType>(v.getType())
                      ? MinCutGraph::saturatingMul(model.getBytes(v.getType()),
                                                   CostModel::kUnitsPerByte)
                      : 1;
  if (graph.isArgument(value) || isPrimal)
    cost = scale(cost, options.argumentCostNumerator,
                 options.argumentCostDenominator);
  return {cost};
}

/// Whether an op in the regions of `op` is never to be computed again.
static bool hasOrderInside(Operation *op) {
  auto isOrdered = [](Operation *inner) {
    return inner->hasAttr(RngDialect::kSave) ? WalkResult::interrupt()
                                             : WalkResult::advance();
  };
  return llvm::any_of(op->getRegions(), [&](Region &region) {
    return region.walk(isOrdered).wasInterrupted();
  });
}

Price Planner::getRecomputePrice(unsigned op) const {
  Operation *operation = graph.getOp(op);
  if (operation->hasAttr(RngDialect::kSave))
    return Price::never("is ordered to be saved by 'rng.save'");
  if (hasOrderInside(operation))
    return Price::never("contains an op that is ordered to be saved by "
                        "'rng.save'");
  // Not computed in the forward otherwise, so nothing is done twice.
  if (graph.getClass(op) == OpClass::BackwardOnly)
    return {};
  RecomputeCost cost = model.getRecomputeCost(operation);
  bool isOrdered = operation->hasAttr(RngDialect::kRecompute);
  if (cost.kind == RecomputeCost::Impossible ||
      (cost.kind == RecomputeCost::Discouraged && !isOrdered && !underBudget))
    return Price::never(cost.reason);
  if (farJoins[op] && !isOrdered)
    return Price::never("joins a value with one that depends on it through a "
                        "contraction (see allow-far-recompute)");
  return {cost.work};
}

uint64_t Planner::weigh(Price recompute) const {
  if (recompute.units == MinCutGraph::kInfinite)
    return recompute.units;
  return MinCutGraph::saturatingMul(
      recompute.units,
      std::min(options.recomputeWeight, MinCutGraph::kMaxFinite));
}

//===----------------------------------------------------------------------===//
// The cut
//===----------------------------------------------------------------------===//

MinCutGraph Planner::buildCutGraph() const {
  MinCutGraph cutGraph;
  cutGraph.addNodes(2 + graph.getNumOps() + 2 * graph.getNumValues());
  for (unsigned value = 0, e = graph.getNumValues(); value != e; ++value) {
    if (graph.dependsOnCotangent(value))
      continue;
    unsigned definer = graph.getDefiningOp(value);
    if (definer == kNone) {
      cutGraph.addEdge(kSource, inNode(value), MinCutGraph::kInfinite);
    } else {
      if (graph.getClass(definer) == OpClass::Dead)
        continue;
      cutGraph.addEdge(opNode(definer), inNode(value), MinCutGraph::kInfinite);
    }
    cutGraph.addEdge(inNode(value), outNode(value), getSavePrice(value).units);
    if (demandedBy[value])
      cutGraph.addEdge(outNode(value), kSink, MinCutGraph::kInfinite);
  }
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op) {
    if (!graph.isFreeOfCotangents(op))
      continue;
    cutGraph.addEdge(kSource, opNode(op), weigh(getRecomputePrice(op)));
    for (unsigned operand : graph.getOperands(op))
      cutGraph.addEdge(outNode(operand), opNode(op), MinCutGraph::kInfinite);
  }
  return cutGraph;
}

/// `numberOf` yields the number of each value in the result.
BudgetGraph Planner::buildBudgetGraph(std::vector<unsigned> &numberOf) const {
  BudgetGraph budgetGraph;
  numberOf.assign(graph.getNumValues(), kNone);
  auto bytesOf = [&](unsigned value) -> uint64_t {
    if (getSavePrice(value).units == MinCutGraph::kInfinite)
      return BudgetGraph::kInfinite;
    return persistent[value]
               ? 0
               : std::min(model.getBytes(graph.getValue(value).getType()),
                          MinCutGraph::kMaxFinite);
  };
  for (unsigned i = 0, e = graph.getNumArguments(); i != e; ++i)
    if (!graph.isCotangent(i))
      numberOf[i] = budgetGraph.addArgument(bytesOf(i));
  std::vector<unsigned> operands;
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op) {
    if (!graph.isFreeOfCotangents(op))
      continue;
    operands.clear();
    for (unsigned operand : graph.getOperands(op))
      operands.push_back(numberOf[operand]);
    budgetGraph.addOp(operands, getRecomputePrice(op).units);
    for (unsigned result : graph.getResults(op))
      numberOf[result] = budgetGraph.addResult(bytesOf(result));
  }
  for (unsigned value : demands)
    budgetGraph.addDemand(numberOf[value]);
  return budgetGraph;
}

LogicalResult Planner::reportImpossible() const {
  MinCutResult cut = buildCutGraph().solve(kSource, kSink);
  assert(cut.isInfinite() && "there is a cut");
  return reportImpossible(cut.infinitePath);
}

LogicalResult Planner::reportImpossible(ArrayRef<unsigned> path) const {
  // The path alternates ops and values: source, [op], in, out, op, in, out,
  // ..., sink.
  SmallVector<std::pair<Operation *, std::string>> steps;
  unsigned firstOpNode = opNode(0), firstValueNode = inNode(0);
  unsigned last = kNone;
  for (unsigned node : path) {
    if (node >= firstOpNode && node < firstValueNode) {
      unsigned op = node - firstOpNode;
      steps.emplace_back(graph.getOp(op),
                         last == kNone ? "is not computed again: it " +
                                             getRecomputePrice(op).reason.str()
                                       : "needs that");
    } else if (node >= firstValueNode && (node - firstValueNode) % 2 == 1) {
      last = (node - firstValueNode) / 2;
      if (!steps.empty())
        steps.back().second +=
            "; its result is not saved: it " + getSavePrice(last).reason.str();
    }
  }
  Operation *user = demandedBy[last];
  steps.emplace_back(user, user == graph.getTerminator()
                               ? "returns it as a gradient"
                               : "uses it in the backward");
  unsigned first =
      (path[1] < firstValueNode) ? kNone : (path[1] - firstValueNode) / 2;
  InFlightDiagnostic diag = emitError(steps.front().first->getLoc());
  if (first == kNone)
    diag << "the backward needs what '" << steps.front().first->getName()
         << "' computes, but it can neither be saved nor computed again: "
            "remove an order (rng.save, rng.recompute) or the use";
  else
    diag << "the backward needs argument #" << first << ", which "
         << getSavePrice(first).reason;
  attachPath(diag, steps);
  return diag;
}

PartitionPlan Planner::readCut(function_ref<bool(unsigned)> isCut) const {
  PartitionPlan plan;
  plan.inBackward.assign(graph.getNumOps(), false);

  // Back from the demands, stopping at cut values.
  std::vector<bool> reached(graph.getNumValues()), saved(graph.getNumValues());
  std::vector<unsigned> stack;
  auto reach = [&](unsigned value) {
    if (!reached[value])
      stack.push_back(value);
    reached[value] = true;
  };
  for (unsigned value : demands)
    reach(value);
  while (!stack.empty()) {
    unsigned value = stack.back();
    stack.pop_back();
    if (isCut(value)) {
      saved[value] = true;
      plan.objective =
          MinCutGraph::saturatingAdd(plan.objective, getSavePrice(value).units);
      continue;
    }
    unsigned op = graph.getDefiningOp(value);
    if (plan.inBackward[op])
      continue;
    plan.inBackward[op] = true;
    plan.numRecomputed += countsAsRecomputed(op);
    Price price = getRecomputePrice(op);
    plan.recomputeCost =
        MinCutGraph::saturatingAdd(plan.recomputeCost, price.units);
    plan.objective = MinCutGraph::saturatingAdd(plan.objective, weigh(price));
    for (unsigned operand : graph.getOperands(op))
      reach(operand);
  }

  // Arguments of the forward are those of the joint function without the
  // cotangents.
  std::vector<unsigned> forwardArgument(graph.getNumArguments());
  unsigned numForwardArguments = 0;
  for (unsigned i = 0, e = graph.getNumArguments(); i != e; ++i)
    if (!graph.isCotangent(i))
      forwardArgument[i] = numForwardArguments++;
  unsigned numResults = graph.getPrimals().size();
  auto list = [&](bool shaped) {
    for (unsigned value = 0, e = graph.getNumValues(); value != e; ++value) {
      if (!saved[value] ||
          isa<ShapedType>(graph.getValue(value).getType()) != shaped)
        continue;
      if (graph.isArgument(value))
        plan.saved.push_back(
            {value, SavedKind::Argument, forwardArgument[value]});
      else if (primalOf[value] != kNone)
        plan.saved.push_back({value, SavedKind::Result, primalOf[value]});
      else
        plan.saved.push_back({value, SavedKind::New, numResults++});
    }
  };
  list(/*shaped=*/true);
  list(/*shaped=*/false);
  return plan;
}

FailureOr<PartitionPlan> Planner::plan() {
  MinCutResult cut = buildCutGraph().solve(kSource, kSink);
  if (cut.isInfinite())
    return reportImpossible(cut.infinitePath);
  return readCut([&](unsigned value) { return cut.sourceSide[inNode(value)]; });
}

//===----------------------------------------------------------------------===//
// Budgets
//===----------------------------------------------------------------------===//

FailureOr<PartitionPlan> Planner::planWithin(const MemoryBudget &budget) {
  std::vector<unsigned> numberOf;
  BudgetGraph budgetGraph = buildBudgetGraph(numberOf);
  std::optional<uint64_t> least;
  uint64_t bytes = budget.bytes;
  if (budget.isFraction) {
    least = budgetGraph.getLeastBytes();
    if (!least)
      return reportImpossible();
    bytes =
        budget.getBytes(*least, measurePartition(graph, {}, model).everything);
  }
  if (std::optional<BudgetChoice> choice = budgetGraph.solve(bytes))
    return readCut(
        [&](unsigned value) { return choice->saved[numberOf[value]]; });

  if (!least)
    least = budgetGraph.getLeastBytes();
  if (!least)
    return reportImpossible();
  FunctionOpInterface joint = graph.getFunction();
  InFlightDiagnostic diag = emitError(joint.getLoc())
                            << "the backward of '@" << joint.getName()
                            << "' needs at least " << *least
                            << " bytes saved, but memory-budget allows "
                            << bytes << ": raise it to " << *least
                            << " or more, or set memory-budget=0.0, the least";
  if (llvm::is_contained(farJoins, true))
    diag.attachNote(joint.getLoc())
        << "allow-far-recompute may lower what has to be saved";
  return diag;
}

FailureOr<std::vector<ParetoPoint>> Planner::findCurve() {
  std::vector<unsigned> numberOf;
  std::vector<BudgetChoice> choices = buildBudgetGraph(numberOf).findCurve();
  if (choices.empty())
    return reportImpossible();
  // In the order in which they are in the graph of the budget.
  std::vector<bool> counts;
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op)
    if (graph.isFreeOfCotangents(op))
      counts.push_back(countsAsRecomputed(op));
  std::vector<ParetoPoint> points;
  for (const BudgetChoice &choice : choices) {
    ParetoPoint point{choice.bytes, choice.work, 0, 0};
    for (auto [recomputed, counted] :
         llvm::zip_equal(choice.recomputed, counts))
      point.numRecomputed += recomputed && counted;
    point.numSaved = llvm::count(choice.saved, true);
    points.push_back(point);
  }
  return points;
}

FailureOr<PartitionPlan> mlir::rng::planPartition(const JointGraph &graph,
                                                  const CostModel &model,
                                                  const CutOptions &options) {
  bool underBudget = options.budget.has_value();
  Planner planner(graph, model, options, underBudget);
  return underBudget ? planner.planWithin(*options.budget) : planner.plan();
}

FailureOr<std::vector<ParetoPoint>>
mlir::rng::findParetoCurve(const JointGraph &graph, const CostModel &model,
                           const CutOptions &options) {
  return Planner(graph, model, options, /*underBudget=*/true).findCurve();
}
