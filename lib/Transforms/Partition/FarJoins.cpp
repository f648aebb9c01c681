//===- FarJoins.cpp - Ops that tie layers together --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For an op with operands S the question is whether a path leads from one
// member of S through a barrier to another. Two searches can answer it alone:
// from S towards the arguments, not beyond the earliest member, and from S
// towards the op. They advance in turns and the first to finish decides, so the
// price is twice the smaller one: a residual addition looks at its own layer, a
// bias (defined long ago, used once) at next to nothing. Only joins of values
// with different numbers of barriers above them are looked at, and of these
// only such with a barrier above them: a mask that all layers add to their
// scores is computed again without a layer, however far the scores are from it.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/Partition/Partition.h"

#include <optional>

using namespace mlir;
using namespace mlir::rng;

namespace {

/// Values an op looks at before it is taken for a far join unseen; keeps the
/// whole linear on graphs that were made to hurt.
constexpr unsigned kMaxVisits = 1 << 14;

class FarJoinFinder {
public:
  FarJoinFinder(const JointGraph &graph, const CostModel &model);

  bool isFarJoin(unsigned op);
  bool isBarrier(unsigned op) const { return barrier[op]; }

private:
  /// A value together with whether the path to it led through a barrier.
  struct Step {
    unsigned value;
    bool crossed;
    /// Of the users of the value: the next to look at.
    unsigned nextUser = 0;
  };
  struct Search {
    std::vector<Step> stack;
    /// Per value and `crossed`: the last op that visited it.
    std::vector<unsigned> visited;
  };

  void push(Search &search, unsigned op, unsigned value, bool crossed);
  /// One step of a search for `op`: true or false when decided.
  std::optional<bool> stepBack(unsigned op, unsigned firstOp);
  std::optional<bool> stepAhead(unsigned op);

  /// Whether the value may be one of the two that a far join joins.
  bool counts(unsigned value) const;

  const JointGraph &graph;
  const CostModel &model;
  std::vector<bool> barrier;
  /// Most barriers on a path to the value.
  std::vector<unsigned> depth;
  /// The last op asked about that has the value among its operands.
  std::vector<unsigned> memberOf;
  Search back, ahead;
};

} // namespace

FarJoinFinder::FarJoinFinder(const JointGraph &graph, const CostModel &model)
    : graph(graph), model(model), barrier(graph.getNumOps()),
      depth(graph.getNumValues()),
      memberOf(graph.getNumValues(), JointGraph::kNone) {
  back.visited.assign(2 * graph.getNumValues(), JointGraph::kNone);
  ahead.visited.assign(2 * graph.getNumValues(), JointGraph::kNone);
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op) {
    if (!graph.isFreeOfCotangents(op))
      continue;
    barrier[op] = model.getRecomputeCost(graph.getOp(op)).isBarrier;
    unsigned most = 0;
    for (unsigned operand : graph.getOperands(op))
      most = std::max(most, depth[operand]);
    for (unsigned result : graph.getResults(op))
      depth[result] = most + barrier[op];
  }
}

bool FarJoinFinder::counts(unsigned value) const {
  // Without a barrier above it the value is neither the later of two, nor does
  // computing it again drag a layer along.
  if (depth[value] == 0)
    return false;
  Value v = graph.getValue(value);
  return isa<ShapedType>(v.getType()) &&
         (model.getReasonNotToSave(v).empty() || isFullSizeView(v));
}

void FarJoinFinder::push(Search &search, unsigned op, unsigned value,
                         bool crossed) {
  unsigned &last = search.visited[2 * value + crossed];
  if (last == op)
    return;
  last = op;
  search.stack.push_back({value, crossed});
}

std::optional<bool> FarJoinFinder::stepBack(unsigned op, unsigned firstOp) {
  if (back.stack.empty())
    return false;
  Step step = back.stack.back();
  back.stack.pop_back();
  if (step.crossed && memberOf[step.value] == op)
    return true;
  unsigned definer = graph.getDefiningOp(step.value);
  // Above the earliest member there is none to be found.
  if (definer == JointGraph::kNone || definer <= firstOp)
    return std::nullopt;
  for (unsigned operand : graph.getOperands(definer))
    push(back, op, operand, step.crossed || barrier[definer]);
  return std::nullopt;
}

std::optional<bool> FarJoinFinder::stepAhead(unsigned op) {
  if (ahead.stack.empty())
    return false;
  Step &step = ahead.stack.back();
  if (step.crossed && memberOf[step.value] == op)
    return true;
  // One user a step: a value that every layer uses has too many for one.
  ArrayRef<unsigned> users = graph.getUsers(step.value);
  if (step.nextUser == users.size() || users[step.nextUser] >= op) {
    ahead.stack.pop_back();
    return std::nullopt;
  }
  unsigned user = users[step.nextUser++];
  // `step` does not outlive a push.
  bool crossed = step.crossed || barrier[user];
  if (graph.isFreeOfCotangents(user))
    for (unsigned result : graph.getResults(user))
      push(ahead, op, result, crossed);
  return std::nullopt;
}

bool FarJoinFinder::isFarJoin(unsigned op) {
  SmallVector<unsigned> members;
  unsigned least = ~0u, most = 0;
  // The op that defines the earliest member.
  unsigned firstOp = op;
  for (unsigned operand : graph.getOperands(op)) {
    if (memberOf[operand] == op || !counts(operand))
      continue;
    memberOf[operand] = op;
    members.push_back(operand);
    least = std::min(least, depth[operand]);
    most = std::max(most, depth[operand]);
    firstOp = std::min(firstOp, graph.getDefiningOp(operand));
  }
  if (members.size() < 2 || least == most)
    return false;

  back.stack.clear();
  ahead.stack.clear();
  for (unsigned member : members) {
    push(back, op, member, false);
    push(ahead, op, member, false);
  }
  for (unsigned visits = 0; visits != kMaxVisits; ++visits) {
    if (std::optional<bool> answer = stepBack(op, firstOp))
      return *answer;
    if (std::optional<bool> answer = stepAhead(op))
      return *answer;
  }
  return true;
}

std::vector<bool> mlir::rng::findFarJoins(const JointGraph &graph,
                                          const CostModel &model) {
  FarJoinFinder finder(graph, model);
  std::vector<bool> far(graph.getNumOps());
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op)
    if (graph.getClass(op) == OpClass::Forward && !finder.isBarrier(op))
      far[op] = finder.isFarJoin(op);
  return far;
}
