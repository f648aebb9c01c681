//===- RepeatFills.cpp - A fill for each op that overwrites -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  linalg ops that share a filled or an empty tensor.
// Out: a tensor of its own for each that overwrites it.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Bufferization/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGREPEATFILLSPASS
#include "RngDialect/Conversion/Bufferization/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

/// So many ops may take turns with the memory of one `tensor.empty`.
static constexpr int64_t kMaxUses = 32;

/// Whether `op` writes one scalar to all of a tensor.
static bool isFill(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1)
    return false;
  if (isa<linalg::FillOp>(op))
    return true;
  return isa<linalg::GenericOp>(op) &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         llvm::hasSingleElement(*op.getBlock()) &&
         op.getBlock()->getArguments().back().use_empty() &&
         llvm::none_of(op.getDpsInputs(), [](Value input) {
           return isa<ShapedType>(input.getType());
         });
}

namespace {
struct RngRepeatFillsPass
    : public rng::impl::RngRepeatFillsPassBase<RngRepeatFillsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> fills;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (isFill(op) && !op->hasOneUse())
        fills.push_back(op);
    });
    for (linalg::LinalgOp fill : fills) {
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : fill->getUses())
        if (auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
            user && user.isDpsInit(&use))
          uses.push_back(&use);
      for (OpOperand *use : uses) {
        if (fill->hasOneUse())
          break;
        OpBuilder b(use->getOwner());
        use->set(b.clone(*fill)->getResult(0));
        ++numFills;
      }
    }
    repeatEmpties();
  }

private:
  /// Bufferization asks of each use of a buffer about all others.
  void repeatEmpties() {
    struct Current {
      Value empty;
      int64_t numUses = 0;
    };
    DenseMap<Value, Current> currents;
    getOperation()->walk([&](linalg::LinalgOp op) {
      for (OpOperand &init : op.getDpsInitsMutable()) {
        auto empty = init.get().getDefiningOp<tensor::EmptyOp>();
        if (!empty)
          continue;
        Current &current = currents[init.get()];
        if (!current.empty)
          current.empty = init.get();
        if (current.numUses++ == kMaxUses) {
          OpBuilder b(empty);
          current = {b.clone(*empty)->getResult(0), 1};
          ++numEmpties;
        }
        init.set(current.empty);
      }
    });
  }
};
} // namespace
