//===- StreamFlowRegions.cpp - Draws in control flow ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How seeds, offsets and states of generators go through basic blocks and
// regions.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/GeneratorEffects/RegionTrips.h"
#include "StreamFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

//===----------------------------------------------------------------------===//
// What changes
//===----------------------------------------------------------------------===//

void StreamFlow::addChanges(Operation *op, Changes &changed) {
  auto add = [&](unsigned generator, bool isReseeded) {
    changed.states.set(generator);
    if (isReseeded)
      changed.seeds.set(generator);
  };
  if (auto state = dyn_cast<StateOpInterface>(op)) {
    if (state.isOnGenerator() && state.getStateAccess() != StateAccess::Read)
      add(context.getGenerator(state.getStateGenerator()),
          /*isReseeded=*/state.getStateAccess() == StateAccess::Set);
  } else if (auto call = dyn_cast<CallOpInterface>(op)) {
    FunctionOpInterface callee = context.getCallee(call);
    auto it = callee ? context.summaries.find(callee) : context.summaries.end();
    if (it != context.summaries.end() && it->second.isKnown) {
      for (const auto &[generator, state] : it->second.exits) {
        StreamValue seed{int(callee.getNumArguments() + 2 * generator), 0};
        add(generator, state.seed != seed);
      }
    } else if (callee && callee.isExternal()) {
      // Draws from what it declares, `unit` for the default generator.
      if (auto draws = callee->getAttrOfType<ArrayAttr>(RngDialect::kDraws))
        for (Attribute generator : draws)
          add(context.getGenerator(dyn_cast<FlatSymbolRefAttr>(generator)),
              /*isReseeded=*/true);
    } else {
      changed.states.set();
      changed.seeds.set();
    }
  }
}

/// Finds what each region changes, in one walk: regions may be nested deeply.
void StreamFlow::collectChanges() {
  function->walk([&](Operation *op) {
    Changes changed(numGenerators);
    addChanges(op, changed);
    if (changed.states.none())
      return;
    for (Region *region = op->getParentRegion();;
         region = region->getParentRegion()) {
      auto [it, isNew] = changes.try_emplace(region, changed);
      Changes &known = it->second;
      // Regions around one that changes all of this do so, too.
      if (!isNew && !changed.states.test(known.states) &&
          !changed.seeds.test(known.seeds))
        return;
      known |= changed;
      if (region->getParentOp() == function)
        return;
    }
  });
}

const StreamFlow::Changes &StreamFlow::getChanges(Region &region) const {
  auto it = changes.find(&region);
  return it == changes.end() ? noChanges : it->second;
}

//===----------------------------------------------------------------------===//
// Basic blocks
//===----------------------------------------------------------------------===//

StreamFlow::States StreamFlow::joinStates(ArrayRef<const States *> incoming,
                                          const Changes &mayChange,
                                          Block *block) {
  States states = *incoming.front();
  for (unsigned i = 0; i < numGenerators; ++i) {
    bool sameSeed = !mayChange.seeds[i], sameOffset = !mayChange.states[i];
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
  llvm::SmallPtrSet<Block *, 16> entered = effects::getEnteredBlocks(region),
                                 done;
  DenseMap<Block *, States> after;
  SmallVector<Block *> exits;
  for (Block *block : order) {
    if (!entered.contains(block))
      continue;
    States current = states;
    if (!block->isEntryBlock()) {
      SmallVector<const States *> incoming;
      bool isComplete = true;
      for (Block *before : block->getPredecessors()) {
        if (done.contains(before))
          incoming.push_back(&after.find(before)->second);
        else if (entered.contains(before))
          isComplete = false;
      }
      current = joinStates(incoming,
                           isComplete ? noChanges : getChanges(region), block);
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
  states = joinStates(incoming, noChanges, parent->getBlock());
}

//===----------------------------------------------------------------------===//
// Operations with regions
//===----------------------------------------------------------------------===//

void StreamFlow::visitRegions(Operation *op, States &states) {
  if (isa<FunctionOpInterface>(op) || op->hasTrait<OpTrait::SymbolTable>())
    return;
  if (!op->isRegistered() || op->hasTrait<OpTrait::IsIsolatedFromAbove>()) {
    for (Region &region : op->getRegions())
      forgetStates(getChanges(region), states, op->getBlock());
    remarks.try_emplace(StreamRemark::UnknownRegion, op);
    return;
  }
  if (effects::choosesOneRegion(op))
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

  // How each region leaves.
  struct Exit {
    unsigned begin, end;
    States states;
    SmallVector<StreamValue> yields;
  };
  SmallVector<Exit> exits;
  bool isPlain = !maySkip;
  for (Region &region : op->getRegions()) {
    if (region.empty() || effects::isNeverEntered(op, region))
      continue;
    Exit exit{unsigned(reads.size()), 0, states, {}};
    visitRegion(region, exit.states);
    exit.end = reads.size();
    Block &last = region.back();
    isPlain &= region.hasOneBlock() && !last.empty() &&
               last.back().hasTrait<OpTrait::ReturnLike>() &&
               last.back().getNumOperands() == op->getNumResults();
    if (isPlain)
      for (Value operand : last.back().getOperands())
        exit.yields.push_back(isStateType(operand.getType())
                                  ? getValue(operand)
                                  : StreamValue::nothing());
    exits.push_back(std::move(exit));
  }
  if (exits.empty())
    return;

  SmallVector<const States *> incoming;
  for (const Exit &exit : exits)
    incoming.push_back(&exit.states);
  if (maySkip)
    incoming.push_back(&states);
  States joined = joinStates(incoming, noChanges, op->getBlock());
  if (isPlain)
    for (OpResult result : op->getResults()) {
      if (!isStateType(result.getType()))
        continue;
      unsigned index = result.getResultNumber();
      bool areEqual = llvm::all_of(exits, [&](const Exit &exit) {
        return exit.yields[index] == exits[0].yields[index];
      });
      setValue(result, areEqual ? exits[0].yields[index]
                                : bases.create(op->getBlock()));
    }

  // What a region read, as the operations behind see it if it ran.
  for (const Exit &exit : exits) {
    KnownBases known;
    auto add = [&](StreamValue inside, StreamValue outside) {
      if (inside.base >= 0 && inside != outside)
        known.try_emplace(inside.base, outside + -inside.delta);
    };
    if (isPlain)
      for (auto [result, yielded] : llvm::zip(op->getResults(), exit.yields))
        if (yielded.isKnown())
          add(yielded, getValue(result));
    for (auto [inside, outside] : llvm::zip(exit.states, joined)) {
      add(inside.seed, outside.seed);
      add(inside.offset, outside.offset);
    }
    addReadsAs(op, exit.begin, exit.end, known);
  }
  states = std::move(joined);
}

/// Gives the generators that a loop changes a state of each iteration.
void StreamFlow::openStates(const Changes &changed, Block *body, States &states,
                            SmallVectorImpl<LoopValue> &loopValues) {
  auto open = [&](StreamValue &value) {
    StreamValue phi = bases.create(body);
    loopValues.push_back({phi, value, std::nullopt});
    value = phi;
  };
  for (unsigned generator : changed.states.set_bits()) {
    if (changed.seeds[generator])
      open(states[generator].seed);
    open(states[generator].offset);
  }
}

/// Calls `close` with the ends of an iteration, in the order of `openStates`.
void StreamFlow::closeStates(const Changes &changed, const States &states,
                             function_ref<void(StreamValue)> close) {
  for (unsigned generator : changed.states.set_bits()) {
    if (changed.seeds[generator])
      close(states[generator].seed);
    close(states[generator].offset);
  }
}

/// A loop without an iteration: its results are what it would start with.
void StreamFlow::skipLoop(Operation *op) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return;
  ValueRange results = op->getResults();
  if (auto loopResults = loop.getLoopResults())
    results = *loopResults;
  OperandRange inits = loop.getInits();
  if (inits.size() != results.size())
    return;
  for (auto [result, init] : llvm::zip_equal(results, inits))
    if (isStateType(result.getType()))
      setValue(result, getValue(init));
}

/// An op of which nothing is known but that its regions may run: each starts
/// with states that any of them may have left.
void StreamFlow::visitUnknownRegions(Operation *op, const Changes &changed,
                                     States &states) {
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    States inner = states;
    forgetStates(changed, inner, &region.front());
    visitRegion(region, inner);
  }
  forgetStates(changed, states, op->getBlock());
}

/// The seeds and offsets that the iterations of `loop` pass on, each with what
/// it yields and the result that it becomes. Those that never change are what
/// they start as.
SmallVector<StreamFlow::CarriedValue>
StreamFlow::openArguments(LoopLikeOpInterface loop, Block *body,
                          SmallVectorImpl<LoopValue> &loopValues) {
  SmallVector<CarriedValue> carried;
  if (!loop)
    return carried;
  // Some loops do not say which results are those of their arguments.
  ValueRange results = loop->getResults();
  if (auto loopResults = loop.getLoopResults())
    results = *loopResults;
  auto arguments = loop.getRegionIterArgs();
  OperandRange inits = loop.getInits();
  SmallVector<Value> yields = llvm::to_vector(loop.getYieldedValues());
  if (inits.size() != arguments.size() || yields.size() != arguments.size() ||
      results.size() != arguments.size())
    return carried;
  for (auto [argument, init, yield, result] :
       llvm::zip_equal(arguments, inits, yields, results)) {
    if (!isStateType(argument.getType()))
      continue;
    StreamValue start = getValue(init);
    if (yield == argument) {
      setValue(argument, start);
      setValue(result, start);
      continue;
    }
    StreamValue phi = bases.create(body);
    setValue(argument, phi);
    carried.push_back({yield, result});
    loopValues.push_back({phi, start, std::nullopt});
  }
  return carried;
}

/// Notes how far `value` moves in an iteration that ends with `yielded`.
void StreamFlow::closeLoopValue(LoopValue &value, StreamValue yielded) {
  if (yielded.base == value.phi.base)
    value.stride = yielded.delta - value.phi.delta;
}

void StreamFlow::visitLoop(Operation *op, States &states) {
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop, states);
  std::optional<uint64_t> trips = effects::getConstantTripCount(op);
  if (trips == uint64_t(0))
    return skipLoop(op);
  Changes changed(numGenerators);
  for (Region &region : op->getRegions())
    changed |= getChanges(region);
  if (op->getNumRegions() != 1 || op->getRegion(0).empty())
    return visitUnknownRegions(op, changed, states);

  Region &region = op->getRegion(0);
  Block *body = &region.front();
  unsigned begin = reads.size();
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  SmallVector<LoopValue> loopValues;
  SmallVector<CarriedValue> carried = openArguments(loop, body, loopValues);
  States inner = states;
  openStates(changed, body, inner, loopValues);

  visitRegion(region, inner);

  unsigned next = 0;
  auto close = [&](StreamValue yielded) {
    closeLoopValue(loopValues[next++], yielded);
  };
  for (const CarriedValue &value : carried)
    close(getValue(value.yielded));
  closeStates(changed, inner, close);

  replaceInvariants(begin, loopValues);
  unsigned end = reads.size();
  KnownBases first, last;
  for (const LoopValue &value : loopValues)
    first[value.phi.base] = value.init;
  addReadsAs(op, begin, end, first);
  if (loop && (!trips || *trips > 1))
    checkIterations(op, begin, end, loopValues);

  // What is left behind, and the last iteration in its terms.
  auto getFinal = [&](const LoopValue &value) {
    if (value.stride == uint64_t(0))
      return value.init;
    if (value.stride && trips)
      return value.init + *value.stride * *trips;
    StreamValue final = bases.create(op->getBlock());
    if (value.stride)
      last[value.phi.base] = final + -*value.stride;
    return final;
  };
  next = 0;
  for (const CarriedValue &value : carried)
    setValue(value.result, getFinal(loopValues[next++]));
  for (unsigned generator : changed.states.set_bits()) {
    if (changed.seeds[generator])
      states[generator].seed = getFinal(loopValues[next++]);
    states[generator].offset = getFinal(loopValues[next++]);
  }
  if (loop && !trips)
    addReadsAs(op, begin, end, last);
}

/// A loop that runs its first region once, its second one never.
void StreamFlow::runOnce(scf::WhileOp op, States &states) {
  for (auto [argument, init] :
       llvm::zip_equal(op.getBeforeBody()->getArguments(), op.getInits()))
    if (isStateType(argument.getType()))
      setValue(argument, getValue(init));
  visitRegion(op.getBefore(), states);
  for (auto [result, passed] :
       llvm::zip_equal(op.getResults(), op.getConditionOp().getArgs()))
    if (isStateType(result.getType()))
      setValue(result, getValue(passed));
}

void StreamFlow::visitWhile(scf::WhileOp op, States &states) {
  Block *before = op.getBeforeBody(), *after = op.getAfterBody();
  if (effects::stopsAtOnce(op))
    return runOnce(op, states);
  scf::ConditionOp condition = op.getConditionOp();
  Operation *yield = after->getTerminator();
  Changes changed = getChanges(op.getBefore());
  changed |= getChanges(op.getAfter());

  // Both regions see the values that an iteration begins with.
  unsigned begin = reads.size();
  SmallVector<LoopValue> loopValues;
  SmallVector<unsigned> carried;
  for (BlockArgument argument : before->getArguments()) {
    unsigned index = argument.getArgNumber();
    if (!isStateType(argument.getType()))
      continue;
    StreamValue init = getValue(op.getInits()[index]);
    auto passed = dyn_cast<BlockArgument>(yield->getOperand(index));
    if (passed && passed.getOwner() == after &&
        condition.getArgs()[passed.getArgNumber()] == argument) {
      setValue(argument, init);
      continue;
    }
    StreamValue phi = bases.create(before);
    setValue(argument, phi);
    carried.push_back(index);
    loopValues.push_back({phi, init, std::nullopt});
  }
  States inner = states;
  openStates(changed, before, inner, loopValues);
  visitRegion(op.getBefore(), inner);
  States leaving = inner;
  unsigned middle = reads.size();
  for (auto [argument, passed] :
       llvm::zip(after->getArguments(), condition.getArgs()))
    if (isStateType(argument.getType()))
      setValue(argument, getValue(passed));
  visitRegion(op.getAfter(), inner);
  unsigned end = reads.size();

  unsigned next = 0;
  auto close = [&](StreamValue yielded) {
    closeLoopValue(loopValues[next++], yielded);
  };
  for (unsigned index : carried)
    close(getValue(yield->getOperand(index)));
  closeStates(changed, inner, close);
  replaceInvariants(begin, loopValues);
  checkIterations(op, begin, end, loopValues);

  // The first iteration, and the last one, which is of the first region.
  KnownBases first, last;
  for (const LoopValue &value : loopValues) {
    first[value.phi.base] = value.init;
    last[value.phi.base] =
        value.stride == uint64_t(0) ? value.init : bases.create(op->getBlock());
  }
  addReadsAs(op, begin, end, first);
  addReadsAs(op, begin, middle, last);
  auto leave = [&](StreamValue value) {
    if (auto it = last.find(value.base); it != last.end())
      return it->second + value.delta;
    for (Block *block : bases.getBlocks(value))
      if (op->isAncestor(block->getParentOp()))
        return bases.create(op->getBlock());
    return value;
  };
  for (auto [result, passed] : llvm::zip(op.getResults(), condition.getArgs()))
    if (isStateType(result.getType()))
      setValue(result, leave(getValue(passed)));
  for (unsigned generator : changed.states.set_bits())
    states[generator] = {leave(leaving[generator].seed),
                         leave(leaving[generator].offset)};
}
