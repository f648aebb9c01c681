//===- StreamReads.cpp - What draws read of a stream ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamReads.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

//===----------------------------------------------------------------------===//
// Comparing draws
//===----------------------------------------------------------------------===//

namespace {
/// What decides which numbers are drawn at a state.
struct DrawIdentity {
  explicit DrawIdentity(Operation *op);

  Distribution distribution;
  Type elementType;
  SmallVector<int64_t> shape;
  ValueRange params;
};
} // namespace

DrawIdentity::DrawIdentity(Operation *op) {
  auto read = [&](auto draw) {
    distribution = draw.getDistribution();
    params = draw.getDrawParams();
    elementType = getElementTypeOrSelf(draw.getDrawType());
    if (auto shaped = dyn_cast<ShapedType>(draw.getDrawType()))
      shape = llvm::to_vector(shaped.getShape());
  };
  auto stateless = dyn_cast<StatelessDrawOpInterface>(op);
  if (!stateless) {
    read(cast<StatefulDrawOpInterface>(op));
    return;
  }
  read(stateless);
  if (!stateless.hasSlice())
    return;
  shape.clear();
  for (OpFoldResult size : stateless.getMixedSliceSizes())
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
}

SameDraw mlir::rng::streams::compareDraws(Operation *opA, Operation *opB) {
  if (opA == opB)
    return SameDraw::Yes;
  // What another state op makes of its stream blocks is not known.
  auto isDraw = [](Operation *op) {
    return isa<StatefulDrawOpInterface, StatelessDrawOpInterface>(op);
  };
  if (!isDraw(opA) || !isDraw(opB))
    return opA->getName() == opB->getName() ? SameDraw::Maybe : SameDraw::No;
  DrawIdentity a(opA), b(opB);
  if (a.distribution != b.distribution || a.elementType != b.elementType ||
      a.shape.size() != b.shape.size())
    return SameDraw::No;
  SameDraw result = SameDraw::Yes;
  for (auto [sizeA, sizeB] : llvm::zip(a.shape, b.shape)) {
    if (ShapedType::isDynamic(sizeA) || ShapedType::isDynamic(sizeB))
      result = SameDraw::Maybe;
    else if (sizeA != sizeB)
      return SameDraw::No;
  }
  // Parameters that are left out have values that may be written, too.
  if (a.params.size() != b.params.size())
    return SameDraw::Maybe;
  for (auto [paramA, paramB] : llvm::zip(a.params, b.params)) {
    if (paramA == paramB)
      continue;
    Attribute constantA, constantB;
    if (!matchPattern(paramA, m_Constant(&constantA)) ||
        !matchPattern(paramB, m_Constant(&constantB)))
      result = SameDraw::Maybe;
    else if (constantA != constantB)
      return SameDraw::No;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

void StreamConflicts::add(StreamConflict conflict) {
  auto [it, isNew] = conflicts.try_emplace(conflict.second->site, conflict);
  if (isNew)
    return;
  StreamConflict &known = it->second;
  bool knownCertain = known.kind != StreamConflict::RepeatedCall;
  bool certain = conflict.kind != StreamConflict::RepeatedCall;
  if (knownCertain != certain ? certain
                              : conflict.first->order < known.first->order)
    known = conflict;
}

SmallVector<StreamConflict> StreamConflicts::take() {
  SmallVector<StreamConflict> result;
  for (auto &entry : conflicts)
    result.push_back(entry.second);
  conflicts.clear();
  llvm::stable_sort(result,
                    [](const StreamConflict &a, const StreamConflict &b) {
                      return a.second->order < b.second->order;
                    });
  return result;
}

namespace {
/// The stream blocks [start, last] of a read; `next`: as of the next iteration.
struct Interval {
  unsigned algorithm;
  uint64_t start, last;
  const StreamRead *read;
  bool next;

  auto getStream() const {
    return std::make_tuple(algorithm, read->seed.base, read->seed.delta,
                           read->offset.base);
  }
  bool operator<(const Interval &other) const {
    return std::make_tuple(getStream(), start, read->order, next) <
           std::make_tuple(other.getStream(), other.start, other.read->order,
                           other.next);
  }
};

/// The intervals that may overlap those to come: a bounded number, the oldest
/// and the newest.
class ActiveIntervals {
public:
  void prune(uint64_t start) {
    llvm::erase_if(items,
                   [&](const Interval *item) { return item->last < start; });
  }
  /// Returns false if another one had to go.
  bool add(const Interval *item) {
    bool fits = items.size() < kMost;
    if (!fits)
      items.erase(items.begin() + kMost / 2);
    items.push_back(item);
    return fits;
  }
  void clear() { items.clear(); }
  ArrayRef<const Interval *> get() const { return items; }

private:
  static constexpr unsigned kMost = 16;
  SmallVector<const Interval *, kMost> items;
};
} // namespace

/// Whether what conflicts with `b` conflicts with `a`, which comes first.
static bool isInterchangeable(const Interval &a, const Interval &b) {
  const StreamRead &readA = *a.read, &readB = *b.read;
  return a.start == b.start && a.last == b.last && a.next == b.next &&
         !readA.isInCallee() && !readB.isInCallee() &&
         readA.stateful == readB.stateful &&
         readA.site->getBlock() == readB.site->getBlock() &&
         compareDraws(readA.draw, readB.draw) == SameDraw::Yes;
}

bool mlir::rng::streams::findConflicts(ArrayRef<const StreamRead *> reads,
                                       std::optional<uint64_t> stride,
                                       ClassifyReads classify,
                                       StreamConflicts &conflicts) {
  std::vector<Interval> intervals;
  DenseMap<Attribute, unsigned> algorithms;
  auto add = [&](const StreamRead *read, uint64_t start, bool next) {
    unsigned algorithm =
        algorithms.try_emplace(read->algorithm, algorithms.size())
            .first->second;
    uint64_t last = start + (read->blocks - 1);
    if (last >= start) {
      intervals.push_back({algorithm, start, last, read, next});
      return;
    }
    intervals.push_back({algorithm, start, UINT64_MAX, read, next});
    intervals.push_back({algorithm, 0, last, read, next});
  };
  for (const StreamRead *read : reads) {
    add(read, read->offset.delta, /*next=*/false);
    if (stride)
      add(read, read->offset.delta + *stride, /*next=*/true);
  }
  llvm::stable_sort(intervals);

  bool complete = true;
  ActiveIntervals active;
  const Interval *previous = nullptr;
  for (const Interval &interval : intervals) {
    if (previous && previous->getStream() != interval.getStream())
      active.clear();
    else
      active.prune(interval.start);
    previous = &interval;
    bool isRepeated = false;
    for (const Interval *other : active.get()) {
      isRepeated |= isInterchangeable(*other, interval);
      if (stride && interval.next == other->next)
        continue;
      const StreamRead *first = other->read, *second = interval.read;
      bool swap = stride ? other->next : second->order < first->order;
      if (swap)
        std::swap(first, second);
      if (std::optional<StreamConflict::Kind> kind = classify(*first, *second))
        conflicts.add({*kind, first, second});
    }
    if (!isRepeated)
      complete &= active.add(&interval);
  }
  return complete;
}
