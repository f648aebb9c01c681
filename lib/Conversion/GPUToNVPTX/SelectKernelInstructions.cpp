//===- SelectKernelInstructions.cpp - Fewer instructions --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  kernels in arith and vector, in a module with its targets.
// Out: the same results in forms for which the NVPTX backend finds fewer
//      instructions.
//
//===----------------------------------------------------------------------===//

#include "NVVMTarget.h"
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGSELECTKERNELINSTRUCTIONSPASS
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;

/// The first chip with a minimum and a maximum that keep NaN.
static constexpr unsigned kMinimumChip = 80;

/// The number of the least chip that `kernels` are for, 0 if unknown.
static unsigned getChip(gpu::GPUModuleOp kernels) {
  unsigned least = ~0u;
  if (!kernels.getTargetsAttr() || kernels.getTargetsAttr().empty())
    return 0;
  for (Attribute attribute : kernels.getTargetsAttr()) {
    auto target = dyn_cast<NVVM::NVVMTargetAttr>(attribute);
    unsigned number = 0;
    StringRef chip = target ? target.getChip() : StringRef();
    if (!chip.consume_front("sm_") || chip.consumeInteger(10, number))
      return 0;
    least = std::min(least, number);
  }
  return least;
}

namespace {
/// A minimum or a maximum of `x < c ? x : c` or `x > c ? x : c` where x stays
/// if it is NaN. c is a constant other than zero, which has a sign.
struct SelectClamp : public OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    auto compare = op.getCondition().getDefiningOp<arith::CmpFOp>();
    if (!compare || !op.getType().isF32() ||
        compare.getLhs() != op.getTrueValue() ||
        compare.getRhs() != op.getFalseValue())
      return rewriter.notifyMatchFailure(op, "selects no f32 that it compares");
    APFloat bound(0.0f);
    if (!matchPattern(compare.getRhs(), m_ConstantFloat(&bound)) ||
        !bound.isFiniteNonZero())
      return rewriter.notifyMatchFailure(op, "has no bound that is a constant "
                                             "other than zero");
    Value x = compare.getLhs(), c = compare.getRhs();
    switch (compare.getPredicate()) {
    case arith::CmpFPredicate::ULT:
    case arith::CmpFPredicate::ULE:
      rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, x, c);
      return success();
    case arith::CmpFPredicate::UGT:
    case arith::CmpFPredicate::UGE:
      rewriter.replaceOpWithNewOp<arith::MaximumFOp>(op, x, c);
      return success();
    default:
      return rewriter.notifyMatchFailure(op, "does not keep NaN");
    }
  }
};

/// The extension of a bf16 from a vector as one operation on a 32-bit register:
/// its bits are the upper half of the result's, and registers hold two.
struct SelectExtension : public OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    auto extract = op.getIn().getDefiningOp<vector::ExtractOp>();
    if (!extract || !op.getIn().getType().isBF16() || !op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "extends no bf16 of a vector");
    VectorType type = extract.getSourceVectorType();
    ArrayRef<int64_t> position = extract.getStaticPosition();
    if (type.getRank() != 1 || type.isScalable() ||
        type.getNumElements() % 2 != 0)
      return rewriter.notifyMatchFailure(op, "is not of a vector of pairs");
    if (position.size() != 1 || position[0] < 0)
      return rewriter.notifyMatchFailure(op, "is of no known element");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto pairs = VectorType::get(type.getNumElements() / 2, b.getI32Type());
    Value pair = vector::ExtractOp::create(
        b, vector::BitCastOp::create(b, pairs, extract.getSource()),
        position[0] / 2);
    auto constant = [&](uint32_t value) {
      return arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(value)));
    };
    Value bits;
    if (position[0] % 2 == 0)
      bits = arith::ShLIOp::create(b, pair, constant(16));
    else
      bits = arith::AndIOp::create(b, pair, constant(0xFFFF0000));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), bits);
    return success();
  }
};

struct RngSelectKernelInstructionsPass
    : public rng::impl::RngSelectKernelInstructionsPassBase<
          RngSelectKernelInstructionsPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SelectExtension>(&getContext());
    if (getChip(getOperation()) >= kMinimumChip)
      patterns.add<SelectClamp>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
