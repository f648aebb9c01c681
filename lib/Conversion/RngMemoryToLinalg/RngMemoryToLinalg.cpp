//===- RngMemoryToLinalg.cpp - State kept in memory -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  `rng.reserve_memory`.
// Out: `linalg.generic` on buffers.
//
// A structured op on buffers serves all targets: two loads and stores on a CPU,
// one tiny kernel on a GPU, where the host then never sees the state.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/LoweringChecks/CheckDraws.h"
#include "RngDialect/Conversion/LoweringChecks/Refusals.h"
#include "RngDialect/Conversion/RngMemoryToLinalg/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::rng {
#define GEN_PASS_DEF_CONVERTRNGMEMORYTOLINALGPASS
#include "RngDialect/Conversion/RngMemoryToLinalg/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

/// Each word is copied to the snapshot, and the offset moves on. Words do not
/// meet: two threads can do it.
static void lowerReserve(RewriterBase &rewriter, ReserveMemoryOp op) {
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  RankedTensorType type = op.getSnapshot().getType();
  SmallVector<Value> outputs = {op.getMemory()};
  bool isRead = !op.getSnapshot().use_empty();
  if (isRead)
    outputs.push_back(memref::AllocOp::create(
        b, MemRefType::get(type.getShape(), type.getElementType())));
  SmallVector<AffineMap> maps(outputs.size(), b.getMultiDimIdentityMap(1));
  linalg::GenericOp::create(
      b, TypeRange(), ValueRange(), outputs, maps,
      ArrayRef<utils::IteratorType>{utils::IteratorType::parallel},
      [&](OpBuilder &body, Location loc, ValueRange words) {
        ImplicitLocOpBuilder inner(loc, body);
        Value one = arith::ConstantIndexOp::create(inner, 1);
        Value isOffset =
            arith::CmpIOp::create(inner, arith::CmpIPredicate::eq,
                                  linalg::IndexOp::create(inner, 0), one);
        Value next = arith::AddIOp::create(inner, words[0], op.getBlocks());
        SmallVector<Value> results = {
            arith::SelectOp::create(inner, isOffset, next, words[0])};
        if (isRead)
          results.push_back(words[0]);
        linalg::YieldOp::create(inner, results);
      });
  if (!isRead)
    return rewriter.eraseOp(op);
  // Nothing else has this buffer, and without `writable` nothing writes to it:
  // the snapshot is a value.
  rewriter.replaceOp(op, bufferization::ToTensorOp::create(
                             b, type, outputs.back(), /*restrict=*/true));
}

namespace {
struct LowerReserveMemory : public OpRewritePattern<ReserveMemoryOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReserveMemoryOp op,
                                PatternRewriter &rewriter) const override {
    if (std::optional<std::string> reason =
            findRefusal(op, [&] { return checkReserveMemory(op); }))
      return rewriter.notifyMatchFailure(op, *reason);
    lowerReserve(rewriter, op);
    return success();
  }
};

struct ConvertRngMemoryToLinalgPass
    : public rng::impl::ConvertRngMemoryToLinalgPassBase<
          ConvertRngMemoryToLinalgPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkReserveMemory(getOperation())))
      return signalPassFailure();
    getOperation()->walk([&](ReserveMemoryOp) { ++numReservations; });
    RewritePatternSet patterns(&getContext());
    populateRngMemoryToLinalgPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void mlir::rng::populateRngMemoryToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerReserveMemory>(patterns.getContext());
}
