//===- Partition.cpp - The pass rng-partition ----------------- -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/Partition.h"
#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/Transforms/Passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/Support/ToolOutputFile.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGPARTITION
#include "RngDialect/Transforms/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

namespace {

/// A joint function and all that was decided about it before anything changed.
struct Decision {
  FunctionOpInterface joint;
  /// A copy after CSE: what the graph speaks of and the two functions are built
  /// from.
  OwningOpRef<Operation *> copy;
  CostModel model;
  std::string forwardName, backwardName;
  std::optional<JointGraph> graph;
  PartitionPlan plan;
};

struct RngPartition : public rng::impl::RngPartitionBase<RngPartition> {
  using Base::Base;

  void runOnOperation() override;

private:
  FailureOr<CutOptions> parseOptions();
  LogicalResult decide(Decision &decision, const SymbolTable &symbols,
                       const llvm::DenseMap<Attribute, Operation *> &firstUse,
                       const CutOptions &options);
  LogicalResult writeReport(ArrayRef<std::unique_ptr<Decision>> decisions);
  void remark(const Decision &decision, FunctionOpInterface forward);
};

} // namespace

/// Reads "1/8" or "2".
static bool parseFraction(StringRef text, uint64_t &numerator,
                          uint64_t &denominator) {
  auto [above, below] = text.split('/');
  denominator = 1;
  if (above.getAsInteger(10, numerator))
    return false;
  if (text.contains('/') && below.getAsInteger(10, denominator))
    return false;
  return denominator != 0;
}

FailureOr<CutOptions> RngPartition::parseOptions() {
  CutOptions options;
  if (!parseFraction(argumentCost, options.argumentCostNumerator,
                     options.argumentCostDenominator))
    return getOperation().emitError("expected argument-cost to be an integer "
                                    "or a fraction such as 1/8 but got '")
           << argumentCost << "'";
  options.recomputeWeight = recomputeWeight;
  options.allowFarRecompute = allowFarRecompute;
  return options;
}

LogicalResult
RngPartition::decide(Decision &decision, const SymbolTable &symbols,
                     const llvm::DenseMap<Attribute, Operation *> &firstUse,
                     const CutOptions &options) {
  FunctionOpInterface joint = decision.joint;
  for (StringRef name : {decision.forwardName, decision.backwardName})
    if (Operation *other = symbols.lookup(name)) {
      InFlightDiagnostic diag =
          joint.emitOpError("is to be partitioned, but '@")
          << name << "' exists already: rename one of them";
      diag.attachNote(other->getLoc()) << "'@" << name << "' is here";
      return diag;
    }
  if (!keepJoint)
    if (Operation *user = firstUse.lookup(joint.getNameAttr())) {
      InFlightDiagnostic diag = joint.emitOpError(
          "is still used, so it cannot be replaced by its forward and "
          "backward: remove the use or set keep-joint");
      diag.attachNote(user->getLoc()) << "used here";
      return diag;
    }

  decision.copy = joint->clone();
  IRRewriter rewriter(joint->getContext());
  DominanceInfo dominance(decision.copy.get());
  eliminateCommonSubExpressions(rewriter, dominance, decision.copy.get());
  FailureOr<JointGraph> graph =
      JointGraph::build(cast<FunctionOpInterface>(decision.copy.get()));
  if (failed(graph))
    return failure();
  decision.graph = std::move(*graph);
  FailureOr<PartitionPlan> plan =
      planPartition(*decision.graph, decision.model, options);
  if (failed(plan))
    return failure();
  decision.plan = std::move(*plan);
  return checkSignatures(*decision.graph, decision.plan);
}

LogicalResult
RngPartition::writeReport(ArrayRef<std::unique_ptr<Decision>> decisions) {
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(report, &error);
  if (!file)
    return getOperation().emitError("cannot write the report: ") << error;
  for (const auto &decision : decisions)
    printPartitionReport(file->os(), *decision->graph, decision->plan,
                         decision->model, decision->forwardName,
                         decision->backwardName);
  file->keep();
  return success();
}

void RngPartition::remark(const Decision &decision,
                          FunctionOpInterface forward) {
  PartitionSizes sizes =
      measurePartition(*decision.graph, decision.plan, decision.model);
  numPartitioned += 1;
  savedBytes += sizes.saved;
  numRecomputed += decision.plan.numRecomputed;
  objective += decision.plan.objective;
  remark::passed(forward.getLoc(), remark::RemarkOpts::name("Partitioned")
                                       .category("rng-partition")
                                       .function(decision.forwardName))
      << remark::metric("SavedValues", decision.plan.saved.size())
      << remark::metric("SavedBytes", sizes.saved)
      << remark::metric("UsedBytes", sizes.everything)
      << remark::metric("RecomputedOps", decision.plan.numRecomputed)
      << remark::metric("Objective", decision.plan.objective);
}

void RngPartition::runOnOperation() {
  ModuleOp module = getOperation();
  FailureOr<CutOptions> options = parseOptions();
  if (failed(options))
    return signalPassFailure();

  // The backward of a pair has gradients too.
  llvm::DenseSet<Attribute> backwards;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (auto symbol =
            function->getAttrOfType<FlatSymbolRefAttr>(RngDialect::kBackward))
      backwards.insert(symbol.getAttr());
  std::vector<std::unique_ptr<Decision>> decisions;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (!isJointFunction(function) ||
        backwards.contains(function.getNameAttr()))
      continue;
    StringRef name = function.getName();
    decisions.push_back(std::make_unique<Decision>(
        Decision{function, OwningOpRef<Operation *>(),
                 CostModel(DataLayout::closest(function), dynamicSize),
                 (name + "_forward").str(), (name + "_backward").str(),
                 std::nullopt, PartitionPlan()}));
  }
  if (decisions.empty()) {
    if (!report.empty() && failed(writeReport(decisions)))
      signalPassFailure();
    return;
  }

  llvm::DenseMap<Attribute, Operation *> firstUse;
  if (!keepJoint) {
    auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
    if (!uses) {
      module.emitError("contains an unregistered op with a region, which may "
                       "use the joint functions: register its dialect or set "
                       "keep-joint");
      return signalPassFailure();
    }
    for (SymbolTable::SymbolUse use : *uses)
      firstUse.try_emplace(use.getSymbolRef().getRootReference(),
                           use.getUser());
  }
  SymbolTable symbols(module);
  bool failed = false;
  for (const auto &decision : decisions)
    failed |= mlir::failed(decide(*decision, symbols, firstUse, *options));
  if (failed || (!report.empty() && mlir::failed(writeReport(decisions))))
    return signalPassFailure();

  // Nothing can fail from here on.
  for (const auto &decision : decisions) {
    OpBuilder b(module.getContext());
    b.setInsertionPointAfter(decision->joint);
    auto [forward, backward] =
        splitFunction(b, *decision->graph, decision->plan,
                      decision->forwardName, decision->backwardName);
    remark(*decision, forward);
    if (!keepJoint)
      decision->joint->erase();
  }
}
