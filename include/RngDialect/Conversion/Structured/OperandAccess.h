//===- OperandAccess.h - How points walk through operands -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_STRUCTURED_OPERANDACCESS_H
#define RNGDIALECT_CONVERSION_STRUCTURED_OPERANDACCESS_H

#include "RngDialect/IR/RngOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::rng::structured {

class UniformValues;

/// Bytes of the widest access to memory, and its alignment.
inline constexpr int64_t kAccessBytes = 16;

/// Bytes of an element of `type` as a lane of a vector access to memory, where
/// an i1 is a byte; 0 for what cannot be a lane.
int64_t getLaneBytes(Type type);

/// The loops [begin, end) of an op.
struct LoopSpan {
  unsigned begin, end;
};

/// The loops that index `operand`, a contiguous buffer, in their order; none if
/// they are not neighbours.
std::optional<LoopSpan> getSpan(linalg::LinalgOp op, OpOperand *operand);

/// The number of points of the loops `span`, if static.
std::optional<int64_t> countPoints(linalg::LinalgOp op, LoopSpan span);

/// Whether all points see the same element of `operand`, or a scalar.
bool isUniformOperand(linalg::LinalgOp op, OpOperand *operand);

/// Whether no point looks at `operand`, an input.
bool isUnusedInput(linalg::LinalgOp op, OpOperand *operand);

/// Whether `operand` is an input of which all points see the same, or nothing.
bool isSameForAll(linalg::LinalgOp op, OpOperand *operand);

/// Whether the points of `op` in row-major order walk through `operand`.
bool isContiguousOperand(linalg::LinalgOp op, OpOperand *operand);

/// Whether a group of `lanes` points that starts at a multiple of `lanes` sees
/// `lanes` neighbours in `operand`, which is broadcast over outer loops, or one
/// element, if it is broadcast over inner ones.
bool isBroadcastOfGroups(linalg::LinalgOp op, OpOperand *operand,
                         int64_t lanes);

/// Whether the logical draw that `draw` takes its element from has the shape of
/// the loops of `op`, and the point's element is the one taken. `uniform`: of
/// the body of `op`.
bool drawsOwnElement(linalg::LinalgOp op, StatelessDrawOpInterface draw,
                     const UniformValues &uniform);

/// The buffers of `op` that its points walk through, contiguous ones, and each
/// with one dimension.
llvm::MapVector<Value, Value> flattenBuffers(OpBuilder &b, linalg::LinalgOp op);

/// What an element of `type` is in memory, and in vectors that lie in memory as
/// their elements do: an i1 is a byte in a buffer, but packed in a vector.
Type getMemoryType(Type type);

/// `buffer` with elements of `getMemoryType`: after lowering, both types of
/// buffers are one, and the cast folds.
Value viewAsMemoryType(OpBuilder &b, Location loc, Value buffer);

/// What all points of `op` see of `operand`.
Value buildUniformElement(OpBuilder &b, linalg::LinalgOp op,
                          OpOperand *operand);

} // namespace mlir::rng::structured

#endif // RNGDIALECT_CONVERSION_STRUCTURED_OPERANDACCESS_H
