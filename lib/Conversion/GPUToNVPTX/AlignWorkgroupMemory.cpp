//===- AlignWorkgroupMemory.cpp - Alignment of workgroup memory -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  kernels with workgroup memory.
// Out: the same, aligned as LLVM takes it to be.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/GPUToNVPTX/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"
#include "mlir/Support/ThreadLocalCache.h"

// A dialect without its ops, whose headers cost a compiler memory.
#include "mlir/Dialect/LLVMIR/LLVMOpsDialect.h.inc"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGALIGNWORKGROUPMEMORYPASS
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

/// Of the widest access, in bytes.
static constexpr int64_t kAlignment = 16;

namespace {
struct RngAlignWorkgroupMemoryPass
    : public rng::impl::RngAlignWorkgroupMemoryPassBase<
          RngAlignWorkgroupMemoryPass> {
  using Base::Base;

  void runOnOperation() override {
    StringRef name = LLVM::LLVMDialect::getAlignAttrName();
    auto alignment =
        IntegerAttr::get(IntegerType::get(&getContext(), 64), kAlignment);
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      for (int i = 0, e = kernel.getNumWorkgroupAttributions(); i < e; ++i)
        if (!kernel.getWorkgroupAttributionAttr(i, name))
          kernel.setWorkgroupAttributionAttr(i, name, alignment);
    });
  }
};
} // namespace
