//===- StreamFlow.cpp - Draws and states in one function --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

/// Reads that a summary keeps: enough for any function that people write, and
/// few enough for a chain of ten thousand functions.
static constexpr size_t kMostReadsOfCallee = 64;

FunctionOpInterface StreamContext::getCallee(CallOpInterface call) {
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol)
    return nullptr;
  return dyn_cast_or_null<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(call, symbol));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool mlir::rng::streams::isStateType(Type type) {
  return type.isInteger(64) || isSnapshotType(type);
}

StreamFlow::StreamFlow(FunctionOpInterface function, StreamContext &context)
    : function(function), context(context),
      numArguments(function.getNumArguments()),
      numGenerators(context.generators.size()),
      bases(numArguments + 2 * numGenerators), paths(function),
      sets(numGenerators), noChanges(numGenerators) {
  // A body may have more arguments than the function.
  for (auto [index, argument] :
       llvm::enumerate(function.getArguments().take_front(numArguments))) {
    setValue(argument, {int(index), 0});
    hasCotangents |= bool(function.getArgAttr(index, RngDialect::kCotangent));
  }
}

StreamValue StreamFlow::getValue(Value value) {
  if (auto it = values.find(value); it != values.end())
    return it->second;
  APInt constant;
  StreamValue known;
  if (value.getType().isInteger(64) &&
      matchPattern(value, m_ConstantInt(&constant)))
    known.delta = constant.getZExtValue();
  else
    known = bases.create(value.getParentBlock());
  values[value] = known;
  return known;
}

bool StreamFlow::isGeneratorState(StreamValue value) const {
  return value.base >= int(numArguments) &&
         value.base < int(numArguments + 2 * numGenerators);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void StreamFlow::indexRead(unsigned read) {
  for (int base : {reads[read].seed.base, reads[read].offset.base})
    if (base >= 0) {
      SmallVector<unsigned, 2> &known = readsOfBase[base];
      if (known.empty() || known.back() != read)
        known.push_back(read);
    }
}

void StreamFlow::pushRead(const StreamRead &read) {
  reads.push_back(read);
  indexRead(reads.size() - 1);
}

StreamRead &StreamFlow::addRead(Operation *draw, Operation *site,
                                RngAlgorithmAttrInterface algorithm,
                                StreamValue seed, StreamValue offset,
                                std::optional<uint64_t> blocks, bool stateful) {
  StreamRead read;
  read.draw = draw;
  read.site = read.within = site;
  read.algorithm = algorithm;
  read.seed = seed;
  read.offset = offset;
  read.blocks = std::max<uint64_t>(blocks.value_or(1), 1);
  read.stateful = stateful;
  read.order = numbers.lookup(site);
  pushRead(read);
  return reads.back();
}

/// Whether a draw of `type` with the dynamic `sizes` draws no number: a size is
/// 0, in the type or by a constant.
static bool isEmpty(Type type, ValueRange sizes) {
  auto shaped = dyn_cast<ShapedType>(type);
  return (shaped && llvm::is_contained(shaped.getShape(), 0)) ||
         llvm::any_of(sizes,
                      [](Value size) { return matchPattern(size, m_Zero()); });
}

/// Whether `draw` is a slice of a logical draw without numbers, as of an
/// element that is not there.
static bool isSliceOfNothing(StatelessDrawOpInterface draw) {
  return draw.hasSlice() &&
         llvm::any_of(draw.getMixedSliceSizes(), [](OpFoldResult size) {
           return isConstantIntValue(size, 0);
         });
}

void StreamFlow::visitDraw(StatelessDrawOpInterface draw) {
  ++numDraws;
  if (isEmpty(draw.getDrawType(), draw.getDrawSizes()) ||
      isSliceOfNothing(draw))
    return;
  RngAlgorithmAttrInterface algorithm = draw.getDrawAlgorithm();
  StreamRead &read = addRead(
      draw, draw, algorithm, getValue(draw.getDrawSeed()),
      getValue(draw.getDrawOffset()),
      algorithm.getStaticAdvance(draw.getDistribution(), draw.getDrawType()),
      /*stateful=*/false);
  Value origin = isSnapshotType(draw.getDrawSeed().getType())
                     ? draw.getDrawSeed()
                     : draw.getDrawOffset();
  if (auto it = reservationOf.find(origin); it != reservationOf.end())
    read.reservation = it->second;
  checkRepetition(read);
}

RngAlgorithmAttrInterface StreamFlow::getAlgorithm(StateOpInterface op) {
  RngAlgorithmAttrInterface &algorithm = context.algorithms[{
      SymbolTable::getNearestSymbolTable(op), op.getStateGenerator()}];
  if (!algorithm)
    algorithm = lookupAlgorithm(op, op.getStateGenerator());
  return algorithm;
}

/// The stream blocks by which `op` advances, `nothing` if they are not known.
StreamValue StreamFlow::getBlocks(StateOpInterface op,
                                  RngAlgorithmAttrInterface algorithm) {
  OpFoldResult blocks = op.getStateBlocks(algorithm);
  if (auto value = dyn_cast_if_present<Value>(blocks))
    return getValue(value);
  if (auto constant = dyn_cast_if_present<Attribute>(blocks))
    return {StreamValue::Constant,
            cast<IntegerAttr>(constant).getValue().getZExtValue()};
  return StreamValue::nothing();
}

void StreamFlow::visitState(StateOpInterface op, States &states) {
  if (!op.isOnGenerator())
    return visitMemory(op);
  unsigned generator = context.getGenerator(op.getStateGenerator());
  GeneratorState &state = states[generator];
  if (op.getStateAccess() == StateAccess::Set) {
    state = {getValue(op.getStoredSeed()), getValue(op.getStoredOffset())};
    sets.set(generator);
    return;
  }
  if (Value seed = op.getYieldedSeed())
    setValue(seed, state.seed);
  if (Value offset = op.getYieldedOffset())
    setValue(offset, state.offset);
  if (op.getStateAccess() == StateAccess::Read)
    return;
  RngAlgorithmAttrInterface algorithm = getAlgorithm(op);
  StreamValue blocks = getBlocks(op, algorithm);
  std::optional<uint64_t> constant =
      blocks.isConstant() ? std::optional(blocks.delta) : std::nullopt;
  if (op.drawsFromGenerator())
    visitDraw(op, algorithm, state, constant);
  else
    addReservation(op, op.getYieldedOffset(),
                   {op, state.seed, state.offset, constant, generator});
  state.offset = bases.add(state.offset, blocks, op->getBlock());
}

void StreamFlow::visitDraw(StateOpInterface op,
                           RngAlgorithmAttrInterface algorithm,
                           const GeneratorState &state,
                           std::optional<uint64_t> blocks) {
  ++numDraws;
  auto draw = dyn_cast<StatefulDrawOpInterface>(op.getOperation());
  bool readsNothing = draw ? isEmpty(draw.getDrawType(), draw.getDrawSizes())
                           : blocks == uint64_t(0);
  if (!readsNothing)
    addRead(op, op, algorithm, state.seed, state.offset, blocks,
            /*stateful=*/true);
}

/// An op on a state in memory, of which only reservations are followed.
void StreamFlow::visitMemory(StateOpInterface op) {
  Value snapshot = op.getYieldedSeed();
  if (op.getStateAccess() != StateAccess::Advance || !snapshot)
    return;
  StreamValue blocks = getBlocks(op, /*algorithm=*/{});
  addReservation(
      op, snapshot,
      {op, getValue(snapshot), StreamValue(),
       blocks.isConstant() ? std::optional(blocks.delta) : std::nullopt,
       numGenerators});
}

/// Remembers that `start`, the offset or the snapshot that `op` yields, is that
/// of `reservation`.
void StreamFlow::addReservation(StateOpInterface op, Value start,
                                const Reservation &reservation) {
  if (start)
    reservationOf[start] = reservations.size();
  reservations.push_back(reservation);
}

void StreamFlow::forgetStates(const Changes &which, States &states,
                              Block *block) {
  for (unsigned generator : which.states.set_bits()) {
    if (which.seeds[generator])
      states[generator].seed = bases.create(block);
    states[generator].offset = bases.create(block);
  }
}

void StreamFlow::visitCall(CallOpInterface call, States &states) {
  FunctionOpInterface callee = context.getCallee(call);
  auto it = callee ? context.summaries.find(callee) : context.summaries.end();
  if (it == context.summaries.end() || !it->second.isKnown) {
    Changes changed(numGenerators);
    addChanges(call, changed);
    forgetStates(changed, states, call->getBlock());
    if (!callee || !callee.isExternal())
      remarks.try_emplace(StreamRemark::UnknownCall, call);
    return;
  }
  const FunctionSummary &summary = it->second;

  // What the formal bases of the callee are here.
  SmallVector<StreamValue> bound(callee.getNumArguments() + 2 * numGenerators,
                                 StreamValue::nothing());
  for (auto [index, argument] : llvm::enumerate(call.getArgOperands()))
    if (index < callee.getNumArguments() && isStateType(argument.getType()))
      bound[index] = getValue(argument);
  for (unsigned i = 0; i < numGenerators; ++i) {
    bound[callee.getNumArguments() + 2 * i] = states[i].seed;
    bound[callee.getNumArguments() + 2 * i + 1] = states[i].offset;
  }
  auto bind = [&](StreamValue value) {
    return value.base < 0 ? value : bound[value.base] + value.delta;
  };

  for (const StreamRead &inner : summary.reads) {
    StreamValue seed = bind(inner.seed), offset = bind(inner.offset);
    if (!seed.isKnown() || !offset.isKnown())
      continue;
    StreamRead &read = addRead(inner.draw, call, inner.algorithm, seed, offset,
                               inner.blocks, inner.stateful);
    read.conditional = inner.conditional;
    read.calleeSeed = inner.seed;
    read.calleeOffset = inner.offset;
  }
  for (auto [result, value] : llvm::zip(call->getResults(), summary.results))
    if (StreamValue here = bind(value); here.isKnown())
      setValue(result, here);
  for (auto &[generator, exit] : summary.exits) {
    GeneratorState before = states[generator];
    GeneratorState &state = states[generator];
    state = {bind(exit.seed), bind(exit.offset)};
    if (!state.seed.isKnown())
      state.seed = bases.create(call->getBlock());
    if (!state.offset.isKnown())
      state.offset = bases.create(call->getBlock());
    if (state.seed == before.seed && state.offset.base == before.offset.base)
      reservations.push_back({call, before.seed, before.offset,
                              state.offset.delta - before.offset.delta,
                              generator});
  }
  sets |= summary.sets;
}

void StreamFlow::visit(Operation *op, States &states) {
  // Keeps track of the reservation that an offset comes from.
  auto setOffset = [&](Value result, StreamValue value, ValueRange operands) {
    setValue(result, value);
    for (Value operand : operands)
      if (auto it = reservationOf.find(operand); it != reservationOf.end())
        if (value.base == reservations[it->second].start.base) {
          int reservation = it->second;
          reservationOf[result] = reservation;
          return;
        }
  };
  if (auto draw = dyn_cast<StatelessDrawOpInterface>(op))
    return visitDraw(draw);
  if (auto state = dyn_cast<StateOpInterface>(op))
    return visitState(state, states);
  if (auto advance = dyn_cast<AdvanceOp>(op)) {
    if (std::optional<uint64_t> blocks =
            advance.getDrawAlgorithm().getStaticAdvance(
                advance.getDistribution(), advance.getDrawType()))
      setOffset(advance.getNext(), getValue(advance.getOffset()) + *blocks,
                advance.getOffset());
    return;
  }
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    if (!op->getResult(0).getType().isInteger(64))
      return;
    StreamValue a = getValue(op->getOperand(0));
    StreamValue b = getValue(op->getOperand(1));
    if (isa<arith::AddIOp>(op))
      setOffset(op->getResult(0), bases.add(a, b, op->getBlock()),
                op->getOperands());
    else if (b.isConstant())
      setOffset(op->getResult(0), a + -b.delta, op->getOperands());
    else if (a.isKnown() && a.base == b.base)
      setValue(op->getResult(0), {StreamValue::Constant, a.delta - b.delta});
    return;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    if (isStateType(select.getType()) &&
        getValue(select.getTrueValue()) == getValue(select.getFalseValue()))
      setValue(select, getValue(select.getTrueValue()));
    return;
  }
  if (auto call = dyn_cast<CallOpInterface>(op))
    return visitCall(call, states);
  if (op->getNumRegions() != 0)
    visitRegions(op, states);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

void StreamFlow::summarize() {
  FunctionSummary summary;
  summary.isKnown = true;
  summary.sets = sets;
  auto formal = [&](StreamValue value) {
    return bases.isFormal(value) ? value : StreamValue::nothing();
  };
  if (returned)
    for (StreamValue value : *returned)
      summary.results.push_back(formal(value));
  if (exitStates)
    for (unsigned i = 0; i < numGenerators; ++i) {
      const GeneratorState &exit = (*exitStates)[i];
      StreamValue seed{int(numArguments + 2 * i), 0};
      StreamValue offset{int(numArguments + 2 * i + 1), 0};
      if (exit.seed != seed || exit.offset != offset)
        summary.exits.push_back({i, {formal(exit.seed), formal(exit.offset)}});
    }
  for (const StreamRead &read : reads) {
    if (!bases.isFormal(read.seed) || !bases.isFormal(read.offset))
      continue;
    if (summary.reads.size() == kMostReadsOfCallee) {
      remarks.try_emplace(StreamRemark::TooMany, function);
      break;
    }
    summary.reads.push_back(read);
    summary.reads.back().conditional |=
        !StreamPaths::runsAlways(read.site, function);
  }
  context.summaries[function] = std::move(summary);
}

void StreamFlow::run() {
  // The walk below takes basic blocks in another order.
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<StateOpInterface, StatelessDrawOpInterface, CallOpInterface>(op))
      numbers.try_emplace(op, numbers.size());
  });
  collectChanges();
  States states;
  for (unsigned i = 0; i < numGenerators; ++i) {
    StreamValue seed{int(numArguments + 2 * i), 0};
    StreamValue offset{int(numArguments + 2 * i + 1), 0};
    states.push_back({seed, offset});
  }
  visitRegion(function.getFunctionBody(), states);
  if (returned)
    exitStates = states;
  checkReads();
  checkReservations();
  summarize();
  conflicts = found.take();
}
