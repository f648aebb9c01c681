//===- ExpandMath.cpp - Math functions as polynomials -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  math functions of floats up to 32 bits.
// Out: arithmetic, with math=poly; what has no polynomial stays.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/LoweringChecks/LowerableOps.h"
#include "RngDialect/Conversion/ToLLVM/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGEXPANDMATHPASS
#include "RngDialect/Conversion/ToLLVM/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

namespace {
struct RngExpandMathPass
    : public rng::impl::RngExpandMathPassBase<RngExpandMathPass> {
  using Base::Base;

  void runOnOperation() override {
    if (math == MathLowering::Libm)
      return;
    if (failed(checkNoTensors()))
      return signalPassFailure();
    // What has no polynomial of its own becomes exp, log and the like first.
    RewritePatternSet expansions(&getContext());
    mlir::math::populateExpansionPatterns(
        expansions, {"sinh", "cosh", "tan", "asinh", "acosh", "atanh", "fpowi",
                     "powf", "exp2", "rsqrt", "clampf"});
    if (failed(applyPatternsGreedily(getOperation(), std::move(expansions))))
      return signalPassFailure();
    RewritePatternSet polynomials(&getContext());
    populateMathPolynomialApproximationPatterns(polynomials);
    if (failed(applyPatternsGreedily(getOperation(), std::move(polynomials))))
      return signalPassFailure();
  }

private:
  /// The polynomials take a tensor for a scalar, and build invalid IR of it.
  LogicalResult checkNoTensors() {
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (!isa_and_nonnull<mlir::math::MathDialect>(op->getDialect()) ||
          !worksOnTensors(op))
        return WalkResult::advance();
      op->emitOpError("works on tensors and cannot be expanded: turn it into "
                      "linalg first, by convert-elementwise-to-linalg");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
