//===- Rematerialize.cpp - The pass rng-rematerialize -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: pairs of functions that `rng.backward` and `rng.saved` link. Out: the
// same pairs with another cut between forward and backward. A pair is joined
// (the body of the backward behind that of the forward, saved values in the
// places of the arguments that carried them) and from there on is a joint
// function as any other; what the backward had computed again is the same op
// twice and merges.
//
//===----------------------------------------------------------------------===//

#include "JoinPair.h"
#include "Partitioner.h"
#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/Transforms/Partition/Passes.h"
#include "RngDialect/Transforms/Support/JointMarks.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGREMATERIALIZEPASS
#include "RngDialect/Transforms/Partition/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

using FirstUsers = llvm::DenseMap<Attribute, Operation *>;

//===----------------------------------------------------------------------===//
// Deciding
//===----------------------------------------------------------------------===//

/// Joined, the side effects of the backward may not come loose from it.
static LogicalResult checkEffects(Pair &pair, FunctionOpInterface joint,
                                  const PureCalls &calls) {
  auto isPure = [&](Operation &op) { return calls.isEffectFree(&op); };
  if (llvm::all_of(pair.getBackwardBlock().without_terminator(), isPure))
    return success();
  FailureOr<JointGraph> graph = JointGraph::build(joint, calls);
  if (failed(graph))
    return failure();
  size_t numForwardOps =
      llvm::range_size(pair.getForwardBlock().without_terminator());
  for (unsigned op = numForwardOps, e = graph->getNumOps(); op != e; ++op)
    if (graph->isFreeOfCotangents(op) && !isPure(*graph->getOp(op)))
      return graph->getOp(op)->emitOpError(
                 "has side effects in a backward and uses no cotangent, so "
                 "nothing would keep it behind the forward: mark it '")
             << RngDialect::kInBackward
             << "', or move it into the forward or out of the pair";
  return success();
}

//===----------------------------------------------------------------------===//
// Replacing
//===----------------------------------------------------------------------===//

/// Gives `function`, made of the forward, what else `old` has: visibility,
/// attributes, location.
static void adoptAttributes(FunctionOpInterface function,
                            FunctionOpInterface old) {
  Type type = function.getFunctionType();
  SmallVector<DictionaryAttr> argAttrs, resultAttrs;
  auto orEmpty = [&](DictionaryAttr attrs) {
    return attrs ? attrs : DictionaryAttr::get(old->getContext());
  };
  for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i)
    argAttrs.push_back(orEmpty(function.getArgAttrDict(i)));
  for (unsigned i = 0, e = function.getNumResults(); i != e; ++i)
    resultAttrs.push_back(orEmpty(function.getResultAttrDict(i)));
  function->setAttrs(old->getAttrDictionary());
  function->setLoc(old->getLoc());
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();
  function.setFunctionTypeAttr(TypeAttr::get(type));
  function.setAllArgAttrs(argAttrs);
  function.setAllResultAttrs(resultAttrs);
  Operation *end = function.getFunctionBody().front().getTerminator();
  Operation *oldEnd = old.getFunctionBody().front().getTerminator();
  end->setLoc(oldEnd->getLoc());
  end->setDiscardableAttrs(oldEnd->getDiscardableAttrDictionary());
}

/// Whoever uses one of the pair relies on what it takes, returns and saves.
static LogicalResult checkUses(Pair &pair, PartitionDecision &decision,
                               const FirstUsers &firstUser) {
  bool savesOthers = pair.forward->getAttr(RngDialect::kSaved) !=
                     decision.forward->getAttr(RngDialect::kSaved);
  auto check = [&](FunctionOpInterface old, Operation *op) -> LogicalResult {
    auto function = cast<FunctionOpInterface>(op);
    Operation *user = firstUser.lookup(old.getNameAttr());
    if (!user ||
        (!savesOthers && old.getFunctionType() == function.getFunctionType()))
      return success();
    InFlightDiagnostic diag =
        old.emitOpError("is used, but another cut changes ");
    if (old.getFunctionType() == function.getFunctionType())
      diag << "what is saved: ";
    else
      diag << "its type to " << function.getFunctionType() << ": ";
    diag << "remove the use, or join the pair before anything uses it";
    diag.attachNote(user->getLoc()) << "used here";
    return diag;
  };
  if (failed(check(pair.forward, decision.forward.get())))
    return failure();
  return check(pair.backward, decision.backward.get());
}

static LogicalResult decide(Pair &pair, PartitionDecision &decision,
                            const PureCalls &calls,
                            const PartitionOptions &options,
                            const FirstUsers &firstUser) {
  FailureOr<OwningOpRef<Operation *>> joint = joinPair(pair);
  if (failed(joint) ||
      failed(
          checkEffects(pair, cast<FunctionOpInterface>(joint->get()), calls)))
    return failure();
  decision.joint = std::move(*joint);
  eraseDeadOps(decision.joint.get());
  mergeEqualOps(
      cast<FunctionOpInterface>(decision.joint.get()).getFunctionBody().front(),
      calls);
  decision.forwardName = pair.forward.getName().str();
  decision.backwardName = pair.backward.getName().str();
  if (failed(decidePartition(decision, calls, options)))
    return failure();
  adoptAttributes(cast<FunctionOpInterface>(decision.backward.get()),
                  pair.backward);
  return checkUses(pair, decision, firstUser);
}

FailureOr<SmallVector<PartitionedFunction>>
mlir::rng::rematerializePairs(ModuleOp module, const PartitionOptions &options,
                              CostModelFactory makeModel) {
  FailureOr<std::vector<Pair>> pairs = findPairs(module);
  if (failed(pairs))
    return failure();
  warnUnsplitJointFunctions(module, "'rng-rematerialize'");
  if (pairs->empty())
    warnEmptyReports(module, options,
                     "no function has 'rng.backward': run 'rng-partition' "
                     "first, which makes such pairs");
  FirstUsers firstUser;
  if (!pairs->empty()) {
    auto users = findFirstUsers(module, "register its dialect");
    if (failed(users))
      return failure();
    firstUser = std::move(*users);
  }
  PureCalls calls(module);
  bool anyFailed = false;
  std::vector<PartitionDecision> decisions;
  for (Pair &pair : *pairs) {
    PartitionDecision &decision = decisions.emplace_back();
    decision.model = makeModel(pair.forward);
    anyFailed |= failed(decide(pair, decision, calls, options, firstUser));
  }
  if (anyFailed || failed(writePartitionReports(module, decisions, options)))
    return failure();

  // Nothing can fail from here on.
  SmallVector<PartitionedFunction> results;
  OpBuilder b(module.getContext());
  for (auto [pair, decision] : llvm::zip_equal(*pairs, decisions)) {
    reportReasons(decision, options, "rng-rematerialize");
    PartitionedFunction result = decision.release();
    b.setInsertionPoint(pair.forward);
    b.insert(result.forward);
    b.setInsertionPoint(pair.backward);
    b.insert(result.backward);
    pair.forward->erase();
    pair.backward->erase();
    results.push_back(result);
  }
  return results;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct RngRematerializePass
    : public CutPass<
          rng::impl::RngRematerializePassBase<RngRematerializePass>> {
  using CutPass::CutPass;

  void runOnOperation() override { runCut(rematerializePairs); }
};
} // namespace
