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
#include "llvm/ADT/SmallBitVector.h"
#include <set>

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

/// How the loops of `number` follow from those of `target` if it is fused with
/// those of `choice`, which has all of its consumers; null if in several ways,
/// none if it cannot be.
std::optional<AffineMap>
Planner::findProducerMap(int target, int number,
                         const ProducerChoice &choice) const {
  const Node &node = nodes[number];
  linalg::GenericOp targetOp = getGeneric(target);
  if (!node.isMember || node.isCaptured ||
      choice.cost + node.cost > limits.cost)
    return std::nullopt;
  // A reduction goes on from what its destination holds.
  if (!hasDomain(target) &&
      llvm::any_of(targetOp.getDpsInits(),
                   [&](Value init) { return init.getDefiningOp() == node.op; }))
    return std::nullopt;
  std::optional<AffineMap> map;
  for (int user : consumers[number]) {
    AffineMap own;
    if (user == target)
      own = AffineMap::getMultiDimIdentityMap(targetOp.getNumLoops(),
                                              targetOp.getContext());
    else if (auto it = choice.accepted.find(user); it != choice.accepted.end())
      own = it->second;
    else if (nodes[user].target == target)
      own = nodes[user].targetMap;
    else
      return std::nullopt;
    AffineMap access = getProducerMap(getGeneric(user), own, node.op);
    map = map && *map != access ? AffineMap() : access;
  }
  if (map && !isOneToOne(*map) && isCostly(getGeneric(number)))
    return std::nullopt;
  return map;
}

/// What could be fused into `target`: `producer`, which only that reads, and
/// ops that only it reads.
Planner::ProducerChoice Planner::chooseProducers(int target,
                                                 int producer) const {
  ProducerChoice choice;
  choice.cost = nodes[target].cost;
  // From the last one: all consumers of a node are looked at before it.
  std::set<int, std::greater<int>> waiting = {producer};
  while (!waiting.empty()) {
    int number = *waiting.begin();
    waiting.erase(waiting.begin());
    std::optional<AffineMap> map = findProducerMap(target, number, choice);
    if (!map) {
      choice.rest.insert(number);
      continue;
    }
    choice.accepted[number] = *map;
    choice.cost += nodes[number].cost;
    for (int operand : operands[number])
      if (hasDomain(operand))
        waiting.insert(operand);
  }
  return choice;
}

/// Fuses `producer`, which only `target` reads, and ops that only it reads into
/// `target`, if that stores no more than before.
void Planner::fuseProducer(int target, int producer) {
  assert(consumers[producer].size() == 1 &&
         "what something else reads is stored in any case");
  ProducerChoice choice = chooseProducers(target, producer);
  if (!choice.accepted.count(producer))
    return;

  int64_t stored = 0;
  for (int number : choice.rest)
    if (nodes[number].target == kNone && !isStored(number, [&](int user) {
          return choice.accepted.count(user);
        }))
      stored += getBytes(number);
  if (stored > getBytes(producer))
    return;

  for (auto &[number, map] : choice.accepted) {
    nodes[number].target = target;
    nodes[number].targetMap = map;
    fusedProducers[target].push_back(number);
  }
  if (!hasKnownSizes(target)) {
    for (auto &[number, map] : choice.accepted) {
      nodes[number].target = kNone;
      fusedProducers[target].pop_back();
    }
    return;
  }
  for (auto &[number, map] : choice.accepted)
    nodes[number].isMember = false;
  nodes[target].cost = choice.cost;
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
