//===- StateEffects.cpp - What code does to generators ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/GeneratorEffects/StateEffects.h"
#include "RngDialect/Transforms/GeneratorEffects/DrawingFunctions.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::effects;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

StateEffect StateEffect::get(StateOpInterface op,
                             RngAlgorithmAttrInterface algorithm) {
  assert(op.isOnGenerator() && "a state in memory is no generator's");
  switch (op.getStateAccess()) {
  case StateAccess::Read:
    return {};
  case StateAccess::Advance:
    return get(BlockCount::get(op, algorithm));
  case StateAccess::Set:
    return getSet();
  }
  llvm_unreachable("all kinds of access are named");
}

StateEffects StateEffectsAnalysis::getEffects(Operation *op) {
  if (op->getNumRegions() != 0) {
    // What is in another symbol table is another program.
    if (op->hasTrait<OpTrait::SymbolTable>())
      return {};
    auto it = regionOps.find(op);
    if (it != regionOps.end())
      return it->second;
    StateEffects effects = computeRegionOp(op);
    return regionOps[op] = std::move(effects);
  }
  if (auto state = dyn_cast<StateOpInterface>(op)) {
    if (!state.isOnGenerator())
      return {};
    return {{functions.getNumber(state.getStateGenerator()),
             StateEffect::get(state, functions.getAlgorithm(state))}};
  }
  return functions.getCallEffects(op);
}

StateEffects StateEffectsAnalysis::computeRegionOp(Operation *op) {
  SmallVector<StateEffects> regions;
  StateEffects result;
  for (Region &region : op->getRegions()) {
    regions.push_back(getEffects(region));
    for (const auto &[generator, effect] : regions.back())
      result[generator].mergeFlags(effect);
  }
  auto threadable = dyn_cast<ThreadableRegionOpInterface>(op);
  auto isOutside = [&](Value value) { return isDefinedOutside(op, value); };
  for (auto &[generator, effect] : result) {
    if (!effect.advances)
      continue;
    SmallVector<BlockCount> counts;
    for (StateEffects &region : regions)
      counts.push_back(region[generator].blocks);
    bool isZero = llvm::all_of(
        counts, [](const BlockCount &c) { return c.getConstant() == 0; });
    if (isZero && !effect.reseeds)
      continue;
    effect.blocks = BlockCount::getUnknown();
    if (!threadable || effect.reseeds)
      continue;
    switch (threadable.getRegionExecution()) {
    case RegionExecution::OneOf:
      if (llvm::all_equal(counts))
        effect.blocks = counts.front();
      break;
    case RegionExecution::Counted:
    case RegionExecution::Parallel:
      // The same number in each iteration.
      if (counts.front().isBuildable(isOutside)) {
        effect.blocks = counts.front();
        effect.blocks.multiplyByTrips(threadable);
      }
      break;
    case RegionExecution::Uncounted:
      break;
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

SmallVector<Block *> mlir::rng::effects::getBlockOrder(Region &region) {
  if (region.hasOneBlock())
    return {&region.front()};
  llvm::ReversePostOrderTraversal<Block *> order(&region.front());
  return SmallVector<Block *>(order.begin(), order.end());
}

StateEffects StateEffectsAnalysis::getEffects(Region &region) {
  StateEffects result;
  if (region.empty())
    return result;
  bool isSingle = region.hasOneBlock();
  for (Operation &op : region.getOps())
    for (const auto &[generator, effect] : getEffects(&op)) {
      if (isSingle)
        result[generator].add(effect);
      else
        result[generator].mergeFlags(effect);
    }
  if (isSingle || result.empty())
    return result;

  SmallVector<Block *> order = getBlockOrder(region);
  for (auto &[generator, effect] : result) {
    if (!effect.advances)
      continue;
    RegionFlow flow = solveFlow(order, generator, /*onlyConstant=*/false);
    std::optional<BlockCount> count;
    for (auto [block, state] : llvm::zip_equal(order, flow)) {
      if (block->getNumSuccessors() != 0)
        continue;
      bool isDistance = state.out.base == 0 && state.out.seed == 0;
      BlockCount own = isDistance ? state.out.delta : BlockCount::getUnknown();
      count = !count || *count == own ? own : BlockCount::getUnknown();
    }
    effect.blocks = count.value_or(BlockCount::getUnknown());
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Flow between basic blocks
//===----------------------------------------------------------------------===//

namespace {
/// What a basic block does to a flow state.
struct Transfer {
  /// A new value; nothing where the state is the one at the start.
  std::optional<unsigned> seed, base;
  BlockCount delta;

  FlowState apply(const FlowState &in) const {
    FlowState out = in;
    if (seed)
      out.seed = *seed;
    if (base)
      out = {out.seed, *base, delta};
    else
      out.delta += delta;
    return out;
  }
};
} // namespace

RegionFlow StateEffectsAnalysis::solveFlow(ArrayRef<Block *> order,
                                           GeneratorNumber generator,
                                           bool onlyConstant) {
  // Numbers of values: the start, one argument a basic block, then results of
  // ops.
  unsigned nextValue = 1 + order.size();
  DenseMap<Block *, unsigned> numbers;
  std::vector<Transfer> transfers(order.size());
  for (auto [i, block] : llvm::enumerate(order)) {
    numbers[block] = i;
    Transfer &transfer = transfers[i];
    for (Operation &op : *block) {
      StateEffects effects = getEffects(&op);
      auto it = effects.find(generator);
      if (it == effects.end() || !it->second.advances)
        continue;
      const StateEffect &effect = it->second;
      if (effect.reseeds)
        transfer.seed = nextValue++;
      if (onlyConstant ? effect.blocks.getConstant().has_value()
                       : effect.blocks.isKnown()) {
        transfer.delta += effect.blocks;
      } else {
        transfer.base = nextValue++;
        transfer.delta = 0;
      }
    }
  }
  SmallVector<SmallVector<unsigned>> predecessors(order.size());
  for (auto [i, block] : llvm::enumerate(order))
    for (Block *predecessor : block->getPredecessors()) {
      auto it = numbers.find(predecessor);
      if (it != numbers.end())
        predecessors[i].push_back(it->second);
    }

  // Where two ways to a basic block disagree, its state becomes an argument.
  // Each pass starts afresh: what is left of an earlier one would disagree with
  // states that have become arguments since. There are about as many passes as
  // loops are nested.
  RegionFlow flow(order.size());
  auto agrees = [](BlockFlow &block, const FlowState &incoming) {
    bool seed = block.isSeedArgument || block.in.seed == incoming.seed;
    bool offset = block.isOffsetArgument || (block.in.base == incoming.base &&
                                             block.in.delta == incoming.delta);
    block.isSeedArgument |= !seed;
    block.isOffsetArgument |= !offset;
    return seed && offset;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0, e = order.size(); i != e; ++i) {
      BlockFlow &block = flow[i];
      bool isFirst = true;
      for (unsigned predecessor : predecessors[i]) {
        if (predecessor >= i)
          continue;
        if (isFirst)
          block.in = flow[predecessor].out;
        else
          changed |= !agrees(block, flow[predecessor].out);
        isFirst = false;
      }
      if (block.isSeedArgument)
        block.in.seed = 1 + i;
      if (block.isOffsetArgument)
        block.in = {block.in.seed, 1 + i, 0};
      block.out = transfers[i].apply(block.in);
    }
    for (unsigned i = 0, e = order.size(); i != e; ++i)
      for (unsigned predecessor : predecessors[i])
        if (predecessor >= i)
          changed |= !agrees(flow[i], flow[predecessor].out);
  }
  return flow;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void StateEffectsAnalysis::computeFunctions() {
  for (unsigned number : functions.getCallOrder()) {
    DrawingFunction &function = functions.getFunctions()[number];
    if (functions.isOnCycle(number)) {
      for (auto &[generator, effect] : function.effects)
        effect.blocks = effect.advances ? BlockCount::getUnknown() : 0;
      continue;
    }
    StateEffects effects = getEffects(function.op.getFunctionBody());
    for (auto &[generator, effect] : function.effects)
      effect.blocks = effects[generator].blocks;
  }
}
