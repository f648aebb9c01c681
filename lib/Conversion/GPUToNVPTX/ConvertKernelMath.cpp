//===- ConvertKernelMath.cpp - Math functions of kernels --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream turns math ops in kernels into calls of libdevice, which only the
// CUDA toolkit has, and says nothing when it is missing. Here the ops that the
// machine has become LLVM intrinsics, and all others are errors unless
// libdevice is wanted and has them.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/GPUToNVPTX/Passes.h"
#include "RngDialect/Conversion/LoweringChecks/CheckTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGCONVERTKERNELMATHPASS
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

/// A call of the intrinsic `llvm.<name>.<type of the result>`. The intrinsics'
/// own ops are illegal for upstream's conversion, which wants libdevice.
static Value buildIntrinsic(OpBuilder &b, Location loc, StringRef name,
                            Type type, ValueRange operands) {
  std::string typeName = isa<BFloat16Type>(type) ? "bf16"
                         : isa<FloatType>(type)  ? "f"
                                                 : "i";
  if (typeName != "bf16")
    typeName += std::to_string(type.getIntOrFloatBitWidth());
  return LLVM::CallIntrinsicOp::create(
             b, loc, type, b.getStringAttr("llvm." + name + "." + typeName),
             operands)
      .getResult(0);
}

/// Replaces a classification by comparisons: |x| is below, at or above
/// infinity, or is not a number.
static Value buildComparison(OpBuilder &b, Operation *op) {
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
    Value magnitude = buildIntrinsic(b, loc, "fabs", type, x);
    result = arith::CmpFOp::create(b, loc,
                                   isa<math::IsInfOp>(op)
                                       ? arith::CmpFPredicate::OEQ
                                       : arith::CmpFPredicate::OLT,
                                   magnitude, infinity);
  }
  return result;
}

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

static void replace(Operation *op) {
  OpBuilder b(op);
  Value result;
  if (isa<math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>(op)) {
    result = buildComparison(b, op);
  } else {
    SmallVector<Value> operands(op->getOperands());
    // A flag that makes an edge case (the least integer, zero) undefined.
    if (isa<math::AbsIOp, math::CountLeadingZerosOp,
            math::CountTrailingZerosOp>(op))
      operands.push_back(LLVM::ConstantOp::create(
          b, op->getLoc(), b.getI1Type(), b.getBoolAttr(false)));
    result = buildIntrinsic(b, op->getLoc(), getIntrinsic(op),
                            op->getResult(0).getType(), operands);
  }
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

/// Whether `op` on its operands' types has code.
static bool isSupported(Operation *op) {
  bool isScalar = llvm::all_of(op->getOperandTypes(), [](Type type) {
    return isa<Float16Type, BFloat16Type, Float32Type, Float64Type,
               IntegerType>(type);
  });
  return isScalar && (isa<math::IsNaNOp, math::IsInfOp, math::IsFiniteOp>(op) ||
                      !getIntrinsic(op).empty());
}

/// Whether `op` is of those that this pass looks at.
static bool isMath(Operation *op) {
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
         isa<arith::RemFOp, arith::MaxNumFOp, arith::MinNumFOp>(op);
}

/// Makes an op for each element of `op` on vectors of constant size.
static void unroll(Operation *op) {
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!type || type.isScalable())
    return;
  OpBuilder b(op);
  Location loc = op->getLoc();
  SmallVector<Value> results;
  SmallVector<Type> types;
  for (Type result : op->getResultTypes()) {
    results.push_back(arith::ConstantOp::create(b, loc, b.getZeroAttr(result)));
    types.push_back(getElementTypeOrSelf(result));
  }
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    SmallVector<int64_t> position =
        delinearize(i, computeStrides(type.getShape()));
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          isa<VectorType>(operand.getType())
              ? vector::ExtractOp::create(b, loc, operand, position).getResult()
              : operand);
    Operation *scalar = b.create(loc, op->getName().getIdentifier(), operands,
                                 types, op->getAttrs());
    for (auto [result, value] : llvm::zip_equal(results, scalar->getResults()))
      result = vector::InsertOp::create(b, loc, value, result, position);
  }
  op->replaceAllUsesWith(results);
  op->erase();
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
  // Narrow ones are bytes that can be copied.
  return !computes && type.getIntOrFloatBitWidth() == 8;
}

/// Fails with an error if a type in `kernels` is none of the machine's: the
/// backend crashes for some of them.
static LogicalResult checkTypes(gpu::GPUModuleOp kernels) {
  WalkResult result = kernels.walk([](Operation *op) {
    bool computes = isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
                        op->getDialect()) &&
                    !isa<arith::SelectOp>(op);
    auto check = [&](TypeRange types) {
      for (Type type : types)
        if (!hasType(type, computes)) {
          op->emitOpError("on ")
              << type
              << " has no code on NVIDIA GPUs; compute in f16, bf16, f32 or "
                 "f64, or in integers of one bit or more";
          return false;
        }
      return true;
    };
    if (!check(op->getOperandTypes()) || !check(op->getResultTypes()))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Makes a selection of the conversion `op` of an i1, true to -1: the backend
/// converts true to 1 where the result is bf16.
static void convertSign(arith::SIToFPOp op) {
  OpBuilder b(op);
  auto build = [&](double value) -> Value {
    return arith::ConstantOp::create(b, op.getLoc(),
                                     b.getFloatAttr(op.getType(), value));
  };
  Value minusOne = build(-1.0), zero = build(0.0);
  Value result =
      arith::SelectOp::create(b, op.getLoc(), op.getIn(), minusOne, zero);
  op.getResult().replaceAllUsesWith(result);
  op.erase();
}

/// Makes a product of 32 bits by 32 one of the machine's for each half. As the
/// 64-bit product that it otherwise becomes, LLVM moves the arithmetic around
/// it to 64 bits too and ends with 64-bit products, four times the work.
static void convertProduct(arith::MulUIExtendedOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value low = arith::MulIOp::create(b, loc, op.getLhs(), op.getRhs());
  Value high =
      LLVM::CallIntrinsicOp::create(b, loc, b.getI32Type(),
                                    b.getStringAttr("llvm.nvvm.mulhi.ui"),
                                    {op.getLhs(), op.getRhs()})
          .getResult(0);
  op->replaceAllUsesWith(ValueRange{low, high});
  op.erase();
}

/// Makes one operation of `value * constant + addend` where the product is
/// exact, so that the sum is rounded once in any case: `value` is an integer
/// and the constant a power of two, far from the ends of the exponent.
static void fuseExactProduct(arith::AddFOp op) {
  if (!op.getType().isF32() && !op.getType().isF64())
    return;
  auto product = op.getLhs().getDefiningOp<arith::MulFOp>();
  auto integer =
      product ? product.getLhs().getDefiningOp<arith::UIToFPOp>() : nullptr;
  if (!integer ||
      getElementTypeOrSelf(integer.getIn()).getIntOrFloatBitWidth() > 64)
    return;
  APFloat factor(0.0);
  if (!matchPattern(product.getRhs(), m_ConstantFloat(&factor)) ||
      factor.getExactLog2() == INT_MIN || factor.getExactLog2() < -64 ||
      factor.getExactLog2() > 0)
    return;
  OpBuilder b(op);
  Value fused =
      buildIntrinsic(b, op.getLoc(), "fma", op.getType(),
                     {product.getLhs(), product.getRhs(), op.getRhs()});
  op.replaceAllUsesWith(fused);
  op.erase();
}

namespace {
struct RngConvertKernelMathPass
    : public rng::impl::RngConvertKernelMathPassBase<RngConvertKernelMathPass> {
  using Base::Base;

  void runOnOperation() override {
    if (mlir::failed(checkTypes(getOperation())))
      return signalPassFailure();
    SmallVector<Operation *> vectors;
    getOperation()->walk([&](Operation *op) {
      if (isMath(op) && isa<VectorType>(op->getResult(0).getType()))
        vectors.push_back(op);
    });
    for (Operation *op : vectors)
      if (mlir::failed(checkVectorSize(op, op->getResult(0).getType(),
                                       kMaxKernelVectorElements)))
        return signalPassFailure();
    llvm::for_each(vectors, unroll);
    bool failed = false;
    SmallVector<Operation *> work;
    // One error for the copies of an op.
    DenseSet<std::pair<Location, OperationName>> reported;
    getOperation()->walk([&](Operation *op) {
      if (!isMath(op))
        return;
      if (isSupported(op)) {
        work.push_back(op);
        return;
      }
      bool inLibdevice = isInLibdevice(op);
      if (inLibdevice && math == MathLowering::Libm)
        return;
      failed = true;
      if (!reported.insert({op->getLoc(), op->getName()}).second)
        return;
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
    });
    if (failed)
      return signalPassFailure();
    llvm::for_each(work, replace);
    getOperation()->walk([](arith::SIToFPOp op) {
      if (op.getIn().getType().isInteger(1) && isa<FloatType>(op.getType()))
        convertSign(op);
    });
    getOperation()->walk(fuseExactProduct);
    getOperation()->walk([](arith::MulUIExtendedOp op) {
      if (op.getLhs().getType().isInteger(32))
        convertProduct(op);
    });
  }
};
} // namespace
