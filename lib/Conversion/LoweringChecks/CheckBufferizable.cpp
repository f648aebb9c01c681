//===- CheckBufferizable.cpp - Reports what has no buffers ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  any ops.
// Out: the same, or an error at an op on tensors without a form on buffers.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Dependencies.h"
#include "RngDialect/Conversion/LoweringChecks/CheckTypes.h"
#include "RngDialect/Conversion/LoweringChecks/LowerableOps.h"
#include "RngDialect/Conversion/LoweringChecks/Passes.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGCHECKBUFFERIZABLEPASS
#include "RngDialect/Conversion/LoweringChecks/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

namespace {
struct RngCheckBufferizablePass
    : public rng::impl::RngCheckBufferizablePassBase<RngCheckBufferizablePass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkPipelineDependencies(getOperation())))
      return signalPassFailure();
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (isa<bufferization::BufferizableOpInterface>(op) ||
          !worksOnTensors(op))
        return WalkResult::advance();
      emitNotBufferizable(op);
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted() || failed(checkBufferTypes(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
