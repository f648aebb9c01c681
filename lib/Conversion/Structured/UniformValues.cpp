//===- UniformValues.cpp - What all points of an op share -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Structured/UniformValues.h"
#include "RngDialect/Conversion/Structured/OperandAccess.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::rng;

UniformValues::UniformValues(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  for (OpOperand &operand : op->getOpOperands())
    if (!op.isDpsInput(&operand) || !isUniformOperand(op, &operand))
      varying.insert(op.getMatchingBlockArgument(&operand));
  for (Operation &inner : *body) {
    bool isUniform = !isa<linalg::IndexOp>(inner) && isPure(&inner) &&
                     inner.getNumRegions() == 0 &&
                     containsAll(inner.getOperands());
    if (!isUniform)
      varying.insert_range(inner.getResults());
  }
}
