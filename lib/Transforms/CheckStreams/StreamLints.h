//===- StreamLints.h - Suspicious constants of draws ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMLINTS_H
#define RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMLINTS_H

#include "mlir/IR/Operation.h"

namespace mlir::rng::streams {

/// Warns if `op` is a draw with constant parameters that have a defined result
/// but hardly the wanted one: an empty or infinite range, a probability outside
/// [0, 1], a NaN, a negative deviation; or, by what the stream says, another
/// rate than the probability. Returns whether it warned.
bool lintDraw(Operation *op);

} // namespace mlir::rng::streams

#endif // RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMLINTS_H
