//===- SplitRegions.cpp - Loops and branches cut inside ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitRegions.h"
#include "BranchJoint.h"
#include "DialectCosts.h"
#include "IterationJoint.h"
#include "LoopTrips.h"
#include "Orders.h"
#include "RngDialect/IR/RngDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

/// Whether `op` may be the one of the forward of a pair: a loop with tapes, or
/// a branch.
static bool isForwardOp(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return (loop && !findTapes(loop).empty()) || isa<scf::IfOp>(op);
}

void mlir::rng::cut::insertDialectsOfRegions(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, func::FuncDialect, tensor::TensorDialect>();
}

/// Whether these are loaded: an embedder that calls the cut by itself may lack
/// them, and upstream then aborts.
static bool canBuild(MLIRContext *context) {
  return context->getLoadedDialect<arith::ArithDialect>() &&
         context->getLoadedDialect<func::FuncDialect>() &&
         context->getLoadedDialect<tensor::TensorDialect>();
}

bool mlir::rng::cut::hasRegionsToSplit(Block &block) {
  return canBuild(block.getParentOp()->getContext()) &&
         llvm::any_of(block, [](Operation &op) {
           return isForwardOp(&op) &&
                  llvm::any_of(op.getUsers(), [&](Operation *user) {
                    Operation *other =
                        op.getBlock()->findAncestorOpInBlock(*user);
                    return other && other != user &&
                           other->getName() == op.getName();
                  });
         });
}

namespace {
class RegionSplitter {
public:
  RegionSplitter(FunctionOpInterface joint, const PureCalls &calls,
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

  RegionPlan run();

private:
  bool canSplit(Operation *op) const {
    return calls.isEffectFree(op) && getOrder(op) == Order::None;
  }
  /// Decides about `function`; without a forward function if that fails.
  PartitionDecision decide(OwningOpRef<Operation *> function);
  /// Decides about an iteration; without a forward function if that fails.
  PartitionDecision decide(IterationJoint &iteration);
  /// The same with these carried values free to save at one of their two
  /// places, and what the decision costs.
  PartitionDecision decide(IterationJoint &iteration,
                           ArrayRef<FreePlace> freePlaces, uint64_t &cost);
  /// Adds to `regions`, of one iteration or branch, what `decision` computes
  /// again.
  void addRecomputed(RegionPlan &regions, const PartitionDecision &decision,
                     StringRef within) const;
  /// Adds so many times `regions`.
  void addRegions(const RegionPlan &regions, uint64_t trips);
  /// Splits `forward` and the first op behind `after` that it makes a pair
  /// with; both are then others. Returns false if there is none left.
  bool splitNext(Operation *&forward, Operation *&after);
  /// Splits the two ops if they are a pair and that saves bytes.
  bool splitLoops(Operation *&forward, Operation *&backward,
                  function_ref<bool(Value)> dependsOnCotangent);
  bool splitBranches(Operation *&forward, Operation *&backward,
                     function_ref<bool(Value)> dependsOnCotangent);

  FunctionOpInterface joint;
  const PureCalls &calls;
  PartitionOptions options;
  std::unique_ptr<CostModel> &model;
  RegionPlan plan;
};
} // namespace

PartitionDecision RegionSplitter::decide(IterationJoint &iteration,
                                         ArrayRef<FreePlace> freePlaces,
                                         uint64_t &cost) {
  PartitionDecision decision = decide(iteration.copyFunction(freePlaces));
  if (decision.forward)
    cost = add(decision.plan.objective,
               iteration.getFreePrice(decision, freePlaces, *model));
  return decision;
}

PartitionDecision RegionSplitter::decide(OwningOpRef<Operation *> function) {
  PartitionDecision decision;
  decision.joint = std::move(function);
  decision.forwardName = "iteration_forward";
  decision.backwardName = "iteration_backward";
  decision.model = std::move(model);
  if (failed(decidePartition(decision, calls, options)))
    decision.forward = nullptr;
  model = std::move(decision.model);
  return decision;
}

PartitionDecision RegionSplitter::decide(IterationJoint &iteration) {
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

void RegionSplitter::addRecomputed(RegionPlan &regions,
                                   const PartitionDecision &decision,
                                   StringRef within) const {
  const JointGraph &graph = *decision.graph;
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op) {
    if (!decision.plan.inBackward[op] ||
        graph.getClass(op) != OpClass::Forward || graph.getOperands(op).empty())
      continue;
    Operation *operation = graph.getOp(op);
    regions.recomputed.push_back(
        {operation->getName(), operation->getLoc(),
         model->getPrice(model->getRecomputeCost(operation)), within});
  }
}

void RegionSplitter::addRegions(const RegionPlan &regions, uint64_t trips) {
  for (RecomputedWithin op : regions.recomputed) {
    op.cost = mul(trips, op.cost);
    plan.recomputed.push_back(op);
  }
  plan.unsavedBytes = add(plan.unsavedBytes, mul(trips, regions.unsavedBytes));
  plan.unsavedMaskBytes =
      add(plan.unsavedMaskBytes, mul(trips, regions.unsavedMaskBytes));
}

bool RegionSplitter::splitLoops(Operation *&forward, Operation *&backward,
                                function_ref<bool(Value)> dependsOnCotangent) {
  auto first = dyn_cast<scf::ForOp>(forward);
  auto second = dyn_cast<scf::ForOp>(backward);
  if (!first || !second)
    return false;
  std::optional<LoopPair> pair = matchLoopPair(first, second);
  if (!pair)
    return false;
  IterationJoint iteration(std::move(*pair), dependsOnCotangent, calls);
  PartitionDecision decision = decide(iteration);
  if (!decision.forward)
    return false;
  std::optional<uint64_t> bytes = iteration.countNewBytes(decision, *model);
  BytesAndMasks tapes = iteration.countTapeBytes(*model);
  if (!bytes || *bytes >= tapes.all)
    return false;
  RegionPlan regions = std::move(decision.plan.regions);
  addRecomputed(regions, decision, "loop");
  regions.unsavedBytes = add(regions.unsavedBytes, tapes.all - *bytes);
  regions.unsavedMaskBytes = add(regions.unsavedMaskBytes, tapes.masks);
  addRegions(regions, countTrips(first, *model).value_or(1));
  std::tie(forward, backward) = iteration.replaceLoops(decision);
  return true;
}

/// What recomputing costs.
static uint64_t addCosts(const RegionPlan &regions) {
  uint64_t cost = 0;
  for (const RecomputedWithin &op : regions.recomputed)
    cost = add(cost, op.cost);
  return cost;
}

bool RegionSplitter::splitBranches(
    Operation *&forward, Operation *&backward,
    function_ref<bool(Value)> dependsOnCotangent) {
  auto first = dyn_cast<scf::IfOp>(forward);
  auto second = dyn_cast<scf::IfOp>(backward);
  if (!first || !second || !BranchJoint::isPair(first, second))
    return false;
  BranchJoint branches(first, second, dependsOnCotangent, calls);
  std::vector<PartitionDecision> decisions;
  // One of the branches runs: the dearer one counts.
  RegionPlan regions;
  for (unsigned branch : {0, 1}) {
    decisions.push_back(decide(branches.copyFunction(branch)));
    if (!decisions.back().forward)
      return false;
    RegionPlan ofBranch = decisions.back().plan.regions;
    addRecomputed(ofBranch, decisions.back(), "branch");
    if (addCosts(ofBranch) >= addCosts(regions))
      regions = std::move(ofBranch);
  }
  std::optional<uint64_t> bytes = branches.countNewBytes(decisions, *model);
  BytesAndMasks oldBytes = branches.countOldBytes(*model);
  if (!bytes || *bytes >= oldBytes.all)
    return false;
  regions.unsavedBytes = add(regions.unsavedBytes, oldBytes.all - *bytes);
  regions.unsavedMaskBytes = add(regions.unsavedMaskBytes, oldBytes.masks);
  addRegions(regions, /*trips=*/1);
  std::tie(forward, backward) = branches.replaceOps(decisions);
  return true;
}

bool RegionSplitter::splitNext(Operation *&forward, Operation *&after) {
  llvm::DenseSet<Value> cotangents = findCotangents(joint);
  auto dependsOnCotangent = [&](Value value) {
    return cotangents.contains(value);
  };
  if (llvm::any_of(forward->getResults(), dependsOnCotangent))
    return false;
  for (Operation *op = after->getNextNode(); op; op = op->getNextNode()) {
    after = op;
    if (canSplit(op) && (splitLoops(forward, after, dependsOnCotangent) ||
                         splitBranches(forward, after, dependsOnCotangent)))
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

RegionPlan RegionSplitter::run() {
  Block &block = joint.getFunctionBody().front();
  for (auto loop : block.getOps<scf::ForOp>())
    replaceUnchanged(loop);
  for (Operation *op = &block.front(); op; op = op->getNextNode()) {
    Operation *after = op;
    if (isForwardOp(op) && canSplit(op))
      while (splitNext(op, after)) {
      }
  }
  eraseDeadOps(joint);
  mergeEqualOps(block, calls);
  return std::move(plan);
}

RegionPlan mlir::rng::cut::splitRegions(FunctionOpInterface joint,
                                        const PureCalls &calls,
                                        const PartitionOptions &options,
                                        std::unique_ptr<CostModel> &model) {
  return RegionSplitter(joint, calls, options, model).run();
}
