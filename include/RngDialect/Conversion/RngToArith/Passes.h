//===- Passes.h - Draws as arithmetic ---------------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_RNGTOARITH_PASSES_H
#define RNGDIALECT_CONVERSION_RNGTOARITH_PASSES_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::rng {

#define GEN_PASS_DECL
#include "RngDialect/Conversion/RngToArith/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "RngDialect/Conversion/RngToArith/Passes.h.inc"

/// What the patterns of convert-rng-to-arith do; its options.
struct RngToArithOptions {
  /// Leave draws from scalars in the bodies of structured ops.
  bool keepInBodies = false;
  /// More stream blocks of neighbouring lanes than this become one vector.
  unsigned maxScalarBlocks = 1;
};

/// Lowers scalar and vector draws, `rng.advance`, `rng.fold_in` and `rng.split`
/// (convert-rng-to-arith). A draw that its algorithm does not define is left,
/// with the reason as a match failure.
void populateRngToArithPatterns(RewritePatternSet &patterns,
                                RngToArithOptions options = {});

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_RNGTOARITH_PASSES_H
