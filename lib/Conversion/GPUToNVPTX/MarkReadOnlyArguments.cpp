//===- MarkReadOnlyArguments.cpp - Marks what is only read ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  kernels in the LLVM dialect and their launches.
// Out: the same, arguments marked that are only read.
//
// Tells LLVM which buffers a kernel only reads and nothing writes meanwhile, so
// that it loads them as such (`ld.global.nc`) and moves these loads freely, and
// which are aligned, so that it loads neighbours together.
//
//===----------------------------------------------------------------------===//

#include "KernelAccesses.h"
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Support/ThreadLocalCache.h"

// A dialect without its ops, whose headers cost a compiler memory.
#include "mlir/Dialect/LLVMIR/LLVMOpsDialect.h.inc"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGMARKREADONLYARGUMENTSPASS
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng::nvptx;

/// Of allocated memory of the device, and of the widest access.
static constexpr int64_t kAlignment = 16;

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

/// The buffer that `buffer` is a view of.
static Value findBuffer(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// Whether `a` and `b`, both no views, are known not to overlap: memory that
/// one op allocated is neither what another did nor what the caller had.
static bool areDistinct(Value a, Value b) {
  auto isAlloc = [](Value value) {
    return value.getDefiningOp<gpu::AllocOp>() != nullptr;
  };
  auto isFromCaller = [](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner()->isEntryBlock() &&
           isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  };
  return a != b && ((isAlloc(a) && (isAlloc(b) || isFromCaller(b))) ||
                    (isAlloc(b) && isFromCaller(a)));
}

/// Whether data of `buffer` starts where memory was allocated.
static bool isAtAllocation(Value buffer) {
  while (Operation *view = buffer.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(
            view))
      return isa<gpu::AllocOp>(view);
    buffer = view->getOperand(0);
  }
  return false;
}

/// The position of the pointer to the data of each buffer among the arguments
/// of a kernel, for the operands of its launch; none if they do not match.
static std::optional<SmallVector<std::pair<Value, unsigned>>>
findPointers(gpu::LaunchFuncOp launch, FunctionOpInterface kernel) {
  SmallVector<std::pair<Value, unsigned>> pointers;
  unsigned position = 0;
  for (Value operand : launch.getKernelOperands()) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type) {
      // An unranked buffer too is not one argument, but two.
      position += isa<UnrankedMemRefType>(operand.getType()) ? 2 : 1;
      continue;
    }
    // Two pointers, an offset, sizes and strides.
    pointers.push_back({operand, position + 1});
    position += 3 + 2 * type.getRank();
  }
  if (position != kernel.getNumArguments() ||
      llvm::any_of(pointers, [&](auto &pointer) {
        return !isa<LLVM::LLVMPointerType>(
            kernel.getArgument(pointer.second).getType());
      }))
    return std::nullopt;
  return pointers;
}

/// The arguments that `kernel` only reads, and that do not overlap with what it
/// writes in a launch with `pointers`.
static DenseSet<unsigned>
findReadOnly(ArrayRef<std::pair<Value, unsigned>> pointers,
             FunctionOpInterface kernel, const DenseSet<Value> &written) {
  DenseSet<unsigned> found;
  SmallVector<Value> targets;
  DenseSet<Value> known;
  for (auto [operand, position] : pointers)
    if (written.contains(kernel.getArgument(position))) {
      targets.push_back(findBuffer(operand));
      known.insert(kernel.getArgument(position));
    }
  // What is written through is a buffer of the launch.
  if (known.size() != written.size())
    return found;
  for (auto [operand, position] : pointers) {
    Value buffer = findBuffer(operand);
    if (isOnlyRead(kernel.getArgument(position)) &&
        llvm::all_of(targets,
                     [&](Value target) { return areDistinct(buffer, target); }))
      found.insert(position);
  }
  return found;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct RngMarkReadOnlyArgumentsPass
    : public rng::impl::RngMarkReadOnlyArgumentsPassBase<
          RngMarkReadOnlyArgumentsPass> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTableCollection symbols;
    llvm::MapVector<FunctionOpInterface, SmallVector<gpu::LaunchFuncOp>>
        launches;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto kernel = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
          launch, launch.getKernelAttr());
      if (kernel && isa<LLVM::LLVMDialect>(kernel->getDialect()) &&
          !kernel.isExternal())
        launches[kernel].push_back(launch);
    });
    for (auto &[kernel, ofKernel] : launches)
      mark(kernel, ofKernel);
  }

private:
  void mark(FunctionOpInterface kernel, ArrayRef<gpu::LaunchFuncOp> launches) {
    SmallVector<unsigned> numAligned(kernel.getNumArguments(), 0);
    SmallVector<unsigned> numReadOnly(kernel.getNumArguments(), 0);
    std::optional<DenseSet<Value>> written = findWritten(kernel);
    for (gpu::LaunchFuncOp launch : launches) {
      auto pointers = findPointers(launch, kernel);
      if (!pointers)
        return;
      for (auto [operand, position] : *pointers)
        numAligned[position] += isAtAllocation(operand);
      if (written)
        for (unsigned position : findReadOnly(*pointers, kernel, *written))
          ++numReadOnly[position];
    }
    OpBuilder b(&getContext());
    for (BlockArgument argument : kernel.getArguments()) {
      unsigned position = argument.getArgNumber();
      if (argument.use_empty())
        continue;
      if (numAligned[position] == launches.size())
        kernel.setArgAttr(position, LLVM::LLVMDialect::getAlignAttrName(),
                          b.getI64IntegerAttr(kAlignment));
      if (numReadOnly[position] != launches.size())
        continue;
      kernel.setArgAttr(position, LLVM::LLVMDialect::getNoAliasAttrName(),
                        b.getUnitAttr());
      kernel.setArgAttr(position, LLVM::LLVMDialect::getReadonlyAttrName(),
                        b.getUnitAttr());
      ++this->numReadOnly;
    }
  }
};
} // namespace
