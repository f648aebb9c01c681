//===- BudgetCutTest.cpp - Budgets against all choices ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stand-alone program: prints each failure and a last line with the counts,
// and returns 1 if there was a failure. Random graphs are seeded and the same
// everywhere (no distribution of the standard library is used).
//
//===----------------------------------------------------------------------===//

#include "BudgetCore.h"
#include "RngDialect/Transforms/CutSolver/BudgetCut.h"
#include "Check.h"

#include <algorithm>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

using namespace mlir::rng;

static constexpr uint64_t kInf = BudgetGraph::kInfinite;
static constexpr uint64_t kMax = MinCutGraph::kMaxFinite;

//===----------------------------------------------------------------------===//
// Reference
//===----------------------------------------------------------------------===//

namespace {

struct Program {
  struct Op {
    std::vector<unsigned> operands;
    uint64_t work;
    /// Bytes of each result.
    std::vector<uint64_t> results;
  };
  std::vector<uint64_t> arguments;
  std::vector<Op> ops;
  std::vector<unsigned> demands;

  unsigned getNumValues() const {
    unsigned count = arguments.size();
    for (const Op &op : ops)
      count += op.results.size();
    return count;
  }

  BudgetGraph build() const {
    BudgetGraph graph;
    for (uint64_t bytes : arguments)
      graph.addArgument(bytes);
    for (const Op &op : ops) {
      graph.addOp(op.operands, op.work);
      for (uint64_t bytes : op.results)
        graph.addResult(bytes);
    }
    for (unsigned value : demands)
      graph.addDemand(value);
    return graph;
  }
};

/// Bytes and work.
struct Point {
  uint64_t bytes;
  uint64_t work;
  bool operator==(const Point &other) const {
    return bytes == other.bytes && work == other.work;
  }
};

} // namespace

/// What it takes to recompute exactly the ops of `again` that are of use, by
/// the definition: from the last op to the first, a needed value is saved or
/// its op recomputed. False if that is not possible.
static bool measure(const Program &program, uint64_t again, Point &point) {
  std::vector<bool> needed(program.getNumValues());
  for (unsigned value : program.demands)
    needed[value] = true;
  point = {0, 0};
  bool possible = true;
  auto save = [&](uint64_t bytes) {
    possible &= bytes != kInf;
    point.bytes = MinCutGraph::saturatingAdd(point.bytes, bytes);
  };
  unsigned end = program.getNumValues();
  for (unsigned i = program.ops.size(); i-- != 0;) {
    const Program::Op &op = program.ops[i];
    unsigned first = end - op.results.size();
    bool ofUse = false;
    for (unsigned value = first; value != end; ++value)
      ofUse |= needed[value];
    if (ofUse && (again >> i & 1)) {
      possible &= op.work != kInf;
      point.work = MinCutGraph::saturatingAdd(point.work, op.work);
      for (unsigned operand : op.operands)
        needed[operand] = true;
    } else {
      for (unsigned value = first; value != end; ++value)
        if (needed[value])
          save(op.results[value - first]);
    }
    end = first;
  }
  for (unsigned value = 0; value != end; ++value)
    if (needed[value])
      save(program.arguments[value]);
  return possible;
}

/// All points that no other is as good as, by looking at every choice.
static std::vector<Point> findFrontier(const Program &program) {
  std::vector<Point> points, frontier;
  for (uint64_t again = 0; again >> program.ops.size() == 0; ++again) {
    Point point;
    if (measure(program, again, point))
      points.push_back(point);
  }
  std::sort(points.begin(), points.end(), [](const Point &a, const Point &b) {
    return a.bytes != b.bytes ? a.bytes < b.bytes : a.work < b.work;
  });
  for (const Point &point : points)
    if (frontier.empty() || point.work < frontier.back().work)
      frontier.push_back(point);
  return frontier;
}

/// Checks that a choice is what it says it is.
static void checkChoice(const Program &program, const BudgetChoice &choice,
                        unsigned id) {
  uint64_t again = 0;
  for (unsigned op = 0; op != program.ops.size(); ++op)
    if (choice.recomputed[op])
      again |= uint64_t(1) << op;
  Point point;
  CHECK_IN(id, measure(program, again, point));
  CHECK_IN(id, (point == Point{choice.bytes, choice.work}));
  uint64_t bytes = 0;
  unsigned value = 0;
  auto visit = [&](uint64_t cost) {
    if (choice.saved[value++])
      bytes = MinCutGraph::saturatingAdd(bytes, cost);
  };
  for (uint64_t cost : program.arguments)
    visit(cost);
  for (const Program::Op &op : program.ops)
    for (uint64_t cost : op.results)
      visit(cost);
  CHECK_IN(id, bytes == choice.bytes);
}

/// Branch and bound by itself, where dynamic programming would know the answer.
static void checkBranch(const BudgetGraph &graph, uint64_t budget,
                        const Point &expected, unsigned id) {
  cut::BudgetCore core(graph);
  cut::CoreChoice low = *core.findLeastBytes(), high = *core.findLeastWork();
  if (!core.sumsFit || high.bytes <= budget)
    return;
  // From the worst start, so that it has to find the answer.
  cut::BoundedChoice answer = core.branch(budget, low, low, high,
                                          cut::BudgetCore::Effort::Full);
  CHECK_IN(id, answer.choice.bytes <= budget);
  CHECK_IN(id, answer.choice.work + core.forcedWork == expected.work);
  CHECK_IN(id, answer.workBound == answer.choice.work);
  // With few cuts it may not, but then the bound says so.
  answer = core.branch(budget, low, low, high,
                       cut::BudgetCore::Effort::Brief);
  CHECK_IN(id, answer.choice.work + core.forcedWork >= expected.work);
  CHECK_IN(id, answer.workBound + core.forcedWork <= expected.work);
}

static void checkAgainstBruteForce(const Program &program, unsigned id) {
  std::vector<Point> frontier = findFrontier(program);
  BudgetGraph graph = program.build();
  std::vector<BudgetChoice> curve = graph.findCurve();
  CHECK_IN(id, curve.size() == frontier.size());
  if (curve.size() != frontier.size())
    return;
  CHECK_IN(id, graph.getLeastBytes().has_value() == !frontier.empty());
  if (frontier.empty()) {
    CHECK_IN(id, !graph.solve(kMax));
    return;
  }
  CHECK_IN(id, *graph.getLeastBytes() == frontier[0].bytes);
  if (frontier[0].bytes != 0)
    CHECK_IN(id, !graph.solve(frontier[0].bytes - 1));
  auto checkSolve = [&](uint64_t budget, const Point &expected) {
    std::optional<BudgetChoice> choice = graph.solve(budget);
    CHECK_IN(id, choice.has_value());
    if (!choice)
      return;
    CHECK_IN(id, (expected == Point{choice->bytes, choice->work}));
    CHECK_IN(id, choice->workBound == choice->work);
    checkChoice(program, *choice, id);
    checkBranch(graph, budget, expected, id);
  };
  for (unsigned i = 0; i != frontier.size(); ++i) {
    CHECK_IN(id, (frontier[i] == Point{curve[i].bytes, curve[i].work}));
    checkChoice(program, curve[i], id);
    checkSolve(frontier[i].bytes, frontier[i]);
    // Just before the next point, and far beyond the last.
    checkSolve(i + 1 == frontier.size() ? kMax : frontier[i + 1].bytes - 1,
               frontier[i]);
  }
}

//===----------------------------------------------------------------------===//
// Small graphs
//===----------------------------------------------------------------------===//

/// A program in which values of late ops are more likely used and demanded.
static Program makeProgram(std::mt19937_64 &random, unsigned numOps,
                           uint64_t largest) {
  Program program;
  unsigned numArguments = 1 + random() % 3;
  auto randomBytes = [&](unsigned infiniteOneIn) {
    return random() % infiniteOneIn == 0 ? kInf : random() % (largest + 1);
  };
  for (unsigned i = 0; i != numArguments; ++i)
    program.arguments.push_back(randomBytes(30));
  for (unsigned i = 0; i != numOps; ++i) {
    Program::Op op;
    unsigned numValues = program.getNumValues();
    for (unsigned n = random() % 4; n-- != 0;)
      op.operands.push_back(random() % 3 == 0
                                ? random() % numValues
                                : numValues - 1 -
                                      random() % std::min(numValues, 4u));
    op.work = random() % 8 == 0 ? kInf : random() % (largest + 1);
    for (unsigned n = random() % 5 == 0 ? 2 : 1; n-- != 0;)
      op.results.push_back(randomBytes(8));
    program.ops.push_back(op);
  }
  unsigned numValues = program.getNumValues();
  for (unsigned value = 0; value != numValues; ++value)
    if (random() % 4 == 0 || value + 1 == numValues)
      program.demands.push_back(value);
  return program;
}

static void testRandomGraphs() {
  std::mt19937_64 random(1);
  unsigned numImpossible = 0, numWithChoice = 0;
  for (unsigned id = 0; id != 6000; ++id) {
    Program program =
        makeProgram(random, 1 + random() % 9, id % 2 ? 1 + random() % 5 : 1000);
    checkAgainstBruteForce(program, id);
    size_t numPoints = program.build().findCurve().size();
    numImpossible += numPoints == 0;
    numWithChoice += numPoints > 2;
  }
  // The generator must keep making both kinds.
  CHECK(numImpossible > 300 && numWithChoice > 1500);
}

static void testLargerGraphs() {
  std::mt19937_64 random(2);
  for (unsigned id = 0; id != 60; ++id)
    checkAgainstBruteForce(makeProgram(random, 12 + random() % 3, 100000), id);
}

/// Ops that all read the same values: the case where sets do not merge.
static void testTwentyOps() {
  std::mt19937_64 random(3);
  Program program;
  program.arguments = {50, 60, 70};
  for (unsigned i = 0; i != 20; ++i) {
    Program::Op op;
    op.operands = {i % 3, 3 + (i == 0 ? 0 : i - 1)};
    if (i == 0)
      op.operands.pop_back();
    op.work = 1 + random() % 100000;
    op.results = {1 + random() % 100000};
    program.ops.push_back(op);
    if (i % 2)
      program.demands.push_back(3 + i);
  }
  checkAgainstBruteForce(program, 0);
}

/// Sums beyond 64 bits saturate and never wrap.
static void testSaturation() {
  Program program;
  program.arguments = {kMax, 8};
  program.ops = {{{0}, kMax, {kMax}}, {{0, 1}, 1, {kMax}}, {{3}, kMax, {kMax}}};
  program.demands = {2, 3, 4};
  BudgetGraph graph = program.build();
  std::optional<BudgetChoice> choice = graph.solve(kMax);
  CHECK(choice && choice->work == 0 && choice->bytes == kMax);
  CHECK(graph.getLeastBytes() == kMax);
  CHECK(!graph.solve(kMax - 1));
  CHECK(!graph.findCurve().empty());
  CHECK(graph.findCurve().back().work == 0);
}

static void testEdgeCases() {
  BudgetGraph empty;
  CHECK(empty.getLeastBytes() == 0);
  CHECK(empty.solve(0) && empty.solve(0)->work == 0);
  CHECK(empty.findCurve().size() == 1);

  // What costs nothing to save is saved, and what must not be is recomputed,
  // together with what that takes.
  BudgetGraph graph;
  unsigned free = graph.addArgument(0), lost = graph.addArgument(kInf);
  graph.addOp({free, lost}, 5);
  unsigned a = graph.addResult(100);
  graph.addOp({a}, 7);
  unsigned view = graph.addResult(kInf);
  graph.addDemand(view);
  std::optional<BudgetChoice> choice = graph.solve(100);
  CHECK(choice && choice->bytes == 100 && choice->work == 7);
  CHECK(choice &&
        choice->saved == std::vector<bool>({false, false, true, false}));
  CHECK(!graph.solve(99));
  graph.addDemand(lost);
  CHECK(!graph.getLeastBytes());
  CHECK(!graph.solve(kMax));
  CHECK(graph.findCurve().empty());
}

//===----------------------------------------------------------------------===//
// Large graphs
//===----------------------------------------------------------------------===//

/// Layers as training programs have them: a stream that is not recomputed, a
/// contraction, elementwise work, a draw from a seed that all layers share.
/// `variety` makes layers differ.
static Program makeLayers(std::mt19937_64 &random, unsigned numLayers,
                          unsigned variety) {
  Program program;
  program.arguments = {4096, 8, 8};
  unsigned stream = 0, numValues = 3;
  auto vary = [&](uint64_t number) {
    return variety ? number + random() % (number * variety / 100 + 1) : number;
  };
  auto add = [&](std::vector<unsigned> operands, uint64_t work,
                 uint64_t bytes) {
    program.ops.push_back({std::move(operands), work, {bytes}});
    return numValues++;
  };
  for (unsigned layer = 0; layer != numLayers; ++layer) {
    unsigned product = add({stream}, vary(1000000), vary(16384));
    unsigned bias = add({product}, vary(4096), vary(16384));
    unsigned square = add({bias}, vary(4096), vary(16384));
    unsigned tanh = add({bias, square}, vary(32768), vary(16384));
    unsigned gelu = add({bias, tanh}, vary(4096), vary(16384));
    unsigned narrow = add({gelu}, vary(4096), vary(8192));
    unsigned second = add({narrow}, vary(1000000), vary(4096));
    unsigned offset = add({2}, 0, 8);
    unsigned mask = add({1, offset}, vary(49152), vary(1024));
    unsigned drop = add({second, mask}, vary(1024), vary(4096));
    for (unsigned value : {stream, bias, square, tanh, narrow, mask})
      program.demands.push_back(value);
    stream = add({stream, drop}, kInf, vary(4096));
  }
  program.demands.push_back(stream);
  return program;
}

/// What cuts with many prices of a byte find, on a network built as the
/// partition builds its own.
static std::vector<Point> sweepPrices(const Program &program) {
  std::vector<Point> points;
  BudgetGraph budgetGraph = program.build();
  unsigned numOps = program.ops.size(), numValues = program.getNumValues();
  for (uint64_t step = 0; step != 60; ++step) {
    // Work for 1024 bytes.
    double price = 1;
    for (uint64_t i = 0; i != step; ++i)
      price *= 1.4;
    auto saveCost = [&](uint64_t bytes) {
      return bytes == kInf ? kInf : uint64_t(double(bytes) * price);
    };
    auto workCost = [&](uint64_t work) {
      return MinCutGraph::saturatingMul(work, 1024);
    };
    MinCutGraph cutGraph;
    cutGraph.addNodes(2 + numOps + 2 * numValues);
    unsigned value = 0;
    auto in = [&](unsigned v) { return 2 + numOps + 2 * v; };
    for (uint64_t bytes : program.arguments) {
      cutGraph.addEdge(0, in(value), kInf);
      cutGraph.addEdge(in(value), in(value) + 1, saveCost(bytes));
      ++value;
    }
    for (unsigned op = 0; op != numOps; ++op) {
      cutGraph.addEdge(0, 2 + op, workCost(program.ops[op].work));
      for (unsigned operand : program.ops[op].operands)
        cutGraph.addEdge(in(operand) + 1, 2 + op, kInf);
      for (uint64_t bytes : program.ops[op].results) {
        cutGraph.addEdge(2 + op, in(value), kInf);
        cutGraph.addEdge(in(value), in(value) + 1, saveCost(bytes));
        ++value;
      }
    }
    for (unsigned demand : program.demands)
      cutGraph.addEdge(in(demand) + 1, 1, kInf);
    MinCutResult result = cutGraph.solve(0, 1);
    std::vector<bool> wanted(numOps);
    for (unsigned op = 0; op != numOps; ++op)
      wanted[op] = !result.sourceSide[2 + op];
    std::optional<BudgetChoice> choice = budgetGraph.choose(wanted);
    if (choice)
      points.push_back({choice->bytes, choice->work});
  }
  return points;
}

/// Whether a choice that recomputes as `choice` does, but for one or two ops,
/// takes less work within the budget.
static bool hasBetterNeighbour(const BudgetGraph &graph, uint64_t budget,
                               const BudgetChoice &choice) {
  std::vector<bool> wanted = choice.recomputed;
  unsigned numOps = graph.getNumOps();
  auto isBetter = [&] {
    std::optional<BudgetChoice> other = graph.choose(wanted);
    return other && other->bytes <= budget && other->work < choice.work;
  };
  for (unsigned first = 0; first != numOps; ++first) {
    wanted[first].flip();
    // The op itself stands for no second one.
    for (unsigned second = first; second != numOps; ++second) {
      if (second != first)
        wanted[second].flip();
      bool better = isBetter();
      if (second != first)
        wanted[second].flip();
      if (better)
        return true;
    }
    wanted[first].flip();
  }
  return false;
}

static void checkLargeGraph(const Program &program, unsigned id) {
  BudgetGraph graph = program.build();
  uint64_t least = *graph.getLeastBytes();
  std::vector<BudgetChoice> curve = graph.findCurve();
  CHECK_IN(id, curve.size() > 2);
  CHECK_IN(id, curve.front().bytes == least);
  uint64_t most = curve.back().bytes;
  for (size_t i = 1; i != curve.size(); ++i) {
    CHECK_IN(id, curve[i - 1].bytes < curve[i].bytes);
    CHECK_IN(id, curve[i - 1].work > curve[i].work);
  }
  std::vector<Point> sweep = sweepPrices(program);
  uint64_t before = kInf;
  constexpr unsigned kParts = 9;
  for (unsigned part = 0; part <= kParts; ++part) {
    uint64_t budget =
        part == kParts ? most : least + (most - least) / kParts * part;
    std::optional<BudgetChoice> choice = graph.solve(budget);
    CHECK_IN(id, choice.has_value());
    if (!choice)
      return;
    CHECK_IN(id, choice->bytes <= budget);
    CHECK_IN(id, choice->work <= before);
    before = choice->work;
    CHECK_IN(id, choice->workBound <= choice->work);
    if (graph.getNumOps() < 150)
      CHECK_IN(id, !hasBetterNeighbour(graph, budget, *choice));
    // A bound on all, those that other searches found among them.
    for (const BudgetChoice &other : curve)
      CHECK_IN(id, other.bytes > budget || choice->workBound <= other.work);
    for (const Point &point : sweep)
      CHECK_IN(id, point.bytes > budget || choice->work <= point.work);
    if (part == 4)
      CHECK_IN(id, choice->recomputed == graph.solve(budget)->recomputed);
  }
  CHECK_IN(id, before == curve.back().work);
}

static void testLayers() {
  std::mt19937_64 random(4);
  for (unsigned id = 0; id != 6; ++id)
    checkLargeGraph(makeLayers(random, 1 + id * 7, id % 3 * 20), id);
  for (unsigned id = 0; id != 2; ++id) {
    Program program = makeProgram(random, 200 + 200 * id, 1000);
    // No infinite argument, so that there is a choice.
    for (uint64_t &bytes : program.arguments)
      bytes = bytes == kInf ? 500 : bytes;
    for (Program::Op &op : program.ops) {
      for (uint64_t &bytes : op.results)
        bytes = bytes == kInf ? 500 : bytes;
    }
    checkLargeGraph(program, 100 + id);
  }
}

/// Equal layers change their minds at one price, yet a budget between lets some
/// of them do so.
static void testEqualLayers() {
  std::mt19937_64 random(5);
  BudgetGraph graph = makeLayers(random, 400, 0).build();
  uint64_t least = *graph.getLeastBytes();
  std::optional<BudgetChoice> all = graph.solve(kMax),
                              none = graph.solve(least);
  CHECK(all && none && all->work < none->work);
  if (!all || !none)
    return;
  for (unsigned part = 1; part != 10; ++part) {
    uint64_t budget = least + (all->bytes - least) / 10 * part;
    std::optional<BudgetChoice> choice = graph.solve(budget);
    CHECK_IN(part, choice && choice->bytes <= budget);
    // No layer takes more than this.
    CHECK_IN(part, choice && budget - choice->bytes < 100000);
    CHECK_IN(part, choice && choice->work < none->work);
  }
}

int main() {
  testEdgeCases();
  testSaturation();
  testRandomGraphs();
  testLargerGraphs();
  testTwentyOps();
  testLayers();
  testEqualLayers();
  std::printf("BudgetCutTest: %u checks, %u failed\n", numChecks, numFailures);
  return numFailures == 0 ? 0 : 1;
}
