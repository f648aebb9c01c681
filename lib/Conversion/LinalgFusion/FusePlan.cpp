//===- FusePlan.cpp - Which elementwise ops become one ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusePlan.h"
#include "RngDialect/IR/StaticSizes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::fusion;

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

void Planner::addNodes() {
  for (Operation &op : block) {
    int number = nodes.size();
    numbers[&op] = number;
    Node &node = nodes.emplace_back();
    node.op = &op;
    node.isFixed =
        op.hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(&op);
    node.isBehindFixed = !isSpeculatable(&op);
    if (auto generic = dyn_cast<linalg::GenericOp>(&op))
      node.cost = getBodyCost(generic);
    operands.emplace_back();
    consumers.emplace_back();
  }
  int terminator = nodes.size() - 1;
  for (auto [number, node] : llvm::enumerate(nodes)) {
    llvm::SmallSetVector<int, 4> used;
    node.op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *definition = operand.getDefiningOp();
        if (!definition)
          continue;
        // Most are in this basic block or in the body of this very op.
        if (definition->getBlock() != &block)
          definition = block.findAncestorOpInBlock(*definition);
        if (!definition || definition == node.op)
          continue;
        int producer = numbers.lookup(definition);
        used.insert(producer);
        if (inner != node.op)
          nodes[producer].isCaptured = true;
      }
    });
    for (Operation *user : node.op->getUsers())
      if (user->getBlock() != &block && !block.findAncestorOpInBlock(*user))
        node.isCaptured = true;
    for (int producer : used) {
      operands[number].push_back(producer);
      consumers[producer].push_back(number);
    }
  }
  // Other basic blocks run after this one.
  for (int number = 0; number < terminator; ++number)
    if (nodes[number].isCaptured &&
        !llvm::is_contained(consumers[number], terminator) &&
        llvm::any_of(nodes[number].op->getUsers(), [&](Operation *user) {
          return user->getBlock() != &block &&
                 !block.findAncestorOpInBlock(*user);
        })) {
      operands[terminator].push_back(number);
      consumers[number].push_back(terminator);
    }
}

void Planner::addDomains() {
  std::map<SmallVector<unsigned>, int> domains;
  for (Node &node : nodes) {
    auto generic = dyn_cast<linalg::GenericOp>(node.op);
    if (!generic || node.isFixed)
      continue;
    std::optional<SmallVector<unsigned>> domain = rules.getDomain(generic);
    if (!domain)
      continue;
    node.isMember = true;
    int next = domains.size();
    node.domain = domains.try_emplace(std::move(*domain), next).first->second;
  }
}

/// Of the results of `node`, in tensors of the usual sizes.
int64_t Planner::getBytes(int node) const {
  // What is not known is taken to be large.
  constexpr int64_t kDynamicSize = 1024;
  int64_t bytes = 0;
  for (Type type : nodes[node].op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    uint64_t element = countElementBytes(tensor.getElementType());
    int64_t size = std::min(uint64_t(kManyBytes), element);
    for (int64_t extent : tensor.getShape())
      if (llvm::MulOverflow(
              size, ShapedType::isDynamic(extent) ? kDynamicSize : extent,
              size))
        return kManyBytes;
    bytes = std::min(kManyBytes, bytes + std::min(size, kManyBytes));
  }
  return bytes;
}

/// Whether both are of one iteration domain, and `user` reads what `producer`
/// makes only where it is itself.
bool Planner::readsOwnPoint(int user, int producer) const {
  const Node &to = nodes[user], &from = nodes[producer];
  if (from.isCaptured || !hasDomain(user) || from.domain != to.domain)
    return false;
  return llvm::all_of(to.op->getOpOperands(), [&](OpOperand &operand) {
    return operand.get().getDefiningOp() != from.op ||
           rules.readsOwnPoint(operand);
  });
}

void Planner::addEdges() {
  producers.assign(nodes.size(), {});
  users.assign(nodes.size(), {});
  auto getRoot = [&](int node) {
    return nodes[node].target == kNone ? node : nodes[node].target;
  };
  for (int number = 0, e = nodes.size(); number < e; ++number) {
    if (nodes[number].target != kNone)
      continue;
    llvm::MapVector<int, bool> edges;
    auto addOperands = [&](int user) {
      for (int producer : operands[user]) {
        int root = getRoot(producer);
        if (root == number)
          continue;
        bool isFusable = user == number && root == producer &&
                         nodes[number].isMember && nodes[root].isMember &&
                         readsOwnPoint(number, root);
        auto [it, isNew] = edges.try_emplace(root, isFusable);
        it->second &= isFusable;
      }
    };
    addOperands(number);
    for (int producer : fusedProducers[number])
      addOperands(producer);
    for (auto [producer, isFusable] : edges) {
      producers[number].push_back({producer, isFusable});
      users[producer].push_back({number, isFusable});
    }
  }
}

//===----------------------------------------------------------------------===//
// Units: ops that become one, and all other ops
//===----------------------------------------------------------------------===//

/// Cuts connected `members` into groups that are within the limits.
void Planner::cutIntoUnits(ArrayRef<int> members) {
  int64_t cost = 0;
  // How many users of each op of the unit are not in it (yet).
  llvm::MapVector<int, int> waiting;
  llvm::SmallDenseSet<Value> inputs;
  int64_t numOpen = 0;
  int unit = kNone;
  for (int member : members) {
    linalg::GenericOp op = getGeneric(member);
    auto addMember = [&] {
      cost += nodes[member].cost;
      for (Value operand : op.getDpsInputs()) {
        Operation *definition = operand.getDefiningOp();
        bool isOwn = definition && definition->getBlock() == &block &&
                     waiting.count(numbers.lookup(definition));
        if (!isOwn && isa<ShapedType>(operand.getType()))
          inputs.insert(operand);
      }
      for (int producer : operands[member])
        if (auto it = waiting.find(producer);
            it != waiting.end() && --it->second == 0)
          numOpen -= nodes[producer].op->getNumResults();
      waiting[member] = users[member].size();
      if (!users[member].empty())
        numOpen += op->getNumResults();
    };
    auto clear = [&] {
      cost = numOpen = 0;
      waiting.clear();
      inputs.clear();
      unit = member;
      addMember();
    };
    if (unit == kNone) {
      clear();
    } else {
      addMember();
      if (cost > limits.cost ||
          int64_t(inputs.size()) + numOpen > limits.operands)
        clear();
    }
    units[member] = unit;
  }
}

void Planner::findUnits() {
  units = llvm::to_vector(llvm::seq<int>(0, nodes.size()));
  // Members of one level and domain, connected by what one makes and the other
  // uses or by a tensor that both read.
  llvm::IntEqClasses classes(nodes.size());
  std::map<std::tuple<int, int, void *>, int> readers;
  for (auto [number, node] : llvm::enumerate(nodes)) {
    if (!node.isMember)
      continue;
    for (Edge edge : producers[number])
      if (edge.isFusable && nodes[edge.node].level == node.level)
        classes.join(number, edge.node);
    linalg::GenericOp op = getGeneric(number);
    for (OpOperand *operand : op.getDpsInputOperands()) {
      if (!isa<ShapedType>(operand->get().getType()) ||
          !rules.connects(*operand))
        continue;
      auto [it, isNew] = readers.try_emplace(
          {node.level, node.domain, operand->get().getAsOpaquePointer()},
          number);
      if (!isNew)
        classes.join(number, it->second);
    }
  }
  llvm::MapVector<unsigned, SmallVector<int>> parts;
  for (auto [number, node] : llvm::enumerate(nodes))
    if (node.isMember)
      parts[classes.findLeader(number)].push_back(number);
  for (auto &[leader, part] : parts)
    cutIntoUnits(part);

  unitNodes.resize(nodes.size());
  for (auto [number, node] : llvm::enumerate(nodes)) {
    if (node.target != kNone)
      units[number] = units[node.target];
    unitNodes[units[number]].push_back(number);
  }
}

/// Orders units so that each follows what it uses: where its last op was, or
/// earlier if something needs it there. Ops that are fixed keep their order.
/// Returns false if there is no such order.
bool Planner::findOrder() {
  // All that a unit needs, once each.
  SmallVector<SmallVector<int, 2>> needs(nodes.size());
  int previous = kNone;
  for (auto [number, node] : llvm::enumerate(nodes)) {
    SmallVectorImpl<int> &list = needs[units[number]];
    for (int producer : operands[number])
      if (units[producer] != units[number])
        list.push_back(units[producer]);
    if (previous != kNone && (node.isFixed || node.isBehindFixed) &&
        units[number] != previous)
      list.push_back(previous);
    if (node.isFixed)
      previous = number;
  }
  enum class State { New, Open, Done };
  SmallVector<State> states(nodes.size(), State::New);
  // Of each open unit, how many of its needs are met.
  SmallVector<std::pair<int, size_t>> stack;
  auto add = [&](int first) {
    stack.push_back({first, 0});
    states[first] = State::Open;
    while (!stack.empty()) {
      auto &[unit, met] = stack.back();
      if (met == needs[unit].size()) {
        states[unit] = State::Done;
        order.push_back(unit);
        stack.pop_back();
        continue;
      }
      int next = needs[unit][met++];
      if (states[next] == State::Open)
        return false;
      if (states[next] == State::New) {
        states[next] = State::Open;
        stack.push_back({next, 0});
      }
    }
    return true;
  };
  for (int number = 0, e = nodes.size(); number < e; ++number) {
    int unit = units[number];
    if (number == unitNodes[unit].back() && states[unit] == State::New &&
        !add(unit))
      return false;
  }
  return true;
}

SmallVector<FusionGroup> Planner::plan() {
  addNodes();
  addDomains();
  if (llvm::none_of(nodes, [](const Node &node) { return node.isMember; }))
    return {};
  fusedProducers.resize(nodes.size());
  addEdges();
  findLevels();
  if (rules.fusesProducers) {
    findFusedProducers();
    addEdges();
    findLevels();
  }
  moveToUsers();
  findUnits();
  reportMissedGroups();
  if (!findOrder())
    return {};

  SmallVector<FusionGroup> groups;
  for (int unit : order) {
    FusionGroup group;
    for (int number : unitNodes[unit]) {
      if (nodes[number].target != kNone)
        group.fusedProducers.push_back(getGeneric(number));
      else if (auto generic = getGeneric(number))
        group.members.push_back(generic);
    }
    if (group.members.size() + group.fusedProducers.size() > 1)
      groups.push_back(std::move(group));
  }
  if (groups.empty())
    return groups;
  Operation *terminator = &block.back();
  for (int unit : order)
    for (int number : unitNodes[unit])
      if (nodes[number].op != terminator)
        nodes[number].op->moveBefore(terminator);
  return groups;
}

SmallVector<FusionGroup> fusion::planFusionGroups(Block &block,
                                                  FusionRules &rules) {
  return Planner(block, rules).plan();
}
