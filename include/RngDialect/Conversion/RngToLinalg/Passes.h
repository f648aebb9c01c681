//===- Passes.h - Tensor draws as linalg ------------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_RNGTOLINALG_PASSES_H
#define RNGDIALECT_CONVERSION_RNGTOLINALG_PASSES_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::rng {

#define GEN_PASS_DECL
#include "RngDialect/Conversion/RngToLinalg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "RngDialect/Conversion/RngToLinalg/Passes.h.inc"

/// Lowers tensor draws (convert-rng-to-linalg). A draw that its algorithm does
/// not define is left, with the reason as a match failure. `snapshotsInBody`:
/// as the option snapshots-in-body.
void populateRngToLinalgPatterns(RewritePatternSet &patterns,
                                 bool snapshotsInBody = false);

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_RNGTOLINALG_PASSES_H
