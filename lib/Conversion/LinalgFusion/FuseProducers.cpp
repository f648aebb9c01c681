//===- FuseProducers.cpp - Ops that one other op takes in -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction, or an op that reads another one transposed or broadcast, can
// take in the elementwise ops that only it uses: its fused producers.
//
//===----------------------------------------------------------------------===//

#include "FusePlan.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include <map>

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::fusion;

/// Whether a result of `node` is stored for consumers other than `except`,
/// whatever groups there are.
bool Planner::isStored(int node, function_ref<bool(int)> except) const {
  // What an op of a later level reads stays where it is, and is stored, if an
  // op of its own level reads it too.
  return nodes[node].isCaptured ||
         llvm::any_of(consumers[node], [&](int consumer) {
           return nodes[consumer].target == kNone && !except(consumer) &&
                  (!readsOwnPoint(consumer, node) ||
                   nodes[consumer].level > nodes[node].level);
         });
}

/// How the loops of `producer` follow from those of the target if `user`, whose
/// loops are `map` of them, reads it; null if in several ways.
static AffineMap getProducerMap(linalg::GenericOp user, AffineMap map,
                                Operation *producer) {
  AffineMap result;
  if (!map)
    return result;
  for (OpOperand &operand : user->getOpOperands()) {
    if (operand.get().getDefiningOp() != producer)
      continue;
    AffineMap access = user.getMatchingIndexingMap(&operand).compose(map);
    if (result && access != result)
      return AffineMap();
    result = access;
  }
  return result;
}

/// Whether no two points of the loops have the same value of `map`.
static bool isOneToOne(AffineMap map) {
  return map && map.isProjectedPermutation() &&
         map.getNumResults() == map.getNumDims();
}

/// Fuses `producer`, which only `target` reads, and ops that only it reads into
/// `target`, if that stores no more than before.
void Planner::fuseProducer(int target, int producer) {
  linalg::GenericOp targetOp = getGeneric(target);
  AffineMap identity = AffineMap::getMultiDimIdentityMap(targetOp.getNumLoops(),
                                                         targetOp.getContext());
  // By node, from the last one: all consumers of a node are looked at before.
  std::map<int, AffineMap, std::greater<int>> waiting, accepted;
  llvm::SmallSetVector<int, 4> rest;
  waiting[producer] = AffineMap();
  int64_t cost = nodes[target].cost;
  auto getMap = [&](int user) -> AffineMap {
    if (user == target)
      return identity;
    auto it = accepted.find(user);
    return it != accepted.end() ? it->second : nodes[user].targetMap;
  };
  while (!waiting.empty()) {
    int number = waiting.begin()->first;
    waiting.erase(waiting.begin());
    const Node &node = nodes[number];
    bool fits =
        node.isMember && !node.isCaptured && cost + node.cost <= limits.cost;
    // A reduction goes on from what its destination holds.
    if (!hasDomain(target))
      fits &= llvm::none_of(targetOp.getDpsInits(), [&](Value init) {
        return init.getDefiningOp() == node.op;
      });
    std::optional<AffineMap> map;
    for (int user : consumers[number]) {
      fits &= user == target || nodes[user].target == target ||
              accepted.count(user);
      if (!fits)
        break;
      AffineMap access =
          getProducerMap(getGeneric(user), getMap(user), node.op);
      map = map && *map != access ? AffineMap() : access;
    }
    if (!fits || !map || (!isOneToOne(*map) && isCostly(getGeneric(number)))) {
      rest.insert(number);
      continue;
    }
    accepted[number] = *map;
    cost += node.cost;
    for (int producer : operands[number])
      if (hasDomain(producer))
        waiting.try_emplace(producer);
  }
  if (!accepted.count(producer))
    return;

  int64_t stored = 0;
  for (int number : rest)
    if (nodes[number].target == kNone &&
        !isStored(number, [&](int user) { return accepted.count(user); }))
      stored += getBytes(number);
  if (stored > getBytes(producer))
    return;

  for (auto &[number, map] : accepted) {
    nodes[number].target = target;
    nodes[number].targetMap = map;
    fusedProducers[target].push_back(number);
  }
  if (!hasKnownSizes(target)) {
    for (auto &[number, map] : accepted) {
      nodes[number].target = kNone;
      fusedProducers[target].pop_back();
    }
    return;
  }
  for (auto &[number, map] : accepted)
    nodes[number].isMember = false;
  nodes[target].cost = cost;
}

/// Whether the sizes of all loops of `target` follow from an operand that it
/// will have with its fused producers.
bool Planner::hasKnownSizes(int target) const {
  linalg::GenericOp targetOp = getGeneric(target);
  llvm::SmallBitVector known(targetOp.getNumLoops());
  auto addOperand = [&](linalg::GenericOp op, OpOperand &operand,
                        AffineMap map) {
    Operation *definition = operand.get().getDefiningOp();
    if (!isa<ShapedType>(operand.get().getType()) ||
        (definition && definition->getBlock() == &block &&
         nodes[numbers.lookup(definition)].target == target))
      return;
    for (AffineExpr expr :
         op.getMatchingIndexingMap(&operand).compose(map).getResults())
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        known.set(loop.getPosition());
  };
  AffineMap identity = AffineMap::getMultiDimIdentityMap(targetOp.getNumLoops(),
                                                         targetOp.getContext());
  for (OpOperand &operand : targetOp->getOpOperands())
    addOperand(targetOp, operand, identity);
  for (int producer : fusedProducers[target])
    if (nodes[producer].targetMap)
      for (OpOperand *operand : getGeneric(producer).getDpsInputOperands())
        addOperand(getGeneric(producer), *operand, nodes[producer].targetMap);
  return known.all();
}

void Planner::findFusedProducers() {
  for (int target = int(nodes.size()) - 1; target >= 0; --target) {
    linalg::GenericOp op = getGeneric(target);
    if (!op || nodes[target].isFixed || nodes[target].target != kNone ||
        !op.hasPureTensorSemantics())
      continue;
    for (int producer : llvm::reverse(operands[target]))
      if (nodes[producer].isMember && consumers[producer].size() == 1 &&
          !readsOwnPoint(target, producer))
        fuseProducer(target, producer);
    llvm::sort(fusedProducers[target]);
  }
}
