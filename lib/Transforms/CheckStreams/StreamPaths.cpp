//===- StreamPaths.cpp - Which operations run together ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamPaths.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

/// Whether `op`, when it runs, runs `block` of one of its regions.
static bool entersAlways(Operation *op, Block *block) {
  Region *region = block->getParent();
  if (!block->isEntryBlock())
    return false;
  if (isa<LoopLikeOpInterface>(op))
    return true;
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return false;
  SmallVector<Attribute> unknown(op->getNumOperands());
  SmallVector<RegionSuccessor> successors;
  branch.getEntrySuccessorRegions(unknown, successors);
  return successors.size() == 1 && successors[0].getSuccessor() == region;
}

bool StreamPaths::runsAlways(Operation *op, Operation *ancestor) {
  while (op != ancestor) {
    Block *block = op->getBlock();
    op = op->getParentOp();
    // The body of a function is not a region that it branches to.
    if (op == ancestor && !isa<LoopLikeOpInterface>(op))
      return block->isEntryBlock();
    if (!entersAlways(op, block))
      return false;
  }
  return true;
}

/// The basic blocks that contain `op`, innermost first, up to `region`'s.
static SmallVector<Block *> getBlocksUpTo(Operation *op, Region *region) {
  SmallVector<Block *> blocks;
  Block *block = op->getBlock();
  for (; block->getParent() != region; block = block->getParentOp()->getBlock())
    blocks.push_back(block);
  blocks.push_back(block);
  return blocks;
}

/// Whether two operations choose between their regions alike.
static bool chooseAlike(Operation *a, Operation *b) {
  return isa<RegionBranchOpInterface>(a) && !isa<LoopLikeOpInterface>(a) &&
         a->getName() == b->getName() && a->getNumRegions() > 0 &&
         a->getOperands() == b->getOperands() &&
         a->getRawDictionaryAttrs() == b->getRawDictionaryAttrs() &&
         a->getPropertiesAsAttribute() == b->getPropertiesAsAttribute();
}

Together StreamPaths::runTogether(Operation *a, Operation *b,
                                  ArrayRef<Block *> redefinitions,
                                  bool conditionalA, bool conditionalB) {
  Region *common = a->getParentRegion();
  while (!common->findAncestorOpInRegion(*b)) {
    common = common->getParentRegion();
    if (!common)
      return Together::Perhaps;
  }
  SmallVector<Block *> blocksA = getBlocksUpTo(a, common);
  SmallVector<Block *> blocksB = getBlocksUpTo(b, common);
  if (blocksA.back() != blocksB.back()) {
    Together together =
        runTogetherInRegion(blocksA.back(), blocksB.back(), redefinitions);
    if (together != Together::Certainly)
      return together;
  }
  blocksA.pop_back();
  blocksB.pop_back();

  // What is seen outside of a region is of the last time that it was defined.
  for (ArrayRef<Block *> blocks : {ArrayRef(blocksA), ArrayRef(blocksB)})
    for (Block *block : blocks)
      if (!leaves(block, redefinitions))
        return Together::Never;

  // Below one operation, in different regions: the regions of a loop run one
  // after the other, of other operations one or the other.
  if (!blocksA.empty() && !blocksB.empty() &&
      blocksA.back()->getParentOp() == blocksB.back()->getParentOp() &&
      !isa<LoopLikeOpInterface>(blocksA.back()->getParentOp()))
    return Together::Never;

  // Conditionals of the same condition count once.
  while (!blocksA.empty() && !blocksB.empty()) {
    Block *blockA = blocksA.back(), *blockB = blocksB.back();
    if (!blockA->isEntryBlock() || !blockB->isEntryBlock() ||
        blockA->getParent()->getRegionNumber() !=
            blockB->getParent()->getRegionNumber() ||
        !chooseAlike(blockA->getParentOp(), blockB->getParentOp()))
      break;
    blocksA.pop_back();
    blocksB.pop_back();
  }
  auto isConditional = [](Block *block) {
    return !entersAlways(block->getParentOp(), block);
  };
  conditionalA |= llvm::any_of(blocksA, isConditional);
  conditionalB |= llvm::any_of(blocksB, isConditional);
  return conditionalA && conditionalB ? Together::Perhaps : Together::Certainly;
}

Together StreamPaths::runTogetherInRegion(Block *a, Block *b,
                                          ArrayRef<Block *> redefinitions) {
  // Values that both use are defined in basic blocks that dominate both.
  // Between the last time that those ran and b, a ran if it dominates b.
  if (dominance.properlyDominates(a, b) || dominance.properlyDominates(b, a))
    return Together::Certainly;
  bool isReached = false;
  for (int turn = 0; turn < 2; ++turn, std::swap(a, b)) {
    if (!reaches(a, b, redefinitions))
      continue;
    isReached = true;
    if (postDominance.properlyPostDominates(b, a))
      return Together::Certainly;
  }
  return isReached ? Together::Perhaps : Together::Never;
}

/// Whether a run of a region can go from `block` to its end without entering
/// one of `redefinitions`.
bool StreamPaths::leaves(Block *block, ArrayRef<Block *> redefinitions) {
  SmallVector<Block *> stack(1, block);
  llvm::SmallPtrSet<Block *, 16> seen;
  while (!stack.empty()) {
    Block *at = stack.pop_back_val();
    if (at->getNumSuccessors() == 0 || budget == 0)
      return true;
    --budget;
    for (Block *next : at->getSuccessors())
      if (!llvm::is_contained(redefinitions, next) && seen.insert(next).second)
        stack.push_back(next);
  }
  return false;
}

bool StreamPaths::reaches(Block *a, Block *b, ArrayRef<Block *> redefinitions) {
  SmallVector<Block *> stack(1, a);
  llvm::SmallPtrSet<Block *, 16> seen;
  while (!stack.empty()) {
    Block *block = stack.pop_back_val();
    for (Block *next : block->getSuccessors()) {
      if (next == b)
        return true;
      if (llvm::is_contained(redefinitions, next) || !seen.insert(next).second)
        continue;
      if (budget == 0)
        return false;
      --budget;
      stack.push_back(next);
    }
  }
  return false;
}
