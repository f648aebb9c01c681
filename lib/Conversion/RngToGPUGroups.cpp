//===- RngToGPUGroups.cpp - Several elements a thread -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of elementwise ops on contiguous buffers of one shape, or of a few of
// its dimensions. A thread does a group of consecutive elements: memory is
// accessed 16 bytes at a time, and a block of a generator is computed once for
// all elements that it yields.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/EmitDraw.h"
#include "RngToGPUKernels.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::rng;

/// Bytes of the widest access to memory, and its alignment.
static constexpr int64_t kAccessBytes = 16;

/// More elements a thread than this are not worth their registers.
static constexpr int64_t kMaxLanes = 16;

//===----------------------------------------------------------------------===//
// What fits
//===----------------------------------------------------------------------===//

/// Bytes of an element of `type` in memory; 0 if it cannot be an element of a
/// vector.
static int64_t getElementBytes(Type type) {
  if (!isa<IntegerType, FloatType>(type))
    return 0;
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 1)
    return 1;
  return llvm::is_contained({8u, 16u, 32u, 64u}, width) ? width / 8 : 0;
}

/// Whether a vector of elements of `type` lies in memory as its elements do: a
/// vector of i1 is packed, a buffer is not.
static bool hasVectors(Type type) { return !type.isInteger(1); }

/// Whether all points see the same element of `operand`, or a scalar.
static bool isUniformOperand(linalg::LinalgOp op, OpOperand *operand) {
  if (!isa<MemRefType>(operand->get().getType()))
    return true;
  AffineMap map = op.getMatchingIndexingMap(operand);
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    if (map.isFunctionOfDim(dim))
      return false;
  return true;
}

namespace {
/// The loops [begin, end) of an op.
struct LoopSpan {
  unsigned begin, end;
};
} // namespace

/// The loops that index `operand`, a contiguous buffer, in their order; none if
/// they are not neighbours.
static std::optional<LoopSpan> getSpan(linalg::LinalgOp op,
                                       OpOperand *operand) {
  auto type = dyn_cast<MemRefType>(operand->get().getType());
  if (!type || !type.getLayout().isIdentity() ||
      getElementBytes(type.getElementType()) == 0)
    return std::nullopt;
  std::optional<LoopSpan> span;
  for (AffineExpr result : op.getMatchingIndexingMap(operand).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim || (span && dim.getPosition() != span->end))
      return std::nullopt;
    if (!span)
      span = LoopSpan{dim.getPosition(), dim.getPosition()};
    ++span->end;
  }
  return span;
}

/// Whether the points of `op` in row-major order walk through `operand`.
static bool isContiguousOperand(linalg::LinalgOp op, OpOperand *operand) {
  std::optional<LoopSpan> span = getSpan(op, operand);
  return span && span->begin == 0 && span->end == op.getNumLoops();
}

/// The number of points of the loops `span`, if static.
static std::optional<int64_t> countPoints(linalg::LinalgOp op, LoopSpan span) {
  int64_t count = 1;
  for (unsigned dim = span.begin; dim < span.end; ++dim) {
    int64_t extent = op.getStaticLoopRanges()[dim];
    if (ShapedType::isDynamic(extent) ||
        llvm::MulOverflow(count, extent, count))
      return std::nullopt;
  }
  return count;
}

/// Whether a group of `lanes` points that starts at a multiple of `lanes` sees
/// `lanes` neighbours in `operand`, which is broadcast over outer loops, or one
/// element, if it is broadcast over inner ones.
static bool isBroadcastOfGroups(linalg::LinalgOp op, OpOperand *operand,
                                int64_t lanes) {
  std::optional<LoopSpan> span = getSpan(op, operand);
  if (!span)
    return false;
  std::optional<int64_t> inner = countPoints(op, {span->end, op.getNumLoops()});
  std::optional<int64_t> own = countPoints(op, *span);
  if (span->end == op.getNumLoops())
    return own && *own > 0 && *own % lanes == 0;
  return inner && *inner > 0 && *inner % lanes == 0 &&
         (span->begin == 0 || (own && *own > 0));
}

/// Whether `value` is the same for all points of `op`.
static bool isUniformValue(linalg::LinalgOp op, Value value) {
  Block *body = op.getBlock();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != body)
      return true;
    OpOperand *operand = op.getMatchingOpOperand(argument);
    return op.isDpsInput(operand) && isUniformOperand(op, operand);
  }
  Operation *definition = value.getDefiningOp();
  if (definition->getBlock() != body)
    return true;
  return !isa<linalg::IndexOp>(definition) && isPure(definition) &&
         definition->getNumRegions() == 0 &&
         llvm::all_of(definition->getOperands(), [&](Value operand) {
           return isUniformValue(op, operand);
         });
}

/// Whether `size` is the size of loop `dim` of `op`, as far as can be seen.
static bool isLoopSize(linalg::LinalgOp op, OpFoldResult size, unsigned dim) {
  int64_t extent = op.getStaticLoopRanges()[dim];
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return constant == extent;
  auto value = cast<Value>(size);
  auto sizeOf = value.getDefiningOp<memref::DimOp>();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isContiguousOperand(op, &operand))
      continue;
    if (sizeOf && sizeOf.getSource() == operand.get() &&
        sizeOf.getConstantIndex() == int64_t(dim))
      return true;
    auto type = cast<MemRefType>(operand.get().getType());
    ValueRange sizes;
    if (auto alloc = operand.get().getDefiningOp<memref::AllocOp>())
      sizes = alloc.getDynamicSizes();
    else if (auto alloc = operand.get().getDefiningOp<gpu::AllocOp>())
      sizes = alloc.getDynamicSizes();
    if (!sizes.empty() && type.isDynamicDim(dim) &&
        sizes[type.getDynamicDimIndex(dim)] == value)
      return true;
  }
  return false;
}

/// Whether the logical draw that `draw` takes its element from has the shape of
/// the loops of `op`, and the point's element is the one taken.
static bool drawsOwnElement(linalg::LinalgOp op,
                            StatelessDrawOpInterface draw) {
  if (isa<ShapedType>(draw.getDrawType()))
    return false;
  SmallVector<OpFoldResult> offsets = draw.getMixedSliceOffsets();
  SmallVector<OpFoldResult> sizes = draw.getMixedSliceSizes();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (offsets.size() != extents.size())
    return false;
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    // The outermost size does not matter.
    if (dim != 0 && !isLoopSize(op, sizes[dim], dim))
      return false;
    if (extents[dim] == 1 && isConstantIntValue(offsets[dim], 0))
      continue;
    auto value = dyn_cast<Value>(offsets[dim]);
    auto index = value ? value.getDefiningOp<linalg::IndexOp>() : nullptr;
    if (!index || index->getBlock() != op.getBlock() || index.getDim() != dim)
      return false;
  }
  return isUniformValue(op, draw.getDrawSeed()) &&
         isUniformValue(op, draw.getDrawOffset());
}

/// How many elements of `op` a thread does; 1 if it does not fit.
static int64_t countLanes(linalg::LinalgOp op) {
  if (op.getNumLoops() == 0 || op.getNumParallelLoops() != op.getNumLoops())
    return 1;
  int64_t bytes = 1;
  SmallVector<OpOperand *> broadcasts;
  for (OpOperand &operand : op->getOpOperands()) {
    if (op.isDpsInput(&operand) &&
        (op.getMatchingBlockArgument(&operand).use_empty() ||
         isUniformOperand(op, &operand)))
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
  WalkResult result = op.getBlock()->walk([&](StatelessDrawOpInterface draw) {
    if (draw->getBlock() != op.getBlock() || !drawsOwnElement(op, draw))
      return WalkResult::interrupt();
    RngAlgorithmAttrInterface algorithm = draw.getDrawAlgorithm();
    int64_t shared =
        algorithm.getValuesPerBlock(draw.getDistribution(), draw.getDrawType());
    if (shared > 1)
      lanes = std::lcm(lanes, shared);
    return WalkResult(success(lanes <= kMaxLanes));
  });
  if (result.wasInterrupted() ||
      !llvm::all_of(broadcasts, [&](OpOperand *operand) {
        return isBroadcastOfGroups(op, operand, lanes);
      }))
    return 1;
  int64_t total = 1;
  for (int64_t extent : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(extent))
      return lanes;
    // Whatever is beyond the product does not make it smaller, except zero.
    total = extent == 0 ? 0 : std::min(total, lanes) * std::min(extent, lanes);
    if (total == 0)
      return 1;
  }
  return total < lanes ? 1 : lanes;
}

//===----------------------------------------------------------------------===//
// The elements of a thread
//===----------------------------------------------------------------------===//

namespace {
/// Builds the work of one thread on the contiguous buffers of `op`.
class GroupBuilder {
public:
  GroupBuilder(OpBuilder &b, linalg::LinalgOp op, ArrayRef<OpFoldResult> sizes);

  /// The elements of `op` from row-major position `first` on. If there are
  /// several, `first` is a multiple of their number and all buffers are
  /// aligned.
  void buildElements(OpBuilder &b, Value first, int64_t count);

  /// The contiguous buffers, one-dimensional.
  SmallVector<Value> getBuffers() const {
    return llvm::map_to_vector(flat, [](auto &entry) { return entry.second; });
  }

private:
  SmallVector<Value> buildLoads(OpBuilder &b, Value buffer, Value first,
                                int64_t count);
  void buildStores(OpBuilder &b, ArrayRef<Value> values, Value buffer,
                   Value first);
  void buildArguments(OpBuilder &b, Value first,
                      MutableArrayRef<IRMapping> lanes);
  void buildDraw(OpBuilder &b, StatelessDrawOpInterface draw, Value first,
                 MutableArrayRef<IRMapping> lanes);

  linalg::LinalgOp op;
  Location loc;
  SmallVector<OpFoldResult> sizes;
  llvm::MapVector<Value, Value> flat;
};
} // namespace

static Value buildOffset(OpBuilder &b, Location loc, Value first,
                         int64_t distance) {
  if (distance == 0)
    return first;
  // Both are positions in one buffer.
  return arith::AddIOp::create(
      b, loc, first, arith::ConstantIndexOp::create(b, loc, distance),
      arith::IntegerOverflowFlags::nuw | arith::IntegerOverflowFlags::nsw);
}

/// The vector that an access to `count` elements of `type` takes or yields.
static VectorType getAccessType(Type type, int64_t count) {
  int64_t lanes = std::min(count, kAccessBytes / getElementBytes(type));
  return VectorType::get(lanes, type);
}

static llvm::MaybeAlign getAlignment(VectorType type) {
  return llvm::MaybeAlign(type.getNumElements() *
                          getElementBytes(type.getElementType()));
}

GroupBuilder::GroupBuilder(OpBuilder &b, linalg::LinalgOp op,
                           ArrayRef<OpFoldResult> sizes)
    : op(op), loc(op.getLoc()), sizes(sizes.begin(), sizes.end()) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (op.isDpsInput(&operand) &&
        (op.getMatchingBlockArgument(&operand).use_empty() ||
         isUniformOperand(op, &operand)))
      continue;
    Value buffer = operand.get();
    Value &entry = flat[buffer];
    if (entry)
      continue;
    entry = buffer;
    int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
    if (rank > 1) {
      ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
      entry = memref::CollapseShapeOp::create(b, loc, buffer, all);
    }
  }
}

SmallVector<Value> GroupBuilder::buildLoads(OpBuilder &b, Value buffer,
                                            Value first, int64_t count) {
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  SmallVector<Value> values;
  if (count == 1 || !hasVectors(type)) {
    for (int64_t lane = 0; lane < count; ++lane)
      values.push_back(memref::LoadOp::create(
          b, loc, buffer, buildOffset(b, loc, first, lane)));
    return values;
  }
  VectorType vector = getAccessType(type, count);
  for (int64_t start = 0; start < count; start += vector.getNumElements()) {
    Value loaded = vector::LoadOp::create(
        b, loc, vector, buffer, ValueRange(buildOffset(b, loc, first, start)),
        /*nontemporal=*/false, getAlignment(vector));
    for (int64_t lane = 0; lane < vector.getNumElements(); ++lane)
      values.push_back(vector::ExtractOp::create(b, loc, loaded, lane));
  }
  return values;
}

void GroupBuilder::buildStores(OpBuilder &b, ArrayRef<Value> values,
                               Value buffer, Value first) {
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  int64_t count = values.size();
  if (count == 1 || !hasVectors(type)) {
    for (auto [lane, value] : llvm::enumerate(values))
      memref::StoreOp::create(b, loc, value, buffer,
                              buildOffset(b, loc, first, lane));
    return;
  }
  VectorType vector = getAccessType(type, count);
  for (int64_t start = 0; start < count; start += vector.getNumElements()) {
    Value stored = vector::FromElementsOp::create(
        b, loc, vector, values.slice(start, vector.getNumElements()));
    vector::StoreOp::create(b, loc, stored, buffer,
                            ValueRange(buildOffset(b, loc, first, start)),
                            /*nontemporal=*/false, getAlignment(vector));
  }
}

void GroupBuilder::buildArguments(OpBuilder &b, Value first,
                                  MutableArrayRef<IRMapping> lanes) {
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty())
      continue;
    Value value = operand.get();
    if (op.isDpsInput(&operand) && isUniformOperand(op, &operand)) {
      if (isa<MemRefType>(value.getType())) {
        // No index is looked at.
        Value zero = arith::ConstantIndexOp::create(b, loc, 0);
        SmallVector<Value> zeros(op.getNumLoops(), zero);
        auto indices = affine::expandAffineMap(
            b, loc, op.getMatchingIndexingMap(&operand), zeros);
        value = memref::LoadOp::create(b, loc, value, *indices);
      }
      for (IRMapping &lane : lanes)
        lane.map(argument, value);
      continue;
    }
    LoopSpan span = *getSpan(op, &operand);
    bool isRepeated = span.end != op.getNumLoops();
    Value position = first;
    if (isRepeated) {
      int64_t inner = *countPoints(op, {span.end, op.getNumLoops()});
      position = arith::DivUIOp::create(
          b, loc, position, arith::ConstantIndexOp::create(b, loc, inner));
    }
    if (span.begin != 0) {
      int64_t own = *countPoints(op, span);
      position = arith::RemUIOp::create(
          b, loc, position, arith::ConstantIndexOp::create(b, loc, own));
    }
    SmallVector<Value> values = buildLoads(
        b, flat.find(value)->second, position, isRepeated ? 1 : lanes.size());
    if (isRepeated)
      values.assign(lanes.size(), values.front());
    for (auto [lane, element] : llvm::zip_equal(lanes, values))
      lane.map(argument, element);
  }
}

void GroupBuilder::buildDraw(OpBuilder &b, StatelessDrawOpInterface draw,
                             Value first, MutableArrayRef<IRMapping> lanes) {
  ImplicitLocOpBuilder builder(draw.getLoc(), b);
  DrawSource source = {draw.getDrawAlgorithm(), draw.getDistribution(),
                       lanes[0].lookupOrDefault(draw.getDrawSeed()),
                       lanes[0].lookupOrDefault(draw.getDrawOffset())};
  SmallVector<Value> values = emitDrawLanes(
      builder, source, draw.getDrawType(),
      [&](unsigned lane) {
        return llvm::map_to_vector(draw.getDrawParams(), [&](Value param) {
          return lanes[lane].lookupOrDefault(param);
        });
      },
      first, lanes.size());
  for (auto [lane, value] : llvm::zip_equal(lanes, values))
    lane.map(draw->getResult(0), value);
}

void GroupBuilder::buildElements(OpBuilder &b, Value first, int64_t count) {
  SmallVector<IRMapping> lanes(count);
  buildArguments(b, first, lanes);

  // Divisions that only draws ask for are never made.
  SmallVector<SmallVector<Value>> indices(count);
  auto getIndex = [&](int64_t lane, unsigned dim) {
    if (indices[lane].empty())
      indices[lane] =
          buildDelinearized(b, loc, buildOffset(b, loc, first, lane), sizes);
    return indices[lane][dim];
  };
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto draw = dyn_cast<StatelessDrawOpInterface>(&inner)) {
      buildDraw(b, draw, first, lanes);
      continue;
    }
    if (auto index = dyn_cast<linalg::IndexOp>(&inner)) {
      if (llvm::all_of(index->getUsers(),
                       llvm::IsaPred<StatelessDrawOpInterface>))
        continue;
      for (int64_t lane = 0; lane < count; ++lane)
        lanes[lane].map(index.getResult(), getIndex(lane, index.getDim()));
      continue;
    }
    for (int64_t lane = 0; lane < count; ++lane) {
      // `linalg.index` also sits in regions of the body (`scf.if`): indices
      // must be there before the clone.
      inner.walk([&](linalg::IndexOp index) { getIndex(lane, 0); });
      Operation *clone = b.clone(inner, lanes[lane]);
      clone->walk([&](linalg::IndexOp index) {
        index.replaceAllUsesWith(getIndex(lane, index.getDim()));
        index.erase();
      });
    }
  }
  Operation *yield = op.getBlock()->getTerminator();
  for (auto [init, yielded] :
       llvm::zip_equal(op.getDpsInitsMutable(), yield->getOperands())) {
    SmallVector<Value> values;
    for (IRMapping &lane : lanes)
      values.push_back(lane.lookupOrDefault(yielded));
    buildStores(b, values, flat.find(init.get())->second, first);
  }
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// 1 if all `buffers` are aligned for the widest access, else 0; null if all
/// are known to be. Memory of the device is; what a caller hands over may be a
/// view of something.
static Value buildIsAligned(OpBuilder &b, Location loc, ValueRange buffers) {
  Value addresses;
  for (Value buffer : buffers) {
    if (!hasVectors(cast<MemRefType>(buffer.getType()).getElementType()))
      continue;
    Value origin = buffer;
    if (auto collapse = buffer.getDefiningOp<memref::CollapseShapeOp>())
      origin = collapse.getSrc();
    if (origin.getDefiningOp<gpu::AllocOp>())
      continue;
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
    addresses =
        addresses ? arith::OrIOp::create(b, loc, addresses, address).getResult()
                  : address;
  }
  if (!addresses)
    return Value();
  Value mask = arith::ConstantIndexOp::create(b, loc, kAccessBytes - 1);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value rest = arith::AndIOp::create(b, loc, addresses, mask);
  Value isAligned =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest, zero);
  return arith::IndexCastUIOp::create(b, loc, b.getIndexType(), isAligned);
}

bool mlir::rng::buildGroupedKernel(OpBuilder &b, linalg::LinalgOp op) {
  int64_t count = countLanes(op);
  if (count == 1)
    return false;
  OpBuilder::InsertionGuard guard(b);
  Location loc = op.getLoc();
  auto buildIndex = [&](OpBuilder &b, int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  SmallVector<OpFoldResult> sizes;
  for (Range range : op.createLoopRanges(b, loc))
    sizes.push_back(range.size);
  Value total = buildTotal(b, loc, sizes);
  if (!getConstantIntValue(OpFoldResult(total))) {
    Value some = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, total,
                                       buildIndex(b, 0));
    auto guardIf = scf::IfOp::create(b, loc, some, /*withElseRegion=*/false);
    b.setInsertionPointToStart(guardIf.thenBlock());
  }

  // Full groups first, a thread each; then what is left, a thread an element.
  GroupBuilder group(b, op, sizes);
  Value groups = arith::DivUIOp::create(b, loc, total, buildIndex(b, count));
  // Not a selection: those move into kernels.
  if (Value isAligned = buildIsAligned(b, loc, group.getBuffers()))
    groups = arith::MulIOp::create(b, loc, groups, isAligned);
  Value grouped = arith::MulIOp::create(b, loc, groups, buildIndex(b, count));
  Value rest = arith::SubIOp::create(b, loc, total, grouped);
  Value threads = arith::AddIOp::create(b, loc, groups, rest);
  Value linear = buildLinearLaunch(b, loc, threads);

  Value isGroup =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, linear, groups);
  auto groupIf = scf::IfOp::create(b, loc, isGroup, /*withElseRegion=*/true);
  b.setInsertionPointToStart(groupIf.thenBlock());
  Value first = arith::MulIOp::create(b, loc, linear, buildIndex(b, count),
                                      arith::IntegerOverflowFlags::nuw |
                                          arith::IntegerOverflowFlags::nsw);
  group.buildElements(b, first, count);

  b.setInsertionPointToStart(groupIf.elseBlock());
  Value position = arith::SubIOp::create(b, loc, linear, groups);
  Value element = arith::AddIOp::create(b, loc, position, grouped);
  Value inside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, element, total);
  auto insideIf = scf::IfOp::create(b, loc, inside, /*withElseRegion=*/false);
  b.setInsertionPointToStart(insideIf.thenBlock());
  group.buildElements(b, element, 1);
  return true;
}
