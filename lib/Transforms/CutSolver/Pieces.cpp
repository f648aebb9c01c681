//===- Pieces.cpp - Independent differences of two choices ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"

#include <algorithm>
#include <numeric>

using namespace mlir::rng::cut;

namespace {

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

namespace {

/// Which values tie ops that differ between two choices together.
class Ties {
public:
  Ties(const BudgetCore &core, const CoreChoice &low, const CoreChoice &high,
       uint64_t small);

  bool differs(unsigned op) const {
    return low.recomputed[op] != high.recomputed[op];
  }
  /// Whether the ops that differ and use, or define, `value` change together.
  bool ties(unsigned value) const;
  /// The first op that differs and uses the value, `BudgetCore::kNone` if none.
  unsigned getFirstUser(unsigned value) const { return firstUser[value]; }

private:
  const BudgetCore &core;
  const CoreChoice &low, &high;
  const uint64_t small;
  /// Of each value: whether it is needed in any mixture, and the first of the
  /// ops that differ among its users.
  std::vector<bool> fixed;
  std::vector<unsigned> firstUser;
};

} // namespace

Ties::Ties(const BudgetCore &core, const CoreChoice &low,
           const CoreChoice &high, uint64_t small)
    : core(core), low(low), high(high), small(small), fixed(core.values.size()),
      firstUser(core.values.size(), BudgetCore::kNone) {
  for (unsigned value = 0, e = core.values.size(); value != e; ++value)
    fixed[value] = core.values[value].demanded;
  for (unsigned op = 0, e = core.ops.size(); op != e; ++op) {
    for (unsigned i = core.ops[op].firstOperand; i != core.ops[op].endOperand;
         ++i) {
      unsigned value = core.operands[i];
      if (!differs(op)) {
        if (low.recomputed[op])
          fixed[value] = true;
        continue;
      }
      if (firstUser[value] == BudgetCore::kNone)
        firstUser[value] = op;
    }
  }
}

bool Ties::ties(unsigned value) const {
  const BudgetCore::Value &entry = core.values[value];
  if (fixed[value] || firstUser[value] == BudgetCore::kNone)
    return false;
  if (entry.bytes == BudgetCore::kInfinite)
    return false;
  if (entry.definer != BudgetCore::kNone && !differs(entry.definer) &&
      low.recomputed[entry.definer])
    return false;
  return entry.bytes > small;
}

std::vector<Piece> mlir::rng::cut::findPieces(const BudgetCore &core,
                                              const CoreChoice &low,
                                              const CoreChoice &high,
                                              uint64_t small) {
  unsigned numOps = core.ops.size();
  Ties ties(core, low, high, small);
  Sets sets(numOps);
  for (unsigned value = 0, e = core.values.size(); value != e; ++value) {
    unsigned definer = core.values[value].definer;
    if (definer != BudgetCore::kNone && ties.differs(definer) &&
        ties.ties(value))
      sets.join(definer, ties.getFirstUser(value));
  }
  for (unsigned op = 0; op != numOps; ++op) {
    if (!ties.differs(op))
      continue;
    for (unsigned i = core.ops[op].firstOperand; i != core.ops[op].endOperand;
         ++i)
      if (ties.ties(core.operands[i]))
        sets.join(op, ties.getFirstUser(core.operands[i]));
  }

  std::vector<Piece> pieces;
  std::vector<unsigned> pieceOf(numOps);
  for (unsigned op = 0; op != numOps; ++op) {
    if (!ties.differs(op))
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

void mlir::rng::cut::exchange(Assignment &assignment, const Piece &piece,
                              const CoreChoice &target) {
  // From the last: an op comes into use before its operands do.
  for (size_t i = piece.ops.size(); i-- != 0;)
    if (assignment.isRecomputed(piece.ops[i]) !=
        target.recomputed[piece.ops[i]])
      assignment.toggle(piece.ops[i]);
  assignment.tidy();
}

void mlir::rng::cut::settle(Assignment &assignment, std::vector<Piece> &pieces,
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
