//===- CheckKernelTypes.cpp - Types that kernels cannot have ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  kernels in arith, math and what upstream's conversion to NVVM takes,
//      after the expansion of math functions and of arith on narrow floats.
// Out: the same, or an error at the first op on a type that the machine does
//      not have: the NVPTX backend crashes for some of them.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/GPUToNVPTX/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGCHECKKERNELTYPESPASS
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;

/// Whether a kernel can hold values of `type`, and compute with them if it
/// `computes`.
static bool hasType(Type type, bool computes) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    type = shaped.getElementType();
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() != 0;
  if (!isa<FloatType>(type) ||
      isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type))
    return true;
  // Narrow floats are bytes that can be copied.
  return !computes && type.getIntOrFloatBitWidth() == 8;
}

/// Fails with an error if an operand or a result of `op` is of a type that the
/// machine does not have.
static LogicalResult checkOp(Operation *op) {
  bool computes = isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
                      op->getDialect()) &&
                  !isa<arith::SelectOp>(op);
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!hasType(type, computes))
        return op->emitOpError("on ")
               << type
               << " has no code on NVIDIA GPUs; compute in f16, bf16, f32 or "
                  "f64, or in integers of one bit or more";
  return success();
}

namespace {
struct RngCheckKernelTypesPass
    : public rng::impl::RngCheckKernelTypesPassBase<RngCheckKernelTypesPass> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation().walk(
        [](Operation *op) { return WalkResult(checkOp(op)); });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
