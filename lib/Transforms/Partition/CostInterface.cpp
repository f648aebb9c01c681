//===- CostInterface.cpp - What a dialect's ops cost ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DialectCosts.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

MLIR_DEFINE_EXPLICIT_TYPE_ID(mlir::rng::CostInterface)

const CostInterface *CostInterface::lookup(Operation *op) {
  Dialect *dialect = op->getDialect();
  return dialect ? dialect->getRegisteredInterface<CostInterface>() : nullptr;
}

RecomputeCost mlir::rng::cut::getContractionCost(uint64_t work) {
  return {RecomputeCost::Discouraged, work, /*isBarrier=*/true,
          "is a contraction"};
}

RecomputeCost mlir::rng::cut::getReductionCost(uint64_t work, uint64_t read,
                                               uint64_t written) {
  RecomputeCost cost;
  cost.work = work;
  if (read > mul(4, written)) {
    cost.kind = RecomputeCost::Discouraged;
    cost.reason =
        "is a reduction that reads more than four times what it writes";
  }
  return cost;
}
