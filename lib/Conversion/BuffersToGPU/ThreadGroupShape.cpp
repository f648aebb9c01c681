//===- ThreadGroupShape.cpp - Which ops are grouped -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Structured/BodyWork.h"
#include "RngDialect/Conversion/Structured/UniformValues.h"
#include "RngDialect/IR/RngOps.h"
#include "RngDialect/Transforms/Support/Reasons.h"
#include "ThreadGroups.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::structured;
using namespace mlir::rng::kernels;

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

/// The draws in the body of `op`, those in regions of it included.
static SmallVector<StatelessDrawOpInterface> listDraws(linalg::LinalgOp op) {
  SmallVector<StatelessDrawOpInterface> draws;
  op.getBlock()->walk(
      [&](StatelessDrawOpInterface draw) { draws.push_back(draw); });
  return draws;
}

/// Says why the elements of `op` are not done in groups, and returns 1, the
/// number of elements that a thread does then.
static int64_t refuseGroups(linalg::LinalgOp op, const Twine &why) {
  reportMissed(op, "convert-rng-to-gpu", "NotGrouped", why);
  return 1;
}

/// How many consecutive elements of `op` a thread does; 1 if it does not fit.
static int64_t countLanes(linalg::LinalgOp op) {
  // Reductions and contractions have kernels of their own.
  if (op.getNumLoops() == 0 || op.getNumParallelLoops() != op.getNumLoops())
    return 1;
  int64_t bytes = 1;
  SmallVector<OpOperand *> broadcasts;
  for (OpOperand &operand : op->getOpOperands()) {
    if (isSameForAll(op, &operand))
      continue;
    if (!isContiguousOperand(op, &operand)) {
      if (!op.isDpsInput(&operand))
        return refuseGroups(op, "a result is not contiguous, or not written in "
                                "the order of the loops");
      broadcasts.push_back(&operand);
      continue;
    }
    bytes = std::max(
        bytes, getLaneBytes(getElementTypeOrSelf(operand.get().getType())));
  }
  int64_t lanes = kAccessBytes / bytes;
  UniformValues uniform(op);
  for (StatelessDrawOpInterface draw : listDraws(op)) {
    if (draw->getBlock() != op.getBlock())
      return refuseGroups(op, "a draw is in a region of the body");
    if (!drawsOwnElement(op, draw, uniform))
      return refuseGroups(op,
                          "a draw is not of the shape of the loops, at their "
                          "indices and at one state");
    RngAlgorithmAttrInterface algorithm = draw.getDrawAlgorithm();
    int64_t shared =
        algorithm.getValuesPerBlock(draw.getDistribution(), draw.getDrawType());
    if (shared > 1)
      lanes = std::lcm(lanes, shared);
    if (lanes > kMaxElements)
      return refuseGroups(op, "elements that share stream blocks are more than "
                              "a thread should do");
  }
  for (OpOperand *operand : broadcasts)
    if (!isBroadcastOfGroups(op, operand, lanes))
      return refuseGroups(op, "operand #" + Twine(operand->getOperandNumber()) +
                                  " is not contiguous, or broadcast by other "
                                  "sizes than multiples of " +
                                  Twine(lanes) + " elements");
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

bool kernels::hasNarrowIndices(linalg::LinalgOp op) {
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
             getLaneBytes(getElementTypeOrSelf(operand.get().getType()));
  }
  return bytes;
}

std::optional<GroupShape> kernels::findGroupShape(linalg::LinalgOp op) {
  int64_t lanes = countLanes(op);
  std::optional<int64_t> total = countAllPoints(op);
  if (lanes == 1)
    return std::nullopt;
  if (total && *total < lanes) {
    refuseGroups(op, "all of it is less than one group");
    return std::nullopt;
  }
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
