//===- VectorizeDraws.cpp - Draws in SIMD registers -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  linalg ops on buffers, some of which draw.
// Out: loops over vectors of those that fit.
//
// Elementwise ops that draw, on contiguous buffers of one shape or of a few of
// its dimensions, become loops over vectors of consecutive elements: what GPUs
// do in groups of a thread, for machines with SIMD registers.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/BuffersToLoops/Passes.h"
#include "RngDialect/Conversion/Structured/OperandAccess.h"
#include "RngDialect/Conversion/Structured/UniformValues.h"
#include "RngDialect/IR/RngOps.h"
#include "RngDialect/Transforms/Support/Reasons.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include <numeric>

namespace mlir::rng {
#define GEN_PASS_DEF_RNGVECTORIZEDRAWSPASS
#include "RngDialect/Conversion/BuffersToLoops/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::structured;

/// Stream blocks that a vector of the main loop holds. Eight registers of 512
/// bits hold a word of each: some of what four words take goes through memory
/// then, which costs less than loading the keys of the rounds, which also do
/// not fit into registers, more often. Measured with benchmarks/cpu_speed.py,
/// with 256 and with 512 bits.
static constexpr int64_t kVectorBlocks = 64;

/// Stream blocks of a vector that does most of what the main loop leaves.
static constexpr int64_t kFewBlocks = 8;

/// Lanes that everything but draws is done for at a time: values of the body
/// should stay in registers.
static constexpr int64_t kMaxLanes = 64;

/// Elements that take one thread a few times as long as it takes to start
/// others.
static constexpr int64_t kMinThreaded = int64_t(1) << 15;

/// Bytes of a line of the caches.
static constexpr int64_t kLineBytes = 64;

/// A stream block that yields more values than this is not worth its code.
static constexpr int64_t kMaxShared = 8;

static_assert(kVectorBlocks % kMaxLanes == 0, "parts are of one size");

//===----------------------------------------------------------------------===//
// What fits
//===----------------------------------------------------------------------===//

static bool isLaneType(Type type) { return getLaneBytes(type) != 0; }

/// Why `inner`, of the body of `op`, cannot be done for several points at once;
/// empty if it can.
static StringRef explainScalar(linalg::LinalgOp op, Operation &inner,
                               const UniformValues &uniform) {
  if (auto draw = dyn_cast<StatelessDrawOpInterface>(&inner)) {
    if (!isLaneType(draw.getDrawType()))
      return "is not of numbers that lie in memory as they are";
    if (!drawsOwnElement(op, draw, uniform))
      return "is not of the shape of the loops, at their indices and at one "
             "state";
    return uniform.containsAll(draw.getDrawParams())
               ? ""
               : "has parameters that differ from point to point";
  }
  if (isa<linalg::IndexOp>(inner))
    return llvm::all_of(inner.getUsers(),
                        [&](Operation *user) {
                          return isa<StatelessDrawOpInterface>(user) &&
                                 user->getBlock() == inner.getBlock();
                        })
               ? ""
               : "is used by more than draws";
  if (inner.getNumRegions() != 0 || !isMemoryEffectFree(&inner))
    return "has regions or effects";
  if (uniform.containsAll(inner.getResults()))
    return "";
  return OpTrait::hasElementwiseMappableTraits(&inner) &&
                 llvm::all_of(inner.getOperandTypes(), isLaneType) &&
                 llvm::all_of(inner.getResultTypes(), isLaneType)
             ? ""
             : "is not elementwise on numbers";
}

static bool hasDraws(linalg::LinalgOp op) {
  return op.getBlock()
      ->walk([](StatelessDrawOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Says why `op` stays as it is, for `convert-linalg-to-loops`.
static std::nullopt_t refuseVectors(linalg::LinalgOp op, const Twine &why) {
  reportMissed(op, "rng-vectorize-draws", "NotVectorised", why);
  return std::nullopt;
}

/// Values that the draws in the body of `op` share a stream block among; none
/// if the body cannot be done for several points at once.
static std::optional<int64_t> findSharedValues(linalg::LinalgOp op) {
  int64_t shared = 1;
  UniformValues uniform(op);
  for (Operation &inner : op.getBlock()->without_terminator()) {
    StringRef reason = explainScalar(op, inner, uniform);
    if (!reason.empty())
      return refuseVectors(op, "'" + Twine(inner.getName().getStringRef()) +
                                   "' " + reason);
    auto draw = dyn_cast<StatelessDrawOpInterface>(&inner);
    if (!draw)
      continue;
    int64_t values = draw.getDrawAlgorithm().getValuesPerBlock(
        draw.getDistribution(), draw.getDrawType());
    shared = std::lcm(shared, std::max<int64_t>(values, 1));
  }
  if (shared > kMaxShared || !llvm::isPowerOf2_64(shared))
    return refuseVectors(op, Twine(shared) + " values share stream blocks, not "
                                             "1, 2, 4 or 8");
  return shared;
}

/// Values that the draws of `op` share a stream block among: how many
/// neighbours a vector must hold at least. None if `op` draws nothing or does
/// not fit.
static std::optional<int64_t> findSharedLanes(linalg::LinalgOp op) {
  if (!hasDraws(op))
    return std::nullopt;
  if (!op.hasPureBufferSemantics())
    return refuseVectors(op, "it is not on buffers");
  if (op.getNumLoops() == 0 || op.getNumParallelLoops() != op.getNumLoops())
    return refuseVectors(op, "it has no loops, or loops that are not parallel");
  std::optional<int64_t> shared = findSharedValues(op);
  if (!shared)
    return std::nullopt;
  int64_t lanes = std::min(*shared * kVectorBlocks, kMaxLanes);
  for (OpOperand &operand : op->getOpOperands()) {
    if (isSameForAll(op, &operand) || isContiguousOperand(op, &operand))
      continue;
    if (!op.isDpsInput(&operand) || !isBroadcastOfGroups(op, &operand, lanes))
      return refuseVectors(op, "operand #" + Twine(operand.getOperandNumber()) +
                                   " is not contiguous, or broadcast by other "
                                   "sizes than multiples of " +
                                   Twine(lanes) + " elements");
  }
  return shared;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// Builds the loops of one op.
class LoopBuilder {
public:
  LoopBuilder(OpBuilder &b, linalg::LinalgOp op);

  /// Builds a loop over vectors of `lanes` elements from `first` on as long as
  /// they are full, and returns where it ends.
  Value buildLoop(OpBuilder &b, Value first, int64_t lanes, bool parallel);

  /// Whether threads would have something to do.
  bool isWorthThreads();

  Value total;

private:
  void buildElements(OpBuilder &b, Value first, int64_t lanes);
  void buildPrefetches(OpBuilder &b, Value first, int64_t lanes);
  void buildPart(OpBuilder &b, IRMapping &mapping, Value first, int64_t lanes);
  Value buildArgument(OpBuilder &b, OpOperand &operand, Value first,
                      int64_t lanes);
  Value buildDraw(OpBuilder &b, StatelessDrawOpInterface draw,
                  const IRMapping &mapping, Value first, int64_t lanes);
  Value buildLoad(OpBuilder &b, Value buffer, Value first, int64_t lanes);
  void buildStore(OpBuilder &b, Value value, Value buffer, Value first,
                  int64_t lanes);

  Value buildIndex(OpBuilder &b, int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  linalg::LinalgOp op;
  Location loc;
  UniformValues uniform;
  /// The buffers, one-dimensional.
  llvm::MapVector<Value, Value> flat;
};
} // namespace

static VectorType getVectorType(Type type, int64_t lanes) {
  return VectorType::get(lanes, type);
}

/// `value` in all lanes, unless there is one only or it is a vector.
static Value buildLanes(OpBuilder &b, Location loc, Value value,
                        int64_t lanes) {
  if (lanes == 1 || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      b, loc, getVectorType(value.getType(), lanes), value);
}

LoopBuilder::LoopBuilder(OpBuilder &b, linalg::LinalgOp op)
    : op(op), loc(op.getLoc()), uniform(op) {
  for (Range range : op.createLoopRanges(b, loc)) {
    Value size = getValueOrCreateConstantIndexOp(b, loc, range.size);
    total = total ? b.createOrFold<arith::MulIOp>(loc, total, size) : size;
  }
  flat = flattenBuffers(b, op);
}

/// Alignment of an access to elements of `type`: that of one.
static llvm::MaybeAlign getAlignment(Type type) {
  return llvm::MaybeAlign(getLaneBytes(type));
}

Value LoopBuilder::buildLoad(OpBuilder &b, Value buffer, Value first,
                             int64_t lanes) {
  if (lanes == 1)
    return memref::LoadOp::create(b, loc, buffer, first);
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  Type memoryType = getMemoryType(type);
  VectorType vector = getVectorType(memoryType, lanes);
  Value loaded = vector::LoadOp::create(
      b, loc, vector, viewAsMemoryType(b, loc, buffer), ValueRange(first),
      /*nontemporal=*/false, getAlignment(memoryType));
  if (memoryType == type)
    return loaded;
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, loaded, zero);
}

void LoopBuilder::buildStore(OpBuilder &b, Value value, Value buffer,
                             Value first, int64_t lanes) {
  if (lanes == 1) {
    memref::StoreOp::create(b, loc, value, buffer, first);
    return;
  }
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  Type memoryType = getMemoryType(type);
  Value memory = viewAsMemoryType(b, loc, buffer);
  // A vector of i1 would be packed in memory, a buffer is not.
  if (memoryType != type)
    value =
        arith::ExtUIOp::create(b, loc, getVectorType(memoryType, lanes), value);
  vector::StoreOp::create(b, loc, value, memory, ValueRange(first),
                          /*nontemporal=*/false, getAlignment(memoryType));
}

Value LoopBuilder::buildArgument(OpBuilder &b, OpOperand &operand, Value first,
                                 int64_t lanes) {
  Value value = operand.get();
  if (isSameForAll(op, &operand))
    return buildUniformElement(b, op, &operand);
  LoopSpan span = *getSpan(op, &operand);
  Value position = first;
  bool isRepeated = span.end != op.getNumLoops();
  if (isRepeated)
    position = arith::DivUIOp::create(
        b, loc, position,
        buildIndex(b, *countPoints(op, {span.end, op.getNumLoops()})));
  if (span.begin != 0)
    position = arith::RemUIOp::create(b, loc, position,
                                      buildIndex(b, *countPoints(op, span)));
  return buildLoad(b, flat.find(value)->second, position,
                   isRepeated ? 1 : lanes);
}

Value LoopBuilder::buildDraw(OpBuilder &b, StatelessDrawOpInterface draw,
                             const IRMapping &mapping, Value first,
                             int64_t lanes) {
  Type type = draw.getDrawType();
  SmallVector<Value> params =
      llvm::map_to_vector(draw.getDrawParams(), [&](Value param) {
        return mapping.lookupOrDefault(param);
      });
  StatelessDrawSpec spec;
  spec.distribution = draw.getDistribution();
  spec.algorithm = draw.getDrawAlgorithm();
  spec.type = lanes == 1 ? type : getVectorType(type, lanes);
  spec.params = params;
  spec.sliceOffsets = {first};
  spec.sliceSizes = {total};
  // Loops of vectors start at multiples of what a stream block yields.
  spec.aligned = lanes != 1;
  return createStatelessDraw(b, draw.getLoc(), spec,
                             mapping.lookupOrDefault(draw.getDrawSeed()),
                             mapping.lookupOrDefault(draw.getDrawOffset()))
      ->getResult(0);
}

/// Builds prefetches of what the iteration after that of `first` reads. Its
/// draws are more instructions than a processor looks ahead, so that loads
/// would be issued, and the processor's own prefetching be started, too late.
/// Writes need none.
void LoopBuilder::buildPrefetches(OpBuilder &b, Value first, int64_t lanes) {
  Value start;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (isSameForAll(op, input) || !isContiguousOperand(op, input))
      continue;
    if (!start) {
      // Never beyond the end: a whole vector fits, or there is no iteration.
      Value width = buildIndex(b, lanes);
      Value next = arith::AddIOp::create(b, loc, first, width);
      Value last = arith::SubIOp::create(b, loc, total, width);
      start = arith::MinUIOp::create(b, loc, next, last);
    }
    Value buffer = flat.find(input->get())->second;
    Type type = cast<MemRefType>(buffer.getType()).getElementType();
    int64_t line = kLineBytes / getLaneBytes(type);
    for (int64_t lane = 0; lane < lanes; lane += line) {
      Value position =
          arith::AddIOp::create(b, loc, start, buildIndex(b, lane));
      memref::PrefetchOp::create(b, loc, buffer, ValueRange(position),
                                 /*isWrite=*/false, /*localityHint=*/3,
                                 /*isDataCache=*/true);
    }
  }
}

/// Builds what depends on the element for `lanes` elements from `first` on;
/// `mapping` holds their draws and what is the same for all.
void LoopBuilder::buildPart(OpBuilder &b, IRMapping &mapping, Value first,
                            int64_t lanes) {
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!argument.use_empty() && !isSameForAll(op, &operand))
      mapping.map(argument, buildArgument(b, operand, first, lanes));
  }
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isa<linalg::IndexOp, StatelessDrawOpInterface>(inner) ||
        uniform.containsAll(inner.getResults()))
      continue;
    if (lanes == 1) {
      b.clone(inner, mapping);
      continue;
    }
    IRMapping vectors;
    for (Value operand : inner.getOperands())
      vectors.map(operand, buildLanes(b, inner.getLoc(),
                                      mapping.lookupOrDefault(operand), lanes));
    Operation *clone = b.clone(inner, vectors);
    for (auto [result, vector] :
         llvm::zip_equal(inner.getResults(), clone->getResults())) {
      vector.setType(getVectorType(result.getType(), lanes));
      mapping.map(result, vector);
    }
  }
  Operation *yield = op.getBlock()->getTerminator();
  for (auto [init, yielded] :
       llvm::zip_equal(op.getDpsInitsMutable(), yield->getOperands())) {
    Value value = buildLanes(b, loc, mapping.lookupOrDefault(yielded), lanes);
    buildStore(b, value, flat.find(init.get())->second, first, lanes);
  }
}

void LoopBuilder::buildElements(OpBuilder &b, Value first, int64_t lanes) {
  IRMapping mapping;
  if (lanes > kMaxLanes)
    buildPrefetches(b, first, lanes);
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!argument.use_empty() && isSameForAll(op, &operand))
      mapping.map(argument, buildArgument(b, operand, first, lanes));
  }
  // Draws depend on nothing of an element but its index.
  SmallVector<Value> draws;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isa<linalg::IndexOp>(inner))
      continue;
    if (auto draw = dyn_cast<StatelessDrawOpInterface>(&inner)) {
      draws.push_back(draw->getResult(0));
      mapping.map(draws.back(), buildDraw(b, draw, mapping, first, lanes));
    } else if (uniform.containsAll(inner.getResults())) {
      b.clone(inner, mapping);
    }
  }
  if (lanes <= kMaxLanes)
    return buildPart(b, mapping, first, lanes);
  for (int64_t start = 0; start < lanes; start += kMaxLanes) {
    IRMapping part = mapping;
    for (Value draw : draws)
      part.map(draw, vector::ExtractStridedSliceOp::create(
                         b, loc, mapping.lookup(draw), start, kMaxLanes, 1));
    Value position =
        start == 0 ? first
                   : arith::AddIOp::create(b, loc, first, buildIndex(b, start));
    buildPart(b, part, position, kMaxLanes);
  }
}

bool LoopBuilder::isWorthThreads() {
  std::optional<int64_t> size = getConstantIntValue(total);
  return (!size || *size >= kMinThreaded) &&
         !op->getParentOfType<LoopLikeOpInterface>();
}

Value LoopBuilder::buildLoop(OpBuilder &b, Value first, int64_t lanes,
                             bool parallel) {
  std::optional<int64_t> size = getConstantIntValue(total);
  std::optional<int64_t> start = getConstantIntValue(first);
  if (size && start && *size - *start < lanes)
    return first;
  Value end = total;
  if (lanes != 1 && size) {
    end = buildIndex(b, *size - *size % lanes);
  } else if (lanes != 1) {
    Value rest = arith::RemUIOp::create(b, loc, total, buildIndex(b, lanes));
    end = arith::SubIOp::create(b, loc, total, rest);
  }
  Value step = buildIndex(b, lanes);
  if (parallel) {
    auto loop = scf::ParallelOp::create(b, loc, first, end, step);
    OpBuilder body = OpBuilder::atBlockBegin(loop.getBody());
    buildElements(body, loop.getInductionVars().front(), lanes);
    return end;
  }
  auto loop = scf::ForOp::create(b, loc, first, end, step);
  OpBuilder body = OpBuilder::atBlockBegin(loop.getBody());
  buildElements(body, loop.getInductionVar(), lanes);
  return end;
}

namespace {
struct RngVectorizeDrawsPass
    : public rng::impl::RngVectorizeDrawsPassBase<RngVectorizeDrawsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<std::pair<linalg::LinalgOp, int64_t>> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (std::optional<int64_t> shared = findSharedLanes(op))
        ops.push_back({op, *shared});
    });
    for (auto [op, shared] : ops) {
      OpBuilder b(op);
      LoopBuilder loops(b, op);
      // Whole registers first, then whole stream blocks, then elements.
      Value next = arith::ConstantIndexOp::create(b, op.getLoc(), 0);
      for (int64_t blocks : {kVectorBlocks, kFewBlocks, int64_t(1)})
        if (blocks * shared != 1)
          next = loops.buildLoop(b, next, blocks * shared,
                                 parallel && blocks == kVectorBlocks &&
                                     loops.isWorthThreads());
      loops.buildLoop(b, next, 1, /*parallel=*/false);
      op->erase();
      ++numLoops;
    }
  }
};
} // namespace
