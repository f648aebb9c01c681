//===- BudgetBranch.cpp - The best choice, and how good it is ---*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branch and bound. A price for each byte makes a cut whose cost, less the
// price of the budget, no choice within the budget falls below: the Lagrangian
// bound. The best price is that of the edge of the hull above the budget, and
// the ends of this edge are choices, of which one fits. Where the bound is less
// than the work of the best choice known, an op that the two ends decide
// differently is decided both ways, and each half is cut again. The half with
// the least bound is always the next, so that the least of all bounds rises
// until it is the answer, or until the limit is reached.
//
//===----------------------------------------------------------------------===//

#include "BudgetCore.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace mlir::rng;
using namespace mlir::rng::cut;

namespace {

/// The choices that agree with some decisions.
struct Part {
  BudgetCore::Decisions decisions;
  /// The ends of the edge of their hull above the budget, as far as known.
  std::optional<CoreChoice> low, high;
  /// No choice of these within the budget takes less work.
  uint64_t bound = 0;
  /// Parts are numbered as they come into being.
  unsigned number = 0;
};

class BranchSearch {
public:
  BranchSearch(const BudgetCore &core, uint64_t budget, BoundedChoice start,
               uint64_t maxCuts)
      : core(core), budget(budget), best(std::move(start)), maxCuts(maxCuts) {}

  BoundedChoice run(CoreChoice low, CoreChoice high);

private:
  void consider(const CoreChoice &choice) {
    if (choice.bytes <= budget && choice.isBetterThan(best.choice))
      best.choice = choice;
  }
  /// Whether the part may have a choice better than the best one.
  bool isOpen(const Part &part) const { return part.bound < best.choice.work; }
  bool hasCutsLeft() const { return numCuts < maxCuts; }
  bool findHigh(Part &part);
  bool findLow(Part &part);
  void narrow(Part &part);
  /// Looks for the ends and raises the bound; false if the part is done with.
  bool bound(Part &part);
  unsigned pickOp(const Part &part) const;
  Part decide(const Part &part, unsigned op, BudgetCore::Decision decision);
  void push(Part part);
  Part pop();

  const BudgetCore &core;
  const uint64_t budget;
  BoundedChoice best;
  const uint64_t maxCuts;
  uint64_t numCuts = 0;
  unsigned numParts = 0;
  /// A heap, the least bound first.
  std::vector<Part> parts;
};

} // namespace

/// The least work of `choice` plus what the bytes beyond `budget` cost, which
/// no choice within the budget falls below if `choice` is cheapest at these
/// prices.
static uint64_t getLagrangianBound(const CoreChoice &choice, uint64_t budget,
                                   BudgetCore::Prices prices) {
  double price = double(prices.byte) / double(prices.work);
  double more = price * (double(choice.bytes) - double(budget));
  double bound = double(choice.work) + more;
  // Both terms are rounded; the bound is not to be above the true one.
  bound -= (std::abs(more) + double(choice.work)) * 4e-16;
  return bound <= 0 ? 0 : uint64_t(std::ceil(bound));
}

bool BranchSearch::findHigh(Part &part) {
  if (!part.high) {
    part.high = core.findLeastWork(part.decisions);
    ++numCuts;
  }
  if (!part.high)
    return false;
  consider(*part.high);
  part.bound = std::max(part.bound, part.high->work);
  return part.high->bytes > budget && isOpen(part);
}

bool BranchSearch::findLow(Part &part) {
  if (!part.low) {
    part.low = core.findLeastBytes(part.decisions);
    ++numCuts;
  }
  if (!part.low || part.low->bytes > budget)
    return false;
  consider(*part.low);
  return true;
}

void BranchSearch::narrow(Part &part) {
  CoreChoice &low = *part.low, &high = *part.high;
  while (hasCutsLeft() && isOpen(part) && high.work < low.work &&
         low.bytes < high.bytes) {
    BudgetCore::Prices prices =
        core.fit({low.work - high.work, high.bytes - low.bytes});
    std::optional<CoreChoice> middle = core.cut(prices, part.decisions);
    ++numCuts;
    assert(middle && "the ends are choices");
    part.bound =
        std::max(part.bound, getLagrangianBound(*middle, budget, prices));
    consider(*middle);
    // On the edge itself, or one of its ends: the edge is one of the hull.
    if (middle->bytes <= low.bytes || middle->bytes >= high.bytes ||
        middle->work >= low.work || middle->work <= high.work)
      return;
    (middle->bytes <= budget ? low : high) = std::move(*middle);
  }
}

bool BranchSearch::bound(Part &part) {
  if (!findHigh(part) || !findLow(part))
    return false;
  narrow(part);
  return isOpen(part);
}

unsigned BranchSearch::pickOp(const Part &part) const {
  const CoreChoice &low = *part.low, &high = *part.high;
  double allWork = double(low.work - std::min(low.work, high.work)) + 1;
  double allBytes = double(high.bytes - std::min(low.bytes, high.bytes)) + 1;
  unsigned best = BudgetCore::kNone;
  double bestWeight = -1;
  for (unsigned op = 0, e = core.ops.size(); op != e; ++op) {
    if (part.decisions[op] != BudgetCore::Decision::Open ||
        low.recomputed[op] == high.recomputed[op])
      continue;
    double weight = double(core.ops[op].work) / allWork;
    for (unsigned r = core.ops[op].firstResult; r != core.ops[op].endResult;
         ++r)
      if (core.values[r].bytes != BudgetCore::kInfinite)
        weight += double(core.values[r].bytes) / allBytes;
    if (weight <= bestWeight)
      continue;
    best = op;
    bestWeight = weight;
  }
  return best;
}

Part BranchSearch::decide(const Part &part, unsigned op,
                          BudgetCore::Decision decision) {
  Part half;
  half.decisions = part.decisions;
  half.decisions[op] = decision;
  half.bound = part.bound;
  half.number = numParts++;
  bool again = decision == BudgetCore::Decision::Again;
  if (part.low->recomputed[op] == again)
    half.low = part.low;
  if (part.high->recomputed[op] == again)
    half.high = part.high;
  return half;
}

/// Whether `a` comes after `b`.
static bool isLater(const Part &a, const Part &b) {
  return a.bound != b.bound ? a.bound > b.bound : a.number > b.number;
}

void BranchSearch::push(Part part) {
  parts.push_back(std::move(part));
  std::push_heap(parts.begin(), parts.end(), isLater);
}

Part BranchSearch::pop() {
  std::pop_heap(parts.begin(), parts.end(), isLater);
  Part part = std::move(parts.back());
  parts.pop_back();
  return part;
}

BoundedChoice BranchSearch::run(CoreChoice low, CoreChoice high) {
  Part all;
  all.decisions.assign(core.ops.size(), BudgetCore::Decision::Open);
  all.low = std::move(low);
  all.high = std::move(high);
  all.number = numParts++;
  if (bound(all))
    push(std::move(all));
  // The least bound of a part that could not be decided further.
  uint64_t leftOver = BudgetCore::kInfinite;
  while (!parts.empty() && hasCutsLeft()) {
    Part part = pop();
    if (!isOpen(part)) {
      parts.clear();
      break;
    }
    // Often the answer is a mixture of the two ends.
    constexpr unsigned kPartsPerFill = 8;
    if (part.number % kPartsPerFill == 0)
      consider(core.fill(budget, *part.low, *part.high));
    unsigned op = pickOp(part);
    if (op == BudgetCore::kNone) {
      leftOver = std::min(leftOver, part.bound);
      continue;
    }
    for (BudgetCore::Decision decision :
         {BudgetCore::Decision::Again, BudgetCore::Decision::Keep}) {
      Part half = decide(part, op, decision);
      if (bound(half))
        push(std::move(half));
    }
  }
  if (!parts.empty())
    leftOver = std::min(leftOver, parts.front().bound);
  best.workBound = std::min(best.choice.work, leftOver);
  return std::move(best);
}

uint64_t BudgetCore::getMaxCuts(Effort effort) const {
  // What a cut takes grows with the graph.
  uint64_t maxVisits = effort == Effort::Full ? 1 << 22 : 1 << 17;
  uint64_t maxCuts = effort == Effort::Full ? 2000 : 100;
  return std::min(maxCuts, maxVisits / (ops.size() + values.size() + 1));
}

BoundedChoice BudgetCore::branch(uint64_t budget, CoreChoice start,
                                 CoreChoice low, CoreChoice high,
                                 Effort effort) const {
  assert(start.bytes <= budget && low.bytes <= budget && "both are answers");
  assert(sumsFit && "bounds are sums");
  return BranchSearch(*this, budget, {std::move(start), 0}, getMaxCuts(effort))
      .run(std::move(low), std::move(high));
}
