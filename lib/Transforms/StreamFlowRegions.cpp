//===- StreamFlowRegions.cpp - Draws in control flow ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How seeds, offsets and states of generators go through blocks and regions.
//
//===----------------------------------------------------------------------===//

#include "StreamFlow.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace mlir::rng;

//===----------------------------------------------------------------------===//
// What changes
//===----------------------------------------------------------------------===//

void StreamFlow::addChangedGenerators(Operation *op, llvm::BitVector &changed) {
  if (auto draw = dyn_cast<StatefulDrawOpInterface>(op)) {
    changed.set(context.getGenerator(draw.getDrawGenerator()));
  } else if (auto set = dyn_cast<SetStateOp>(op)) {
    changed.set(context.getGenerator(set.getGeneratorAttr()));
  } else if (auto reserve = dyn_cast<ReserveOp>(op)) {
    changed.set(context.getGenerator(reserve.getGeneratorAttr()));
  } else if (auto call = dyn_cast<CallOpInterface>(op)) {
    FunctionOpInterface callee = context.getCallee(call);
    auto it = callee ? context.summaries.find(callee) : context.summaries.end();
    if (it != context.summaries.end() && it->second.isKnown) {
      for (auto &exit : it->second.exits)
        changed.set(exit.first);
    } else if (callee && callee.isExternal()) {
      // Draws from what it declares, `unit` for the default generator.
      if (auto draws = callee->getAttrOfType<ArrayAttr>(RngDialect::kDraws))
        for (Attribute generator : draws)
          changed.set(
              context.getGenerator(dyn_cast<FlatSymbolRefAttr>(generator)));
    } else {
      changed.set();
    }
  }
}

llvm::BitVector StreamFlow::getChangedGenerators(Region &region) {
  llvm::BitVector changed(numGenerators);
  region.walk([&](Operation *op) { addChangedGenerators(op, changed); });
  return changed;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

StreamFlow::States StreamFlow::joinStates(ArrayRef<const States *> incoming,
                                          const llvm::BitVector &mayChange,
                                          Block *block) {
  States states = *incoming.front();
  for (unsigned i = 0; i < numGenerators; ++i) {
    bool sameSeed = !mayChange[i], sameOffset = !mayChange[i];
    for (const States *other : incoming.drop_front()) {
      sameSeed &= (*other)[i].seed == states[i].seed;
      sameOffset &= (*other)[i].offset == states[i].offset;
    }
    if (!sameSeed)
      states[i].seed = bases.create(block);
    if (!sameOffset)
      states[i].offset = bases.create(block);
  }
  return states;
}

/// Gives arguments of `block` the value that all its predecessors pass.
void StreamFlow::joinArguments(Block &block,
                               const llvm::SmallPtrSetImpl<Block *> &done,
                               bool isComplete) {
  if (!isComplete)
    return;
  for (BlockArgument argument : block.getArguments()) {
    if (!isStateType(argument.getType()))
      continue;
    std::optional<StreamValue> joined;
    bool isSame = true;
    for (auto it = block.pred_begin(); it != block.pred_end() && isSame; ++it) {
      if (!done.contains(*it))
        continue;
      auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
      Value passed;
      if (branch)
        passed = branch.getSuccessorOperands(
            it.getSuccessorIndex())[argument.getArgNumber()];
      if (!passed) {
        isSame = false;
        break;
      }
      StreamValue value = getValue(passed);
      isSame = !joined || *joined == value;
      joined = value;
    }
    if (isSame && joined)
      setValue(argument, *joined);
  }
}

void StreamFlow::visitBlock(Block &block, States &states) {
  for (Operation &op : block)
    visit(&op, states);
  if (block.empty() || block.getParentOp() != function)
    return;
  Operation *terminator = &block.back();
  if (!terminator->hasTrait<OpTrait::ReturnLike>())
    return;
  SmallVector<StreamValue> operands;
  for (Value operand : terminator->getOperands())
    operands.push_back(isStateType(operand.getType()) ? getValue(operand)
                                                      : StreamValue::nothing());
  if (!returned) {
    returned = operands;
    return;
  }
  for (auto [known, other] : llvm::zip(*returned, operands))
    if (known != other)
      known = StreamValue::nothing();
}

void StreamFlow::visitRegion(Region &region, States &states) {
  if (region.empty())
    return;
  if (region.hasOneBlock()) {
    visitBlock(region.front(), states);
    return;
  }
  llvm::ReversePostOrderTraversal<Region *> order(&region);
  llvm::SmallPtrSet<Block *, 16> reachable(order.begin(), order.end()), done;
  DenseMap<Block *, States> after;
  std::optional<llvm::BitVector> changed;
  const llvm::BitVector none(numGenerators);
  SmallVector<Block *> exits;
  for (Block *block : order) {
    States current = states;
    if (!block->isEntryBlock()) {
      SmallVector<const States *> incoming;
      bool isComplete = true;
      for (Block *before : block->getPredecessors()) {
        if (done.contains(before))
          incoming.push_back(&after.find(before)->second);
        else if (reachable.contains(before))
          isComplete = false;
      }
      if (!isComplete && !changed)
        changed = getChangedGenerators(region);
      current = joinStates(incoming, isComplete ? none : *changed, block);
      joinArguments(*block, done, isComplete);
    }
    visitBlock(*block, current);
    bool leaves = block->empty() || block->getNumSuccessors() == 0;
    if (leaves)
      exits.push_back(block);
    after.try_emplace(block, std::move(current));
    done.insert(block);
  }
  if (exits.empty())
    return;
  SmallVector<const States *> incoming;
  for (Block *block : exits)
    incoming.push_back(&after.find(block)->second);
  Operation *parent = region.getParentOp();
  states = joinStates(incoming, none, parent->getBlock());
}

//===----------------------------------------------------------------------===//
// Operations with regions
//===----------------------------------------------------------------------===//

void StreamFlow::visitRegions(Operation *op, States &states) {
  if (isa<FunctionOpInterface>(op) || op->hasTrait<OpTrait::SymbolTable>())
    return;
  if (!op->isRegistered() || op->hasTrait<OpTrait::IsIsolatedFromAbove>()) {
    llvm::BitVector changed(numGenerators);
    for (Region &region : op->getRegions())
      changed |= getChangedGenerators(region);
    forgetStates(changed, states, op->getBlock());
    remarks.try_emplace(StreamRemark::UnknownRegion, op);
    return;
  }
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  bool choosesOnce = branch && !isa<LoopLikeOpInterface>(op);
  // Each region is run from outside and left to the outside.
  for (Region &region : op->getRegions()) {
    if (!choosesOnce)
      break;
    if (region.empty())
      continue;
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(region, successors);
    choosesOnce &= llvm::all_of(successors, [](RegionSuccessor successor) {
      return successor.isParent();
    });
  }
  if (choosesOnce)
    visitBranches(op, states);
  else
    visitLoop(op, states);
}

void StreamFlow::visitBranches(Operation *op, States &states) {
  auto branch = cast<RegionBranchOpInterface>(op);
  SmallVector<Attribute> unknown(op->getNumOperands());
  SmallVector<RegionSuccessor> successors;
  branch.getEntrySuccessorRegions(unknown, successors);
  bool maySkip = llvm::any_of(successors, [](RegionSuccessor successor) {
    return successor.isParent();
  });

  SmallVector<States> exits;
  if (maySkip)
    exits.push_back(states);
  SmallVector<std::optional<StreamValue>> joined(op->getNumResults());
  bool isFirst = true;
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    States inner = states;
    visitRegion(region, inner);
    exits.push_back(std::move(inner));
    Block &last = region.back();
    bool isPlain = !maySkip && region.hasOneBlock() && !last.empty() &&
                   last.back().hasTrait<OpTrait::ReturnLike>() &&
                   last.back().getNumOperands() == op->getNumResults();
    for (auto [index, value] : llvm::enumerate(joined)) {
      Type type = op->getResult(index).getType();
      if (!isPlain || !isStateType(type)) {
        value = std::nullopt;
        continue;
      }
      StreamValue yielded = getValue(last.back().getOperand(index));
      if (isFirst)
        value = yielded;
      else if (value && *value != yielded)
        value = std::nullopt;
    }
    isFirst = false;
  }
  for (auto [result, value] : llvm::zip(op->getResults(), joined))
    if (value)
      setValue(result, *value);
  if (exits.empty())
    return;
  SmallVector<const States *> incoming;
  for (const States &exit : exits)
    incoming.push_back(&exit);
  states = joinStates(incoming, llvm::BitVector(numGenerators), op->getBlock());
}

void StreamFlow::visitLoop(Operation *op, States &states) {
  llvm::BitVector changed(numGenerators);
  for (Region &region : op->getRegions())
    changed |= getChangedGenerators(region);
  if (op->getNumRegions() != 1 || op->getRegion(0).empty()) {
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      States inner = states;
      forgetStates(changed, inner, &region.front());
      visitRegion(region, inner);
    }
    forgetStates(changed, states, op->getBlock());
    return;
  }

  Region &region = op->getRegion(0);
  Block *body = &region.front();
  unsigned begin = reads.size();
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  SmallVector<LoopValue> loopValues;

  // Iteration arguments; those that never change are what they start as.
  SmallVector<std::pair<Value, unsigned>> carried;
  SmallVector<Value> yields;
  // Some loops do not say which results are those of their arguments.
  ValueRange results = op->getResults();
  if (loop) {
    auto arguments = loop.getRegionIterArgs();
    OperandRange inits = loop.getInits();
    yields = llvm::to_vector(loop.getYieldedValues());
    if (auto loopResults = loop.getLoopResults())
      results = *loopResults;
    bool isRegular = inits.size() == arguments.size() &&
                     yields.size() == arguments.size() &&
                     results.size() == arguments.size();
    for (unsigned i = 0; isRegular && i < arguments.size(); ++i) {
      Type type = arguments[i].getType();
      if (!isStateType(type))
        continue;
      StreamValue init = getValue(inits[i]);
      if (yields[i] == arguments[i]) {
        setValue(arguments[i], init);
        setValue(results[i], init);
        continue;
      }
      StreamValue phi = bases.create(body);
      setValue(arguments[i], phi);
      carried.push_back({results[i], i});
      loopValues.push_back({phi, init, std::nullopt});
    }
  }
  States inner = states;
  for (unsigned generator : changed.set_bits()) {
    GeneratorState &state = inner[generator];
    StreamValue seed = bases.create(body), offset = bases.create(body);
    loopValues.push_back({seed, state.seed, std::nullopt});
    loopValues.push_back({offset, state.offset, std::nullopt});
    state = {seed, offset};
  }

  visitRegion(region, inner);

  unsigned next = 0;
  auto close = [&](StreamValue yielded) {
    LoopValue &value = loopValues[next++];
    if (yielded.base == value.phi.base)
      value.stride = yielded.delta - value.phi.delta;
  };
  for (auto [result, index] : carried)
    close(getValue(yields[index]));
  for (unsigned generator : changed.set_bits()) {
    close(inner[generator].seed);
    close(inner[generator].offset);
  }

  std::optional<APInt> trips;
  if (loop)
    trips = loop.getStaticTripCount();
  if (!trips || !trips->isZero())
    addFirstIteration(op, begin, reads.size(), loopValues);
  if (loop && (!trips || trips->ugt(1)))
    checkIterations(op, begin, reads.size(), loopValues);

  // What is left behind.
  auto getFinal = [&](const LoopValue &value) {
    if (value.stride == uint64_t(0))
      return value.init;
    if (value.stride && trips && trips->getActiveBits() <= 64)
      return value.init + *value.stride * trips->getZExtValue();
    return bases.create(op->getBlock());
  };
  next = 0;
  for (auto [result, index] : carried)
    setValue(result, getFinal(loopValues[next++]));
  for (unsigned generator : changed.set_bits()) {
    states[generator].seed = getFinal(loopValues[next++]);
    states[generator].offset = getFinal(loopValues[next++]);
  }
}
