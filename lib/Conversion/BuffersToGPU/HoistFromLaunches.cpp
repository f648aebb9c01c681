//===- HoistFromLaunches.cpp - Host work of kernels -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  gpu.launch with bodies that compute of what the host has.
// Out: the same, with work on floats of the host alone in front of the launch.
//
// Moves out of kernels what they compute of floats of the host alone: the
// threshold of a probability, the width of a range, one divided by a rate. It
// is the same for all threads and many operations make one or two values.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/BuffersToGPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGHOISTFROMLAUNCHESPASS
#include "RngDialect/Conversion/BuffersToGPU/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;

namespace {
struct RngHoistFromLaunchesPass
    : public rng::impl::RngHoistFromLaunchesPassBase<RngHoistFromLaunchesPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](gpu::LaunchOp launch) { hoist(launch); });
  }

private:
  void hoist(gpu::LaunchOp launch) {
    DenseSet<Value> hoisted;
    auto isOutside = [&](Value value) {
      return !launch.getBody().isAncestor(value.getParentRegion());
    };
    auto isConstant = [](Value value) {
      return value.getDefiningOp<arith::ConstantOp>() != nullptr;
    };
    // Of integers, seeds and sizes among them, one operation makes one value.
    auto isOfHost = [&](Value value) {
      return hoisted.contains(value) ||
             (isOutside(value) && !isConstant(value) &&
              isa<FloatType>(value.getType()));
    };
    OpBuilder outside(launch);
    // Definitions come before uses.
    launch.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
          !isPure(op) || llvm::none_of(op->getOperands(), isOfHost) ||
          !llvm::all_of(op->getOperands(),
                        [&](Value value) {
                          return isOfHost(value) || isConstant(value);
                        }) ||
          !llvm::all_of(op->getResultTypes(),
                        llvm::IsaPred<FloatType, IntegerType>))
        return;
      for (OpOperand &operand : op->getOpOperands())
        if (isConstant(operand.get()) && !isOutside(operand.get()))
          operand.set(
              outside.clone(*operand.get().getDefiningOp())->getResult(0));
      work.push_back(op);
      hoisted.insert_range(op->getResults());
    });
    for (Operation *op : work)
      op->moveBefore(launch);
    numHoisted += work.size();
    work.clear();
  }

  SmallVector<Operation *> work;
};
} // namespace
