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
    uint64_t work = mul(iterations, std::max(body.work, CostModel::kArithWork));
    if (linalg::isaContractionOpInterface(linalgOp) ||
        linalg::isaConvolutionOpInterface(linalgOp))
      return getContractionCost(work);
    if (body.kind != RecomputeCost::Allowed)
      return {body.kind, work, /*isBarrier=*/true,
              "has a body of unknown cost"};
    if (linalgOp.getNumReductionLoops() == 0)
      return {RecomputeCost::Allowed, work};
    uint64_t read = 0, written = 0;
    for (OpOperand *input : linalgOp.getDpsInputOperands())
      if (isa<ShapedType>(input->get().getType()))
        read = add(read, model.getBytes(input->get().getType()));
    for (Type type : op->getResultTypes())
      written = add(written, model.getBytes(type));
    return getReductionCost(work, read, written);
  }
};
} // namespace

void mlir::rng::registerLinalgCosts(DialectRegistry &registry) {
  addCosts<linalg::LinalgDialect, LinalgCosts>(registry);
}
