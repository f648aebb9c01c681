//===- Passes.h - All passes of the folders below ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_PASSES_H
#define RNGDIALECT_TRANSFORMS_PASSES_H

#include "RngDialect/Transforms/CheckStreams/Passes.h"
#include "RngDialect/Transforms/Driver/Passes.h"
#include "RngDialect/Transforms/Partition/Passes.h"
#include "RngDialect/Transforms/Threading/Passes.h"

namespace mlir::rng {

/// Registers all of them by their names.
inline void registerRngTransformsPasses() {
  registerRngCheckStreamsPasses();
  registerRngDriverPasses();
  registerRngPartitionPasses();
  registerRngThreadingPasses();
}

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_PASSES_H
