//===- StructuredBodies.cpp - Points of structured ops ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Structured/StructuredBodies.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::structured;

SmallVector<Value> structured::buildAccess(OpBuilder &b, Location loc,
                                           AffineMap map, ValueRange indices) {
  auto access = affine::expandAffineMap(b, loc, map, indices);
  assert(access && "maps of structured ops have no symbols");
  return SmallVector<Value>(access->begin(), access->end());
}

SmallVector<OpFoldResult> structured::buildLoopSizes(OpBuilder &b,
                                                     linalg::LinalgOp op) {
  SmallVector<OpFoldResult> sizes;
  for (Range range : op.createLoopRanges(b, op.getLoc()))
    sizes.push_back(range.size);
  return sizes;
}

IRMapping structured::buildBodyOps(OpBuilder &b, linalg::LinalgOp op,
                                   ValueRange indices, ValueRange accumulators,
                                   ArrayRef<Value> inputs, Operation *without,
                                   const IRMapping &known) {
  Location loc = op.getLoc();
  Block *body = op.getBlock();
  IRMapping mapping = known;
  for (auto [i, input] : llvm::enumerate(op.getDpsInputOperands())) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (argument.use_empty())
      continue;
    Value value = inputs.empty() ? input->get() : inputs[i];
    if (inputs.empty() && isa<MemRefType>(value.getType()))
      value = memref::LoadOp::create(
          b, loc, value,
          buildAccess(b, loc, op.getMatchingIndexingMap(input), indices));
    mapping.map(argument, value);
  }
  for (auto [argument, value] :
       llvm::zip_equal(op.getRegionOutputArgs(), accumulators))
    if (value)
      mapping.map(argument, value);
  for (Operation &inner : body->without_terminator()) {
    if (&inner == without ||
        (inner.getNumResults() != 0 && known.contains(inner.getResult(0))))
      continue;
    Operation *clone = b.clone(inner, mapping);
    // `linalg.index` also sits in regions of the body (`scf.if`).
    clone->walk([&](linalg::IndexOp index) {
      index.replaceAllUsesWith(indices[index.getDim()]);
      if (index != clone)
        index.erase();
    });
    if (auto index = dyn_cast<linalg::IndexOp>(clone)) {
      mapping.map(inner.getResult(0), indices[index.getDim()]);
      clone->erase();
    }
  }
  return mapping;
}

SmallVector<Value> structured::buildBody(OpBuilder &b, linalg::LinalgOp op,
                                         ValueRange indices,
                                         ValueRange accumulators,
                                         ArrayRef<Value> inputs,
                                         const IRMapping &known) {
  IRMapping mapping = buildBodyOps(b, op, indices, accumulators, inputs,
                                   /*without=*/nullptr, known);
  SmallVector<Value> results;
  for (Value yielded : op.getBlock()->getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(yielded));
  return results;
}

SmallVector<Value> structured::buildInitLoads(OpBuilder &b, linalg::LinalgOp op,
                                              ValueRange indices, bool all) {
  SmallVector<Value> values;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (!all && op.getMatchingBlockArgument(&init).use_empty()) {
      values.push_back(Value());
      continue;
    }
    values.push_back(memref::LoadOp::create(
        b, op.getLoc(), init.get(),
        buildAccess(b, op.getLoc(), op.getMatchingIndexingMap(&init),
                    indices)));
  }
  return values;
}

void structured::buildResultStores(OpBuilder &b, linalg::LinalgOp op,
                                   ValueRange values, ValueRange indices) {
  for (auto [init, value] : llvm::zip_equal(op.getDpsInitsMutable(), values))
    memref::StoreOp::create(
        b, op.getLoc(), value, init.get(),
        buildAccess(b, op.getLoc(), op.getMatchingIndexingMap(&init), indices));
}

SmallVector<Value> structured::buildLoops(
    OpBuilder &b, Location loc, ArrayRef<unsigned> dims,
    ArrayRef<OpFoldResult> sizes, MutableArrayRef<Value> indices,
    ValueRange values,
    function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> body) {
  if (dims.empty())
    return body(b, values);
  Value lower = arith::ConstantIndexOp::create(b, loc, 0);
  Value step = arith::ConstantIndexOp::create(b, loc, 1);
  Value upper = getValueOrCreateConstantIndexOp(b, loc, sizes[dims.front()]);
  auto loop = scf::ForOp::create(
      b, loc, lower, upper, step, values,
      [&](OpBuilder &b, Location loc, Value index, ValueRange carried) {
        indices[dims.front()] = index;
        SmallVector<Value> next = buildLoops(b, loc, dims.drop_front(), sizes,
                                             indices, carried, body);
        scf::YieldOp::create(b, loc, next);
      });
  return SmallVector<Value>(loop.getResults());
}
