//===- TosaCosts.cpp - What ops of tosa cost --------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DialectCosts.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

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
    if (isa<tosa::ErfOp, tosa::SigmoidOp, tosa::TanhOp, tosa::PowOp,
            tosa::CosOp, tosa::ExpOp, tosa::LogOp, tosa::ReciprocalOp,
            tosa::RsqrtOp, tosa::SinOp>(op))
      return CostModel::kMathWork;
    if (op->hasTrait<OpTrait::tosa::TosaElementwiseOperator>() ||
        isa<tosa::CastOp, tosa::ClampOp, tosa::ConcatOp, tosa::GatherOp,
            tosa::MulOp, tosa::NegateOp, tosa::PadOp, tosa::RescaleOp,
            tosa::ReverseOp, tosa::ScatterOp, tosa::SliceOp, tosa::TableOp,
            tosa::TileOp, tosa::TransposeOp>(op))
      return CostModel::kArithWork;
    return std::nullopt;
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
      return getReductionCost(elements, read, written);
    if (isa<tosa::MatMulOp, tosa::Conv2DOp, tosa::Conv3DOp,
            tosa::DepthwiseConv2DOp, tosa::TransposeConv2DOp, tosa::FFT2dOp,
            tosa::RFFT2dOp>(op))
      return getContractionCost(getContractionWork(op, model));
    return model.getElementwiseCost(op, getWorkPerElement(op));
  }

private:
  /// Elements written times those read for each: of the last dimension of the
  /// first operand for a product, of the weights of a channel for a
  /// convolution.
  static uint64_t getContractionWork(Operation *op, const CostModel &model) {
    uint64_t written = 0;
    for (Type type : op->getResultTypes())
      written = add(written, model.getNumElements(type));
    auto type = cast<ShapedType>(op->getOperand(0).getType());
    uint64_t each = 1;
    if (isa<tosa::MatMulOp>(op)) {
      if (type.hasRank() && type.getRank() != 0)
        each = model.getSize(type.getShape().back());
    } else if (op->getNumOperands() > 1) {
      auto weights = cast<ShapedType>(op->getOperand(1).getType());
      each = model.getNumElements(weights);
      if (weights.hasRank() && weights.getRank() != 0 &&
          weights.getDimSize(0) > 0)
        each = each / weights.getDimSize(0);
    }
    return mul(written, std::max<uint64_t>(each, 1));
  }
};
} // namespace

void mlir::rng::registerTosaCosts(DialectRegistry &registry) {
  addCosts<tosa::TosaDialect, TosaCosts>(registry);
}
