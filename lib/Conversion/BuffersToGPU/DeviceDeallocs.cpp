//===- DeviceDeallocs.cpp - Who frees device memory -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two passes, as upstream's passes on `bufferization.dealloc` run between them:
// the first puts these ops into device functions and leaves other functions to
// their authors, the second turns what is left into `gpu.dealloc`.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "RngDialect/Conversion/Passes.h"
#include "RngDialect/IR/RngDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGINSERTDEVICEDEALLOCSPASS
#define GEN_PASS_DEF_RNGLOWERDEVICEDEALLOCSPASS
#include "RngDialect/Conversion/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

/// Whether `buffer` was allocated on the host: a staging buffer, or a table of
/// upstream's deallocation. After `convert-rng-to-gpu` all other buffers of a
/// device function come from `gpu.alloc`.
static bool isHostBuffer(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (isa<memref::AllocOp, memref::AllocaOp>(op))
      return true;
    if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op))
      buffer = metadata.getSource();
    else if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      buffer = view.getViewSource();
    else
      return false;
  }
  return false;
}

static void lowerDealloc(memref::DeallocOp dealloc) {
  OpBuilder b(dealloc);
  gpu::DeallocOp::create(b, dealloc.getLoc(), /*asyncToken=*/Type(),
                         /*asyncDependencies=*/ValueRange(),
                         dealloc.getMemref());
  dealloc.erase();
}

static void lowerClone(bufferization::CloneOp clone) {
  OpBuilder b(clone);
  Location loc = clone.getLoc();
  Value input = clone.getInput();
  // The type may be another one than that of the input: casts fold into clones.
  auto type = cast<MemRefType>(clone.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(b, loc, input, dim));
  Value copy = buildDeviceAlloc(b, loc, type, sizes);
  buildCopyKernel(b, loc, input, copy);
  clone.replaceAllUsesWith(copy);
  clone.erase();
}

namespace {
/// Keeps kernels out of sight of upstream's deallocation that it cannot cope
/// with: it refuses barriers, whose effects it does not know, and takes memory
/// of blocks and threads for buffers that someone must own. A cast of all that
/// a kernel uses stands for it meanwhile.
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

  /// Of no op; a block for each launch.
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

struct RngLowerDeviceDeallocsPass
    : public rng::impl::RngLowerDeviceDeallocsPassBase<
          RngLowerDeviceDeallocsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<memref::DeallocOp> deallocs;
    SmallVector<bufferization::CloneOp> clones;
    bool failed = false;
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      if (!isDeviceFunction(function))
        continue;
      function->walk([&](Operation *op) {
        if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
          if (!isHostBuffer(dealloc.getMemref()))
            deallocs.push_back(dealloc);
        } else if (auto clone = dyn_cast<bufferization::CloneOp>(op)) {
          auto type = dyn_cast<MemRefType>(clone.getType());
          if (type && type.getLayout().isIdentity()) {
            clones.push_back(clone);
            return;
          }
          failed = true;
          op->emitOpError("copies device memory to a buffer with a layout or "
                          "of unknown rank; only identity layouts can be");
        }
      });
    }
    if (failed)
      return signalPassFailure();
    llvm::for_each(deallocs, lowerDealloc);
    llvm::for_each(clones, lowerClone);
    // Nothing further asks where a function's memory is.
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      function->removeAttr(RngDialect::kDevice);
  }
};
} // namespace
