//===- FuseElementwise.h - Regions of elementwise ops -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parts of rng-fuse-elementwise and rng-fuse-rows: what is decided
/// (`planRegions`), and how it is done (`buildRegion`).
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_LINALGFUSION_FUSEELEMENTWISE_H
#define RNGDIALECT_LIB_CONVERSION_LINALGFUSION_FUSEELEMENTWISE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/FunctionExtras.h"

namespace mlir::rng {

/// What one op may become.
struct RegionLimits {
  /// Of its body, in the units of `getBodyCost`.
  int64_t cost;
  /// Tensors that it reads and writes.
  int64_t operands;
};

/// Ops that become one `linalg.generic`.
struct FusedRegion {
  /// Ops over one iteration space whose results may be results of the fused op,
  /// in program order; or one op of any kind, such as a reduction.
  SmallVector<linalg::GenericOp> members;
  /// Ops that only members and other guests read, in program order.
  SmallVector<linalg::GenericOp> guests;
};

/// Whether each point of `op` computes an element of each of its results, with
/// the same indices, from operands on tensors and without effects.
bool isElementwise(linalg::GenericOp op);

/// Whether repeating the body of `op` costs more than reading its result.
bool isCostly(linalg::GenericOp op);

/// About how many instructions an element of `op` takes, where neighbours share
/// the stream blocks of draws (see BodyWork.h).
int64_t getBodyCost(linalg::GenericOp op);

/// What makes ops a region.
struct RegionRules {
  /// The space of an op, null if it can be in no region: regions are of ops of
  /// one space.
  llvm::unique_function<std::optional<SmallVector<unsigned>>(linalg::GenericOp)>
      getSpace;
  /// Whether an op at a point of its space reads at that point only, through
  /// this operand, what an op of the same space makes.
  llvm::unique_function<bool(OpOperand &)> readsOwnPoint;
  /// Whether two ops that read one tensor through such operands are connected.
  llvm::unique_function<bool(OpOperand &)> connects;
  /// Whether regions, and other linalg ops, have guests.
  bool haveGuests;
  RegionLimits limits;
};

/// The regions of `block` of two ops and more, in an order in which they can be
/// built. Moves ops in the block so that the ops of each region are neighbours
/// and all of them follow what any of them uses.
SmallVector<FusedRegion> planRegions(Block &block, RegionRules &rules);

/// Blocks in `root` with linalg ops on tensors whose ops run one after the
/// other.
SmallVector<Block *> findLinalgBlocks(Operation *root);

/// Replaces the ops of `region`, neighbours in their block, by one. Results
/// that no other op uses are not results of it.
void buildRegion(RewriterBase &rewriter, const FusedRegion &region);

} // namespace mlir::rng

#endif // RNGDIALECT_LIB_CONVERSION_LINALGFUSION_FUSEELEMENTWISE_H
