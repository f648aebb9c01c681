//===- Passes.h - Passes of this folder -------------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_PASSES_H
#define RNGDIALECT_CONVERSION_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::rng {

/// How math functions are computed: by polynomials of our own, the same bits on
/// every target, or by the C library.
enum class MathLowering { Poly, Libm };

#define GEN_PASS_DECL
#include "RngDialect/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "RngDialect/Conversion/Passes.h.inc"

/// What the patterns of convert-rng-to-arith do; its options.
struct RngToArithOptions {
  /// Leave draws from scalars in the bodies of structured ops.
  bool keepInBodies = false;
  /// More blocks of neighbouring lanes than this become one vector.
  unsigned maxScalarBlocks = 1;
};

/// Lowers scalar and vector draws, `rng.advance`, `rng.fold_in` and `rng.split`
/// (convert-rng-to-arith). A draw that its algorithm does not define is left,
/// with the reason as a match failure.
void populateRngToArithPatterns(RewritePatternSet &patterns,
                                RngToArithOptions options = {});

/// Lowers `rng.reserve_memory` (convert-rng-memory-to-linalg). One that cannot
/// be lowered is left, with the reason as a match failure.
void populateRngMemoryToLinalgPatterns(RewritePatternSet &patterns);

/// Lowers tensor draws (convert-rng-to-linalg). A draw that its algorithm does
/// not define is left, with the reason as a match failure. `snapshotsInBody`:
/// as the option snapshots-in-body.
void populateRngToLinalgPatterns(RewritePatternSet &patterns,
                                 bool snapshotsInBody = false);

/// Drops insertions and concatenations of tensors without elements
/// (rng-drop-empty-slices).
void populateDropEmptySlicesPatterns(RewritePatternSet &patterns);

/// Moves contiguous loops inside reductions, on buffers (rng-order-loops).
void populateOrderLoopsPatterns(RewritePatternSet &patterns);

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_PASSES_H
