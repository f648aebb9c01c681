//===- RngMemoryToLinalg.cpp - State kept in memory -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A structured op on buffers serves all targets: two loads and stores on a CPU,
// one tiny kernel on a GPU, where the host then never sees the state.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/LoweringChecks/Refusals.h"
#include "RngDialect/Conversion/Passes.h"
#include "RngDialect/Conversion/RngToArith/EmitDraw.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::rng {
#define GEN_PASS_DEF_CONVERTRNGMEMORYTOLINALGPASS
#include "RngDialect/Conversion/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The reservations of one state must have an order, which host code gives
/// them and threads do not.
static LogicalResult checkPlace(ReserveMemoryOp op) {
  for (Operation *scope = op->getParentOp(); scope;
       scope = scope->getParentOp()) {
    if (isa<gpu::LaunchOp, gpu::GPUModuleOp, gpu::GPUFuncOp>(scope))
      return op.emitOpError("is in device code, each thread of which would "
                            "advance the state: move it to the host, in front "
                            "of the launch");
    if (isa<FunctionOpInterface>(scope))
      return success();
    if (scope->hasTrait<OpTrait::IsIsolatedFromAbove>())
      break;
    if (isa<RegionBranchOpInterface>(scope) &&
        !scope->hasTrait<OpTrait::HasParallelRegion>())
      continue;
    InFlightDiagnostic diag =
        op.emitOpError("is within '")
        << scope->getName()
        << "', which does not say in what order states are reserved: reserve "
           "in front of it, for all of its iterations";
    diag.attachNote(scope->getLoc()) << "'" << scope->getName() << "' is here";
    return diag;
  }
  return op.emitOpError("expected to be in a function");
}

static LogicalResult checkType(ReserveMemoryOp op) {
  auto type = cast<MemRefType>(op.getMemory().getType());
  if (!type.isStrided())
    return op.emitOpError("cannot be lowered with the layout of ")
           << type << ": expected a strided one";
  Attribute space = type.getMemorySpace();
  if (space && !isa<IntegerAttr>(space))
    return op.emitOpError("cannot be lowered with the memory space of ")
           << type << ": cast it to the default one";
  return success();
}

LogicalResult mlir::rng::checkReserveMemory(Operation *root) {
  WalkResult result = root->walk([](ReserveMemoryOp op) {
    return WalkResult(failure(failed(checkPlace(op)) || failed(checkType(op))));
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

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
  // Nobody else has this buffer, and without `writable` nobody writes to it:
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
