//===- RowGroups.cpp - Several elements of a row a thread *- C++ ===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowGroups.h"
#include "Kernels.h"
#include "RngDialect/Conversion/RngToArith/EmitDraw.h"
#include "RngDialect/Conversion/Structured/StructuredBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::rng;

/// The widest access of a thread, in bytes.
static constexpr int64_t kAccessBytes = 16;

static Value buildIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

//===----------------------------------------------------------------------===//
// What fits
//===----------------------------------------------------------------------===//

/// Whether `value`, which the body of `op` uses, is not of the body, or an
/// input that is the same for all points: a scalar, or a word of a snapshot.
static bool isCommonInput(linalg::LinalgOp op, Value value) {
  if (value.getParentBlock() != op.getBlock())
    return true;
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getArgNumber() >= op.getNumDpsInputs())
    return false;
  OpOperand *operand = op.getDpsInputOperand(argument.getArgNumber());
  return !isa<MemRefType>(operand->get().getType()) ||
         llvm::all_of(op.getMatchingIndexingMap(operand).getResults(),
                      llvm::IsaPred<AffineConstantExpr>);
}

/// The ops of the body of `op` whose results are the same for all points: the
/// offset of a draw from a snapshot.
static llvm::SetVector<Operation *> findCommonOps(linalg::LinalgOp op) {
  llvm::SetVector<Operation *> common;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    bool isCommon =
        inner.getNumResults() != 0 && inner.getNumRegions() == 0 &&
        !isa<linalg::IndexOp, StatelessDrawOpInterface>(inner) &&
        (isa<memref::LoadOp>(inner) || isMemoryEffectFree(&inner)) &&
        llvm::all_of(inner.getOperands(), [&](Value value) {
          return isCommonInput(op, value) ||
                 common.contains(value.getDefiningOp());
        });
    if (isCommon)
      common.insert(&inner);
  }
  return common;
}

/// Whether the indices that `draw`, in the body of `op`, is at differ between
/// neighbours of the innermost loop by their last one alone, which is the index
/// of that loop, and nothing else that it takes differs.
static bool isAlongInnermost(linalg::LinalgOp op, StatelessDrawOpInterface draw,
                             const llvm::SetVector<Operation *> &common) {
  Block *body = op.getBlock();
  unsigned innermost = op.getNumLoops() - 1;
  auto isOutside = [&](Value value) {
    return isCommonInput(op, value) || common.contains(value.getDefiningOp());
  };
  if (draw->getBlock() != body || !draw.hasSlice() ||
      isa<ShapedType>(draw.getDrawType()) || !isOutside(draw.getDrawSeed()) ||
      isa<ShapedType>(draw.getDrawSeed().getType()) ||
      !isOutside(draw.getDrawOffset()) ||
      !llvm::all_of(draw.getDrawParams(), isOutside) ||
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
           return !value || isOutside(value) || isIndex(offset, false);
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

/// How many neighbours make a group; 1 if they cannot.
static int64_t findGroupSize(linalg::LinalgOp op) {
  if (op.getNumLoops() == 0 || op.getNumParallelLoops() != op.getNumLoops())
    return 1;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (!llvm::all_of(ArrayRef(sizes).drop_back(),
                    [](int64_t size) { return size == 1; }))
    return 1;
  llvm::SetVector<Operation *> common = findCommonOps(op);
  int64_t size = 1;
  bool fits = true;
  SmallVector<StatelessDrawOpInterface> draws;
  op.getBlock()->walk([&](StatelessDrawOpInterface draw) {
    draws.push_back(draw);
    fits = fits && isAlongInnermost(op, draw, common);
    if (fits)
      size = std::max<int64_t>(size,
                               draw.getDrawAlgorithm().getValuesPerBlock(
                                   draw.getDistribution(), draw.getDrawType()));
  });
  if (!fits)
    return 1;
  for (StatelessDrawOpInterface draw : draws) {
    std::optional<int64_t> extent =
        getConstantIntValue(draw.getMixedSliceSizes().back());
    if ((extent && *extent % size != 0) ||
        size % draw.getDrawAlgorithm().getValuesPerBlock(draw.getDistribution(),
                                                         draw.getDrawType()) !=
            0)
      return 1;
  }
  if (!draws.empty())
    return size;
  int64_t widest = 0;
  for (OpOperand &operand : op->getOpOperands())
    if (isAccessed(op, &operand))
      widest = std::max(widest, getWalkedBytes(op, &operand));
  return widest == 0 ? 1 : kAccessBytes / widest;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {
class RowGroupBuilder {
public:
  RowGroupBuilder(linalg::LinalgOp op, int64_t size)
      : op(op), loc(op.getLoc()), size(size) {}

  /// Whether each group of a row starts where blocks of draws do, and where
  /// memory may be accessed at once.
  Value buildFits(OpBuilder &b);

  /// The group that starts at `indices`.
  void build(OpBuilder &b, SmallVector<Value> indices);

private:
  VectorType getVectorType(OpOperand *operand) const;
  SmallVector<Value> buildLoads(OpBuilder &b, OpOperand *operand,
                                ArrayRef<SmallVector<Value>> places);
  SmallVector<IRMapping> buildDraws(OpBuilder &b, ValueRange indices);

  linalg::LinalgOp op;
  Location loc;
  int64_t size;
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

/// Of each place, the element of `operand`.
SmallVector<Value>
RowGroupBuilder::buildLoads(OpBuilder &b, OpOperand *operand,
                            ArrayRef<SmallVector<Value>> places) {
  Value buffer = operand->get();
  if (!isa<MemRefType>(buffer.getType()))
    return SmallVector<Value>(size, buffer);
  AffineMap map = op.getMatchingIndexingMap(operand);
  SmallVector<Value> values;
  if (VectorType type = getVectorType(operand)) {
    Value loaded = vector::LoadOp::create(
        b, loc, type, buffer, buildAccess(b, loc, map, places.front()),
        /*nontemporal=*/false,
        llvm::MaybeAlign(size * type.getElementTypeBitWidth() / 8));
    for (int64_t lane = 0; lane < size; ++lane)
      values.push_back(vector::ExtractOp::create(b, loc, loaded, lane));
    return values;
  }
  for (ArrayRef<Value> place : places)
    values.push_back(memref::LoadOp::create(b, loc, buffer,
                                            buildAccess(b, loc, map, place)));
  return values;
}

/// Of each lane, the draws of the body and what is common to all.
SmallVector<IRMapping> RowGroupBuilder::buildDraws(OpBuilder &b,
                                                   ValueRange indices) {
  IRMapping shared;
  SmallVector<Value> zeros(op.getNumLoops(), buildIndex(b, loc, 0));
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (argument.use_empty() || !isCommonInput(op, argument))
      continue;
    Value value = input->get();
    if (isa<MemRefType>(value.getType()))
      value = memref::LoadOp::create(
          b, loc, value,
          buildAccess(b, loc, op.getMatchingIndexingMap(input), zeros));
    shared.map(argument, value);
  }
  for (Operation *inner : findCommonOps(op))
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
  SmallVector<SmallVector<Value>> places(size, indices);
  for (int64_t lane = 1; lane < size; ++lane)
    places[lane].back() =
        arith::AddIOp::create(b, loc, indices.back(), buildIndex(b, loc, lane));
  // All is read before anything is written.
  SmallVector<SmallVector<Value>> inputs(size), olds(size), results;
  auto addLoads = [&](OpOperand *operand,
                      MutableArrayRef<SmallVector<Value>> lanes) {
    SmallVector<Value> values(size);
    if (!op.getMatchingBlockArgument(operand).use_empty())
      values = buildLoads(b, operand, places);
    for (auto [lane, value] : llvm::zip_equal(lanes, values))
      lane.push_back(value);
  };
  for (OpOperand *input : op.getDpsInputOperands())
    addLoads(input, inputs);
  for (OpOperand &init : op.getDpsInitsMutable())
    addLoads(&init, olds);
  SmallVector<IRMapping> known = buildDraws(b, indices);
  for (int64_t lane = 0; lane < size; ++lane)
    results.push_back(
        buildBody(b, op, places[lane], olds[lane], inputs[lane], known[lane]));
  for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (VectorType type = getVectorType(&init)) {
      SmallVector<Value> elements = llvm::map_to_vector(
          results, [&](ArrayRef<Value> values) { return values[i]; });
      Value stored = vector::FromElementsOp::create(b, loc, type, elements);
      vector::StoreOp::create(
          b, loc, stored, init.get(), buildAccess(b, loc, map, places.front()),
          /*nontemporal=*/false,
          llvm::MaybeAlign(size * type.getElementTypeBitWidth() / 8));
      continue;
    }
    for (auto [place, values] : llvm::zip_equal(places, results))
      memref::StoreOp::create(b, loc, values[i], init.get(),
                              buildAccess(b, loc, map, place));
  }
}

bool mlir::rng::buildRowGroups(OpBuilder &b, linalg::LinalgOp op,
                               ArrayRef<OpFoldResult> sizes, Value thread,
                               int64_t numThreads) {
  int64_t size = findGroupSize(op);
  std::optional<int64_t> extent =
      getConstantIntValue(sizes.empty() ? OpFoldResult() : sizes.back());
  if (size == 1 || (extent && *extent < size))
    return false;
  Location loc = op.getLoc();
  RowGroupBuilder group(op, size);
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
