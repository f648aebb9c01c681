//===- BackwardState.h - Where the backward takes over a state --*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A joint function is to be split: what its forward part draws, and what its
// backward part draws in a number that no cotangent decides, is reserved when
// the forward is called. From the first op on that moves a generator as only
// the backward knows, the generator is the backward's, which moves it when it
// is called. Here is where that op is; ThreadState acts on it.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_THREADING_BACKWARDSTATE_H
#define RNGDIALECT_LIB_TRANSFORMS_THREADING_BACKWARDSTATE_H

#include "RngDialect/Transforms/GeneratorEffects/DrawingFunctions.h"

namespace mlir::rng::threading {

using effects::DrawingFunctions;

/// Finds for each joint function of `functions`, those of `module`, where the
/// backward takes over the state of a generator, and fills in `handOvers` and
/// `backwardLoops`. Reports, and fails on, what the forward draws or reads
/// behind such a place. Changes nothing else.
LogicalResult findBackwardState(DrawingFunctions &functions, ModuleOp module);

} // namespace mlir::rng::threading

#endif // RNGDIALECT_LIB_TRANSFORMS_THREADING_BACKWARDSTATE_H
