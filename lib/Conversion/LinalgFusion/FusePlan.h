//===- FusePlan.h - How fusion groups are found -----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_LINALGFUSION_FUSEPLAN_H
#define RNGDIALECT_LIB_CONVERSION_LINALGFUSION_FUSEPLAN_H

#include "FusionGroups.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <limits>
#include <map>

namespace mlir::rng::fusion {

inline constexpr int kNone = -1;
inline constexpr int kUnbounded = std::numeric_limits<int>::max();

/// More than any tensor has. Sums of a few thousand do not overflow.
inline constexpr int64_t kManyBytes = int64_t(1) << 50;

/// An op of the basic block.
struct Node {
  Operation *op;
  /// Set if it has an iteration domain and is no fused producer: then it can be
  /// in a group with others of its `domain`.
  bool isMember = false;
  /// Number of the iteration domain, if it has one.
  int domain = kNone;
  /// Whether the op may not be moved over others that may not.
  bool isFixed = false;
  /// Whether it may not be moved before one of those.
  bool isBehindFixed = false;
  /// Whether code in regions of other ops or in other basic blocks uses a
  /// result.
  bool isCaptured = false;
  int level = 0;
  /// The level that it could be at without moving its users.
  int latest = kUnbounded;
  /// The node that it is fused into as a producer, and how its loops follow
  /// from the loops there; null if in several ways.
  int target = kNone;
  AffineMap targetMap;
  /// Of the body, with those of fused producers.
  int64_t cost = 0;
};

/// Two nodes, one of which makes what the other one uses.
struct Edge {
  /// The other node.
  int node;
  /// Both can be in one group.
  bool isFusable;
};

/// Finds the fusion groups of a basic block. All of it walks the ops of the
/// basic block and their operands a fixed number of times.
class Planner {
public:
  Planner(Block &block, FusionRules &rules)
      : block(block), rules(rules), limits(rules.limits) {}

  SmallVector<FusionGroup> plan();

private:
  // FusePlan.cpp: the ops, and the order of those that become one.
  void addNodes();
  void addDomains();
  void addEdges();
  int64_t getBytes(int node) const;
  bool readsOwnPoint(int user, int producer) const;
  void findUnits();
  void cutIntoUnits(ArrayRef<int> members);
  bool findOrder();

  // FuseProducers.cpp: ops that a reduction, or an op that reads them
  // elsewhere, takes in.
  /// What could be fused into an op as its producers.
  struct ProducerChoice {
    /// From the last one, and how their loops follow from those of the op.
    std::map<int, AffineMap, std::greater<int>> accepted;
    /// What these read and cannot be fused.
    llvm::SmallSetVector<int, 4> rest;
    /// Of the op with all that is accepted.
    int64_t cost = 0;
  };
  void findFusedProducers();
  ProducerChoice chooseProducers(int target, int producer) const;
  std::optional<AffineMap> findProducerMap(int target, int number,
                                           const ProducerChoice &choice) const;
  void fuseProducer(int target, int producer);
  bool hasKnownSizes(int target) const;
  bool isStored(int node, function_ref<bool(int)> except) const;

  // FuseLevels.cpp: which ops can be in one group.
  void findLevels();
  void moveToUsers();
  void findLatest(int node);
  void moveLevel(ArrayRef<int> members);
  void moveTogether(ArrayRef<int> members);

  // FuseReasons.cpp: why ops stay apart, for those who ask.
  void reportMissedGroups() const;
  std::string explainApart(int user, int producer) const;

  linalg::GenericOp getGeneric(int node) const {
    return dyn_cast<linalg::GenericOp>(nodes[node].op);
  }
  bool hasDomain(int node) const { return nodes[node].domain != kNone; }

  Block &block;
  FusionRules &rules;
  const FusionLimits &limits;
  SmallVector<Node> nodes;
  DenseMap<Operation *, int> numbers;
  /// By node: the nodes that it uses and those that use it, fused or not.
  SmallVector<SmallVector<int, 2>> operands, consumers;
  /// By node that is no fused producer, for those fused into it too.
  SmallVector<SmallVector<Edge, 2>> producers, users;
  SmallVector<SmallVector<int, 0>> fusedProducers;
  /// By node: the one that stands for the unit that it is moved with.
  SmallVector<int> units;
  SmallVector<SmallVector<int, 1>> unitNodes;
  /// Units from first to last.
  SmallVector<int> order;
};

} // namespace mlir::rng::fusion

#endif // RNGDIALECT_LIB_CONVERSION_LINALGFUSION_FUSEPLAN_H
