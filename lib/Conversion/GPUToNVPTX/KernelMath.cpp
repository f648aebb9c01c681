//===- KernelMath.cpp - What passes on math of kernels share ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::rng;

bool nvptx::isMathFunction(Operation *op) {
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
         isa<arith::RemFOp, arith::MaxNumFOp, arith::MinNumFOp>(op);
}

Value nvptx::buildIntrinsic(OpBuilder &b, Location loc, StringRef name,
                            Type type, ValueRange operands) {
  assert(type.isIntOrFloat() && "intrinsics here are of scalars");
  std::string typeName = isa<BFloat16Type>(type) ? "bf16"
                         : isa<FloatType>(type)  ? "f"
                                                 : "i";
  if (typeName != "bf16")
    typeName += std::to_string(type.getIntOrFloatBitWidth());
  return buildNamedIntrinsic(b, loc, ("llvm." + name + "." + typeName).str(),
                             type, operands);
}

Value nvptx::buildNamedIntrinsic(OpBuilder &b, Location loc, StringRef name,
                                 Type type, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr(name),
                                       operands)
      .getResult(0);
}

Value nvptx::buildFalse(OpBuilder &b, Location loc) {
  return LLVM::ConstantOp::create(b, loc, b.getI1Type(), b.getBoolAttr(false));
}
