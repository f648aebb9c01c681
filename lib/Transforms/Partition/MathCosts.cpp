//===- MathCosts.cpp - What ops of math cost --------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DialectCosts.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

void mlir::rng::registerMathCosts(DialectRegistry &registry) {
  addCosts<math::MathDialect,
           ElementwiseCosts<CostModel::kMathWork, WorkKind::Math>>(registry);
}
