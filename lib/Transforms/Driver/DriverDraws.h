//===- DriverDraws.h - Draws that a test driver compares --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a generated driver has to know of the draws of a function before it
/// compares their values.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_DRIVER_DRIVERDRAWS_H
#define RNGDIALECT_LIB_TRANSFORMS_DRIVER_DRIVERDRAWS_H

#include "RngDialect/IR/RngOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::rng::driver {

using Draws = SmallVector<StatelessDrawOpInterface>;

/// The draws of `function` whose values can be compared: stateless draws of
/// tensors outside of nested regions; none if it does not end in a return.
Draws getComparableDraws(func::FuncOp function);

/// Indices into a list of draws.
struct DrawCandidates {
  SmallVector<unsigned> draws;
  /// They have the location of the draw in question, which has one.
  bool areLocated = false;
};

/// Which of `others` may be `draw`. An op that is computed again keeps its
/// location. Where locations tell nothing, any draw of the type may be the one.
DrawCandidates findCandidates(StatelessDrawOpInterface draw,
                              ArrayRef<StatelessDrawOpInterface> others);

/// Whether the state of `draw` is that of a generator, or may be; not if it is
/// computed from arguments and constants.
bool dependsOnGenerator(StatelessDrawOpInterface draw);

/// Whether the state of `draw` depends on an argument of `function`, which it
/// is in, that is a state.
bool dependsOnPassedState(StatelessDrawOpInterface draw, func::FuncOp function);

/// How many elements two draws need for it to mean something that they are
/// equal: many where a boolean is nearly always the same.
int64_t getMinElementsToDiffer(StatelessDrawOpInterface draw);

/// A private copy of `function` that returns the values of `draws` alone, and
/// computes no more than it must for them and for its side effects.
func::FuncOp cloneForDraws(func::FuncOp function, const Draws &draws,
                           SymbolTable &symbols);

} // namespace mlir::rng::driver

#endif // RNGDIALECT_LIB_TRANSFORMS_DRIVER_DRIVERDRAWS_H
