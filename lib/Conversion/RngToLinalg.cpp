//===- RngToLinalg.cpp - Tensor draws to linalg.generic ------- -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/EmitDraw.h"
#include "RngDialect/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::rng {
#define GEN_PASS_DEF_CONVERTRNGTOLINALGPASS
#include "RngDialect/Conversion/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

static bool isTensorDraw(StatelessDrawOpInterface op) {
  return isa<RankedTensorType>(op.getDrawType());
}

/// Builds the scalar draw of the element that the body of a linalg.generic
/// computes.
static Value buildElement(ImplicitLocOpBuilder &b, StatelessDrawOpInterface op,
                          const DrawSource &source, RankedTensorType type) {
  StatelessDrawSpec spec;
  spec.distribution = source.distribution;
  spec.algorithm = source.algorithm;
  spec.type = type.getElementType();
  spec.params = op.getDrawParams();
  spec.sliceOffsets = op.getMixedSliceOffsets();
  spec.sliceSizes = op.getMixedSliceSizes();
  if (!op.hasSlice()) {
    spec.sliceOffsets.assign(type.getRank(), b.getIndexAttr(0));
    spec.sliceSizes = getMixedValues(type.getShape(), op.getDrawSizes(), b);
  }
  size_t numLeading = spec.sliceOffsets.size() - type.getRank();
  for (int64_t d = 0; d < type.getRank(); ++d) {
    OpFoldResult &offset = spec.sliceOffsets[numLeading + d];
    Value index = linalg::IndexOp::create(b, d);
    std::optional<int64_t> start = getConstantIntValue(offset);
    if (start == 0) {
      offset = index;
      continue;
    }
    Value first = start ? Value(arith::ConstantIndexOp::create(b, *start))
                        : cast<Value>(offset);
    offset = Value(arith::AddIOp::create(b, first, index));
  }
  return createStatelessDraw(b, b.getLoc(), spec, source.seed, source.offset)
      ->getResult(0);
}

static void lowerDraw(RewriterBase &rewriter, StatelessDrawOpInterface op) {
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  auto type = cast<RankedTensorType>(op.getDrawType());
  // The snapshot is read once, here: the body sees scalars only.
  DrawSource source = getDrawSource(b, op);
  Value empty =
      tensor::EmptyOp::create(b, type.getShape(), type.getElementType(),
                              op.getDrawSizes(), type.getEncoding());
  // No element, no body: a slice of an empty draw would be out of bounds.
  if (llvm::is_contained(type.getShape(), 0))
    return rewriter.replaceOp(op, empty);
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, TypeRange(type), ValueRange(), ValueRange(empty), maps, iterators,
      [&](OpBuilder &body, Location loc, ValueRange) {
        ImplicitLocOpBuilder inner(loc, body);
        linalg::YieldOp::create(inner, buildElement(inner, op, source, type));
      });
  rewriter.replaceOp(op, generic);
}

namespace {
struct LowerTensorDraw
    : public OpInterfaceRewritePattern<StatelessDrawOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(StatelessDrawOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!isTensorDraw(op))
      return rewriter.notifyMatchFailure(op, "does not draw a tensor");
    lowerDraw(rewriter, op);
    return success();
  }
};

struct ConvertRngToLinalgPass
    : public rng::impl::ConvertRngToLinalgPassBase<ConvertRngToLinalgPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkStatelessDraws(getOperation(), isTensorDraw)))
      return signalPassFailure();
    SmallVector<StatelessDrawOpInterface> draws;
    getOperation()->walk([&](StatelessDrawOpInterface op) {
      if (isTensorDraw(op))
        draws.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (StatelessDrawOpInterface draw : draws)
      lowerDraw(rewriter, draw);
    numDraws += draws.size();
  }
};
} // namespace

void mlir::rng::populateRngToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerTensorDraw>(patterns.getContext());
}
