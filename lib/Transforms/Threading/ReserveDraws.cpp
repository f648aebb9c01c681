//===- ReserveDraws.cpp - One reservation a draw ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: ops that draw from generators, anywhere. Out: an `rng.reserve` of the
// stream blocks of each, and what it draws there without state.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/GeneratorEffects/BlockCount.h"
#include "RngDialect/Transforms/Threading/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Rewrite/PatternApplicator.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGRESERVEDRAWSPASS
#include "RngDialect/Transforms/Threading/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::effects;

namespace {
/// A stateful draw is a reservation of its stream blocks and a stateless draw
/// there. So is any other state op that uses stream blocks of a known number.
struct ReserveDraw final : public OpInterfaceRewritePattern<StateOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(StateOpInterface op,
                                PatternRewriter &rewriter) const final {
    if (!op.drawsFromGenerator())
      return rewriter.notifyMatchFailure(op, "does not use stream blocks");
    Location loc = op.getLoc();
    FlatSymbolRefAttr generator = op.getStateGenerator();
    RngAlgorithmAttrInterface algorithm = lookupAlgorithm(op, generator);
    BlockCount count = BlockCount::get(op, algorithm);
    if (!count.isKnown())
      return rewriter.notifyMatchFailure(
          op, "nothing tells the number of stream blocks before it runs");
    Value blocks = count.build(rewriter, loc, [](Value) { return true; });
    Type i64 = rewriter.getI64Type();
    auto reserve =
        ReserveOp::create(rewriter, loc, i64, i64, generator, blocks);
    StateReplacement at = op.buildAtState(
        rewriter, algorithm, reserve.getSeed(), reserve.getOffset());
    rewriter.replaceOp(op, at.results);
    return success();
  }
};

/// Refuses an op that uses stream blocks that cannot be reserved for it.
WalkResult checkReservable(StateOpInterface op) {
  if (!op.drawsFromGenerator() ||
      BlockCount::get(op, lookupAlgorithm(op, op.getStateGenerator()))
          .isKnown())
    return WalkResult::advance();
  op.emitOpError("uses a number of stream blocks that nothing tells before it "
                 "runs, so they cannot be reserved: run 'rng-thread-state' "
                 "instead");
  return WalkResult::interrupt();
}

struct RngReserveDrawsPass
    : public rng::impl::RngReserveDrawsPassBase<RngReserveDrawsPass> {
  using Base::Base;

  void runOnOperation() final {
    if (getOperation()
            ->walk([](StateOpInterface op) { return checkReservable(op); })
            .wasInterrupted())
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    populateReserveDrawsPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    // Not walkAndApplyPatterns, which leaves out basic blocks that are never
    // reached:
    // the draws in them would be in the way of later passes.
    SmallVector<Operation *> draws;
    getOperation()->walk([&](StateOpInterface op) { draws.push_back(op); });
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
