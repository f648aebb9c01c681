//===- FusionGroups.h - Ops that become one ---------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parts of rng-fuse-elementwise and rng-fuse-rows: what is decided
/// (`planFusionGroups`), and how it is done (`buildFusionGroup`).
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_LINALGFUSION_FUSIONGROUPS_H
#define RNGDIALECT_LIB_CONVERSION_LINALGFUSION_FUSIONGROUPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/FunctionExtras.h"

namespace mlir::rng::fusion {

/// What one op may become.
struct FusionLimits {
  /// Of its body, in the units of `getBodyCost`.
  int64_t cost;
  /// Tensors that it reads and writes.
  int64_t operands;
};

/// Ops that become one `linalg.generic`.
struct FusionGroup {
  /// Ops over one iteration domain whose results may be results of the fused
  /// op, in program order; or one op of any kind, such as a reduction.
  SmallVector<linalg::GenericOp> members;
  /// Ops that only members and other fused producers read, in program order.
  SmallVector<linalg::GenericOp> fusedProducers;
};

/// Whether each point of `op` computes an element of each of its results, with
/// the same indices, from operands on tensors and without effects.
bool isElementwise(linalg::GenericOp op);

/// Whether repeating the body of `op` costs more than reading its result.
bool isCostly(linalg::GenericOp op);

/// About how many instructions an element of `op` takes, where neighbours share
/// the stream blocks of draws (see BodyWork.h).
int64_t getBodyCost(linalg::GenericOp op);

/// What makes ops a fusion group.
struct FusionRules {
  /// The iteration domain of an op, null if it can be in no group: groups are
  /// of ops of one domain.
  llvm::unique_function<std::optional<SmallVector<unsigned>>(linalg::GenericOp)>
      getDomain;
  /// Whether an op at a point of its domain reads at that point only, through
  /// this operand, what an op of the same domain makes.
  llvm::unique_function<bool(OpOperand &)> readsOwnPoint;
  /// Whether two ops that read one tensor through such operands are connected.
  llvm::unique_function<bool(OpOperand &)> connects;
  /// Whether groups, and other linalg ops, have fused producers.
  bool fusesProducers;
  FusionLimits limits;
  /// The pass, and what it takes for members ("an elementwise op"), as its
  /// remarks name them.
  StringRef pass, memberKind;
};

/// The fusion groups of `block` of two ops and more, in an order in which they
/// can be built. Moves ops in the basic block so that the ops of each group are
/// neighbours and all of them follow what any of them uses.
SmallVector<FusionGroup> planFusionGroups(Block &block, FusionRules &rules);

/// Basic blocks in `root` with linalg ops on tensors whose ops run one after
/// the other.
SmallVector<Block *> findLinalgBlocks(Operation *root);

/// Replaces the ops of `group`, neighbours in their basic block, by one.
/// Results that no other op uses are not results of it.
void buildFusionGroup(RewriterBase &rewriter, const FusionGroup &group);

} // namespace mlir::rng::fusion

#endif // RNGDIALECT_LIB_CONVERSION_LINALGFUSION_FUSIONGROUPS_H
