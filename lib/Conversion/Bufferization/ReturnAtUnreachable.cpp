//===- ReturnAtUnreachable.cpp - Exits of dead basic blocks -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  functions with `ub.unreachable`.
// Out: functions that return there instead.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Bufferization/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGRETURNATUNREACHABLEPASS
#include "RngDialect/Conversion/Bufferization/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

namespace {
struct RngReturnAtUnreachablePass
    : public rng::impl::RngReturnAtUnreachablePassBase<
          RngReturnAtUnreachablePass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<ub::UnreachableOp> ops;
    getOperation()->walk([&](ub::UnreachableOp op) { ops.push_back(op); });
    for (ub::UnreachableOp op : ops) {
      OpBuilder b(op);
      auto buildPoison = [&](Type type) -> Value {
        return ub::PoisonOp::create(b, op.getLoc(), type);
      };
      if (Operation *exit = findExit(*op->getParentRegion())) {
        SmallVector<Value> operands =
            llvm::map_to_vector(exit->getOperandTypes(), buildPoison);
        OperationState state(op.getLoc(), exit->getName());
        state.addOperands(operands);
        state.addAttributes(exit->getAttrs());
        b.create(state);
      } else if (auto function = dyn_cast<func::FuncOp>(op->getParentOp())) {
        SmallVector<Value> operands =
            llvm::map_to_vector(function.getResultTypes(), buildPoison);
        func::ReturnOp::create(b, op.getLoc(), operands);
      } else {
        continue;
      }
      op.erase();
    }
  }

private:
  /// What another basic block of `region` ends in to leave it; null if none
  /// does.
  static Operation *findExit(Region &region) {
    for (Block &block : region) {
      Operation *terminator = block.getTerminator();
      if (terminator->getNumSuccessors() == 0 &&
          !isa<ub::UnreachableOp>(terminator))
        return terminator;
    }
    return nullptr;
  }
};
} // namespace
