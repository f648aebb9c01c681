//===- TensorCosts.cpp - What ops of tensor cost ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DialectCosts.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

namespace {
struct TensorCosts : public CostInterface {
  using CostInterface::CostInterface;

  bool isFullSizeView(OpResult result) const final {
    Operation *op = result.getOwner();
    if (isa<tensor::BitcastOp, tensor::CastOp, tensor::CollapseShapeOp,
            tensor::ExpandShapeOp, tensor::ReshapeOp>(op))
      return true;
    auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
    if (!slice || !slice.getSourceType().hasStaticShape() ||
        !slice.getType().hasStaticShape())
      return false;
    // Products of sizes may wrap, and be equal for it.
    ArrayRef<int64_t> shape = slice.getSourceType().getShape();
    return llvm::is_contained(shape, 0) || slice.getStaticSizes() == shape;
  }
  StringRef getReasonNotToSave(OpResult result) const final {
    if (isa<tensor::EmptyOp>(result.getOwner()))
      return "has no contents";
    if (isa<tensor::SplatOp>(result.getOwner()))
      return "repeats one scalar";
    return {};
  }
  std::optional<uint64_t> getWorkPerElement(Operation *op) const final {
    if (isa<tensor::EmptyOp>(op))
      return 0;
    if (isa<tensor::DimOp, tensor::RankOp, tensor::ExtractOp,
            tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::InsertOp,
            tensor::ConcatOp, tensor::FromElementsOp, tensor::SplatOp,
            tensor::GatherOp, tensor::ScatterOp, tensor::PadOp>(op))
      return CostModel::kArithWork;
    return std::nullopt;
  }
  RecomputeCost getRecomputeCost(Operation *op,
                                 const CostModel &model) const final {
    if (auto generate = dyn_cast<tensor::GenerateOp>(op)) {
      RecomputeCost cost = model.getRegionCost(generate.getBody());
      cost.repeat(model.getNumElements(generate.getType()));
      return cost;
    }
    return model.getElementwiseCost(op, getWorkPerElement(op));
  }
};
} // namespace

void mlir::rng::registerTensorCosts(DialectRegistry &registry) {
  addCosts<tensor::TensorDialect, TensorCosts>(registry);
}
