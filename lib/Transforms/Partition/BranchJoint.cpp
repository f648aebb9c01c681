//===- BranchJoint.cpp - One branch as a joint function ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BranchJoint.h"
#include "DialectCosts.h"
#include "RngDialect/IR/RngDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

static Block &getBranch(scf::IfOp op, unsigned branch) {
  return op->getRegion(branch).front();
}

bool BranchJoint::isPair(scf::IfOp forward, scf::IfOp backward) {
  return forward.getCondition() == backward.getCondition() &&
         !backward.getElseRegion().empty() &&
         llvm::any_of(forward->getUsers(), [&](Operation *user) {
           return backward->isProperAncestor(user);
         });
}

/// Whether `result` is used elsewhere than in the regions of the backward.
bool BranchJoint::isKept(Value result) const {
  scf::IfOp op = backward;
  return llvm::any_of(result.getUsers(), [&](Operation *user) {
    return !op->isProperAncestor(user);
  });
}

BranchJoint::BranchJoint(scf::IfOp forwardOp, scf::IfOp backwardOp,
                         function_ref<bool(Value)> dependsOnCotangent,
                         const PureCalls &calls)
    : forward(forwardOp),
      backward(backwardOp), branches{
                                {{forward.getContext(), forward.getLoc()}, {}},
                                {{forward.getContext(), forward.getLoc()},
                                 {}}} {
  for (OpResult result : forward->getResults())
    if (isKept(result))
      kept.push_back(result.getResultNumber());
  build(0, dependsOnCotangent, calls);
  build(1, dependsOnCotangent, calls);
}

void BranchJoint::build(unsigned branch,
                        function_ref<bool(Value)> dependsOnCotangent,
                        const PureCalls &calls) {
  auto &[joint, arguments] = branches[branch];
  auto mapAround = [&](scf::IfOp op, function_ref<StringRef(Value)> getMark) {
    llvm::SetVector<Value> values;
    getUsedValuesDefinedAbove(op->getRegion(branch), values);
    for (Value value : values)
      if (joint.mapAround(value, getMark(value)))
        arguments.push_back(value);
  };
  Block &before = getBranch(forward, branch);
  mapAround(forward, [](Value) { return RngDialect::kPersistent; });
  joint.addOps(before, [](Operation *) { return true; });
  for (auto [result, yielded] : llvm::zip_equal(
           forward->getResults(), before.getTerminator()->getOperands()))
    joint.getMapping().map(result, joint.getMapping().lookup(yielded));

  mapAround(backward, [&](Value value) {
    return getMarkAround(value, forward, dependsOnCotangent);
  });
  Block &behind = getBranch(backward, branch);
  joint.addOps(behind, [](Operation *) { return true; });
  for (unsigned number : kept)
    joint.addResult(forward.getResult(number), "");
  for (Value value : behind.getTerminator()->getOperands())
    joint.addResult(value, RngDialect::kGradient);
  joint.finish();
  mergeEqualOps(joint.getFunction().getBody().front(), calls);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

BranchJoint::Slots
BranchJoint::findSlots(ArrayRef<PartitionDecision> decisions) const {
  Slots slots;
  for (auto [branch, decision] : llvm::enumerate(decisions)) {
    SmallVector<bool> isTaken(slots.types.size());
    for (const SavedValue &saved : decision.plan.saved) {
      if (saved.kind != SavedKind::New)
        continue;
      Type type = decision.graph->getValue(saved.value).getType();
      unsigned slot = 0;
      while (slot != slots.types.size() &&
             (isTaken[slot] || slots.types[slot] != type))
        ++slot;
      if (slot == slots.types.size()) {
        slots.types.push_back(type);
        isTaken.push_back(false);
      }
      isTaken[slot] = true;
      slots.ofBranch[branch].push_back(slot);
    }
  }
  return slots;
}

BytesAndMasks BranchJoint::countOldBytes(const CostModel &model) const {
  BytesAndMasks bytes;
  scf::IfOp op = forward;
  for (Value result : op->getResults())
    if (!isKept(result))
      bytes.add(result.getType(), model);
  return bytes;
}

std::optional<uint64_t>
BranchJoint::countNewBytes(ArrayRef<PartitionDecision> decisions,
                           const CostModel &model) const {
  uint64_t bytes = 0;
  for (Type type : findSlots(decisions).types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor ? !tensor.hasStaticShape() || tensor.getEncoding()
               : !type.isIntOrIndexOrFloat())
      return std::nullopt;
    bytes = add(bytes, model.getBytes(type));
  }
  return bytes;
}

/// Some value of `type`.
static Value buildAny(OpBuilder &b, Location loc, Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor::EmptyOp::create(b, loc, tensor.getShape(),
                                   tensor.getElementType());
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
}

//===----------------------------------------------------------------------===//
// The new ops
//===----------------------------------------------------------------------===//

void BranchJoint::buildForward(OpBuilder &b, unsigned branch,
                               PartitionDecision &decision,
                               const Slots &slots) {
  SmallVector<Value> inputs;
  for (auto [i, value] : llvm::enumerate(branches[branch].arguments))
    if (!decision.graph->isCotangent(i))
      inputs.push_back(value);
  SmallVector<Value> outputs = inlineBody(b, decision.forward.get(), inputs);
  SmallVector<Value> yielded(ArrayRef<Value>(outputs).take_front(kept.size()));
  yielded.resize(kept.size() + slots.types.size());
  for (auto [i, slot] : llvm::enumerate(slots.ofBranch[branch]))
    yielded[kept.size() + slot] = outputs[kept.size() + i];
  for (auto [i, type] : llvm::enumerate(slots.types))
    if (!yielded[kept.size() + i])
      yielded[kept.size() + i] = buildAny(b, forward.getLoc(), type);
  scf::YieldOp::create(b, forward.getLoc(), yielded);
}

void BranchJoint::buildBackward(OpBuilder &b, unsigned branch,
                                PartitionDecision &decision, const Slots &slots,
                                scf::IfOp newForward) {
  // What is used of the forward op beside what is saved is a kept result.
  auto getAround = [&](Value value) -> Value {
    if (value.getDefiningOp() != forward)
      return value;
    unsigned number = cast<OpResult>(value).getResultNumber();
    return newForward.getResult(llvm::find(kept, number) - kept.begin());
  };
  const SmallVector<Value> &arguments = branches[branch].arguments;
  SmallVector<Value> inputs;
  unsigned nextNew = 0;
  for (const SavedValue &saved : decision.plan.saved) {
    if (saved.kind == SavedKind::Argument)
      inputs.push_back(getAround(arguments[saved.value]));
    else if (saved.kind == SavedKind::Result)
      inputs.push_back(newForward.getResult(saved.index));
    else
      inputs.push_back(newForward.getResult(kept.size() +
                                            slots.ofBranch[branch][nextNew++]));
  }
  for (auto [i, value] : llvm::enumerate(arguments))
    if (decision.graph->isCotangent(i))
      inputs.push_back(getAround(value));
  scf::YieldOp::create(b, backward.getLoc(),
                       inlineBody(b, decision.backward.get(), inputs));
}

std::pair<scf::IfOp, scf::IfOp>
BranchJoint::replaceOps(MutableArrayRef<PartitionDecision> decisions) {
  Slots slots = findSlots(decisions);
  auto buildIf = [&](scf::IfOp old, TypeRange types,
                     function_ref<void(OpBuilder &, unsigned)> buildBranch) {
    OpBuilder b(old);
    auto op = scf::IfOp::create(b, old.getLoc(), types, old.getCondition(),
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
    for (unsigned branch : {0, 1}) {
      OpBuilder inner = OpBuilder::atBlockEnd(&getBranch(op, branch));
      buildBranch(inner, branch);
    }
    op->setDiscardableAttrs(old->getDiscardableAttrDictionary());
    return op;
  };
  SmallVector<Type> types;
  for (unsigned number : kept)
    types.push_back(forward.getResult(number).getType());
  llvm::append_range(types, slots.types);
  scf::IfOp newForward =
      buildIf(forward, types, [&](OpBuilder &b, unsigned branch) {
        buildForward(b, branch, decisions[branch], slots);
      });
  scf::IfOp newBackward = buildIf(
      backward, backward.getResultTypes(), [&](OpBuilder &b, unsigned branch) {
        buildBackward(b, branch, decisions[branch], slots, newForward);
      });
  backward->replaceAllUsesWith(newBackward);
  backward.erase();
  for (auto [i, number] : llvm::enumerate(kept))
    forward.getResult(number).replaceAllUsesWith(newForward.getResult(i));
  forward.erase();
  return {newForward, newBackward};
}
