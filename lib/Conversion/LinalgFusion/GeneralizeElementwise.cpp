//===- GeneralizeElementwise.cpp - Named ops as linalg.generic --*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  linalg ops on tensors, `tensor.splat`.
// Out: `linalg.generic`, and named contractions.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/LinalgFusion/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGGENERALIZEELEMENTWISEPASS
#include "RngDialect/Conversion/LinalgFusion/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

namespace {
struct GeneralizeUnlessContraction
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (linalg::isaContractionOpInterface(op) ||
        linalg::isaConvolutionOpInterface(op))
      return rewriter.notifyMatchFailure(op, "is a contraction");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

/// Ops that stand for several others (`linalg.softmax`) as these.
struct DecomposeAggregate
    : public OpInterfaceRewritePattern<linalg::AggregatedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::AggregatedOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!llvm::all_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
      return rewriter.notifyMatchFailure(op, "is not on tensors");
    if (isa<linalg::SoftmaxOp>(op) &&
        !isa<FloatType>(getElementTypeOrSelf(op->getResultTypes().front())))
      return rewriter.notifyMatchFailure(op, "is not of floats");
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return rewriter.notifyMatchFailure(op, "cannot be decomposed");
    rewriter.replaceOp(op, *results);
    return success();
  }
};

/// tensor.splat as a linalg op, which can be fused.
struct SplatToFill : public OpRewritePattern<tensor::SplatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::SplatOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(), type.getShape(), type.getElementType(),
        op.getDynamicSizes(), type.getEncoding());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, op.getInput(), empty);
    return success();
  }
};

struct RngGeneralizeElementwisePass
    : public rng::impl::RngGeneralizeElementwisePassBase<
          RngGeneralizeElementwisePass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DecomposeAggregate, GeneralizeUnlessContraction, SplatToFill>(
        &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
