//===- SCFCosts.cpp - What ops of scf cost ----------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DialectCosts.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

namespace {
struct SCFCosts : public CostInterface {
  using CostInterface::CostInterface;

  RecomputeCost getRecomputeCost(Operation *op,
                                 const CostModel &model) const final {
    RecomputeCost cost;
    for (Region &region : op->getRegions())
      cost.addNested(model.getRegionCost(region));
    if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op))
      return cost;
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      if (std::optional<uint64_t> trips = getTrips(loop, model)) {
        cost.repeat(*trips);
        return cost;
      }
    }
    cost.addNested({RecomputeCost::Discouraged, 0, /*isBarrier=*/true,
                    "runs an unknown number of times"});
    return cost;
  }

private:
  /// Iterations of a loop that is counted; a bound that is not constant counts
  /// as a dynamic size.
  static std::optional<uint64_t> getTrips(LoopLikeOpInterface loop,
                                          const CostModel &model) {
    auto lower = loop.getLoopLowerBounds();
    auto upper = loop.getLoopUpperBounds();
    auto step = loop.getLoopSteps();
    if (!lower || !upper || !step)
      return std::nullopt;
    uint64_t trips = 1;
    for (auto [l, u, s] : llvm::zip_equal(*lower, *upper, *step)) {
      std::optional<int64_t> from = getConstantIntValue(l);
      std::optional<int64_t> to = getConstantIntValue(u);
      std::optional<int64_t> by = getConstantIntValue(s);
      uint64_t count = model.getSize(ShapedType::kDynamic);
      if (from && to && by && *by > 0)
        count = *to <= *from ? 0
                             : (static_cast<uint64_t>(*to) -
                                static_cast<uint64_t>(*from) - 1) /
                                       static_cast<uint64_t>(*by) +
                                   1;
      trips = mul(trips, count);
    }
    return trips;
  }
};
} // namespace

void mlir::rng::registerSCFCosts(DialectRegistry &registry) {
  addCosts<scf::SCFDialect, SCFCosts>(registry);
}
