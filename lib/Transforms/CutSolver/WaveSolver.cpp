//===- WaveSolver.cpp - Maximum flow by waves -------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WaveSolver.h"

#include <limits>

using namespace mlir::rng::cut;

static constexpr unsigned kNone = std::numeric_limits<unsigned>::max();

template <typename Flow>
void WaveSolver<Flow>::activate(Wave &wave, unsigned node) {
  isActive[node] = true;
  unsigned &first = wave.first[label[node]];
  nextActive[node] = first;
  first = node;
  wave.highest = std::max(wave.highest, label[node]);
  ++wave.size;
}

template <typename Flow> unsigned WaveSolver<Flow>::takeFarthest(Wave &wave) {
  while (wave.first[wave.highest] == kNone) {
    --wave.highest;
    ++work;
  }
  unsigned &first = wave.first[wave.highest];
  unsigned node = first;
  first = nextActive[node];
  --wave.size;
  isActive[node] = false;
  return node;
}

/// Sets all labels to the exact distance to the sink and starts a new wave. A
/// node that gets no label now will never have a way to the sink again, so its
/// excess is out of the game.
template <typename Flow> void WaveSolver<Flow>::relabelAll() {
  std::fill(label.begin(), label.end(), dead);
  queue.clear();
  for (unsigned node = 0; node < numNodes; ++node) {
    if (!toSink[node])
      continue;
    label[node] = 1;
    queue.push_back(node);
  }
  for (size_t index = 0; index < queue.size(); ++index) {
    unsigned node = queue[index];
    for (unsigned a = firstArc[node], e = firstArc[node + 1]; a != e; ++a) {
      unsigned other = arcs[a].head;
      if (label[other] != dead || !arcs[arcs[a].mate].residual)
        continue;
      label[other] = label[node] + 1;
      queue.push_back(other);
    }
  }

  for (Wave &wave : waves) {
    std::fill(wave.first.begin(), wave.first.end(), kNone);
    wave.highest = wave.size = 0;
  }
  std::fill(isActive.begin(), isActive.end(), false);
  for (unsigned node : queue) {
    current[node] = firstArc[node];
    if (excess[node])
      activate(waves[thisWave], node);
  }
  work += numNodes + arcs.size();
}

/// Raises the label of a node without admissible arcs as far as its neighbours
/// allow and queues it for the next wave.
template <typename Flow> void WaveSolver<Flow>::relabel(unsigned node) {
  unsigned best = dead;
  for (unsigned a = firstArc[node], e = firstArc[node + 1]; a != e; ++a) {
    if (label[arcs[a].head] + 1 >= best || !arcs[a].residual)
      continue;
    best = label[arcs[a].head] + 1;
    current[node] = a;
  }
  work += 8 + firstArc[node + 1] - firstArc[node];
  label[node] = best;
  if (best != dead)
    activate(waves[1 - thisWave], node);
}

/// Pushes the excess of a node down its admissible arcs.
template <typename Flow> void WaveSolver<Flow>::discharge(unsigned node) {
  // Room towards the sink implies label 1, so this edge is admissible.
  if (toSink[node]) {
    Flow amount = std::min(toSink[node], excess[node]);
    toSink[node] -= amount;
    excess[node] -= amount;
    flow += amount;
  }
  work += 4;
  for (unsigned end = firstArc[node + 1]; excess[node]; ++current[node]) {
    if (current[node] == end) {
      relabel(node);
      return;
    }
    Arc &arc = arcs[current[node]];
    if (label[arc.head] + 1 != label[node] || !arc.residual)
      continue;
    Flow amount = std::min(arc.residual, excess[node]);
    arc.residual -= amount;
    arcs[arc.mate].residual += amount;
    excess[node] -= amount;
    excess[arc.head] += amount;
    if (!isActive[arc.head])
      activate(waves[thisWave], arc.head);
    // The arc may have residual capacity left for the next visit.
    if (!excess[node])
      return;
  }
}

template <typename Flow> Flow WaveSolver<Flow>::run() {
  label.resize(numNodes);
  current.resize(numNodes);
  nextActive.resize(numNodes);
  isActive.resize(numNodes);
  queue.reserve(numNodes);
  for (Wave &wave : waves)
    wave.first.resize(size_t(numNodes) + 1);

  relabelAll();
  // A global relabelling costs about as much as the work done between two.
  const uint64_t interval = 4 * uint64_t(numNodes) + arcs.size();
  uint64_t nextRelabel = work + interval;
  while (true) {
    if (work > nextRelabel) {
      relabelAll();
      nextRelabel = work + interval;
    }
    if (waves[thisWave].size == 0) {
      thisWave = 1 - thisWave;
      if (waves[thisWave].size == 0)
        return flow;
    }
    discharge(takeFarthest(waves[thisWave]));
  }
}

template <typename Flow>
std::vector<bool> WaveSolver<Flow>::sourceSide() const {
  std::vector<bool> reached(numNodes);
  std::vector<unsigned> worklist;
  for (unsigned node = 0; node < numNodes; ++node) {
    if (!excess[node])
      continue;
    reached[node] = true;
    worklist.push_back(node);
  }
  while (!worklist.empty()) {
    unsigned node = worklist.back();
    worklist.pop_back();
    for (unsigned a = firstArc[node], e = firstArc[node + 1]; a != e; ++a) {
      if (reached[arcs[a].head] || !arcs[a].residual)
        continue;
      reached[arcs[a].head] = true;
      worklist.push_back(arcs[a].head);
    }
  }
  return reached;
}

template class mlir::rng::cut::WaveSolver<uint64_t>;
template class mlir::rng::cut::WaveSolver<Wide>;
