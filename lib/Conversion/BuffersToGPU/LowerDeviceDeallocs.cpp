//===- LowerDeviceDeallocs.cpp - Frees device memory ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  device functions with `memref.dealloc` and `bufferization.clone`.
// Out: `gpu.dealloc`, and copies by kernels.
//
// Turns what upstream's deallocation left of what `rng-insert-device-deallocs`
// put into device functions into `gpu.dealloc`.
//
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"
#include "RngDialect/Conversion/BuffersToGPU/Passes.h"
#include "RngDialect/IR/RngDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

// Dialects without their ops, whose headers cost a compiler memory.
#include "mlir/Dialect/SCF/IR/SCFOpsDialect.h.inc"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGLOWERDEVICEDEALLOCSPASS
#include "RngDialect/Conversion/BuffersToGPU/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::kernels;

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
