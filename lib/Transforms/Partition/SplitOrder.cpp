//===- SplitOrder.cpp - The order of ops in forward and backward *- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitOrder.h"

using namespace mlir;
using namespace mlir::rng;

std::vector<unsigned> mlir::rng::orderForward(const JointGraph &graph,
                                              ArrayRef<unsigned> extra) {
  std::vector<bool> needed(graph.getNumValues());
  for (unsigned value : graph.getPrimals())
    needed[value] = true;
  for (unsigned value : extra)
    needed[value] = true;
  std::vector<unsigned> order;
  for (unsigned op = graph.getNumOps(); op-- != 0;) {
    if (!graph.isFreeOfCotangents(op))
      continue;
    if (!graph.isObservable(op) &&
        llvm::none_of(graph.getResults(op),
                      [&](unsigned r) { return needed[r]; }))
      continue;
    order.push_back(op);
    for (unsigned operand : graph.getOperands(op))
      needed[operand] = true;
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<unsigned> mlir::rng::orderBackward(const JointGraph &graph,
                                               ArrayRef<unsigned> saved) {
  std::vector<bool> available(graph.getNumValues());
  for (unsigned value : saved)
    available[value] = true;
  for (unsigned i = 0, e = graph.getNumArguments(); i != e; ++i)
    if (graph.isCotangent(i))
      available[i] = true;

  std::vector<unsigned> order;
  std::vector<bool> emitted(graph.getNumOps());
  auto emit = [&](unsigned op) {
    emitted[op] = true;
    for (unsigned result : graph.getResults(op))
      available[result] = true;
    order.push_back(op);
  };
  // Emits what `value` needs and is not there yet, operands first. The ops
  // above the cut have no side effects, so only their uses order them.
  SmallVector<unsigned> stack;
  auto require = [&](unsigned value) {
    if (available[value])
      return;
    stack.push_back(graph.getDefiningOp(value));
    while (!stack.empty()) {
      unsigned op = stack.back();
      if (emitted[op]) {
        stack.pop_back();
        continue;
      }
      size_t before = stack.size();
      for (unsigned operand : llvm::reverse(graph.getOperands(op)))
        if (!available[operand])
          stack.push_back(graph.getDefiningOp(operand));
      if (stack.size() != before)
        continue;
      emit(op);
      stack.pop_back();
    }
  };

  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op) {
    if (graph.getClass(op) != OpClass::Backward)
      continue;
    for (unsigned operand : graph.getOperands(op))
      require(operand);
    emit(op);
  }
  for (unsigned gradient : graph.getGradients())
    require(gradient);
  return order;
}
