//===- PairProgram.cpp - Code of a test driver for a pair -------*- C++ -*-===//
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

/// Data of persistent arguments is this much smaller: they are weights, and
/// sums over hundreds of them should stay of the order of one.
static constexpr double kPersistentMagnitude = 0.05;

double PairProgram::getMagnitude(unsigned arg) {
  return pair.isPersistent(arg) ? kPersistentMagnitude : 1.0;
}

void PairProgram::makeInputs() {
  unsigned k = 0;
  auto make = [&](Type type, double magnitude) {
    Value value = DriverEmitter::isStateMemory(type)
                      ? e.makeStateMemory(type, k)
                      : e.makeData(type, k, magnitude);
    ++k;
    return value;
  };
  for (auto [i, type] : llvm::enumerate(pair.forward.getArgumentTypes()))
    inputs.push_back(make(type, getMagnitude(i)));
  for (Type type : pair.cotangents)
    cotangents.push_back(make(type, 1.0));
}

void PairProgram::run() {
  makeInputs();
  SmallVector<Value> memories;
  llvm::copy_if(inputs, std::back_inserter(memories), [](Value input) {
    return DriverEmitter::isStateMemory(input.getType());
  });
  e.saveState(memories);
  states.open(pair.forward, inputs);
  first = callForward();
  auto print = [&](const Twine &label, Value value) {
    e.printValue((pair.name + ": " + label).str(), value);
  };
  for (auto [i, primal] : llvm::enumerate(first.primals))
    print("result " + Twine(i), primal);
  for (auto [i, entry] : llvm::enumerate(pair.saved))
    print("saved " + Twine(i) + " (" +
              describeSaved(entry.getKind(), entry.getIndex()) + ")",
          first.saved[i]);
  callBackward(first);
  stateAfter = e.readState();
  // The joint function is given what the backward was.
  cotangents = first.cotangents;
  for (auto [i, gradient] : llvm::enumerate(first.gradients))
    print("gradient " + Twine(i), gradient);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void PairProgram::restoreState() {
  e.restoreState();
  states = PassedStates();
  states.open(pair.forward, inputs);
}

bool PairProgram::passesState() {
  for (auto [i, type] : llvm::enumerate(pair.forward.getArgumentTypes()))
    if (PassedStates::isState(pair.forward, i) &&
        !DriverEmitter::isStateMemory(type))
      return true;
  return false;
}

PairCall PairProgram::callForward() {
  SmallVector<Value> args(inputs);
  states.passTo(pair.forward, args);
  SmallVector<Value> results = e.call(pair.forward, args);
  states.takeFrom(pair.forward, results);
  PairCall call;
  call.primals.assign(results.begin(), results.begin() + pair.numPrimals);
  for (SavedAttr entry : pair.saved)
    call.saved.push_back(SavedList::select<ArrayRef<Value>>(
        entry, args, results)[entry.getIndex()]);
  return call;
}

void PairProgram::callBackward(PairCall &call) {
  SmallVector<Value> args(call.saved);
  llvm::append_range(args, cotangents);
  states.passTo(pair.backward, args);
  call.gradients = e.call(pair.backward, args);
  states.takeFrom(pair.backward, call.gradients);
  call.cotangents.assign(args.begin() + call.saved.size(), args.end());
}

SmallVector<Value> PairProgram::getJointArguments() {
  SmallVector<Value> args;
  for (JointRole role : pair.jointArguments)
    args.push_back((role.isOfBackward ? cotangents : inputs)[role.index]);
  return args;
}

PairCall PairProgram::callJoint() {
  assert(pair.joint && "there is a joint function");
  PairCall call;
  for (auto [role, value] : llvm::zip_equal(
           pair.jointResults, e.call(pair.joint, getJointArguments())))
    (role.isOfBackward ? call.gradients : call.primals).push_back(value);
  return call;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

void PairProgram::printShare(Value count, Value all) {
  e.print(count);
  e.print(" of ");
  e.print(all);
  e.print(" elements");
}

void PairProgram::checkNoneDiffers(const Twine &label, ArrayRef<Value> values,
                                   ArrayRef<Value> others) {
  Value different = e.makeI64(0);
  for (auto [value, other] : llvm::zip_equal(values, others))
    different = e.makeAdd(different, e.countDifferent(value, other));
  e.print(checkLabel(label + ": "));
  e.print(different);
  e.print(" elements differ");
  e.finishCheck(e.isZero(different));
}
