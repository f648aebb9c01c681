//===- SelectKernelProducts.cpp - Products by 32 bits -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  kernels in arith, with `arith.mului_extended` and sums of products.
// Out: the same results by fewer instructions: products of 32 bits by 32 as one
//      instruction for each half, and one `fma` where a product is exact.
//
//===----------------------------------------------------------------------===//

#include "KernelMath.h"
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Support/ThreadLocalCache.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

// A dialect without its ops, whose headers cost a compiler memory.
#include "mlir/Dialect/LLVMIR/LLVMOpsDialect.h.inc"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGSELECTKERNELPRODUCTSPASS
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;

namespace {
/// A product of 32 bits by 32 as one of the machine's for each half. As the
/// 64-bit product that it otherwise becomes, LLVM moves the arithmetic around
/// it to 64 bits too and ends with 64-bit products, four times the work.
struct SplitWideProduct : public OpRewritePattern<arith::MulUIExtendedOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::MulUIExtendedOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getLhs().getType().isInteger(32))
      return rewriter.notifyMatchFailure(op, "is not of 32 bits");
    Location loc = op.getLoc();
    Value low = arith::MulIOp::create(rewriter, loc, op.getLhs(), op.getRhs());
    Value high = rng::nvptx::buildNamedIntrinsic(
        rewriter, loc, "llvm.nvvm.mulhi.ui", rewriter.getI32Type(),
        {op.getLhs(), op.getRhs()});
    rewriter.replaceOp(op, {low, high});
    return success();
  }
};

/// `value * constant + addend` as one operation where the product is exact, so
/// that the sum is rounded once in any case: `value` is an integer and the
/// constant a power of two, far from the ends of the exponent.
struct FuseExactProduct : public OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AddFOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32() && !op.getType().isF64())
      return rewriter.notifyMatchFailure(op, "is not of one f32 or f64");
    auto product = op.getLhs().getDefiningOp<arith::MulFOp>();
    auto integer =
        product ? product.getLhs().getDefiningOp<arith::UIToFPOp>() : nullptr;
    if (!integer)
      return rewriter.notifyMatchFailure(op, "adds to no scaled integer");
    if (getElementTypeOrSelf(integer.getIn()).getIntOrFloatBitWidth() > 64)
      return rewriter.notifyMatchFailure(op, "may be of an infinite integer");
    APFloat factor(0.0);
    if (!matchPattern(product.getRhs(), m_ConstantFloat(&factor)) ||
        factor.getExactLog2() == INT_MIN || factor.getExactLog2() < -64 ||
        factor.getExactLog2() > 0)
      return rewriter.notifyMatchFailure(op, "is not scaled by 1 to 2^-64");
    rewriter.replaceOp(op,
                       rng::nvptx::buildIntrinsic(
                           rewriter, op.getLoc(), "fma", op.getType(),
                           {product.getLhs(), product.getRhs(), op.getRhs()}));
    return success();
  }
};

struct RngSelectKernelProductsPass
    : public rng::impl::RngSelectKernelProductsPassBase<
          RngSelectKernelProductsPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseExactProduct, SplitWideProduct>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
