//===- Passes.h - State kept in memory --------------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_RNGMEMORYTOLINALG_PASSES_H
#define RNGDIALECT_CONVERSION_RNGMEMORYTOLINALG_PASSES_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::rng {

#define GEN_PASS_DECL
#include "RngDialect/Conversion/RngMemoryToLinalg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "RngDialect/Conversion/RngMemoryToLinalg/Passes.h.inc"

/// Lowers `rng.reserve_memory` (convert-rng-memory-to-linalg). One that cannot
/// be lowered is left, with the reason as a match failure.
void populateRngMemoryToLinalgPatterns(RewritePatternSet &patterns);

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_RNGMEMORYTOLINALG_PASSES_H
