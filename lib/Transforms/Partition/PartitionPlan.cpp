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

#include "CutPrices.h"
#include "JudgedPlan.h"
#include "PeakPlan.h"
#include "RngDialect/Transforms/CutSolver/BudgetCut.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

static constexpr unsigned kNone = JointGraph::kNone;

namespace {

/// Cuts a joint function, by price or within a budget.
class Planner {
public:
  Planner(const JointGraph &graph, const CostModel &model,
          const CutOptions &options, bool underBudget,
          std::vector<bool> closedJoins)
      : graph(graph), model(model),
        prices(graph, model, options, underBudget, std::move(closedJoins)) {}

  FailureOr<PartitionPlan> plan();
  FailureOr<PartitionPlan> planWithin(const MemoryBudget &budget);
  FailureOr<std::vector<ParetoPoint>> findCurve();
  /// The plan that saves, of the values it meets, those that `isCut`.
  PartitionPlan readCut(function_ref<bool(unsigned value)> isCut) const;
  const CutPrices &getPrices() const { return prices; }

private:
  static constexpr unsigned kSource = 0;
  static constexpr unsigned kSink = 1;
  unsigned opNode(unsigned op) const { return 2 + op; }
  unsigned inNode(unsigned value) const {
    return 2 + graph.getNumOps() + 2 * value;
  }
  unsigned outNode(unsigned value) const { return inNode(value) + 1; }

  MinCutGraph buildCutGraph() const;
  BudgetGraph buildBudgetGraph(std::vector<unsigned> &numberOf) const;
  LogicalResult reportImpossible() const;
  LogicalResult reportImpossible(ArrayRef<unsigned> path) const;
  LogicalResult reportTooSmall(uint64_t least, uint64_t allowed) const;
  std::vector<SavedValue> listSaved(const std::vector<bool> &isSaved) const;

  const JointGraph &graph;
  const CostModel &model;
  const CutPrices prices;
};

} // namespace

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
    cutGraph.addEdge(inNode(value), outNode(value),
                     prices.getSavePrice(value).units);
    if (prices.getDemander(value))
      cutGraph.addEdge(outNode(value), kSink, MinCutGraph::kInfinite);
  }
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op) {
    if (!graph.isFreeOfCotangents(op))
      continue;
    cutGraph.addEdge(kSource, opNode(op),
                     prices.weigh(prices.getRecomputePrice(op)));
    for (unsigned operand : graph.getOperands(op))
      cutGraph.addEdge(outNode(operand), opNode(op), MinCutGraph::kInfinite);
  }
  return cutGraph;
}

/// `numberOf` yields the number of each value in the result.
BudgetGraph Planner::buildBudgetGraph(std::vector<unsigned> &numberOf) const {
  BudgetGraph budgetGraph;
  numberOf.assign(graph.getNumValues(), kNone);
  for (unsigned i = 0, e = graph.getNumArguments(); i != e; ++i)
    if (!graph.isCotangent(i))
      numberOf[i] = budgetGraph.addArgument(prices.getBudgetBytes(i));
  std::vector<unsigned> operands;
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op) {
    if (!graph.isFreeOfCotangents(op))
      continue;
    operands.clear();
    for (unsigned operand : graph.getOperands(op))
      operands.push_back(numberOf[operand]);
    budgetGraph.addOp(operands, prices.getRecomputePrice(op).units);
    for (unsigned result : graph.getResults(op))
      numberOf[result] = budgetGraph.addResult(prices.getBudgetBytes(result));
  }
  for (unsigned value : prices.getDemands())
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
                         last == kNone
                             ? "is not computed again: it " +
                                   prices.getRecomputePrice(op).reason.str()
                             : "needs that");
    } else if (node >= firstValueNode && (node - firstValueNode) % 2 == 1) {
      last = (node - firstValueNode) / 2;
      if (!steps.empty())
        steps.back().second += "; its result is not saved: it " +
                               prices.getSavePrice(last).reason.str();
    }
  }
  Operation *user = prices.getDemander(last);
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
         << prices.getSavePrice(first).reason;
  attachPath(diag, steps);
  return diag;
}

PartitionPlan Planner::readCut(function_ref<bool(unsigned)> isCut) const {
  PartitionPlan plan;
  plan.inBackward.assign(graph.getNumOps(), false);
  plan.closedJoins.assign(graph.getNumOps(), false);

  // Back from the demands, stopping at cut values.
  std::vector<bool> reached(graph.getNumValues()), saved(graph.getNumValues());
  std::vector<unsigned> stack;
  auto reach = [&](unsigned value) {
    if (!reached[value])
      stack.push_back(value);
    reached[value] = true;
  };
  for (unsigned value : prices.getDemands())
    reach(value);
  while (!stack.empty()) {
    unsigned value = stack.back();
    stack.pop_back();
    if (isCut(value)) {
      saved[value] = true;
      plan.objective = MinCutGraph::saturatingAdd(
          plan.objective, prices.getSavePrice(value).units);
      continue;
    }
    unsigned op = graph.getDefiningOp(value);
    if (plan.inBackward[op])
      continue;
    plan.inBackward[op] = true;
    plan.numRecomputed += prices.countsAsRecomputed(op);
    Price price = prices.getRecomputePrice(op);
    plan.recomputeCost =
        MinCutGraph::saturatingAdd(plan.recomputeCost, price.units);
    plan.objective =
        MinCutGraph::saturatingAdd(plan.objective, prices.weigh(price));
    for (unsigned operand : graph.getOperands(op))
      reach(operand);
  }

  plan.saved = listSaved(saved);
  return plan;
}

/// Where each saved value comes from: values with a shape first.
std::vector<SavedValue>
Planner::listSaved(const std::vector<bool> &isSaved) const {
  // Arguments of the forward are those of the joint function without the
  // cotangents.
  std::vector<unsigned> forwardArgument(graph.getNumArguments());
  unsigned numForwardArguments = 0;
  for (unsigned i = 0, e = graph.getNumArguments(); i != e; ++i)
    if (!graph.isCotangent(i))
      forwardArgument[i] = numForwardArguments++;
  unsigned numResults = graph.getPrimals().size();
  std::vector<SavedValue> list;
  for (bool shaped : {true, false})
    for (unsigned value = 0, e = graph.getNumValues(); value != e; ++value) {
      if (!isSaved[value] ||
          isa<ShapedType>(graph.getValue(value).getType()) != shaped)
        continue;
      if (graph.isArgument(value))
        list.push_back({value, SavedKind::Argument, forwardArgument[value]});
      else if (prices.isPrimal(value))
        list.push_back({value, SavedKind::Result, prices.getPrimal(value)});
      else
        list.push_back({value, SavedKind::New, numResults++});
    }
  return list;
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
  if (std::optional<BudgetChoice> choice = budgetGraph.solve(bytes)) {
    PartitionPlan plan =
        readCut([&](unsigned value) { return choice->saved[numberOf[value]]; });
    plan.recomputeBound = choice->workBound;
    plan.budgetBytes = bytes;
    return plan;
  }

  if (!least)
    least = budgetGraph.getLeastBytes();
  if (!least)
    return reportImpossible();
  return reportTooSmall(*least, bytes);
}

LogicalResult Planner::reportTooSmall(uint64_t least, uint64_t allowed) const {
  FunctionOpInterface joint = graph.getFunction();
  return emitError(joint.getLoc())
         << "the backward of '@" << joint.getName() << "' needs at least "
         << least << " bytes saved, but memory-budget allows " << allowed
         << ": raise it to " << least
         << " or more, or set memory-budget=0.0, the least";
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
      counts.push_back(prices.countsAsRecomputed(op));
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

/// What the far-recompute rule forbids where it does not hold.
static std::vector<bool> closeNoJoins(const JointGraph &graph) {
  return std::vector<bool>(graph.getNumOps());
}

/// The cut with far joins closed, and as much of the one with them open as
/// `judgeFarJoins` finds good.
static FailureOr<PartitionPlan> planByPrice(const JointGraph &graph,
                                            const CostModel &model,
                                            const CutOptions &options) {
  std::vector<bool> farJoins = options.allowFarRecompute
                                   ? closeNoJoins(graph)
                                   : findFarJoins(graph, model);
  FailureOr<PartitionPlan> plan =
      Planner(graph, model, options, /*underBudget=*/false, farJoins).plan();
  if (failed(plan) || !llvm::is_contained(farJoins, true))
    return plan;
  Planner open(graph, model, options, /*underBudget=*/false,
               closeNoJoins(graph));
  FailureOr<PartitionPlan> cheaper = open.plan();
  if (failed(cheaper))
    return failure();
  return judgeFarJoins(
      graph, model, open.getPrices(), farJoins, *plan, *cheaper,
      [&](function_ref<bool(unsigned)> isCut) { return open.readCut(isCut); });
}

FailureOr<PartitionPlan> mlir::rng::planPartition(const JointGraph &graph,
                                                  const CostModel &model,
                                                  const CutOptions &options) {
  auto plan = [&](const CutOptions &asked) -> FailureOr<PartitionPlan> {
    if (!asked.budget)
      return planByPrice(graph, model, asked);
    return Planner(graph, model, asked, /*underBudget=*/true,
                   closeNoJoins(graph))
        .planWithin(*asked.budget);
  };
  if (options.peakBudget)
    return planWithinPeak(graph, model, options, plan);
  return plan(options);
}

FailureOr<std::vector<ParetoPoint>>
mlir::rng::findParetoCurve(const JointGraph &graph, const CostModel &model,
                           const CutOptions &options) {
  return Planner(graph, model, options, /*underBudget=*/true,
                 closeNoJoins(graph))
      .findCurve();
}
