//===- Assignment.h - A choice that can be changed --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_CUTSOLVER_ASSIGNMENT_H
#define RNGDIALECT_LIB_TRANSFORMS_CUTSOLVER_ASSIGNMENT_H

#include "BudgetCore.h"

namespace mlir::rng::cut {

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

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_CUTSOLVER_ASSIGNMENT_H
