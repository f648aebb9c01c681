//===- SCFCosts.cpp - What ops of scf cost ----------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DialectCosts.h"
#include "LoopTrips.h"
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
      if (std::optional<uint64_t> trips = countTrips(loop, model)) {
        cost.repeat(*trips);
        return cost;
      }
    }
    cost.addNested({RecomputeCost::Discouraged, 0, /*isBarrier=*/true,
                    "runs an unknown number of times"});
    return cost;
  }
};
} // namespace

void mlir::rng::registerSCFCosts(DialectRegistry &registry) {
  addCosts<scf::SCFDialect, SCFCosts>(registry);
}
