//===- DropEmptySlices.cpp - Drops slices without elements ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  insertions, concatenations and paddings of any tensors.
// Out: none of tensors without elements.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Bufferization/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGDROPEMPTYSLICESPASS
#include "RngDialect/Conversion/Bufferization/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

/// Whether `type` has no elements, whatever its dynamic sizes.
static bool isEmpty(ShapedType type) {
  return llvm::is_contained(type.getShape(), 0);
}

namespace {
struct DropEmptyInsertSlice : public OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (!isEmpty(op.getSourceType()))
      return rewriter.notifyMatchFailure(op, "may insert something");
    rewriter.replaceOp(op, op.getDest());
    return success();
  }
};

struct DropEmptyConcatInputs : public OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    if (isEmpty(op.getResultType())) {
      ReifiedRankedShapedTypeDims sizes;
      if (failed(reifyResultShapes(rewriter, op, sizes)))
        return rewriter.notifyMatchFailure(op, "has sizes that are not known");
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(
          op, sizes.front(), op.getResultType().getElementType(),
          op.getResultType().getEncoding());
      return success();
    }
    // One input is left: it has the sizes of the other dimensions.
    SmallVector<Value> kept;
    for (Value input : op.getInputs())
      if (cast<RankedTensorType>(input.getType()).getDimSize(op.getDim()) != 0)
        kept.push_back(input);
    if (kept.size() == op.getInputs().size() && kept.size() > 1)
      return rewriter.notifyMatchFailure(op, "has no empty input");
    if (kept.size() > 1) {
      rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op.getType(),
                                                    op.getDim(), kept);
      return success();
    }
    Value only = kept.front();
    if (only.getType() != op.getType())
      only = tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), only);
    rewriter.replaceOp(op, only);
    return success();
  }
};

struct DropEmptyPadSource : public OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    if (!isEmpty(op.getSourceType()))
      return rewriter.notifyMatchFailure(op, "may pad something");
    ReifiedRankedShapedTypeDims sizes;
    if (failed(reifyResultShapes(rewriter, op, sizes)))
      return rewriter.notifyMatchFailure(op, "has sizes that are not known");
    SmallVector<Value> dynamicSizes;
    for (auto [dim, size] : llvm::enumerate(sizes.front()))
      if (op.getResultType().isDynamicDim(dim))
        dynamicSizes.push_back(
            getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), size));
    // All is padding, each element a function of its indices.
    auto generate = tensor::GenerateOp::create(
        rewriter, op.getLoc(), op.getResultType(), dynamicSizes);
    rewriter.inlineRegionBefore(op.getRegion(), generate.getBody(),
                                generate.getBody().begin());
    rewriter.replaceOp(op, generate);
    return success();
  }
};

struct RngDropEmptySlicesPass
    : public rng::impl::RngDropEmptySlicesPassBase<RngDropEmptySlicesPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDropEmptySlicesPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void mlir::rng::populateDropEmptySlicesPatterns(RewritePatternSet &patterns) {
  patterns.add<DropEmptyInsertSlice, DropEmptyConcatInputs, DropEmptyPadSource>(
      patterns.getContext());
}
