//===- KernelBuilders.cpp - Launches on device memory -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilders.h"
#include "RngDialect/Conversion/Structured/StructuredBodies.h"
#include "RngDialect/IR/RngDialect.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::structured;
using namespace mlir::rng::kernels;

/// Threads of a thread block.
static constexpr int64_t kBlockSize = 256;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Value kernels::buildIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

/// A launch of `blocks` x `threads` (times `threadsY`, if given); leaves `b` at
/// the start of its body, in front of the terminator.
static gpu::LaunchOp buildLaunch(OpBuilder &b, Location loc, Value blocks,
                                 Value threads, Value threadsY = Value()) {
  Value one = buildIndex(b, loc, 1);
  auto launch = gpu::LaunchOp::create(b, loc, blocks, one, one, threads,
                                      threadsY ? threadsY : one, one);
  b.setInsertionPointToEnd(&launch.getBody().front());
  Operation *terminator = gpu::TerminatorOp::create(b, loc);
  b.setInsertionPoint(terminator);
  return launch;
}

Value kernels::buildLess(OpBuilder &b, Location loc, Value left, Value right) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, left, right);
}

void kernels::buildIf(OpBuilder &b, Location loc, Value condition,
                      function_ref<void(OpBuilder &)> body) {
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder inner(branch.thenBlock()->getTerminator());
  body(inner);
}

MemRefType kernels::getWorkgroupType(ArrayRef<int64_t> shape, Type element) {
  return MemRefType::get(
      shape, element, AffineMap(),
      gpu::AddressSpaceAttr::get(element.getContext(),
                                 gpu::AddressSpace::Workgroup));
}

/// Runs what `body` builds in one thread.
void kernels::buildSingle(OpBuilder &b, Location loc,
                          function_ref<void(OpBuilder &)> body) {
  OpBuilder::InsertionGuard guard(b);
  Value one = buildIndex(b, loc, 1);
  buildLaunch(b, loc, one, one);
  body(b);
}

SmallVector<Value> kernels::buildDelinearized(OpBuilder &b, Location loc,
                                              Value linear,
                                              ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> indices(sizes.size());
  for (int64_t dim = int64_t(sizes.size()) - 1; dim >= 0; --dim) {
    // A dimension of one element has one index, whatever is left.
    if (isConstantIntValue(sizes[dim], 1)) {
      indices[dim] = buildIndex(b, loc, 0);
      continue;
    }
    bool outermost = llvm::all_of(sizes.take_front(dim), [](OpFoldResult size) {
      return isConstantIntValue(size, 1);
    });
    if (outermost) {
      indices[dim] = linear;
      continue;
    }
    Value size = getValueOrCreateConstantIndexOp(b, loc, sizes[dim]);
    indices[dim] = arith::RemUIOp::create(b, loc, linear, size);
    linear = arith::DivUIOp::create(b, loc, linear, size);
  }
  return indices;
}

Value kernels::buildTotal(OpBuilder &b, Location loc,
                          ArrayRef<OpFoldResult> sizes) {
  Value total = buildIndex(b, loc, 1);
  for (OpFoldResult size : sizes)
    total = b.createOrFold<arith::MulIOp>(
        loc, total, getValueOrCreateConstantIndexOp(b, loc, size));
  return total;
}

Value kernels::buildLinearLaunch(OpBuilder &b, Location loc, Value total) {
  Value threads = buildIndex(b, loc, kBlockSize);
  // ceil(total / threads): total is not zero here.
  Value one = buildIndex(b, loc, 1);
  Value last = arith::SubIOp::create(b, loc, total, one);
  Value blocks = arith::AddIOp::create(
      b, loc, arith::DivUIOp::create(b, loc, last, threads), one);
  gpu::LaunchOp launch = buildLaunch(b, loc, blocks, threads);
  Value blockSize = buildIndex(b, loc, kBlockSize);
  return arith::AddIOp::create(
      b, loc, arith::MulIOp::create(b, loc, launch.getBlockIds().x, blockSize),
      launch.getThreadIds().x);
}

kernels::ThreadIds kernels::getThreadIds(OpBuilder &b) {
  auto launch = cast<gpu::LaunchOp>(b.getInsertionBlock()->getParentOp());
  return {launch.getBlockIds().x, launch.getThreadIds().x};
}

static bool isEmpty(ArrayRef<OpFoldResult> sizes) {
  return llvm::any_of(
      sizes, [](OpFoldResult size) { return isConstantIntValue(size, 0); });
}

/// Guards what follows against no points at all, which `total` counts: leaves
/// `b` where there are some.
static void buildGuard(OpBuilder &b, Location loc, Value total,
                       ArrayRef<OpFoldResult> sizes) {
  bool isStatic = llvm::all_of(sizes, [](OpFoldResult size) {
    return getConstantIntValue(size).has_value();
  });
  if (isStatic)
    return;
  Value zero = buildIndex(b, loc, 0);
  Value some =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, total, zero);
  auto guardIf = scf::IfOp::create(b, loc, some, /*withElseRegion=*/false);
  b.setInsertionPointToStart(guardIf.thenBlock());
}

void kernels::buildParallel(
    OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes,
    function_ref<void(OpBuilder &, ValueRange indices)> body) {
  OpBuilder::InsertionGuard guard(b);
  if (isEmpty(sizes))
    return;
  if (llvm::all_of(sizes, [](OpFoldResult size) {
        return isConstantIntValue(size, 1);
      })) {
    buildSingle(b, loc, [&](OpBuilder &b) {
      SmallVector<Value> zeros;
      for (size_t i = 0; i < sizes.size(); ++i)
        zeros.push_back(buildIndex(b, loc, 0));
      body(b, zeros);
    });
    return;
  }

  Value total = buildTotal(b, loc, sizes);
  buildGuard(b, loc, total, sizes);
  Value linear = buildLinearLaunch(b, loc, total);
  Value inside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, linear, total);
  auto insideIf = scf::IfOp::create(b, loc, inside, /*withElseRegion=*/false);
  b.setInsertionPointToStart(insideIf.thenBlock());
  body(b, buildDelinearized(b, loc, linear, sizes));
}

void kernels::buildBlocks(
    OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes,
    ArrayRef<int64_t> numThreads,
    function_ref<void(OpBuilder &, gpu::LaunchOp, ValueRange indices)> body) {
  OpBuilder::InsertionGuard guard(b);
  if (isEmpty(sizes))
    return;
  Value total = buildTotal(b, loc, sizes);
  buildGuard(b, loc, total, sizes);
  Value threads = buildIndex(b, loc, numThreads.front());
  Value threadsY =
      buildIndex(b, loc, numThreads.size() > 1 ? numThreads[1] : 1);
  gpu::LaunchOp launch = buildLaunch(b, loc, total, threads, threadsY);
  body(b, launch, buildDelinearized(b, loc, launch.getBlockIds().x, sizes));
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

bool kernels::ownsItsResults(linalg::LinalgOp op) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    llvm::SmallBitVector found(map.getNumDims());
    for (AffineExpr result : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(result))
        found.set(dim.getPosition());
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim) {
      bool isParallel = kinds[dim] == utils::IteratorType::parallel;
      if (isParallel ? !found[dim] && sizes[dim] != 1
                     : map.isFunctionOfDim(dim))
        return false;
    }
  }
  return true;
}

void kernels::buildPoint(OpBuilder &b, linalg::LinalgOp op,
                         ArrayRef<OpFoldResult> sizes,
                         SmallVector<Value> indices) {
  Location loc = op.getLoc();
  SmallVector<unsigned> others;
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind != utils::IteratorType::parallel)
      others.push_back(dim);
  if (others.empty()) {
    SmallVector<Value> old = buildInitLoads(b, op, indices, /*all=*/false);
    buildResultStores(b, op, buildBody(b, op, indices, old), indices);
    return;
  }
  // The results' maps do not use the reduction dimensions: any valid index
  // stands for them.
  Value zero = buildIndex(b, loc, 0);
  for (unsigned dim : others)
    indices[dim] = zero;
  SmallVector<Value> init = buildInitLoads(b, op, indices, /*all=*/true);
  SmallVector<Value> last =
      buildLoops(b, loc, others, sizes, indices, init,
                 [&](OpBuilder &b, ValueRange carried) {
                   return buildBody(b, op, indices, carried);
                 });
  for (unsigned dim : others)
    indices[dim] = zero;
  buildResultStores(b, op, last, indices);
}

void kernels::buildAllPoints(OpBuilder &b, linalg::LinalgOp op,
                             ArrayRef<OpFoldResult> sizes) {
  SmallVector<unsigned> all =
      llvm::to_vector(llvm::seq<unsigned>(0, sizes.size()));
  SmallVector<Value> indices(sizes.size());
  buildLoops(
      b, op.getLoc(), all, sizes, indices, {},
      [&](OpBuilder &b, ValueRange) -> SmallVector<Value> {
        SmallVector<Value> old = buildInitLoads(b, op, indices, /*all=*/false);
        buildResultStores(b, op, buildBody(b, op, indices, old), indices);
        return {};
      });
}

void kernels::buildKernel(OpBuilder &b, linalg::LinalgOp op) {
  if (buildGroupedKernel(b, op) || buildReductionKernel(b, op) ||
      buildMatmulKernel(b, op))
    return;
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = buildLoopSizes(b, op);
  if (!ownsItsResults(op)) {
    // Several points meet in one element: in order, in one thread.
    buildSingle(b, loc, [&](OpBuilder &b) { buildAllPoints(b, op, sizes); });
    return;
  }
  SmallVector<unsigned> parallel;
  SmallVector<OpFoldResult> parallelSizes;
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (kind != utils::IteratorType::parallel)
      continue;
    parallel.push_back(dim);
    parallelSizes.push_back(sizes[dim]);
  }
  buildParallel(b, loc, parallelSizes, [&](OpBuilder &b, ValueRange values) {
    SmallVector<Value> indices(sizes.size());
    for (auto [dim, index] : llvm::zip_equal(parallel, values))
      indices[dim] = index;
    buildPoint(b, op, sizes, indices);
  });
}
