//===- RegionTrips.h - How often regions run --------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What constants say about how often the regions of an op run: the one truth of
// those who count the stream blocks of loops and of those who look for draws
// that read the same ones. Draws that never run conflict with none.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_REGIONTRIPS_H
#define RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_REGIONTRIPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>

namespace mlir::rng::effects {

/// The number of iterations of the loop `op`, if it is constant: by
/// `ThreadableRegionOpInterface`, else by upstream's `LoopLikeOpInterface`.
std::optional<uint64_t> getConstantTripCount(Operation *op);

/// Whether running `op` means to run at most one of its regions, once.
bool choosesOneRegion(Operation *op);

/// Whether constants keep `op`, which enters at most one of its regions, from
/// entering `region`.
bool isNeverEntered(Operation *op, Region &region);

/// The basic blocks of `region` that its entry leads to, but for branches that
/// constants keep from being taken, and for those that lead to nothing but what
/// must not be reached (`ub.unreachable`).
llvm::SmallPtrSet<Block *, 16> getEnteredBlocks(Region &region);

/// Whether the condition of `loop` is false when it is first asked for: the
/// first region runs once, the second one never.
bool stopsAtOnce(scf::WhileOp loop);

} // namespace mlir::rng::effects

#endif // RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_REGIONTRIPS_H
