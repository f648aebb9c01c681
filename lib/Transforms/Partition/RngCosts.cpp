//===- RngCosts.cpp - What ops of rng cost ----------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DialectCosts.h"
#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/IR/RngOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

/// Units of an element of `draw`.
static uint64_t getDrawWork(StatelessDrawOpInterface draw) {
  MLIRContext *context = draw.getContext();
  uint64_t instructions = draw.getDrawAlgorithm().getWork(
      draw.getDistribution(), getElementTypeOrSelf(draw.getDrawType()));
  uint64_t usual = getDefaultAlgorithm(context).getWork(
      Distribution::Uniform, Float32Type::get(context));
  return mul(CostModel::kDrawWork, instructions) / usual;
}

namespace {
struct RngCosts : public CostInterface {
  using CostInterface::CostInterface;

  std::optional<uint64_t> getWorkPerElement(Operation *op) const final {
    if (auto draw = dyn_cast<StatelessDrawOpInterface>(op))
      return getDrawWork(draw);
    if (isa<AdvanceOp>(op))
      return CostModel::kArithWork;
    if (isa<FoldInOp, SplitOp>(op))
      return CostModel::kDrawWork;
    return std::nullopt;
  }
  WorkKind getWorkKind(Operation *op) const final {
    return isa<AdvanceOp>(op) ? WorkKind::Arith : WorkKind::Draw;
  }
  RecomputeCost getRecomputeCost(Operation *op,
                                 const CostModel &model) const final {
    return model.getElementwiseCost(op, getWorkPerElement(op));
  }
};
} // namespace

void mlir::rng::registerRngCosts(DialectRegistry &registry) {
  addCosts<RngDialect, RngCosts>(registry);
}
