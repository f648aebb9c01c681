//===- Partitioner.cpp - What the passes that cut share ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Partitioner.h"
#include "DialectCosts.h"
#include "OpenCalls.h"
#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/IR/SavedList.h"
#include "RngDialect/Transforms/Partition/PartitionReport.h"
#include "RngDialect/Transforms/Support/Reasons.h"
#include "RngDialect/Transforms/Support/ReportFile.h"
#include "SplitRegions.h"
#include "SplitResults.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

//===----------------------------------------------------------------------===//
// Deciding
//===----------------------------------------------------------------------===//

/// Creates the two functions of the plan.
static LogicalResult build(PartitionDecision &decision) {
  if (failed(checkSignatures(*decision.graph, decision.plan)))
    return failure();
  OpBuilder b(decision.joint->getContext());
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
  return decision.joint->emitOpError(
      "is a joint function of a kind that cannot be split in two: partition it "
      "while it is a func.func");
}

void mlir::rng::cut::eraseDeadOps(Operation *root) {
  // Users go first, so that whole chains do.
  root->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (op != root && isOpTriviallyDead(op))
      op->erase();
  });
}

namespace {
/// Ops are the same if they are but for locations and compute the same of the
/// same operands.
struct SameOp : public llvm::DenseMapInfo<Operation *> {
  static constexpr auto kFlags = OperationEquivalence::IgnoreLocations;

  static unsigned getHashValue(Operation *op) {
    return OperationEquivalence::computeHash(
        op, OperationEquivalence::directHashValue,
        OperationEquivalence::ignoreHashValue, kFlags);
  }
  static bool isEqual(Operation *a, Operation *b) {
    if (a == b || isSentinel(a) || isSentinel(b))
      return a == b;
    return OperationEquivalence::isEquivalentTo(a, b, kFlags);
  }

private:
  static bool isSentinel(Operation *op) {
    return op == getEmptyKey() || op == getTombstoneKey();
  }
};
} // namespace

void mlir::rng::cut::mergeEqualOps(Block &block, const PureCalls &calls) {
  llvm::DenseSet<Operation *, SameOp> known;
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (!calls.isEffectFree(&op))
      continue;
    auto [it, isNew] = known.insert(&op);
    if (isNew)
      continue;
    op.replaceAllUsesWith(*it);
    op.erase();
  }
}

/// Decides about the joint function as it is.
static LogicalResult decideAsIs(PartitionDecision &decision,
                                const PureCalls &calls,
                                const PartitionOptions &options) {
  FailureOr<JointGraph> graph =
      JointGraph::build(cast<FunctionOpInterface>(decision.joint.get()), calls);
  if (failed(graph))
    return failure();
  decision.graph = std::move(*graph);
  countPartsAsForward(*decision.graph);
  FailureOr<PartitionPlan> plan =
      planPartition(*decision.graph, *decision.model, options.cut);
  if (failed(plan))
    return failure();
  decision.plan = std::move(*plan);
  return success();
}

/// Whether `opened`, of the same function with bodies in the place of calls and
/// structured ops, loops and branches split, is worth that there is more code:
/// what the options ask for is better.
static bool isBetterOpened(const PartitionDecision &opened,
                           const PartitionDecision &whole) {
  if (!opened.plan.budgetBytes)
    return opened.plan.objective < whole.plan.objective;
  // A fraction is of less where less has to be saved.
  uint64_t bytes =
      measurePartition(*whole.graph, whole.plan, *whole.model).saved;
  return bytes > *opened.plan.budgetBytes ||
         opened.plan.recomputeCost < whole.plan.recomputeCost;
}

/// Adds to `plan` what the backward computes again within loops and branches.
static void addRegions(PartitionPlan &plan, RegionPlan regions,
                       const CutOptions &options) {
  for (const RecomputedWithin &op : regions.recomputed) {
    plan.recomputeCost = add(plan.recomputeCost, op.cost);
    plan.objective = add(plan.objective, mul(op.cost, options.recomputeWeight));
  }
  plan.numRecomputed += regions.recomputed.size();
  plan.regions = std::move(regions);
}

/// Takes the joint function with its calls, structured ops, loops and branches
/// opened if that is better, or the only way.
static LogicalResult decideOpened(PartitionDecision &decision,
                                  const PureCalls &calls,
                                  const PartitionOptions &options) {
  PartitionDecision opened;
  opened.joint = decision.joint->clone();
  auto joint = cast<FunctionOpInterface>(opened.joint.get());
  openCalls(joint, calls);
  splitResults(joint.getFunctionBody().front());
  mergeEqualOps(joint.getFunctionBody().front(), calls);
  opened.model = std::move(decision.model);
  LogicalResult openedResult = failure(), wholeResult = failure();
  {
    // What fails in both ways is said of the function as it was written.
    ScopedDiagnosticHandler silence(decision.joint->getContext(),
                                    [](Diagnostic &) { return success(); });
    RegionPlan regions = splitRegions(joint, calls, options, opened.model);
    openedResult = decideAsIs(opened, calls, options);
    addRegions(opened.plan, std::move(regions), options.cut);
    decision.model = std::move(opened.model);
    if (succeeded(openedResult))
      wholeResult = decideAsIs(decision, calls, options);
  }
  if (failed(openedResult))
    return decideAsIs(decision, calls, options);
  if (succeeded(wholeResult) && !isBetterOpened(opened, decision))
    return success();
  decision.joint = std::move(opened.joint);
  decision.graph = std::move(opened.graph);
  decision.plan = std::move(opened.plan);
  return success();
}

LogicalResult mlir::rng::cut::decidePartition(PartitionDecision &decision,
                                              const PureCalls &calls,
                                              const PartitionOptions &options) {
  assert(decision.joint && decision.model && "what is to be decided about");
  decision.model->setPureCalls(&calls);
  auto joint = cast<FunctionOpInterface>(decision.joint.get());
  auto canBeOpened = [&] {
    Region &body = joint.getFunctionBody();
    return body.hasOneBlock() &&
           (hasCallsToOpen(joint, calls) || hasResultsToSplit(body.front()) ||
            hasRegionsToSplit(body.front()));
  };
  if (failed(canBeOpened() ? decideOpened(decision, calls, options)
                           : decideAsIs(decision, calls, options)) ||
      failed(build(decision)))
    return failure();
  for (Operation *function : {decision.forward.get(), decision.backward.get()})
    joinResults(cast<FunctionOpInterface>(function).getFunctionBody().front());
  return success();
}

PartitionedFunction PartitionDecision::release() {
  assert(forward && backward && "they have been built and not handed out");
  PartitionedFunction result;
  result.forward = cast<FunctionOpInterface>(forward.release());
  result.backward = cast<FunctionOpInterface>(backward.release());
  result.numSaved = plan.saved.size();
  result.numRecomputed = plan.numRecomputed;
  result.objective = plan.objective;
  result.recomputeCost = plan.recomputeCost;
  result.sizes = measurePartition(*graph, plan, *model);
  return result;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

LogicalResult
mlir::rng::cut::writePartitionReports(ModuleOp module,
                                      ArrayRef<PartitionDecision> decisions,
                                      const PartitionOptions &options) {
  // Fails before there is a file, where a curve cannot be found.
  std::string curves;
  if (!options.paretoFile.empty()) {
    llvm::raw_string_ostream os(curves);
    printParetoHeader(os);
    for (const PartitionDecision &decision : decisions) {
      FailureOr<std::vector<ParetoPoint>> points =
          findParetoCurve(*decision.graph, *decision.model, options.cut);
      if (failed(points))
        return failure();
      printParetoCurve(os, decision.graph->getFunction().getName(), *points);
    }
  }
  if (failed(writeReportFile(module.getLoc(), options.paretoFile,
                             "curve of pareto-csv",
                             [&](llvm::raw_ostream &os) { os << curves; })))
    return failure();
  SmallVector<ReportedPartition> reported;
  for (const PartitionDecision &decision : decisions)
    reported.push_back({*decision.graph, decision.plan, *decision.model,
                        decision.forwardName, decision.backwardName});
  return writeReportFiles(module.getLoc(), reported, options);
}

void mlir::rng::cut::warnEmptyReports(ModuleOp module,
                                      const PartitionOptions &options,
                                      StringRef why) {
  SmallVector<StringRef> names;
  for (auto [name, file] :
       {std::pair<StringRef, StringRef>("report", options.reportFile),
        {"dot", options.dotFile},
        {"pareto-csv", options.paretoFile}})
    if (!file.empty())
      names.push_back(name);
  if (!names.empty())
    emitWarning(module.getLoc()) << "nothing to write to the file of '"
                                 << llvm::join(names, "', '") << "', " << why;
}

void mlir::rng::cut::remarkPartition(PartitionedFunction &pair,
                                     StringRef passName) {
  remark::passed(pair.forward.getLoc(), remark::RemarkOpts::name("Partitioned")
                                            .category(passName)
                                            .function(pair.forward.getName()))
      << remark::metric("SavedValues", pair.numSaved)
      << remark::metric("SavedBytes", pair.sizes.saved)
      << remark::metric("UsedBytes", pair.sizes.everything)
      << remark::metric("RecomputedOps", pair.numRecomputed)
      << remark::metric("RecomputeCost", pair.recomputeCost)
      << remark::metric("Objective", pair.objective);
}

void mlir::rng::cut::reportReasons(const PartitionDecision &decision,
                                   const PartitionOptions &options,
                                   StringRef passName) {
  const JointGraph &graph = *decision.graph;
  FunctionOpInterface joint = graph.getFunction();
  if (!wantsReasons(joint->getContext()))
    return;
  PlanReasons reasons =
      explainPlan(graph, *decision.model, options.cut, decision.plan);
  for (auto [saved, why] : llvm::zip_equal(decision.plan.saved, reasons.saved))
    reportMissed(graph.getValue(saved.value).getLoc(), joint.getName(),
                 passName, "Saved",
                 "as " + describeSaved(saved.kind, saved.index) + ": " + why);
  for (const auto &[op, why] : reasons.notRecomputed)
    reportMissed(graph.getOp(op)->getLoc(), joint.getName(), passName,
                 "NotRecomputed", why);
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

FailureOr<llvm::DenseMap<Attribute, Operation *>>
mlir::rng::cut::findFirstUsers(ModuleOp module, StringRef wayOut) {
  auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
  if (!uses)
    return emitError(module.getLoc(),
                     "the module contains an unregistered op with a region, "
                     "which may use the functions: ")
           << wayOut;
  llvm::DenseMap<Attribute, Operation *> firstUser;
  for (SymbolTable::SymbolUse use : *uses)
    // That a forward names its backward is no use of it.
    if (use.getUser()->getAttr(RngDialect::kBackward) != use.getSymbolRef())
      firstUser.try_emplace(use.getSymbolRef().getRootReference(),
                            use.getUser());
  return firstUser;
}

bool mlir::rng::cut::parseFraction(StringRef text, uint64_t &numerator,
                                   uint64_t &denominator) {
  auto [above, below] = text.split('/');
  denominator = 1;
  if (above.getAsInteger(10, numerator))
    return false;
  if (text.contains('/') && below.getAsInteger(10, denominator))
    return false;
  return denominator != 0;
}
