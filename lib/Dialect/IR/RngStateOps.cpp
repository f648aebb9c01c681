//===- RngStateOps.cpp - What ops do to a state -----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the ops of this dialect implement `StateOpInterface`, and the defaults of
// that interface, which are those of a stateful draw.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::rng;

//===----------------------------------------------------------------------===//
// Defaults
//===----------------------------------------------------------------------===//

bool mlir::rng::detail::isStatefulDraw(Operation *op) {
  return isa<StatefulDrawOpInterface>(op);
}

OpFoldResult
mlir::rng::detail::getDrawBlocks(Operation *op,
                                 RngAlgorithmAttrInterface algorithm) {
  auto draw = dyn_cast<StatefulDrawOpInterface>(op);
  if (!draw)
    return {};
  std::optional<uint64_t> blocks =
      algorithm.getStaticAdvance(draw.getDistribution(), draw.getDrawType());
  if (!blocks)
    return {};
  return Builder(op->getContext())
      .getI64IntegerAttr(static_cast<int64_t>(*blocks));
}

std::optional<SmallVector<Value>>
mlir::rng::detail::getDrawBlockOperands(Operation *op) {
  auto draw = dyn_cast<StatefulDrawOpInterface>(op);
  if (!draw)
    return std::nullopt;
  return llvm::to_vector_of<Value>(draw.getDrawSizes());
}

Value mlir::rng::detail::buildDrawBlocks(OpBuilder &b, Operation *op,
                                         RngAlgorithmAttrInterface algorithm,
                                         ValueRange operands) {
  auto draw = cast<StatefulDrawOpInterface>(op);
  OpFoldResult blocks = algorithm.getAdvance(
      b, draw.getLoc(), draw.getDistribution(), draw.getDrawType(), operands);
  if (auto constant = dyn_cast<Attribute>(blocks))
    return arith::ConstantOp::create(b, draw.getLoc(),
                                     cast<TypedAttr>(constant));
  return cast<Value>(blocks);
}

StateReplacement
mlir::rng::detail::buildStateOpAt(OpBuilder &b, Operation *op,
                                  RngAlgorithmAttrInterface algorithm,
                                  Value seed, Value offset) {
  StateReplacement replacement;
  if (auto draw = dyn_cast<StatefulDrawOpInterface>(op)) {
    Operation *stateless = draw.buildStateless(b, algorithm, seed, offset);
    llvm::append_range(replacement.results, stateless->getResults());
    return replacement;
  }
  auto state = cast<StateOpInterface>(op);
  for (Value result : op->getResults()) {
    assert((result == state.getYieldedSeed() ||
            result == state.getYieldedOffset()) &&
           "a state op with results besides seed and offset builds its own "
           "replacement");
    replacement.results.push_back(result == state.getYieldedSeed() ? seed
                                                                   : offset);
  }
  return replacement;
}

LogicalResult mlir::rng::detail::verifyStateOp(Operation *op) {
  auto state = cast<StateOpInterface>(op);
  if (op->getNumRegions() != 0)
    return op->emitOpError("expected an op on the state of a generator to have "
                           "no regions");
  if (state.getStateAccess() != StateAccess::Set)
    return success();
  if (!state.getStoredSeed() || !state.getStoredOffset() ||
      op->getNumResults() != 0)
    return op->emitOpError("expected an op that sets the state of a generator "
                           "to take seed and offset and to yield nothing");
  return success();
}

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

StateAccess GetStateOp::getStateAccess() { return StateAccess::Read; }
Value GetStateOp::getYieldedSeed() { return getSeed(); }
Value GetStateOp::getYieldedOffset() { return getOffset(); }

StateAccess SetStateOp::getStateAccess() { return StateAccess::Set; }
Value SetStateOp::getStoredSeed() { return getSeed(); }
Value SetStateOp::getStoredOffset() { return getOffset(); }

Value ReserveOp::getYieldedSeed() { return getSeed(); }
Value ReserveOp::getYieldedOffset() { return getOffset(); }
OpFoldResult ReserveOp::getStateBlocks(RngAlgorithmAttrInterface) {
  return getBlocks();
}

FlatSymbolRefAttr ReserveMemoryOp::getStateGenerator() { return {}; }
Value ReserveMemoryOp::getStateMemory() { return getMemory(); }
Value ReserveMemoryOp::getYieldedSeed() { return getSnapshot(); }
OpFoldResult ReserveMemoryOp::getStateBlocks(RngAlgorithmAttrInterface) {
  return getBlocks();
}
