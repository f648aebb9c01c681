//===- LinalgCosts.cpp - What ops of linalg cost ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DialectCosts.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

/// Work of an iteration of a contraction: the arithmetic in its body, without
/// the casts of operands that are narrower than the sum.
static uint64_t getProductWork(Operation *contraction) {
  uint64_t work = 0;
  for (Operation &op : contraction->getRegion(0).front())
    if (!op.hasTrait<OpTrait::IsTerminator>() && !isa<CastOpInterface>(op))
      work += CostModel::kArithWork;
  return std::max(work, CostModel::kArithWork);
}

namespace {
struct LinalgCosts : public CostInterface {
  using CostInterface::CostInterface;

  StringRef getReasonNotToSave(OpResult result) const final {
    if (auto fill = dyn_cast<linalg::FillOp>(result.getOwner()))
      if (fill.getNumResults() == 1 &&
          fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>())
        return "repeats one scalar";
    return {};
  }
  std::optional<uint64_t> getWorkPerElement(Operation *op) const final {
    if (isa<linalg::IndexOp>(op))
      return CostModel::kArithWork;
    return std::nullopt;
  }
  RecomputeCost getRecomputeCost(Operation *op,
                                 const CostModel &model) const final {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      return model.getElementwiseCost(op, getWorkPerElement(op));
    uint64_t iterations = 1;
    for (int64_t range : linalgOp.getStaticLoopRanges())
      iterations = mul(iterations, model.getSize(range));
    // An iteration moves an element, whatever its body.
    RecomputeCost body = model.getRegionCost(op->getRegion(0));
    body.work = std::max(body.work, CostModel::kArithWork);
    body.repeat(iterations);
    if (linalg::isaContractionOpInterface(linalgOp) ||
        linalg::isaConvolutionOpInterface(linalgOp))
      return getContractionCost(op, mul(iterations, getProductWork(op)), model);
    if (body.kind != RecomputeCost::Allowed) {
      body.isBarrier = true;
      body.reason = "has a body of unknown cost";
      body.setMovedBytes(getOperandAndResultBytes(op, model));
      return body;
    }
    if (linalgOp.getNumReductionLoops() == 0) {
      body.isBarrier = false;
      return body;
    }
    uint64_t read = 0, written = 0;
    for (OpOperand *input : linalgOp.getDpsInputOperands())
      if (isa<ShapedType>(input->get().getType()))
        read = add(read, model.getBytes(input->get().getType()));
    for (Type type : op->getResultTypes())
      written = add(written, model.getBytes(type));
    RecomputeCost cost = getReductionCost(body.work, read, written);
    cost.special = body.special;
    return cost;
  }
};
} // namespace

void mlir::rng::registerLinalgCosts(DialectRegistry &registry) {
  addCosts<linalg::LinalgDialect, LinalgCosts>(registry);
}
