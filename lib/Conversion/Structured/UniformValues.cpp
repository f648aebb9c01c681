//===- UniformValues.cpp - What all points of an op share -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Structured/UniformValues.h"
#include "RngDialect/Conversion/Structured/OperandAccess.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::structured;

/// Whether `inner`, of the body of `op`, yields the same wherever its operands
/// are the same.
static bool dependsOnOperandsAlone(linalg::LinalgOp op, Operation &inner,
                                   UniformLoads loads) {
  if (isa<linalg::IndexOp>(inner) || inner.getNumRegions() != 0)
    return false;
  // What the op writes changes from point to point.
  if (auto load = dyn_cast<memref::LoadOp>(inner))
    return loads == UniformLoads::Included &&
           !llvm::is_contained(op.getDpsInits(), load.getMemref());
  return isMemoryEffectFree(&inner);
}

UniformValues::UniformValues(linalg::LinalgOp op, UniformLoads loads) {
  assert(op.hasPureBufferSemantics() && "accesses are those of buffers");
  for (OpOperand &operand : op->getOpOperands())
    if (!op.isDpsInput(&operand) || !isUniformOperand(op, &operand))
      varying.insert(op.getMatchingBlockArgument(&operand));
  // Definitions come before uses: each op is looked at once.
  for (Operation &inner : *op.getBlock())
    if (!dependsOnOperandsAlone(op, inner, loads) ||
        !containsAll(inner.getOperands()))
      varying.insert_range(inner.getResults());
}
