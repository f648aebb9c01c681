//===- TestPatterns.cpp - Public patterns in an embedder's pass -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPatterns.h"
#include "RngDialect/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::rng;

namespace {
/// Applies the patterns of all lowerings of ops to arithmetic and loops,
/// greedily. What cannot be lowered stays, and nothing is reported.
struct TestPatternsPass
    : public PassWrapper<TestPatternsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPatternsPass)

  StringRef getArgument() const final { return "test-rng-patterns"; }
  StringRef getDescription() const final {
    return "Apply the public patterns of the lowerings greedily";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry
        .insert<arith::ArithDialect, bufferization::BufferizationDialect,
                linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect,
                tensor::TensorDialect, vector::VectorDialect>();
  }
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    populateRngToArithPatterns(patterns);
    populateRngToLinalgPatterns(patterns);
    populateRngMemoryToLinalgPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void mlir::rng::test::registerTestPatternsPass() {
  PassRegistration<TestPatternsPass>();
}
