//===- ElementwiseForms.h - Forms of elementwise ops ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What rng-fuse-elementwise makes of ops before it plans groups, and of the
/// groups once they are built.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_LINALGFUSION_ELEMENTWISEFORMS_H
#define RNGDIALECT_LIB_CONVERSION_LINALGFUSION_ELEMENTWISEFORMS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::rng::fusion {

/// Brings the ops in `root` into forms that make groups larger: loops in the
/// order of the results, and operands and sizes read from where they come from.
void enlargeGroups(Operation *root, RewriterBase &rewriter);

/// Upstream's folds of constants, destinations that are not read, and results
/// and operands without uses into elementwise ops.
LogicalResult cleanUpElementwise(Operation *root);

} // namespace mlir::rng::fusion

#endif // RNGDIALECT_LIB_CONVERSION_LINALGFUSION_ELEMENTWISEFORMS_H
