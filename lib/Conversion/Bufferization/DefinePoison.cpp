//===- DefinePoison.cpp - Undefined tensors for poison ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  `ub.poison` of tensors, which bufferization does not know.
// Out: `tensor.empty` in its place.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Bufferization/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGDEFINEPOISONPASS
#include "RngDialect/Conversion/Bufferization/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

namespace {
struct RngDefinePoisonPass
    : public rng::impl::RngDefinePoisonPassBase<RngDefinePoisonPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](ub::PoisonOp op) {
      auto type = dyn_cast<RankedTensorType>(op.getType());
      if (!type)
        return;
      OpBuilder b(op);
      SmallVector<Value> sizes;
      for (int64_t i = 0, e = type.getNumDynamicDims(); i != e; ++i)
        sizes.push_back(arith::ConstantIndexOp::create(b, op.getLoc(), 0));
      auto empty = tensor::EmptyOp::create(b, op.getLoc(), type, sizes);
      op->replaceAllUsesWith(empty);
      op->erase();
    });
  }
};
} // namespace
