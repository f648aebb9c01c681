//===- RngPieces.h - Pieces of tensor draws ---------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_DIALECT_IR_RNGPIECES_H
#define RNGDIALECT_LIB_DIALECT_IR_RNGPIECES_H

#include "RngDialect/IR/RngOps.h"

namespace mlir::rng::ir {

/// Whether the draw of the piece of the tensor draw `op` that starts at
/// `starts`, one for each of its dimensions, and has `shape` (its last
/// dimensions, the others have extent 1) is a valid op. A piece out of bounds,
/// or larger than any memory, may well stand in code that never runs, to which
/// constants propagate: no error, but no draw of it either.
bool isPieceInBounds(StatelessDrawOpInterface op, ArrayRef<int64_t> shape,
                     ArrayRef<OpFoldResult> starts);

/// Builds the draw of just that piece of `op`: a slice of the same logical
/// draw, whose starts add to those of `op`. Its result has `type`, a tensor or
/// a scalar, with dynamic dimensions `sizes`. It must be in bounds.
StatelessDrawOpInterface buildPiece(OpBuilder &b, Location loc,
                                    StatelessDrawOpInterface op, Type type,
                                    ArrayRef<OpFoldResult> starts,
                                    ValueRange sizes);

} // namespace mlir::rng::ir

#endif // RNGDIALECT_LIB_DIALECT_IR_RNGPIECES_H
