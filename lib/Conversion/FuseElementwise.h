//===- FuseElementwise.h - Regions of elementwise ops -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parts of rng-fuse-elementwise: what is decided (`planRegions`), and how it is
/// done (`buildRegion`).
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_FUSEELEMENTWISE_H
#define RNGDIALECT_LIB_CONVERSION_FUSEELEMENTWISE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

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

/// About how many instructions an element of `op` takes: one an op, 16 a math
/// function, 64 a draw.
int64_t getBodyCost(linalg::GenericOp op);

/// The regions of `block`, in an order in which they can be built. Moves ops in
/// the block so that the ops of each region are neighbours and all of them
/// follow what any of them uses.
SmallVector<FusedRegion> planRegions(Block &block, const RegionLimits &limits);

/// Replaces the ops of `region`, neighbours in their block, by one. Results that
/// no other op uses are not results of it.
void buildRegion(RewriterBase &rewriter, const FusedRegion &region);

} // namespace mlir::rng

#endif // RNGDIALECT_LIB_CONVERSION_FUSEELEMENTWISE_H
