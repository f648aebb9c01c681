//===- LowerReductions.cpp - Reductions as loops of the host ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  linalg ops on buffers with reductions that may be reordered.
// Out: loops of the host with 256 partial results, which LLVM vectorises.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/BuffersToLoops/Passes.h"
#include "RngDialect/Conversion/Structured/ReductionOrder.h"
#include "RngDialect/Conversion/Structured/StructuredBodies.h"
#include "RngDialect/Transforms/Support/DeviceCode.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGLOWERREDUCTIONSPASS
#include "RngDialect/Conversion/BuffersToLoops/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::structured;

/// Alignment of the lanes, in bytes: that of the widest vector registers.
static constexpr int64_t kAlignment = 64;

static Value buildIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

namespace {
/// Builds the loops of one reduction.
class LaneLoops {
public:
  LaneLoops(OpBuilder &b, const LaneReduction &reduction, Value lanes)
      : reduction(reduction), loc(reduction.op.getLoc()), lanes(lanes),
        sizes(buildLoopSizes(b, reduction.op)), indices(sizes.size()) {}

  void build(OpBuilder &b) {
    zero = buildIndex(b, loc, 0);
    one = buildIndex(b, loc, 1);
    numLanes = buildIndex(b, loc, kReductionLanes);
    Value count = one;
    for (unsigned dim : reduction.reductions)
      count = b.createOrFold<arith::MulIOp>(
          loc, count, getValueOrCreateConstantIndexOp(b, loc, sizes[dim]));
    // Not in the loops, where LLVM may not see that it is always the same.
    used = b.createOrFold<arith::MinUIOp>(loc, count, numLanes);
    firstStep = buildFirstStep(b);
    buildLoops(b, loc, reduction.parallel, sizes, indices, {},
               [&](OpBuilder &b, ValueRange) -> SmallVector<Value> {
                 buildResult(b, count);
                 return {};
               });
  }

private:
  /// One result, of `count` values.
  void buildResult(OpBuilder &b, Value count) {
    OpBuilder::InsertionGuard guard(b);
    if (reduction.mayBeTiny()) {
      SmallVector<int64_t> counts = llvm::to_vector(llvm::seq(kTinyCount + 1));
      auto cases =
          scf::IndexSwitchOp::create(b, loc, TypeRange(), count, counts,
                                     static_cast<unsigned>(counts.size()));
      for (int64_t known : counts) {
        b.setInsertionPointToStart(
            &cases.getCaseRegions()[known].emplaceBlock());
        reduction.buildUnrolled(b, indices, known);
        scf::YieldOp::create(b, loc);
      }
      b.setInsertionPointToStart(&cases.getDefaultRegion().emplaceBlock());
      scf::YieldOp::create(b, loc);
      b.setInsertionPointToStart(&cases.getDefaultRegion().front());
    } else if (!reduction.getStaticCount()) {
      Value some =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, count, zero);
      auto branch = scf::IfOp::create(b, loc, some, /*withElseRegion=*/false);
      b.setInsertionPointToStart(branch.thenBlock());
    } else if (*reduction.getStaticCount() == 0) {
      return;
    }
    ArrayRef<unsigned> outer = ArrayRef(reduction.reductions).drop_back();
    if (outer.empty()) {
      buildRow(b, count);
    } else {
      buildLoops(b, loc, outer, sizes, indices, {},
                 [&](OpBuilder &b, ValueRange) -> SmallVector<Value> {
                   buildShiftedRow(b, outer);
                   return {};
                 });
    }
    buildTree(b);
    Value total = memref::LoadOp::create(b, loc, lanes, zero);
    reduction.storeResult(b, indices, total);
  }

  /// All values: one loop of `count` points.
  void buildRow(OpBuilder &b, Value count) {
    Value first = b.createOrFold<arith::MinUIOp>(loc, count, numLanes);
    buildLanes(b, zero, first, zero, /*isFirst=*/true);
    auto loop = scf::ForOp::create(b, loc, numLanes, count, numLanes);
    OpBuilder inner(loop.getBody()->getTerminator());
    Value start = loop.getInductionVar();
    Value left = arith::SubIOp::create(inner, loc, count, start);
    Value upper = arith::MinUIOp::create(inner, loc, left, numLanes);
    buildLanes(inner, zero, upper, start, /*isFirst=*/false);
  }

  /// The values of the innermost loop, which start anywhere among the lanes.
  void buildShiftedRow(OpBuilder &b, ArrayRef<unsigned> outer) {
    Value row = zero;
    for (unsigned dim : outer) {
      Value size = getValueOrCreateConstantIndexOp(b, loc, sizes[dim]);
      row = b.createOrFold<arith::MulIOp>(loc, row, size);
      row = b.createOrFold<arith::AddIOp>(loc, row, indices[dim]);
    }
    Value size = getValueOrCreateConstantIndexOp(b, loc, sizes.back());
    Value begin = arith::MulIOp::create(b, loc, row, size);
    Value end = arith::AddIOp::create(b, loc, begin, size);
    // In turns: of all lanes, from the multiple of their number below.
    Value shift = arith::RemUIOp::create(b, loc, begin, numLanes);
    Value from = arith::SubIOp::create(b, loc, begin, shift);
    auto loop = scf::ForOp::create(b, loc, from, end, numLanes);
    OpBuilder inner(loop.getBody()->getTerminator());
    Value turn = loop.getInductionVar();
    Value lower = arith::MaxUIOp::create(inner, loc, begin, turn);
    lower = arith::SubIOp::create(inner, loc, lower, turn);
    Value upper = arith::SubIOp::create(inner, loc, end, turn);
    upper = arith::MinUIOp::create(inner, loc, upper, numLanes);
    Value start = arith::SubIOp::create(inner, loc, turn, begin);
    Value isFirst =
        arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::eq, turn, zero);
    auto branch = scf::IfOp::create(inner, loc, isFirst, /*else=*/true);
    inner.setInsertionPointToStart(branch.thenBlock());
    buildLanes(inner, lower, upper, start, /*isFirst=*/true);
    inner.setInsertionPointToStart(branch.elseBlock());
    buildLanes(inner, lower, upper, start, /*isFirst=*/false);
  }

  /// Lanes `lower` to `upper` take one value each, lane l that at l + `start`
  /// of the innermost loop. Vectors for LLVM to make.
  void buildLanes(OpBuilder &b, Value lower, Value upper, Value start,
                  bool isFirst) {
    auto loop = scf::ForOp::create(b, loc, lower, upper, one);
    OpBuilder inner(loop.getBody()->getTerminator());
    Value lane = loop.getInductionVar();
    indices.back() = inner.createOrFold<arith::AddIOp>(loc, lane, start);
    Value value = reduction.buildValue(inner, indices);
    if (!isFirst) {
      Value old = memref::LoadOp::create(inner, loc, lanes, lane);
      value = reduction.combine(inner, old, value);
    }
    memref::StoreOp::create(inner, loc, value, lanes, lane);
  }

  /// The step of the tree whose stride is the largest below `used`: those
  /// before it have no pairs.
  Value buildFirstStep(OpBuilder &b) {
    if (std::optional<int64_t> known = getConstantIntValue(used))
      return buildIndex(b, loc,
                        llvm::Log2_64(kReductionLanes) -
                            llvm::Log2_64_Ceil(std::max<int64_t>(*known, 1)));
    Value first = zero;
    for (int64_t stride = kReductionLanes / 2; stride > 0; stride /= 2) {
      Value none = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule,
                                         used, buildIndex(b, loc, stride));
      none = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), none);
      first = b.createOrFold<arith::AddIOp>(loc, first, none);
    }
    return first;
  }

  /// Combines the `used` lanes, more than none.
  void buildTree(OpBuilder &b) {
    Value steps = buildIndex(b, loc, llvm::Log2_64(kReductionLanes));
    Value widest = buildIndex(b, loc, kReductionLanes / 2);
    auto loop = scf::ForOp::create(b, loc, firstStep, steps, one);
    OpBuilder step(loop.getBody()->getTerminator());
    Value stride =
        arith::ShRUIOp::create(step, loc, widest, loop.getInductionVar());
    Value pairs = buildPairCount(step, loc, used, stride);
    auto pairLoop = scf::ForOp::create(step, loc, zero, pairs, one);
    OpBuilder inner(pairLoop.getBody()->getTerminator());
    Value lane = pairLoop.getInductionVar();
    Value other = arith::AddIOp::create(inner, loc, lane, stride);
    Value left = memref::LoadOp::create(inner, loc, lanes, lane);
    Value right = memref::LoadOp::create(inner, loc, lanes, other);
    memref::StoreOp::create(inner, loc, reduction.combine(inner, left, right),
                            lanes, lane);
  }

  const LaneReduction &reduction;
  Location loc;
  Value lanes;
  SmallVector<OpFoldResult> sizes;
  SmallVector<Value> indices;
  Value zero, one, numLanes, used, firstStep;
};

struct RngLowerReductionsPass
    : public rng::impl::RngLowerReductionsPassBase<RngLowerReductionsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<LaneReduction> reductions;
    getOperation()->walk([&](linalg::LinalgOp op) {
      // The lanes are on the stack of a host function: threads of a kernel of
      // the program do without.
      if (!op.hasPureBufferSemantics() ||
          !op->getParentOfType<FunctionOpInterface>() || isInDeviceCode(op))
        return;
      if (std::optional<LaneReduction> reduction = matchLaneReduction(op))
        reductions.push_back(*reduction);
    });
    // Reductions follow each other, so that one of a type can use the lanes of
    // another one.
    DenseMap<std::pair<Operation *, Type>, Value> lanes;
    for (const LaneReduction &reduction : reductions) {
      lower(reduction, lanes);
      ++numReductions;
    }
  }

private:
  static void lower(const LaneReduction &reduction,
                    DenseMap<std::pair<Operation *, Type>, Value> &lanes) {
    OpBuilder b(reduction.op);
    Location loc = reduction.op.getLoc();
    if (reduction.isShort()) {
      SmallVector<OpFoldResult> sizes = buildLoopSizes(b, reduction.op);
      SmallVector<Value> indices(sizes.size());
      buildLoops(b, loc, reduction.parallel, sizes, indices, {},
                 [&](OpBuilder &b, ValueRange) -> SmallVector<Value> {
                   reduction.buildUnrolled(b, indices);
                   return {};
                 });
    } else {
      auto function = reduction.op->getParentOfType<FunctionOpInterface>();
      Value &buffer = lanes[{function, reduction.getType()}];
      if (!buffer) {
        // Not in a loop, where the stack would grow.
        Block &entry = function.getFunctionBody().front();
        OpBuilder atEntry(&entry, entry.begin());
        buffer = memref::AllocaOp::create(
            atEntry, loc,
            MemRefType::get({kReductionLanes}, reduction.getType()),
            b.getI64IntegerAttr(kAlignment));
      }
      LaneLoops(b, reduction, buffer).build(b);
    }
    reduction.op->erase();
  }
};
} // namespace
