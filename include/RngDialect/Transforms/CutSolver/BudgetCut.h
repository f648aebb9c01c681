//===- BudgetCut.h - Least recompute cost within a budget -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The choice of what to save and what to recompute when the bytes that may be
/// saved are bounded. Nothing here knows about IR: the header and its
/// implementation use the C++17 standard library and `MinCutGraph` alone.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_CUTSOLVER_BUDGETCUT_H
#define RNGDIALECT_TRANSFORMS_CUTSOLVER_BUDGETCUT_H

#include "RngDialect/Transforms/CutSolver/MinCut.h"

#include <cassert>
#include <optional>

namespace mlir::rng {

namespace cut {
class BudgetCore;
} // namespace cut

/// A way to give the demands their values.
struct BudgetChoice {
  /// For each op: whether it is recomputed. Nothing is recomputed in vain.
  std::vector<bool> recomputed;
  /// For each value: whether it is saved.
  std::vector<bool> saved;
  /// Sums over the saved values and the recomputed ops; they saturate at
  /// `MinCutGraph::kMaxFinite`.
  uint64_t bytes = 0;
  uint64_t work = 0;
  /// From `BudgetGraph::solve`: no choice within the budget takes less work, so
  /// that one that takes as much is the best. At most `work`.
  uint64_t workBound = 0;
};

/// A straight-line program, and the values of it that have to be at hand after
/// it ran. Such a value is either saved, for its bytes, or its op is executed a
/// second time, for its work, which asks for the operands of the op.
///
/// The least `work` within a bound on `bytes` is a knapsack problem with
/// precedences and NP-hard. Without the bound it is a minimum cut, and so it is
/// with a price for each byte (a Lagrange multiplier), where the answers for
/// all prices are the corners of the lower convex hull of all points
/// (bytes, work). `solve` finds the two corners around the budget, then looks
/// for points between them:
///
/// - starting from the corner that fits, by exchanging independent pieces for
///   those of the other corner, and by saving single values;
/// - by branch and bound over cuts in which some ops are decided, which also says
///   how much better any other choice may be;
/// - exactly, by dynamic programming over the sets of values that are still
///   asked for, as long as these sets are few: on all graphs of up to 20 ops
///   that matter, and on long ones that are narrow;
/// - if none of these proves its answer, among the points of `findCurve`, and by
///   all changes of one or two ops.
///
/// The answer is never worse than that of any price, nor than a point of
/// `findCurve` within the budget. It is deterministic: a function of the calls
/// that built the graph.
///
/// Ops, and values, are numbered from 0 in the order in which they are added;
/// nothing may come between an op and its results.
class BudgetGraph {
public:
  static constexpr unsigned kNone = ~0u;
  /// As bytes: cannot be saved. As work: cannot be recomputed.
  static constexpr uint64_t kInfinite = MinCutGraph::kInfinite;

  /// Adds a value that is there from the start, and returns its number.
  unsigned addArgument(uint64_t bytes);
  /// Adds an op that uses values added before, and returns its number.
  unsigned addOp(const std::vector<unsigned> &operands, uint64_t work);
  /// Adds a result of the op added last, and returns its number.
  unsigned addResult(uint64_t bytes);
  /// Asks for a value.
  void addDemand(unsigned value) {
    assert(value < bytesOf.size() && "value was not added");
    demands.push_back(value);
  }

  unsigned getNumOps() const { return works.size(); }
  unsigned getNumValues() const { return bytesOf.size(); }

  /// The choice that recomputes those of the `wanted` ops that are of use, none
  /// if a value is asked for that can be neither saved nor recomputed then.
  std::optional<BudgetChoice> choose(const std::vector<bool> &wanted) const;

  /// The least bytes, none if no choice is possible.
  std::optional<uint64_t> getLeastBytes() const;

  /// A choice of at most `budget` bytes with little work, and few bytes among
  /// those of equal work; none if the least bytes are more than that.
  std::optional<BudgetChoice> solve(uint64_t budget) const;

  /// Choices from the one of least bytes to the one of least work, none of
  /// which is worse than another in both: all there are if dynamic programming
  /// finds them, else the corners of the hull (up to a bound on their number)
  /// and points between them. Empty if no choice is possible.
  std::vector<BudgetChoice> findCurve() const;

private:
  friend class cut::BudgetCore;

  std::vector<uint64_t> works;
  std::vector<unsigned> operands, firstOperand = {0};
  std::vector<uint64_t> bytesOf;
  std::vector<unsigned> definer;
  std::vector<unsigned> demands;
};

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_CUTSOLVER_BUDGETCUT_H
