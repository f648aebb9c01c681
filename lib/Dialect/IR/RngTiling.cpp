//===- RngTiling.cpp - Tiles of stateless draws -----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of a stateless draw is a slice of the same logical draw: loop bounds
// and tile sizes move where its elements are drawn, never what they are.
//
// The loops of a tensor draw are its dimensions. A draw of a vector or a scalar
// has no loop, like one of a tensor of rank 0, and no tiles. There is no
// destination: upstream's drivers of this interface insert the tiles into a
// `tensor.empty` of the reified shape.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngOps.h"
#include "RngDrawMethods.h"
#include "RngPieces.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;
using namespace mlir::rng;

/// The tensor that `op` draws; null if it draws a vector or a scalar.
static RankedTensorType getTensorType(StatelessDrawOpInterface op) {
  return dyn_cast<RankedTensorType>(op.getDrawType());
}

SmallVector<utils::IteratorType>
ir::getIteratorTypes(StatelessDrawOpInterface op) {
  RankedTensorType type = getTensorType(op);
  return SmallVector<utils::IteratorType>(type ? type.getRank() : 0,
                                          utils::IteratorType::parallel);
}

SmallVector<Range> ir::getDomain(OpBuilder &b, StatelessDrawOpInterface op) {
  RankedTensorType type = getTensorType(op);
  if (!type)
    return {};
  return llvm::map_to_vector(
      getMixedValues(type.getShape(), op.getDrawSizes(), b),
      [&](OpFoldResult size) {
        return Range{b.getIndexAttr(0), size, b.getIndexAttr(1)};
      });
}

/// The type of the tile of `sizes`: static where a size is an attribute, which
/// is also what `tensor.extract_slice` infers.
static RankedTensorType getTileType(RankedTensorType type,
                                    ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> dynamicSizes;
  SmallVector<int64_t> shape;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
  return type.clone(shape);
}

bool ir::isTile(StatelessDrawOpInterface op, ArrayRef<OpFoldResult> offsets,
                ArrayRef<OpFoldResult> sizes) {
  RankedTensorType type = getTensorType(op);
  if (!type || int64_t(offsets.size()) != type.getRank() ||
      int64_t(sizes.size()) != type.getRank())
    return false;
  ArrayRef<int64_t> shape = getTileType(type, sizes).getShape();
  return isPieceInBounds(op, shape, offsets);
}

FailureOr<TilingResult> ir::drawTile(OpBuilder &b, StatelessDrawOpInterface op,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult> sizes) {
  if (!isTile(op, offsets, sizes))
    return failure();
  SmallVector<Value> dynamicSizes;
  SmallVector<int64_t> staticSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  StatelessDrawOpInterface tile =
      buildPiece(b, op.getLoc(), op, getTileType(getTensorType(op), sizes),
                 offsets, dynamicSizes);
  return TilingResult{{tile.getOperation()}, {tile->getResult(0)}, {}};
}

FailureOr<TilingResult> ir::drawLoopTile(OpBuilder &b,
                                         StatelessDrawOpInterface op,
                                         ArrayRef<OpFoldResult> offsets,
                                         ArrayRef<OpFoldResult> sizes) {
  RankedTensorType type = getTensorType(op);
  if (!type || type.getEncoding())
    return failure();
  return drawTile(b, op, offsets, sizes);
}

LogicalResult ir::mapTile(StatelessDrawOpInterface op,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes,
                          SmallVectorImpl<OpFoldResult> &mappedOffsets,
                          SmallVectorImpl<OpFoldResult> &mappedSizes) {
  if (!getTensorType(op))
    return failure();
  mappedOffsets.assign(offsets.begin(), offsets.end());
  mappedSizes.assign(sizes.begin(), sizes.end());
  return success();
}
