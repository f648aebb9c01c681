//===- Partition.h - The cut of a joint function -------------- -*- C++ -*-===//
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

#ifndef RNGDIALECT_TRANSFORMS_PARTITION_H
#define RNGDIALECT_TRANSFORMS_PARTITION_H

#include "RngDialect/IR/RngAttrs.h"
#include "RngDialect/Transforms/CostModel.h"
#include "RngDialect/Transforms/JointGraph.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <string>

namespace mlir::rng {

/// What the cut is told besides the costs of ops and types.
struct CutOptions {
  /// Saving an argument or a primal result costs this fraction of its bytes.
  uint64_t argumentCostNumerator = 1;
  uint64_t argumentCostDenominator = 8;
  /// Factor on all work; 0 lets bytes alone decide.
  uint64_t recomputeWeight = 1;
  /// Lifts the far-recompute rule (see `FarJoins`).
  bool allowFarRecompute = false;
};

/// A value handed from the forward to the backward.
struct SavedValue {
  /// Its number in the graph.
  unsigned value;
  SavedKind kind;
  /// The argument or result of the forward.
  unsigned index;
};

/// The decision.
struct PartitionPlan {
  /// Tensors by first definition, then values without a shape.
  std::vector<SavedValue> saved;
  /// For each op without a cotangent: whether the backward computes it.
  std::vector<bool> inBackward;
  /// Ops of the forward that the backward computes again, not counting those
  /// without operands (constants and the like).
  unsigned numRecomputed = 0;
  /// Capacity of the cut, in units of `CostModel`.
  uint64_t objective = 0;
};

/// Finds the ops that join a value with one that depends on it through a
/// barrier (a contraction or an unknown op), such as the addition of a residual
/// stream. Recomputing them would drag a chain of layers through the backward.
/// Values that never have to be computed (constants, persistent arguments) and
/// values without a shape do not count.
std::vector<bool> findFarJoins(const JointGraph &graph, const CostModel &model);

/// Cuts `graph` at least cost, nearest the arguments among equals. Reports an
/// error that names the path of ops and fails if no cut is possible.
FailureOr<PartitionPlan> planPartition(const JointGraph &graph,
                                       const CostModel &model,
                                       const CutOptions &options);

/// Fails, with an error, if the function type of the joint function cannot
/// express the two functions of `plan`.
LogicalResult checkSignatures(const JointGraph &graph,
                              const PartitionPlan &plan);

/// Creates the two functions of `plan` at the insertion point of `b`, detached
/// if it has none, and returns (forward, backward).
std::pair<FunctionOpInterface, FunctionOpInterface>
splitFunction(OpBuilder &b, const JointGraph &graph, const PartitionPlan &plan,
              StringRef forwardName, StringRef backwardName);

/// The size of what crosses from the forward to the backward, in bytes, without
/// persistent arguments.
struct PartitionSizes {
  uint64_t saved = 0;
  uint64_t persistent = 0;
  /// What saving every value of the forward that the backward uses would take,
  /// and the part of it that are draws or booleans.
  uint64_t everything = 0;
  uint64_t everythingMasks = 0;
};
PartitionSizes measurePartition(const JointGraph &graph,
                                const PartitionPlan &plan,
                                const CostModel &model);

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

struct PartitionOptions {
  CutOptions cut;
  /// Keep the joint functions; without it a use of one is an error.
  bool keepJoint = false;
  /// File for the report (see `PartitionReport`), "-" for stdout, none if
  /// empty; JSON if it ends in ".json".
  std::string reportFile;
  /// File for the drawing, "-" for stdout, none if empty.
  std::string dotFile;
};

/// What became of a joint function.
struct PartitionedFunction {
  FunctionOpInterface forward, backward;
  size_t numSaved = 0;
  unsigned numRecomputed = 0;
  /// Capacity of the cut, in units of `CostModel`.
  uint64_t objective = 0;
  PartitionSizes sizes;
};

/// Makes the cost model for a joint function.
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

#endif // RNGDIALECT_TRANSFORMS_PARTITION_H
