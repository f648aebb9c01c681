//===- CheckDraws.cpp - Draws that no lowering defines ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/LoweringChecks/CheckDraws.h"
#include "RngDialect/Conversion/LoweringChecks/CheckTypes.h"
#include "RngDialect/Transforms/Support/DeviceCode.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::rng;

LogicalResult mlir::rng::checkStatelessDraws(
    Operation *root, function_ref<bool(StatelessDrawOpInterface)> filter) {
  WalkResult result = root->walk([&](StatelessDrawOpInterface op) {
    if (filter && !filter(op))
      return WalkResult::advance();
    RngAlgorithmAttrInterface algorithm = op.getDrawAlgorithm();
    if (failed(checkVectorSize(op, op.getDrawType())))
      return WalkResult::interrupt();
    return WalkResult(algorithm.checkDraw(
        [&]() { return op->emitOpError(); }, op.getDistribution(),
        getElementTypeOrSelf(op.getDrawType())));
  });
  return failure(result.wasInterrupted());
}

LogicalResult mlir::rng::checkNoStatefulDraws(Operation *root) {
  WalkResult result = root->walk([&](StatefulDrawOpInterface op) {
    op->emitOpError("reads and advances a generator and cannot be lowered: run "
                    "rng-thread-state first");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// The reservations of one state must have an order, which host code gives
/// them and threads do not.
static LogicalResult checkPlace(ReserveMemoryOp op, const DeviceCalls &calls) {
  if (failed(calls.checkHost(op, "each thread of which would advance the "
                                 "state: move it to the host, in front of the "
                                 "launch")))
    return failure();
  for (Operation *scope = op->getParentOp(); scope;
       scope = scope->getParentOp()) {
    if (isa<FunctionOpInterface>(scope))
      return success();
    if (scope->hasTrait<OpTrait::IsIsolatedFromAbove>())
      break;
    if (isa<RegionBranchOpInterface>(scope) &&
        !scope->hasTrait<OpTrait::HasParallelRegion>())
      continue;
    InFlightDiagnostic diag =
        op.emitOpError("is within '")
        << scope->getName()
        << "', which does not say in what order states are reserved: reserve "
           "in front of it, for all of its iterations";
    diag.attachNote(scope->getLoc()) << "'" << scope->getName() << "' is here";
    return diag;
  }
  return op.emitOpError("expected to be in a function");
}

static LogicalResult checkType(ReserveMemoryOp op) {
  auto type = cast<MemRefType>(op.getMemory().getType());
  if (!type.isStrided())
    return op.emitOpError("cannot be lowered with the layout of ")
           << type << ": expected a strided one";
  Attribute space = type.getMemorySpace();
  if (space && !isa<IntegerAttr>(space))
    return op.emitOpError("cannot be lowered with the memory space of ")
           << type << ": cast it to the default one";
  return success();
}

LogicalResult mlir::rng::checkReserveMemory(Operation *root) {
  DeviceCalls calls(root);
  WalkResult result = root->walk([&](ReserveMemoryOp op) {
    return WalkResult(
        failure(failed(checkPlace(op, calls)) || failed(checkType(op))));
  });
  return failure(result.wasInterrupted());
}
