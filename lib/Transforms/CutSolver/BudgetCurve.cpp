//===- BudgetCurve.cpp - What budgets of all sizes lead to ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BudgetCore.h"

#include <algorithm>

using namespace mlir::rng;
using namespace mlir::rng::cut;

using Choices = std::vector<CoreChoice>;

namespace {
/// Two points of the hull, perhaps with corners between them.
struct Gap {
  CoreChoice low, high;

  uint64_t getWidth() const { return high.bytes - low.bytes; }
};
} // namespace

/// Appends the answers for some budgets between two corners.
static void addBudgets(const BudgetCore &core, const CoreChoice &low,
                       const CoreChoice &high, Choices &points) {
  constexpr unsigned kMaxBudgets = 32;
  for (unsigned i = 1; i != kMaxBudgets; ++i)
    points.push_back(
        core.improve(low.bytes + (high.bytes - low.bytes) / kMaxBudgets * i,
                     low, high, BudgetCore::Effort::Brief)
            .choice);
}

/// Appends corners between `low` and `high`, found by halving the widest gap
/// first, up to a number of cuts. Returns the gaps that are left.
static std::vector<Gap> addCorners(const BudgetCore &core, CoreChoice low,
                                   CoreChoice high, Choices &points) {
  constexpr unsigned kMaxCuts = 32;
  std::vector<Gap> open, closed;
  open.push_back({std::move(low), std::move(high)});
  for (unsigned cuts = 0; cuts != kMaxCuts && !open.empty(); ++cuts) {
    auto widest = std::max_element(
        open.begin(), open.end(),
        [](const Gap &a, const Gap &b) { return a.getWidth() < b.getWidth(); });
    Gap gap = std::move(*widest);
    open.erase(widest);
    if (gap.high.work >= gap.low.work)
      continue;
    CoreChoice middle =
        *core.cut(core.fit({gap.low.work - gap.high.work, gap.getWidth()}));
    if (middle.bytes <= gap.low.bytes || middle.bytes >= gap.high.bytes ||
        middle.work >= gap.low.work) {
      closed.push_back(std::move(gap));
      continue;
    }
    points.push_back(middle);
    open.push_back({std::move(gap.low), middle});
    open.push_back({std::move(middle), std::move(gap.high)});
  }
  closed.insert(closed.end(), open.begin(), open.end());
  return closed;
}

/// Points from `low`, the least bytes, to `high`, the least work.
static Choices findSomePoints(const BudgetCore &core, CoreChoice low,
                              CoreChoice high) {
  constexpr unsigned kMaxPointsInGap = 16;
  if (low.bytes >= high.bytes)
    return {std::move(low), std::move(high)};
  // The answer for the least budget is the first point.
  low = core.improve(low.bytes, low, high, BudgetCore::Effort::Brief).choice;
  Choices points = {low, high};
  if (low.bytes >= high.bytes)
    return points;
  // Answers for budgets, where they come fast.
  constexpr size_t kFewOps = 4096;
  if (core.ops.size() <= kFewOps)
    addBudgets(core, low, high, points);
  for (const Gap &gap :
       addCorners(core, std::move(low), std::move(high), points))
    core.walk(gap.low, gap.high, kMaxPointsInGap,
              [&](CoreChoice choice) { points.push_back(std::move(choice)); });
  return points;
}

/// Those of `points` that are better in one respect than all others, in order
/// of bytes.
static Choices keepBest(Choices points) {
  std::stable_sort(points.begin(), points.end(),
                   [](const CoreChoice &a, const CoreChoice &b) {
                     return a.bytes != b.bytes ? a.bytes < b.bytes
                                               : a.work < b.work;
                   });
  Choices curve;
  uint64_t leastWork = BudgetCore::kInfinite;
  for (CoreChoice &point : points) {
    if (point.work >= leastWork)
      continue;
    leastWork = point.work;
    curve.push_back(std::move(point));
  }
  return curve;
}

std::vector<CoreChoice> BudgetCore::findSomeOfCurve() const {
  return keepBest(findSomePoints(*this, *findLeastBytes(), *findLeastWork()));
}

std::vector<CoreChoice> BudgetCore::findCurve() const {
  if (auto all = findAll(findLeastWork()->bytes, nullptr))
    return keepBest(std::move(*all));
  return findSomeOfCurve();
}

std::vector<BudgetChoice> BudgetGraph::findCurve() const {
  BudgetCore core(*this);
  if (core.isImpossible())
    return {};
  std::vector<BudgetChoice> curve;
  for (const CoreChoice &choice : core.findCurve())
    curve.push_back(core.expand(choice));
  return curve;
}
