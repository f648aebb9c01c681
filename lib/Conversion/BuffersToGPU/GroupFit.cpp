//===- GroupFit.cpp - How ops are done in groups ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Groups.h"
#include "RngDialect/Conversion/Structured/BodyWork.h"
#include "RngDialect/Conversion/Structured/UniformValues.h"
#include "RngDialect/IR/RngOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::rng;

/// More elements a thread than this are not worth their registers.
static constexpr int64_t kMaxElements = 16;

/// What a thread loads before it computes stays in registers: half of those
/// that leave room for a full multiprocessor.
static constexpr int64_t kMaxLoadedBytes = 128;

/// Instructions of a thread that the instruction cache of a multiprocessor
/// holds.
static constexpr int64_t kMaxWork = 2048;

/// Small work is spread over about as many thread blocks as a large GPU has
/// multiprocessors.
static constexpr int64_t kMinTiles = 128;

/// How many consecutive elements of `op` a thread does; 1 if it does not fit.
static int64_t countLanes(linalg::LinalgOp op) {
  if (op.getNumLoops() == 0 || op.getNumParallelLoops() != op.getNumLoops())
    return 1;
  int64_t bytes = 1;
  SmallVector<OpOperand *> broadcasts;
  for (OpOperand &operand : op->getOpOperands()) {
    if (isSameForAll(op, &operand))
      continue;
    if (!isContiguousOperand(op, &operand)) {
      if (!op.isDpsInput(&operand))
        return 1;
      broadcasts.push_back(&operand);
      continue;
    }
    bytes = std::max(
        bytes, getElementBytes(getElementTypeOrSelf(operand.get().getType())));
  }
  int64_t lanes = kAccessBytes / bytes;
  UniformValues uniform(op);
  WalkResult result = op.getBlock()->walk([&](StatelessDrawOpInterface draw) {
    if (draw->getBlock() != op.getBlock() ||
        !drawsOwnElement(op, draw, uniform))
      return WalkResult::interrupt();
    RngAlgorithmAttrInterface algorithm = draw.getDrawAlgorithm();
    int64_t shared =
        algorithm.getValuesPerBlock(draw.getDistribution(), draw.getDrawType());
    if (shared > 1)
      lanes = std::lcm(lanes, shared);
    return WalkResult(success(lanes <= kMaxElements));
  });
  if (result.wasInterrupted() ||
      !llvm::all_of(broadcasts, [&](OpOperand *operand) {
        return isBroadcastOfGroups(op, operand, lanes);
      }))
    return 1;
  return lanes;
}

/// The number of points of `op`, at most INT64_MAX, if static.
static std::optional<int64_t> countAllPoints(linalg::LinalgOp op) {
  int64_t total = 1;
  for (int64_t extent : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(extent))
      return std::nullopt;
    // Whatever is beyond the product does not make it smaller, except zero.
    total = llvm::SaturatingMultiply<uint64_t>(total, extent);
    total = std::min<uint64_t>(total, INT64_MAX);
  }
  return total;
}

bool mlir::rng::hasNarrowIndices(linalg::LinalgOp op) {
  std::optional<int64_t> total = countAllPoints(op);
  return total && *total <= INT32_MAX - kGroupThreads;
}

/// Bytes that a group of `lanes` elements of `op` loads.
static int64_t countLoadedBytes(linalg::LinalgOp op, int64_t lanes) {
  int64_t bytes = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    if (op.getMatchingBlockArgument(&operand).use_empty() ||
        !isa<MemRefType>(operand.get().getType()))
      continue;
    bool isWide = !isUniformOperand(op, &operand) &&
                  getSpan(op, &operand)->end == op.getNumLoops();
    bytes += (isWide ? lanes : 1) *
             getElementBytes(getElementTypeOrSelf(operand.get().getType()));
  }
  return bytes;
}

std::optional<GroupShape> mlir::rng::findGroupShape(linalg::LinalgOp op) {
  int64_t lanes = countLanes(op);
  std::optional<int64_t> total = countAllPoints(op);
  if (lanes == 1 || (total && *total < lanes))
    return std::nullopt;
  GroupShape shape = {lanes, 1};
  int64_t bytes = countLoadedBytes(op, lanes);
  int64_t work = estimateBodyWork(*op.getBlock(), lanes);
  auto fits = [&](GroupShape shape) {
    return shape.getElements() <= kMaxElements &&
           bytes * shape.groups <= kMaxLoadedBytes &&
           work * shape.groups <= kMaxWork &&
           // Rather more threads than long ones.
           (!total || *total / shape.getTile() >= kMinTiles);
  };
  for (int64_t groups : {2, 4, 8})
    if (fits({lanes, groups}))
      shape.groups = groups;
  return shape;
}
