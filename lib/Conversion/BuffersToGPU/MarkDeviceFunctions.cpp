//===- MarkDeviceFunctions.cpp - Marks device functions ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  functions before bufferization.
// Out: the same, those on tensors marked `rng.device`.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/BuffersToGPU/Passes.h"
#include "RngDialect/IR/RngDialect.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGMARKDEVICEFUNCTIONSPASS
#include "RngDialect/Conversion/BuffersToGPU/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

static bool isTensor(Type type) { return isa<TensorType>(type); }

/// Whether `op` computes with tensors, instead of handing them on.
static bool computesWithTensors(Operation *op) {
  if (isa<CallOpInterface, bufferization::ToTensorOp,
          bufferization::ToBufferOp>(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

static bool isDevice(FunctionOpInterface function) {
  // A C function of some library.
  if (function.isExternal() &&
      function->hasAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName()))
    return false;
  return llvm::any_of(function.getArgumentTypes(), isTensor) ||
         llvm::any_of(function.getResultTypes(), isTensor) ||
         function
             ->walk([](Operation *op) {
               return computesWithTensors(op) ? WalkResult::interrupt()
                                              : WalkResult::advance();
             })
             .wasInterrupted();
}

namespace {
struct RngMarkDeviceFunctionsPass
    : public rng::impl::RngMarkDeviceFunctionsPassBase<
          RngMarkDeviceFunctionsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      if (!isDevice(function))
        continue;
      function->setAttr(RngDialect::kDevice, UnitAttr::get(&getContext()));
      ++numDeviceFunctions;
    }
  }
};
} // namespace
