//===- Partition.cpp - The pass rng-partition -------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: joint functions, which have cotangents and gradients and draw without
// state. Out: for each a forward, which `rng.backward` and `rng.saved` link
// with its backward, and the backward behind it. All is decided on copies
// first, so that an error leaves the module as it was.
//
//===----------------------------------------------------------------------===//

#include "Partitioner.h"
#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/Transforms/Partition/Passes.h"
#include "RngDialect/Transforms/Support/JointMarks.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/CSE.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGPARTITIONPASS
#include "RngDialect/Transforms/Partition/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

/// Whether the names of the two functions are free and the joint function may
/// go.
static LogicalResult
checkSymbols(FunctionOpInterface joint, const PartitionDecision &decision,
             const SymbolTable &symbols,
             const llvm::DenseMap<Attribute, Operation *> &firstUser) {
  for (StringRef name : {decision.forwardName, decision.backwardName})
    if (Operation *other = symbols.lookup(name)) {
      InFlightDiagnostic diag =
          joint.emitOpError("is to be partitioned, but '@")
          << name << "' exists already: rename one of them";
      diag.attachNote(other->getLoc()) << "'@" << name << "' is here";
      return diag;
    }
  if (Operation *user = firstUser.lookup(joint.getNameAttr())) {
    InFlightDiagnostic diag = joint.emitOpError(
        "is still used, so it cannot be replaced by its forward and "
        "backward: remove the use, or set keep-joint, so that callers go on "
        "calling the joint function");
    diag.attachNote(user->getLoc()) << "used here";
    return diag;
  }
  return success();
}

/// An op that is there twice, or for nothing, is no choice.
static void simplify(Operation *joint, const PureCalls &calls) {
  eraseDeadOps(joint);
  IRRewriter rewriter(joint->getContext());
  DominanceInfo dominance(joint);
  eliminateCommonSubExpressions(rewriter, dominance, joint);
  auto isPureCall = [&](Operation *op) {
    return calls.getCallee(op) ? WalkResult::interrupt()
                               : WalkResult::advance();
  };
  if (joint->walk(isPureCall).wasInterrupted())
    mergeEqualOps(cast<FunctionOpInterface>(joint).getFunctionBody().front(),
                  calls);
}

FailureOr<SmallVector<PartitionedFunction>>
mlir::rng::partitionJointFunctions(ModuleOp module,
                                   const PartitionOptions &options,
                                   CostModelFactory makeModel) {
  warnWrongMarks(module);
  SmallVector<FunctionOpInterface> joints = findJointFunctions(module);
  if (joints.empty())
    warnEmptyReports(module, options,
                     "no function has a result marked 'rng.gradient': mark the "
                     "gradients of the one that is to be split");
  llvm::DenseMap<Attribute, Operation *> firstUser;
  if (!joints.empty() && !options.keepJoint) {
    auto users = findFirstUsers(module, "register its dialect or set "
                                        "keep-joint");
    if (failed(users))
      return failure();
    firstUser = std::move(*users);
  }
  SymbolTable symbols(module);
  PureCalls calls(module);
  bool anyFailed = false;
  std::vector<PartitionDecision> decisions;
  for (FunctionOpInterface joint : joints) {
    PartitionDecision &decision = decisions.emplace_back();
    decision.model = makeModel(joint);
    decision.forwardName = (joint.getName() + "_forward").str();
    decision.backwardName = (joint.getName() + "_backward").str();
    if (failed(checkSymbols(joint, decision, symbols, firstUser))) {
      anyFailed = true;
      continue;
    }
    decision.joint = joint->clone();
    simplify(decision.joint.get(), calls);
    anyFailed |= failed(decidePartition(decision, calls, options));
  }
  if (anyFailed || failed(writePartitionReports(module, decisions, options)))
    return failure();

  // Nothing can fail from here on.
  SmallVector<PartitionedFunction> results;
  OpBuilder b(module.getContext());
  for (auto [joint, decision] : llvm::zip_equal(joints, decisions)) {
    reportReasons(decision, options, "rng-partition");
    PartitionedFunction pair = decision.release();
    b.setInsertionPointAfter(joint);
    b.insert(pair.forward);
    b.insert(pair.backward);
    if (!options.keepJoint)
      joint->erase();
    results.push_back(pair);
  }
  return results;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct RngPartitionPass
    : public CutPass<rng::impl::RngPartitionPassBase<RngPartitionPass>> {
  using CutPass::CutPass;

  void runOnOperation() override { runCut(partitionJointFunctions, keepJoint); }
};
} // namespace
