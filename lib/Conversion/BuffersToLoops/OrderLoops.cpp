//===- OrderLoops.cpp - Contiguous loops inside reductions ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  linalg.generic on buffers.
// Out: the same, with the loop that walks memory contiguously as the innermost.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/BuffersToLoops/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGORDERLOOPSPASS
#include "RngDialect/Conversion/BuffersToLoops/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

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
