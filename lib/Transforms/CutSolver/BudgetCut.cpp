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

static uint64_t add(uint64_t a, uint64_t b) {
  return MinCutGraph::saturatingAdd(a, b);
}
static uint64_t mul(uint64_t a, uint64_t b) {
  return MinCutGraph::saturatingMul(a, b);
}

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
      choice.bytes = add(choice.bytes, bytesOf[value]);
      continue;
    }
    if (choice.recomputed[op])
      continue;
    choice.recomputed[op] = true;
    choice.work = add(choice.work, works[op]);
    for (unsigned i = firstOperand[op]; i != firstOperand[op + 1]; ++i)
      needed[operands[i]] = true;
  }
  return choice;
}

//===----------------------------------------------------------------------===//
// The core
//===----------------------------------------------------------------------===//

BudgetCore::BudgetCore(const BudgetGraph &graph)
    : graph(graph), forced(graph.getNumOps()) {
  unsigned numOps = graph.getNumOps(), numValues = graph.getNumValues();
  auto operandsOf = [&](unsigned op) {
    return std::make_pair(graph.operands.begin() + graph.firstOperand[op],
                          graph.operands.begin() + graph.firstOperand[op + 1]);
  };

  // Ops that cannot be recomputed whatever is saved.
  std::vector<bool> blocked(numOps);
  auto isLost = [&](unsigned value) {
    unsigned op = graph.definer[value];
    return graph.bytesOf[value] == kInfinite && (op == kNone || blocked[op]);
  };
  for (unsigned op = 0; op != numOps; ++op) {
    auto [begin, end] = operandsOf(op);
    blocked[op] =
        graph.works[op] == kInfinite || std::any_of(begin, end, isLost);
  }

  // Ops that have to be, as somebody needs what cannot be saved.
  std::vector<unsigned> stack = graph.demands;
  std::vector<bool> demanded(numValues);
  while (!stack.empty()) {
    unsigned value = stack.back();
    stack.pop_back();
    if (demanded[value])
      continue;
    demanded[value] = true;
    if (graph.bytesOf[value] != kInfinite)
      continue;
    if (isLost(value)) {
      impossible = true;
      return;
    }
    unsigned op = graph.definer[value];
    if (forced[op])
      continue;
    forced[op] = true;
    forcedWork = add(forcedWork, graph.works[op]);
    auto [begin, end] = operandsOf(op);
    stack.insert(stack.end(), begin, end);
  }
  auto isFree = [&](unsigned value) {
    unsigned op = graph.definer[value];
    return graph.bytesOf[value] == 0 || (op != kNone && forced[op]);
  };

  // Back from the demands, through all that may be recomputed.
  std::vector<bool> reached(numValues), opReached(numOps);
  for (unsigned value = numValues; value-- != 0;) {
    reached[value] = (reached[value] || demanded[value]) && !isFree(value);
    unsigned op = graph.definer[value];
    if (!reached[value] || op == kNone || blocked[op])
      continue;
    opReached[op] = true;
    auto [begin, end] = operandsOf(op);
    for (auto it = begin; it != end; ++it)
      reached[*it] = true;
  }

  std::vector<unsigned> valueNumber(numValues, kNone), opNumber(numOps, kNone);
  for (unsigned value = 0; value != numValues; ++value) {
    if (!reached[value])
      continue;
    valueNumber[value] = values.size();
    Value entry{graph.bytesOf[value], kNone, bool(demanded[value])};
    unsigned op = graph.definer[value];
    if (op != kNone && opReached[op]) {
      if (opNumber[op] == kNone) {
        opNumber[op] = ops.size();
        unsigned first = operands.size();
        auto [begin, end] = operandsOf(op);
        for (auto it = begin; it != end; ++it)
          if (reached[*it])
            operands.push_back(valueNumber[*it]);
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
      entry.definer = opNumber[op];
      ops.back().endResult = values.size() + 1;
    }
    if (entry.bytes != kInfinite) {
      totalBytes = add(totalBytes, entry.bytes);
      largestBytes = std::max(largestBytes, entry.bytes);
    }
    values.push_back(entry);
  }
  sumsFit = totalBytes < MinCutGraph::kMaxFinite / 2 &&
            totalWork < MinCutGraph::kMaxFinite / 2;
}

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
                     const std::function<uint64_t(uint64_t)> &workCost) const {
  MinCutGraph cutGraph;
  cutGraph.addNodes(2 + ops.size() + values.size());
  cutGraph.reserveEdges(ops.size() + operands.size() + 2 * values.size());
  unsigned firstValue = 2 + ops.size();
  for (unsigned op = 0, e = ops.size(); op != e; ++op) {
    cutGraph.addEdge(0, 2 + op, workCost(ops[op].work));
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

CoreChoice BudgetCore::readCut(const MinCutGraph &cutGraph) const {
  MinCutResult result = cutGraph.solve(0, 1);
  assert(!result.isInfinite() && "the core has no choice");
  std::vector<bool> wanted(ops.size());
  for (unsigned op = 0, e = ops.size(); op != e; ++op)
    wanted[op] = !result.sourceSide[2 + op];
  return evaluate(std::move(wanted));
}

/// Shifts both down, by the same number of bits, until they are within their
/// limits; never to zero.
static void shiftDown(uint64_t &a, uint64_t aLimit, uint64_t &b,
                      uint64_t bLimit) {
  while ((a > aLimit && a > 1) || (b > bLimit && b > 1)) {
    a = a / 2 + (a % 2);
    b = b / 2 + (b % 2);
  }
}

CoreChoice BudgetCore::cut(uint64_t bytePrice, uint64_t workPrice) const {
  // Capacities whose sum fits 64 bits make for a faster flow; but a price needs
  // some precision.
  constexpr uint64_t kRoom = MinCutGraph::kMaxFinite / 4;
  constexpr uint64_t kPrecision = 1 << 16;
  if (kRoom / (totalBytes + 1) >= kPrecision &&
      kRoom / (totalWork + 1) >= kPrecision)
    shiftDown(bytePrice, kRoom / (totalBytes + 1), workPrice,
              kRoom / (totalWork + 1));
  else
    shiftDown(bytePrice, kRoom / largestBytes, workPrice, kRoom / largestWork);
  return readCut(
      buildCut(bytePrice, [&](uint64_t work) { return mul(work, workPrice); }));
}

CoreChoice BudgetCore::findLeastBytes() const {
  CoreChoice best = readCut(buildCut(1, [](uint64_t) { return uint64_t(0); }));
  // The same with work as the tie breaker, as far as numbers reach.
  uint64_t bytePrice = add(totalWork, 1), workPrice = 1;
  shiftDown(bytePrice, MinCutGraph::kMaxFinite / 4 / largestBytes, workPrice,
            MinCutGraph::kMaxFinite / 4 / largestWork);
  CoreChoice other = readCut(
      buildCut(bytePrice, [&](uint64_t work) { return mul(work, workPrice); }));
  if (other.bytes == best.bytes && other.work < best.work)
    return other;
  return best;
}

CoreChoice BudgetCore::findLeastWork() const {
  // All that is left in a core can be saved or follows from what can be, so the
  // least work is none.
  return readCut(buildCut(
      1, [](uint64_t work) { return work == 0 ? uint64_t(0) : kInfinite; }));
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
    CoreChoice middle = cut(low.work - high.work, high.bytes - low.bytes);
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

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

std::optional<uint64_t> BudgetGraph::getLeastBytes() const {
  BudgetCore core(*this);
  if (core.isImpossible())
    return std::nullopt;
  return core.expand(core.findLeastBytes()).bytes;
}

/// The best answer for a budget that is less than what `high` takes.
static CoreChoice improve(const BudgetCore &core, uint64_t budget,
                          CoreChoice low, CoreChoice high) {
  core.findCorners(budget, low, high);
  CoreChoice best = core.fill(budget, low, high);
  if (auto all = core.findAll(budget, &best))
    if (!all->empty() && all->back().isBetterThan(best))
      return all->back();
  return best;
}

std::optional<BudgetChoice> BudgetGraph::solve(uint64_t budget) const {
  BudgetCore core(*this);
  if (core.isImpossible())
    return std::nullopt;
  CoreChoice high = core.findLeastWork();
  if (high.bytes <= budget)
    return core.expand(high);
  CoreChoice low = core.findLeastBytes();
  if (low.bytes > budget)
    return std::nullopt;
  return core.expand(improve(core, budget, std::move(low), std::move(high)));
}

std::vector<BudgetChoice> BudgetGraph::findCurve() const {
  BudgetCore core(*this);
  if (core.isImpossible())
    return {};
  CoreChoice high = core.findLeastWork();
  std::vector<CoreChoice> points;
  if (auto all = core.findAll(high.bytes, nullptr)) {
    points = std::move(*all);
  } else {
    CoreChoice low = core.findLeastBytes();
    // The answer for the least budget is the first point.
    if (low.bytes < high.bytes)
      low = improve(core, low.bytes, std::move(low), high);

    // Answers for some budgets, where they come fast.
    constexpr size_t kFewOps = 4096;
    constexpr unsigned kMaxBudgets = 32;
    points = {low, high};
    if (core.ops.size() <= kFewOps && low.bytes < high.bytes)
      for (unsigned i = 1; i != kMaxBudgets; ++i)
        points.push_back(improve(
            core, low.bytes + (high.bytes - low.bytes) / kMaxBudgets * i, low,
            high));

    // Corners, by halving the widest gap first, up to a number of cuts.
    constexpr unsigned kMaxCuts = 32;
    constexpr unsigned kMaxPointsInGap = 16;
    struct Gap {
      CoreChoice low, high;
    };
    std::vector<Gap> open, closed;
    if (low.bytes < high.bytes)
      open.push_back({std::move(low), std::move(high)});
    for (unsigned cuts = 0; cuts != kMaxCuts && !open.empty(); ++cuts) {
      auto widest = std::max_element(
          open.begin(), open.end(), [](const Gap &a, const Gap &b) {
            return a.high.bytes - a.low.bytes < b.high.bytes - b.low.bytes;
          });
      Gap gap = std::move(*widest);
      open.erase(widest);
      if (gap.high.work >= gap.low.work)
        continue;
      CoreChoice middle = core.cut(gap.low.work - gap.high.work,
                                   gap.high.bytes - gap.low.bytes);
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
    for (const Gap &gap : closed)
      core.walk(gap.low, gap.high, kMaxPointsInGap, [&](CoreChoice choice) {
        points.push_back(std::move(choice));
      });
  }

  // Only points that are better in one respect than all others.
  std::stable_sort(points.begin(), points.end(),
                   [](const CoreChoice &a, const CoreChoice &b) {
                     return a.bytes != b.bytes ? a.bytes < b.bytes
                                               : a.work < b.work;
                   });
  std::vector<BudgetChoice> curve;
  uint64_t leastWork = kInfinite;
  for (const CoreChoice &point : points) {
    if (point.work >= leastWork)
      continue;
    leastWork = point.work;
    curve.push_back(core.expand(point));
  }
  return curve;
}
