//===- CheckLowerable.cpp - Reports what cannot be lowered ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  a program for one of the pipelines.
// Out: the same, or an error at what no pass of them lowers.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Dependencies.h"
#include "RngDialect/Conversion/LoweringChecks/CheckDraws.h"
#include "RngDialect/Conversion/LoweringChecks/CheckTypes.h"
#include "RngDialect/Conversion/LoweringChecks/LowerableOps.h"
#include "RngDialect/Conversion/LoweringChecks/Passes.h"
#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/Transforms/Support/JointMarks.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGCHECKLOWERABLEPASS
#include "RngDialect/Conversion/LoweringChecks/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

namespace {
struct RngCheckLowerablePass
    : public rng::impl::RngCheckLowerablePassBase<RngCheckLowerablePass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkPipelineDependencies(getOperation())) ||
        failed(checkDialects()) || failed(checkModules()) ||
        failed(checkTypes(getOperation())) ||
        failed(checkNoStatefulDraws(getOperation())) ||
        failed(checkStatelessDraws(getOperation())) ||
        failed(checkReserveMemory(getOperation())) ||
        failed(checkLowerableOps(getOperation(), allowKernels, allowDealloc)))
      signalPassFailure();
    else if (auto module = dyn_cast<ModuleOp>(getOperation()))
      warnUnsplitJointFunctions(module, "the lowering");
    markAllAnalysesPreserved();
  }

private:
  /// Upstream passes of the pipelines ask an op for its dialect unchecked.
  LogicalResult checkDialects() {
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (op->getDialect())
        return WalkResult::advance();
      op->emitOpError("cannot be lowered here: its dialect is not registered; "
                      "lower it first, or register the dialect");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// Functions of nested modules are not bufferized with those around them.
  LogicalResult checkModules() {
    WalkResult result = getOperation()->walk([&](Operation *op) {
      auto module = op->getParentOfType<ModuleOp>();
      if ((!isa<RngDialect>(op->getDialect()) && !worksOnTensors(op)) ||
          !module || module->isAncestor(getOperation()))
        return WalkResult::advance();
      InFlightDiagnostic diag = op->emitOpError(
          "cannot be lowered in a nested module: move its functions into the "
          "module around it");
      diag.attachNote(module.getLoc()) << "nested module here";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
