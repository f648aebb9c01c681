//===- SelectKernelSigns.cpp - Signed i1 as floats --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  kernels in arith, with `arith.sitofp` of any integers.
// Out: none of an i1, true to -1: the NVPTX backend converts true to 1 where
//      the result is bf16.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/GPUToNVPTX/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGSELECTKERNELSIGNSPASS
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;

namespace {
/// The conversion of a signed i1 as a selection between -1 and 0.
struct SelectSign : public OpRewritePattern<arith::SIToFPOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SIToFPOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getIn().getType().isInteger(1) || !isa<FloatType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "is not of one i1");
    auto build = [&](double value) -> Value {
      return arith::ConstantOp::create(
          rewriter, op.getLoc(), rewriter.getFloatAttr(op.getType(), value));
    };
    Value minusOne = build(-1.0), zero = build(0.0);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, op.getIn(), minusOne,
                                                 zero);
    return success();
  }
};

struct RngSelectKernelSignsPass
    : public rng::impl::RngSelectKernelSignsPassBase<RngSelectKernelSignsPass> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SelectSign>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
