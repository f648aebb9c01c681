//===- Partition.h - The cut of a joint function ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From a joint function to a forward and a backward: which values to save (a
/// minimum cut), which ops to recompute, and the two functions.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_PARTITION_PARTITION_H
#define RNGDIALECT_TRANSFORMS_PARTITION_PARTITION_H

#include "RngDialect/IR/RngAttrs.h"
#include "RngDialect/Transforms/JointFunctions/JointGraph.h"
#include "RngDialect/Transforms/Partition/CostModel.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <optional>
#include <string>

namespace mlir::rng {

/// A bound on the bytes that are saved: a number of bytes, or how far between
/// the least possible and saving everything that is used. Values count with all
/// their bytes (`CostModel::getBytes`), also arguments, primal results and
/// scalars, persistent ones with none.
struct MemoryBudget {
  /// Fractions are `numerator` / `kDenominator`.
  static constexpr uint64_t kDenominator = 1000000000;
  bool isFraction = false;
  uint64_t numerator = 0;
  uint64_t bytes = 0;

  /// The bound, given the least bytes and those of saving everything: `bytes`,
  /// or least + fraction * (everything - least), rounded down.
  uint64_t getBytes(uint64_t least, uint64_t everything) const;
};

/// Reads "1000000", "64KiB", "1.5MiB", "2GiB", "1TiB" (bytes, rounded down) or
/// "0.5" (a fraction from 0.0 to 1.0, which has a point). Where `text` is none
/// of these, fails and says why in `error`.
FailureOr<MemoryBudget> parseMemoryBudget(StringRef text, std::string &error);

/// Reads likewise a number of bytes; a fraction is none.
FailureOr<uint64_t> parsePeakBudget(StringRef text, std::string &error);

/// What the cut is told besides the costs of ops and types.
struct CutOptions {
  /// Saving an argument or a primal result costs this fraction of its bytes.
  uint64_t argumentCostNumerator = 1;
  uint64_t argumentCostDenominator = 8;
  /// Factor on all work; 0 lets bytes alone decide.
  uint64_t recomputeWeight = 1;
  /// Takes the cut in which far joins may be recomputed, whatever the peak (see
  /// `findFarJoins` and `planPartition`). Under a budget they may be anyway.
  bool allowFarRecompute = false;
  /// With a budget the plan is the one of least recompute cost within it, and
  /// ops that are `RecomputeCost::Discouraged` may be recomputed, and far
  /// joins. Costs of saving and `recomputeWeight` then decide nothing.
  std::optional<MemoryBudget> budget;
  /// Bounds the peak of live bytes of the backward (see `getPeakLiveBytes`).
  std::optional<uint64_t> peakBudget;
};

/// A value handed from the forward to the backward.
struct SavedValue {
  /// Its number in the graph.
  unsigned value;
  SavedKind kind;
  /// The argument or result of the forward.
  unsigned index;
};

/// An op that a loop or branch of the backward computes again, in its region.
struct RecomputedWithin {
  OperationName op;
  Location location;
  /// Of all iterations, in units of `CostModel`.
  uint64_t cost;
  /// "loop" or "branch": the innermost one around it.
  StringRef within;
};

/// What became of the loops and branches of a joint function (see
/// SplitRegions.h).
struct RegionPlan {
  std::vector<RecomputedWithin> recomputed;
  /// Bytes of the tapes and results that loops and branches yield no longer,
  /// less those that they yield instead, and the part of the former that are
  /// booleans.
  uint64_t unsavedBytes = 0;
  uint64_t unsavedMaskBytes = 0;
};

/// What to save and what to recompute, for one joint function.
struct PartitionPlan {
  /// Tensors by first definition, then values without a shape.
  std::vector<SavedValue> saved;
  /// For each op without a cotangent: whether the backward computes it.
  std::vector<bool> inBackward;
  /// What is computed again within loops and branches of the backward, which
  /// are ops of the graph, is part of the numbers below.
  RegionPlan regions;
  /// Ops of the forward that the backward computes again, not counting those
  /// without operands (constants and the like).
  unsigned numRecomputed = 0;
  /// Capacity of the cut, in units of `CostModel`. Under a budget: what the
  /// plan costs, at the same prices.
  uint64_t objective = 0;
  /// Work of the ops of the forward that the backward computes again, in units
  /// of `CostModel`, without `CutOptions::recomputeWeight`.
  uint64_t recomputeCost = 0;
  /// Under a budget: no plan within it has a `recomputeCost` below this.
  std::optional<uint64_t> recomputeBound;
  /// Under a budget: the bytes that it allows, also where it is a fraction.
  std::optional<uint64_t> budgetBytes;
  /// For each op: whether it is a far join that the plan may not recompute.
  std::vector<bool> closedJoins;
  /// How many backwards the peak of live bytes was found for.
  unsigned numPeaks = 0;

  /// The numbers of the saved values, in the order of `saved`.
  SmallVector<unsigned> getSavedValues() const {
    return llvm::map_to_vector(
        saved, [](const SavedValue &entry) { return entry.value; });
  }
};

/// Finds the ops that join a value with one that depends on it through a
/// barrier (a contraction or an unknown op), such as the addition of a residual
/// stream. Recomputing them may drag a chain of layers through the backward.
/// Values that lie behind no barrier themselves (constants, arguments, a mask
/// made of ids) and values without a shape do not count.
std::vector<bool> findFarJoins(const JointGraph &graph, const CostModel &model);

/// Cuts `graph` at least cost, nearest the arguments among equals, or within
/// `options.budget` (see BudgetCut.h). Without a budget far joins are
/// recomputed only as far as that spares bytes at no higher peak of live bytes
/// than if none were. Reports an error and fails if no cut is possible, with
/// the path of ops, or none within the budget, with the least.
FailureOr<PartitionPlan> planPartition(const JointGraph &graph,
                                       const CostModel &model,
                                       const CutOptions &options);

/// Why a plan is as it is, in clauses for a reader.
struct PlanReasons {
  /// For each of `PartitionPlan::saved`: why it is saved.
  std::vector<std::string> saved;
  /// The ops that may not be computed again, by number and in program order,
  /// and why: "it is a contraction".
  std::vector<std::pair<unsigned, std::string>> notRecomputed;
};

/// Explains `plan`, which `planPartition` made of the same graph, model and
/// options. Takes about as long as to price all ops.
PlanReasons explainPlan(const JointGraph &graph, const CostModel &model,
                        const CutOptions &options, const PartitionPlan &plan);

/// What a budget of `savedBytes` leads to.
struct ParetoPoint {
  /// As budgets count them.
  uint64_t savedBytes;
  /// See `PartitionPlan`.
  uint64_t recomputeCost;
  unsigned numRecomputed;
  unsigned numSaved;
};

/// What budgets of all sizes lead to, from the least bytes to the least
/// recompute cost, each point with more of the one and less of the other than
/// the one before (see `BudgetGraph::findCurve`). `options.budget` is not
/// looked at. Reports an error and fails as `planPartition` does.
FailureOr<std::vector<ParetoPoint>> findParetoCurve(const JointGraph &graph,
                                                    const CostModel &model,
                                                    const CutOptions &options);

/// Prints the line of comma-separated values that names the columns of
/// `printParetoCurve`.
void printParetoHeader(llvm::raw_ostream &os);

/// Prints a line of comma-separated values for each point: `function`, quoted
/// if need be, and the members of the point in their order.
void printParetoCurve(llvm::raw_ostream &os, StringRef function,
                      ArrayRef<ParetoPoint> points);

/// Fails, with an error, if the function type of the joint function cannot
/// express the two functions of `plan`.
LogicalResult checkSignatures(const JointGraph &graph,
                              const PartitionPlan &plan);

/// Creates the two functions of `plan`, which is of `graph`, at the insertion
/// point of `b`, detached if it has none, and returns (forward, backward). The
/// joint function stays as it is. `checkSignatures` must have succeeded.
std::pair<FunctionOpInterface, FunctionOpInterface>
splitFunction(OpBuilder &b, const JointGraph &graph, const PartitionPlan &plan,
              StringRef forwardName, StringRef backwardName);

/// The size of what crosses from the forward to the backward, in bytes, without
/// persistent arguments.
struct PartitionSizes {
  /// Saved values, without and with the mark `rng.persistent`.
  uint64_t saved = 0;
  uint64_t persistent = 0;
  /// What saving every value of the forward that the backward uses would take,
  /// and the part of it that are draws or booleans.
  uint64_t everything = 0;
  uint64_t everythingMasks = 0;
};

/// Adds up what `plan` saves and what saving everything would take, by
/// `CostModel::getBytes`; sums saturate.
PartitionSizes measurePartition(const JointGraph &graph,
                                const PartitionPlan &plan,
                                const CostModel &model);

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// What is to be cut how, and which files are to say so.
struct PartitionOptions {
  CutOptions cut;
  /// Keep the joint functions; without it a use of one is an error.
  bool keepJoint = false;
  /// File for the report (see `PartitionReport`), "-" for stdout, none if
  /// empty; JSON if it ends in ".json".
  std::string reportFile;
  /// File for the drawing, "-" for stdout, none if empty.
  std::string dotFile;
  /// File for the curve of what each budget costs, likewise.
  std::string paretoFile;
};

/// What became of a joint function.
struct PartitionedFunction {
  FunctionOpInterface forward, backward;
  size_t numSaved = 0;
  unsigned numRecomputed = 0;
  /// Capacity of the cut, in units of `CostModel`.
  uint64_t objective = 0;
  /// See `PartitionPlan`.
  uint64_t recomputeCost = 0;
  PartitionSizes sizes;
};

/// Makes the cost model for a joint function; never null.
using CostModelFactory =
    llvm::function_ref<std::unique_ptr<CostModel>(FunctionOpInterface)>;

/// Partitions the joint functions of `module`, those of nested modules not
/// among them; what the pass `rng-partition` does, open to other cost models.
/// The model that `makeModel` makes of a joint function is also shown the ops
/// of a copy of it. Reports errors and fails, and `module` is then as it was,
/// if one of the functions cannot be partitioned or the report not be written.
FailureOr<SmallVector<PartitionedFunction>>
partitionJointFunctions(ModuleOp module, const PartitionOptions &options,
                        CostModelFactory makeModel);

/// Joins the pairs of `module` that `rng.backward` links and cuts them anew;
/// what the pass `rng-rematerialize` does. The model that `makeModel` makes of
/// the forward is also shown ops of both functions. Reports errors and fails,
/// and `module` is then as it was, if a pair cannot be joined or cut, or a
/// report not be written.
FailureOr<SmallVector<PartitionedFunction>>
rematerializePairs(ModuleOp module, const PartitionOptions &options,
                   CostModelFactory makeModel);

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_PARTITION_PARTITION_H
