//===- NVPTXMath.cpp - Math functions of kernels ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream turns math ops in kernels into calls of libdevice, which only the
// CUDA toolkit has, and says nothing when it is missing. Here the ops that the
// machine has become LLVM intrinsics, and all others are errors.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGCONVERTKERNELMATH
#include "RngDialect/Conversion/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;

/// Replaces `op` by the intrinsic `Intrinsic` on the same operands.
template <typename Intrinsic>
static void replaceByIntrinsic(Operation *op) {
  OpBuilder b(op);
  auto intrinsic = Intrinsic::create(b, op->getLoc(), op->getResultTypes(),
                                     op->getOperands());
  op->getResult(0).replaceAllUsesWith(intrinsic->getResult(0));
  op->erase();
}

/// The same for intrinsics with a flag that makes an edge case undefined.
template <typename Intrinsic>
static void replaceByFlaggedIntrinsic(Operation *op) {
  OpBuilder b(op);
  auto intrinsic =
      Intrinsic::create(b, op->getLoc(), op->getResult(0).getType(),
                        op->getOperand(0), b.getBoolAttr(false));
  op->getResult(0).replaceAllUsesWith(intrinsic->getResult(0));
  op->erase();
}

/// Replaces a classification by comparisons: |x| is below, at or above
/// infinity, or is not a number.
static void replaceByComparison(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value x = op->getOperand(0);
  Value result;
  if (isa<math::IsNaNOp>(op)) {
    result = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, x);
  } else {
    auto type = cast<FloatType>(x.getType());
    Value infinity = arith::ConstantOp::create(
        b, loc,
        b.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics())));
    Value magnitude = LLVM::FAbsOp::create(b, loc, type, x);
    result = arith::CmpFOp::create(b, loc,
                                   isa<math::IsInfOp>(op)
                                       ? arith::CmpFPredicate::OEQ
                                       : arith::CmpFPredicate::OLT,
                                   magnitude, infinity);
  }
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

using Replacement = void (*)(Operation *);

/// How the machine computes `op`, null if it cannot.
static Replacement getReplacement(Operation *op) {
  return llvm::TypeSwitch<Operation *, Replacement>(op)
      .Case<math::AbsFOp>([](auto) { return replaceByIntrinsic<LLVM::FAbsOp>; })
      .Case<math::CeilOp>(
          [](auto) { return replaceByIntrinsic<LLVM::FCeilOp>; })
      .Case<math::FloorOp>(
          [](auto) { return replaceByIntrinsic<LLVM::FFloorOp>; })
      .Case<math::TruncOp>(
          [](auto) { return replaceByIntrinsic<LLVM::FTruncOp>; })
      .Case<math::RoundOp>(
          [](auto) { return replaceByIntrinsic<LLVM::RoundOp>; })
      .Case<math::RoundEvenOp>(
          [](auto) { return replaceByIntrinsic<LLVM::RoundEvenOp>; })
      .Case<math::SqrtOp>([](auto) { return replaceByIntrinsic<LLVM::SqrtOp>; })
      .Case<math::CopySignOp>(
          [](auto) { return replaceByIntrinsic<LLVM::CopySignOp>; })
      .Case<math::FmaOp>([](auto) { return replaceByIntrinsic<LLVM::FMAOp>; })
      .Case<math::CtPopOp>(
          [](auto) { return replaceByIntrinsic<LLVM::CtPopOp>; })
      .Case<math::AbsIOp>(
          [](auto) { return replaceByFlaggedIntrinsic<LLVM::AbsOp>; })
      .Case<math::CountLeadingZerosOp>([](auto) {
        return replaceByFlaggedIntrinsic<LLVM::CountLeadingZerosOp>;
      })
      .Case<math::CountTrailingZerosOp>([](auto) {
        return replaceByFlaggedIntrinsic<LLVM::CountTrailingZerosOp>;
      })
      .Case<math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>(
          [](auto) { return replaceByComparison; })
      .Case<arith::MaxNumFOp>(
          [](auto) { return replaceByIntrinsic<LLVM::MaxNumOp>; })
      .Case<arith::MinNumFOp>(
          [](auto) { return replaceByIntrinsic<LLVM::MinNumOp>; })
      .Default([](Operation *) -> Replacement { return nullptr; });
}

namespace {
struct RngConvertKernelMath
    : public rng::impl::RngConvertKernelMathBase<RngConvertKernelMath> {
  using Base::Base;

  void runOnOperation() override {
    bool failed = false;
    SmallVector<std::pair<Operation *, Replacement>> work;
    getOperation()->walk([&](Operation *op) {
      bool isMath = isa_and_nonnull<math::MathDialect>(op->getDialect());
      if (!isMath && !isa<arith::RemFOp, arith::MaxNumFOp, arith::MinNumFOp>(op))
        return;
      bool isScalar = llvm::all_of(op->getOperandTypes(), [](Type type) {
        return isa<Float16Type, BFloat16Type, Float32Type, Float64Type,
                   IntegerType, IndexType>(type);
      });
      Replacement replacement = isScalar ? getReplacement(op) : nullptr;
      // Intrinsics have no index type.
      if (replacement && !isa<IndexType>(op->getOperand(0).getType())) {
        work.emplace_back(op, replacement);
        return;
      }
      failed = true;
      op->emitOpError("on ")
          << op->getOperand(0).getType()
          << " has no code on NVIDIA GPUs without the libdevice of the CUDA "
             "toolkit; compute it in f32 (arith.truncf, arith.extf) or from "
             "basic arithmetic";
    });
    if (failed)
      return signalPassFailure();
    for (auto [op, replacement] : work)
      replacement(op);
  }
};
} // namespace
