//===- RngToArith.cpp - Scalar and vector draws to arithmetic ---*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  stateless draws of scalars and vectors, `rng.advance`.
// Out: arith, math and vector ops.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/LoweringChecks/CheckDraws.h"
#include "RngDialect/Conversion/LoweringChecks/Refusals.h"
#include "RngDialect/Conversion/RngToArith/EmitDraw.h"
#include "RngDialect/Conversion/RngToArith/Passes.h"
#include "RngDialect/Streams/StreamBuilders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::rng {
#define GEN_PASS_DEF_CONVERTRNGTOARITHPASS
#include "RngDialect/Conversion/RngToArith/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

static bool isScalarOrVectorDraw(StatelessDrawOpInterface op) {
  return !isa<RankedTensorType>(op.getDrawType());
}

/// Whether `op` draws from scalars in the body of a structured op.
static bool isInBody(StatelessDrawOpInterface op) {
  return isa_and_nonnull<linalg::LinalgOp>(op->getParentOp()) &&
         !isSnapshotType(op.getDrawSeed().getType());
}

static void lowerDraw(RewriterBase &rewriter, StatelessDrawOpInterface op,
                      unsigned maxScalarBlocks) {
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  DrawSource source = getDrawSource(b, op);
  Value result =
      emitDrawElements(b, source, op.getDrawType(), op.getDrawParams(),
                       op.getMixedSliceOffsets(), op.getMixedSliceSizes(),
                       op.isDrawAligned(), maxScalarBlocks);
  rewriter.replaceOp(op, result);
}

static void lowerAdvance(RewriterBase &rewriter, AdvanceOp op) {
  rewriter.setInsertionPoint(op);
  OpFoldResult blocks = op.getDrawAlgorithm().getAdvance(
      rewriter, op.getLoc(), op.getDistribution(), op.getDrawType(),
      op.getSizes());
  Value amount = dyn_cast<Value>(blocks);
  if (!amount)
    amount = arith::ConstantOp::create(
        rewriter, op.getLoc(), cast<TypedAttr>(cast<Attribute>(blocks)));
  rewriter.replaceOpWithNewOp<arith::AddIOp>(op, op.getOffset(), amount);
}

static void lowerFoldIn(RewriterBase &rewriter, FoldInOp op) {
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  rewriter.replaceOp(op,
                     buildDerivedSeeds(b, op.getSeed(), op.getData()).folded);
}

static void lowerSplit(RewriterBase &rewriter, SplitOp op) {
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  SmallVector<Value> seeds;
  for (unsigned i = 0; i < op.getNumResults(); ++i) {
    Value index = createIntegerConstant(b, b.getI64Type(), i);
    seeds.push_back(buildDerivedSeeds(b, op.getSeed(), index).split);
  }
  rewriter.replaceOp(op, seeds);
}

namespace {
struct LowerFoldIn : public OpRewritePattern<FoldInOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FoldInOp op,
                                PatternRewriter &rewriter) const override {
    lowerFoldIn(rewriter, op);
    return success();
  }
};

struct LowerSplit : public OpRewritePattern<SplitOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SplitOp op,
                                PatternRewriter &rewriter) const override {
    lowerSplit(rewriter, op);
    return success();
  }
};

struct LowerDraw : public OpInterfaceRewritePattern<StatelessDrawOpInterface> {
  LowerDraw(MLIRContext *context, RngToArithOptions options)
      : OpInterfaceRewritePattern(context), options(options) {}

  LogicalResult matchAndRewrite(StatelessDrawOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!isScalarOrVectorDraw(op))
      return rewriter.notifyMatchFailure(op, "draws a tensor");
    if (options.keepInBodies && isInBody(op))
      return rewriter.notifyMatchFailure(op, "is in a structured op");
    if (std::optional<std::string> reason =
            findRefusal(op, [&] { return checkStatelessDraws(op); }))
      return rewriter.notifyMatchFailure(op, *reason);
    lowerDraw(rewriter, op, options.maxScalarBlocks);
    return success();
  }

  RngToArithOptions options;
};

struct LowerAdvance : public OpRewritePattern<AdvanceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AdvanceOp op,
                                PatternRewriter &rewriter) const override {
    lowerAdvance(rewriter, op);
    return success();
  }
};

struct ConvertRngToArithPass
    : public rng::impl::ConvertRngToArithPassBase<ConvertRngToArithPass> {
  using Base::Base;

  void runOnOperation() override {
    // All is decided before anything changes.
    if (failed(checkStatelessDraws(getOperation(), isScalarOrVectorDraw)))
      return signalPassFailure();
    getOperation()->walk([&](StatelessDrawOpInterface draw) {
      if (isScalarOrVectorDraw(draw) && !(keepInBodies && isInBody(draw)))
        ++numDraws;
    });
    RewritePatternSet patterns(&getContext());
    populateRngToArithPatterns(patterns, {keepInBodies, maxScalarBlocks});
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void mlir::rng::populateRngToArithPatterns(RewritePatternSet &patterns,
                                           RngToArithOptions options) {
  patterns.add<LowerDraw>(patterns.getContext(), options);
  patterns.add<LowerAdvance, LowerFoldIn, LowerSplit>(patterns.getContext());
}
