//===- FusePlan.cpp - Which elementwise ops become one ---------- -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op of a block gets a level: how often a way to it from the start of the
// block leaves an op that has a space other than for one that reads the same
// point (element, or row) of the same space. So ops of one level and one space have no other
// op on a way between them, and regions made of these can never depend on each
// other in a circle. Levels are as low as can be at first. Then, from the last
// level back, ops that are only needed later move up to the region that needs
// them, if that stores less: a mask that is drawn early and used late is drawn
// where it is used.
//
// All of it walks the ops of a block and their operands a fixed number of times.
//
//===----------------------------------------------------------------------===//

#include "FuseElementwise.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <map>

using namespace mlir;
using namespace mlir::rng;

namespace {
constexpr int kNone = -1;
constexpr int kUnbounded = std::numeric_limits<int>::max();

/// More than any tensor has. Sums of a few thousand do not overflow.
constexpr int64_t kMaxBytes = int64_t(1) << 50;

/// An op of the block.
struct Node {
  Operation *op;
  /// Set if it has a space and is no guest: then it can be in a region with
  /// others of its `space`.
  bool isMember = false;
  /// Number of the space, if it has one.
  int space = kNone;
  /// Whether the op may not be moved over others that may not.
  bool isFixed = false;
  /// Whether code in regions of other ops or in other blocks uses a result.
  bool isCaptured = false;
  int level = 0;
  /// The level that it could be at without moving its users.
  int latest = kUnbounded;
  /// The node whose region it is a guest in, and how its loops follow from the
  /// loops there; null if in several ways.
  int host = kNone;
  AffineMap hostMap;
  /// Of the body, with those of guests.
  int64_t cost = 0;
};

/// Two nodes, one of which makes what the other one uses.
struct Edge {
  /// The other node.
  int node;
  /// Both can be in one region.
  bool isFusable;
};

class Planner {
public:
  Planner(Block &block, RegionRules &rules)
      : block(block), rules(rules), limits(rules.limits) {}

  SmallVector<FusedRegion> plan();

private:
  void addNodes();
  void addSpaces();
  void findGuests();
  void findGuest(int host, int guest);
  bool hasKnownSizes(int host) const;
  void addEdges();
  void findLevels();
  void moveToUsers();
  void findLatest(int node);
  void moveLevel(ArrayRef<int> members);
  void moveTogether(ArrayRef<int> members);
  void findUnits();
  void cutIntoUnits(ArrayRef<int> members);
  bool findOrder();

  linalg::GenericOp getGeneric(int node) const {
    return dyn_cast<linalg::GenericOp>(nodes[node].op);
  }
  bool hasSpace(int node) const { return nodes[node].space != kNone; }
  int64_t getBytes(int node) const;
  bool isStored(int node, function_ref<bool(int)> except) const;
  bool readsOwnPoint(int user, int producer) const;

  Block &block;
  RegionRules &rules;
  const RegionLimits &limits;
  SmallVector<Node> nodes;
  DenseMap<Operation *, int> numbers;
  /// By node: the nodes that it uses and those that use it, guests or not.
  SmallVector<SmallVector<int, 2>> operands, consumers;
  /// By node that is not a guest, for its guests too.
  SmallVector<SmallVector<Edge, 2>> producers, users;
  SmallVector<SmallVector<int, 0>> guests;
  /// By node: the one that stands for the unit that it is moved with.
  SmallVector<int> units;
  SmallVector<SmallVector<int, 1>> unitNodes;
  /// Units from first to last.
  SmallVector<int> order;
};
} // namespace

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

void Planner::addNodes() {
  for (Operation &op : block) {
    int number = nodes.size();
    numbers[&op] = number;
    Node &node = nodes.emplace_back();
    node.op = &op;
    node.isFixed = op.hasTrait<OpTrait::IsTerminator>() ||
                   !isMemoryEffectFree(&op);
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
        // Most are in this block or in the body of this very op.
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
  // Other blocks run after this one.
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

void Planner::addSpaces() {
  std::map<SmallVector<unsigned>, int> spaces;
  for (Node &node : nodes) {
    auto generic = dyn_cast<linalg::GenericOp>(node.op);
    if (!generic || node.isFixed)
      continue;
    std::optional<SmallVector<unsigned>> space = rules.getSpace(generic);
    if (!space)
      continue;
    node.isMember = true;
    int next = spaces.size();
    node.space = spaces.try_emplace(std::move(*space), next).first->second;
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
    Type element = tensor.getElementType();
    int64_t size = element.isIntOrFloat()
                       ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
                       : 1;
    for (int64_t extent : tensor.getShape())
      if (llvm::MulOverflow(
              size, ShapedType::isDynamic(extent) ? kDynamicSize : extent,
              size))
        return kMaxBytes;
    bytes = std::min(kMaxBytes, bytes + std::min(size, kMaxBytes));
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Guests: ops that a reduction, or an op that reads them elsewhere, repeats
//===----------------------------------------------------------------------===//

/// Whether both are of one space, and `user` reads what `producer` makes only
/// where it is itself.
bool Planner::readsOwnPoint(int user, int producer) const {
  const Node &to = nodes[user], &from = nodes[producer];
  if (from.isCaptured || !hasSpace(user) || from.space != to.space)
    return false;
  return llvm::all_of(to.op->getOpOperands(), [&](OpOperand &operand) {
    return operand.get().getDefiningOp() != from.op ||
           rules.readsOwnPoint(operand);
  });
}

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
    bool fits = node.isMember && !node.isCaptured &&
                cost + node.cost <= limits.cost;
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

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

void Planner::addEdges() {
  producers.assign(nodes.size(), {});
  users.assign(nodes.size(), {});
  auto getRoot = [&](int node) {
    return nodes[node].host == kNone ? node : nodes[node].host;
  };
  for (int number = 0, e = nodes.size(); number < e; ++number) {
    if (nodes[number].host != kNone)
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
    for (int guest : guests[number])
      addOperands(guest);
    for (auto [producer, isFusable] : edges) {
      producers[number].push_back({producer, isFusable});
      users[producer].push_back({number, isFusable});
    }
  }
}

void Planner::findLevels() {
  int fixedLevel = 0;
  for (auto [number, node] : llvm::enumerate(nodes)) {
    node.level = 0;
    for (Edge edge : producers[number]) {
      const Node &producer = nodes[edge.node];
      bool leaves = producer.isMember && !edge.isFusable;
      node.level = std::max(node.level, producer.level + leaves);
    }
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

/// Moves all of `members`, connected ops of one space and level that may be
/// later, that can to the nearest level where an op of their space uses one of
/// them. Does so if less is stored then, or as much in fewer regions.
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
  DenseMap<int, unsigned> places;
  for (auto [place, member] : llvm::enumerate(members))
    if (nodes[member].latest > nodes[member].level)
      places[member] = place;
  for (auto [place, member] : llvm::enumerate(members)) {
    if (!places.count(member))
      continue;
    for (Edge edge : producers[member])
      if (auto it = places.find(edge.node);
          it != places.end() && edge.isFusable)
        classes.join(place, it->second);
  }
  llvm::MapVector<unsigned, SmallVector<int>> parts;
  for (auto [place, member] : llvm::enumerate(members))
    if (places.count(member))
      parts[classes.findLeader(place)].push_back(member);
  for (auto &[leader, part] : parts)
    moveTogether(part);
}

void Planner::moveToUsers() {
  int numLevels = 0;
  for (const Node &node : nodes)
    numLevels = std::max(numLevels, node.level + 1);
  SmallVector<SmallVector<int>> members(numLevels), others(numLevels);
  for (auto [number, node] : llvm::enumerate(nodes))
    if (node.host == kNone)
      (node.isMember ? members : others)[node.level].push_back(number);
  for (int level = numLevels - 1; level >= 0; --level) {
    moveLevel(members[level]);
    for (int other : llvm::reverse(others[level]))
      findLatest(other);
  }
}

//===----------------------------------------------------------------------===//
// Units: ops that become one, and all other ops
//===----------------------------------------------------------------------===//

/// Cuts connected `members` into regions that are within the limits.
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
  // Members of one level and space, connected by what one makes and the other
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
      auto [it, isNew] =
          readers.try_emplace({node.level, node.space,
                               operand->get().getAsOpaquePointer()},
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
    if (node.host != kNone)
      units[number] = units[node.host];
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
    if (!node.isFixed)
      continue;
    if (previous != kNone)
      list.push_back(previous);
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

SmallVector<FusedRegion> Planner::plan() {
  addNodes();
  addSpaces();
  if (llvm::none_of(nodes, [](const Node &node) { return node.isMember; }))
    return {};
  guests.resize(nodes.size());
  addEdges();
  findLevels();
  if (rules.haveGuests) {
    findGuests();
    addEdges();
    findLevels();
  }
  moveToUsers();
  findUnits();
  if (!findOrder())
    return {};

  SmallVector<FusedRegion> regions;
  for (int unit : order) {
    FusedRegion region;
    for (int number : unitNodes[unit]) {
      if (nodes[number].host != kNone)
        region.guests.push_back(getGeneric(number));
      else if (auto generic = getGeneric(number))
        region.members.push_back(generic);
    }
    if (region.members.size() + region.guests.size() > 1)
      regions.push_back(std::move(region));
  }
  if (regions.empty())
    return regions;
  Operation *terminator = &block.back();
  for (int unit : order)
    for (int number : unitNodes[unit])
      if (nodes[number].op != terminator)
        nodes[number].op->moveBefore(terminator);
  return regions;
}

SmallVector<FusedRegion> mlir::rng::planRegions(Block &block,
                                                RegionRules &rules) {
  return Planner(block, rules).plan();
}
