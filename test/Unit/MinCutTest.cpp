//===- MinCutTest.cpp - The cut against all cuts ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stand-alone program: prints each failure and a last line with the counts,
// and returns 1 if there was a failure. Random graphs are seeded and the same
// everywhere (no distribution of the standard library is used).
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/CutSolver/MinCut.h"
#include "Check.h"

#include <algorithm>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

using namespace mlir::rng;

using Capacity = MinCutGraph::Capacity;
static constexpr Capacity kInf = MinCutGraph::kInfinite;
static constexpr Capacity kMax = MinCutGraph::kMaxFinite;

//===----------------------------------------------------------------------===//
// Reference
//===----------------------------------------------------------------------===//

namespace {

struct Edge {
  unsigned from;
  unsigned to;
  Capacity capacity;
};

struct TestGraph {
  unsigned numNodes = 0;
  unsigned source = 0;
  unsigned sink = 1;
  std::vector<Edge> edges;

  MinCutResult solve() const {
    MinCutGraph graph;
    graph.addNodes(numNodes);
    for (const Edge &edge : edges)
      graph.addEdge(edge.from, edge.to, edge.capacity);
    return graph.solve(source, sink);
  }
};

/// What the solver has to answer, found by looking at every cut.
struct Reference {
  bool infinite = true;
  Capacity value = 0;
  std::vector<bool> sourceSide;
};

} // namespace

/// Sums are kept in two halves so that they are exact.
static Reference bruteForce(const TestGraph &graph) {
  Reference best;
  std::pair<uint64_t, uint64_t> bestSum;
  if (graph.source == graph.sink)
    return best;
  for (unsigned set = 0; set < (1u << graph.numNodes); ++set) {
    if (!(set >> graph.source & 1) || (set >> graph.sink & 1))
      continue;
    uint64_t high = 0, low = 0;
    bool finite = true;
    for (const Edge &edge : graph.edges) {
      if (!(set >> edge.from & 1) || (set >> edge.to & 1))
        continue;
      if (edge.capacity == kInf) {
        finite = false;
        break;
      }
      high += edge.capacity >> 32;
      low += edge.capacity & 0xffffffff;
    }
    if (!finite)
      continue;
    std::pair<uint64_t, uint64_t> sum(high + (low >> 32), low & 0xffffffff);
    if (best.infinite || sum < bestSum) {
      best.infinite = false;
      bestSum = sum;
      best.sourceSide.assign(graph.numNodes, true);
    }
    if (sum == bestSum)
      for (unsigned node = 0; node < graph.numNodes; ++node)
        best.sourceSide[node] = best.sourceSide[node] && (set >> node & 1);
  }
  if (!best.infinite)
    best.value = bestSum.first >> 32
                     ? kMax
                     : std::min(kMax, bestSum.first << 32 | bestSum.second);
  return best;
}

/// Number of edges of the shortest infinite path, by relaxing every edge often
/// enough.
static unsigned shortestInfinitePath(const TestGraph &graph) {
  std::vector<unsigned> distance(graph.numNodes, ~0u / 2);
  distance[graph.source] = 0;
  for (unsigned round = 0; round < graph.numNodes; ++round)
    for (const Edge &edge : graph.edges)
      if (edge.capacity == kInf)
        distance[edge.to] =
            std::min(distance[edge.to], distance[edge.from] + 1);
  return distance[graph.sink];
}

static void checkInfinite(const TestGraph &graph, const MinCutResult &result,
                          unsigned id) {
  CHECK_IN(id, result.isInfinite());
  CHECK_IN(id, result.sourceSide == std::vector<bool>(graph.numNodes, false));
  const std::vector<unsigned> &path = result.infinitePath;
  CHECK_IN(id, !path.empty());
  if (path.empty())
    return;
  CHECK_IN(id, path.front() == graph.source && path.back() == graph.sink);
  CHECK_IN(id, path.size() == shortestInfinitePath(graph) + 1);
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    bool found = false;
    for (const Edge &edge : graph.edges)
      found |= edge.from == path[i] && edge.to == path[i + 1] &&
               edge.capacity == kInf;
    CHECK_IN(id, found);
  }
}

static bool sameAnswer(const MinCutResult &a, const MinCutResult &b) {
  return a.value == b.value && a.sourceSide == b.sourceSide &&
         a.infinitePath == b.infinitePath;
}

static void checkAgainstBruteForce(const TestGraph &graph, unsigned id) {
  Reference expected = bruteForce(graph);
  MinCutResult result = graph.solve();
  if (expected.infinite) {
    checkInfinite(graph, result, id);
    return;
  }
  CHECK_IN(id, result.value == expected.value);
  CHECK_IN(id, result.sourceSide == expected.sourceSide);
  CHECK_IN(id, result.infinitePath.empty());
}

static void shuffle(std::vector<Edge> &edges, std::mt19937_64 &random) {
  for (size_t i = edges.size(); i > 1; --i)
    std::swap(edges[i - 1], edges[random() % i]);
}

//===----------------------------------------------------------------------===//
// Small graphs
//===----------------------------------------------------------------------===//

/// Small capacities make ties common; zero and infinite capacities, parallel
/// edges, self loops, nodes without edges and source == sink all turn up.
static void testRandomGraphs() {
  std::mt19937_64 random(1);
  unsigned numInfinite = 0, numFinite = 0;
  for (unsigned id = 0; id < 6000; ++id) {
    TestGraph graph;
    graph.numNodes = 1 + random() % 11;
    graph.source = random() % graph.numNodes;
    graph.sink = random() % graph.numNodes;
    unsigned numEdges = random() % (3 * graph.numNodes + 1);
    unsigned largest = 1 + random() % 6;
    unsigned infiniteOneIn = 2 + random() % 12;
    for (unsigned i = 0; i < numEdges; ++i) {
      Capacity capacity =
          random() % infiniteOneIn == 0 ? kInf : random() % (largest + 1);
      unsigned from = random() % graph.numNodes, to = random() % graph.numNodes;
      graph.edges.push_back({from, to, capacity});
      if (random() % 8 == 0)
        graph.edges.push_back({from, to, random() % 3});
    }
    checkAgainstBruteForce(graph, id);

    MinCutResult before = graph.solve();
    ++(before.isInfinite() ? numInfinite : numFinite);
    shuffle(graph.edges, random);
    CHECK_IN(id, sameAnswer(before, graph.solve()));
  }
  // The generator must keep making both kinds.
  CHECK(numInfinite > 500 && numFinite > 2000);
}

/// The same with the shape of a program: ops, and values split into two nodes.
static void testRandomPrograms() {
  std::mt19937_64 random(2);
  for (unsigned id = 0; id < 1500; ++id) {
    TestGraph graph;
    graph.numNodes = 2;
    std::vector<unsigned> outs;
    unsigned numValues = 1 + random() % 4;
    for (unsigned v = 0; v < numValues; ++v) {
      unsigned origin = graph.source;
      if (v > 0 && random() % 4 != 0) {
        origin = graph.numNodes++;
        graph.edges.push_back(
            {graph.source, origin, random() % 4 == 0 ? kInf : random() % 4});
        for (unsigned operand = 0; operand < 2; ++operand)
          graph.edges.push_back({outs[random() % outs.size()], origin, kInf});
      }
      unsigned in = graph.numNodes++, out = graph.numNodes++;
      graph.edges.push_back({origin, in, kInf});
      graph.edges.push_back(
          {in, out, random() % 12 == 0 ? kInf : random() % 9});
      if (random() % 2 == 0 || v + 1 == numValues)
        graph.edges.push_back({out, graph.sink, kInf});
      outs.push_back(out);
    }
    checkAgainstBruteForce(graph, id);
  }
}

/// Sums beyond 64 bits: the cut stays exact, the value saturates.
static void testRandomSaturation() {
  std::mt19937_64 random(3);
  unsigned numSaturated = 0;
  for (unsigned id = 0; id < 3000; ++id) {
    TestGraph graph;
    graph.numNodes = 2 + random() % 8;
    unsigned numEdges = random() % (4 * graph.numNodes);
    for (unsigned i = 0; i < numEdges; ++i) {
      const Capacity choices[] = {
          0,    1,    random() % 5,        Capacity(1) << 63,
          kMax, kMax, kMax - random() % 3, kMax / 2 + random() % 3,
          kInf};
      graph.edges.push_back({unsigned(random() % graph.numNodes),
                             unsigned(random() % graph.numNodes),
                             choices[random() % 9]});
    }
    checkAgainstBruteForce(graph, id);
    numSaturated += graph.solve().value == kMax;
  }
  CHECK(numSaturated > 100);
}

static void testArithmetic() {
  CHECK(MinCutGraph::saturatingAdd(2, 3) == 5);
  CHECK(MinCutGraph::saturatingAdd(kMax, 0) == kMax);
  CHECK(MinCutGraph::saturatingAdd(kMax - 1, 1) == kMax);
  CHECK(MinCutGraph::saturatingAdd(kMax, 1) == kMax);
  CHECK(MinCutGraph::saturatingAdd(kMax, kMax) == kMax);
  CHECK(MinCutGraph::saturatingAdd(kInf, 0) == kInf);
  CHECK(MinCutGraph::saturatingAdd(1, kInf) == kInf);
  CHECK(MinCutGraph::saturatingMul(6, 7) == 42);
  CHECK(MinCutGraph::saturatingMul(kMax, 1) == kMax);
  CHECK(MinCutGraph::saturatingMul(Capacity(1) << 32, Capacity(1) << 32) ==
        kMax);
  CHECK(MinCutGraph::saturatingMul(kMax, 2) == kMax);
  CHECK(MinCutGraph::saturatingMul(kInf, 2) == kInf);
  CHECK(MinCutGraph::saturatingMul(0, kInf) == 0);
}

static void testEdgeCases() {
  // One node as source and sink.
  MinCutResult same = TestGraph{1, 0, 0, {}}.solve();
  CHECK(same.isInfinite());
  CHECK(same.infinitePath == std::vector<unsigned>({0}));

  // Nothing to cut: only the source is reached.
  MinCutResult none = TestGraph{3, 0, 1, {}}.solve();
  CHECK(none.value == 0 && none.infinitePath.empty());
  CHECK(none.sourceSide == std::vector<bool>({true, false, false}));

  // One edge; the largest finite capacity is not infinite.
  MinCutResult one = TestGraph{2, 0, 1, {{0, 1, kMax}}}.solve();
  CHECK(one.value == kMax && one.infinitePath.empty());
  CHECK(one.sourceSide == std::vector<bool>({true, false}));
  MinCutResult two = TestGraph{2, 0, 1, {{0, 1, kMax}, {0, 1, 1}}}.solve();
  CHECK(two.value == kMax && !two.isInfinite());

  // Two saturated edges lose against one, although both sums read `kMax`.
  MinCutResult fewer =
      TestGraph{4, 0, 1, {{0, 2, kMax}, {0, 2, kMax}, {2, 1, kMax}}}.solve();
  CHECK(fewer.value == kMax);
  CHECK(fewer.sourceSide == std::vector<bool>({true, false, true, false}));

  // Of two shortest infinite paths the one with smaller numbers.
  MinCutResult path = TestGraph{
      5,
      0,
      1,
      {{0, 3, kInf},
       {3, 1, kInf},
       {0, 2, kInf},
       {2, 1, kInf},
       {0, 4, kInf}}}.solve();
  CHECK(path.infinitePath == std::vector<unsigned>({0, 2, 1}));

  // Solving does not change the graph, and terminals may be swapped.
  MinCutGraph graph;
  unsigned a = graph.addNodes(1), b = graph.addNodes(2);
  CHECK(a == 0 && b == 1);
  graph.addEdge(0, 1, 5);
  graph.addEdge(1, 2, 3);
  graph.addEdge(2, 0, 7);
  CHECK(graph.solve(0, 2).value == 3);
  CHECK(sameAnswer(graph.solve(0, 2), graph.solve(0, 2)));
  CHECK(graph.solve(2, 0).value == 7);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {

/// Builds the graph of a joint program the way the partition does.
class ProgramGraph {
public:
  struct Value {
    unsigned in;
    unsigned out;
  };

  ProgramGraph() : source(graph.addNodes(1)), sink(graph.addNodes(1)) {}

  Value argument(Capacity save) {
    Value value = split(save);
    graph.addEdge(source, value.in, kInf);
    return value;
  }
  Value op(const std::vector<Value> &operands, Capacity recompute,
           Capacity save) {
    unsigned node = graph.addNodes(1);
    graph.addEdge(source, node, recompute);
    for (const Value &operand : operands)
      addEdge(operand.out, node, kInf);
    Value value = split(save);
    addEdge(node, value.in, kInf);
    return value;
  }
  void demand(Value value) { addEdge(value.out, sink, kInf); }

  MinCutResult solve() const { return graph.solve(source, sink); }
  size_t getNumEdges() const { return numEdges; }

  static bool isCut(const MinCutResult &result, Value value) {
    return result.sourceSide[value.in] && !result.sourceSide[value.out];
  }

private:
  Value split(Capacity save) {
    Value value{graph.addNodes(1), graph.addNodes(1)};
    addEdge(value.in, value.out, save);
    return value;
  }
  void addEdge(unsigned from, unsigned to, Capacity capacity) {
    graph.addEdge(from, to, capacity);
    ++numEdges;
  }

  MinCutGraph graph;
  size_t numEdges = 0;
  unsigned source, sink;
};

} // namespace

/// out = a * y with y = dropout(a), 2x2: saving the mask costs as much as
/// saving seed and offset, and the cut nearest the source takes the latter.
/// Capacities are twice those of the text (a = 2, seed = offset = 0.5, mask =
/// 1, else 4).
static void testDropoutTie() {
  ProgramGraph program;
  auto a = program.argument(4);
  auto seed = program.argument(1);
  auto offset = program.argument(1);
  auto uniform = program.op({seed, offset}, 0, 8);
  auto mask = program.op({uniform}, 0, 2);
  auto zeroOrOne = program.op({mask}, 0, 8);
  auto kept = program.op({a, zeroOrOne}, 0, 8);
  auto y = program.op({kept}, 0, 8);
  auto out = program.op({a, y}, 0, 8);
  // d_a = d_out * y + d_out * a * mask * scale.
  program.demand(a);
  program.demand(y);
  program.demand(mask);

  MinCutResult result = program.solve();
  CHECK(result.value == 6);
  CHECK(ProgramGraph::isCut(result, a));
  CHECK(ProgramGraph::isCut(result, seed));
  CHECK(ProgramGraph::isCut(result, offset));
  for (auto value : {uniform, mask, zeroOrOne, kept, y, out})
    CHECK(!ProgramGraph::isCut(result, value));
}

/// Chains of ops. The effort must grow with the size and no faster, whichever
/// values the backward demands; a solver that is quadratic in the depth is off
/// by thousands at the end.
static void testEffort() {
  enum Shape { AllDemanded, TenthDemanded, Growing, Shrinking, LastDemanded };
  for (Shape shape :
       {AllDemanded, TenthDemanded, Growing, Shrinking, LastDemanded}) {
    for (unsigned numOps : {1000u, 10000u, 100000u}) {
      std::mt19937_64 random(4);
      ProgramGraph program;
      auto value = program.argument(1000);
      for (unsigned i = 0; i < numOps; ++i) {
        Capacity save = 1024 * (1 + random() % 4096);
        if (shape == Growing)
          save = 10 * (Capacity(i) + 1);
        if (shape == Shrinking)
          save = 10 * Capacity(numOps - i);
        value = program.op({value}, 1 + random() % 200, save);
        unsigned oneIn = shape == AllDemanded     ? 1
                         : shape == TenthDemanded ? 10
                         : shape == LastDemanded  ? numOps
                                                  : 1000;
        if (random() % oneIn == 0)
          program.demand(value);
      }
      program.demand(value);
      MinCutResult result = program.solve();
      CHECK_IN(numOps, !result.isInfinite());
      CHECK_IN(numOps, result.work < 60 * uint64_t(program.getNumEdges()));
    }
  }
}

/// A million nodes in a row, with and without a finite cut.
static void testDeepChain() {
  const unsigned length = 1000000;
  for (bool finite : {true, false}) {
    MinCutGraph graph;
    graph.addNodes(length);
    // The cheapest edge is the one in the middle, and it occurs twice.
    for (unsigned i = 0; i + 1 < length; ++i)
      graph.addEdge(i, i + 1,
                    !finite                                     ? kInf
                    : i == length / 2 || i == length / 2 + 1000 ? 5
                                                                : 6 + i % 7);
    MinCutResult result = graph.solve(0, length - 1);
    CHECK(result.isInfinite() == !finite);
    if (!finite) {
      CHECK(result.infinitePath.size() == length);
      continue;
    }
    CHECK(result.value == 5);
    bool right = true;
    for (unsigned i = 0; i < length; ++i)
      right &= result.sourceSide[i] == (i <= length / 2);
    CHECK(right);
  }
}

int main() {
  testArithmetic();
  testEdgeCases();
  testRandomGraphs();
  testRandomPrograms();
  testRandomSaturation();
  testDropoutTie();
  testEffort();
  testDeepChain();
  std::printf("MinCutTest: %u checks, %u failed\n", numChecks, numFailures);
  return numFailures == 0 ? 0 : 1;
}
