//===- Passes.h - State of generators as values -----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_THREADING_PASSES_H
#define RNGDIALECT_TRANSFORMS_THREADING_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::rng {

/// Where a public function that draws has its state from: option `entry` of
/// `rng-thread-state`.
enum class ThreadStateEntry {
  /// The state of the generator; the signature is kept.
  State,
  /// Arguments (seed, offset) for each generator; the state is returned.
  Arguments,
  /// One memory argument, read and advanced on the device.
  Memory
};

#define GEN_PASS_DECL
#include "RngDialect/Transforms/Threading/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "RngDialect/Transforms/Threading/Passes.h.inc"

/// Replaces each stateful draw by an `rng.reserve` of its stream blocks and the
/// stateless draw at the state that it yields: the meaning of a stateful draw,
/// one at a time, wherever it stands.
void populateReserveDrawsPatterns(RewritePatternSet &patterns);

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_THREADING_PASSES_H
