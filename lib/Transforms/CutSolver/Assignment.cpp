//===- Assignment.cpp - A choice that can be changed ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assignment.h"

#include <cassert>

using namespace mlir::rng::cut;

Assignment::Assignment(const BudgetCore &core, const std::vector<bool> &wanted)
    : core(core), recomputed(core.ops.size()), numUses(core.values.size()),
      numNeeded(core.ops.size()) {
  for (unsigned value = 0, e = core.values.size(); value != e; ++value) {
    if (!core.values[value].demanded)
      continue;
    numUses[value] = 1;
    count(value, /*saved=*/true);
    if (core.values[value].definer != BudgetCore::kNone)
      ++numNeeded[core.values[value].definer];
  }
  for (unsigned op = core.ops.size(); op-- != 0;)
    if (wanted[op] && numNeeded[op])
      flip(op);
  tidy();
  commit();
}

void Assignment::count(unsigned value, bool saved) {
  uint64_t cost = core.values[value].bytes;
  if (cost == BudgetCore::kInfinite)
    maybeMissing.push_back(value);
  else
    bytes += saved ? cost : -cost;
}

void Assignment::flip(unsigned op) {
  const BudgetCore::Op &entry = core.ops[op];
  bool on = !recomputed[op];
  numSteps += 2 + entry.endOperand - entry.firstOperand;
  for (unsigned r = entry.firstResult; r != entry.endResult; ++r)
    if (numUses[r])
      count(r, /*saved=*/!on);
  recomputed[op] = on;
  work += on ? entry.work : -entry.work;
  for (unsigned i = entry.firstOperand; i != entry.endOperand; ++i) {
    unsigned value = core.operands[i];
    bool wasNeeded = numUses[value] != 0;
    numUses[value] += on ? 1 : -1;
    if (wasNeeded == (numUses[value] != 0))
      continue;
    if (!isProduced(value))
      count(value, /*saved=*/on);
    unsigned definer = core.values[value].definer;
    if (definer == BudgetCore::kNone)
      continue;
    numNeeded[definer] += on ? 1 : -1;
    if (!on && numNeeded[definer] == 0)
      maybeUseless.push_back(definer);
  }
}

void Assignment::toggle(unsigned op) {
  flip(op);
  log.push_back(op);
  if (numNeeded[op] == 0)
    maybeUseless.push_back(op);
}

void Assignment::tidy() {
  while (!maybeMissing.empty()) {
    unsigned value = maybeMissing.back();
    maybeMissing.pop_back();
    if (numUses[value] && !isProduced(value))
      toggle(core.values[value].definer);
  }
  // This takes uses away, so nothing can be missing after it.
  while (!maybeUseless.empty()) {
    unsigned op = maybeUseless.back();
    maybeUseless.pop_back();
    if (recomputed[op] && numNeeded[op] == 0)
      toggle(op);
  }
  maybeMissing.clear();
}

void Assignment::commit() { log.clear(); }

void Assignment::rollBack() {
  for (size_t i = log.size(); i-- != 0;)
    flip(log[i]);
  log.clear();
  maybeMissing.clear();
  maybeUseless.clear();
}
