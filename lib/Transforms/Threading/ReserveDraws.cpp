//===- ReserveDraws.cpp - One reservation a draw ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngOps.h"
#include "RngDialect/Transforms/Threading/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Rewrite/PatternApplicator.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGRESERVEDRAWSPASS
#include "RngDialect/Transforms/Threading/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

namespace {
/// A stateful draw is a reservation of its blocks and a stateless draw there.
struct ReserveDraw final
    : public OpInterfaceRewritePattern<StatefulDrawOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(StatefulDrawOpInterface draw,
                                PatternRewriter &rewriter) const final {
    Location loc = draw.getLoc();
    RngAlgorithmAttrInterface algorithm = draw.getDrawAlgorithm();
    OpFoldResult advance =
        algorithm.getAdvance(rewriter, loc, draw.getDistribution(),
                             draw.getDrawType(), draw.getDrawSizes());
    auto blocks = dyn_cast<Value>(advance);
    if (!blocks)
      blocks = arith::ConstantOp::create(
          rewriter, loc, cast<TypedAttr>(cast<Attribute>(advance)));
    Type i64 = rewriter.getI64Type();
    auto reserve = ReserveOp::create(rewriter, loc, i64, i64,
                                     draw.getDrawGenerator(), blocks);
    Operation *stateless = draw.buildStateless(
        rewriter, algorithm, reserve.getSeed(), reserve.getOffset());
    rewriter.replaceOp(draw, stateless);
    return success();
  }
};

struct RngReserveDrawsPass
    : public rng::impl::RngReserveDrawsPassBase<RngReserveDrawsPass> {
  using Base::Base;

  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    populateReserveDrawsPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    // Not walkAndApplyPatterns, which leaves out blocks that are never reached:
    // the draws in them would be in the way of later passes.
    SmallVector<Operation *> draws;
    getOperation()->walk(
        [&](StatefulDrawOpInterface draw) { draws.push_back(draw); });
    PatternApplicator applicator(frozen);
    applicator.applyDefaultCostModel();
    PatternRewriter rewriter(&getContext());
    for (Operation *draw : draws) {
      rewriter.setInsertionPoint(draw);
      (void)applicator.matchAndRewrite(draw, rewriter);
    }
  }
};
} // namespace

void mlir::rng::populateReserveDrawsPatterns(RewritePatternSet &patterns) {
  patterns.add<ReserveDraw>(patterns.getContext());
}
