//===- AllCosts.cpp - What upstream's ops cost ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/Partition/CostInterface.h"

using namespace mlir;
using namespace mlir::rng;

void mlir::rng::registerCostInterfaces(DialectRegistry &registry) {
  registerArithCosts(registry);
  registerFuncCosts(registry);
  registerLinalgCosts(registry);
  registerMathCosts(registry);
  registerRngCosts(registry);
  registerSCFCosts(registry);
  registerTensorCosts(registry);
  registerTosaCosts(registry);
}
