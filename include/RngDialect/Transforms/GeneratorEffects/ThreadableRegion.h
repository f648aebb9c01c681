//===- ThreadableRegion.h - Regions that state passes -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The ops with regions through which `rng-thread-state` passes the state of
/// generators.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_THREADABLEREGION_H
#define RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_THREADABLEREGION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace mlir::rng {

/// How often the regions of an op run.
enum class RegionExecution {
  /// Exactly one of the regions, once. An empty region stands for doing
  /// nothing.
  OneOf,
  /// The only region, a number of times that is known before the first.
  Counted,
  /// Any region, any number of times.
  Uncounted,
  /// The only region, once for each point of an iteration domain, in any order.
  Parallel
};

/// Threads a region from the carried values at its start on.
using ThreadRegionFn = function_ref<void(Region &region, ValueRange carried)>;

/// Lets the control flow of `scf` and `affine` implement
/// `ThreadableRegionOpInterface`. `rng-thread-state` registers it by itself.
void registerThreadableRegionModels(DialectRegistry &registry);

} // namespace mlir::rng

#include "RngDialect/Transforms/GeneratorEffects/ThreadableRegion.h.inc"

#endif // RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_THREADABLEREGION_H
