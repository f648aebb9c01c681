//===- InsertDeviceDeallocs.cpp - Frees device memory -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  device functions after convert-rng-to-gpu, which free nothing.
// Out: the same with `bufferization.dealloc` of what they must free.
//
// Puts the ops of upstream's deallocation into device functions and leaves
// other functions to their authors. Upstream's passes on
// `bufferization.dealloc` run between this pass and
// `rng-lower-device-deallocs`.
//
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"
#include "RngDialect/Conversion/BuffersToGPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

// Dialects without their ops, whose headers cost a compiler memory.
#include "mlir/Dialect/Bufferization/IR/BufferizationOpsDialect.h.inc"
#include "mlir/Dialect/SCF/IR/SCFOpsDialect.h.inc"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGINSERTDEVICEDEALLOCSPASS
#include "RngDialect/Conversion/BuffersToGPU/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::kernels;

namespace {
/// Keeps kernels out of sight of upstream's deallocation that it cannot cope
/// with: it refuses barriers, whose effects it does not know, and takes memory
/// of thread blocks and threads for buffers that a function must own. A cast of
/// all that a kernel uses stands for it meanwhile.
class HiddenLaunches {
public:
  explicit HiddenLaunches(Operation *function) {
    SmallVector<gpu::LaunchOp> launches;
    function->walk([&](gpu::LaunchOp launch) {
      bool hasBarrier =
          launch.walk([](gpu::BarrierOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
      if (hasBarrier || launch.getNumWorkgroupAttributions() != 0 ||
          !launch.getPrivateAttributions().empty())
        launches.push_back(launch);
    });
    llvm::for_each(launches, [&](gpu::LaunchOp launch) { hide(launch); });
  }

  /// Puts them back. Deallocation may have replaced what they use.
  void show() {
    for (auto [block, cast] : hidden) {
      for (auto [argument, value] :
           llvm::zip_equal(block->getArguments(), cast.getInputs()))
        argument.replaceAllUsesWith(value);
      block->front().moveBefore(cast);
      cast.erase();
    }
    hidden.clear();
  }

private:
  void hide(gpu::LaunchOp launch) {
    llvm::SetVector<Value> used(launch->operand_begin(), launch->operand_end());
    getUsedValuesDefinedAbove(launch->getRegions(), used);
    OpBuilder b(launch);
    auto cast = UnrealizedConversionCastOp::create(
        b, launch.getLoc(), b.getI1Type(), used.getArrayRef());
    Block *block = new Block();
    region.push_back(block);
    launch->moveBefore(block, block->end());
    for (Value value : used) {
      Value argument = block->addArgument(value.getType(), value.getLoc());
      value.replaceUsesWithIf(argument, [&](OpOperand &use) {
        return launch->isAncestor(use.getOwner());
      });
    }
    hidden.push_back({block, cast});
  }

  /// Of no op; a basic block for each launch.
  Region region;
  SmallVector<std::pair<Block *, UnrealizedConversionCastOp>> hidden;
};

struct RngInsertDeviceDeallocsPass
    : public rng::impl::RngInsertDeviceDeallocsPassBase<
          RngInsertDeviceDeallocsPass> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTableCollection symbols;
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      if (!isDeviceFunction(function) || function.isExternal())
        continue;
      HiddenLaunches launches(function);
      LogicalResult result = bufferization::deallocateBuffersOwnershipBased(
          function, bufferization::DeallocationOptions(), symbols);
      launches.show();
      if (failed(result))
        return signalPassFailure();
    }
  }
};
} // namespace
