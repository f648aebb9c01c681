//===- FuseGuests.cpp - Ops that one other op takes in ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction, or an op that reads another one transposed or broadcast, can
// take in the elementwise ops that only it uses: guests.
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
/// whatever regions there are.
bool Planner::isStored(int node, function_ref<bool(int)> except) const {
  // What an op of a later level reads stays where it is, and is stored, if an
  // op of its own level reads it too.
  return nodes[node].isCaptured ||
         llvm::any_of(consumers[node], [&](int consumer) {
           return nodes[consumer].host == kNone && !except(consumer) &&
                  (!readsOwnPoint(consumer, node) ||
                   nodes[consumer].level > nodes[node].level);
         });
}

/// How the loops of `producer` follow from those of the host if `user`, whose
/// loops are `map` of them, reads it; null if in several ways.
static AffineMap getGuestMap(linalg::GenericOp user, AffineMap map,
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

/// Makes `guest`, which only `host` reads, and ops that only it reads guests of
/// `host`, if that stores no more than before.
void Planner::findGuest(int host, int guest) {
  linalg::GenericOp hostOp = getGeneric(host);
  AffineMap identity = AffineMap::getMultiDimIdentityMap(hostOp.getNumLoops(),
                                                         hostOp.getContext());
  // By node, from the last one: all consumers of a node are looked at before.
  std::map<int, AffineMap, std::greater<int>> waiting, accepted;
  llvm::SmallSetVector<int, 4> rest;
  waiting[guest] = AffineMap();
  int64_t cost = nodes[host].cost;
  auto getMap = [&](int user) -> AffineMap {
    if (user == host)
      return identity;
    auto it = accepted.find(user);
    return it != accepted.end() ? it->second : nodes[user].hostMap;
  };
  while (!waiting.empty()) {
    int number = waiting.begin()->first;
    waiting.erase(waiting.begin());
    const Node &node = nodes[number];
    bool fits =
        node.isMember && !node.isCaptured && cost + node.cost <= limits.cost;
    // A reduction goes on from what its destination holds.
    if (!hasSpace(host))
      fits &= llvm::none_of(hostOp.getDpsInits(), [&](Value init) {
        return init.getDefiningOp() == node.op;
      });
    std::optional<AffineMap> map;
    for (int user : consumers[number]) {
      fits &= user == host || nodes[user].host == host || accepted.count(user);
      if (!fits)
        break;
      AffineMap access = getGuestMap(getGeneric(user), getMap(user), node.op);
      map = map && *map != access ? AffineMap() : access;
    }
    if (!fits || !map || (!isOneToOne(*map) && isCostly(getGeneric(number)))) {
      rest.insert(number);
      continue;
    }
    accepted[number] = *map;
    cost += node.cost;
    for (int producer : operands[number])
      if (hasSpace(producer))
        waiting.try_emplace(producer);
  }
  if (!accepted.count(guest))
    return;

  int64_t stored = 0;
  for (int number : rest)
    if (nodes[number].host == kNone &&
        !isStored(number, [&](int user) { return accepted.count(user); }))
      stored += getBytes(number);
  if (stored > getBytes(guest))
    return;

  for (auto &[number, map] : accepted) {
    nodes[number].host = host;
    nodes[number].hostMap = map;
    guests[host].push_back(number);
  }
  if (!hasKnownSizes(host)) {
    for (auto &[number, map] : accepted) {
      nodes[number].host = kNone;
      guests[host].pop_back();
    }
    return;
  }
  for (auto &[number, map] : accepted)
    nodes[number].isMember = false;
  nodes[host].cost = cost;
}

/// Whether the sizes of all loops of `host` follow from an operand that it will
/// have with its guests.
bool Planner::hasKnownSizes(int host) const {
  linalg::GenericOp hostOp = getGeneric(host);
  llvm::SmallBitVector known(hostOp.getNumLoops());
  auto addOperand = [&](linalg::GenericOp op, OpOperand &operand,
                        AffineMap map) {
    Operation *definition = operand.get().getDefiningOp();
    if (!isa<ShapedType>(operand.get().getType()) ||
        (definition && definition->getBlock() == &block &&
         nodes[numbers.lookup(definition)].host == host))
      return;
    for (AffineExpr expr :
         op.getMatchingIndexingMap(&operand).compose(map).getResults())
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        known.set(loop.getPosition());
  };
  AffineMap identity = AffineMap::getMultiDimIdentityMap(hostOp.getNumLoops(),
                                                         hostOp.getContext());
  for (OpOperand &operand : hostOp->getOpOperands())
    addOperand(hostOp, operand, identity);
  for (int guest : guests[host])
    if (nodes[guest].hostMap)
      for (OpOperand *operand : getGeneric(guest).getDpsInputOperands())
        addOperand(getGeneric(guest), *operand, nodes[guest].hostMap);
  return known.all();
}

void Planner::findGuests() {
  for (int host = int(nodes.size()) - 1; host >= 0; --host) {
    linalg::GenericOp op = getGeneric(host);
    if (!op || nodes[host].isFixed || nodes[host].host != kNone ||
        !op.hasPureTensorSemantics())
      continue;
    for (int producer : llvm::reverse(operands[host]))
      if (nodes[producer].isMember && consumers[producer].size() == 1 &&
          !readsOwnPoint(host, producer))
        findGuest(host, producer);
    llvm::sort(guests[host]);
  }
}
