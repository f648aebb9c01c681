//===- Orders.cpp - What the user orders about an op ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Orders.h"
#include "RngDialect/IR/RngDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

Order mlir::rng::cut::getOrder(Operation *op) {
  for (; op && !isa<FunctionOpInterface>(op); op = op->getParentOp()) {
    if (op->hasAttr(RngDialect::kSave))
      return Order::Save;
    if (op->hasAttr(RngDialect::kRecompute))
      return Order::Recompute;
  }
  return Order::None;
}

bool mlir::rng::cut::hasSaveInside(Operation *op, const PureCalls &calls) {
  // Functions may call one another many times: each is looked at once.
  llvm::SetVector<Operation *> roots;
  roots.insert(op);
  for (unsigned i = 0; i != roots.size(); ++i) {
    Operation *root = roots[i];
    WalkResult result = root->walk([&](Operation *inner) {
      if (inner != op && inner->hasAttr(RngDialect::kSave))
        return WalkResult::interrupt();
      if (FunctionOpInterface callee = calls.getCallee(inner))
        roots.insert(callee);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return true;
  }
  return false;
}
