//===- LinalgUtilities.cpp - Forms and loop order of linalg -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGDROPEMPTYSLICESPASS
#define GEN_PASS_DEF_RNGGENERALIZEELEMENTWISEPASS
#define GEN_PASS_DEF_RNGORDERLOOPSPASS
#include "RngDialect/Conversion/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

//===----------------------------------------------------------------------===//
// Slices without elements
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Named ops
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Order of loops
//===----------------------------------------------------------------------===//

/// The parallel loop that walks all operands contiguously (or leaves them where
/// they are), if it is not the innermost one: a reduction is inside it.
static std::optional<unsigned> findContiguousLoop(linalg::GenericOp op) {
  if (op.getNumDpsInits() == 0 || op.getNumLoops() == 0)
    return std::nullopt;
  unsigned innermost = op.getNumLoops() - 1;
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (output.getNumResults() == 0)
    return std::nullopt;
  auto last = dyn_cast<AffineDimExpr>(output.getResults().back());
  if (!last || last.getPosition() == innermost ||
      op.getIteratorTypesArray()[innermost] != utils::IteratorType::reduction)
    return std::nullopt;
  unsigned loop = last.getPosition();
  if (op.getIteratorTypesArray()[loop] != utils::IteratorType::parallel)
    return std::nullopt;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [position, result] : llvm::enumerate(map.getResults())) {
      bool isLast = position + 1 == map.getNumResults();
      if (result.isFunctionOfDim(loop) &&
          !(isLast && isa<AffineDimExpr>(result)))
        return std::nullopt;
    }
  }
  return loop;
}

namespace {
struct MoveContiguousLoopInside : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "is not on buffers");
    std::optional<unsigned> loop = findContiguousLoop(op);
    if (!loop)
      return rewriter.notifyMatchFailure(op, "no loop is better innermost");
    // Reductions keep their order among each other: so do the additions of
    // each element.
    SmallVector<unsigned> order;
    for (unsigned i = 0; i < op.getNumLoops(); ++i)
      if (i != *loop)
        order.push_back(i);
    order.push_back(*loop);
    return linalg::interchangeGenericOp(rewriter, op, order);
  }
};

struct RngOrderLoopsPass
    : public rng::impl::RngOrderLoopsPassBase<RngOrderLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateOrderLoopsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void mlir::rng::populateOrderLoopsPatterns(RewritePatternSet &patterns) {
  patterns.add<MoveContiguousLoopInside>(patterns.getContext());
}
