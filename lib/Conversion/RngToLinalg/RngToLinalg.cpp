//===- RngToLinalg.cpp - Tensor draws to linalg.generic ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  stateless draws of tensors.
// Out: `linalg.generic` with a scalar draw in its body.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/LoweringChecks/CheckDraws.h"
#include "RngDialect/Conversion/LoweringChecks/Refusals.h"
#include "RngDialect/Conversion/RngToArith/EmitDraw.h"
#include "RngDialect/Conversion/RngToLinalg/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::rng {
#define GEN_PASS_DEF_CONVERTRNGTOLINALGPASS
#include "RngDialect/Conversion/RngToLinalg/Passes.h.inc"
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

/// The snapshot that `op` draws at; null if it has none or its words are host
/// values anyway.
static Value getOpaqueSnapshot(StatelessDrawOpInterface op) {
  Value snapshot = op.getDrawSeed();
  if (!isSnapshotType(snapshot.getType()) ||
      snapshot.getDefiningOp<tensor::FromElementsOp>() ||
      matchPattern(snapshot, m_Constant()))
    return Value();
  return snapshot;
}

static void lowerDraw(RewriterBase &rewriter, StatelessDrawOpInterface op,
                      bool snapshotsInBody) {
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  auto type = cast<RankedTensorType>(op.getDrawType());
  Value snapshot = snapshotsInBody ? getOpaqueSnapshot(op) : Value();
  // Otherwise it is read once, here: the body sees scalars only.
  DrawSource source;
  if (snapshot)
    source = {op.getDrawAlgorithm(), op.getDistribution(), Value(), Value()};
  else
    source = getDrawSource(b, op);
  Value empty =
      tensor::EmptyOp::create(b, type.getShape(), type.getElementType(),
                              op.getDrawSizes(), type.getEncoding());
  // No element, no body: a slice of an empty draw would be out of bounds.
  if (llvm::is_contained(type.getShape(), 0))
    return rewriter.replaceOp(op, empty);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  if (snapshot)
    for (int64_t word : {0, 1}) {
      inputs.push_back(snapshot);
      maps.push_back(AffineMap::get(
          type.getRank(), 0, b.getAffineConstantExpr(word), b.getContext()));
    }
  maps.push_back(b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, TypeRange(type), inputs, ValueRange(empty), maps, iterators,
      [&](OpBuilder &body, Location loc, ValueRange elements) {
        ImplicitLocOpBuilder inner(loc, body);
        if (snapshot) {
          source.seed = elements[0];
          source.offset =
              arith::AddIOp::create(inner, elements[1], op.getDrawOffset());
        }
        linalg::YieldOp::create(inner, buildElement(inner, op, source, type));
      });
  rewriter.replaceOp(op, generic);
}

namespace {
struct LowerTensorDraw
    : public OpInterfaceRewritePattern<StatelessDrawOpInterface> {
  LowerTensorDraw(MLIRContext *context, bool snapshotsInBody)
      : OpInterfaceRewritePattern(context), snapshotsInBody(snapshotsInBody) {}

  LogicalResult matchAndRewrite(StatelessDrawOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!isTensorDraw(op))
      return rewriter.notifyMatchFailure(op, "does not draw a tensor");
    if (std::optional<std::string> reason =
            findRefusal(op, [&] { return checkStatelessDraws(op); }))
      return rewriter.notifyMatchFailure(op, *reason);
    lowerDraw(rewriter, op, snapshotsInBody);
    return success();
  }

  bool snapshotsInBody;
};

struct ConvertRngToLinalgPass
    : public rng::impl::ConvertRngToLinalgPassBase<ConvertRngToLinalgPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkStatelessDraws(getOperation(), isTensorDraw)))
      return signalPassFailure();
    getOperation()->walk([&](StatelessDrawOpInterface op) {
      if (isTensorDraw(op))
        ++numDraws;
    });
    RewritePatternSet patterns(&getContext());
    populateRngToLinalgPatterns(patterns, snapshotsInBody);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void mlir::rng::populateRngToLinalgPatterns(RewritePatternSet &patterns,
                                            bool snapshotsInBody) {
  patterns.add<LowerTensorDraw>(patterns.getContext(), snapshotsInBody);
}
