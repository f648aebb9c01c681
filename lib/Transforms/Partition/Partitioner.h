//===- Partitioner.h - What the passes that cut share -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From a joint function to the two functions it is split into, for
/// `rng-partition` and `rng-rematerialize`: all is decided and built outside of
/// the module, so that an error leaves the module as it was.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_PARTITIONER_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_PARTITIONER_H

#include "RngDialect/Transforms/GeneratorEffects/PureCalls.h"
#include "RngDialect/Transforms/Partition/CostInterface.h"
#include "RngDialect/Transforms/Partition/Partition.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>

namespace mlir::rng::cut {

/// A joint function and all that is decided about it before anything changes.
struct PartitionDecision {
  /// The joint function, outside of the module: what the graph speaks of and
  /// the two functions are built from.
  OwningOpRef<Operation *> joint;
  std::unique_ptr<CostModel> model;
  std::string forwardName, backwardName;
  std::optional<JointGraph> graph;
  PartitionPlan plan;
  /// The two functions, outside of the module.
  OwningOpRef<Operation *> forward, backward;

  /// Hands out the two functions, still outside of the module.
  PartitionedFunction release();
};

/// Erases what nothing needs inside of `root`, also inside of regions, where
/// dead ops would capture values and have them saved.
void eraseDeadOps(Operation *root);

/// Merges ops of `block` that compute the same, calls of pure functions among
/// them, which CSE takes for side effects. CSE would merge inside of regions as
/// well, and those of what a backward computes again would come out other than
/// those of the forward, which did not have all of the forward before them.
void mergeEqualOps(Block &block, const PureCalls &calls);

/// Decides and builds: fills in the graph, the plan and the two functions from
/// the joint function, the model and the names. `calls` is of the module and
/// outlives the decision. Reports an error and fails if
/// the function cannot be cut.
LogicalResult decidePartition(PartitionDecision &decision,
                              const PureCalls &calls,
                              const PartitionOptions &options);

/// Writes the reports that `options` ask for. Reports an error and fails if a
/// file cannot be written.
LogicalResult writePartitionReports(ModuleOp module,
                                    ArrayRef<PartitionDecision> decisions,
                                    const PartitionOptions &options);

/// Warns if `options` ask for reports of a module that has nothing to report;
/// `why` says what is missing and the way out.
void warnEmptyReports(ModuleOp module, const PartitionOptions &options,
                      StringRef why);

/// Says, if someone asked for such remarks of the pass `passName`, why each
/// value is saved and each op that may not be recomputed is not.
void reportReasons(const PartitionDecision &decision,
                   const PartitionOptions &options, StringRef passName);

/// The first user of each symbol that is used in `module`, not counting
/// forwards that name their backward. Reports an error and
/// fails if that cannot be known; `wayOut` says what to do instead.
FailureOr<llvm::DenseMap<Attribute, Operation *>>
findFirstUsers(ModuleOp module, StringRef wayOut);

/// Reads "1/8" or "2".
bool parseFraction(StringRef text, uint64_t &numerator, uint64_t &denominator);

/// A remark about `pair` of the pass `passName`.
void remarkPartition(PartitionedFunction &pair, StringRef passName);

/// Adds the dialects of the ops that are built where loops and branches are cut
/// inside; without them these stay whole.
void insertDialectsOfRegions(DialectRegistry &registry);

/// Options, statistics and remarks that the passes share; `PassBase` is what
/// TableGen makes of them.
template <typename PassBase> struct CutPass : public PassBase {
  using PassBase::PassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    PassBase::getDependentDialects(registry);
    registerCostInterfaces(registry);
    func::registerInlinerExtension(registry);
    insertDialectsOfRegions(registry);
  }

protected:
  /// Runs `cut`, `partitionJointFunctions` or `rematerializePairs`, on the
  /// module with the options of the pass.
  void runCut(FailureOr<SmallVector<PartitionedFunction>> (*cut)(
                  ModuleOp, const PartitionOptions &, CostModelFactory),
              bool keepJoint = false);

private:
  FailureOr<PartitionOptions> readOptions();
  void count(PartitionedFunction &pair);
};

template <typename PassBase>
void CutPass<PassBase>::runCut(FailureOr<SmallVector<PartitionedFunction>> (
                                   *cut)(ModuleOp, const PartitionOptions &,
                                         CostModelFactory),
                               bool keepJoint) {
  FailureOr<PartitionOptions> options = readOptions();
  if (failed(options))
    return this->signalPassFailure();
  std::optional<CostTable> table;
  if (!this->costTable.empty()) {
    std::string error;
    FailureOr<CostTable> loaded = loadCostTable(this->costTable, error);
    if (failed(loaded)) {
      emitError(this->getOperation().getLoc()) << error;
      return this->signalPassFailure();
    }
    table = std::move(*loaded);
  }
  options->keepJoint = keepJoint;
  FailureOr<SmallVector<PartitionedFunction>> pairs =
      cut(this->getOperation(), *options, [&](FunctionOpInterface function) {
        auto model = std::make_unique<CostModel>(DataLayout::closest(function),
                                                 this->dynamicSize);
        model->setCostTable(table);
        return model;
      });
  if (failed(pairs))
    return this->signalPassFailure();
  for (PartitionedFunction &pair : *pairs)
    count(pair);
}

template <typename PassBase>
FailureOr<PartitionOptions> CutPass<PassBase>::readOptions() {
  PartitionOptions options;
  if (!parseFraction(this->argumentCost, options.cut.argumentCostNumerator,
                     options.cut.argumentCostDenominator))
    return emitError(
               this->getOperation().getLoc(),
               "expected argument-cost to be an integer or a fraction such as "
               "1/8 but got '")
           << this->argumentCost << "'";
  options.cut.recomputeWeight = this->recomputeWeight;
  options.cut.allowFarRecompute = this->allowFarRecompute;
  if (!this->memoryBudget.empty()) {
    std::string error;
    FailureOr<MemoryBudget> budget =
        parseMemoryBudget(this->memoryBudget, error);
    if (failed(budget))
      return emitError(this->getOperation().getLoc()) << error;
    options.cut.budget = *budget;
  }
  if (!this->peakBudget.empty()) {
    std::string error;
    FailureOr<uint64_t> bytes = parsePeakBudget(this->peakBudget, error);
    if (failed(bytes))
      return emitError(this->getOperation().getLoc()) << error;
    options.cut.peakBudget = *bytes;
  }
  options.reportFile = this->report;
  options.dotFile = this->dot;
  options.paretoFile = this->paretoCsv;
  return options;
}

template <typename PassBase>
void CutPass<PassBase>::count(PartitionedFunction &pair) {
  this->numPartitioned += 1;
  this->savedBytes += pair.sizes.saved;
  this->numRecomputed += pair.numRecomputed;
  this->recomputeCost += pair.recomputeCost;
  this->objective += pair.objective;
  remarkPartition(pair, this->getArgument());
}

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_PARTITIONER_H
