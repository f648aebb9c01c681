//===- CostInterface.cpp - What a dialect's ops cost ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DialectCosts.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

MLIR_DEFINE_EXPLICIT_TYPE_ID(mlir::rng::CostInterface)

const CostInterface *CostInterface::lookup(Operation *op) {
  Dialect *dialect = op->getDialect();
  return dialect ? dialect->getRegisteredInterface<CostInterface>() : nullptr;
}

uint64_t mlir::rng::cut::getOperandAndResultBytes(Operation *op,
                                                  const CostModel &model) {
  uint64_t bytes = 0;
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (isa<ShapedType>(type))
        bytes = add(bytes, model.getBytes(type));
  return bytes;
}

/// By the elements of the first operand; those of a destination may be wider.
static WorkKind getContractionKind(Operation *op) {
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  auto number = dyn_cast<FloatType>(element);
  if (!number || number.getWidth() < 16)
    return WorkKind::ContractionI8;
  if (number.getWidth() == 16)
    return WorkKind::ContractionF16;
  return number.getWidth() <= 32 ? WorkKind::ContractionF32
                                 : WorkKind::ContractionF64;
}

RecomputeCost mlir::rng::cut::getContractionCost(Operation *op, uint64_t work,
                                                 const CostModel &model) {
  RecomputeCost cost = {RecomputeCost::Discouraged, work, /*isBarrier=*/true,
                        "is a contraction"};
  cost.setWorkKind(getContractionKind(op));
  cost.setMovedBytes(getOperandAndResultBytes(op, model));
  return cost;
}

RecomputeCost mlir::rng::cut::getReductionCost(uint64_t work, uint64_t read,
                                               uint64_t written) {
  RecomputeCost cost;
  cost.work = work;
  cost.setMovedBytes(add(read, written));
  if (read > mul(4, written)) {
    cost.kind = RecomputeCost::Discouraged;
    cost.reason =
        "is a reduction that reads more than four times what it writes";
  }
  return cost;
}
