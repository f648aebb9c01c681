//===- RngDrawVerifier.h - What draws must satisfy --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_DIALECT_IR_RNGDRAWVERIFIER_H
#define RNGDIALECT_LIB_DIALECT_IR_RNGDRAWVERIFIER_H

#include "RngDialect/IR/RngOps.h"
#include "mlir/IR/OpImplementation.h"

namespace mlir::rng::ir {

/// `generator` (may be null) must be the symbol of an `rng.generator`.
LogicalResult verifyGenerator(Operation *op, FlatSymbolRefAttr generator,
                              SymbolTableCollection &symbolTable);

/// The same where `symbol` is what that name stands for, null if nothing.
LogicalResult verifyGenerator(Operation *op, FlatSymbolRefAttr generator,
                              Operation *symbol);

/// `type` must be a ranked tensor, a vector or a scalar of an element type that
/// `distribution` draws, with `numSizes` dynamic dimensions.
LogicalResult verifyDrawType(Operation *op, Distribution distribution,
                             Type type, size_t numSizes);

/// The type of `operand`, `expected` if it is not defined yet. An operand of
/// the wrong type can so be left to the verifier. Fails after an error.
FailureOr<Type> getTypeOfOperand(OpAsmParser &parser,
                                 const OpAsmParser::UnresolvedOperand &operand,
                                 Type expected);

} // namespace mlir::rng::ir

#endif // RNGDIALECT_LIB_DIALECT_IR_RNGDRAWVERIFIER_H
