//===- InitAll.h - All that a tool registers --------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_INITALL_H
#define RNGDIALECT_INITALL_H

#include "RngDialect/Conversion/Dependencies.h"
#include "RngDialect/Conversion/Pipelines.h"
#include "RngDialect/Transforms/Passes.h"

namespace mlir::rng {

/// Registers the dialect and all that the pipelines need of upstream in
/// `registry`, and all passes and pipelines. Other dialects of programs are the
/// tool's to register.
inline void registerAllRng(DialectRegistry &registry) {
  registerRngPipelineDependencies(registry);
  registerRngTransformsPasses();
  registerRngConversionPasses();
  registerRngPipelines();
}

} // namespace mlir::rng

#endif // RNGDIALECT_INITALL_H
