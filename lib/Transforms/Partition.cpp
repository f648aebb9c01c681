//===- Partition.cpp - The pass rng-partition ----------------- -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/Partition.h"
#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/Transforms/CostInterface.h"
#include "RngDialect/Transforms/Passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
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
  std::unique_ptr<CostModel> model;
  std::string forwardName, backwardName;
  /// A copy after CSE: what the graph speaks of and the two functions are built
  /// from.
  OwningOpRef<Operation *> copy;
  std::optional<JointGraph> graph;
  PartitionPlan plan;
  /// The two functions, outside of the module.
  OwningOpRef<Operation *> forward, backward;
};

class Partitioner {
public:
  Partitioner(ModuleOp module, const PartitionOptions &options,
              CostModelFactory makeModel)
      : module(module), options(options), makeModel(makeModel), calls(module) {}

  FailureOr<SmallVector<PartitionedFunction>> run();

private:
  void findJointFunctions();
  LogicalResult findUses();
  LogicalResult decide(Decision &decision, const SymbolTable &symbols);
  LogicalResult build(Decision &decision);
  LogicalResult writeReport();
  LogicalResult writeParetoCurves();
  PartitionedFunction apply(Decision &decision);

  ModuleOp module;
  const PartitionOptions &options;
  CostModelFactory makeModel;
  PureCalls calls;
  std::vector<Decision> decisions;
  /// For each symbol that is used: the first user.
  llvm::DenseMap<Attribute, Operation *> firstUse;
};

} // namespace

void Partitioner::findJointFunctions() {
  // The backward of a pair has gradients too.
  llvm::DenseSet<Attribute> backwards;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (auto symbol =
            function->getAttrOfType<FlatSymbolRefAttr>(RngDialect::kBackward))
      backwards.insert(symbol.getAttr());
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (!isJointFunction(function) ||
        backwards.contains(function.getNameAttr()))
      continue;
    Decision decision;
    decision.joint = function;
    decision.model = makeModel(function);
    decision.model->setPureCalls(&calls);
    decision.forwardName = (function.getName() + "_forward").str();
    decision.backwardName = (function.getName() + "_backward").str();
    decisions.push_back(std::move(decision));
  }
}

LogicalResult Partitioner::findUses() {
  auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
  if (!uses)
    return module.emitError("contains an unregistered op with a region, which "
                            "may use the joint functions: register its dialect "
                            "or set keep-joint");
  for (SymbolTable::SymbolUse use : *uses)
    firstUse.try_emplace(use.getSymbolRef().getRootReference(), use.getUser());
  return success();
}

LogicalResult Partitioner::decide(Decision &decision,
                                  const SymbolTable &symbols) {
  FunctionOpInterface joint = decision.joint;
  for (StringRef name : {decision.forwardName, decision.backwardName})
    if (Operation *other = symbols.lookup(name)) {
      InFlightDiagnostic diag =
          joint.emitOpError("is to be partitioned, but '@")
          << name << "' exists already: rename one of them";
      diag.attachNote(other->getLoc()) << "'@" << name << "' is here";
      return diag;
    }
  if (!options.keepJoint)
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
      JointGraph::build(cast<FunctionOpInterface>(decision.copy.get()), calls);
  if (failed(graph))
    return failure();
  decision.graph = std::move(*graph);
  FailureOr<PartitionPlan> plan =
      planPartition(*decision.graph, *decision.model, options.cut);
  if (failed(plan))
    return failure();
  decision.plan = std::move(*plan);
  return build(decision);
}

LogicalResult Partitioner::build(Decision &decision) {
  if (failed(checkSignatures(*decision.graph, decision.plan)))
    return failure();
  OpBuilder b(module.getContext());
  auto [forward, backward] =
      splitFunction(b, *decision.graph, decision.plan, decision.forwardName,
                    decision.backwardName);
  decision.forward = forward.getOperation();
  decision.backward = backward.getOperation();
  // Functions of other dialects have rules of their own: better found broken
  // now than after the joint function is gone. Not the ops inside, some of
  // which look for a module around them.
  if (succeeded(verify(forward, /*verifyRecursively=*/false)) &&
      succeeded(verify(backward, /*verifyRecursively=*/false)))
    return success();
  return decision.joint.emitOpError(
      "is a joint function of a kind that cannot be split in two: partition it "
      "while it is a func.func");
}

LogicalResult Partitioner::writeReport() {
  if (options.reportFile.empty())
    return success();
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> file =
      openOutputFile(options.reportFile, &error);
  if (!file)
    return module.emitError("cannot write the report: ") << error;
  for (const Decision &decision : decisions)
    printPartitionReport(file->os(), *decision.graph, decision.plan,
                         *decision.model, decision.forwardName,
                         decision.backwardName);
  file->keep();
  return success();
}

LogicalResult Partitioner::writeParetoCurves() {
  if (options.paretoFile.empty())
    return success();
  std::string text;
  llvm::raw_string_ostream os(text);
  printParetoHeader(os);
  for (const Decision &decision : decisions) {
    FailureOr<std::vector<ParetoPoint>> points =
        findParetoCurve(*decision.graph, *decision.model, options.cut);
    if (failed(points))
      return failure();
    printParetoCurve(os, FunctionOpInterface(decision.joint).getName(),
                     *points);
  }
  return writeParetoFile(module.getLoc(), options.paretoFile, text);
}

PartitionedFunction Partitioner::apply(Decision &decision) {
  PartitionedFunction result;
  result.forward = cast<FunctionOpInterface>(decision.forward.release());
  result.backward = cast<FunctionOpInterface>(decision.backward.release());
  result.numSaved = decision.plan.saved.size();
  result.numRecomputed = decision.plan.numRecomputed;
  result.objective = decision.plan.objective;
  result.recomputeCost = decision.plan.recomputeCost;
  result.sizes =
      measurePartition(*decision.graph, decision.plan, *decision.model);
  OpBuilder b(module.getContext());
  b.setInsertionPointAfter(decision.joint);
  b.insert(result.forward);
  b.insert(result.backward);
  if (!options.keepJoint)
    decision.joint->erase();
  return result;
}

FailureOr<SmallVector<PartitionedFunction>> Partitioner::run() {
  findJointFunctions();
  if (!decisions.empty() && !options.keepJoint && failed(findUses()))
    return failure();
  SymbolTable symbols(module);
  bool anyFailed = false;
  for (Decision &decision : decisions)
    anyFailed |= failed(decide(decision, symbols));
  if (anyFailed || failed(writeParetoCurves()) || failed(writeReport()))
    return failure();

  // Nothing can fail from here on.
  SmallVector<PartitionedFunction> results;
  for (Decision &decision : decisions)
    results.push_back(apply(decision));
  return results;
}

FailureOr<SmallVector<PartitionedFunction>>
mlir::rng::partitionJointFunctions(ModuleOp module,
                                   const PartitionOptions &options,
                                   CostModelFactory makeModel) {
  return Partitioner(module, options, makeModel).run();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct RngPartition : public rng::impl::RngPartitionBase<RngPartition> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerCostInterfaces(registry);
  }

  void runOnOperation() override;

private:
  void remark(PartitionedFunction &pair);
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

void RngPartition::runOnOperation() {
  PartitionOptions options;
  if (!parseFraction(argumentCost, options.cut.argumentCostNumerator,
                     options.cut.argumentCostDenominator)) {
    getOperation().emitError("expected argument-cost to be an integer or a "
                             "fraction such as 1/8 but got '")
        << argumentCost << "'";
    return signalPassFailure();
  }
  options.cut.recomputeWeight = recomputeWeight;
  options.cut.allowFarRecompute = allowFarRecompute;
  if (!memoryBudget.empty()) {
    std::string error;
    FailureOr<MemoryBudget> budget = parseMemoryBudget(memoryBudget, error);
    if (failed(budget)) {
      getOperation().emitError() << error;
      return signalPassFailure();
    }
    options.cut.budget = *budget;
  }
  options.keepJoint = keepJoint;
  options.reportFile = report;
  options.paretoFile = paretoCsv;
  FailureOr<SmallVector<PartitionedFunction>> pairs = partitionJointFunctions(
      getOperation(), options, [&](FunctionOpInterface function) {
        return std::make_unique<CostModel>(DataLayout::closest(function),
                                           dynamicSize);
      });
  if (failed(pairs))
    return signalPassFailure();
  for (PartitionedFunction &pair : *pairs)
    remark(pair);
}

void RngPartition::remark(PartitionedFunction &pair) {
  numPartitioned += 1;
  savedBytes += pair.sizes.saved;
  numRecomputed += pair.numRecomputed;
  objective += pair.objective;
  recomputeCost += pair.recomputeCost;
  remark::passed(pair.forward.getLoc(), remark::RemarkOpts::name("Partitioned")
                                            .category("rng-partition")
                                            .function(pair.forward.getName()))
      << remark::metric("SavedValues", pair.numSaved)
      << remark::metric("SavedBytes", pair.sizes.saved)
      << remark::metric("UsedBytes", pair.sizes.everything)
      << remark::metric("RecomputedOps", pair.numRecomputed)
      << remark::metric("RecomputeCost", pair.recomputeCost)
      << remark::metric("Objective", pair.objective);
}
