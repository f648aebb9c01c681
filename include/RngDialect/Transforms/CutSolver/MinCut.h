//===- MinCut.h - Minimum cut nearest the source ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The minimum-cut solver that decides which values of a joint function are
/// saved for its backward. Nothing here knows about IR: the header and its
/// implementation use the C++17 standard library alone.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_CUTSOLVER_MINCUT_H
#define RNGDIALECT_TRANSFORMS_CUTSOLVER_MINCUT_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mlir::rng {

/// The answer of `MinCutGraph::solve`.
struct MinCutResult {
  /// Capacity of the minimum cut: `MinCutGraph::kInfinite` when every cut
  /// contains an infinite edge, `MinCutGraph::kMaxFinite` when the cut is
  /// finite but its sum does not fit.
  uint64_t value = 0;

  /// One entry for each node: true if the node is on the source side of the
  /// minimum cut nearest the source. This set is the intersection of the source
  /// sides of all minimum cuts, so it does not depend on the order in which
  /// nodes and edges were added. All false when `value` is infinite.
  std::vector<bool> sourceSide;

  /// Filled only when `value` is infinite: the nodes of a path of infinite
  /// edges, source first and sink last. It is a shortest such path and, among
  /// those, the lexicographically smallest list of nodes; if source and sink
  /// are the same node it is that one node.
  std::vector<unsigned> infinitePath;

  /// Elementary steps (arcs looked at, nodes visited) of the flow computation.
  /// The same on every machine, so that tests and benchmarks can check growth
  /// without a clock.
  uint64_t work = 0;

  /// True if no finite cut separates the source from the sink.
  bool isInfinite() const;
};

/// A directed graph with capacities, built once and cut as often as wanted.
///
/// *Tie rule.* Among all minimum cuts `solve` answers the one nearest the
/// source: its source side is what can still be reached from the source once a
/// maximum flow is in place. That set is unique, which is also what makes the
/// answer *deterministic*: it is a function of the graph as a set of edges.
///
/// *Saturation.* Capacities are 64-bit and never wrap. `kInfinite` is never cut
/// and is distinct from the largest finite capacity `kMaxFinite`. The cut
/// itself is always the exact one: where a sum of finite capacities does not
/// fit 64 bits the flow is computed with 128-bit integers, and only the
/// reported `value` saturates to `kMaxFinite`. So a cut of two saturated costs
/// still loses against a cut of one.
///
/// *Complexity.* Push-relabel in waves (see the implementation for the choice):
/// O(n^2 m) in the worst case; near-linear, up to two seconds for 4 million
/// nodes, on the long layered graphs of training programs. Memory is 16 bytes
/// an edge for the graph and, during `solve`, 32 bytes an edge (48 when 128-bit
/// sums are needed) and about 60 a node. Iterative throughout: depth costs no
/// stack.
///
/// *Limits.* Below 2^32 - 2 nodes and 2^31 edges. Using a node that was not
/// added is a programming error, checked by `assert`.
class MinCutGraph {
public:
  using Capacity = uint64_t;

  /// The capacity of an edge that must not be cut.
  static constexpr Capacity kInfinite = UINT64_MAX;

  /// The largest finite capacity; finite sums and products saturate to it.
  static constexpr Capacity kMaxFinite = UINT64_MAX - 1;

  /// a + b: infinite if an operand is, else at most `kMaxFinite`.
  static constexpr Capacity saturatingAdd(Capacity a, Capacity b) {
    if (a == kInfinite || b == kInfinite)
      return kInfinite;
    return a > kMaxFinite - b ? kMaxFinite : a + b;
  }

  /// a * b: zero if an operand is (also for zero times infinite), else infinite
  /// if an operand is, else at most `kMaxFinite`.
  static constexpr Capacity saturatingMul(Capacity a, Capacity b) {
    if (a == 0 || b == 0)
      return 0;
    if (a == kInfinite || b == kInfinite)
      return kInfinite;
    return a > kMaxFinite / b ? kMaxFinite : a * b;
  }

  /// Adds `count` nodes with consecutive numbers and returns the first; numbers
  /// count from 0.
  unsigned addNodes(unsigned count);

  /// Adds a directed edge. Parallel edges add up; self loops and edges of
  /// capacity zero are accepted and have no effect on any cut.
  void addEdge(unsigned from, unsigned to, Capacity capacity);

  /// Makes room for `count` edges in all.
  void reserveEdges(size_t count) { edges.reserve(count); }

  /// The minimum cut between `source` and `sink` nearest the source. If they
  /// are the same node no cut separates them and the answer is infinite.
  MinCutResult solve(unsigned source, unsigned sink) const;

private:
  struct Edge {
    unsigned from;
    unsigned to;
    Capacity capacity;
  };
  class Reduction;

  unsigned numNodes = 0;
  std::vector<Edge> edges;
};

inline bool MinCutResult::isInfinite() const {
  return value == MinCutGraph::kInfinite;
}

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_CUTSOLVER_MINCUT_H
