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

/// A choice, and how much better others may be.
struct BoundedChoice {
  CoreChoice choice;
  /// No choice within the budget takes less work than this.
  uint64_t workBound = 0;
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

  /// What a byte and what a unit of work cost.
  struct Prices {
    uint64_t byte, work;
  };
  /// The prices shifted down until sums of products fit, or each product where
  /// that leaves too little of them, but not to zero.
  Prices fit(Prices prices) const;

  /// What is decided about an op.
  enum class Decision : char {
    Open,
    /// It is recomputed.
    Again,
    /// It is not.
    Keep
  };
  /// One for each op, or empty where nothing is decided.
  using Decisions = std::vector<Decision>;

  /// The minimum cut nearest the source at `prices`, which must `fit`, among
  /// the choices that agree with `decisions`; none if there are none. An op
  /// that is to be recomputed but of no use then is not recomputed.
  std::optional<CoreChoice> cut(Prices prices,
                                const Decisions &decisions = {}) const;

  /// The corners at the ends of the hull, likewise.
  std::optional<CoreChoice>
  findLeastBytes(const Decisions &decisions = {}) const;
  std::optional<CoreChoice>
  findLeastWork(const Decisions &decisions = {}) const;

  /// Starts with a choice `low` that is within the budget and one `high` that
  /// is not and makes them the corners of the hull around it.
  void findCorners(uint64_t budget, CoreChoice &low, CoreChoice &high) const;

  /// How long to look for an answer: as one of many, or as the only one.
  enum class Effort { Brief, Full };

  /// All choices within `budget` that no other is better than in both respects,
  /// in order of bytes, with less work than `bound` (or as much for fewer
  /// bytes); none if there are too many sets to look at. (BudgetExact.cpp)
  std::optional<std::vector<CoreChoice>> findAll(uint64_t budget,
                                                 const CoreChoice *bound) const;

  /// Improves on `low` within the budget, going towards `high`.
  /// (BudgetFill.cpp)
  CoreChoice fill(uint64_t budget, const CoreChoice &low,
                  const CoreChoice &high) const;
  /// Improves on `choice` until no change of one or two ops spares work within
  /// the budget, or a number of steps is reached. (BudgetFill.cpp)
  CoreChoice polish(uint64_t budget, const CoreChoice &choice,
                    Effort effort) const;
  /// Calls `visit` for choices on a way from `low` to `high`, at most
  /// `maxPoints` of them. (BudgetFill.cpp)
  void walk(const CoreChoice &low, const CoreChoice &high, unsigned maxPoints,
            const std::function<void(CoreChoice)> &visit) const;

  /// The best choice within the budget, or one that is not worse than `start`
  /// with a bound on what is possible. `low` is within the budget, `high` is
  /// not: the ends of an edge of the hull. Sums must fit. (BudgetBranch.cpp)
  BoundedChoice branch(uint64_t budget, CoreChoice start, CoreChoice low,
                       CoreChoice high, Effort effort) const;

  /// The best choice that is found within a budget that takes the corner `low`
  /// and is less than what the corner `high` takes.
  BoundedChoice improve(uint64_t budget, CoreChoice low, CoreChoice high,
                        Effort effort) const;

  /// Choices from the one of least bytes to the one of least work, each with
  /// more bytes and less work than the one before. They depend on no budget.
  /// (BudgetCurve.cpp)
  std::vector<CoreChoice> findCurve() const;
  /// Likewise without dynamic programming, which would give up.
  std::vector<CoreChoice> findSomeOfCurve() const;

  /// The best answer for `budget` that is found, none if it is less than the
  /// least bytes. Never worse than a choice of `findCurve`.
  std::optional<BoundedChoice> solve(uint64_t budget) const;

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

  uint64_t getMaxCuts(Effort effort) const;
  Prices fitEach(Prices prices) const;
  MinCutGraph buildCut(uint64_t bytePrice,
                       const std::function<uint64_t(uint64_t)> &workCost,
                       const Decisions &decisions) const;
  std::optional<CoreChoice> readCut(const MinCutGraph &cutGraph) const;

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
