//===- WaveSolver.h - Maximum flow by waves ---------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The flow computation behind `MinCutGraph::solve`, on a graph without the
/// terminals. Why this algorithm: see MinCut.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_CUTSOLVER_WAVESOLVER_H
#define RNGDIALECT_LIB_TRANSFORMS_CUTSOLVER_WAVESOLVER_H

#include "RngDialect/Transforms/CutSolver/MinCut.h"

#include <algorithm>

namespace mlir::rng::cut {

/// An unsigned 128-bit integer with just what a flow needs. Sums of 2^32 64-bit
/// numbers do not come near its end.
struct Wide {
  uint64_t high = 0;
  uint64_t low = 0;

  Wide() = default;
  Wide(uint64_t value) : low(value) {}

  Wide &operator+=(const Wide &other) {
    low += other.low;
    high += other.high + (low < other.low);
    return *this;
  }
  Wide &operator-=(const Wide &other) {
    high -= other.high + (low < other.low);
    low -= other.low;
    return *this;
  }
  bool operator<(const Wide &other) const {
    return high != other.high ? high < other.high : low < other.low;
  }
  explicit operator bool() const { return high != 0 || low != 0; }
};

/// Push-relabel on the reduced graph. `Flow` is an unsigned integer that holds
/// the sum of all excess plus one.
template <typename Flow> class WaveSolver {
public:
  /// Nodes are 0 .. numNodes - 1; the terminals are not among them. `bound`
  /// exceeds the sum of all excess that will be added.
  WaveSolver(unsigned numNodes, Flow bound)
      : numNodes(numNodes), dead(numNodes + 1), bound(bound),
        firstArc(numNodes + 1), excess(numNodes), toSink(numNodes) {}

  /// An edge from the source.
  void addExcess(unsigned node, MinCutGraph::Capacity capacity) {
    excess[node] += capacity;
  }

  /// An edge to the sink. More than `bound` cannot be used and could overflow.
  void addToSink(unsigned node, MinCutGraph::Capacity capacity) {
    Flow room = bound;
    room -= toSink[node];
    toSink[node] += std::min(room, Flow(capacity));
  }

  /// An edge between two nodes takes two passes over the same edges: first
  /// `countEdge` for each and `allocate` once, then `placeEdge` for each in the
  /// opposite order.
  void countEdge(unsigned from, unsigned to) {
    ++firstArc[from];
    ++firstArc[to];
  }
  void allocate() {
    unsigned sum = 0;
    for (unsigned &entry : firstArc)
      entry = sum += entry;
    arcs.resize(sum);
  }
  void placeEdge(unsigned from, unsigned to, MinCutGraph::Capacity capacity) {
    unsigned forward = --firstArc[from];
    unsigned backward = --firstArc[to];
    // A cut of at least `bound` is not a minimum one, so infinite edges need no
    // case of their own.
    Flow usable = capacity == MinCutGraph::kInfinite
                      ? bound
                      : std::min(bound, Flow(capacity));
    arcs[forward] = {usable, to, backward};
    arcs[backward] = {Flow(0), from, forward};
  }

  /// Computes a maximum preflow and returns the flow into the sink.
  Flow run();

  /// After `run`: the nodes on the source side of the nearest minimum cut.
  std::vector<bool> sourceSide() const;

  uint64_t getWork() const { return work; }

private:
  struct Arc {
    Flow residual;
    unsigned head;
    unsigned mate;
  };

  /// The nodes with excess of one wave as linked lists by label.
  struct Wave {
    std::vector<unsigned> first;
    unsigned highest = 0;
    unsigned size = 0;
  };

  void activate(Wave &wave, unsigned node);
  unsigned takeFarthest(Wave &wave);
  void discharge(unsigned node);
  void relabel(unsigned node);
  void relabelAll();

  const unsigned numNodes;
  /// The label of nodes that cannot reach the sink; labels that count are
  /// 1 .. numNodes.
  const unsigned dead;
  const Flow bound;

  std::vector<unsigned> firstArc;
  std::vector<Arc> arcs;
  std::vector<Flow> excess;
  std::vector<Flow> toSink;

  /// A lower bound on the number of residual edges to the sink.
  std::vector<unsigned> label;
  /// Arcs of a node before this one are not admissible.
  std::vector<unsigned> current;
  /// Links of the lists in `waves`; a node is in at most one list.
  std::vector<unsigned> nextActive;
  std::vector<bool> isActive;
  Wave waves[2];
  unsigned thisWave = 0;

  std::vector<unsigned> queue;
  Flow flow = 0;
  uint64_t work = 0;
};

// WaveSolver.cpp has both.
extern template class WaveSolver<uint64_t>;
extern template class WaveSolver<Wide>;

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_CUTSOLVER_WAVESOLVER_H
