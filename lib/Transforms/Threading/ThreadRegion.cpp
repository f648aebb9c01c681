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

/// For the draw table; nothing where none is asked for.
std::string RegionThreader::describe(StringRef kind, Operation *op) const {
  if (!hasTable)
    return {};
  std::string text = (kind + " of " + op->getName().getStringRef()).str();
  std::string place = describeLocation(op->getLoc());
  return place.empty() ? text : text + " at " + place;
}

void RegionThreader::addRow(StatefulDrawOpInterface draw,
                            const ThreadedState &state) {
  DrawTableRow row;
  row.function = ("@" + functionName).str();
  row.location = describeLocation(draw.getLoc());
  FlatSymbolRefAttr generator = draw.getDrawGenerator();
  row.generator = generator ? ("@" + generator.getValue()).str() : "default";
  row.base = state.getOrigin().str();
  row.delta = state.getDelta();
  llvm::raw_string_ostream(row.type) << draw.getDrawType();
  row.distribution = stringifyDistribution(draw.getDistribution()).str();
  table.push_back(std::move(row));
}

//===----------------------------------------------------------------------===//
// Blocks
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
/// An argument that a block gains.
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
  if (auto draw = dyn_cast<StatefulDrawOpInterface>(op))
    return threadDraw(draw, states);
  if (op->getNumRegions() != 0) {
    StateEffects effects = analysis.getEffects(op);
    if (effects.empty())
      return;
    auto threadable = cast<ThreadableRegionOpInterface>(op);
    return threadable.getRegionExecution() == RegionExecution::Parallel
               ? threadParallelOp(op, effects, states)
               : threadRegionOp(op, effects, states);
  }
  OpBuilder b(op);
  Location loc = op->getLoc();
  if (auto get = dyn_cast<GetStateOp>(op)) {
    auto [seed, offset] =
        states[functions.getNumber(get.getGeneratorAttr())].getPair(b, loc);
    get.getSeed().replaceAllUsesWith(seed);
    get.getOffset().replaceAllUsesWith(offset);
    op->erase();
  } else if (auto set = dyn_cast<SetStateOp>(op)) {
    ThreadedState &state = states[functions.getNumber(set.getGeneratorAttr())];
    state = state.getAt(b, loc, set.getSeed(), set.getOffset(),
                        describe("operand", op));
    op->erase();
  } else if (auto reserve = dyn_cast<ReserveOp>(op)) {
    ThreadedState &state =
        states[functions.getNumber(reserve.getGeneratorAttr())];
    auto [seed, offset] = state.getPair(b, loc);
    reserve.getSeed().replaceAllUsesWith(seed);
    reserve.getOffset().replaceAllUsesWith(offset);
    if (auto blocks = BlockCount::get(reserve.getBlocks()).getConstant())
      state.advance(*blocks);
    else
      state.advance(b, loc, reserve.getBlocks(), describe("end", op));
    op->erase();
  } else {
    StateEffects effects = functions.getCallEffects(op);
    if (effects.empty())
      return;
    DrawingFunction *callee = functions.getCallee(op);
    if (callee && !callee->isOpaque())
      threadCall(cast<func::CallOp>(op), *callee, states);
    else
      threadOpaqueCall(op, effects, states);
  }
}

void RegionThreader::threadDraw(StatefulDrawOpInterface draw,
                                ThreadedStates &states) {
  OpBuilder b(draw);
  Location loc = draw.getLoc();
  ThreadedState &state = states[functions.getNumber(draw.getDrawGenerator())];
  if (hasTable)
    addRow(draw, state);
  Value offset = state.getOffset(b, loc);
  RngAlgorithmAttrInterface algorithm = functions.getAlgorithm(draw);
  Operation *stateless =
      draw.buildStateless(b, algorithm, state.getSeed(), offset);
  OpFoldResult blocks = algorithm.getAdvance(
      b, loc, draw.getDistribution(), draw.getDrawType(), draw.getDrawSizes());
  if (auto constant = dyn_cast<Attribute>(blocks))
    state.advance(cast<IntegerAttr>(constant).getValue().getZExtValue());
  else
    state.advance(b, loc, cast<Value>(blocks), describe("end", draw));
  draw->replaceAllUsesWith(stateless);
  draw->erase();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

SmallVector<Type> mlir::rng::getStateResultTypes(const StateEffects &effects,
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

void mlir::rng::appendStateResults(OpBuilder &b, Location loc,
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
