//===- RngToGPUKernels.cpp - Launches that touch device memory --*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngToGPUKernels.h"
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

/// Threads of a block.
static constexpr int64_t kBlockSize = 256;

bool mlir::rng::isDeviceFunction(Operation *function) {
  return isa<FunctionOpInterface>(function) &&
         function->hasAttr(RngDialect::kDevice);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static Value buildIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

/// A launch of `blocks` x `threads`; leaves `b` at the start of its body, in
/// front of the terminator.
static gpu::LaunchOp buildLaunch(OpBuilder &b, Location loc, Value blocks,
                                 Value threads) {
  Value one = buildIndex(b, loc, 1);
  auto launch =
      gpu::LaunchOp::create(b, loc, blocks, one, one, threads, one, one);
  b.setInsertionPointToEnd(&launch.getBody().front());
  Operation *terminator = gpu::TerminatorOp::create(b, loc);
  b.setInsertionPoint(terminator);
  return launch;
}

/// Runs what `body` builds in one thread.
static void buildSingle(OpBuilder &b, Location loc,
                        function_ref<void(OpBuilder &)> body) {
  OpBuilder::InsertionGuard guard(b);
  Value one = buildIndex(b, loc, 1);
  buildLaunch(b, loc, one, one);
  body(b);
}

SmallVector<Value> mlir::rng::buildDelinearized(OpBuilder &b, Location loc,
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

Value mlir::rng::buildTotal(OpBuilder &b, Location loc,
                            ArrayRef<OpFoldResult> sizes) {
  Value total = buildIndex(b, loc, 1);
  for (OpFoldResult size : sizes)
    total = b.createOrFold<arith::MulIOp>(
        loc, total, getValueOrCreateConstantIndexOp(b, loc, size));
  return total;
}

Value mlir::rng::buildLinearLaunch(OpBuilder &b, Location loc, Value total) {
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

/// Runs what `body` builds once for each point of `sizes`, each in a thread of
/// its own.
static void
buildParallel(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes,
              function_ref<void(OpBuilder &, ValueRange indices)> body) {
  OpBuilder::InsertionGuard guard(b);
  if (llvm::any_of(
          sizes, [](OpFoldResult size) { return isConstantIntValue(size, 0); }))
    return;
  bool isStatic = llvm::all_of(sizes, [](OpFoldResult size) {
    return getConstantIntValue(size).has_value();
  });
  if (isStatic && llvm::all_of(sizes, [](OpFoldResult size) {
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
  if (!isStatic) {
    Value zero = buildIndex(b, loc, 0);
    Value some =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, total, zero);
    auto guardIf = scf::IfOp::create(b, loc, some, /*withElseRegion=*/false);
    b.setInsertionPointToStart(guardIf.thenBlock());
  }
  Value linear = buildLinearLaunch(b, loc, total);
  Value inside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, linear, total);
  auto insideIf = scf::IfOp::create(b, loc, inside, /*withElseRegion=*/false);
  b.setInsertionPointToStart(insideIf.thenBlock());
  body(b, buildDelinearized(b, loc, linear, sizes));
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

static SmallVector<Value> buildAccess(OpBuilder &b, Location loc, AffineMap map,
                                      ValueRange indices) {
  auto access = affine::expandAffineMap(b, loc, map, indices);
  assert(access && "maps of structured ops have no symbols");
  return SmallVector<Value>(access->begin(), access->end());
}

/// Whether each point of the parallel dimensions owns one element of each
/// result, so that its accumulator can live in a register.
static bool ownsItsResults(linalg::LinalgOp op) {
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

/// Inlines the body of `op` for the point `indices`. `accumulators` replace
/// what the results hold so far; returns what the body yields.
static SmallVector<Value> buildBody(OpBuilder &b, linalg::LinalgOp op,
                                    ValueRange indices,
                                    ValueRange accumulators) {
  Location loc = op.getLoc();
  Block *body = op.getBlock();
  IRMapping mapping;
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (argument.use_empty())
      continue;
    Value value = input->get();
    if (isa<MemRefType>(value.getType()))
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
  SmallVector<Value> results;
  for (Value yielded : body->getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(yielded));
  return results;
}

/// What the results hold at `indices`; null where nobody asks.
static SmallVector<Value> buildInitLoads(OpBuilder &b, linalg::LinalgOp op,
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

static void buildResultStores(OpBuilder &b, linalg::LinalgOp op,
                              ValueRange values, ValueRange indices) {
  for (auto [init, value] : llvm::zip_equal(op.getDpsInitsMutable(), values))
    memref::StoreOp::create(
        b, op.getLoc(), value, init.get(),
        buildAccess(b, op.getLoc(), op.getMatchingIndexingMap(&init), indices));
}

/// Nested loops over `dims` of `sizes`, outermost first, that carry `values`;
/// `indices` gets their induction variables. Returns the last values.
static SmallVector<Value>
buildLoops(OpBuilder &b, Location loc, ArrayRef<unsigned> dims,
           ArrayRef<OpFoldResult> sizes, MutableArrayRef<Value> indices,
           ValueRange values,
           function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> body) {
  if (dims.empty())
    return body(b, values);
  Value lower = buildIndex(b, loc, 0), step = buildIndex(b, loc, 1);
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

void mlir::rng::buildKernel(OpBuilder &b, linalg::LinalgOp op) {
  if (buildGroupedKernel(b, op))
    return;
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes;
  for (Range range : op.createLoopRanges(b, loc))
    sizes.push_back(range.size);
  SmallVector<unsigned> parallel, others;
  SmallVector<OpFoldResult> parallelSizes;
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (unsigned dim = 0; dim < sizes.size(); ++dim) {
    if (kinds[dim] == utils::IteratorType::parallel) {
      parallel.push_back(dim);
      parallelSizes.push_back(sizes[dim]);
    } else {
      others.push_back(dim);
    }
  }
  SmallVector<Value> indices(sizes.size());

  if (!ownsItsResults(op)) {
    // Several points meet in one element: in order, in one thread.
    SmallVector<unsigned> all =
        llvm::to_vector(llvm::seq<unsigned>(0, sizes.size()));
    buildSingle(b, loc, [&](OpBuilder &b) {
      buildLoops(b, loc, all, sizes, indices, {},
                 [&](OpBuilder &b, ValueRange) -> SmallVector<Value> {
                   SmallVector<Value> old =
                       buildInitLoads(b, op, indices, /*all=*/false);
                   buildResultStores(b, op, buildBody(b, op, indices, old),
                                     indices);
                   return {};
                 });
    });
    return;
  }

  buildParallel(
      b, loc, parallelSizes, [&](OpBuilder &b, ValueRange parallelIndices) {
        for (auto [dim, index] : llvm::zip_equal(parallel, parallelIndices))
          indices[dim] = index;
        if (others.empty()) {
          SmallVector<Value> old =
              buildInitLoads(b, op, indices, /*all=*/false);
          buildResultStores(b, op, buildBody(b, op, indices, old), indices);
          return;
        }
        // The results' maps do not use the reduction dimensions: any valid
        // index stands for them.
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
      });
}

//===----------------------------------------------------------------------===//
// Copies and single elements
//===----------------------------------------------------------------------===//

void mlir::rng::buildCopyKernel(OpBuilder &b, Location loc, Value source,
                                Value target) {
  if (buildGroupedCopy(b, loc, source, target))
    return;
  buildParallel(b, loc, memref::getMixedSizes(b, loc, source),
                [&](OpBuilder &b, ValueRange indices) {
                  Value value = memref::LoadOp::create(b, loc, source, indices);
                  memref::StoreOp::create(b, loc, value, target, indices);
                });
}

void mlir::rng::buildStoreKernel(OpBuilder &b, Location loc, Value value,
                                 Value target, ValueRange indices) {
  buildSingle(b, loc, [&](OpBuilder &b) {
    memref::StoreOp::create(b, loc, value, target, indices);
  });
}

Value mlir::rng::buildDeviceAlloc(OpBuilder &b, Location loc, MemRefType type,
                                  ValueRange sizes) {
  return gpu::AllocOp::create(b, loc, type, /*asyncToken=*/Type(),
                              /*asyncDependencies=*/ValueRange(), sizes,
                              /*symbolOperands=*/ValueRange())
      .getMemref();
}

void mlir::rng::buildTransfer(OpBuilder &b, Location loc, Value target,
                              Value source) {
  gpu::MemcpyOp::create(b, loc, /*asyncToken=*/Type(),
                        /*asyncDependencies=*/ValueRange(), target, source);
}

SmallVector<Value> mlir::rng::buildDynamicSizes(OpBuilder &b, Location loc,
                                                Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(b, loc, buffer, dim));
  return sizes;
}

Value mlir::rng::buildLoad(OpBuilder &b, Location loc, Value source,
                           ValueRange indices) {
  auto type =
      MemRefType::get({}, cast<MemRefType>(source.getType()).getElementType());
  Value device = buildDeviceAlloc(b, loc, type, {});
  buildSingle(b, loc, [&](OpBuilder &b) {
    Value value = memref::LoadOp::create(b, loc, source, indices);
    memref::StoreOp::create(b, loc, value, device, ValueRange());
  });
  Value host = memref::AllocOp::create(b, loc, type);
  buildTransfer(b, loc, host, device);
  return memref::LoadOp::create(b, loc, host);
}
