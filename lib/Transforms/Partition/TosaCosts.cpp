//===- TosaCosts.cpp - What ops of tosa cost --------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DialectCosts.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

namespace {
struct TosaCosts : public CostInterface {
  using CostInterface::CostInterface;

  bool isFullSizeView(OpResult result) const final {
    return isa<tosa::ReshapeOp>(result.getOwner());
  }
  std::optional<uint64_t> getWorkPerElement(Operation *op) const final {
    if (isMath(op))
      return CostModel::kMathWork;
    if (op->hasTrait<OpTrait::tosa::TosaElementwiseOperator>() ||
        isa<tosa::CastOp, tosa::ClampOp, tosa::ConcatOp, tosa::GatherOp,
            tosa::MulOp, tosa::NegateOp, tosa::PadOp, tosa::RescaleOp,
            tosa::ReverseOp, tosa::ScatterOp, tosa::SliceOp, tosa::TableOp,
            tosa::TileOp, tosa::TransposeOp>(op))
      return CostModel::kArithWork;
    return std::nullopt;
  }
  WorkKind getWorkKind(Operation *op) const final {
    return isMath(op) ? WorkKind::Math : WorkKind::Arith;
  }
  RecomputeCost getRecomputeCost(Operation *op,
                                 const CostModel &model) const final {
    uint64_t read = 0, written = 0, elements = 0;
    for (Type type : op->getOperandTypes()) {
      read = add(read, model.getBytes(type));
      elements = add(elements, model.getNumElements(type));
    }
    for (Type type : op->getResultTypes())
      written = add(written, model.getBytes(type));
    if (isa<tosa::ReduceAllOp, tosa::ReduceAnyOp, tosa::ReduceMaxOp,
            tosa::ReduceMinOp, tosa::ReduceProductOp, tosa::ReduceSumOp,
            tosa::ArgMaxOp, tosa::AvgPool2dOp, tosa::MaxPool2dOp>(op))
      return getReductionCost(getReductionWork(op, elements, model), read,
                              written);
    if (isa<tosa::MatMulOp, tosa::Conv2DOp, tosa::Conv3DOp,
            tosa::DepthwiseConv2DOp, tosa::TransposeConv2DOp, tosa::FFT2dOp,
            tosa::RFFT2dOp>(op))
      return getContractionCost(op, getContractionWork(op, model), model);
    return model.getElementwiseCost(op, getWorkPerElement(op));
  }

private:
  static bool isMath(Operation *op) {
    return isa<tosa::ErfOp, tosa::SigmoidOp, tosa::TanhOp, tosa::PowOp,
               tosa::CosOp, tosa::ExpOp, tosa::LogOp, tosa::ReciprocalOp,
               tosa::RsqrtOp, tosa::SinOp>(op);
  }
  /// Elements that the pooling op looks at, for all that it writes.
  template <typename PoolOp>
  static uint64_t getPoolWork(PoolOp op, const CostModel &model) {
    uint64_t work = model.getNumElements(op.getType());
    for (int64_t size : op.getKernel())
      work = mul(work, std::max<int64_t>(size, 1));
    return work;
  }
  static uint64_t getReductionWork(Operation *op, uint64_t elements,
                                   const CostModel &model) {
    if (auto pool = dyn_cast<tosa::AvgPool2dOp>(op))
      return getPoolWork(pool, model);
    if (auto pool = dyn_cast<tosa::MaxPool2dOp>(op))
      return getPoolWork(pool, model);
    return elements;
  }

  /// The product of the sizes of `value` in some dimensions; 1 without a rank.
  static uint64_t getProduct(Value value, ArrayRef<unsigned> dimensions,
                             const CostModel &model) {
    auto type = cast<ShapedType>(value.getType());
    uint64_t product = 1;
    for (unsigned dimension : dimensions)
      if (type.hasRank() && dimension < type.getRank())
        product = mul(product, model.getSize(type.getDimSize(dimension)));
    return product;
  }

  /// A product and an addition for each element written and each element read
  /// for it; of a Fourier transform, five halves of the logarithm of its size
  /// for each real number written.
  static uint64_t getContractionWork(Operation *op, const CostModel &model) {
    uint64_t written = 0;
    for (Type type : op->getResultTypes())
      written = add(written, model.getNumElements(type));
    Value input = op->getOperand(0);
    if (isa<tosa::FFT2dOp, tosa::RFFT2dOp>(op)) {
      uint64_t points = getProduct(input, {1, 2}, model);
      return mul(5, mul(written, std::max(1u, llvm::Log2_64_Ceil(points)))) / 2;
    }
    uint64_t products = written;
    if (isa<tosa::MatMulOp>(op))
      products = mul(written, getProduct(input, {2}, model));
    else if (isa<tosa::DepthwiseConv2DOp>(
                 op)) // (height, width, channel, factor)
      products = mul(written, getProduct(op->getOperand(1), {0, 1}, model));
    else if (isa<tosa::TransposeConv2DOp>(op)) // each input meets all outputs
      products = mul(model.getNumElements(input.getType()),
                     getProduct(op->getOperand(1), {0, 1, 2}, model));
    else // (output channel, sizes, input channel)
      products =
          mul(written, getProduct(op->getOperand(1), {1, 2, 3, 4}, model));
    return mul(2, products);
  }
};
} // namespace

void mlir::rng::registerTosaCosts(DialectRegistry &registry) {
  addCosts<tosa::TosaDialect, TosaCosts>(registry);
}
