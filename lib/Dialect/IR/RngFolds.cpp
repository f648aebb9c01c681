//===- RngFolds.cpp - Folds and patterns of stateless draws -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngOps.h"
#include "RngDrawMethods.h"
#include "RngPieces.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::rng;

bool ir::isIdentitySlice(StatelessDrawOpInterface op) {
  auto type = dyn_cast<RankedTensorType>(op.getDrawType());
  if (!type || !op.hasSlice())
    return false;
  SmallVector<OpFoldResult> offsets = op.getMixedSliceOffsets();
  SmallVector<OpFoldResult> full = op.getMixedSliceSizes();
  if (int64_t(full.size()) != type.getRank())
    return false;
  SmallVector<OpFoldResult> own =
      getMixedValues(type.getShape(), op.getDrawSizes(), op->getContext());
  return llvm::all_of(offsets, isZeroInteger) &&
         llvm::equal(own, full, [](OpFoldResult a, OpFoldResult b) {
           return isEqualConstantIntOrValue(a, b);
         });
}

Attribute ir::foldToConstant(StatelessDrawOpInterface op,
                             ArrayRef<Attribute> params) {
  auto shaped = dyn_cast<ShapedType>(op.getDrawType());
  if (shaped && !shaped.hasStaticShape())
    return {};
  if (shaped && llvm::is_contained(shaped.getShape(), 0))
    return DenseElementsAttr::get(shaped, ArrayRef<Attribute>());
  if (op.getDistribution() != Distribution::Bernoulli || params.size() != 1)
    return {};
  auto probability = dyn_cast_or_null<FloatAttr>(params[0]);
  if (!probability)
    return {};
  // True exactly where a uniform of [0, 1) is below p; NaN is below nothing.
  double p = probability.getValueAsDouble();
  bool isAlways = p >= 1.0, isNever = !(p > 0.0);
  if (!isAlways && !isNever)
    return {};
  auto value = BoolAttr::get(op.getContext(), isAlways);
  return shaped ? Attribute(DenseElementsAttr::get(shaped, Attribute(value)))
                : Attribute(value);
}

//===----------------------------------------------------------------------===//
// Slices of draws
//===----------------------------------------------------------------------===//

/// The starts of `user`, a slice or an element of a tensor.
static SmallVector<OpFoldResult> getPieceStarts(Operation *user) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
    return slice.getMixedOffsets();
  return getAsOpFoldResult(cast<tensor::ExtractOp>(user).getIndices());
}

/// Whether the extracted slice keeps unit strides and the last dimensions: its
/// type drops leading dimensions only.
static bool isPiece(tensor::ExtractSliceOp slice) {
  if (!slice.hasUnitStride())
    return false;
  unsigned dropped =
      slice.getSourceType().getRank() - slice.getType().getRank();
  llvm::SmallBitVector dims = slice.getDroppedDims();
  return dims.count() == dropped &&
         (dropped == 0 || dims.find_last() == int(dropped) - 1);
}

namespace {
/// A tensor draw of which only pieces are used becomes draws of the pieces. Not
/// into deeper loops, where a piece would be drawn again and again.
struct DrawOnlyPieces
    : public OpInterfaceRewritePattern<StatelessDrawOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(StatelessDrawOpInterface op,
                                PatternRewriter &rewriter) const final {
    if (!isa<RankedTensorType>(op.getDrawType()) || op->use_empty())
      return rewriter.notifyMatchFailure(op, "not a tensor in use");
    SmallVector<Operation *> users;
    for (Operation *user : op->getUsers()) {
      if (user->getBlock() != op->getBlock())
        return rewriter.notifyMatchFailure(op, "used in another basic block");
      auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
      if (!(slice && isPiece(slice)) && !isa<tensor::ExtractOp>(user))
        return rewriter.notifyMatchFailure(op, "a user is not a piece");
      auto type = dyn_cast<RankedTensorType>(user->getResult(0).getType());
      ArrayRef<int64_t> shape = type ? type.getShape() : ArrayRef<int64_t>();
      if (!ir::isPieceInBounds(op, shape, getPieceStarts(user)))
        return rewriter.notifyMatchFailure(op, "a piece is out of bounds");
      users.push_back(user);
    }
    for (Operation *user : users) {
      rewriter.setInsertionPoint(user);
      // Sizes of the dimensions that are dynamic in the result's type.
      SmallVector<Value> sizes;
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user)) {
        SmallVector<OpFoldResult> mixed = slice.getMixedSizes();
        unsigned dropped =
            slice.getSourceType().getRank() - slice.getType().getRank();
        for (auto [d, extent] : llvm::enumerate(slice.getType().getShape()))
          if (ShapedType::isDynamic(extent))
            sizes.push_back(getValueOrCreateConstantIndexOp(
                rewriter, slice.getLoc(), mixed[dropped + d]));
      }
      StatelessDrawOpInterface piece = ir::buildPiece(
          rewriter, op.getLoc(), op, user->getResult(0).getType(),
          getPieceStarts(user), sizes);
      rewriter.replaceOp(user, piece->getResults());
    }
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void RngDialect::getCanonicalizationPatterns(RewritePatternSet &results) const {
  results.add<DrawOnlyPieces>(getContext());
}
