//===- MinCut.cpp - Minimum cut nearest the source --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algorithm is push-relabel (Goldberg and Tarjan) with three decisions that
// matter for the graphs of training programs.
//
// 1. Reduction. What infinite edges tie to the source or the sink is merged
//    with it. The terminals then have only finite edges, which become two
//    numbers at each remaining node: the excess it starts with and its capacity
//    towards the sink. A program with contractions falls apart into small
//    pieces this way, and no infinite excess has to be carried.
//
// 2. No second phase. Only flow that can still reach the sink is moved; excess
//    that cannot stays where it got stuck. With such a maximum preflow,
//    R = {nodes reachable in the residual graph from a node with excess}, plus
//    the nodes merged with the source, already is the nearest source side X.
//    X contains R: X holds every stuck node (returning the excess puts residual
//    capacity on a path from the source to each), so the net flow across its
//    border is the cut value, no residual edge leaves X, and R stays inside.
//    R contains X: no residual edge leaves R and no excess is outside it, so R
//    is a minimum cut too, and X is the least one.
//
// 3. Waves. A wave visits the nodes with excess from the farthest to the
//    nearest, so that flow of many sources merges on its way down; a node that
//    has to be relabelled waits for the next wave, so that regions cut off from
//    the sink rise together and one global relabelling retires all of them.
//
// Measured with a prototype that had all four orders on one reduced graph;
// seconds for the flow on one core, a dash means not done after 5 s:
//
//   `chain`    ops in a row, each demanded by the backward
//   `chain10`  one in ten demanded, random recompute and save costs
//   `chainup`  one in a thousand demanded, save costs growing along the chain
//   `layers`   transformer layers with attention, dropout and residual adds,
//              contractions and adds recomputable at a finite cost
//
//                          1k      10k     100k       1M  ops (3 nodes an op)
//   chain    Dinic       0.000    0.000    0.002    0.073
//            highest     0.000    0.001    0.003    0.094
//            FIFO        0.000    0.000    0.002    0.070
//            waves       0.000    0.000    0.002    0.037
//   chain10  Dinic       0.001    0.012    0.540        -
//            highest     0.000    0.001    0.165        -
//            FIFO        0.000    0.005    0.181    3.926
//            waves       0.000    0.001    0.031    0.713
//   chainup  Dinic       0.001    0.088        -        -
//            highest     0.017    1.001        -        -
//            FIFO        0.001    0.082        -        -
//            waves       0.000    0.001    0.017    0.406
//   layers   Dinic       0.000    0.003    0.043    1.049
//            highest     0.013    1.047        -        -
//            FIFO        0.000    0.002    0.044    1.008
//            waves       0.000    0.001    0.020    0.479
//
// Dinic needs a phase, and so a pass over the graph, for each different length
// of an augmenting path: 960 of them for 10k ops of `chainup`. Highest-label
// order ("highest", with global relabelling but without a gap heuristic) lifts
// one stuck region at a time. FIFO moves each excess down a long chain by
// itself. Waves needed one to three global relabellings on every shape tried.
// Augmenting along search trees (Boykov-Kolmogorov) was not tried: it pays the
// length of the chain for each augmentation and most ops here are sources.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/CutSolver/MinCut.h"
#include "WaveSolver.h"

#include <algorithm>
#include <cassert>
#include <limits>

using namespace mlir::rng;
using namespace mlir::rng::cut;

using Capacity = MinCutGraph::Capacity;

static constexpr unsigned kNone = std::numeric_limits<unsigned>::max();

namespace {

/// Neighbour lists in one array: those of node v are
/// targets[begin[v] .. begin[v + 1]).
struct Adjacency {
  std::vector<unsigned> begin;
  std::vector<unsigned> targets;
};

} // namespace

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

/// What remains of the graph once everything that infinite edges tie to a
/// terminal has been merged with it.
class MinCutGraph::Reduction {
public:
  Reduction(const MinCutGraph &graph, unsigned source, unsigned sink);

  MinCutResult solve();

private:
  enum class Place : uint8_t { Between, Source, Sink };

  /// The infinite edges as neighbour lists, in or against their direction.
  Adjacency infiniteNeighbors(bool backward) const;

  /// Breadth-first distances in `adjacency`; `kNone` where there is no path.
  std::vector<unsigned> distancesFrom(unsigned root,
                                      const Adjacency &adjacency) const;

  /// Calls `between(edge)`, `fromSource(edge)`, `toSink(edge)` or
  /// `across(edge)` for an edge that a finite cut can contain; others, such as
  /// an edge back to the source, never matter.
  template <typename Between, typename FromSource, typename ToSink,
            typename Across>
  void classify(const Edge &edge, Between between, FromSource fromSource,
                ToSink toSink, Across across) const;

  /// Merges nodes with the terminals, or answers a path of infinite edges
  /// between these (see `MinCutResult::infinitePath`).
  std::vector<unsigned> reduce();

  /// The path, given the infinite edges and the distances along them to the
  /// sink.
  std::vector<unsigned>
  findInfinitePath(const Adjacency &forward,
                   const std::vector<unsigned> &toSink) const;

  template <typename Flow>
  void solveWith(Flow bound, MinCutResult &result) const;

  const MinCutGraph &graph;
  const unsigned source, sink;
  std::vector<Place> places;
  /// The number of a node among those between the terminals.
  std::vector<unsigned> reduced;
  unsigned numReduced = 0;
};

MinCutGraph::Reduction::Reduction(const MinCutGraph &graph, unsigned source,
                                  unsigned sink)
    : graph(graph), source(source), sink(sink) {}

Adjacency MinCutGraph::Reduction::infiniteNeighbors(bool backward) const {
  Adjacency result;
  result.begin.resize(size_t(graph.numNodes) + 1);
  for (const Edge &edge : graph.edges)
    if (edge.capacity == kInfinite)
      ++result.begin[backward ? edge.to : edge.from];
  unsigned sum = 0;
  for (unsigned &entry : result.begin)
    entry = sum += entry;
  result.targets.resize(sum);
  for (const Edge &edge : graph.edges) {
    if (edge.capacity != kInfinite)
      continue;
    unsigned at = backward ? edge.to : edge.from;
    result.targets[--result.begin[at]] = backward ? edge.from : edge.to;
  }
  return result;
}

std::vector<unsigned>
MinCutGraph::Reduction::distancesFrom(unsigned root,
                                      const Adjacency &adjacency) const {
  std::vector<unsigned> distance(graph.numNodes, kNone);
  std::vector<unsigned> queue = {root};
  distance[root] = 0;
  for (size_t index = 0; index < queue.size(); ++index) {
    unsigned node = queue[index];
    for (unsigned i = adjacency.begin[node], e = adjacency.begin[node + 1];
         i != e; ++i) {
      unsigned next = adjacency.targets[i];
      if (distance[next] != kNone)
        continue;
      distance[next] = distance[node] + 1;
      queue.push_back(next);
    }
  }
  return distance;
}

template <typename Between, typename FromSource, typename ToSink,
          typename Across>
void MinCutGraph::Reduction::classify(const Edge &edge, Between between,
                                      FromSource fromSource, ToSink toSink,
                                      Across across) const {
  Place from = places[edge.from], to = places[edge.to];
  if (from == Place::Sink || to == Place::Source)
    return;
  if (from == Place::Source)
    return to == Place::Sink ? across(edge) : fromSource(edge);
  return to == Place::Sink ? toSink(edge) : between(edge);
}

template <typename Flow>
void MinCutGraph::Reduction::solveWith(Flow bound, MinCutResult &result) const {
  auto ignore = [](const Edge &) {};
  WaveSolver<Flow> solver(numReduced, bound);
  Wide value;
  for (const Edge &edge : graph.edges)
    classify(
        edge,
        [&](const Edge &e) {
          solver.countEdge(reduced[e.from], reduced[e.to]);
        },
        [&](const Edge &e) { solver.addExcess(reduced[e.to], e.capacity); },
        [&](const Edge &e) { solver.addToSink(reduced[e.from], e.capacity); },
        [&](const Edge &e) { value += e.capacity; });
  solver.allocate();
  for (size_t index = graph.edges.size(); index != 0; --index)
    classify(
        graph.edges[index - 1],
        [&](const Edge &e) {
          solver.placeEdge(reduced[e.from], reduced[e.to], e.capacity);
        },
        ignore, ignore, ignore);

  value += solver.run();
  result.value =
      value < Wide(kMaxFinite) ? Capacity(value.low) : Capacity(kMaxFinite);
  result.work = solver.getWork();
  std::vector<bool> side = solver.sourceSide();
  for (unsigned node = 0; node < graph.numNodes; ++node)
    result.sourceSide[node] =
        places[node] == Place::Source ||
        (places[node] == Place::Between && side[reduced[node]]);
}

std::vector<unsigned> MinCutGraph::Reduction::findInfinitePath(
    const Adjacency &forward, const std::vector<unsigned> &toSink) const {
  std::vector<unsigned> path = {source};
  for (unsigned node = source; node != sink;) {
    unsigned best = kNone;
    for (unsigned i = forward.begin[node], e = forward.begin[node + 1]; i != e;
         ++i) {
      unsigned next = forward.targets[i];
      if (toSink[next] != kNone && toSink[next] + 1 == toSink[node])
        best = std::min(best, next);
    }
    path.push_back(node = best);
  }
  return path;
}

std::vector<unsigned> MinCutGraph::Reduction::reduce() {
  std::vector<unsigned> toSink =
      distancesFrom(sink, infiniteNeighbors(/*backward=*/true));
  Adjacency forward = infiniteNeighbors(/*backward=*/false);
  if (toSink[source] != kNone)
    return findInfinitePath(forward, toSink);
  std::vector<unsigned> fromSource = distancesFrom(source, forward);
  places.assign(graph.numNodes, Place::Between);
  reduced.assign(graph.numNodes, kNone);
  for (unsigned node = 0; node < graph.numNodes; ++node) {
    if (fromSource[node] != kNone)
      places[node] = Place::Source;
    else if (toSink[node] != kNone)
      places[node] = Place::Sink;
    else
      reduced[node] = numReduced++;
  }
  return {};
}

MinCutResult MinCutGraph::Reduction::solve() {
  MinCutResult result;
  result.sourceSide.assign(graph.numNodes, false);
  result.infinitePath = reduce();
  if (!result.infinitePath.empty()) {
    result.value = kInfinite;
    return result;
  }

  // The excess at the start bounds all sums of the flow computation.
  auto ignore = [](const Edge &) {};
  Wide total;
  for (const Edge &edge : graph.edges)
    classify(
        edge, ignore, [&](const Edge &e) { total += e.capacity; }, ignore,
        ignore);
  total += Wide(1);
  if (total.high == 0)
    solveWith<uint64_t>(total.low, result);
  else
    solveWith<Wide>(total, result);
  return result;
}

//===----------------------------------------------------------------------===//
// MinCutGraph
//===----------------------------------------------------------------------===//

unsigned MinCutGraph::addNodes(unsigned count) {
  assert(count < kNone - 1 - numNodes && "too many nodes");
  unsigned first = numNodes;
  numNodes += count;
  return first;
}

void MinCutGraph::addEdge(unsigned from, unsigned to, Capacity capacity) {
  assert(from < numNodes && to < numNodes && "edge of an unknown node");
  assert(edges.size() < (size_t(1) << 31) - 1 && "too many edges");
  if (from != to && capacity != 0)
    edges.push_back({from, to, capacity});
}

MinCutResult MinCutGraph::solve(unsigned source, unsigned sink) const {
  assert(source < numNodes && sink < numNodes && "cut of an unknown node");
  return Reduction(*this, source, sink).solve();
}
