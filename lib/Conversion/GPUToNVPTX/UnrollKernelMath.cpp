//===- UnrollKernelMath.cpp - Math functions of vectors ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  math functions in kernels, on scalars and on vectors.
// Out: math functions of scalars, one for each element of a vector: the machine
//      has no others.
//
//===----------------------------------------------------------------------===//

#include "KernelMath.h"
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h"
#include "RngDialect/Conversion/LoweringChecks/CheckTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGUNROLLKERNELMATHPASS
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::nvptx;

namespace {
/// A math function of a vector as one of each element, in row-major order.
struct UnrollMathFunction : public RewritePattern {
  explicit UnrollMathFunction(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isMathFunction(op))
      return rewriter.notifyMatchFailure(op, "is no math function");
    auto type = dyn_cast<VectorType>(op->getResult(0).getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "is of scalars");
    if (type.isScalable())
      return rewriter.notifyMatchFailure(op, "has no known number of elements");
    Location loc = op->getLoc();
    SmallVector<Value> results;
    for (Type result : op->getResultTypes())
      results.push_back(arith::ConstantOp::create(
          rewriter, loc, rewriter.getZeroAttr(result)));
    SmallVector<int64_t> strides = computeStrides(type.getShape());
    for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
      SmallVector<int64_t> position = delinearize(i, strides);
      Operation *element = buildElement(rewriter, op, position);
      for (auto [result, value] :
           llvm::zip_equal(results, element->getResults()))
        result =
            vector::InsertOp::create(rewriter, loc, value, result, position);
    }
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// `op` on the elements of its operands at `position`.
  static Operation *buildElement(OpBuilder &b, Operation *op,
                                 ArrayRef<int64_t> position) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          isa<VectorType>(operand.getType())
              ? vector::ExtractOp::create(b, op->getLoc(), operand, position)
                    .getResult()
              : operand);
    SmallVector<Type> types =
        llvm::map_to_vector(op->getResultTypes(), [](Type type) {
          return getElementTypeOrSelf(type);
        });
    return b.create(op->getLoc(), op->getName().getIdentifier(), operands,
                    types, op->getAttrs());
  }
};

struct RngUnrollKernelMathPass
    : public rng::impl::RngUnrollKernelMathPassBase<RngUnrollKernelMathPass> {
  using Base::Base;

  void runOnOperation() override {
    // Before anything is written out.
    WalkResult result = getOperation().walk([](Operation *op) {
      if (!isMathFunction(op) || !isa<VectorType>(op->getResult(0).getType()))
        return WalkResult::advance();
      return WalkResult(checkVectorSize(op, op->getResult(0).getType(),
                                        kMaxKernelVectorElements));
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<UnrollMathFunction>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
