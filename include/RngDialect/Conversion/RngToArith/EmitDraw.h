//===- EmitDraw.h - One draw as arithmetic ----------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_RNGTOARITH_EMITDRAW_H
#define RNGDIALECT_CONVERSION_RNGTOARITH_EMITDRAW_H

#include "RngDialect/IR/RngOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::rng {

/// More stream blocks than this are computed as one vector, so that the size of
/// the program does not grow with that of the draw so fast.
inline constexpr unsigned kMaxScalarBlocks = 8;

/// What is drawn, and at which state. `seed` and `offset` are i64 values.
struct DrawSource {
  RngAlgorithmAttrInterface algorithm;
  Distribution distribution;
  Value seed;
  Value offset;
};

/// Builds the arithmetic of a draw of `type`, a scalar or a vector of fixed
/// size, and returns the value drawn. All lowerings come here: this is the one
/// place that goes from the index of an element to its value.
///
/// The result is the piece of the logical draw of shape `sliceSizes` that
/// starts at `sliceOffsets` (index values or attributes, both of the rank of
/// the logical draw; the result covers its last dimensions); both empty: the
/// result is the whole draw. The row-major index is computed in i64. Only the
/// last `rank - 1` sizes are used.
///
/// `params` are the operands of the distribution, scalars. `aligned` promises
/// that the first element starts a stream block: lanes whose places relative to
/// it are static then share the stream blocks that they have in common; so do
/// lanes whose index is static. All others compute a stream block each.
///
/// More than `maxScalarBlocks` stream blocks of neighbours, or more than
/// `kMaxScalarBlocks` of other lanes, are computed as one vector; on a machine
/// with vectors one such stream block is enough.
///
/// Builds ops of arith, math and vector. Precondition: `checkDraw` succeeded.
Value emitDrawElements(ImplicitLocOpBuilder &b, const DrawSource &source,
                       Type type, ValueRange params,
                       ArrayRef<OpFoldResult> sliceOffsets,
                       ArrayRef<OpFoldResult> sliceSizes, bool aligned,
                       unsigned maxScalarBlocks = kMaxScalarBlocks);

/// Builds `count` neighbours of a logical draw as scalars, from the row-major
/// index `first` (an index value) on. If `count` is a multiple of the number of
/// values that a stream block yields, `first` must be one, too, and each stream
/// block is computed once for all its values. `getParams` returns the operands
/// of the distribution for a lane. The values are those of `emitDrawElements`.
SmallVector<Value>
emitDrawLanes(ImplicitLocOpBuilder &b, const DrawSource &source,
              Type elementType,
              function_ref<SmallVector<Value>(unsigned)> getParams, Value first,
              unsigned count);

/// The state at which `op` draws, as two i64 values; of a snapshot, its two
/// elements are extracted and the offset is moved on.
DrawSource getDrawSource(ImplicitLocOpBuilder &b, StatelessDrawOpInterface op);

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_RNGTOARITH_EMITDRAW_H
