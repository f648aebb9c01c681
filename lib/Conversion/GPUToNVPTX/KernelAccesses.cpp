//===- KernelAccesses.cpp - What kernels read and write ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelAccesses.h"
#include "NVVMTarget.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::rng;

/// The pointer that `pointer` is somewhere behind.
static Value findOrigin(Value pointer) {
  while (true) {
    if (auto gep = pointer.getDefiningOp<LLVM::GEPOp>())
      pointer = gep.getBase();
    else if (auto cast = pointer.getDefiningOp<LLVM::AddrSpaceCastOp>())
      pointer = cast.getArg();
    else
      return pointer;
  }
}

bool nvptx::isOnlyRead(Value pointer) {
  return llvm::all_of(pointer.getUsers(), [](Operation *user) {
    if (isa<LLVM::LoadOp>(user))
      return true;
    return isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(user) &&
           isOnlyRead(user->getResult(0));
  });
}

std::optional<DenseSet<Value>> nvptx::findWritten(FunctionOpInterface kernel) {
  DenseSet<Value> written;
  WalkResult result = kernel.getFunctionBody().walk([&](Operation *op) {
    if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
      Value origin = findOrigin(store.getAddr());
      if (origin.getDefiningOp<LLVM::AllocaOp>() ||
          origin.getDefiningOp<LLVM::AddressOfOp>())
        return WalkResult::advance();
      if (!llvm::is_contained(kernel.getArguments(), origin))
        return WalkResult::interrupt();
      written.insert(origin);
      return WalkResult::advance();
    }
    if (isa<LLVM::LoadOp, LLVM::AllocaOp>(op) || isMemoryEffectFree(op) ||
        op->hasTrait<OpTrait::IsTerminator>())
      return WalkResult::advance();
    // Functions of numbers.
    if (isa<LLVM::CallIntrinsicOp>(op) &&
        llvm::none_of(op->getOperandTypes(),
                      llvm::IsaPred<LLVM::LLVMPointerType>))
      return WalkResult::advance();
    // Barriers and the like touch no buffer.
    if (isa<NVVM::NVVMDialect>(op->getDialect()) && op->getNumOperands() == 0)
      return WalkResult::advance();
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return std::nullopt;
  return written;
}
