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
  arguments.push_back(argument);
  return joint.addArgument(type, pair.forward.getLoc(), mark);
}

void IterationJoint::mapAround(Value value, StringRef mark) {
  if (joint.mapAround(value, mark))
    arguments.push_back({Source::Around, value});
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
  OpBuilder &b = joint.getBuilder();
  Value iteration = getIteration();
  if (!init.getType().isIndex())
    iteration = arith::IndexCastOp::create(b, loc, init.getType(), iteration);
  IRMapping &mapping = joint.getMapping();
  Value distance =
      arith::MulIOp::create(b, loc, iteration, mapping.lookup(counter.step));
  return arith::AddIOp::create(b, loc, mapping.lookup(init), distance);
}

void IterationJoint::addForward() {
  scf::ForOp loop = pair.forward;
  llvm::SmallDenseSet<Operation *> writes;
  for (const Tape &tape : pair.tapes)
    writes.insert(tape.write);
  IRMapping &mapping = joint.getMapping();
  mapping.map(loop.getInductionVar(), getIteration());
  mapAround(loop, [](Value) { return RngDialect::kPersistent; });
  for (unsigned number : carried) {
    BlockArgument argument = loop.getRegionIterArg(number);
    mapping.map(argument, addArgument({Source::ForwardCarried, {}, number},
                                      argument.getType(), ""));
  }
  for (const Counter &counter : counters)
    mapping.map(loop.getRegionIterArg(counter.number), buildCounter(counter));
  joint.addOps(*loop.getBody(),
               [&](Operation *op) { return !writes.contains(op); });
}

void IterationJoint::addBackward(function_ref<bool(Value)> dependsOnCotangent) {
  scf::ForOp loop = pair.backward;
  mapAround(loop, [&](Value value) {
    return getMarkAround(value, pair.forward, dependsOnCotangent);
  });
  IRMapping &mapping = joint.getMapping();
  Value induction = loop.getInductionVar();
  mapping.map(induction,
              pair.iteration == induction
                  ? getIteration()
                  : addArgument({Source::BackwardInduction},
                                induction.getType(), RngDialect::kCotangent));
  for (auto [number, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    mapping.map(argument,
                addArgument({Source::BackwardCarried, {}, unsigned(number)},
                            argument.getType(), RngDialect::kCotangent));
  joint.addOps(*loop.getBody(), [](Operation *) { return true; });
  for (const TapeRead &read : pair.reads)
    joint.replace(read.op->getResult(0),
                  mapping.lookup(pair.tapes[read.tape].value));
  joint.replace(pair.iteration, getIteration());
}

IterationJoint::IterationJoint(LoopPair loops,
                               function_ref<bool(Value)> dependsOnCotangent,
                               const PureCalls &calls)
    : pair(std::move(loops)),
      joint(pair.forward.getContext(), pair.forward.getLoc()) {
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

  addArgument({Source::Iteration}, joint.getBuilder().getIndexType(),
              RngDialect::kPersistent);
  addForward();
  addBackward(dependsOnCotangent);
  for (unsigned number : carried)
    joint.addResult(forward.getYieldedValues()[number], "");
  for (const Tape &tape : keptTapes)
    joint.addResult(tape.value, RngDialect::kPersistent);
  for (Value value : pair.backward.getYieldedValues())
    joint.addResult(value, RngDialect::kGradient);
  joint.finish();
  mergeEqualOps(joint.getFunction().getBody().front(), calls);
}

OwningOpRef<Operation *>
IterationJoint::copyFunction(ArrayRef<FreePlace> freePlaces) const {
  OwningOpRef<Operation *> copy = joint.copy();
  auto function = cast<func::FuncOp>(copy.get());
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    if (argument.source != Source::ForwardCarried)
      continue;
    unsigned entry = llvm::find(carried, argument.number) - carried.begin();
    UnitAttr isFree = UnitAttr::get(function.getContext());
    if (freePlaces[entry] == FreePlace::Begin)
      function.setArgAttr(i, RngDialect::kPersistent, isFree);
    else if (freePlaces[entry] == FreePlace::End)
      function.setResultAttr(entry, RngDialect::kPersistent, isFree);
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

BytesAndMasks IterationJoint::countTapeBytes(const CostModel &model) const {
  BytesAndMasks bytes;
  for (const Tape &tape : pair.tapes)
    if (!pair.isUsedElsewhere(tape))
      bytes.add(tape.value.getType(), model);
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
