//===- Passes.h - Two draws of one place ------------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_CHECKSTREAMS_PASSES_H
#define RNGDIALECT_TRANSFORMS_CHECKSTREAMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::rng {

/// What a finding of `rng-check-streams` is: its option `severity`.
enum class CheckStreamsSeverity { Error, Warning };

#define GEN_PASS_DECL
#include "RngDialect/Transforms/CheckStreams/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "RngDialect/Transforms/CheckStreams/Passes.h.inc"

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_CHECKSTREAMS_PASSES_H
