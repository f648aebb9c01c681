//===- SplitLoops.cpp - Loops cut as their iterations -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitLoops.h"
#include "DialectCosts.h"
#include "IterationJoint.h"
#include "LoopTrips.h"
#include "Orders.h"
#include "RngDialect/IR/RngDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

/// The values of a joint function that are cotangents or depend on them.
static llvm::DenseSet<Value> findCotangents(FunctionOpInterface joint) {
  llvm::DenseSet<Value> cotangents;
  for (BlockArgument argument : joint.getArguments())
    if (joint.getArgAttr(argument.getArgNumber(), RngDialect::kCotangent))
      cotangents.insert(argument);
  for (Operation &op : joint.getFunctionBody().front()) {
    bool depends = false;
    op.walk([&](Operation *inner) {
      depends |= llvm::any_of(inner->getOperands(), [&](Value operand) {
        return cotangents.contains(operand);
      });
    });
    if (depends)
      cotangents.insert(op.result_begin(), op.result_end());
  }
  return cotangents;
}

/// The loops of `block` that may be those of a forward, with tapes.
static bool isForwardLoop(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && !findTapes(loop).empty();
}

bool mlir::rng::cut::hasLoopsToSplit(Block &block) {
  return llvm::any_of(block, [](Operation &op) {
    return isForwardLoop(&op) &&
           llvm::any_of(op.getUsers(), [&](Operation *user) {
             Operation *ancestor = op.getBlock()->findAncestorOpInBlock(*user);
             return isa_and_present<scf::ForOp>(ancestor);
           });
  });
}

namespace {
class LoopSplitter {
public:
  LoopSplitter(FunctionOpInterface joint, const PureCalls &calls,
               const PartitionOptions &options,
               std::unique_ptr<CostModel> &model)
      : joint(joint), calls(calls), options(options), model(model) {
    // An iteration has no budget of its own, and what is free to save is marked
    // so.
    this->options.cut.budget = std::nullopt;
    this->options.cut.peakBudget = std::nullopt;
    this->options.cut.argumentCostNumerator = 1;
    this->options.cut.argumentCostDenominator = 1;
  }

  LoopPlan run();

private:
  bool canSplit(scf::ForOp loop) const {
    return calls.isEffectFree(loop) && getOrder(loop) == Order::None;
  }
  /// Decides about an iteration; without a forward function if that fails.
  PartitionDecision decide(IterationJoint &iteration);
  /// The same with these carried values free to save at one of their two
  /// places, and what the decision costs.
  PartitionDecision decide(IterationJoint &iteration,
                           ArrayRef<FreePlace> freePlaces, uint64_t &cost);
  /// Adds to `loops`, of one iteration, what `decision` computes again.
  void addRecomputed(LoopPlan &loops, const PartitionDecision &decision) const;
  /// Adds so many times `loops`.
  void addLoops(const LoopPlan &loops, uint64_t trips);
  /// Splits `forward` and the first loop behind `after` that reads its tapes;
  /// both are then others. Returns false if there is none left.
  bool splitNext(scf::ForOp &forward, Operation *&after);

  FunctionOpInterface joint;
  const PureCalls &calls;
  PartitionOptions options;
  std::unique_ptr<CostModel> &model;
  LoopPlan plan;
};
} // namespace

PartitionDecision LoopSplitter::decide(IterationJoint &iteration,
                                       ArrayRef<FreePlace> freePlaces,
                                       uint64_t &cost) {
  PartitionDecision decision;
  decision.joint = iteration.copyFunction(freePlaces);
  decision.forwardName = "iteration_forward";
  decision.backwardName = "iteration_backward";
  decision.model = std::move(model);
  if (failed(decidePartition(decision, calls, options)))
    decision.forward = nullptr;
  model = std::move(decision.model);
  if (decision.forward)
    cost = add(decision.plan.objective,
               iteration.getFreePrice(decision, freePlaces, *model));
  return decision;
}

PartitionDecision LoopSplitter::decide(IterationJoint &iteration) {
  // What an iteration yields is what the next one begins with: one tape holds
  // both, and the second comes free with the first. Which one is saved for the
  // other is tried, one carried value after the other.
  SmallVector<FreePlace> places(iteration.getNumCarried(), FreePlace::None);
  uint64_t leastCost = 0;
  PartitionDecision best = decide(iteration, places, leastCost);
  for (auto [entry, place] : llvm::enumerate(places)) {
    if (!best.forward || !iteration.isCarriedSaved(best, entry))
      continue;
    FreePlace bestPlace = FreePlace::None;
    for (FreePlace tried : {FreePlace::Begin, FreePlace::End}) {
      place = tried;
      uint64_t cost = 0;
      PartitionDecision decision = decide(iteration, places, cost);
      if (!decision.forward || cost >= leastCost)
        continue;
      leastCost = cost;
      bestPlace = tried;
      best = std::move(decision);
    }
    place = bestPlace;
  }
  return best;
}

void LoopSplitter::addRecomputed(LoopPlan &loops,
                                 const PartitionDecision &decision) const {
  const JointGraph &graph = *decision.graph;
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op) {
    if (!decision.plan.inBackward[op] ||
        graph.getClass(op) != OpClass::Forward || graph.getOperands(op).empty())
      continue;
    Operation *operation = graph.getOp(op);
    loops.recomputed.push_back(
        {operation->getName(), operation->getLoc(),
         model->getPrice(model->getRecomputeCost(operation))});
  }
}

void LoopSplitter::addLoops(const LoopPlan &loops, uint64_t trips) {
  for (RecomputedInLoop op : loops.recomputed) {
    op.cost = mul(trips, op.cost);
    plan.recomputed.push_back(op);
  }
  plan.unsavedBytes = add(plan.unsavedBytes, mul(trips, loops.unsavedBytes));
  plan.unsavedMaskBytes =
      add(plan.unsavedMaskBytes, mul(trips, loops.unsavedMaskBytes));
}

bool LoopSplitter::splitNext(scf::ForOp &forward, Operation *&after) {
  llvm::DenseSet<Value> cotangents = findCotangents(joint);
  if (llvm::any_of(forward->getResults(),
                   [&](Value value) { return cotangents.contains(value); }))
    return false;
  for (Operation *op = after->getNextNode(); op; op = op->getNextNode()) {
    after = op;
    auto backward = dyn_cast<scf::ForOp>(op);
    if (!backward || !canSplit(backward))
      continue;
    std::optional<LoopPair> pair = matchLoopPair(forward, backward);
    if (!pair)
      continue;
    IterationJoint iteration(
        std::move(*pair),
        [&](Value value) { return cotangents.contains(value); }, calls);
    PartitionDecision decision = decide(iteration);
    if (!decision.forward)
      continue;
    std::optional<uint64_t> bytes = iteration.countNewBytes(decision, *model);
    TapeBytes tapes = iteration.countTapeBytes(*model);
    if (!bytes || *bytes >= tapes.all)
      continue;
    LoopPlan loops = std::move(decision.plan.loops);
    addRecomputed(loops, decision);
    loops.unsavedBytes = add(loops.unsavedBytes, tapes.all - *bytes);
    loops.unsavedMaskBytes = add(loops.unsavedMaskBytes, tapes.masks);
    addLoops(loops, countTrips(forward, *model).value_or(1));
    std::tie(forward, backward) = iteration.replaceLoops(decision);
    after = backward;
    return true;
  }
  return false;
}

/// What a loop carries without a change is what it began with.
static void replaceUnchanged(scf::ForOp loop) {
  for (auto [init, argument, yielded, result] :
       llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                       loop.getYieldedValues(), loop.getResults())) {
    if (yielded != argument)
      continue;
    argument.replaceAllUsesExcept(init, loop.getBody()->getTerminator());
    result.replaceAllUsesWith(init);
  }
}

LoopPlan LoopSplitter::run() {
  Block &block = joint.getFunctionBody().front();
  for (auto loop : block.getOps<scf::ForOp>())
    replaceUnchanged(loop);
  for (Operation *op = &block.front(); op;) {
    scf::ForOp forward;
    if (isForwardLoop(op) && canSplit(cast<scf::ForOp>(op)))
      forward = cast<scf::ForOp>(op);
    Operation *after = op;
    while (forward && splitNext(forward, after)) {
    }
    op = (forward ? forward.getOperation() : op)->getNextNode();
  }
  eraseDeadOps(joint);
  mergeEqualOps(block, calls);
  return std::move(plan);
}

LoopPlan mlir::rng::cut::splitLoops(FunctionOpInterface joint,
                                    const PureCalls &calls,
                                    const PartitionOptions &options,
                                    std::unique_ptr<CostModel> &model) {
  return LoopSplitter(joint, calls, options, model).run();
}
