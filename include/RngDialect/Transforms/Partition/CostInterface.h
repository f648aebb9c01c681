//===- CostInterface.h - What a dialect's ops cost --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How a dialect tells the partition what its ops cost. A compiler with ops of
/// its own derives from `CostInterface` and adds it to its dialect
/// (`addInterfaces`). Ops of a dialect that says nothing have an unknown cost:
/// they are saved rather than recomputed, unless they are elementwise.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_PARTITION_COSTINTERFACE_H
#define RNGDIALECT_TRANSFORMS_PARTITION_COSTINTERFACE_H

#include "RngDialect/Transforms/Partition/CostModel.h"
#include "mlir/IR/DialectInterface.h"

namespace mlir::rng {

/// The costs of the ops of one dialect, constants and ops with side effects
/// apart: these are the same for all dialects.
class CostInterface : public DialectInterface::Base<CostInterface> {
public:
  explicit CostInterface(Dialect *dialect) : Base(dialect) {}

  /// What executing `op` again costs. `model` answers for what is nested in it
  /// and for the sizes of types.
  virtual RecomputeCost getRecomputeCost(Operation *op,
                                         const CostModel &model) const = 0;

  /// Work of `op` for each element that it yields, as in the body of a
  /// `linalg.generic`; none if not known.
  virtual std::optional<uint64_t> getWorkPerElement(Operation *op) const {
    return std::nullopt;
  }

  /// What the work of an element is spent on, for a cost table.
  virtual WorkKind getWorkKind(Operation *op) const { return WorkKind::Arith; }

  /// Why `result` is not to be saved ("repeats one scalar"), empty if it may
  /// be. Views, constants and memory are known without being asked about.
  virtual StringRef getReasonNotToSave(OpResult result) const { return {}; }

  /// Whether `result` is a view of an operand with as many elements: rebuilt
  /// for nothing, and never saved.
  virtual bool isFullSizeView(OpResult result) const { return false; }

  /// The interface of the dialect of `op`, null if it has none.
  static const CostInterface *lookup(Operation *op);
};

//===----------------------------------------------------------------------===//
// Costs that come with the project
//===----------------------------------------------------------------------===//

/// Give the dialect of the name its costs when it is loaded, unless it has some
/// of its own. Each is a file of its own: who calls the passes' functions with
/// a registry of few dialects links the costs of these alone.
void registerArithCosts(DialectRegistry &registry);
void registerFuncCosts(DialectRegistry &registry);
void registerLinalgCosts(DialectRegistry &registry);
void registerMathCosts(DialectRegistry &registry);
void registerRngCosts(DialectRegistry &registry);
void registerSCFCosts(DialectRegistry &registry);
void registerTensorCosts(DialectRegistry &registry);
void registerTosaCosts(DialectRegistry &registry);

/// All of the above. `rng-partition` and `rng-rematerialize` do this by
/// themselves; who calls `partitionJointFunctions` does it, or some of it, when
/// making the context.
void registerCostInterfaces(DialectRegistry &registry);

} // namespace mlir::rng

MLIR_DECLARE_EXPLICIT_TYPE_ID(mlir::rng::CostInterface)

#endif // RNGDIALECT_TRANSFORMS_PARTITION_COSTINTERFACE_H
