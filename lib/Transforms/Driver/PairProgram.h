//===- PairProgram.h - Code of a test driver for a pair ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Calls of a pair and of its joint function, and the checks of what they
/// yield. Ops are written in the order of the calls of these functions.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_DRIVER_PAIRPROGRAM_H
#define RNGDIALECT_LIB_TRANSFORMS_DRIVER_PAIRPROGRAM_H

#include "DriverEmitter.h"
#include "DriverPair.h"
#include "DriverState.h"

namespace mlir::rng::driver {

/// What a call of a forward and of its backward, or of the joint function, is
/// given and yields.
struct PairCall {
  SmallVector<Value> primals, gradients;
  /// Of a pair only: what the backward is given, without and with states that
  /// are passed on.
  SmallVector<Value> saved, cotangents;

  Value get(JointRole role) const {
    return (role.isOfBackward ? gradients : primals)[role.index];
  }
};

/// The values of a pair while its part of @main is written.
class PairProgram {
public:
  PairProgram(Pair &pair, SymbolTable &symbols, DriverEmitter &emitter)
      : pair(pair), symbols(symbols), e(emitter) {}

  /// Makes the data, calls forward and backward once, and prints what they
  /// yield. To be called first.
  void run();

  //===--------------------------------------------------------------------===//
  // Calls
  //===--------------------------------------------------------------------===//

  /// Sets all states to what they were before `run`.
  void restoreState();
  PairCall callForward();
  /// Adds the gradients to `call`, of which the forward was called.
  void callBackward(PairCall &call);
  /// Calls the joint function, which there is.
  PairCall callJoint();
  SmallVector<Value> getJointArguments();
  /// Whether the state comes and goes by arguments and results.
  bool passesState();
  /// Largest magnitude of the data for argument `arg` of the forward.
  double getMagnitude(unsigned arg);

  //===--------------------------------------------------------------------===//
  // Lines
  //===--------------------------------------------------------------------===//

  std::string checkLabel(const Twine &text) {
    return ("check " + pair.name + ": " + text).str();
  }
  /// "count of all elements", both i64.
  void printShare(Value count, Value all);
  /// A line that says how many elements of `values` and `others` differ in all,
  /// and wants none to.
  void checkNoneDiffers(const Twine &label, ArrayRef<Value> values,
                        ArrayRef<Value> others);

  Pair &pair;
  SymbolTable &symbols;
  DriverEmitter &e;
  /// Arguments of the forward, and what the first backward was given beside
  /// what is saved.
  SmallVector<Value> inputs, cotangents;
  /// The first call.
  PairCall first;
  /// The state of all generators and memories after it.
  SmallVector<Value> stateAfter;

private:
  void makeInputs();

  PassedStates states;
};

/// Whether the draws of the backward have the bits of those of the forward, and
/// a second call of the forward draws other numbers. (DrawChecks.cpp)
void checkDraws(PairProgram &program);

/// Whether the joint function, which there is, yields what the pair does and
/// leaves the same state. (JointChecks.cpp)
void checkJoint(PairProgram &program);

/// Whether several calls of forward and backward, in several orders, yield what
/// as many calls of the joint function do. (JointChecks.cpp)
void checkSchedules(PairProgram &program);

/// How to compare gradients with finite differences.
struct FiniteDifferences {
  /// Length of the step in its largest element, in units of the data.
  double step;
  /// Largest relative error; 0 for the default.
  double tolerance;
};

/// Whether each gradient agrees with central differences of the sum of outputs
/// times cotangents. (FiniteDifferences.cpp)
void checkFiniteDifferences(PairProgram &program,
                            const FiniteDifferences &options);

} // namespace mlir::rng::driver

#endif // RNGDIALECT_LIB_TRANSFORMS_DRIVER_PAIRPROGRAM_H
