//===- Reasons.h - Why a pass left something as it was ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Answers to "why was this not fused, vectorised, recomputed?": upstream's
/// optimization remarks, off unless someone asks.
///
///     rng-opt --rng-to-cpu --remarks-filter-missed=rng-fuse input.mlir
///
/// prints, of each pass whose argument the regular expression matches, one
/// remark for each thing that it left as it was:
///
///     input.mlir:9:8: remark: [Missed] NotFused |
///         Category:rng-fuse-elementwise | Function=f | Reason="..."
///
/// An embedder gets the same by `remark::enableOptimizationRemarks`.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_SUPPORT_REASONS_H
#define RNGDIALECT_TRANSFORMS_SUPPORT_REASONS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/Twine.h"

namespace mlir::rng {

/// Whether someone asked for remarks at all. To be asked before work that is
/// done for a reason's text alone, such as a second walk; `reportMissed` asks
/// itself.
bool wantsReasons(MLIRContext *context);

/// Says that the pass with the argument `pass` did not do something with `op`:
/// what ("NotFused"), and why: a clause in lower case without a full stop that
/// names what is in the way ("a reduction reads it in another order"). Nothing
/// is rendered unless a filter for missed remarks matches `pass`. `pass` and
/// `what` are constants: upstream keeps both strings, without a copy, until it
/// prints the remark.
void reportMissed(Operation *op, StringRef pass, StringRef what,
                  const Twine &why);

/// The same of what is no op, such as an argument of `function`, which may be
/// empty.
void reportMissed(Location loc, StringRef function, StringRef pass,
                  StringRef what, const Twine &why);

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_SUPPORT_REASONS_H
