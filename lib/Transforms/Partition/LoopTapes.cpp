//===- LoopTapes.cpp - Tapes that loops carry -------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopTapes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// The index in the first dimension, if `op` accesses one slice of `type` along
/// that dimension and all of the others.
static Value getSliceIndex(OffsetSizeAndStrideOpInterface op,
                           RankedTensorType type) {
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  for (int64_t dim = 0; dim != type.getRank(); ++dim) {
    if (!isConstantIntValue(op.getMixedStrides()[dim], 1))
      return Value();
    if (dim == 0)
      continue;
    // A size that is not static may be that of a part.
    if (!isConstantIntValue(offsets[dim], 0) || type.isDynamicDim(dim) ||
        !isConstantIntValue(sizes[dim], type.getDimSize(dim)))
      return Value();
  }
  if (type.getRank() == 0 || !isConstantIntValue(sizes[0], 1))
    return Value();
  return dyn_cast<Value>(offsets[0]);
}

/// Where and what `op` writes into which tensor, if one slice or element.
static Value getWriteIndex(Operation *op, Value &value, Value &tensor) {
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    value = insert.getSource();
    tensor = insert.getDest();
    return getSliceIndex(insert, insert.getDestType());
  }
  auto insert = dyn_cast<tensor::InsertOp>(op);
  if (!insert || insert.getIndices().size() != 1)
    return Value();
  value = insert.getScalar();
  tensor = insert.getDest();
  return insert.getIndices().front();
}

/// Where `op` reads which tensor, if one slice or element.
static Value getReadIndex(Operation *op, Value &tensor) {
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
    tensor = extract.getSource();
    return getSliceIndex(extract, extract.getSourceType());
  }
  auto extract = dyn_cast<tensor::ExtractOp>(op);
  if (!extract || extract.getIndices().size() != 1)
    return Value();
  tensor = extract.getTensor();
  return extract.getIndices().front();
}

/// Offsets, sizes and strides of slice `index` of `type`.
static void getSlice(RankedTensorType type, OpBuilder &b, Value index,
                     SmallVector<OpFoldResult> &offsets,
                     SmallVector<OpFoldResult> &sizes,
                     SmallVector<OpFoldResult> &strides) {
  strides.assign(type.getRank(), b.getIndexAttr(1));
  offsets.assign(type.getRank(), b.getIndexAttr(0));
  offsets.front() = index;
  for (int64_t size : type.getShape())
    sizes.push_back(b.getIndexAttr(size));
  sizes.front() = b.getIndexAttr(1);
}

Value cut::buildTapeWrite(OpBuilder &b, Location loc, Value value, Value tape,
                          Value index) {
  if (!isa<RankedTensorType>(value.getType()))
    return tensor::InsertOp::create(b, loc, value, tape, index);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  getSlice(cast<RankedTensorType>(tape.getType()), b, index, offsets, sizes,
           strides);
  return tensor::InsertSliceOp::create(b, loc, value, tape, offsets, sizes,
                                       strides);
}

Value cut::buildTapeRead(OpBuilder &b, Location loc, Type type, Value tape,
                         Value index) {
  auto slice = dyn_cast<RankedTensorType>(type);
  if (!slice)
    return tensor::ExtractOp::create(b, loc, tape, index);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  getSlice(cast<RankedTensorType>(tape.getType()), b, index, offsets, sizes,
           strides);
  return tensor::ExtractSliceOp::create(b, loc, slice, tape, offsets, sizes,
                                        strides);
}

//===----------------------------------------------------------------------===//
// Tapes
//===----------------------------------------------------------------------===//

/// Whether the iterations of `loop` fill the first dimension of `tape`, its
/// initial value.
static bool isFilledBy(scf::ForOp loop, Value tape) {
  int64_t size = cast<RankedTensorType>(tape.getType()).getDimSize(0);
  if (std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound()))
    return *end == size;
  auto empty = tape.getDefiningOp<tensor::EmptyOp>();
  return empty && ShapedType::isDynamic(size) &&
         empty.getDynamicSizes().front() == loop.getUpperBound();
}

SmallVector<Tape> cut::findTapes(scf::ForOp loop) {
  SmallVector<Tape> tapes;
  if (!isConstantIntValue(loop.getLowerBound(), 0) ||
      !isConstantIntValue(loop.getStep(), 1) ||
      !loop.getInductionVar().getType().isIndex())
    return tapes;
  for (auto [number, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    Operation *write = loop.getYieldedValues()[number].getDefiningOp();
    Value value, tensor;
    if (!write || !write->hasOneUse() || !argument.hasOneUse() ||
        getWriteIndex(write, value, tensor) != loop.getInductionVar() ||
        tensor != argument || write->getParentOp() != loop ||
        !isFilledBy(loop, loop.getInitArgs()[number]))
      continue;
    tapes.push_back({unsigned(number), write, value});
  }
  return tapes;
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

bool LoopPair::isUsedElsewhere(const Tape &tape) const {
  scf::ForOp loop = forward;
  for (OpOperand &use : loop.getResult(tape.number).getUses())
    if (llvm::none_of(reads, [&](const TapeRead &read) {
          return read.op == use.getOwner();
        }))
      return true;
  return false;
}

/// Finds the ops that compute the iteration of `pair`. Fails if they need more
/// than the arguments of the body and what is outside, such as what they read
/// of a tape.
static LogicalResult findIterationOps(LoopPair &pair) {
  Block *body = pair.backward.getBody();
  llvm::SmallDenseSet<Operation *> needed;
  SmallVector<Value> work{pair.iteration};
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != body || !needed.insert(op).second)
      continue;
    if (op->getNumRegions() != 0 ||
        llvm::any_of(pair.reads,
                     [&](const TapeRead &read) { return read.op == op; }))
      return failure();
    llvm::append_range(work, op->getOperands());
  }
  for (Operation &op : *body)
    if (needed.contains(&op))
      pair.iterationOps.push_back(&op);
  return success();
}

std::optional<LoopPair> cut::matchLoopPair(scf::ForOp forward,
                                           scf::ForOp backward) {
  LoopPair pair;
  pair.forward = forward;
  pair.backward = backward;
  pair.tapes = findTapes(forward);
  backward->walk([&](Operation *op) {
    Value tensor;
    Value index = getReadIndex(op, tensor);
    // The index must be known where the iteration begins.
    if (!index || tensor.getDefiningOp() != forward ||
        index.getParentBlock() != backward.getBody() ||
        (pair.iteration && pair.iteration != index))
      return;
    unsigned number = cast<OpResult>(tensor).getResultNumber();
    for (auto [i, tape] : llvm::enumerate(pair.tapes)) {
      if (tape.number != number ||
          tape.value.getType() != op->getResult(0).getType())
        continue;
      pair.iteration = index;
      pair.reads.push_back({op, i});
    }
  });
  if (pair.reads.empty() || failed(findIterationOps(pair)))
    return std::nullopt;
  return pair;
}
