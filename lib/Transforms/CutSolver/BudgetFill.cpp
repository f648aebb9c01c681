//===- BudgetFill.cpp - Between two corners of the hull ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two ways from a corner of the hull towards the next: whole pieces in which
// the two differ (Pieces.h), and single values. And a look at all neighbours of
// an answer.
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"

#include <algorithm>
#include <cassert>
#include <numeric>

using namespace mlir::rng;
using namespace mlir::rng::cut;

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
// Exchanges of two
//===----------------------------------------------------------------------===//

CoreChoice BudgetCore::polish(uint64_t budget, const CoreChoice &choice,
                              Effort effort) const {
  assert(choice.bytes <= budget && "the choice is within the budget");
  if (!sumsFit)
    return choice;
  Assignment assignment(*this, choice.recomputed);
  // A pair takes some ten steps; all pairs of a few thousand ops would take
  // seconds.
  uint64_t limit =
      assignment.getNumSteps() + (effort == Effort::Full ? 1 << 25 : 1 << 20);
  unsigned numOps = ops.size();
  // With the number of ops for the second one, the first changes alone.
  auto tryBoth = [&](unsigned first, unsigned second) {
    uint64_t before = assignment.getWork();
    assignment.toggle(first);
    if (second != numOps)
      assignment.toggle(second);
    assignment.tidy();
    if (assignment.getBytes() <= budget && assignment.getWork() < before) {
      assignment.commit();
      return true;
    }
    assignment.rollBack();
    return false;
  };
  // Until a whole round of first ops brought nothing.
  unsigned numIdle = 0;
  for (unsigned first = 0; numIdle < numOps; first = (first + 1) % numOps) {
    ++numIdle;
    for (unsigned second = numOps; second != first; --second) {
      if (assignment.getNumSteps() > limit)
        return assignment.get();
      if (tryBoth(first, second))
        numIdle = 0;
    }
  }
  return assignment.get();
}

//===----------------------------------------------------------------------===//
// The two searches
//===----------------------------------------------------------------------===//

/// What counts as small beside a gap: coarse pieces are independent, fine ones
/// are many.
static constexpr uint64_t kSmallParts[] = {16, 256, 65536};

/// Takes over `assignment` if it is within the budget and better than `best`.
static bool consider(const Assignment &assignment, uint64_t budget,
                     CoreChoice &best) {
  if (assignment.getBytes() > budget || assignment.getWork() > best.work ||
      (assignment.getWork() == best.work &&
       assignment.getBytes() >= best.bytes))
    return false;
  best = assignment.get();
  return true;
}

/// Exchanges pieces while the budget allows it and it spares work. Where all
/// pieces spare the same work for a byte the larger ones go first, and the
/// smaller ones fill what is left; else, with `byWorth`, those that spare most.
static void exchangeMore(Assignment &assignment,
                         const std::vector<Piece> &pieces, bool byWorth,
                         uint64_t budget, const CoreChoice &low,
                         const CoreChoice &high) {
  std::vector<unsigned> order(pieces.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    return byWorth ? pieces[a].getWorth() > pieces[b].getWorth()
                   : pieces[a].bytes > pieces[b].bytes;
  });
  for (unsigned i : order) {
    uint64_t work = assignment.getWork();
    exchange(assignment, pieces[i], pieces[i].isReversed ? low : high);
    if (assignment.getBytes() <= budget && assignment.getWork() < work)
      assignment.commit();
    else
      assignment.rollBack();
  }
}

CoreChoice BudgetCore::fill(uint64_t budget, const CoreChoice &low,
                            const CoreChoice &high) const {
  assert(low.bytes <= budget && "the lower corner is within the budget");
  if (!sumsFit)
    return low;
  CoreChoice best = low;
  // The corner itself may leave much to single values.
  {
    Assignment assignment(*this, low.recomputed);
    saveMore(*this, assignment, budget);
    consider(assignment, budget, best);
  }

  for (uint64_t part : kSmallParts) {
    std::vector<Piece> pieces =
        findPieces(*this, low, high, (high.bytes - low.bytes) / part);
    Assignment start(*this, low.recomputed);
    settle(start, pieces, high);
    for (bool byWorth : {false, true}) {
      Assignment assignment = start;
      exchangeMore(assignment, pieces, byWorth, budget, low, high);
      if (consider(assignment, budget, best)) {
        saveMore(*this, assignment, budget);
        consider(assignment, budget, best);
      }
    }
  }
  return best;
}

void BudgetCore::walk(const CoreChoice &low, const CoreChoice &high,
                      unsigned maxPoints,
                      const std::function<void(CoreChoice)> &visit) const {
  assert(maxPoints != 0 && "a way has points");
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
