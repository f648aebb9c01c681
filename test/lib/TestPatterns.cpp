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
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

// Dialects without their ops, whose headers cost a compiler memory.
#include "mlir/Dialect/Bufferization/IR/BufferizationOpsDialect.h.inc"
#include "mlir/Dialect/Linalg/IR/LinalgOpsDialect.h.inc"
#include "mlir/Dialect/Math/IR/MathOpsDialect.h.inc"
#include "mlir/Dialect/MemRef/IR/MemRefOpsDialect.h.inc"
#include "mlir/Dialect/Tensor/IR/TensorOpsDialect.h.inc"
#include "mlir/Dialect/Vector/IR/VectorDialect.h.inc"

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
