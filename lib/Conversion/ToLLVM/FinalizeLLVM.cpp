//===- FinalizeLLVM.cpp - Nothing but the LLVM dialect ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  what the pipelines have made of a program.
// Out: the LLVM dialect alone, or an error at the first op that is left.
//
//===----------------------------------------------------------------------===//

#include "FreezeConversions.h"
#include "RngDialect/Conversion/ToLLVM/Passes.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/Support/ThreadLocalCache.h"

// Dialects without their ops, whose headers cost a compiler memory.
#include "mlir/Dialect/LLVMIR/LLVMOpsDialect.h.inc"
#include "mlir/Dialect/OpenMP/OpenMPOpsDialect.h.inc"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGFINALIZELLVMPASS
#include "RngDialect/Conversion/ToLLVM/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

namespace {
struct RngFinalizeLLVMPass
    : public rng::impl::RngFinalizeLLVMPassBase<RngFinalizeLLVMPass> {
  using Base::Base;

  void runOnOperation() override {
    // A cast is there for another op: that one is the user's.
    Operation *left = nullptr;
    getOperation()->walk([&](Operation *op) {
      // Compiled kernels and their launches, and loops of OpenMP, are
      // translated as they are.
      if (isa<ModuleOp, gpu::BinaryOp, gpu::LaunchFuncOp>(op) ||
          isa_and_nonnull<omp::OpenMPDialect>(op->getDialect()) ||
          isLLVM(op->getDialect()))
        return WalkResult::advance();
      if (!left || isa<UnrealizedConversionCastOp>(left))
        left = op;
      return isa<UnrealizedConversionCastOp>(left) ? WalkResult::advance()
                                                   : WalkResult::interrupt();
    });
    if (left) {
      left->emitOpError("could not be lowered to the LLVM dialect: lower it "
                        "before this pipeline, or change the types it is "
                        "given");
      return signalPassFailure();
    }
    getOperation()->walk([&](Operation *op) {
      for (NamedAttribute attribute :
           llvm::to_vector(op->getDiscardableAttrs()))
        if (isForeign(attribute.getValue()))
          op->removeDiscardableAttr(attribute.getName());
    });
    tollvm::freezeConversions(getOperation());
  }

private:
  static bool isLLVM(Dialect *dialect) {
    return isa_and_nonnull<LLVM::LLVMDialect>(dialect);
  }

  /// Whether the attribute or a part of it is of a dialect that a tool for the
  /// LLVM dialect need not know.
  static bool isForeign(Attribute attribute) {
    return attribute
        .walk([](Attribute part) {
          bool isKnown = isLLVM(&part.getDialect()) ||
                         isa<BuiltinDialect, DLTIDialect>(part.getDialect());
          return isKnown ? WalkResult::advance() : WalkResult::interrupt();
        })
        .wasInterrupted();
  }
};
} // namespace
