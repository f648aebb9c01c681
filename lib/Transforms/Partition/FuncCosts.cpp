//===- FuncCosts.cpp - What ops of func cost --------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DialectCosts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

namespace {
struct FuncCosts : public CostInterface {
  using CostInterface::CostInterface;

  RecomputeCost getRecomputeCost(Operation *op,
                                 const CostModel &model) const final {
    if (FunctionOpInterface callee = model.getPureCalls().getCallee(op))
      return model.getCalleeCost(callee);
    return model.getElementwiseCost(op, std::nullopt);
  }
};
} // namespace

void mlir::rng::registerFuncCosts(DialectRegistry &registry) {
  addCosts<func::FuncDialect, FuncCosts>(registry);
}
