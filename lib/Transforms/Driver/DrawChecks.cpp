//===- DrawChecks.cpp - Checks that masks are drawn again -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairProgram.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::driver;

/// "label: K of N elements" and the verdict, which wants all to be equal.
static void checkAllEqual(PairProgram &program, const Twine &label, Value value,
                          Value different) {
  DriverEmitter &e = program.e;
  Value all = e.getNumElements(value);
  e.print(program.checkLabel(label + ": "));
  program.printShare(e.makeSub(all, different), all);
  e.finishCheck(e.isZero(different));
}

//===----------------------------------------------------------------------===//
// Draws of the backward
//===----------------------------------------------------------------------===//

namespace {

/// The draw, among several, that differs in the fewest elements from one of the
/// backward.
class NearestDraw {
public:
  NearestDraw(DriverEmitter &e, Value value) : e(e), value(value) {}

  /// Considers draw `number` of the forward or of the joint function.
  void consider(unsigned number, Value other, bool isInForward) {
    Value count = e.countDifferent(value, other);
    Value index = e.makeI64(number), where = e.makeBool(isInForward);
    if (!best) {
      best = index, different = count, inForward = where;
      return;
    }
    Value better = e.isLess(count, different);
    best = e.makeSelect(better, index, best);
    inForward = e.makeSelect(better, where, inForward);
    different = e.makeSelect(better, count, different);
  }

  /// Its number, i64; how many elements differ, i64; whether it is one of the
  /// forward, i1.
  Value best, different, inForward;

private:
  DriverEmitter &e;
  Value value;
};

} // namespace

static SmallVector<Value> drawInJoint(PairProgram &program) {
  Pair &pair = program.pair;
  func::FuncOp clone =
      cloneForDraws(pair.joint, pair.jointDraws, program.symbols);
  program.restoreState();
  return program.e.call(clone, program.getJointArguments());
}

/// Compares draw `i` of the backward, which has `value`, with those it may be.
/// `jointValues` is filled when first needed.
static void checkBackwardDraw(PairProgram &program, unsigned i, Value value,
                              ValueRange forwardValues,
                              SmallVectorImpl<Value> &jointValues) {
  Pair &pair = program.pair;
  DriverEmitter &e = program.e;
  StatelessDrawOpInterface draw = pair.backwardDraws[i];
  DrawCandidates candidates = findCandidates(draw, pair.forwardDraws);
  // A draw that only the backward needs is made there for the first time; the
  // joint function has it.
  DrawCandidates ofJoint;
  if (!candidates.areLocated)
    ofJoint = findCandidates(draw, pair.jointDraws);
  if (ofJoint.areLocated)
    candidates.draws.clear();
  std::string label = ("draw " + Twine(i) + " of the backward").str();
  if (candidates.draws.empty() && ofJoint.draws.empty()) {
    e.print(
        program.checkLabel(label + " has no draw of its type in the forward"));
    e.finishCheck(e.makeBool(false));
    return;
  }
  if (!ofJoint.draws.empty() && jointValues.empty())
    jointValues = drawInJoint(program);
  NearestDraw nearest(e, value);
  for (unsigned j : candidates.draws)
    nearest.consider(j, forwardValues[j], /*isInForward=*/true);
  for (unsigned j : ofJoint.draws)
    nearest.consider(j, jointValues[j], /*isInForward=*/false);
  e.print(program.checkLabel(label + " equals draw "));
  e.print(nearest.best);
  if (ofJoint.draws.empty())
    e.print(" of the forward: ");
  else
    e.printEither(nearest.inForward,
                  " of the forward: ", " of the joint function: ");
  Value all = e.getNumElements(value);
  program.printShare(e.makeSub(all, nearest.different), all);
  e.finishCheck(e.isZero(nearest.different));
}

static void checkBackwardDraws(PairProgram &program, ValueRange forwardValues) {
  Pair &pair = program.pair;
  func::FuncOp clone =
      cloneForDraws(pair.backward, pair.backwardDraws, program.symbols);
  SmallVector<Value> args(program.first.saved);
  llvm::append_range(args, program.cotangents);
  SmallVector<Value> values = program.e.call(clone, args);
  SmallVector<Value> jointValues;
  for (auto [i, value] : llvm::enumerate(values))
    checkBackwardDraw(program, i, value, forwardValues, jointValues);
}

//===----------------------------------------------------------------------===//
// Draws of the forward
//===----------------------------------------------------------------------===//

/// Compares `first`, what `clone` drew from the state at the start, with what
/// it draws next, and with what it draws once the state is restored.
static void checkFreshDraws(PairProgram &program, func::FuncOp clone,
                            ValueRange first) {
  DriverEmitter &e = program.e;
  // The state is where the first call left it.
  SmallVector<Value> second = e.call(clone, program.inputs);
  program.restoreState();
  SmallVector<Value> again = e.call(clone, program.inputs);
  for (auto [i, draw] : llvm::enumerate(program.pair.forwardDraws)) {
    if (!dependsOnGenerator(draw))
      continue;
    std::string label = ("draw " + Twine(i)).str();
    Value all = e.getNumElements(first[i]);
    Value different = e.countDifferent(first[i], second[i]);
    e.print(program.checkLabel(label + " of a second call differs: "));
    program.printShare(different, all);
    Value differs = e.isLess(e.makeI64(0), different);
    Value tooFew = e.isLess(all, e.makeI64(getMinElementsToDiffer(draw)));
    e.finishCheck(e.makeOr(differs, tooFew));
    checkAllEqual(program, label + " is the same after restoring the state",
                  first[i], e.countDifferent(first[i], again[i]));
  }
}

void mlir::rng::driver::checkDraws(PairProgram &program) {
  Pair &pair = program.pair;
  SmallVector<Value> first;
  func::FuncOp clone;
  if (!pair.forwardDraws.empty()) {
    clone = cloneForDraws(pair.forward, pair.forwardDraws, program.symbols);
    program.restoreState();
    first = program.e.call(clone, program.inputs);
  }
  if (pair.backwardDraws.empty())
    program.e.print(program.checkLabel("nothing is redrawn in the backward\n"));
  else
    checkBackwardDraws(program, first);
  if (clone && pair.usesState)
    checkFreshDraws(program, clone, first);
}
