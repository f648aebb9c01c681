//===- RowThreadGroups.cpp - Groups of elements of a row --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowThreadGroups.h"
#include "KernelBuilders.h"
#include "RngDialect/Conversion/RngToArith/EmitDraw.h"
#include "RngDialect/Conversion/Structured/OperandAccess.h"
#include "RngDialect/Conversion/Structured/StructuredBodies.h"
#include "RngDialect/Conversion/Structured/UniformValues.h"
#include "RngDialect/Transforms/Support/Reasons.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::structured;
using namespace mlir::rng::kernels;

//===----------------------------------------------------------------------===//
// What fits
//===----------------------------------------------------------------------===//

/// The ops of the body of `op`, other than draws, whose results are the same
/// for all points: the offset of a draw from a snapshot.
static SmallVector<Operation *> findUniformOps(linalg::LinalgOp op,
                                               const UniformValues &uniform) {
  SmallVector<Operation *> ops;
  for (Operation &inner : op.getBlock()->without_terminator())
    if (inner.getNumResults() != 0 && !isa<StatelessDrawOpInterface>(inner) &&
        uniform.containsAll(inner.getResults()))
      ops.push_back(&inner);
  return ops;
}

/// Whether the indices that `draw`, in the body of `op`, is at differ between
/// neighbours of the innermost loop by their last one alone, which is the index
/// of that loop, and nothing else that it takes differs.
static bool isAlongInnermost(linalg::LinalgOp op, StatelessDrawOpInterface draw,
                             const UniformValues &uniform) {
  Block *body = op.getBlock();
  unsigned innermost = op.getNumLoops() - 1;
  if (draw->getBlock() != body || !draw.hasSlice() ||
      isa<ShapedType>(draw.getDrawType()) ||
      !uniform.contains(draw.getDrawSeed()) ||
      isa<ShapedType>(draw.getDrawSeed().getType()) ||
      !uniform.contains(draw.getDrawOffset()) ||
      !uniform.containsAll(draw.getDrawParams()) ||
      llvm::any_of(draw.getMixedSliceSizes(), [&](OpFoldResult extent) {
        auto value = dyn_cast<Value>(extent);
        return value && value.getParentBlock() == body;
      }))
    return false;
  auto isIndex = [&](OpFoldResult offset, bool ofInnermost) {
    auto value = dyn_cast<Value>(offset);
    auto index = value ? value.getDefiningOp<linalg::IndexOp>() : nullptr;
    return index && (index.getDim() == innermost) == ofInnermost;
  };
  SmallVector<OpFoldResult> offsets = draw.getMixedSliceOffsets();
  return !offsets.empty() && isIndex(offsets.back(), true) &&
         llvm::all_of(ArrayRef(offsets).drop_back(), [&](OpFoldResult offset) {
           auto value = dyn_cast<Value>(offset);
           return !value || uniform.contains(value) || isIndex(offset, false);
         });
}

/// The bytes of an element of `operand` if `op` walks through it, element by
/// element, in its innermost loop; 0 if not.
static int64_t getWalkedBytes(linalg::LinalgOp op, OpOperand *operand) {
  auto type = dyn_cast<MemRefType>(operand->get().getType());
  AffineMap map = op.getMatchingIndexingMap(operand);
  unsigned innermost = op.getNumLoops() - 1;
  if (!type || map.getNumResults() == 0 ||
      map.getResults().back() !=
          getAffineDimExpr(innermost, op->getContext()) ||
      llvm::any_of(map.getResults().drop_back(), [&](AffineExpr result) {
        return result.isFunctionOfDim(innermost);
      }))
    return 0;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      strides.back() != 1 || !type.getElementType().isIntOrFloat())
    return 0;
  switch (type.getElementTypeBitWidth()) {
  case 8:
  case 16:
  case 32:
  case 64:
    return type.getElementTypeBitWidth() / 8;
  default:
    return 0;
  }
}

static bool isAccessed(linalg::LinalgOp op, OpOperand *operand) {
  return op.isDpsInit(operand) ||
         !op.getMatchingBlockArgument(operand).use_empty();
}

/// Says why the elements of a row of `op` are not done in groups, and returns
/// 1, the number of elements that a thread does then.
static int64_t refuseGroups(linalg::LinalgOp op, StringRef why) {
  reportMissed(op, "convert-rng-to-gpu", "RowNotGrouped", why);
  return 1;
}

/// How many values of `draw` a stream block yields.
static int64_t getValuesPerBlock(StatelessDrawOpInterface draw) {
  return draw.getDrawAlgorithm().getValuesPerBlock(draw.getDistribution(),
                                                   draw.getDrawType());
}

/// How many neighbours share stream blocks of the `draws` in the body of `op`;
/// 1 if groups cannot.
static int64_t findDrawGroupSize(linalg::LinalgOp op,
                                 ArrayRef<StatelessDrawOpInterface> draws,
                                 const UniformValues &uniform) {
  int64_t size = 1;
  for (StatelessDrawOpInterface draw : draws) {
    if (!isAlongInnermost(op, draw, uniform))
      return refuseGroups(op, "a draw is not along the row at one state");
    size = std::max(size, getValuesPerBlock(draw));
  }
  for (StatelessDrawOpInterface draw : draws) {
    std::optional<int64_t> extent =
        getConstantIntValue(draw.getMixedSliceSizes().back());
    if (extent && *extent % size != 0)
      return refuseGroups(op, "rows of a draw do not start where its stream "
                              "blocks do");
    if (size % getValuesPerBlock(draw) != 0)
      return refuseGroups(op, "stream blocks of two draws do not fit together");
  }
  return size;
}

/// How many neighbours make a group; 1 if they cannot.
static int64_t findGroupSize(linalg::LinalgOp op,
                             const UniformValues &uniform) {
  // Reductions have kernels of their own.
  if (op.getNumLoops() == 0 || op.getNumParallelLoops() != op.getNumLoops())
    return 1;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (!llvm::all_of(ArrayRef(sizes).drop_back(),
                    [](int64_t size) { return size == 1; }))
    return refuseGroups(op, "it is of several rows");
  SmallVector<StatelessDrawOpInterface> draws;
  op.getBlock()->walk(
      [&](StatelessDrawOpInterface draw) { draws.push_back(draw); });
  if (!draws.empty())
    return findDrawGroupSize(op, draws, uniform);
  int64_t widest = 0;
  for (OpOperand &operand : op->getOpOperands())
    if (isAccessed(op, &operand))
      widest = std::max(widest, getWalkedBytes(op, &operand));
  if (widest == 0)
    return refuseGroups(op, "no operand is contiguous along the row");
  return kAccessBytes / widest;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {
class RowGroupBuilder {
public:
  RowGroupBuilder(linalg::LinalgOp op, int64_t size,
                  const UniformValues &uniform)
      : op(op), loc(op.getLoc()), size(size), uniform(uniform) {}

  /// Whether each group of a row starts where stream blocks do, and where
  /// memory may be accessed at once.
  Value buildFits(OpBuilder &b);

  /// The group that starts at `indices`.
  void build(OpBuilder &b, SmallVector<Value> indices);

private:
  VectorType getVectorType(OpOperand *operand) const;
  SmallVector<Value> buildLoads(OpBuilder &b, OpOperand *operand,
                                ArrayRef<SmallVector<Value>> positions);
  SmallVector<IRMapping> buildDraws(OpBuilder &b, ValueRange indices);

  linalg::LinalgOp op;
  Location loc;
  int64_t size;
  const UniformValues &uniform;
};
} // namespace

/// The access to a group of `operand`, null if each element has its own.
VectorType RowGroupBuilder::getVectorType(OpOperand *operand) const {
  int64_t bytes = getWalkedBytes(op, operand);
  if (bytes == 0 || bytes * size > kAccessBytes)
    return nullptr;
  return VectorType::get(
      size, cast<MemRefType>(operand->get().getType()).getElementType());
}

Value RowGroupBuilder::buildFits(OpBuilder &b) {
  Value zero = buildIndex(b, loc, 0);
  Value rests = zero;
  auto add = [&](Value value, int64_t multiple) {
    Value rest = b.createOrFold<arith::AndIOp>(
        loc, value, buildIndex(b, loc, multiple - 1));
    rests = b.createOrFold<arith::OrIOp>(loc, rests, rest);
  };
  op.getBlock()->walk([&](StatelessDrawOpInterface draw) {
    OpFoldResult extent = draw.getMixedSliceSizes().back();
    if (!getConstantIntValue(extent))
      add(cast<Value>(extent), size);
  });
  for (OpOperand &operand : op->getOpOperands()) {
    VectorType type = getVectorType(&operand);
    Value buffer = operand.get();
    // Memory of the row itself is aligned.
    if (!type || !isAccessed(op, &operand) ||
        isa_and_nonnull<memref::MemorySpaceCastOp, memref::ViewOp>(
            buffer.getDefiningOp()))
      continue;
    int64_t bytes = type.getElementTypeBitWidth() / 8;
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
    Value offset =
        memref::ExtractStridedMetadataOp::create(b, loc, buffer).getOffset();
    offset = arith::MulIOp::create(b, loc, offset, buildIndex(b, loc, bytes));
    add(arith::AddIOp::create(b, loc, address, offset), bytes * size);
  }
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rests, zero);
}

/// Of each position, the element of `operand`.
SmallVector<Value>
RowGroupBuilder::buildLoads(OpBuilder &b, OpOperand *operand,
                            ArrayRef<SmallVector<Value>> positions) {
  Value buffer = operand->get();
  if (!isa<MemRefType>(buffer.getType()))
    return SmallVector<Value>(size, buffer);
  AffineMap map = op.getMatchingIndexingMap(operand);
  SmallVector<Value> values;
  if (VectorType type = getVectorType(operand)) {
    Value loaded = vector::LoadOp::create(
        b, loc, type, buffer, buildAccess(b, loc, map, positions.front()),
        /*nontemporal=*/false,
        llvm::MaybeAlign(size * type.getElementTypeBitWidth() / 8));
    for (int64_t lane = 0; lane < size; ++lane)
      values.push_back(vector::ExtractOp::create(b, loc, loaded, lane));
    return values;
  }
  for (ArrayRef<Value> position : positions)
    values.push_back(memref::LoadOp::create(
        b, loc, buffer, buildAccess(b, loc, map, position)));
  return values;
}

/// Of each lane, the draws of the body and what is common to all.
SmallVector<IRMapping> RowGroupBuilder::buildDraws(OpBuilder &b,
                                                   ValueRange indices) {
  IRMapping shared;
  SmallVector<Value> zeros(op.getNumLoops(), buildIndex(b, loc, 0));
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (argument.use_empty() || !uniform.contains(argument))
      continue;
    Value value = input->get();
    if (isa<MemRefType>(value.getType()))
      value = memref::LoadOp::create(
          b, loc, value,
          buildAccess(b, loc, op.getMatchingIndexingMap(input), zeros));
    shared.map(argument, value);
  }
  for (Operation *inner : findUniformOps(op, uniform))
    b.clone(*inner, shared);
  SmallVector<IRMapping> known(size, shared);
  op.getBlock()->walk([&](StatelessDrawOpInterface draw) {
    Value first = buildIndex(b, loc, 0);
    for (auto [offset, extent] : llvm::zip_equal(draw.getMixedSliceOffsets(),
                                                 draw.getMixedSliceSizes())) {
      Value position = shared.lookupOrDefault(
          getValueOrCreateConstantIndexOp(b, loc, offset));
      if (auto index = position.getDefiningOp<linalg::IndexOp>())
        position = indices[index.getDim()];
      first = b.createOrFold<arith::MulIOp>(
          loc, first,
          shared.lookupOrDefault(
              getValueOrCreateConstantIndexOp(b, loc, extent)));
      first = b.createOrFold<arith::AddIOp>(loc, first, position);
    }
    ImplicitLocOpBuilder builder(draw.getLoc(), b);
    DrawSource source = {draw.getDrawAlgorithm(), draw.getDistribution(),
                         shared.lookupOrDefault(draw.getDrawSeed()),
                         shared.lookupOrDefault(draw.getDrawOffset())};
    auto getParams = [&](unsigned) {
      return llvm::map_to_vector(draw.getDrawParams(), [&](Value param) {
        return shared.lookupOrDefault(param);
      });
    };
    SmallVector<Value> values = emitDrawLanes(
        builder, source, draw.getDrawType(), getParams, first, size);
    for (auto [lane, value] : llvm::zip_equal(known, values))
      lane.map(draw->getResult(0), value);
  });
  return known;
}

void RowGroupBuilder::build(OpBuilder &b, SmallVector<Value> indices) {
  SmallVector<SmallVector<Value>> positions(size, indices);
  for (int64_t lane = 1; lane < size; ++lane)
    positions[lane].back() =
        arith::AddIOp::create(b, loc, indices.back(), buildIndex(b, loc, lane));
  // All is read before anything is written.
  SmallVector<SmallVector<Value>> inputs(size), olds(size), results;
  auto addLoads = [&](OpOperand *operand,
                      MutableArrayRef<SmallVector<Value>> lanes) {
    SmallVector<Value> values(size);
    if (!op.getMatchingBlockArgument(operand).use_empty())
      values = buildLoads(b, operand, positions);
    for (auto [lane, value] : llvm::zip_equal(lanes, values))
      lane.push_back(value);
  };
  for (OpOperand *input : op.getDpsInputOperands())
    addLoads(input, inputs);
  for (OpOperand &init : op.getDpsInitsMutable())
    addLoads(&init, olds);
  SmallVector<IRMapping> known = buildDraws(b, indices);
  for (int64_t lane = 0; lane < size; ++lane)
    results.push_back(buildBody(b, op, positions[lane], olds[lane],
                                inputs[lane], known[lane]));
  for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (VectorType type = getVectorType(&init)) {
      SmallVector<Value> elements = llvm::map_to_vector(
          results, [&](ArrayRef<Value> values) { return values[i]; });
      Value stored = vector::FromElementsOp::create(b, loc, type, elements);
      vector::StoreOp::create(
          b, loc, stored, init.get(),
          buildAccess(b, loc, map, positions.front()),
          /*nontemporal=*/false,
          llvm::MaybeAlign(size * type.getElementTypeBitWidth() / 8));
      continue;
    }
    for (auto [position, values] : llvm::zip_equal(positions, results))
      memref::StoreOp::create(b, loc, values[i], init.get(),
                              buildAccess(b, loc, map, position));
  }
}

bool kernels::buildRowGroups(OpBuilder &b, linalg::LinalgOp op,
                             ArrayRef<OpFoldResult> sizes, Value thread,
                             int64_t numThreads) {
  UniformValues uniform(op, UniformLoads::Included);
  int64_t size = findGroupSize(op, uniform);
  std::optional<int64_t> extent =
      getConstantIntValue(sizes.empty() ? OpFoldResult() : sizes.back());
  if (size == 1 || (extent && *extent < size))
    return false;
  Location loc = op.getLoc();
  RowGroupBuilder group(op, size, uniform);
  Value zero = buildIndex(b, loc, 0);
  Value length = buildIndex(b, loc, size);
  Value threads = buildIndex(b, loc, numThreads);
  Value total = getValueOrCreateConstantIndexOp(b, loc, sizes.back());
  Value groups = b.createOrFold<arith::DivUIOp>(loc, total, length);
  groups =
      b.createOrFold<arith::SelectOp>(loc, group.buildFits(b), groups, zero);
  SmallVector<Value> indices(sizes.size(), zero);
  auto main = scf::ForOp::create(b, loc, thread, groups, threads);
  {
    OpBuilder inner(main.getBody()->getTerminator());
    indices.back() =
        arith::MulIOp::create(inner, loc, main.getInductionVar(), length);
    group.build(inner, indices);
  }
  Value done = b.createOrFold<arith::MulIOp>(loc, groups, length);
  Value first = arith::AddIOp::create(b, loc, done, thread);
  auto rest = scf::ForOp::create(b, loc, first, total, threads);
  OpBuilder inner(rest.getBody()->getTerminator());
  indices.back() = rest.getInductionVar();
  buildPoint(inner, op, sizes, indices);
  return true;
}
