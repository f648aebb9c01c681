//===- BudgetCut.cpp - Least recompute cost within a budget -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/CutSolver/BudgetCut.h"
#include "BudgetCore.h"

#include <algorithm>
#include <cassert>

using namespace mlir::rng;
using namespace mlir::rng::cut;

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

unsigned BudgetGraph::addArgument(uint64_t bytes) {
  bytesOf.push_back(bytes);
  definer.push_back(kNone);
  return bytesOf.size() - 1;
}

unsigned BudgetGraph::addOp(const std::vector<unsigned> &newOperands,
                            uint64_t work) {
  for (unsigned operand : newOperands) {
    assert(operand < bytesOf.size() && "operand was not added");
    operands.push_back(operand);
  }
  firstOperand.push_back(operands.size());
  works.push_back(work);
  return works.size() - 1;
}

unsigned BudgetGraph::addResult(uint64_t bytes) {
  assert(!works.empty() && "result of no op");
  bytesOf.push_back(bytes);
  definer.push_back(works.size() - 1);
  return bytesOf.size() - 1;
}

std::optional<BudgetChoice>
BudgetGraph::choose(const std::vector<bool> &wanted) const {
  assert(wanted.size() == getNumOps() && "one entry for each op");
  BudgetChoice choice;
  choice.recomputed.assign(getNumOps(), false);
  choice.saved.assign(getNumValues(), false);
  std::vector<bool> needed(getNumValues());
  for (unsigned value : demands)
    needed[value] = true;
  // Values follow the ops that define them, and ops their operands.
  for (unsigned value = getNumValues(); value-- != 0;) {
    if (!needed[value])
      continue;
    unsigned op = definer[value];
    if (op == kNone || !wanted[op]) {
      if (bytesOf[value] == kInfinite)
        return std::nullopt;
      choice.saved[value] = true;
      choice.bytes = MinCutGraph::saturatingAdd(choice.bytes, bytesOf[value]);
      continue;
    }
    if (choice.recomputed[op])
      continue;
    choice.recomputed[op] = true;
    choice.work = MinCutGraph::saturatingAdd(choice.work, works[op]);
    for (unsigned i = firstOperand[op]; i != firstOperand[op + 1]; ++i)
      needed[operands[i]] = true;
  }
  return choice;
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

std::optional<uint64_t> BudgetGraph::getLeastBytes() const {
  BudgetCore core(*this);
  if (core.isImpossible())
    return std::nullopt;
  return core.expand(*core.findLeastBytes()).bytes;
}

std::optional<BudgetChoice> BudgetGraph::solve(uint64_t budget) const {
  BudgetCore core(*this);
  if (core.isImpossible())
    return std::nullopt;
  std::optional<BoundedChoice> answer = core.solve(budget);
  if (!answer)
    return std::nullopt;
  BudgetChoice choice = core.expand(answer->choice);
  // What has to be recomputed comes on top.
  choice.workBound =
      choice.work -
      (answer->choice.work - std::min(answer->choice.work, answer->workBound));
  return choice;
}
