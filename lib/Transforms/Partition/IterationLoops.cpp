//===- IterationLoops.cpp - Loops of the halves of an iteration -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterationJoint.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

static Value buildNext(OpBuilder &b, Location loc, Value index) {
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  return arith::AddIOp::create(b, loc, index, one);
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

SmallVector<Value> IterationJoint::buildInits(OpBuilder &b,
                                              const TapePlan &tapes) const {
  scf::ForOp loop = pair.forward;
  Location loc = loop.getLoc();
  SmallVector<Value> inits;
  for (unsigned number : carried)
    inits.push_back(loop.getInitArgs()[number]);
  for (const Counter &counter : counters)
    inits.push_back(loop.getInitArgs()[counter.number]);
  for (const Tape &tape : keptTapes)
    inits.push_back(loop.getInitArgs()[tape.number]);
  for (const NewTape &tape : tapes.tapes) {
    OpFoldResult numSlices = getAsOpFoldResult(loop.getUpperBound());
    if (tape.hasBoth()) {
      std::optional<int64_t> trips = getConstantIntValue(numSlices);
      numSlices = trips ? OpFoldResult(b.getIndexAttr(*trips + 1))
                        : buildNext(b, loc, loop.getUpperBound());
    }
    SmallVector<OpFoldResult> sizes{numSlices};
    if (auto tensor = dyn_cast<RankedTensorType>(tape.type))
      llvm::append_range(
          sizes, getAsIndexOpFoldResult(b.getContext(), tensor.getShape()));
    Value init =
        tensor::EmptyOp::create(b, loc, sizes, getElementTypeOrSelf(tape.type));
    // What the first iteration begins with; what an iteration ends with comes
    // behind that.
    if (tape.hasBoth())
      init = buildTapeWrite(b, loc, inits[*tape.carried], init,
                            arith::ConstantIndexOp::create(b, loc, 0));
    inits.push_back(init);
  }
  return inits;
}

void IterationJoint::yieldForward(OpBuilder &b, Location loc,
                                  const TapePlan &tapes, Value induction,
                                  ValueRange before, ValueRange outputs) const {
  SmallVector<Value> yielded(outputs.take_front(carried.size()));
  for (const Counter &counter : counters) {
    Value step = counter.step;
    scf::ForOp loop = pair.forward;
    if (!loop.isDefinedOutsideOfLoop(step))
      step = b.clone(*step.getDefiningOp())
                 ->getResult(cast<OpResult>(step).getResultNumber());
    yielded.push_back(
        arith::AddIOp::create(b, loc, before[yielded.size()], step));
  }
  for (size_t i = 0, e = keptTapes.size(); i != e; ++i)
    yielded.push_back(buildTapeWrite(b, loc, outputs[carried.size() + i],
                                     before[yielded.size()], induction));
  for (const NewTape &tape : tapes.tapes) {
    Value value = !tape.carried ? outputs[tape.result]
                  : tape.hasEnd ? outputs[*tape.carried]
                                : before[*tape.carried];
    Value index = tape.hasBoth() ? buildNext(b, loc, induction) : induction;
    yielded.push_back(
        buildTapeWrite(b, loc, value, before[yielded.size()], index));
  }
  scf::YieldOp::create(b, loc, yielded);
}

scf::ForOp IterationJoint::buildForward(PartitionDecision &decision,
                                        const TapePlan &tapes) {
  scf::ForOp loop = pair.forward;
  OpBuilder b(loop);
  auto buildBody = [&](OpBuilder &b, Location loc, Value induction,
                       ValueRange before) {
    SmallVector<Value> inputs;
    for (auto [i, argument] : llvm::enumerate(arguments)) {
      if (decision.graph->isCotangent(i))
        continue;
      if (argument.source == Source::ForwardCarried)
        inputs.push_back(
            before[llvm::find(carried, argument.number) - carried.begin()]);
      else
        inputs.push_back(argument.source == Source::Iteration ? induction
                                                              : argument.value);
    }
    yieldForward(b, loc, tapes, induction, before,
                 inlineBody(b, decision.forward.get(), inputs));
  };
  auto newLoop = scf::ForOp::create(b, loop.getLoc(), loop.getLowerBound(),
                                    loop.getUpperBound(), loop.getStep(),
                                    buildInits(b, tapes), buildBody);
  newLoop->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  return newLoop;
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

scf::ForOp IterationJoint::buildBackward(PartitionDecision &decision,
                                         const TapePlan &tapes,
                                         scf::ForOp newForward) {
  scf::ForOp loop = pair.backward;
  OpBuilder b(loop);
  unsigned firstKept = carried.size() + counters.size();
  unsigned firstNew = firstKept + keptTapes.size();
  auto buildBody = [&](OpBuilder &b, Location loc, Value induction,
                       ValueRange before) {
    IRMapping old;
    old.map(loop.getInductionVar(), induction);
    old.map(loop.getRegionIterArgs(), before);
    for (Operation *op : pair.iterationOps)
      b.clone(*op, old);
    Value iteration = old.lookup(pair.iteration);
    SmallVector<Value> inputs;
    for (auto [place, saved] :
         llvm::zip_equal(tapes.saved, decision.plan.saved)) {
      Type type = decision.graph->getValue(saved.value).getType();
      if (place.kind == SavedPlace::Around) {
        inputs.push_back(place.value);
      } else if (place.kind == SavedPlace::Iteration) {
        inputs.push_back(iteration);
      } else if (place.kind == SavedPlace::KeptTape) {
        inputs.push_back(buildTapeRead(
            b, loc, type, newForward.getResult(firstKept + place.number),
            iteration));
      } else {
        bool isNext = place.isEnd && tapes.tapes[place.number].hasBoth();
        inputs.push_back(buildTapeRead(
            b, loc, type, newForward.getResult(firstNew + place.number),
            isNext ? buildNext(b, loc, iteration) : iteration));
      }
    }
    for (auto [i, argument] : llvm::enumerate(arguments)) {
      if (!decision.graph->isCotangent(i))
        continue;
      inputs.push_back(argument.source == Source::BackwardInduction ? induction
                       : argument.source == Source::BackwardCarried
                           ? before[argument.number]
                           : argument.value);
    }
    scf::YieldOp::create(b, loc,
                         inlineBody(b, decision.backward.get(), inputs));
  };
  auto newLoop = scf::ForOp::create(b, loop.getLoc(), loop.getLowerBound(),
                                    loop.getUpperBound(), loop.getStep(),
                                    loop.getInitArgs(), buildBody);
  newLoop->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  return newLoop;
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

std::pair<scf::ForOp, scf::ForOp>
IterationJoint::replaceLoops(PartitionDecision &decision) {
  scf::ForOp forward = pair.forward, backward = pair.backward;
  // A counter that nobody asks for ends with the loop: an iteration finds its
  // value by its number.
  llvm::erase_if(counters, [&](const Counter &counter) {
    return forward.getResult(counter.number).use_empty();
  });
  TapePlan tapes = planTapes(decision);
  scf::ForOp newForward = buildForward(decision, tapes);
  SmallVector<unsigned> numbers = carried;
  for (const Counter &counter : counters)
    numbers.push_back(counter.number);
  for (const Tape &tape : keptTapes)
    numbers.push_back(tape.number);
  for (auto [i, number] : llvm::enumerate(numbers)) {
    Value old = forward.getResult(number), result = newForward.getResult(i);
    for (Argument &argument : arguments)
      if (argument.value == old)
        argument.value = result;
    old.replaceAllUsesWith(result);
  }
  scf::ForOp newBackward = buildBackward(decision, tapes, newForward);
  backward->replaceAllUsesWith(newBackward);
  backward.erase();
  forward.erase();
  return {newForward, newBackward};
}
