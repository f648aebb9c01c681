//===- JointChecks.cpp - Checks of pairs against joint functions *- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairProgram.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::driver;

/// Appends the outputs of `call`: primals, then gradients.
static void appendOutputs(SmallVectorImpl<Value> &values,
                          const PairCall &call) {
  llvm::append_range(values, call.primals);
  llvm::append_range(values, call.gradients);
}

void mlir::rng::driver::checkJoint(PairProgram &program) {
  Pair &pair = program.pair;
  DriverEmitter &e = program.e;
  program.restoreState();
  PairCall joint = program.callJoint();
  SmallVector<Value> stateAfterJoint = e.readState();
  for (JointRole role : pair.jointResults) {
    Value value = joint.get(role), other = program.first.get(role);
    Value different = e.countDifferent(value, other);
    e.print(program.checkLabel((role.isOfBackward ? "gradient " : "result ") +
                               Twine(role.index) +
                               " and the joint function: "));
    e.print(different);
    e.print(" of ");
    e.print(e.getNumElements(value));
    e.print(" elements differ");
    if (DriverEmitter::isFloat(value.getType())) {
      e.print(", at most by ");
      e.print(e.getMaxAbsDifference(value, other));
    }
    e.finishCheck(e.isZero(different));
  }
  if (pair.usesState || pair.backwardUsesState)
    program.checkNoneDiffers(
        "the state after the pair and after the joint function",
        program.stateAfter, stateAfterJoint);
}

/// The calls of `schedule` from the state at the start of the program, such as
/// "F1 F2 B2 B1" for two forwards and then the backward of the second one, have
/// to yield what `reference` has.
static void checkSchedule(PairProgram &program, StringRef schedule,
                          ArrayRef<PairCall> reference) {
  program.restoreState();
  SmallVector<PairCall> calls(reference.size());
  SmallVector<Value> values, others;
  for (StringRef token : llvm::split(schedule, ' ')) {
    unsigned number = token.back() - '1';
    PairCall &call = calls[number];
    if (token.front() == 'F') {
      call = program.callForward();
      llvm::append_range(values, call.primals);
      llvm::append_range(others, reference[number].primals);
    } else {
      program.callBackward(call);
      llvm::append_range(values, call.gradients);
      llvm::append_range(others, reference[number].gradients);
    }
  }
  program.checkNoneDiffers(schedule, values, others);
}

void mlir::rng::driver::checkSchedules(PairProgram &program) {
  constexpr unsigned kNumCalls = 3;
  Pair &pair = program.pair;
  program.restoreState();
  SmallVector<PairCall> calls;
  SmallVector<Value> values;
  for (unsigned i = 0; i != kNumCalls; ++i) {
    PairCall &call = calls.emplace_back(program.callForward());
    program.callBackward(call);
    appendOutputs(values, call);
  }
  // By arguments, the joint function would have to be given what only its own
  // forward part knows.
  if (pair.joint && !program.passesState()) {
    program.restoreState();
    SmallVector<Value> others;
    for (unsigned i = 0; i != kNumCalls; ++i)
      appendOutputs(others, program.callJoint());
    program.checkNoneDiffers("F1 B1 F2 B2 F3 B3 and the joint function", values,
                             others);
  }
  // A backward that has no state of its own may wait for other forwards.
  if (!pair.backwardUsesState)
    for (StringRef schedule :
         {"F1 B1 B1", "F1 F2 B2 B1", "F1 F2 B1 B2", "F1 F2 F3 B1 B2 B3"})
      checkSchedule(program, schedule, calls);
}
