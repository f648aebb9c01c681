//===- ReductionOrder.cpp - The order in which reductions add up *- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Structured/ReductionOrder.h"
#include "RngDialect/Conversion/Structured/StructuredBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::structured;

/// Points of a reduction that are written out, and ops they may have in all.
static constexpr int64_t kShortCount = 32;
static constexpr int64_t kShortOps = 512;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Whether the op may be applied in any order, but for roundings.
static bool mayReorder(Operation *op) {
  return isa<arith::AddFOp, arith::AddIOp, arith::MulFOp, arith::MulIOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
             arith::MinUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op);
}

static bool dependsOnAny(AffineMap map, ArrayRef<unsigned> dims) {
  return llvm::any_of(dims,
                      [&](unsigned dim) { return map.isFunctionOfDim(dim); });
}

static bool dependsOnAll(AffineMap map) {
  return llvm::all_of(llvm::seq<unsigned>(0, map.getNumDims()),
                      [&](unsigned dim) { return map.isFunctionOfDim(dim); });
}

/// Whether the result has one element for each point of the parallel loops.
static bool hasResultOfParallelLoops(linalg::LinalgOp op,
                                     ArrayRef<unsigned> parallel) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  llvm::SmallBitVector found(map.getNumDims());
  for (AffineExpr result : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      found.set(dim.getPosition());
    else if (!isa<AffineConstantExpr>(result))
      return false;
  }
  return found.count() == parallel.size() &&
         llvm::all_of(parallel, [&](unsigned dim) { return found[dim]; });
}

std::optional<LaneReduction>
structured::matchLaneReduction(linalg::LinalgOp op) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  if (op.getNumDpsInits() != 1 || kinds.empty() ||
      kinds.back() != utils::IteratorType::reduction)
    return std::nullopt;
  LaneReduction reduction;
  reduction.op = op;
  for (auto [dim, kind] : llvm::enumerate(kinds)) {
    if (kind == utils::IteratorType::parallel)
      reduction.parallel.push_back(dim);
    else if (kind == utils::IteratorType::reduction)
      reduction.reductions.push_back(dim);
    else
      return std::nullopt;
  }
  if (!hasResultOfParallelLoops(op, reduction.parallel))
    return std::nullopt;

  // The body: yield (accumulator o value).
  BlockArgument accumulator = op.getRegionOutputArgs().front();
  if (!accumulator.hasOneUse())
    return std::nullopt;
  OpOperand &use = *accumulator.use_begin();
  reduction.combiner = use.getOwner();
  reduction.accumulatorOperand = use.getOperandNumber();
  Operation *yield = op.getBlock()->getTerminator();
  if (!mayReorder(reduction.combiner) ||
      reduction.combiner->getBlock() != op.getBlock() ||
      !reduction.combiner->hasOneUse() ||
      yield->getOperand(0) != reduction.combiner->getResult(0) ||
      reduction.getType() != accumulator.getType() ||
      !reduction.getType().isIntOrIndexOrFloat())
    return std::nullopt;

  unsigned numRunning = 0;
  bool hasWhole = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!dependsOnAny(map, reduction.reductions) ||
        op.getMatchingBlockArgument(input).use_empty())
      continue;
    ++numRunning;
    hasWhole |= dependsOnAll(map);
    for (AffineExpr result : map.getResults())
      if (!isa<AffineDimExpr, AffineConstantExpr>(result))
        return std::nullopt;
  }
  if (numRunning > 1 && !hasWhole)
    return std::nullopt;
  // Its matrix is read along the parallel loop.
  if (isa<linalg::VecmatOp>(op))
    return std::nullopt;
  return reduction;
}

//===----------------------------------------------------------------------===//
// Parts of the order
//===----------------------------------------------------------------------===//

Value LaneReduction::buildValue(OpBuilder &b, ValueRange indices) const {
  IRMapping mapping = buildBodyOps(b, op, indices, /*accumulators=*/Value(),
                                   /*inputs=*/{}, combiner);
  return mapping.lookupOrDefault(combiner->getOperand(1 - accumulatorOperand));
}

Value LaneReduction::combine(OpBuilder &b, Value accumulator,
                             Value value) const {
  Operation *clone = b.clone(*combiner);
  clone->setOperand(accumulatorOperand, accumulator);
  clone->setOperand(1 - accumulatorOperand, value);
  return clone->getResult(0);
}

void LaneReduction::storeResult(OpBuilder &b, SmallVector<Value> indices,
                                Value total) const {
  // The result's map does not use the reduction loops: any valid index stands
  // for them.
  for (unsigned dim : reductions)
    indices[dim] = arith::ConstantIndexOp::create(b, op.getLoc(), 0);
  Value old = buildInitLoads(b, op, indices, /*all=*/true).front();
  buildResultStores(b, op, combine(b, old, total), indices);
}

std::optional<int64_t> LaneReduction::getStaticCount() const {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t count = 1;
  for (unsigned dim : reductions)
    if (ShapedType::isDynamic(sizes[dim]) ||
        llvm::MulOverflow(count, sizes[dim], count))
      return std::nullopt;
  return count;
}

/// Whether the body of `op`, `times` times, is short.
static bool isShortCode(linalg::LinalgOp op, int64_t times) {
  int64_t numOps = 0;
  op.getBlock()->walk([&](Operation *) { ++numOps; });
  return times * numOps <= kShortOps;
}

bool LaneReduction::isShort() const {
  std::optional<int64_t> count = getStaticCount();
  return count && *count <= kShortCount && isShortCode(op, *count);
}

bool LaneReduction::mayBeTiny() const {
  return reductions.size() == 1 && !getStaticCount() &&
         isShortCode(op, kTinyCount * (kTinyCount + 1) / 2);
}

void LaneReduction::buildUnrolled(OpBuilder &b,
                                  SmallVector<Value> indices) const {
  buildUnrolled(b, indices, *getStaticCount());
}

void LaneReduction::buildUnrolled(OpBuilder &b, SmallVector<Value> indices,
                                  int64_t count) const {
  if (count == 0)
    return;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<Value> lanes;
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    for (unsigned dim : llvm::reverse(reductions)) {
      // A single loop has as many points as there are values.
      int64_t size = reductions.size() == 1 ? count : sizes[dim];
      indices[dim] =
          arith::ConstantIndexOp::create(b, op.getLoc(), rest % size);
      rest /= size;
    }
    lanes.push_back(buildValue(b, indices));
  }
  for (int64_t stride = kReductionLanes / 2; stride > 0; stride /= 2)
    for (int64_t lane = 0; lane < stride && lane + stride < count; ++lane)
      lanes[lane] = combine(b, lanes[lane], lanes[lane + stride]);
  storeResult(b, indices, lanes.front());
}

Value structured::buildPairCount(OpBuilder &b, Location loc, Value count,
                                 Value stride) {
  // Lanes below twice the stride are left: min(count, 2 stride) - stride of
  // them are the right one of a pair, none if that is negative.
  Value twice = b.createOrFold<arith::AddIOp>(loc, stride, stride);
  Value left = b.createOrFold<arith::MinUIOp>(loc, count, twice);
  left = b.createOrFold<arith::MaxUIOp>(loc, left, stride);
  return b.createOrFold<arith::SubIOp>(loc, left, stride);
}
