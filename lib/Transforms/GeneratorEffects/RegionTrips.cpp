//===- RegionTrips.cpp - How often regions run ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/GeneratorEffects/RegionTrips.h"
#include "RngDialect/Transforms/GeneratorEffects/ThreadableRegion.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::effects;

std::optional<uint64_t>
mlir::rng::effects::getConstantTripCount(Operation *op) {
  if (auto region = dyn_cast<ThreadableRegionOpInterface>(op))
    if (std::optional<uint64_t> trips = region.getConstantTripCount())
      return trips;
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    if (std::optional<APInt> trips = loop.getStaticTripCount())
      if (trips->getActiveBits() <= 64)
        return trips->getZExtValue();
  return std::nullopt;
}

bool mlir::rng::effects::choosesOneRegion(Operation *op) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch || isa<LoopLikeOpInterface>(op))
    return false;
  // Each region is run from outside and left to the outside.
  return llvm::all_of(op->getRegions(), [&](Region &region) {
    if (region.empty())
      return true;
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(region, successors);
    return llvm::all_of(successors, [](RegionSuccessor successor) {
      return successor.isParent();
    });
  });
}

/// The constant that `value` is, null if it is not known.
static Attribute getConstant(Value value) {
  Attribute constant;
  matchPattern(value, m_Constant(&constant));
  return constant;
}

/// The constants that the operands of `op` are, null for those not known.
static SmallVector<Attribute> getConstantOperands(Operation *op) {
  return llvm::map_to_vector(op->getOperands(), getConstant);
}

bool mlir::rng::effects::isNeverEntered(Operation *op, Region &region) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return false;
  SmallVector<RegionSuccessor> successors;
  branch.getEntrySuccessorRegions(getConstantOperands(op), successors);
  return llvm::none_of(successors, [&](RegionSuccessor successor) {
    return successor.getSuccessor() == &region;
  });
}

/// The successors of `block`, but those that constants keep from being taken.
static SmallVector<Block *> getTakenSuccessors(Block *block) {
  // One without successors may lack a terminator.
  if (block->getNumSuccessors() == 0)
    return {};
  if (auto branch = dyn_cast<BranchOpInterface>(block->getTerminator()))
    if (Block *taken =
            branch.getSuccessorForOperands(getConstantOperands(branch)))
      return {taken};
  return llvm::to_vector(block->getSuccessors());
}

/// Whether `block`, which has no successors, ends in what must not be reached.
static bool endsUnreachably(Block *block) {
  return !block->empty() && block->back().hasTrait<OpTrait::IsTerminator>() &&
         block->back().hasTrait<OpTrait::ZeroOperands>() &&
         !block->back().hasTrait<OpTrait::ReturnLike>();
}

/// Removes from `blocks` those from which each end is one that must not be
/// reached. Those that run on for ever stay.
static void removeUnreachable(llvm::SmallPtrSetImpl<Block *> &blocks) {
  llvm::SmallPtrSet<Block *, 16> toUnreachable, toEnd;
  DenseMap<Block *, SmallVector<Block *>> predecessors;
  SmallVector<Block *> unreachable, ends;
  for (Block *block : blocks) {
    for (Block *next : getTakenSuccessors(block))
      predecessors[next].push_back(block);
    if (block->getNumSuccessors() == 0)
      (endsUnreachably(block) ? unreachable : ends).push_back(block);
  }
  auto findLeading = [&](SmallVector<Block *> stack,
                         llvm::SmallPtrSetImpl<Block *> &leading) {
    leading.insert(stack.begin(), stack.end());
    while (!stack.empty())
      for (Block *before : predecessors.lookup(stack.pop_back_val()))
        if (leading.insert(before).second)
          stack.push_back(before);
  };
  findLeading(unreachable, toUnreachable);
  findLeading(ends, toEnd);
  for (Block *block : toUnreachable)
    if (!toEnd.contains(block))
      blocks.erase(block);
}

llvm::SmallPtrSet<Block *, 16>
mlir::rng::effects::getEnteredBlocks(Region &region) {
  SmallVector<Block *> stack(1, &region.front());
  llvm::SmallPtrSet<Block *, 16> entered(stack.begin(), stack.end());
  while (!stack.empty())
    for (Block *next : getTakenSuccessors(stack.pop_back_val()))
      if (entered.insert(next).second)
        stack.push_back(next);
  removeUnreachable(entered);
  return entered;
}

/// The constant that `value` is in the first run of the first region of `loop`,
/// null if it is not known. At most `budget` operations are looked at.
static Attribute foldInFirstRun(Value value, scf::WhileOp loop,
                                unsigned &budget) {
  if (Attribute constant = getConstant(value))
    return constant;
  Block *before = loop.getBeforeBody();
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == before
               ? getConstant(loop.getInits()[argument.getArgNumber()])
               : Attribute();
  Operation *op = value.getDefiningOp();
  if (op->getBlock() != before || op->getNumRegions() != 0 || !isPure(op) ||
      budget == 0)
    return {};
  --budget;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(foldInFirstRun(operand, loop, budget));
  // Folding may change the operation that is folded.
  Operation *copy = op->clone();
  SmallVector<OpFoldResult> results;
  Attribute constant;
  if (succeeded(copy->fold(operands, results)) && !results.empty()) {
    OpFoldResult result = results[cast<OpResult>(value).getResultNumber()];
    constant = dyn_cast<Attribute>(result);
    if (auto same = dyn_cast<Value>(result); same && same != value)
      constant = foldInFirstRun(same, loop, budget);
  }
  copy->destroy();
  return constant;
}

bool mlir::rng::effects::stopsAtOnce(scf::WhileOp loop) {
  unsigned budget = 64;
  auto goesOn = dyn_cast_or_null<IntegerAttr>(
      foldInFirstRun(loop.getConditionOp().getCondition(), loop, budget));
  return goesOn && goesOn.getValue().isZero();
}
