//===- BudgetCore.h - What a budget leaves to decide ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of a `BudgetGraph` where there is a choice, and the searches on it.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_CUTSOLVER_BUDGETCORE_H
#define RNGDIALECT_LIB_TRANSFORMS_CUTSOLVER_BUDGETCORE_H

#include "RngDialect/Transforms/CutSolver/BudgetCut.h"

#include <functional>

namespace mlir::rng::cut {

/// A choice for the ops of a core and what it takes.
struct CoreChoice {
  std::vector<bool> recomputed;
  uint64_t bytes = 0;
  uint64_t work = 0;

  /// Less work, or fewer bytes for the same.
  bool isBetterThan(const CoreChoice &other) const {
    return work != other.work ? work < other.work : bytes < other.bytes;
  }
};

/// What is left of a graph without ops that have to be recomputed (their
/// operands are demanded instead), ops that cannot be (their results are given
/// instead), values that cost nothing to save, and all that no demand reaches.
/// Ops and values keep their order; the operands of an op have no duplicates.
class BudgetCore {
public:
  static constexpr unsigned kNone = BudgetGraph::kNone;
  static constexpr uint64_t kInfinite = BudgetGraph::kInfinite;

  explicit BudgetCore(const BudgetGraph &graph);

  /// Whether a demand can be neither saved nor recomputed.
  bool isImpossible() const { return impossible; }

  struct Op {
    /// Finite.
    uint64_t work;
    /// In `operands`.
    unsigned firstOperand, endOperand;
    /// Numbers of the values it defines: consecutive.
    unsigned firstResult, endResult;
  };
  struct Value {
    /// Infinite only where there is a definer.
    uint64_t bytes;
    unsigned definer = kNone;
    bool demanded = false;
  };
  std::vector<Op> ops;
  std::vector<unsigned> operands;
  std::vector<Value> values;
  /// Work of the ops that have to be recomputed.
  uint64_t forcedWork = 0;
  /// Whether no sum of bytes or works can saturate.
  bool sumsFit = true;

  /// The choice of the graph that a choice of the core stands for.
  BudgetChoice expand(const CoreChoice &choice) const;

  /// Drops from `wanted` what is of no use and adds up.
  CoreChoice evaluate(std::vector<bool> wanted) const;

  /// The minimum cut nearest the source with `bytePrice` a byte and `workPrice`
  /// a unit of work. Prices whose products do not fit are shifted down, but not
  /// to zero.
  CoreChoice cut(uint64_t bytePrice, uint64_t workPrice) const;

  /// The corners at the ends of the hull.
  CoreChoice findLeastBytes() const;
  CoreChoice findLeastWork() const;

  /// Starts with a choice `low` that is within the budget and one `high` that
  /// is not and makes them the corners of the hull around it.
  void findCorners(uint64_t budget, CoreChoice &low, CoreChoice &high) const;

  /// All choices within `budget` that no other is better than in both respects,
  /// in order of bytes, with less work than `bound` (or as much for fewer
  /// bytes); none if there are too many sets to look at. (BudgetExact.cpp)
  std::optional<std::vector<CoreChoice>> findAll(uint64_t budget,
                                                 const CoreChoice *bound) const;

  /// Improves on `low` within the budget, going towards `high`.
  /// (BudgetFill.cpp)
  CoreChoice fill(uint64_t budget, const CoreChoice &low,
                  const CoreChoice &high) const;
  /// Calls `visit` for choices on a way from `low` to `high`, at most
  /// `maxPoints` of them. (BudgetFill.cpp)
  void walk(const CoreChoice &low, const CoreChoice &high, unsigned maxPoints,
            const std::function<void(CoreChoice)> &visit) const;

  /// The best choice within a budget that takes the corner `low` and is less
  /// than what the corner `high` takes.
  CoreChoice improve(uint64_t budget, CoreChoice low, CoreChoice high) const;

private:
  /// What the core is to contain, while it is built.
  struct Reach {
    /// Of each value and op of the graph: whether it is in the core.
    std::vector<bool> values, ops;
    /// Their numbers in the core, as far as they have been added.
    std::vector<unsigned> valueNumber, opNumber;
  };

  template <typename VisitT>
  void forEachOperand(unsigned op, VisitT visit) const;
  /// Whether a value of the graph can be neither saved nor recomputed.
  bool isLost(unsigned value, const std::vector<bool> &blocked) const;
  /// Of each op of the graph: whether it cannot be recomputed whatever is
  /// saved.
  std::vector<bool> findBlocked() const;
  /// Finds the ops that have to be recomputed, as somebody needs what cannot be
  /// saved, and all values that are demanded then; false if one of these is
  /// lost.
  bool forceOps(const std::vector<bool> &blocked, std::vector<bool> &demanded);
  /// Back from the demands, through all that may be recomputed.
  Reach findReached(const std::vector<bool> &blocked,
                    const std::vector<bool> &demanded) const;
  void addOp(unsigned op, Reach &reach);
  void addValue(unsigned value, bool isDemanded, Reach &reach);

  MinCutGraph buildCut(uint64_t bytePrice,
                       const std::function<uint64_t(uint64_t)> &workCost) const;
  CoreChoice readCut(const MinCutGraph &cutGraph) const;

  const BudgetGraph &graph;
  bool impossible = false;
  /// Ops of the graph that have to be recomputed.
  std::vector<bool> forced;
  /// The op of the graph that each op of the core is.
  std::vector<unsigned> original;
  uint64_t largestBytes = 1, largestWork = 1;
  uint64_t totalBytes = 0, totalWork = 0;
};

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_CUTSOLVER_BUDGETCORE_H
