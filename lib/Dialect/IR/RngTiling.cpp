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
#include "RngPieces.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;
using namespace mlir::rng;

/// The tensor that `op` draws; null if it draws a vector or a scalar.
static RankedTensorType getTensorType(StatelessDrawOpInterface op) {
  return dyn_cast<RankedTensorType>(op.getDrawType());
}

static SmallVector<utils::IteratorType>
getIteratorTypes(StatelessDrawOpInterface op) {
  RankedTensorType type = getTensorType(op);
  return SmallVector<utils::IteratorType>(type ? type.getRank() : 0,
                                          utils::IteratorType::parallel);
}

static SmallVector<Range> getDomain(OpBuilder &b, StatelessDrawOpInterface op) {
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

static bool isTile(StatelessDrawOpInterface op, ArrayRef<OpFoldResult> offsets,
                   ArrayRef<OpFoldResult> sizes) {
  RankedTensorType type = getTensorType(op);
  if (!type || int64_t(offsets.size()) != type.getRank() ||
      int64_t(sizes.size()) != type.getRank())
    return false;
  ArrayRef<int64_t> shape = getTileType(type, sizes).getShape();
  return isPieceInBounds(op, shape, offsets);
}

static FailureOr<TilingResult> drawTile(OpBuilder &b,
                                        StatelessDrawOpInterface op,
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

/// Tiles of the loops: those of the result, which has the same dimensions. The
/// `tensor.empty` into which drivers insert them has no encoding.
static FailureOr<TilingResult> drawLoopTile(OpBuilder &b,
                                            StatelessDrawOpInterface op,
                                            ArrayRef<OpFoldResult> offsets,
                                            ArrayRef<OpFoldResult> sizes) {
  RankedTensorType type = getTensorType(op);
  if (!type || type.getEncoding())
    return failure();
  return drawTile(b, op, offsets, sizes);
}

/// A tile of the loops is the same tile of the result and the other way round.
template <typename VectorTy>
static LogicalResult mapTile(StatelessDrawOpInterface op,
                             ArrayRef<OpFoldResult> offsets,
                             ArrayRef<OpFoldResult> sizes,
                             VectorTy &mappedOffsets, VectorTy &mappedSizes) {
  if (!getTensorType(op))
    return failure();
  mappedOffsets.assign(offsets.begin(), offsets.end());
  mappedSizes.assign(sizes.begin(), sizes.end());
  return success();
}

#define RNG_TILED_DRAW(OpTy)                                                   \
  SmallVector<utils::IteratorType> OpTy::getLoopIteratorTypes() {              \
    return getIteratorTypes(*this);                                            \
  }                                                                            \
  SmallVector<Range> OpTy::getIterationDomain(OpBuilder &b) {                  \
    return getDomain(b, *this);                                                \
  }                                                                            \
  FailureOr<TilingResult> OpTy::getTiledImplementation(                        \
      OpBuilder &b, ArrayRef<OpFoldResult> offsets,                            \
      ArrayRef<OpFoldResult> sizes) {                                          \
    return drawLoopTile(b, *this, offsets, sizes);                             \
  }                                                                            \
  LogicalResult OpTy::getResultTilePosition(                                   \
      OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,                   \
      ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,  \
      SmallVector<OpFoldResult> &resultSizes) {                                \
    return mapTile(*this, offsets, sizes, resultOffsets, resultSizes);         \
  }                                                                            \
  FailureOr<TilingResult> OpTy::generateResultTileValue(                       \
      OpBuilder &b, unsigned, ArrayRef<OpFoldResult> offsets,                  \
      ArrayRef<OpFoldResult> sizes) {                                          \
    return drawTile(b, *this, offsets, sizes);                                 \
  }                                                                            \
  LogicalResult OpTy::getIterationDomainTileFromResultTile(                    \
      OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,                   \
      ArrayRef<OpFoldResult> sizes, SmallVectorImpl<OpFoldResult> &domain,     \
      SmallVectorImpl<OpFoldResult> &domainSizes) {                            \
    return mapTile(*this, offsets, sizes, domain, domainSizes);                \
  }                                                                            \
  bool OpTy::isOpFusableWithConsumerSlice(unsigned,                            \
                                          ArrayRef<OpFoldResult> offsets,      \
                                          ArrayRef<OpFoldResult> sizes) {      \
    return isTile(*this, offsets, sizes);                                      \
  }

RNG_TILED_DRAW(StatelessBitsOp)
RNG_TILED_DRAW(StatelessUniformOp)
RNG_TILED_DRAW(StatelessBernoulliOp)
RNG_TILED_DRAW(StatelessRandintOp)
RNG_TILED_DRAW(StatelessNormalOp)
RNG_TILED_DRAW(StatelessTruncatedNormalOp)
RNG_TILED_DRAW(StatelessExponentialOp)

#undef RNG_TILED_DRAW
