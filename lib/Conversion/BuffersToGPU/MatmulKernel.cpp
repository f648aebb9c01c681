//===- MatmulKernel.cpp - Contractions by tiles -----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilders.h"
#include "RngDialect/Conversion/Structured/StructuredBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::structured;
using namespace mlir::rng::kernels;

/// Rows and columns of a tile.
static constexpr int64_t kTile = 16;

/// Columns of memory for one: threads of a column then use different banks.
static constexpr int64_t kTileStride = kTile + 1;

namespace {
/// The loops of a contraction that are tiled, and the others.
struct Contraction {
  unsigned row, column, depth;
  SmallVector<unsigned> otherParallel, otherReductions;
};

/// Builds the kernel's body.
class MatmulBuilder {
public:
  MatmulBuilder(linalg::LinalgOp op, const Contraction &loops,
                ArrayRef<OpFoldResult> sizes, gpu::LaunchOp launch)
      : op(op), loc(op.getLoc()), loops(loops), sizes(sizes),
        x(launch.getThreadIds().x), y(launch.getThreadIds().y),
        indices(sizes.size()) {
    for (unsigned i = 0; i < 2; ++i) {
      Type element = getElementTypeOrSelf(op->getOperand(i).getType());
      tiles[i] = launch.addWorkgroupAttribution(
          getWorkgroupType({kTile, kTileStride}, element), loc);
    }
  }

  /// `block`: the other parallel loops, then tiles of rows and of columns.
  void build(OpBuilder &b, ValueRange block);

private:
  Value getSize(OpBuilder &b, unsigned dim) {
    return getValueOrCreateConstantIndexOp(b, loc, sizes[dim]);
  }

  Value buildIsInside(OpBuilder &b, unsigned dim, Value index) {
    return buildLess(b, loc, index, getSize(b, dim));
  }

  Value buildTiles(OpBuilder &b, Value sum);
  Value buildTile(OpBuilder &b, Value start, Value count, Value sum);
  void loadTile(OpBuilder &b, unsigned input, unsigned dim, Value first,
                Value start);

  linalg::LinalgOp op;
  Location loc;
  const Contraction &loops;
  ArrayRef<OpFoldResult> sizes;
  Value x, y;
  SmallVector<Value> indices;
  /// Of the left input by row and depth, of the right one by depth and column.
  Value tiles[2];
  Value firstRow, firstColumn;
};
} // namespace

/// Whether the body may also be computed where there are no elements.
static bool hasHarmlessBody(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(),
                      [](Operation &inner) {
                        return isPure(&inner) && inner.getNumRegions() == 0;
                      });
}

static std::optional<Contraction> matchContraction(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !hasHarmlessBody(op))
    return std::nullopt;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type || !type.getElementType().isIntOrIndexOrFloat() ||
        !op.getMatchingIndexingMap(&operand).isProjectedPermutation())
      return std::nullopt;
  }
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.empty() || dims->n.empty() || dims->k.empty() ||
      dims->batch.size() + dims->m.size() + dims->n.size() + dims->k.size() !=
          op.getNumLoops())
    return std::nullopt;
  // The innermost ones: reductions keep their order.
  Contraction loops{*llvm::max_element(dims->m),
                    *llvm::max_element(dims->n),
                    *llvm::max_element(dims->k),
                    {},
                    {}};
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  // A tile would be one line.
  if (sizes[loops.row] == 1 || sizes[loops.column] == 1)
    return std::nullopt;
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (dim == loops.row || dim == loops.column || dim == loops.depth)
      continue;
    (kind == utils::IteratorType::parallel ? loops.otherParallel
                                           : loops.otherReductions)
        .push_back(dim);
  }
  return loops;
}

/// The tile of `input` that begins at `first` of its loop `dim` and at `start`
/// of the depth. Neighbouring threads load neighbours, if one of the two loops
/// walks through them.
void MatmulBuilder::loadTile(OpBuilder &b, unsigned input, unsigned dim,
                             Value first, Value start) {
  OpOperand *operand = op.getDpsInputOperand(input);
  AffineMap map = op.getMatchingIndexingMap(operand);
  bool alongDepth = map.getResults().back() == b.getAffineDimExpr(loops.depth);
  Value inDepth = alongDepth ? x : y, inDim = alongDepth ? y : x;
  SmallVector<Value> at = indices;
  at[dim] = arith::AddIOp::create(b, loc, first, inDim);
  at[loops.depth] = arith::AddIOp::create(b, loc, start, inDepth);
  Value inside =
      arith::AndIOp::create(b, loc, buildIsInside(b, dim, at[dim]),
                            buildIsInside(b, loops.depth, at[loops.depth]));
  auto branch = scf::IfOp::create(
      b, loc, inside,
      [&](OpBuilder &b, Location) {
        Value value = memref::LoadOp::create(b, loc, operand->get(),
                                             buildAccess(b, loc, map, at));
        scf::YieldOp::create(b, loc, value);
      },
      [&](OpBuilder &b, Location) {
        Type type = getElementTypeOrSelf(operand->get().getType());
        Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
        scf::YieldOp::create(b, loc, zero);
      });
  bool isLeft = input == 0;
  memref::StoreOp::create(b, loc, branch.getResult(0), tiles[input],
                          isLeft ? ValueRange({inDim, inDepth})
                                 : ValueRange({inDepth, inDim}));
}

/// Adds `count` values, from `start` of the depth on, to `sum`.
Value MatmulBuilder::buildTile(OpBuilder &b, Value start, Value count,
                               Value sum) {
  loadTile(b, 0, loops.row, firstRow, start);
  loadTile(b, 1, loops.column, firstColumn, start);
  gpu::BarrierOp::create(b, loc);
  auto loop = scf::ForOp::create(
      b, loc, buildIndex(b, loc, 0), count, buildIndex(b, loc, 1), sum,
      [&](OpBuilder &b, Location, Value step, ValueRange carried) {
        Value left =
            memref::LoadOp::create(b, loc, tiles[0], ValueRange({y, step}));
        Value right =
            memref::LoadOp::create(b, loc, tiles[1], ValueRange({step, x}));
        indices[loops.depth] = arith::AddIOp::create(b, loc, start, step);
        scf::YieldOp::create(b, loc,
                             buildBody(b, op, indices, carried, {left, right}));
      });
  gpu::BarrierOp::create(b, loc);
  return loop.getResult(0);
}

/// Adds all values of the depth to `sum`.
Value MatmulBuilder::buildTiles(OpBuilder &b, Value sum) {
  Value depth = getSize(b, loops.depth);
  Value tile = buildIndex(b, loc, kTile);
  Value rest = b.createOrFold<arith::RemUIOp>(loc, depth, tile);
  Value whole = b.createOrFold<arith::SubIOp>(loc, depth, rest);
  auto loop = scf::ForOp::create(
      b, loc, buildIndex(b, loc, 0), whole, tile, sum,
      [&](OpBuilder &b, Location, Value start, ValueRange carried) {
        scf::YieldOp::create(b, loc,
                             buildTile(b, start, tile, carried.front()));
      });
  sum = loop.getResult(0);
  if (isConstantIntValue(rest, 0))
    return sum;
  return buildTile(b, whole, rest, sum);
}

void MatmulBuilder::build(OpBuilder &b, ValueRange block) {
  for (auto [dim, index] :
       llvm::zip_equal(loops.otherParallel, block.drop_back(2)))
    indices[dim] = index;
  Value tile = buildIndex(b, loc, kTile);
  firstRow = arith::MulIOp::create(b, loc, block[block.size() - 2], tile);
  firstColumn = arith::MulIOp::create(b, loc, block.back(), tile);
  indices[loops.row] = arith::AddIOp::create(b, loc, firstRow, y);
  indices[loops.column] = arith::AddIOp::create(b, loc, firstColumn, x);
  Value inside = arith::AndIOp::create(
      b, loc, buildIsInside(b, loops.row, indices[loops.row]),
      buildIsInside(b, loops.column, indices[loops.column]));
  // The result's map does not use the reduction loops: any valid index stands
  // for them.
  SmallVector<Value> result = indices;
  for (unsigned dim : loops.otherReductions)
    result[dim] = buildIndex(b, loc, 0);
  result[loops.depth] = buildIndex(b, loc, 0);
  auto init = scf::IfOp::create(
      b, loc, inside,
      [&](OpBuilder &b, Location) {
        scf::YieldOp::create(b, loc,
                             buildInitLoads(b, op, result, /*all=*/true));
      },
      [&](OpBuilder &b, Location) {
        Type type =
            getElementTypeOrSelf(op.getDpsInitOperand(0)->get().getType());
        Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
        scf::YieldOp::create(b, loc, zero);
      });
  SmallVector<Value> sum = buildLoops(
      b, loc, loops.otherReductions, sizes, indices, init.getResults(),
      [&](OpBuilder &b, ValueRange carried) -> SmallVector<Value> {
        return {buildTiles(b, carried.front())};
      });
  buildIf(b, loc, inside,
          [&](OpBuilder &b) { buildResultStores(b, op, sum, result); });
}

bool kernels::buildMatmulKernel(OpBuilder &b, linalg::LinalgOp op) {
  std::optional<Contraction> loops = matchContraction(op);
  if (!loops)
    return false;
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = buildLoopSizes(b, op);
  SmallVector<OpFoldResult> blocks;
  for (unsigned dim : loops->otherParallel)
    blocks.push_back(sizes[dim]);
  for (unsigned dim : {loops->row, loops->column}) {
    Value size = getValueOrCreateConstantIndexOp(b, loc, sizes[dim]);
    Value up =
        b.createOrFold<arith::AddIOp>(loc, size, buildIndex(b, loc, kTile - 1));
    blocks.push_back(getAsOpFoldResult(
        b.createOrFold<arith::DivUIOp>(loc, up, buildIndex(b, loc, kTile))));
  }
  buildBlocks(b, loc, blocks, {kTile, kTile},
              [&](OpBuilder &b, gpu::LaunchOp launch, ValueRange block) {
                MatmulBuilder(op, *loops, sizes, launch).build(b, block);
              });
  return true;
}
