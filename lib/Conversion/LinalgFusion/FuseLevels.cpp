//===- FuseLevels.cpp - Which ops can be in one group -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op of a basic block gets a level: how often a way to it from the start
// of the basic block leaves an op that has an iteration domain other than for
// one that reads the same point (element, or row) of the same domain. So ops of
// one level and one domain have no other op on a way between them, and groups
// of these can never depend on each other in a circle. Levels are as low as can
// be at first. Then, from the last level back, ops that are only needed later
// move up to the group that needs them, if that stores less: a mask that is
// drawn early and used late is drawn where it is used.
//
//===----------------------------------------------------------------------===//

#include "FusePlan.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::fusion;

void Planner::findLevels() {
  int fixedLevel = 0;
  for (auto [number, node] : llvm::enumerate(nodes)) {
    node.level = 0;
    for (Edge edge : producers[number]) {
      const Node &producer = nodes[edge.node];
      bool leaves = producer.isMember && !edge.isFusable;
      node.level = std::max(node.level, producer.level + leaves);
    }
    if (node.isBehindFixed)
      node.level = std::max(node.level, fixedLevel);
    if (!node.isFixed)
      continue;
    node.level = fixedLevel = std::max(node.level, fixedLevel);
    node.latest = node.level;
  }
}

/// Finds how late `node` can be: members while their level is looked at, other
/// ops after that.
void Planner::findLatest(int node) {
  if (nodes[node].isFixed)
    return;
  int &latest = nodes[node].latest;
  latest = kUnbounded;
  for (Edge edge : users[node]) {
    const Node &user = nodes[edge.node];
    // Users of the level of `node` itself may move as well.
    bool isPeer = nodes[node].isMember && user.isMember &&
                  user.level == nodes[node].level;
    bool leaves = nodes[node].isMember && !edge.isFusable;
    int limit = user.isMember && !isPeer ? user.level : user.latest;
    latest = std::min(latest, limit == kUnbounded ? limit : limit - leaves);
  }
}

/// Moves all of `members`, connected ops of one domain and level that may be
/// later, that can to the nearest level where an op of their domain uses one of
/// them. Does so if less is stored then, or as much in fewer groups.
void Planner::moveTogether(ArrayRef<int> members) {
  int level = nodes[members.front()].level;
  int target = kUnbounded;
  for (int member : members)
    for (Edge edge : users[member])
      if (edge.isFusable && nodes[edge.node].level > level)
        target = std::min(target, nodes[edge.node].level);
  if (target == kUnbounded)
    return;
  llvm::SmallSetVector<int, 8> moved;
  for (int member : members)
    if (nodes[member].latest >= target)
      moved.insert(member);
  if (moved.empty())
    return;

  int64_t stays = 0, moves = 0;
  bool isWhole = true;
  llvm::SmallSetVector<int, 8> read;
  for (int member : moved) {
    auto isElsewhere = [&](Edge edge) { return !moved.contains(edge.node); };
    auto isOutside = [&](Edge edge) {
      return isElsewhere(edge) &&
             !(edge.isFusable && nodes[edge.node].level == target);
    };
    if (llvm::any_of(users[member], isElsewhere))
      stays += getBytes(member);
    if (llvm::any_of(users[member], isOutside))
      moves += getBytes(member);
    for (Edge edge : producers[member])
      if (edge.isFusable && nodes[edge.node].level == level &&
          isElsewhere(edge))
        read.insert(edge.node);
  }
  // What only ops of the old level used is stored for those that leave it.
  for (int producer : read) {
    isWhole = false;
    if (llvm::all_of(users[producer], [&](Edge edge) {
          return edge.isFusable && (nodes[edge.node].level == level);
        }))
      moves += getBytes(producer);
  }
  if (moves > stays || (moves == stays && !isWhole))
    return;
  for (int member : moved)
    nodes[member].level = target;
}

/// Moves what should of `members`, all of one level.
void Planner::moveLevel(ArrayRef<int> members) {
  for (int member : llvm::reverse(members))
    findLatest(member);
  // Ops that can move, and what connects them.
  llvm::IntEqClasses classes(members.size());
  DenseMap<int, unsigned> positions;
  for (auto [position, member] : llvm::enumerate(members))
    if (nodes[member].latest > nodes[member].level)
      positions[member] = position;
  for (auto [position, member] : llvm::enumerate(members)) {
    if (!positions.count(member))
      continue;
    for (Edge edge : producers[member])
      if (auto it = positions.find(edge.node);
          it != positions.end() && edge.isFusable)
        classes.join(position, it->second);
  }
  llvm::MapVector<unsigned, SmallVector<int>> parts;
  for (auto [position, member] : llvm::enumerate(members))
    if (positions.count(member))
      parts[classes.findLeader(position)].push_back(member);
  for (auto &[leader, part] : parts)
    moveTogether(part);
}

void Planner::moveToUsers() {
  int numLevels = 0;
  for (const Node &node : nodes)
    numLevels = std::max(numLevels, node.level + 1);
  SmallVector<SmallVector<int>> members(numLevels), others(numLevels);
  for (auto [number, node] : llvm::enumerate(nodes))
    if (node.target == kNone)
      (node.isMember ? members : others)[node.level].push_back(number);
  for (int level = numLevels - 1; level >= 0; --level) {
    moveLevel(members[level]);
    for (int other : llvm::reverse(others[level]))
      findLatest(other);
  }
}
