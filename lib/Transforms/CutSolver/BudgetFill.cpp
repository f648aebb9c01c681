//===- BudgetFill.cpp - Between two corners of the hull ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs repeat themselves: a price at which one layer changes its mind
// changes all layers at once, and the next corner may be far away. But layers
// do so independently, and a mixture of both corners is as good a choice as
// they are. Pieces are the connected sets of the ops that differ, connected
// through values whose cost depends on more than one of them.
//
//===----------------------------------------------------------------------===//

#include "BudgetCore.h"

#include <algorithm>
#include <numeric>

using namespace mlir::rng;

namespace {

/// A choice that can be changed an op at a time and put back. Sums must fit.
class Assignment {
public:
  Assignment(const BudgetCore &core, const std::vector<bool> &wanted);

  uint64_t getBytes() const { return bytes; }
  uint64_t getWork() const { return work; }
  bool isRecomputed(unsigned op) const { return recomputed[op]; }
  CoreChoice get() const { return {recomputed, bytes, work}; }

  /// Changes an op; may leave others without a use, or in need of values that
  /// cannot be saved.
  void toggle(unsigned op);
  /// Recomputes what is needed and cannot be saved, and drops what has no use.
  void tidy();

  /// Makes changes permanent, or takes back all since the last time.
  void commit();
  void rollBack();

  uint64_t getNumSteps() const { return numSteps; }

private:
  bool isProduced(unsigned value) const {
    unsigned op = core.values[value].definer;
    return op != BudgetCore::kNone && recomputed[op];
  }
  /// Adds or takes away what a value costs when it is needed and not produced.
  void count(unsigned value, bool saved);
  void flip(unsigned op);

  const BudgetCore &core;
  std::vector<bool> recomputed;
  /// For each value: the recomputed ops that use it, and one if demanded.
  std::vector<unsigned> numUses;
  /// For each op: its results that are needed.
  std::vector<unsigned> numNeeded;
  uint64_t bytes = 0, work = 0;
  /// Values that may be needed but cannot be saved and are not recomputed, and
  /// ops that may be recomputed in vain.
  std::vector<unsigned> maybeMissing, maybeUseless;
  /// Ops toggled since the last `commit`.
  std::vector<unsigned> log;
  uint64_t numSteps = 0;
};

} // namespace

Assignment::Assignment(const BudgetCore &core, const std::vector<bool> &wanted)
    : core(core), recomputed(core.ops.size()), numUses(core.values.size()),
      numNeeded(core.ops.size()) {
  for (unsigned value = 0, e = core.values.size(); value != e; ++value) {
    if (!core.values[value].demanded)
      continue;
    numUses[value] = 1;
    count(value, /*saved=*/true);
    if (core.values[value].definer != BudgetCore::kNone)
      ++numNeeded[core.values[value].definer];
  }
  for (unsigned op = core.ops.size(); op-- != 0;)
    if (wanted[op] && numNeeded[op])
      flip(op);
  tidy();
  commit();
}

void Assignment::count(unsigned value, bool saved) {
  uint64_t cost = core.values[value].bytes;
  if (cost == BudgetCore::kInfinite)
    maybeMissing.push_back(value);
  else
    bytes += saved ? cost : -cost;
}

void Assignment::flip(unsigned op) {
  const BudgetCore::Op &entry = core.ops[op];
  bool on = !recomputed[op];
  numSteps += 2 + entry.endOperand - entry.firstOperand;
  for (unsigned r = entry.firstResult; r != entry.endResult; ++r)
    if (numUses[r])
      count(r, /*saved=*/!on);
  recomputed[op] = on;
  work += on ? entry.work : -entry.work;
  for (unsigned i = entry.firstOperand; i != entry.endOperand; ++i) {
    unsigned value = core.operands[i];
    bool wasNeeded = numUses[value] != 0;
    numUses[value] += on ? 1 : -1;
    if (wasNeeded == (numUses[value] != 0))
      continue;
    if (!isProduced(value))
      count(value, /*saved=*/on);
    unsigned definer = core.values[value].definer;
    if (definer == BudgetCore::kNone)
      continue;
    numNeeded[definer] += on ? 1 : -1;
    if (!on && numNeeded[definer] == 0)
      maybeUseless.push_back(definer);
  }
}

void Assignment::toggle(unsigned op) {
  flip(op);
  log.push_back(op);
  if (numNeeded[op] == 0)
    maybeUseless.push_back(op);
}

void Assignment::tidy() {
  while (!maybeMissing.empty()) {
    unsigned value = maybeMissing.back();
    maybeMissing.pop_back();
    if (numUses[value] && !isProduced(value))
      toggle(core.values[value].definer);
  }
  // This takes uses away, so nothing can be missing after it.
  while (!maybeUseless.empty()) {
    unsigned op = maybeUseless.back();
    maybeUseless.pop_back();
    if (recomputed[op] && numNeeded[op] == 0)
      toggle(op);
  }
  maybeMissing.clear();
}

void Assignment::commit() { log.clear(); }

void Assignment::rollBack() {
  for (size_t i = log.size(); i-- != 0;)
    flip(log[i]);
  log.clear();
  maybeMissing.clear();
  maybeUseless.clear();
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

namespace {

/// Ops that change together.
struct Piece {
  std::vector<unsigned> ops;
  /// Whether it takes more bytes as in the lower corner.
  bool isReversed = false;
  /// What it takes more where it takes more bytes, and the work that spares.
  int64_t bytes = 0;
  int64_t work = 0;

  double getWorth() const { return double(work) / (bytes > 0 ? bytes : 0.5); }
};

/// Disjoint sets of numbers.
class Sets {
public:
  explicit Sets(unsigned size) : parent(size) {
    std::iota(parent.begin(), parent.end(), 0u);
  }
  unsigned find(unsigned a) {
    while (parent[a] != a)
      a = parent[a] = parent[parent[a]];
    return a;
  }
  /// The least number stands for the set.
  void join(unsigned a, unsigned b) {
    a = find(a);
    b = find(b);
    parent[std::max(a, b)] = std::min(a, b);
  }

private:
  std::vector<unsigned> parent;
};

} // namespace

/// The pieces in which two choices differ, in order of their first op. Values
/// of up to `small` bytes tie nothing together: exchanges are counted exactly
/// when they are made. So a seed does not join all layers.
static std::vector<Piece> findPieces(const BudgetCore &core,
                                     const CoreChoice &low,
                                     const CoreChoice &high, uint64_t small) {
  unsigned numOps = core.ops.size(), numValues = core.values.size();
  auto differs = [&](unsigned op) {
    return low.recomputed[op] != high.recomputed[op];
  };
  // Of each value: whether it is needed in any mixture, and the first and the
  // number of the ops that differ among its users.
  std::vector<bool> fixed(numValues);
  std::vector<unsigned> firstUser(numValues, BudgetCore::kNone);
  std::vector<unsigned> numUsers(numValues);
  for (unsigned value = 0; value != numValues; ++value)
    fixed[value] = core.values[value].demanded;
  for (unsigned op = 0; op != numOps; ++op) {
    for (unsigned i = core.ops[op].firstOperand; i != core.ops[op].endOperand;
         ++i) {
      unsigned value = core.operands[i];
      if (!differs(op)) {
        if (low.recomputed[op])
          fixed[value] = true;
        continue;
      }
      if (numUsers[value]++ == 0)
        firstUser[value] = op;
    }
  }
  auto ties = [&](unsigned value) {
    const BudgetCore::Value &entry = core.values[value];
    if (fixed[value] || numUsers[value] == 0)
      return false;
    if (entry.bytes == BudgetCore::kInfinite)
      return false;
    if (entry.definer != BudgetCore::kNone && !differs(entry.definer) &&
        low.recomputed[entry.definer])
      return false;
    return entry.bytes > small;
  };
  Sets sets(numOps);
  for (unsigned value = 0; value != numValues; ++value) {
    unsigned definer = core.values[value].definer;
    if (definer != BudgetCore::kNone && differs(definer) && ties(value))
      sets.join(definer, firstUser[value]);
  }
  for (unsigned op = 0; op != numOps; ++op) {
    if (!differs(op))
      continue;
    for (unsigned i = core.ops[op].firstOperand; i != core.ops[op].endOperand;
         ++i)
      if (ties(core.operands[i]))
        sets.join(op, firstUser[core.operands[i]]);
  }

  std::vector<Piece> pieces;
  std::vector<unsigned> pieceOf(numOps);
  for (unsigned op = 0; op != numOps; ++op) {
    if (!differs(op))
      continue;
    unsigned first = sets.find(op);
    if (first == op) {
      pieceOf[op] = pieces.size();
      pieces.emplace_back();
    }
    pieces[pieceOf[first]].ops.push_back(op);
  }
  return pieces;
}

/// Changes the ops of a piece that are not yet as in `target`.
static void exchange(Assignment &assignment, const Piece &piece,
                     const CoreChoice &target) {
  // From the last: an op comes into use before its operands do.
  for (size_t i = piece.ops.size(); i-- != 0;)
    if (assignment.isRecomputed(piece.ops[i]) !=
        target.recomputed[piece.ops[i]])
      assignment.toggle(piece.ops[i]);
  assignment.tidy();
}

/// Counts what each piece changes, and moves `assignment`, which is at the
/// lower corner, to where all pieces take the fewest bytes.
static void settle(Assignment &assignment, std::vector<Piece> &pieces,
                   const CoreChoice &high) {
  for (Piece &piece : pieces) {
    uint64_t bytes = assignment.getBytes(), work = assignment.getWork();
    exchange(assignment, piece, high);
    piece.bytes = assignment.getBytes() - bytes;
    piece.work = work - assignment.getWork();
    if (piece.bytes < 0 || (piece.bytes == 0 && piece.work >= 0)) {
      assignment.commit();
      piece.isReversed = true;
      piece.bytes = -piece.bytes;
      piece.work = -piece.work;
    } else {
      assignment.rollBack();
    }
  }
}

//===----------------------------------------------------------------------===//
// Single values
//===----------------------------------------------------------------------===//

/// Saves results of recomputed ops while they fit, those first that spare the
/// most work for a byte.
static void saveMore(const BudgetCore &core, Assignment &assignment,
                     uint64_t budget) {
  struct Move {
    unsigned op;
    double worth;
  };
  uint64_t limit =
      assignment.getNumSteps() + 64 * uint64_t(core.ops.size()) + 100000;
  // An op can be dropped if this costs no more than the budget has left.
  auto tryToDrop = [&](unsigned op, uint64_t &bytes, uint64_t &work) {
    bytes = assignment.getBytes();
    work = assignment.getWork();
    assignment.toggle(op);
    assignment.tidy();
    return assignment.getBytes() <= budget &&
           (assignment.getWork() != work ? assignment.getWork() < work
                                         : assignment.getBytes() < bytes);
  };
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<Move> moves;
    for (unsigned op = 0, e = core.ops.size(); op != e; ++op) {
      if (!assignment.isRecomputed(op))
        continue;
      if (assignment.getNumSteps() > limit)
        return;
      uint64_t bytes, work;
      if (tryToDrop(op, bytes, work)) {
        double more = assignment.getBytes() > bytes
                          ? double(assignment.getBytes() - bytes)
                          : 0.5;
        moves.push_back({op, double(work - assignment.getWork()) / more});
      }
      assignment.rollBack();
    }
    std::stable_sort(
        moves.begin(), moves.end(),
        [](const Move &a, const Move &b) { return a.worth > b.worth; });
    for (const Move &move : moves) {
      uint64_t bytes, work;
      if (!assignment.isRecomputed(move.op))
        continue;
      if (tryToDrop(move.op, bytes, work)) {
        assignment.commit();
        changed = true;
      } else {
        assignment.rollBack();
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// The two searches
//===----------------------------------------------------------------------===//

/// What counts as small beside a gap: coarse pieces are independent, fine ones
/// are many.
static constexpr uint64_t kSmallParts[] = {16, 256, 65536};

CoreChoice BudgetCore::fill(uint64_t budget, const CoreChoice &low,
                            const CoreChoice &high) const {
  if (!sumsFit)
    return low;
  CoreChoice best = low;
  auto consider = [&](const Assignment &assignment) {
    if (assignment.getBytes() > budget || assignment.getWork() > best.work ||
        (assignment.getWork() == best.work &&
         assignment.getBytes() >= best.bytes))
      return false;
    best = assignment.get();
    return true;
  };
  // The corner itself may leave much to single values.
  {
    Assignment assignment(*this, low.recomputed);
    saveMore(*this, assignment, budget);
    consider(assignment);
  }

  for (uint64_t part : kSmallParts) {
    std::vector<Piece> pieces =
        findPieces(*this, low, high, (high.bytes - low.bytes) / part);
    Assignment start(*this, low.recomputed);
    settle(start, pieces, high);
    // Where all pieces spare the same work for a byte the larger ones go first,
    // and the smaller ones fill what is left.
    for (bool byWorth : {false, true}) {
      std::vector<unsigned> order(pieces.size());
      std::iota(order.begin(), order.end(), 0u);
      std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
        return byWorth ? pieces[a].getWorth() > pieces[b].getWorth()
                       : pieces[a].bytes > pieces[b].bytes;
      });
      Assignment assignment = start;
      for (unsigned i : order) {
        uint64_t work = assignment.getWork();
        exchange(assignment, pieces[i], pieces[i].isReversed ? low : high);
        if (assignment.getBytes() <= budget && assignment.getWork() < work)
          assignment.commit();
        else
          assignment.rollBack();
      }
      if (consider(assignment)) {
        saveMore(*this, assignment, budget);
        consider(assignment);
      }
    }
  }
  return best;
}

void BudgetCore::walk(const CoreChoice &low, const CoreChoice &high,
                      unsigned maxPoints,
                      const std::function<void(CoreChoice)> &visit) const {
  if (!sumsFit)
    return;
  for (uint64_t part : kSmallParts) {
    std::vector<Piece> pieces =
        findPieces(*this, low, high, (high.bytes - low.bytes) / part);
    Assignment assignment(*this, low.recomputed);
    settle(assignment, pieces, high);
    visit(assignment.get());
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece &a, const Piece &b) {
                       return a.getWorth() > b.getWorth();
                     });
    size_t numVisited = 0;
    for (size_t i = 0; i != pieces.size(); ++i) {
      exchange(assignment, pieces[i], pieces[i].isReversed ? low : high);
      assignment.commit();
      // Evenly spread.
      size_t due = (i + 1) * maxPoints / pieces.size();
      if (due == numVisited)
        continue;
      numVisited = due;
      visit(assignment.get());
    }
  }
}
