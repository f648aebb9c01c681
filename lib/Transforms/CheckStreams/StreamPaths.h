//===- StreamPaths.h - Which operations run together ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether two operations of a function run in one run of it, the values that
// both use being the same: what makes two draws from one place in the stream a
// fault.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMPATHS_H
#define RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMPATHS_H

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Operation.h"

namespace mlir::rng::streams {

/// Whether two operations run together.
enum class Together { Never, Perhaps, Certainly };

class StreamPaths {
public:
  explicit StreamPaths(Operation *function)
      : dominance(function), postDominance(function) {}

  /// Whether `op` runs whenever `ancestor`, which contains it, does. Loops are
  /// taken to run at least once.
  static bool runsAlways(Operation *op, Operation *ancestor);

  /// Whether running one of the two means running the other, too, without
  /// entering one of `redefinitions` in between. Of two conditionals that is
  /// certain only if they have the same condition. `conditionalA`, `B`: one
  /// more condition that the operation itself looks at.
  Together runTogether(Operation *a, Operation *b,
                       ArrayRef<Block *> redefinitions, bool conditionalA,
                       bool conditionalB);

private:
  Together runTogetherInRegion(Block *a, Block *b,
                               ArrayRef<Block *> redefinitions);
  bool reaches(Block *a, Block *b, ArrayRef<Block *> redefinitions);
  bool leaves(Block *block, ArrayRef<Block *> redefinitions);

  DominanceInfo dominance;
  PostDominanceInfo postDominance;
  /// Basic blocks that may still be visited by searches for paths.
  unsigned budget = 1000000;
};

} // namespace mlir::rng::streams

#endif // RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMPATHS_H
