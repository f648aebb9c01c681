//===- RngPieces.cpp - Pieces of tensor draws -------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngPieces.h"
#include "RngDialect/IR/StaticSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::rng;

static OpFoldResult addIndices(OpBuilder &b, Location loc, OpFoldResult lhs,
                               OpFoldResult rhs) {
  std::optional<int64_t> l = getConstantIntValue(lhs);
  std::optional<int64_t> r = getConstantIntValue(rhs);
  if (l && r)
    return b.getIndexAttr(*l + *r);
  if (l == 0)
    return rhs;
  if (r == 0)
    return lhs;
  return arith::AddIOp::create(b, loc,
                               getValueOrCreateConstantIndexOp(b, loc, lhs),
                               getValueOrCreateConstantIndexOp(b, loc, rhs))
      .getResult();
}

namespace {
/// A tensor draw as a slice of its logical draw.
struct LogicalSlice {
  explicit LogicalSlice(StatelessDrawOpInterface op)
      : offsets(op.getMixedSliceOffsets()), sizes(op.getMixedSliceSizes()) {
    if (op.hasSlice())
      return;
    auto type = cast<RankedTensorType>(op.getDrawType());
    Builder b(op->getContext());
    offsets.assign(type.getRank(), b.getIndexAttr(0));
    sizes = getMixedValues(type.getShape(), op.getDrawSizes(), b);
  }

  SmallVector<OpFoldResult> offsets;
  SmallVector<OpFoldResult> sizes;
};
} // namespace

bool ir::isPieceInBounds(StatelessDrawOpInterface op, ArrayRef<int64_t> shape,
                         ArrayRef<OpFoldResult> starts) {
  // C17: a piece of a draw of dynamic sizes may claim to be of any size.
  if (countStaticBytes(shape, getElementTypeOrSelf(op.getDrawType())) >
      kMaxBytes)
    return false;
  LogicalSlice logical(op);
  size_t numUnmoved = logical.offsets.size() - starts.size();
  size_t numLeading = logical.offsets.size() - shape.size();
  for (auto [d, offset] : llvm::enumerate(logical.offsets)) {
    std::optional<int64_t> first = getConstantIntValue(offset);
    if (d >= numUnmoved && first) {
      std::optional<int64_t> start =
          getConstantIntValue(starts[d - numUnmoved]);
      // An offset that stays a value is at least 0, as far as types tell.
      first = start ? llvm::checkedAdd(*first, *start) : 0;
      if (!first)
        return false;
    }
    int64_t extent = d < numLeading ? 1 : shape[d - numLeading];
    int64_t from = first.value_or(0);
    if (from < 0)
      return false;
    auto size = dyn_cast<Attribute>(logical.sizes[d]);
    if (!size || ShapedType::isDynamic(extent))
      continue;
    int64_t end = cast<IntegerAttr>(size).getInt();
    if (extent > end || from > end - extent)
      return false;
  }
  return true;
}

StatelessDrawOpInterface ir::buildPiece(OpBuilder &b, Location loc,
                                        StatelessDrawOpInterface op, Type type,
                                        ArrayRef<OpFoldResult> starts,
                                        ValueRange sizes) {
  LogicalSlice logical(op);
  assert(starts.size() <= logical.offsets.size() &&
         "a piece starts somewhere in the draw");
  size_t numUnmoved = logical.offsets.size() - starts.size();
  for (auto [d, start] : llvm::enumerate(starts)) {
    OpFoldResult &offset = logical.offsets[numUnmoved + d];
    offset = addIndices(b, loc, offset, start);
  }
  return op.buildSlice(b, loc, type, op.getDrawParams(), sizes, logical.offsets,
                       logical.sizes, /*aligned=*/false);
}
