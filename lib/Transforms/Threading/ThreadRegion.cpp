//===- ThreadRegion.cpp - Draws of a region become stateless ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadRegion.h"
#include "RngDialect/Transforms/Support/ReportFile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::effects;
using namespace mlir::rng::threading;

/// For the draw table; nothing where none is asked for.
std::string RegionThreader::describe(StringRef kind, Operation *op) const {
  if (!hasTable)
    return {};
  std::string text = (kind + " of " + op->getName().getStringRef()).str();
  std::string place = describeLocation(op->getLoc());
  return place.empty() ? text : text + " at " + place;
}

void RegionThreader::addRow(StateOpInterface op, const ThreadedState &state) {
  DrawTableRow row;
  row.function = ("@" + functionName).str();
  row.location = describeLocation(op.getLoc());
  row.generator = getGeneratorName(op.getStateGenerator());
  row.base = state.getOrigin().str();
  row.delta = state.getDelta();
  llvm::raw_string_ostream type(row.type);
  if (auto draw = dyn_cast<StatefulDrawOpInterface>(op.getOperation())) {
    type << draw.getDrawType();
    row.distribution = stringifyDistribution(draw.getDistribution()).str();
  } else {
    llvm::interleaveComma(op->getResultTypes(), type);
    row.distribution = op->getName().getStringRef().str();
  }
  table.push_back(std::move(row));
}

//===----------------------------------------------------------------------===//
// Basic blocks
//===----------------------------------------------------------------------===//

void RegionThreader::threadRegion(Region &region, const ThreadedStates &start,
                                  ExitFn atExit, Operation *first) {
  if (region.empty())
    return;
  if (!region.hasOneBlock())
    return threadBlocks(region, start, atExit, first);
  ThreadedStates states = start;
  threadBlock(region.front(), states, first);
  atExit(&region.front().back(), states);
}

void RegionThreader::threadBlock(Block &block, ThreadedStates &states,
                                 Operation *first) {
  auto begin = first ? first->getIterator() : block.begin();
  auto end = std::prev(block.end());
  for (Operation &op :
       llvm::make_early_inc_range(llvm::make_range(begin, end))) {
    if (handOverOps.contains(&op))
      handOver(&op, states);
    threadOp(&op, states);
  }
}

namespace {
/// An argument that a basic block gains.
struct BlockStateArgument {
  GeneratorNumber generator;
  bool isSeed;
};
} // namespace

/// Passes to the successors of `block` what they have gained arguments for.
static void extendBranch(
    Block *block, ThreadedStates &states,
    const DenseMap<Block *, SmallVector<BlockStateArgument>> &arguments) {
  Operation *terminator = block->getTerminator();
  OpBuilder b(terminator);
  for (auto [i, successor] : llvm::enumerate(block->getSuccessors())) {
    auto it = arguments.find(successor);
    if (it == arguments.end())
      continue;
    SmallVector<Value> values;
    for (BlockStateArgument argument : it->second) {
      ThreadedState &state = states[argument.generator];
      values.push_back(argument.isSeed
                           ? state.getSeed()
                           : state.getOffset(b, terminator->getLoc()));
    }
    cast<BranchOpInterface>(terminator).getSuccessorOperands(i).append(values);
  }
}

void RegionThreader::threadBlocks(Region &region, const ThreadedStates &start,
                                  ExitFn atExit, Operation *first) {
  SmallVector<Block *> order = getBlockOrder(region);
  DenseMap<Block *, unsigned> numbers;
  for (auto [i, block] : llvm::enumerate(order))
    numbers[block] = i;
  std::map<GeneratorNumber, RegionFlow> flows;
  for (const auto &[generator, effect] : analysis.getEffects(region))
    if (effect.advances)
      flows[generator] = analysis.getFlow(order, generator);

  DenseMap<Block *, SmallVector<BlockStateArgument>> arguments;
  std::vector<ThreadedStates> ends(order.size());
  for (auto [i, block] : llvm::enumerate(order)) {
    ThreadedStates &states = ends[i];
    states = start;
    if (i != 0) {
      // Wherever the state is no argument, all ways here bring the same.
      for (Block *predecessor : block->getPredecessors()) {
        auto it = numbers.find(predecessor);
        if (it == numbers.end() || it->second >= i)
          continue;
        states = ends[it->second];
        break;
      }
      for (auto &[generator, state] : states)
        state.leaveBlock();
    }
    for (auto &[generator, flow] : flows) {
      ThreadedState &state = states[generator];
      if (flow[i].isSeedArgument) {
        state.setSeed(block->addArgument(seedType, region.getLoc()));
        arguments[block].push_back({generator, true});
      }
      if (flow[i].isOffsetArgument) {
        Type i64 = IntegerType::get(region.getContext(), 64);
        state = {state.getSeed(), block->addArgument(i64, region.getLoc()),
                 hasTable ? "argument of block " + std::to_string(i)
                          : std::string()};
        arguments[block].push_back({generator, false});
      }
    }
    threadBlock(*block, states, i == 0 ? first : nullptr);
  }

  // What is never reached is threaded, too, so that nothing stateful is left.
  SmallVector<Block *> unreachable;
  std::vector<ThreadedStates> unreachableEnds;
  for (Block &block : region)
    if (!numbers.contains(&block)) {
      unreachable.push_back(&block);
      unreachableEnds.push_back(start);
      threadBlock(block, unreachableEnds.back());
    }

  auto finish = [&](Block *block, ThreadedStates &states) {
    if (block->getNumSuccessors() == 0)
      atExit(block->getTerminator(), states);
    else
      extendBranch(block, states, arguments);
  };
  for (auto [block, states] : llvm::zip_equal(order, ends))
    finish(block, states);
  for (auto [block, states] : llvm::zip_equal(unreachable, unreachableEnds))
    finish(block, states);
}

//===----------------------------------------------------------------------===//
// Ops without regions
//===----------------------------------------------------------------------===//

void RegionThreader::threadOp(Operation *op, ThreadedStates &states) {
  if (auto state = dyn_cast<StateOpInterface>(op)) {
    if (state.isOnGenerator())
      threadStateOp(state, states);
    return;
  }
  StateEffects effects = analysis.getEffects(op);
  if (effects.empty())
    return;
  if (op->getNumRegions() != 0) {
    auto threadable = cast<ThreadableRegionOpInterface>(op);
    return threadable.getRegionExecution() == RegionExecution::Parallel
               ? threadParallelOp(op, effects, states)
               : threadRegionOp(op, effects, states);
  }
  DrawingFunction *callee = functions.getCallee(op);
  if (callee && !callee->isOpaque())
    threadCall(cast<func::CallOp>(op), *callee, states);
  else
    threadOpaqueCall(op, effects, states);
}

void RegionThreader::threadStateOp(StateOpInterface op,
                                   ThreadedStates &states) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  RngAlgorithmAttrInterface algorithm = functions.getAlgorithm(op);
  ThreadedState &state = states[functions.getNumber(op.getStateGenerator())];
  if (hasTable && op.drawsFromGenerator())
    addRow(op, state);
  StateReplacement replacement;
  StateAccess access = op.getStateAccess();
  if (access != StateAccess::Set) {
    Value seed = state.getSeed(), offset;
    if (op.takesSnapshot())
      offset = state.getOffset(b, loc);
    else
      std::tie(seed, offset) = state.getPair(b, loc);
    replacement = op.buildAtState(b, algorithm, seed, offset);
  }
  if (access == StateAccess::Advance)
    advance(op, BlockCount::get(op, algorithm), replacement.blocks, state);
  else if (access == StateAccess::Set)
    state = state.getAt(b, loc, op.getStoredSeed(), op.getStoredOffset(),
                        describe("operand", op));
  op->replaceAllUsesWith(replacement.results);
  op->erase();
}

/// Moves `state` by what `op` takes of the generator: `blocks`, or `taken`
/// where only what replaces `op` can tell.
void RegionThreader::advance(StateOpInterface op, const BlockCount &blocks,
                             Value taken, ThreadedState &state) {
  if (std::optional<uint64_t> constant = blocks.getConstant())
    return state.advance(*constant);
  OpBuilder b(op);
  if (blocks.isKnown())
    taken = blocks.build(b, op.getLoc(), [](Value) { return true; });
  assert(taken && "a state op that advances by a number of stream blocks that "
                  "nothing tells before it runs has to yield the number");
  state.advance(b, op.getLoc(), taken, describe("end", op));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

SmallVector<Type>
mlir::rng::threading::getStateResultTypes(const StateEffects &effects,
                                          Type seedType) {
  SmallVector<Type> types;
  for (const auto &[generator, effect] : effects) {
    if (effect.reseeds)
      types.push_back(seedType);
    if (effect.advances)
      types.push_back(IntegerType::get(seedType.getContext(), 64));
  }
  return types;
}

void mlir::rng::threading::appendStateResults(OpBuilder &b, Location loc,
                                              const StateEffects &effects,
                                              ThreadedStates &states,
                                              SmallVectorImpl<Value> &values) {
  for (const auto &[generator, effect] : effects) {
    ThreadedState &state = states[generator];
    if (effect.reseeds)
      values.push_back(state.getSeed());
    if (effect.advances)
      values.push_back(state.getOffset(b, loc));
  }
}

/// Entries without attributes for the operands or results that a call gained.
static ArrayAttr padAttributes(ArrayAttr attributes, unsigned count) {
  if (!attributes)
    return attributes;
  SmallVector<Attribute> entries(attributes.getValue());
  entries.resize(count, DictionaryAttr::get(attributes.getContext()));
  return ArrayAttr::get(attributes.getContext(), entries);
}

void RegionThreader::threadCall(func::CallOp call, DrawingFunction &callee,
                                ThreadedStates &states) {
  OpBuilder b(call);
  Location loc = call.getLoc();
  SmallVector<Value> operands(call.getOperands());
  for (const auto &[generator, effect] : callee.effects) {
    operands.push_back(states[generator].getSeed());
    operands.push_back(states[generator].getOffset(b, loc));
  }
  SmallVector<Type> types(call.getResultTypes());
  llvm::append_range(types, getStateResultTypes(callee.effects, seedType));

  func::FuncOp target = targets.lookup(callee.op);
  auto threaded =
      func::CallOp::create(b, loc, target.getSymName(), types, operands);
  StringAttr calleeName = call.getCalleeAttrName();
  for (NamedAttribute attribute : call->getAttrs())
    if (attribute.getName() != calleeName)
      threaded->setAttr(attribute.getName(), attribute.getValue());
  if (call.getArgAttrsAttr())
    threaded.setArgAttrsAttr(
        padAttributes(call.getArgAttrsAttr(), operands.size()));
  if (call.getResAttrsAttr())
    threaded.setResAttrsAttr(
        padAttributes(call.getResAttrsAttr(), types.size()));

  unsigned result = call.getNumResults();
  call->replaceAllUsesWith(threaded.getResults().take_front(result));
  call->erase();
  for (const auto &[generator, effect] : callee.effects) {
    ThreadedState &state = states[generator];
    Value seed = state.getSeed();
    if (effect.reseeds)
      seed = threaded.getResult(result++);
    if (!effect.advances)
      continue;
    Value next = threaded.getResult(result++);
    // The same number, but still at a constant distance from the base.
    if (std::optional<uint64_t> blocks = effect.blocks.getConstant())
      state.advance(*blocks);
    else
      state = {seed, next, describe("result", threaded)};
  }
}

void RegionThreader::threadOpaqueCall(Operation *call,
                                      const StateEffects &effects,
                                      ThreadedStates &states) {
  OpBuilder b(call);
  Location loc = call->getLoc();
  for (const auto &[generator, effect] : effects) {
    auto [seed, offset] = states[generator].getPair(b, loc);
    SetStateOp::create(b, loc, functions.getSymbol(generator), seed, offset);
  }
  b.setInsertionPointAfter(call);
  Type i64 = b.getI64Type();
  for (const auto &[generator, effect] : effects) {
    auto get =
        GetStateOp::create(b, loc, i64, i64, functions.getSymbol(generator));
    ThreadedState &state = states[generator];
    state = state.getAt(b, loc, get.getSeed(), get.getOffset(),
                        describe("state after call", call));
  }
}

//===----------------------------------------------------------------------===//
// Ops with regions
//===----------------------------------------------------------------------===//

void RegionThreader::threadRegionOp(Operation *op, const StateEffects &effects,
                                    ThreadedStates &states) {
  auto threadable = cast<ThreadableRegionOpInterface>(op);
  bool isBranch = threadable.getRegionExecution() == RegionExecution::OneOf;
  IRRewriter rewriter(op->getContext());
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();

  // What travels through the op is what changes in it, unless the distance is
  // known; a loop passes it to its next iteration all the same.
  StateEffects carried;
  for (const auto &[generator, effect] : effects) {
    std::optional<uint64_t> blocks = effect.blocks.getConstant();
    if (effect.advances && !(blocks && (isBranch || *blocks == 0)))
      carried[generator] = effect;
  }
  auto ignore = [](Operation *, ThreadedStates &) {};
  if (carried.empty()) {
    for (Region &region : op->getRegions())
      threadRegion(region, states, ignore);
    for (const auto &[generator, effect] : effects)
      if (effect.advances)
        states[generator].advance(*effect.blocks.getConstant());
    return;
  }

  /// The states of `values`, those of the carried generators, in their order.
  auto takeValues = [&](ThreadedStates &to, ValueRange values,
                        const std::string &origin) {
    unsigned next = 0;
    for (const auto &[generator, effect] : carried) {
      Value seed = effect.reseeds ? values[next++] : to[generator].getSeed();
      to[generator] = {seed, values[next++], origin};
    }
  };
  SmallVector<Value> values;
  appendStateResults(rewriter, loc, carried, states, values);
  std::string iteration = describe("iteration", op);
  auto thread = [&](Region &region, ValueRange atStart) {
    ThreadedStates inner = states;
    // A branch starts where the program before it ended.
    if (!isBranch)
      takeValues(inner, atStart, iteration);
    threadRegion(region, inner, [&](Operation *exit, ThreadedStates &ends) {
      // One that takes nothing never goes on after the op: 'llvm.unreachable'.
      if (exit->hasTrait<OpTrait::ZeroOperands>())
        return;
      OpBuilder b(exit);
      SmallVector<Value> yielded;
      appendStateResults(b, exit->getLoc(), carried, ends, yielded);
      exit->insertOperands(exit->getNumOperands(), yielded);
    });
  };
  std::string result = describe("result", op);
  ThreadedStates before = states;
  ThreadedStates computed = computeAfter(op, effects, states);
  Operation *replaced = threadable.carryValues(rewriter, values, thread);
  takeValues(states, replaced->getResults().take_back(values.size()), result);
  for (const auto &[generator, effect] : effects)
    if (std::optional<uint64_t> blocks = effect.blocks.getConstant()) {
      states[generator] = before[generator];
      if (effect.advances)
        states[generator].advance(*blocks);
    }
  for (auto &[generator, state] : computed)
    states[generator] = state;
}

ThreadedStates RegionThreader::computeAfter(Operation *op,
                                            const StateEffects &effects,
                                            const ThreadedStates &states) {
  ThreadedStates computed;
  if (!computedLoops.contains(op))
    return computed;
  OpBuilder b(op);
  // Numbers to build here are asked for anew: what has been threaded since the
  // first answer may have replaced values that it names.
  StateEffects current = StateEffectsAnalysis(functions).getEffects(op);
  auto isOutside = [&](Value value) { return isDefinedOutside(op, value); };
  for (const auto &[generator, effect] : effects) {
    const BlockCount &blocks = current[generator].blocks;
    if (!effect.advances || blocks.getConstant() ||
        !blocks.isBuildable(isOutside))
      continue;
    ThreadedState state = states.at(generator);
    state.advance(b, op->getLoc(), blocks.build(b, op->getLoc(), isOutside),
                  describe("end", op));
    computed[generator] = state;
  }
  return computed;
}

void RegionThreader::threadParallelOp(Operation *op,
                                      const StateEffects &effects,
                                      ThreadedStates &states) {
  auto loop = cast<ThreadableRegionOpInterface>(op);
  Region &body = op->getRegion(0);
  Location loc = op->getLoc();
  OpBuilder b(op);
  OpBuilder inside = OpBuilder::atBlockBegin(&body.front());
  auto isOutside = [&](Value value) { return isDefinedOutside(op, value); };

  // Iteration i draws where it would if the iterations ran one by one: after i
  // times what one reserves.
  StateEffects perIteration = analysis.getEffects(body);
  // Numbers to build here are asked for anew: what has been threaded since the
  // first answer may have replaced values that it names.
  if (llvm::any_of(perIteration, [](const auto &use) {
        return !use.second.blocks.getConstant();
      }))
    perIteration = StateEffectsAnalysis(functions).getEffects(body);
  ThreadedStates inner = states;
  Value number, trips;
  std::string iteration = describe("iteration", op);
  for (const auto &[generator, effect] : effects) {
    const BlockCount &blocks = perIteration[generator].blocks;
    if (!effect.advances || blocks.getConstant() == 0)
      continue;
    ThreadedState &state = states[generator];
    Value start = state.getOffset(b, loc);
    Value stride = blocks.build(b, loc, isOutside);
    if (!number)
      number = loop.buildIterationNumber(inside);
    Value distance = blocks.getConstant() == 1
                         ? number
                         : arith::MulIOp::create(inside, loc, number, stride);
    Value offset = arith::AddIOp::create(inside, loc, start, distance);
    inner[generator] = {state.getSeed(), offset, iteration};

    if (std::optional<uint64_t> total = effect.blocks.getConstant()) {
      state.advance(*total);
      continue;
    }
    if (!trips)
      trips = loop.buildTripCount(b, [](Value value) { return value; });
    Value total = arith::MulIOp::create(b, loc, trips, stride);
    state.advance(b, loc, total, describe("end", op));
  }
  threadRegion(body, inner, [](Operation *, ThreadedStates &) {});
}
