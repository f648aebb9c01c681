//===- DriverState.cpp - States that a test driver hands on -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverState.h"
#include "RngDialect/IR/RngDialect.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::driver;

bool PassedStates::isState(func::FuncOp function, unsigned index) {
  return bool(function.getArgAttr(index, RngDialect::kState));
}

void PassedStates::open(func::FuncOp function, ValueRange arguments) {
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (Attribute generator = function.getArgAttr(i, RngDialect::kState))
      states[generator].push_back(argument);
}

void PassedStates::passTo(func::FuncOp function,
                          MutableArrayRef<Value> arguments) const {
  llvm::DenseMap<Attribute, unsigned> used;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    Attribute generator = function.getArgAttr(i, RngDialect::kState);
    auto known = states.find(generator);
    if (!generator || known == states.end())
      continue;
    unsigned word = used[generator]++;
    if (word < known->second.size() &&
        known->second[word].getType() == argument.getType())
      argument = known->second[word];
  }
}

void PassedStates::takeFrom(func::FuncOp function, ValueRange results) {
  llvm::DenseMap<Attribute, SmallVector<Value, 2>> taken;
  for (auto [i, result] : llvm::enumerate(results))
    if (Attribute generator = function.getResultAttr(i, RngDialect::kState))
      taken[generator].push_back(result);
  // A seed that nobody sets is not returned: the offset is the last one.
  for (auto &[generator, words] : taken) {
    SmallVector<Value, 2> &state = states[generator];
    if (words.size() <= state.size())
      llvm::copy(words, std::prev(state.end(), words.size()));
  }
}
