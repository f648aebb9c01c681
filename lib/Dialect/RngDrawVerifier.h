//===- RngDrawVerifier.h - What draws must satisfy ----------- -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_DIALECT_RNGDRAWVERIFIER_H
#define RNGDIALECT_LIB_DIALECT_RNGDRAWVERIFIER_H

#include "RngDialect/IR/RngOps.h"

namespace mlir::rng {

/// `generator` (may be null) must be the symbol of an `rng.generator`.
LogicalResult verifyGenerator(Operation *op, FlatSymbolRefAttr generator,
                              SymbolTableCollection &symbolTable);

/// `type` must be a ranked tensor, a vector or a scalar of an element type that
/// `distribution` draws, with `numSizes` dynamic dimensions.
LogicalResult verifyDrawType(Operation *op, Distribution distribution,
                             Type type, size_t numSizes);

} // namespace mlir::rng

#endif // RNGDIALECT_LIB_DIALECT_RNGDRAWVERIFIER_H
