//===- LoopSizes.cpp - Which loops have the same size -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopSizes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::fusion;

unsigned LoopSizes::addClass(std::optional<int64_t> size) {
  unsigned id = sizes.size();
  sizes.push_back(size);
  classes.grow(sizes.size());
  return id;
}

void LoopSizes::unite(unsigned a, unsigned b) {
  a = classes.findLeader(a);
  b = classes.findLeader(b);
  if (a == b)
    return;
  // A program that says that 8 is 4 is never run; whoever compiles it must
  // still see different sizes.
  if (sizes[a] && sizes[b] && *sizes[a] != *sizes[b])
    return;
  std::optional<int64_t> size = sizes[a] ? sizes[a] : sizes[b];
  sizes[classes.join(a, b)] = size;
}

unsigned LoopSizes::getConstant(int64_t size) {
  auto [it, isNew] = constants.try_emplace(size, 0);
  if (isNew)
    it->second = addClass(size);
  return it->second;
}

unsigned LoopSizes::getSize(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return getConstant(*constant);
  Value value = cast<Value>(size);
  auto [it, isNew] = scalars.try_emplace(value, 0);
  if (!isNew)
    return it->second;
  unsigned id = it->second = addClass(std::nullopt);
  if (auto dim = value.getDefiningOp<tensor::DimOp>())
    if (std::optional<int64_t> index = dim.getConstantIndex())
      if (auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
          type && *index >= 0 && *index < type.getRank())
        unite(id, getDim(dim.getSource(), *index));
  return id;
}

unsigned LoopSizes::getDim(Value tensor, int64_t dim) {
  // Casts and results have the sizes of what they come from, however many of
  // them follow each other.
  SmallVector<unsigned> ids;
  while (true) {
    auto [it, isNew] = dims.try_emplace({tensor, dim}, 0);
    if (!isNew) {
      ids.push_back(it->second);
      break;
    }
    ids.push_back(it->second = addClass(std::nullopt));
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(dim))
      unite(ids.back(), getConstant(type.getDimSize(dim)));
    if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>()) {
      if (type.isDynamicDim(dim))
        ids.push_back(getSize(empty.getMixedSizes()[dim]));
      break;
    }
    if (auto cast = tensor.getDefiningOp<tensor::CastOp>()) {
      if (!isa<RankedTensorType>(cast.getSource().getType()))
        break;
      tensor = cast.getSource();
      continue;
    }
    auto op = tensor.getDefiningOp<DestinationStyleOpInterface>();
    if (!op)
      break;
    tensor = op.getTiedOpOperand(cast<OpResult>(tensor))->get();
  }
  for (unsigned id : ids)
    unite(ids.front(), id);
  return ids.front();
}

unsigned LoopSizes::getLoop(Operation *op, unsigned loop) {
  auto [it, isNew] = loops.try_emplace({op, loop}, 0);
  if (isNew)
    it->second = addClass(std::nullopt);
  return it->second;
}

void LoopSizes::addOp(linalg::LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, result] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(result))
        unite(getDim(operand.get(), dim), getLoop(op, loop.getPosition()));
  }
}

LoopSizes::LoopSizes(Block &block) {
  for (Operation &op : block)
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      addOp(linalgOp);
}

SmallVector<unsigned> LoopSizes::getLoops(linalg::LinalgOp op) {
  SmallVector<unsigned> result;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    result.push_back(classes.findLeader(getLoop(op, loop)));
  return result;
}
