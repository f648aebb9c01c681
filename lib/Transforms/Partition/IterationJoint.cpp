//===- IterationJoint.cpp - One iteration as a joint function ---*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterationJoint.h"
#include "DialectCosts.h"
#include "RngDialect/IR/RngDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

static bool isConstant(Value value) {
  return matchPattern(value, m_Constant());
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// What each iteration of `loop` adds to its argument `number`, if that is a
/// scalar and the addend is known without the loop.
static Value findStep(scf::ForOp loop, unsigned number) {
  auto sum = loop.getYieldedValues()[number].getDefiningOp<arith::AddIOp>();
  BlockArgument argument = loop.getRegionIterArg(number);
  if (!sum || !argument.getType().isIntOrIndex() ||
      (sum.getLhs() != argument && sum.getRhs() != argument))
    return Value();
  Value step = sum.getLhs() == argument ? sum.getRhs() : sum.getLhs();
  bool isKnown = isConstant(step) || loop.isDefinedOutsideOfLoop(step);
  return isKnown ? step : Value();
}

Value IterationJoint::addArgument(const Argument &argument, Type type,
                                  StringRef mark) {
  func::FuncOp joint = getFunction();
  DictionaryAttr attrs;
  if (!mark.empty())
    attrs = builder.getDictionaryAttr(
        builder.getNamedAttr(mark, builder.getUnitAttr()));
  arguments.push_back(argument);
  (void)joint.insertArgument(joint.getNumArguments(), type, attrs,
                             argument.value ? argument.value.getLoc()
                                            : joint.getLoc());
  return joint.getArguments().back();
}

void IterationJoint::mapAround(Value value, StringRef mark) {
  if (mapping.contains(value))
    return;
  // A constant as an argument would not be folded.
  if (isConstant(value))
    builder.clone(*value.getDefiningOp(), mapping);
  else
    mapping.map(value,
                addArgument({Source::Around, value}, value.getType(), mark));
}

void IterationJoint::mapAround(scf::ForOp loop,
                               function_ref<StringRef(Value)> getMark) {
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(loop.getRegion(), values);
  for (const Tape &tape : pair.tapes)
    if (!pair.isUsedElsewhere(tape))
      values.remove(pair.forward.getResult(tape.number));
  for (Value value : values)
    mapAround(value, getMark(value));
}

/// The value of a counter in an iteration: what it began with and a step for
/// each iteration before.
Value IterationJoint::buildCounter(const Counter &counter) {
  Value init = pair.forward.getInitArgs()[counter.number];
  mapAround(init, RngDialect::kPersistent);
  mapAround(counter.step, RngDialect::kPersistent);
  Location loc = pair.forward.getLoc();
  Value iteration = getFunction().getArgument(0);
  if (!init.getType().isIndex())
    iteration =
        arith::IndexCastOp::create(builder, loc, init.getType(), iteration);
  Value distance = arith::MulIOp::create(builder, loc, iteration,
                                         mapping.lookup(counter.step));
  return arith::AddIOp::create(builder, loc, mapping.lookup(init), distance);
}

void IterationJoint::addForward() {
  scf::ForOp loop = pair.forward;
  llvm::SmallDenseSet<Operation *> writes;
  for (const Tape &tape : pair.tapes)
    writes.insert(tape.write);
  mapping.map(loop.getInductionVar(), getFunction().getArgument(0));
  mapAround(loop, [](Value) { return RngDialect::kPersistent; });
  for (unsigned number : carried) {
    BlockArgument argument = loop.getRegionIterArg(number);
    mapping.map(argument, addArgument({Source::ForwardCarried, {}, number},
                                      argument.getType(), ""));
  }
  for (const Counter &counter : counters)
    mapping.map(loop.getRegionIterArg(counter.number), buildCounter(counter));
  for (Operation &op : loop.getBody()->without_terminator())
    if (!writes.contains(&op))
      builder.clone(op, mapping);
}

void IterationJoint::addBackward(function_ref<bool(Value)> dependsOnCotangent) {
  scf::ForOp loop = pair.backward;
  // What a forward iteration cannot know either comes behind its loop.
  mapAround(loop, [&](Value value) {
    Operation *op = value.getDefiningOp();
    bool isBehind = op && op->getBlock() == pair.forward->getBlock() &&
                    !op->isBeforeInBlock(pair.forward);
    return isBehind || dependsOnCotangent(value) ? RngDialect::kCotangent
                                                 : RngDialect::kPersistent;
  });
  Value iteration = getFunction().getArgument(0);
  Value induction = loop.getInductionVar();
  mapping.map(induction,
              pair.iteration == induction
                  ? iteration
                  : addArgument({Source::BackwardInduction},
                                induction.getType(), RngDialect::kCotangent));
  for (auto [number, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    mapping.map(argument,
                addArgument({Source::BackwardCarried, {}, unsigned(number)},
                            argument.getType(), RngDialect::kCotangent));
  for (Operation &op : loop.getBody()->without_terminator())
    builder.clone(op, mapping);

  auto replace = [&](Value value, Value replacement) {
    mapping.lookup(value).replaceAllUsesWith(replacement);
    mapping.map(value, replacement);
  };
  for (const TapeRead &read : pair.reads)
    replace(read.op->getResult(0), mapping.lookup(pair.tapes[read.tape].value));
  if (pair.iteration != induction)
    replace(pair.iteration, iteration);
}

void IterationJoint::addReturn() {
  func::FuncOp joint = getFunction();
  SmallVector<Value> results;
  SmallVector<StringRef> marks;
  auto add = [&](Value value, StringRef mark) {
    results.push_back(mapping.lookup(value));
    marks.push_back(mark);
  };
  for (unsigned number : carried)
    add(pair.forward.getYieldedValues()[number], "");
  for (const Tape &tape : keptTapes)
    add(tape.value, RngDialect::kPersistent);
  for (Value value : pair.backward.getYieldedValues())
    add(value, RngDialect::kGradient);
  func::ReturnOp::create(builder, joint.getLoc(), results);
  joint.setFunctionType(builder.getFunctionType(
      joint.getArgumentTypes(), ValueRange(results).getTypes()));
  for (auto [i, mark] : llvm::enumerate(marks))
    if (!mark.empty())
      joint.setResultAttr(i, mark, builder.getUnitAttr());
}

IterationJoint::IterationJoint(LoopPair loops,
                               function_ref<bool(Value)> dependsOnCotangent,
                               const PureCalls &calls)
    : pair(std::move(loops)), builder(pair.forward.getContext()) {
  scf::ForOp forward = pair.forward;
  llvm::SmallDenseSet<unsigned> isTape;
  for (const Tape &tape : pair.tapes) {
    isTape.insert(tape.number);
    if (pair.isUsedElsewhere(tape))
      keptTapes.push_back(tape);
  }
  for (unsigned i = 0, e = forward.getNumRegionIterArgs(); i != e; ++i) {
    if (isTape.contains(i))
      continue;
    if (Value step = findStep(forward, i))
      counters.push_back({i, step});
    else
      carried.push_back(i);
  }

  func::FuncOp joint = func::FuncOp::create(
      builder, forward.getLoc(), "iteration", builder.getFunctionType({}, {}));
  function = joint.getOperation();
  builder.setInsertionPointToStart(&joint.getBody().emplaceBlock());
  addArgument({Source::Iteration}, builder.getIndexType(),
              RngDialect::kPersistent);
  addForward();
  addBackward(dependsOnCotangent);
  addReturn();
  eraseDeadOps(joint);
  mergeEqualOps(joint.getBody().front(), calls);
}

OwningOpRef<Operation *>
IterationJoint::copyFunction(ArrayRef<FreePlace> freePlaces) const {
  OwningOpRef<Operation *> copy = function.get()->clone();
  auto joint = cast<func::FuncOp>(copy.get());
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    if (argument.source != Source::ForwardCarried)
      continue;
    unsigned entry = llvm::find(carried, argument.number) - carried.begin();
    UnitAttr isFree = UnitAttr::get(joint.getContext());
    if (freePlaces[entry] == FreePlace::Begin)
      joint.setArgAttr(i, RngDialect::kPersistent, isFree);
    else if (freePlaces[entry] == FreePlace::End)
      joint.setResultAttr(entry, RngDialect::kPersistent, isFree);
  }
  return copy;
}

//===----------------------------------------------------------------------===//
// What is put on tapes
//===----------------------------------------------------------------------===//

IterationJoint::TapePlan
IterationJoint::planTapes(const PartitionDecision &decision) const {
  TapePlan plan;
  auto addCarried = [&](unsigned entry, bool isEnd, Type type) {
    auto *tape = llvm::find_if(
        plan.tapes, [&](const NewTape &tape) { return tape.carried == entry; });
    if (tape == plan.tapes.end()) {
      plan.tapes.push_back({type, entry});
      tape = &plan.tapes.back();
    }
    (isEnd ? tape->hasEnd : tape->hasBegin) = true;
    plan.saved.push_back(
        {SavedPlace::Tape, {}, unsigned(tape - plan.tapes.begin()), isEnd});
  };
  // Behind the primal results come the new ones, in the order of the list.
  unsigned nextNew = carried.size() + keptTapes.size();
  for (const SavedValue &saved : decision.plan.saved) {
    Type type = decision.graph->getValue(saved.value).getType();
    if (saved.kind == SavedKind::New) {
      plan.saved.push_back({SavedPlace::Tape, {}, unsigned(plan.tapes.size())});
      plan.tapes.push_back({type});
      plan.tapes.back().result = nextNew++;
    } else if (saved.kind == SavedKind::Result) {
      if (saved.index < carried.size())
        addCarried(saved.index, /*isEnd=*/true, type);
      else
        plan.saved.push_back(
            {SavedPlace::KeptTape, {}, unsigned(saved.index - carried.size())});
    } else {
      const Argument &argument = arguments[saved.value];
      if (argument.source == Source::ForwardCarried)
        addCarried(llvm::find(carried, argument.number) - carried.begin(),
                   /*isEnd=*/false, type);
      else
        plan.saved.push_back({argument.source == Source::Iteration
                                  ? SavedPlace::Iteration
                                  : SavedPlace::Around,
                              argument.value});
    }
  }
  return plan;
}

bool IterationJoint::isCarriedSaved(const PartitionDecision &decision,
                                    unsigned entry) const {
  return llvm::any_of(planTapes(decision).tapes, [&](const NewTape &tape) {
    return tape.carried == entry;
  });
}

TapeBytes IterationJoint::countTapeBytes(const CostModel &model) const {
  TapeBytes bytes;
  for (const Tape &tape : pair.tapes) {
    if (pair.isUsedElsewhere(tape))
      continue;
    Type type = tape.value.getType();
    bytes.all = add(bytes.all, model.getBytes(type));
    if (getElementTypeOrSelf(type).isInteger(1))
      bytes.masks = add(bytes.masks, model.getBytes(type));
  }
  return bytes;
}

std::optional<uint64_t>
IterationJoint::countNewBytes(const PartitionDecision &decision,
                              const CostModel &model) const {
  uint64_t bytes = 0;
  for (const NewTape &tape : planTapes(decision).tapes) {
    auto tensor = dyn_cast<RankedTensorType>(tape.type);
    if (tensor ? !tensor.hasStaticShape() || tensor.getEncoding()
               : !tape.type.isIntOrIndexOrFloat())
      return std::nullopt;
    bytes = add(bytes, model.getBytes(tape.type));
  }
  return bytes;
}

uint64_t IterationJoint::getFreePrice(const PartitionDecision &decision,
                                      ArrayRef<FreePlace> freePlaces,
                                      const CostModel &model) const {
  uint64_t price = 0;
  for (const NewTape &tape : planTapes(decision).tapes) {
    if (!tape.carried || tape.hasBoth())
      continue;
    FreePlace isFree = tape.hasBegin ? FreePlace::Begin : FreePlace::End;
    if (freePlaces[*tape.carried] == isFree)
      price = add(price, model.getSavePrice(model.getBytes(tape.type)));
  }
  return price;
}
