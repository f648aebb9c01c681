//===- BudgetCore.cpp - What a budget leaves to decide ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BudgetCore.h"

#include <algorithm>
#include <cassert>

using namespace mlir::rng;
using namespace mlir::rng::cut;

static uint64_t add(uint64_t a, uint64_t b) {
  return MinCutGraph::saturatingAdd(a, b);
}
static uint64_t mul(uint64_t a, uint64_t b) {
  return MinCutGraph::saturatingMul(a, b);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

BudgetCore::BudgetCore(const BudgetGraph &graph)
    : graph(graph), forced(graph.getNumOps()) {
  std::vector<bool> blocked = findBlocked();
  std::vector<bool> demanded;
  impossible = !forceOps(blocked, demanded);
  if (impossible)
    return;
  Reach reach = findReached(blocked, demanded);
  for (unsigned value = 0, e = graph.getNumValues(); value != e; ++value)
    if (reach.values[value])
      addValue(value, demanded[value], reach);
  sumsFit = totalBytes < MinCutGraph::kMaxFinite / 2 &&
            totalWork < MinCutGraph::kMaxFinite / 2;
}

template <typename VisitT>
void BudgetCore::forEachOperand(unsigned op, VisitT visit) const {
  for (unsigned i = graph.firstOperand[op]; i != graph.firstOperand[op + 1];
       ++i)
    visit(graph.operands[i]);
}

bool BudgetCore::isLost(unsigned value,
                        const std::vector<bool> &blocked) const {
  unsigned op = graph.definer[value];
  return graph.bytesOf[value] == kInfinite && (op == kNone || blocked[op]);
}

std::vector<bool> BudgetCore::findBlocked() const {
  std::vector<bool> blocked(graph.getNumOps());
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op) {
    bool isBlocked = graph.works[op] == kInfinite;
    forEachOperand(op, [&](unsigned operand) {
      isBlocked = isBlocked || isLost(operand, blocked);
    });
    blocked[op] = isBlocked;
  }
  return blocked;
}

bool BudgetCore::forceOps(const std::vector<bool> &blocked,
                          std::vector<bool> &demanded) {
  std::vector<unsigned> stack = graph.demands;
  demanded.assign(graph.getNumValues(), false);
  while (!stack.empty()) {
    unsigned value = stack.back();
    stack.pop_back();
    if (demanded[value])
      continue;
    demanded[value] = true;
    if (graph.bytesOf[value] != kInfinite)
      continue;
    if (isLost(value, blocked))
      return false;
    unsigned op = graph.definer[value];
    if (forced[op])
      continue;
    forced[op] = true;
    forcedWork = add(forcedWork, graph.works[op]);
    forEachOperand(op, [&](unsigned operand) { stack.push_back(operand); });
  }
  return true;
}

BudgetCore::Reach
BudgetCore::findReached(const std::vector<bool> &blocked,
                        const std::vector<bool> &demanded) const {
  auto isFree = [&](unsigned value) {
    unsigned op = graph.definer[value];
    return graph.bytesOf[value] == 0 || (op != kNone && forced[op]);
  };
  Reach reach;
  reach.values.assign(graph.getNumValues(), false);
  reach.ops.assign(graph.getNumOps(), false);
  reach.valueNumber.assign(graph.getNumValues(), kNone);
  reach.opNumber.assign(graph.getNumOps(), kNone);
  for (unsigned value = graph.getNumValues(); value-- != 0;) {
    reach.values[value] =
        (reach.values[value] || demanded[value]) && !isFree(value);
    unsigned op = graph.definer[value];
    if (!reach.values[value] || op == kNone || blocked[op])
      continue;
    reach.ops[op] = true;
    forEachOperand(op, [&](unsigned operand) { reach.values[operand] = true; });
  }
  return reach;
}

void BudgetCore::addOp(unsigned op, Reach &reach) {
  reach.opNumber[op] = ops.size();
  unsigned first = operands.size();
  forEachOperand(op, [&](unsigned operand) {
    if (reach.values[operand])
      operands.push_back(reach.valueNumber[operand]);
  });
  std::sort(operands.begin() + first, operands.end());
  operands.erase(std::unique(operands.begin() + first, operands.end()),
                 operands.end());
  unsigned last = operands.size();
  unsigned firstResult = values.size();
  ops.push_back({graph.works[op], first, last, firstResult, firstResult});
  original.push_back(op);
  totalWork = add(totalWork, graph.works[op]);
  largestWork = std::max(largestWork, graph.works[op]);
}

void BudgetCore::addValue(unsigned value, bool isDemanded, Reach &reach) {
  reach.valueNumber[value] = values.size();
  Value entry{graph.bytesOf[value], kNone, isDemanded};
  unsigned op = graph.definer[value];
  if (op != kNone && reach.ops[op]) {
    if (reach.opNumber[op] == kNone)
      addOp(op, reach);
    entry.definer = reach.opNumber[op];
    ops.back().endResult = values.size() + 1;
  }
  if (entry.bytes != kInfinite) {
    totalBytes = add(totalBytes, entry.bytes);
    largestBytes = std::max(largestBytes, entry.bytes);
  }
  values.push_back(entry);
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

BudgetChoice BudgetCore::expand(const CoreChoice &choice) const {
  std::vector<bool> wanted = forced;
  for (unsigned op = 0, e = ops.size(); op != e; ++op)
    if (choice.recomputed[op])
      wanted[original[op]] = true;
  std::optional<BudgetChoice> result = graph.choose(wanted);
  assert(result && "the core allows what the graph does not");
  return std::move(*result);
}

CoreChoice BudgetCore::evaluate(std::vector<bool> wanted) const {
  CoreChoice choice;
  std::vector<bool> needed(values.size());
  choice.recomputed.assign(ops.size(), false);
  for (unsigned value = values.size(); value-- != 0;) {
    if (!needed[value] && !values[value].demanded)
      continue;
    unsigned op = values[value].definer;
    if (op == kNone || !wanted[op]) {
      choice.bytes = add(choice.bytes, values[value].bytes);
      continue;
    }
    if (choice.recomputed[op])
      continue;
    choice.recomputed[op] = true;
    choice.work = add(choice.work, ops[op].work);
    for (unsigned i = ops[op].firstOperand; i != ops[op].endOperand; ++i)
      needed[operands[i]] = true;
  }
  return choice;
}

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

// Source and sink are the nodes 0 and 1, followed by ops and values. Being on
// the side of the source means: there without being recomputed. A value with a
// definer needs one node only, as nothing else is said about its op's results.

MinCutGraph
BudgetCore::buildCut(uint64_t bytePrice,
                     const std::function<uint64_t(uint64_t)> &workCost,
                     const Decisions &decisions) const {
  assert((decisions.empty() || decisions.size() == ops.size()) &&
         "one decision for each op");
  auto isDecided = [&](unsigned op, Decision decision) {
    return !decisions.empty() && decisions[op] == decision;
  };
  MinCutGraph cutGraph;
  cutGraph.addNodes(2 + ops.size() + values.size());
  cutGraph.reserveEdges(2 * ops.size() + operands.size() + 2 * values.size());
  unsigned firstValue = 2 + ops.size();
  for (unsigned op = 0, e = ops.size(); op != e; ++op) {
    cutGraph.addEdge(0, 2 + op,
                     isDecided(op, Decision::Keep) ? kInfinite
                                                   : workCost(ops[op].work));
    if (isDecided(op, Decision::Again))
      cutGraph.addEdge(2 + op, 1, kInfinite);
    for (unsigned i = ops[op].firstOperand; i != ops[op].endOperand; ++i)
      cutGraph.addEdge(firstValue + operands[i], 2 + op, kInfinite);
  }
  for (unsigned value = 0, e = values.size(); value != e; ++value) {
    const Value &entry = values[value];
    unsigned from = entry.definer == kNone ? 0 : 2 + entry.definer;
    cutGraph.addEdge(from, firstValue + value, mul(entry.bytes, bytePrice));
    if (entry.demanded)
      cutGraph.addEdge(firstValue + value, 1, kInfinite);
  }
  return cutGraph;
}

std::optional<CoreChoice>
BudgetCore::readCut(const MinCutGraph &cutGraph) const {
  MinCutResult result = cutGraph.solve(0, 1);
  if (result.isInfinite())
    return std::nullopt;
  std::vector<bool> wanted(ops.size());
  for (unsigned op = 0, e = ops.size(); op != e; ++op)
    wanted[op] = !result.sourceSide[2 + op];
  return evaluate(std::move(wanted));
}

/// Shifts both down, by the same number of bits, until they are within their
/// limits; never to zero.
static BudgetCore::Prices shiftDown(BudgetCore::Prices prices,
                                    uint64_t byteLimit, uint64_t workLimit) {
  auto isTooLarge = [](uint64_t price, uint64_t limit) {
    return price > limit && price > 1;
  };
  while (isTooLarge(prices.byte, byteLimit) ||
         isTooLarge(prices.work, workLimit)) {
    prices.byte = prices.byte / 2 + (prices.byte % 2);
    prices.work = prices.work / 2 + (prices.work % 2);
  }
  return prices;
}

BudgetCore::Prices BudgetCore::fit(Prices prices) const {
  // Capacities whose sum fits 64 bits make for a faster flow; but a price needs
  // some precision.
  constexpr uint64_t kRoom = MinCutGraph::kMaxFinite / 4;
  constexpr uint64_t kPrecision = 1 << 16;
  if (kRoom / (totalBytes + 1) >= kPrecision &&
      kRoom / (totalWork + 1) >= kPrecision)
    return shiftDown(prices, kRoom / (totalBytes + 1), kRoom / (totalWork + 1));
  return fitEach(prices);
}

BudgetCore::Prices BudgetCore::fitEach(Prices prices) const {
  return shiftDown(prices, MinCutGraph::kMaxFinite / 4 / largestBytes,
                   MinCutGraph::kMaxFinite / 4 / largestWork);
}

std::optional<CoreChoice> BudgetCore::cut(Prices prices,
                                          const Decisions &decisions) const {
  return readCut(buildCut(
      prices.byte, [&](uint64_t work) { return mul(work, prices.work); },
      decisions));
}

std::optional<CoreChoice>
BudgetCore::findLeastBytes(const Decisions &decisions) const {
  std::optional<CoreChoice> best = readCut(buildCut(
      1, [](uint64_t) { return uint64_t(0); }, decisions));
  // The same with work as the tie breaker, as far as numbers reach.
  std::optional<CoreChoice> other =
      cut(fitEach({add(totalWork, 1), 1}), decisions);
  if (other && other->bytes == best->bytes && other->work < best->work)
    return other;
  return best;
}

std::optional<CoreChoice>
BudgetCore::findLeastWork(const Decisions &decisions) const {
  // Undecided, the least work is none: all that is left in a core can be saved
  // or follows from what can be.
  if (decisions.empty())
    return readCut(buildCut(
        1, [](uint64_t work) { return work == 0 ? uint64_t(0) : kInfinite; },
        decisions));
  return cut(fitEach({1, add(totalBytes, 1)}), decisions);
}

void BudgetCore::findCorners(uint64_t budget, CoreChoice &low,
                             CoreChoice &high) const {
  // Each round asks for the point farthest below the line through both, which
  // takes the place of one of them. This ends when there is none; the bound is
  // for graphs whose hull has very many corners.
  constexpr unsigned kMaxRounds = 40;
  for (unsigned round = 0; round != kMaxRounds; ++round) {
    if (high.work >= low.work || high.bytes <= low.bytes)
      return;
    CoreChoice middle =
        *cut(fit({low.work - high.work, high.bytes - low.bytes}));
    if (middle.bytes <= budget) {
      if (!middle.isBetterThan(low))
        return;
      low = std::move(middle);
    } else {
      if (middle.bytes >= high.bytes)
        return;
      high = std::move(middle);
    }
  }
}

BoundedChoice BudgetCore::improve(uint64_t budget, CoreChoice low,
                                  CoreChoice high, Effort effort) const {
  assert(low.bytes <= budget && "the lower corner is within the budget");
  findCorners(budget, low, high);
  BoundedChoice best = {fill(budget, low, high)};
  if (sumsFit && low.bytes < high.bytes) {
    best = branch(budget, std::move(best.choice), std::move(low),
                  std::move(high), effort);
    if (best.workBound < best.choice.work)
      best.choice = polish(budget, best.choice, effort);
  }
  return best;
}

std::optional<BoundedChoice> BudgetCore::solve(uint64_t budget) const {
  CoreChoice high = *findLeastWork();
  if (high.bytes <= budget) {
    uint64_t work = high.work;
    return BoundedChoice{std::move(high), work};
  }
  CoreChoice low = *findLeastBytes();
  if (low.bytes > budget)
    return std::nullopt;
  BoundedChoice best =
      improve(budget, std::move(low), std::move(high), Effort::Full);
  if (auto all = findAll(budget, &best.choice)) {
    if (!all->empty() && all->back().isBetterThan(best.choice))
      best.choice = std::move(all->back());
    best.workBound = best.choice.work;
  }
  if (best.workBound == best.choice.work)
    return best;
  // What is an answer for less is one for this budget. That dynamic programming
  // gave up within the budget means that it does so without one.
  std::vector<CoreChoice> curve = findSomeOfCurve();
  auto end = std::partition_point(
      curve.begin(), curve.end(),
      [&](const CoreChoice &choice) { return choice.bytes <= budget; });
  if (end != curve.begin() && std::prev(end)->isBetterThan(best.choice))
    best.choice = polish(budget, *std::prev(end), Effort::Full);
  return best;
}
