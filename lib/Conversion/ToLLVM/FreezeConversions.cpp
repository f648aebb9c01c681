//===- FreezeConversions.cpp - Poison stays poison --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FreezeConversions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

void mlir::rng::tollvm::freezeConversions(Operation *root) {
  root->walk([](Operation *op) {
    if (!isa<LLVM::FPToSIOp, LLVM::FPToUIOp>(op))
      return;
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    Value number = op->getResult(0);
    auto freeze = LLVM::FreezeOp::create(b, op->getLoc(), number);
    number.replaceAllUsesExcept(freeze, freeze);
  });
}
