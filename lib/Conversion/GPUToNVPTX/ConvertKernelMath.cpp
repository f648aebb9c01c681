//===- ConvertKernelMath.cpp - Math functions of kernels --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  math functions of scalars in kernels.
// Out: LLVM intrinsics of those that the machine has, comparisons of those that
//      classify; with math=libm also functions of libdevice, which upstream's
//      conversion calls. All others are errors: upstream says nothing when
//      libdevice, which only the CUDA toolkit has, is missing.
//
//===----------------------------------------------------------------------===//

#include "KernelMath.h"
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Support/ThreadLocalCache.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

// A dialect without its ops, whose headers cost a compiler memory.
#include "mlir/Dialect/LLVMIR/LLVMOpsDialect.h.inc"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGCONVERTKERNELMATHPASS
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::nvptx;

//===----------------------------------------------------------------------===//
// What has code
//===----------------------------------------------------------------------===//

/// The intrinsic that `op` is, "" if the machine has none.
static StringRef getIntrinsic(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](math::AbsFOp) { return "fabs"; })
      .Case([](math::CeilOp) { return "ceil"; })
      .Case([](math::FloorOp) { return "floor"; })
      .Case([](math::TruncOp) { return "trunc"; })
      .Case([](math::RoundOp) { return "round"; })
      .Case([](math::RoundEvenOp) { return "roundeven"; })
      .Case([](math::SqrtOp) { return "sqrt"; })
      .Case([](math::CopySignOp) { return "copysign"; })
      .Case([](math::FmaOp) { return "fma"; })
      .Case([](math::CtPopOp) { return "ctpop"; })
      .Case([](math::AbsIOp) { return "abs"; })
      .Case([](math::CountLeadingZerosOp) { return "ctlz"; })
      .Case([](math::CountTrailingZerosOp) { return "cttz"; })
      .Case([](arith::MaxNumFOp) { return "maxnum"; })
      .Case([](arith::MinNumFOp) { return "minnum"; })
      .Default([](Operation *) { return ""; });
}

static bool isClassification(Operation *op) {
  return isa<math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>(op);
}

/// Whether `op` on its operands' types has code.
static bool isSupported(Operation *op) {
  bool isScalar = llvm::all_of(op->getOperandTypes(), [](Type type) {
    return isa<Float16Type, BFloat16Type, Float32Type, Float64Type,
               IntegerType>(type);
  });
  return isScalar && (isClassification(op) || !getIntrinsic(op).empty());
}

/// Whether upstream makes calls of libdevice of `op`.
static bool isInLibdevice(Operation *op) {
  // Scalars of these types; narrower ones have been extended.
  if (!isa<Float32Type, Float64Type>(op->getResult(0).getType()))
    return false;
  if (auto power = dyn_cast<math::FPowIOp>(op))
    return power.getRhs().getType().isInteger(32);
  return isa<arith::RemFOp, math::AcosOp, math::AcoshOp, math::AsinOp,
             math::AsinhOp, math::AtanOp, math::Atan2Op, math::AtanhOp,
             math::CbrtOp, math::CosOp, math::CoshOp, math::ErfOp, math::ErfcOp,
             math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp,
             math::Log10Op, math::Log1pOp, math::Log2Op, math::PowFOp,
             math::RsqrtOp, math::SinOp, math::SincosOp, math::SinhOp,
             math::TanOp, math::TanhOp>(op);
}

/// Reports an error of `op`, a math function without code.
static void reportNoCode(Operation *op) {
  bool inLibdevice = isInLibdevice(op);
  Type type = op->getOperand(0).getType();
  InFlightDiagnostic diagnostic = op->emitOpError("on ");
  diagnostic << type << " has no code on NVIDIA GPUs";
  if (inLibdevice)
    diagnostic << " without the libdevice of the CUDA toolkit; use "
                  "'math=libm', or ";
  else
    diagnostic << "; ";
  diagnostic << (type.isF64() && inLibdevice
                     ? "compute it in f32 (arith.truncf, arith.extf)"
                     : "express it by other functions or arithmetic");
}

/// Fails with errors if some math function in `kernels` has no code.
static LogicalResult checkMathFunctions(gpu::GPUModuleOp kernels,
                                        MathLowering math) {
  bool failed = false;
  // One error for the copies of an op.
  DenseSet<std::pair<Location, OperationName>> reported;
  kernels.walk([&](Operation *op) {
    if (!isMathFunction(op) || isSupported(op) ||
        (math == MathLowering::Libm && isInLibdevice(op)))
      return;
    failed = true;
    if (reported.insert({op->getLoc(), op->getName()}).second)
      reportNoCode(op);
  });
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
/// A function of the machine as its intrinsic.
struct ConvertToIntrinsic : public RewritePattern {
  explicit ConvertToIntrinsic(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    StringRef name = getIntrinsic(op);
    if (name.empty() || !isSupported(op))
      return rewriter.notifyMatchFailure(op, "is no intrinsic");
    SmallVector<Value> operands(op->getOperands());
    // A flag that makes an edge case (the least integer, zero) undefined.
    if (isa<math::AbsIOp, math::CountLeadingZerosOp,
            math::CountTrailingZerosOp>(op))
      operands.push_back(buildFalse(rewriter, op->getLoc()));
    rewriter.replaceOp(op,
                       buildIntrinsic(rewriter, op->getLoc(), name,
                                      op->getResult(0).getType(), operands));
    return success();
  }
};

/// A classification as a comparison: |x| is below, at or above infinity, or is
/// not a number.
struct ConvertClassification : public RewritePattern {
  explicit ConvertClassification(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isClassification(op) || !isSupported(op))
      return rewriter.notifyMatchFailure(op, "classifies no scalar");
    Location loc = op->getLoc();
    Value x = op->getOperand(0);
    if (isa<math::IsNaNOp>(op)) {
      rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, arith::CmpFPredicate::UNO,
                                                 x, x);
      return success();
    }
    auto type = cast<FloatType>(x.getType());
    APFloat bound = APFloat::getInf(type.getFloatSemantics());
    Value infinity = arith::ConstantOp::create(
        rewriter, loc, rewriter.getFloatAttr(type, bound));
    Value magnitude = buildIntrinsic(rewriter, loc, "fabs", type, x);
    auto predicate = isa<math::IsInfOp>(op) ? arith::CmpFPredicate::OEQ
                                            : arith::CmpFPredicate::OLT;
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, predicate, magnitude,
                                               infinity);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct RngConvertKernelMathPass
    : public rng::impl::RngConvertKernelMathPassBase<RngConvertKernelMathPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkMathFunctions(getOperation(), math)))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<ConvertClassification, ConvertToIntrinsic>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
