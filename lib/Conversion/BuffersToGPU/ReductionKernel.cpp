//===- ReductionKernel.cpp - Reductions by thread blocks --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilders.h"
#include "RngDialect/Conversion/Structured/ReductionOrder.h"
#include "RngDialect/Conversion/Structured/StructuredBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::structured;
using namespace mlir::rng::kernels;

/// Threads that run together: a thread block has a multiple of them.
static constexpr int64_t kWarpSize = 32;

int64_t kernels::getReductionThreads(const LaneReduction &reduction) {
  std::optional<int64_t> count = reduction.getStaticCount();
  if (!count || *count >= kReductionLanes)
    return kReductionLanes;
  return std::max<int64_t>(llvm::PowerOf2Ceil(*count), kWarpSize);
}

void kernels::buildBlockReduction(OpBuilder &b, const LaneReduction &reduction,
                                  ArrayRef<OpFoldResult> sizes,
                                  SmallVector<Value> indices, Value thread,
                                  int64_t numThreads, Value lanes) {
  Location loc = reduction.op.getLoc();
  SmallVector<OpFoldResult> inner;
  for (unsigned dim : reduction.reductions)
    inner.push_back(sizes[dim]);
  Value count = buildTotal(b, loc, inner);
  auto buildValue = [&](OpBuilder &b, Value position) {
    SmallVector<Value> at = buildDelinearized(b, loc, position, inner);
    for (auto [dim, index] : llvm::zip_equal(reduction.reductions, at))
      indices[dim] = index;
    return reduction.buildValue(b, indices);
  };

  // A thread is a lane. Fewer threads than lanes have no second turn.
  Value numLanes = buildIndex(b, loc, kReductionLanes);
  buildIf(b, loc, buildLess(b, loc, thread, count), [&](OpBuilder &b) {
    Value first = buildValue(b, thread);
    Value second = arith::AddIOp::create(b, loc, thread, numLanes);
    auto loop = scf::ForOp::create(
        b, loc, second, count, numLanes, first,
        [&](OpBuilder &b, Location, Value position, ValueRange carried) {
          Value value = buildValue(b, position);
          scf::YieldOp::create(b, loc,
                               reduction.combine(b, carried.front(), value));
        });
    memref::StoreOp::create(b, loc, loop.getResult(0), lanes, thread);
  });
  gpu::BarrierOp::create(b, loc);

  Value used = b.createOrFold<arith::MinUIOp>(loc, count, numLanes);
  for (int64_t distance = numThreads / 2; distance > 0; distance /= 2) {
    Value stride = buildIndex(b, loc, distance);
    Value pairs = buildPairCount(b, loc, used, stride);
    buildIf(b, loc, buildLess(b, loc, thread, pairs), [&](OpBuilder &b) {
      Value other = arith::AddIOp::create(b, loc, thread, stride);
      Value left = memref::LoadOp::create(b, loc, lanes, thread);
      Value right = memref::LoadOp::create(b, loc, lanes, other);
      memref::StoreOp::create(b, loc, reduction.combine(b, left, right), lanes,
                              thread);
    });
    gpu::BarrierOp::create(b, loc);
  }

  // One thread, if there is a value.
  Value isOne = buildLess(
      b, loc, thread,
      b.createOrFold<arith::MinUIOp>(loc, count, buildIndex(b, loc, 1)));
  buildIf(b, loc, isOne, [&](OpBuilder &b) {
    Value total = memref::LoadOp::create(b, loc, lanes, buildIndex(b, loc, 0));
    reduction.storeResult(b, indices, total);
  });
}

bool kernels::buildReductionKernel(OpBuilder &b, linalg::LinalgOp op) {
  std::optional<LaneReduction> reduction = matchLaneReduction(op);
  if (!reduction)
    return false;
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = buildLoopSizes(b, op);
  SmallVector<OpFoldResult> outer;
  for (unsigned dim : reduction->parallel)
    outer.push_back(sizes[dim]);
  SmallVector<Value> indices(sizes.size());
  auto setParallel = [&](ValueRange values) {
    for (auto [dim, index] : llvm::zip_equal(reduction->parallel, values))
      indices[dim] = index;
  };
  if (reduction->getStaticCount() == 0)
    return true;
  if (reduction->isShort()) {
    buildParallel(b, loc, outer, [&](OpBuilder &b, ValueRange values) {
      setParallel(values);
      reduction->buildUnrolled(b, indices);
    });
    return true;
  }
  int64_t numThreads = getReductionThreads(*reduction);
  buildBlocks(b, loc, outer, numThreads,
              [&](OpBuilder &b, gpu::LaunchOp launch, ValueRange values) {
                setParallel(values);
                Value lanes = launch.addWorkgroupAttribution(
                    getWorkgroupType({numThreads}, reduction->getType()), loc);
                buildBlockReduction(b, *reduction, sizes, indices,
                                    launch.getThreadIds().x, numThreads, lanes);
              });
  return true;
}
