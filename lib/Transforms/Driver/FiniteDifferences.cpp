//===- FiniteDifferences.cpp - Checks of gradients --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairProgram.h"

#include <cmath>

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::driver;

/// What finite differences may be off by, if the user does not say. Rounding to
/// eleven bits or less is a staircase, whose steps the differences see.
static constexpr double kTolerance = 1e-3;
static constexpr double kNarrowTolerance = 1e-2;

/// Whether a value inside `function` has elements of f16 or bf16.
static bool usesNarrowFloats(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        for (Type type : op->getResultTypes()) {
          Type elementType = getElementTypeOrSelf(type);
          if (elementType.isF16() || elementType.isBF16())
            return WalkResult::interrupt();
        }
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// Runs the forward from the saved state with argument `arg` replaced by
/// `value` and returns the sum of outputs times cotangents, f64.
static Value emitLoss(PairProgram &program, unsigned arg, Value value) {
  Pair &pair = program.pair;
  DriverEmitter &e = program.e;
  SmallVector<Value> args(program.inputs);
  args[arg] = value;
  program.restoreState();
  SmallVector<Value> values = e.call(pair.forward, args);
  Value loss = e.makeF64(0.0);
  for (auto [primal, cotangent] : llvm::enumerate(pair.primalCotangents))
    if (cotangent && DriverEmitter::isFloat(values[primal].getType()))
      loss = e.makeAddF(
          loss, e.getDot(values[primal], program.cotangents[*cotangent]));
  return loss;
}

/// The points on both sides of argument `arg` of the forward, to take the
/// difference between.
static std::pair<Value, Value> makeSteps(PairProgram &program, unsigned arg,
                                         Value gradient, double length) {
  DriverEmitter &e = program.e;
  // Along the gradient, which is where the loss changes most. A gradient of
  // zero is tested along the input, or a gradient that is missing would pass.
  Value x = program.inputs[arg];
  Value zero = e.makeF64(0.0);
  Value largest = e.getMaxAbsDifference(gradient, e.makeZeroLike(gradient));
  Value isZero = e.isEqualF(largest, zero);
  Value step = e.makeF64(length);
  Value scale = e.makeSelect(isZero, e.makeF64(HUGE_VAL), largest);
  Value alongGradient = e.makeDivF(step, scale);
  Value alongInput = e.makeSelect(isZero, step, zero);
  Value plus = e.makeStep(x, alongGradient, gradient, alongInput);
  Value againstGradient = e.makeSubF(zero, alongGradient);
  Value againstInput = e.makeSubF(zero, alongInput);
  Value minus = e.makeStep(x, againstGradient, gradient, againstInput);
  return {plus, minus};
}

static void checkGradient(PairProgram &program, unsigned i,
                          const FiniteDifferences &options) {
  DriverEmitter &e = program.e;
  std::optional<unsigned> arg = program.pair.gradientArguments[i];
  std::string label = ("finite differences of gradient " + Twine(i)).str();
  Value gradient = program.first.gradients[i];
  if (!DriverEmitter::isFloat(gradient.getType()))
    return;
  if (!arg) {
    e.print(program.checkLabel(label + ": not the gradient of an argument\n"));
    return;
  }
  auto [plus, minus] = makeSteps(program, *arg, gradient,
                                 options.step * program.getMagnitude(*arg));
  Value lossPlus = emitLoss(program, *arg, plus);
  Value lossMinus = emitLoss(program, *arg, minus);
  Value change = e.makeSubF(lossPlus, lossMinus);
  // With the inputs as they were rounded, not with the step as it was meant.
  Value dotPlus = e.getDot(gradient, plus);
  Value dotMinus = e.getDot(gradient, minus);
  Value expected = e.makeSubF(dotPlus, dotMinus);
  Value error = e.getRelativeError(change, expected);
  e.print(program.checkLabel(label + " (argument " + Twine(*arg) +
                             "): relative error "));
  e.print(error);
  double tolerance = options.tolerance;
  if (tolerance == 0.0)
    tolerance =
        usesNarrowFloats(program.pair.forward) ? kNarrowTolerance : kTolerance;
  e.finishCheck(e.isLessEqualF(error, e.makeF64(tolerance)));
}

void mlir::rng::driver::checkFiniteDifferences(
    PairProgram &program, const FiniteDifferences &options) {
  for (unsigned i = 0, e = program.first.gradients.size(); i != e; ++i)
    checkGradient(program, i, options);
}
