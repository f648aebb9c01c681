//===- ThreadGroups.cpp - Kernels of groups of elements ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of elementwise ops on contiguous buffers of one shape, or of a few of
// its dimensions. A thread does groups of consecutive elements: memory is
// accessed 16 bytes at a time, a stream block is computed once for all elements
// that it yields, and what the stream blocks of a thread have in common once
// for all of them.
//
//===----------------------------------------------------------------------===//

#include "ThreadGroups.h"
#include "DeviceMemory.h"
#include "KernelBuilders.h"
#include "RngDialect/Conversion/RngToArith/EmitDraw.h"
#include "RngDialect/Conversion/Structured/OperandAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::kernels;
using namespace mlir::rng::structured;

//===----------------------------------------------------------------------===//
// The elements of a thread
//===----------------------------------------------------------------------===//

namespace {
/// The row-major position of the first element of a group, for accesses to
/// memory and for draws. The two are equal, but not one value: accesses of a
/// thread have their distance in the instruction, and draws, of which 32 bits
/// of the number of a stream block differ, would be held to 64-bit arithmetic
/// by it.
struct GroupStart {
  Value access;
  Value draw;
};

/// Builds the work of one thread on the contiguous buffers of `op`.
class GroupBuilder {
public:
  GroupBuilder(OpBuilder &b, linalg::LinalgOp op, ArrayRef<OpFoldResult> sizes);

  /// The elements of `op` of the groups of `lanes` that start at the row-major
  /// positions `starts`. If groups have several elements, positions are
  /// multiples of their number and all buffers are aligned.
  void buildGroups(OpBuilder &b, ArrayRef<GroupStart> starts, int64_t lanes);

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
  void buildBody(OpBuilder &b, GroupStart start,
                 MutableArrayRef<IRMapping> lanes);

  linalg::LinalgOp op;
  Location loc;
  SmallVector<OpFoldResult> sizes;
  llvm::MapVector<Value, Value> flat;
};
} // namespace

static constexpr auto kNoOverflow =
    arith::IntegerOverflowFlags::nuw | arith::IntegerOverflowFlags::nsw;

static Value buildOffset(OpBuilder &b, Location loc, Value first,
                         int64_t distance) {
  if (distance == 0)
    return first;
  // Both are positions in one buffer.
  return arith::AddIOp::create(b, loc, first,
                               arith::ConstantIndexOp::create(b, loc, distance),
                               kNoOverflow);
}

/// The vector that an access to `count` elements of `type` takes or yields.
static VectorType getAccessType(Type type, int64_t count) {
  int64_t lanes = std::min(count, kAccessBytes / getLaneBytes(type));
  return VectorType::get(lanes, type);
}

static llvm::MaybeAlign getAlignment(VectorType type) {
  return llvm::MaybeAlign(type.getNumElements() *
                          getLaneBytes(type.getElementType()));
}

GroupBuilder::GroupBuilder(OpBuilder &b, linalg::LinalgOp op,
                           ArrayRef<OpFoldResult> sizes)
    : op(op), loc(op.getLoc()), sizes(sizes.begin(), sizes.end()),
      flat(flattenBuffers(b, op)) {}

/// The elements of `loaded`, a vector, as values of `type`.
static SmallVector<Value> buildLanes(OpBuilder &b, Location loc, Value loaded,
                                     Type type) {
  auto vector = cast<VectorType>(loaded.getType());
  int64_t count = vector.getNumElements();
  SmallVector<Value> lanes;
  if (!type.isInteger() || !vector.getElementType().isInteger(8) ||
      count % 4 != 0) {
    for (int64_t lane = 0; lane < count; ++lane) {
      Value element = vector::ExtractOp::create(b, loc, loaded, lane);
      // Two booleans beside two doubles, which are no whole word.
      if (element.getType() != type)
        element = arith::TruncIOp::create(b, loc, type, element);
      lanes.push_back(element);
    }
    return lanes;
  }
  // Bytes as parts of 32-bit numbers, the first one the lowest: LLVM would make
  // a load of its own of each byte.
  auto words = VectorType::get(count / 4, b.getI32Type());
  Value joined = vector::BitCastOp::create(b, loc, words, loaded);
  for (int64_t lane = 0; lane < count; ++lane) {
    Value word = vector::ExtractOp::create(b, loc, joined, lane / 4);
    if (lane % 4 != 0)
      word = arith::ShRUIOp::create(
          b, loc, word,
          arith::ConstantOp::create(b, loc,
                                    b.getI32IntegerAttr(8 * (lane % 4))));
    lanes.push_back(arith::TruncIOp::create(b, loc, type, word));
  }
  return lanes;
}

SmallVector<Value> GroupBuilder::buildLoads(OpBuilder &b, Value buffer,
                                            Value first, int64_t count) {
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  if (count == 1)
    return {memref::LoadOp::create(b, loc, buffer, first)};
  SmallVector<Value> values;
  VectorType vector = getAccessType(getMemoryType(type), count);
  Value bytes = viewAsMemoryType(b, loc, buffer);
  for (int64_t start = 0; start < count; start += vector.getNumElements()) {
    Value loaded = vector::LoadOp::create(
        b, loc, vector, bytes, ValueRange(buildOffset(b, loc, first, start)),
        /*nontemporal=*/false, getAlignment(vector));
    llvm::append_range(values, buildLanes(b, loc, loaded, type));
  }
  return values;
}

void GroupBuilder::buildStores(OpBuilder &b, ArrayRef<Value> values,
                               Value buffer, Value first) {
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  int64_t count = values.size();
  if (count == 1) {
    memref::StoreOp::create(b, loc, values.front(), buffer, first);
    return;
  }
  VectorType vector = getAccessType(getMemoryType(type), count);
  Value bytes = viewAsMemoryType(b, loc, buffer);
  for (int64_t start = 0; start < count; start += vector.getNumElements()) {
    SmallVector<Value> elements(values.slice(start, vector.getNumElements()));
    if (type != vector.getElementType())
      for (Value &element : elements)
        element =
            arith::ExtUIOp::create(b, loc, vector.getElementType(), element);
    Value stored = vector::FromElementsOp::create(b, loc, vector, elements);
    vector::StoreOp::create(b, loc, stored, bytes,
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
    if (isSameForAll(op, &operand)) {
      value = buildUniformElement(b, op, &operand);
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
  auto getParams = [&](unsigned lane) {
    return llvm::map_to_vector(draw.getDrawParams(), [&](Value param) {
      return lanes[lane].lookupOrDefault(param);
    });
  };
  SmallVector<Value> values = emitDrawLanes(builder, source, draw.getDrawType(),
                                            getParams, first, lanes.size());
  for (auto [lane, value] : llvm::zip_equal(lanes, values))
    lane.map(draw->getResult(0), value);
}

void GroupBuilder::buildBody(OpBuilder &b, GroupStart start,
                             MutableArrayRef<IRMapping> lanes) {
  int64_t count = lanes.size();
  Value first = start.access;
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
      buildDraw(b, draw, start.draw, lanes);
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

void GroupBuilder::buildGroups(OpBuilder &b, ArrayRef<GroupStart> starts,
                               int64_t lanes) {
  // Loads of all groups first: they are under way while stream blocks are
  // computed.
  SmallVector<SmallVector<IRMapping>> groups(starts.size());
  for (auto [group, start] : llvm::zip_equal(groups, starts)) {
    group.resize(lanes);
    buildArguments(b, start.access, group);
  }
  for (auto [group, start] : llvm::zip_equal(groups, starts))
    buildBody(b, start, group);
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
    Value origin = buffer;
    if (auto collapse = buffer.getDefiningOp<memref::CollapseShapeOp>())
      origin = collapse.getSrc();
    if (isDeviceAlloc(origin))
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

namespace {
/// Positions of the threads of a launch: in 32-bit arithmetic if they are known
/// to fit, of which LLVM makes 32-bit divisions and constant halves of
/// counters.
class Positions {
public:
  Positions(OpBuilder &b, Location loc, ThreadIds ids, bool isNarrow)
      : b(b), loc(loc),
        type(isNarrow ? Type(b.getI32Type()) : Type(b.getIndexType())),
        block(convert(ids.block, type)), thread(convert(ids.thread, type)) {}

  /// The number of the thread in the launch.
  Value buildLinear() {
    return widen(add(multiply(block, kGroupThreads), thread));
  }

  /// The groups of the thread, in the main path.
  SmallVector<GroupStart> buildStarts(GroupShape shape) {
    if (shape.groups == 1) {
      Value first =
          multiply(add(multiply(block, kGroupThreads), thread), shape.lanes);
      return {{widen(first), widen(first)}};
    }
    Value tile = multiply(block, shape.getTile());
    Value own = multiply(thread, shape.lanes);
    SmallVector<GroupStart> starts;
    for (int64_t group = 0; group < shape.groups; ++group) {
      int64_t distance = group * kGroupThreads * shape.lanes;
      starts.push_back({buildOffset(b, loc, widen(add(tile, own)), distance),
                        widen(add(add(tile, constant(distance)), own))});
    }
    return starts;
  }

private:
  Value convert(Value value, Type to) {
    if (value.getType() == to)
      return value;
    return arith::IndexCastUIOp::create(b, loc, to, value);
  }
  Value widen(Value value) { return convert(value, b.getIndexType()); }
  Value constant(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  }
  Value multiply(Value value, int64_t factor) {
    return arith::MulIOp::create(b, loc, value, constant(factor), kNoOverflow);
  }
  Value add(Value lhs, Value rhs) {
    return arith::AddIOp::create(b, loc, lhs, rhs, kNoOverflow);
  }

  OpBuilder &b;
  Location loc;
  Type type;
  Value block, thread;
};
} // namespace

bool kernels::buildGroupedKernel(OpBuilder &b, linalg::LinalgOp op) {
  std::optional<GroupShape> shape = findGroupShape(op);
  if (!shape)
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

  // First the threads of the main path: if they do one group each, as many as
  // there are groups, else whole thread blocks of them. Then a thread for each
  // element that is left.
  GroupBuilder group(b, op, sizes);
  bool hasTiles = shape->groups > 1;
  int64_t unit = hasTiles ? shape->getTile() : shape->lanes;
  Value units = arith::DivUIOp::create(b, loc, total, buildIndex(b, unit));
  // Not a selection: those move into kernels.
  if (Value isAligned = buildIsAligned(b, loc, group.getBuffers()))
    units = arith::MulIOp::create(b, loc, units, isAligned);
  Value grouped = arith::MulIOp::create(b, loc, units, buildIndex(b, unit));
  Value rest = arith::SubIOp::create(b, loc, total, grouped);
  Value mainThreads =
      hasTiles
          ? arith::MulIOp::create(b, loc, units, buildIndex(b, kGroupThreads))
                .getResult()
          : units;
  Value threads = arith::AddIOp::create(b, loc, mainThreads, rest);
  buildLinearLaunch(b, loc, threads);
  ThreadIds ids = getThreadIds(b);
  Positions positions(b, loc, ids, hasNarrowIndices(op));
  Value linear = positions.buildLinear();

  Value number = hasTiles ? ids.block : linear;
  Value isMain =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, number, units);
  auto mainIf = scf::IfOp::create(b, loc, isMain, /*withElseRegion=*/true);
  b.setInsertionPointToStart(mainIf.thenBlock());
  group.buildGroups(b, positions.buildStarts(*shape), shape->lanes);

  b.setInsertionPointToStart(mainIf.elseBlock());
  Value position = arith::SubIOp::create(b, loc, linear, mainThreads);
  Value element = arith::AddIOp::create(b, loc, position, grouped);
  Value inside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, element, total);
  auto insideIf = scf::IfOp::create(b, loc, inside, /*withElseRegion=*/false);
  b.setInsertionPointToStart(insideIf.thenBlock());
  group.buildGroups(b, GroupStart{element, element}, 1);
  return true;
}

bool kernels::buildGroupedCopy(OpBuilder &b, Location loc, Value source,
                               Value target) {
  auto isContiguous = [](Value buffer) {
    return cast<MemRefType>(buffer.getType()).getLayout().isIdentity();
  };
  if (!isContiguous(source) || !isContiguous(target))
    return false;
  auto copy = linalg::CopyOp::create(b, loc, source, target);
  bool built = buildGroupedKernel(b, copy);
  copy.erase();
  return built;
}
