//===- ThreadableRegion.cpp - Regions that state passes ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface, and its models for the control flow of scf and affine.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/GeneratorEffects/ThreadableRegion.h"
#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "RngDialect/Transforms/GeneratorEffects/ThreadableRegion.cpp.inc"

using namespace mlir;
using namespace mlir::rng;

using RemapFn = function_ref<Value(Value)>;

//===----------------------------------------------------------------------===//
// Iteration spaces
//===----------------------------------------------------------------------===//

namespace {
/// One loop of an iteration domain: i64 or other integers, or index.
struct LoopRange {
  Value lower, upper, step;
  bool isUnsigned = false;
};
} // namespace

static Value createConstant(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
}

/// `value` as an i64, for arithmetic that cannot overflow in a narrow type.
static Value castToI64(OpBuilder &b, Location loc, Value value,
                       bool isUnsigned) {
  Type i64 = b.getI64Type();
  if (value.getType() == i64)
    return value;
  if (value.getType().isIndex())
    return b.createOrFold<arith::IndexCastOp>(loc, i64, value);
  if (value.getType().getIntOrFloatBitWidth() > 64)
    return b.createOrFold<arith::TruncIOp>(loc, i64, value);
  if (isUnsigned)
    return b.createOrFold<arith::ExtUIOp>(loc, i64, value);
  return b.createOrFold<arith::ExtSIOp>(loc, i64, value);
}

/// The number of iterations of `for (i = lower; i < upper; i += step)`, a step
/// of 0 counting as 1: what divides has to be defined for loops that never run.
static Value buildTripCountOf(OpBuilder &b, Location loc, LoopRange range) {
  Value lower = castToI64(b, loc, range.lower, range.isUnsigned);
  Value upper = castToI64(b, loc, range.upper, range.isUnsigned);
  Value step = castToI64(b, loc, range.step, range.isUnsigned);
  Value zero = createConstant(b, loc, 0), one = createConstant(b, loc, 1);
  Value isRun = b.createOrFold<arith::CmpIOp>(
      loc,
      range.isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt,
      lower, upper);
  Value distance = b.createOrFold<arith::SubIOp>(loc, upper, lower);
  step = b.createOrFold<arith::MaxUIOp>(loc, step, one);
  Value last = b.createOrFold<arith::SubIOp>(loc, distance, one);
  Value full = b.createOrFold<arith::DivUIOp>(loc, last, step);
  Value count = b.createOrFold<arith::AddIOp>(loc, full, one);
  return b.createOrFold<arith::SelectOp>(loc, isRun, count, zero);
}

static Value buildTripCountOf(OpBuilder &b, Location loc,
                              ArrayRef<LoopRange> ranges) {
  Value product;
  for (const LoopRange &range : ranges) {
    Value count = buildTripCountOf(b, loc, range);
    product =
        product ? b.createOrFold<arith::MulIOp>(loc, product, count) : count;
  }
  // A loop over no dimensions has one iteration.
  return product ? product : createConstant(b, loc, 1);
}

/// Row-major number of the point `ivs`. `outer` builds before the loop.
static Value buildNumberOf(OpBuilder &outer, OpBuilder &b, Location loc,
                           ArrayRef<LoopRange> ranges, ValueRange ivs) {
  Value number;
  for (auto [range, iv] : llvm::zip_equal(ranges, ivs)) {
    Value lower = castToI64(outer, loc, range.lower, range.isUnsigned);
    Value step = castToI64(outer, loc, range.step, range.isUnsigned);
    Value position = b.createOrFold<arith::SubIOp>(
        loc, castToI64(b, loc, iv, range.isUnsigned), lower);
    position = b.createOrFold<arith::DivUIOp>(loc, position, step);
    if (number) {
      Value count = buildTripCountOf(outer, loc, range);
      number = b.createOrFold<arith::AddIOp>(
          loc, b.createOrFold<arith::MulIOp>(loc, number, count), position);
    } else {
      number = position;
    }
  }
  return number ? number : createConstant(b, loc, 0);
}

/// The product of trip counts, mod 2^64, if all are constant or one is 0.
static std::optional<uint64_t>
multiplyTripCounts(ArrayRef<std::optional<uint64_t>> counts) {
  uint64_t product = 1;
  if (llvm::is_contained(counts, uint64_t(0)))
    return 0;
  for (std::optional<uint64_t> count : counts) {
    if (!count)
      return std::nullopt;
    product *= *count;
  }
  return product;
}

static std::optional<uint64_t>
getTripCountOf(OpFoldResult lower, OpFoldResult upper, OpFoldResult step) {
  std::optional<int64_t> l = getConstantIntValue(lower);
  std::optional<int64_t> u = getConstantIntValue(upper);
  std::optional<int64_t> s = getConstantIntValue(step);
  if (!l || !u || !s || *s <= 0)
    return std::nullopt;
  if (*l >= *u)
    return 0;
  uint64_t distance = static_cast<uint64_t>(*u) - static_cast<uint64_t>(*l);
  return (distance - 1) / static_cast<uint64_t>(*s) + 1;
}

//===----------------------------------------------------------------------===//
// Ops with more operands, results and block arguments
//===----------------------------------------------------------------------===//

/// `op` with i more results, without the bodies of its regions. `carried` gives
/// the types, and with `isOperand` the operands, appended to the last group.
static OperationState getWidenedState(Operation *op, ValueRange carried,
                                      bool isOperand) {
  SmallVector<Value> operands(op->getOperands());
  if (isOperand)
    llvm::append_range(operands, carried);
  SmallVector<Type> types(op->getResultTypes());
  llvm::append_range(types, carried.getTypes());
  OperationState state(op->getLoc(), op->getName(), operands, types,
                       op->getAttrs());
  for (unsigned i = 0, e = op->getNumRegions(); i != e; ++i)
    state.addRegion();
  return state;
}

/// Moves the regions of `op` to `widened` and threads them, each from new
/// arguments of its entry block on (with `hasArguments`), or from `carried`.
static Operation *replaceByWidened(RewriterBase &rewriter, Operation *op,
                                   Operation *widened, ValueRange carried,
                                   bool hasArguments, ThreadRegionFn thread) {
  SmallVector<Location> locs(carried.size(), op->getLoc());
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), widened->getRegions())) {
    to.takeBody(from);
    if (hasArguments)
      to.front().addArguments(carried.getTypes(), locs);
  }
  rewriter.replaceOp(op, widened->getResults().take_front(op->getNumResults()));
  for (Region &region : widened->getRegions()) {
    if (hasArguments)
      thread(region, region.front().getArguments().take_back(carried.size()));
    else
      thread(region, carried);
  }
  return widened;
}

namespace {

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

template <typename OpTy, typename YieldTy>
struct BranchModel : public ThreadableRegionOpInterface::ExternalModel<
                         BranchModel<OpTy, YieldTy>, OpTy> {
  RegionExecution getRegionExecution(Operation *) const {
    return RegionExecution::OneOf;
  }

  Operation *carryValues(Operation *op, RewriterBase &rewriter,
                         ValueRange carried, ThreadRegionFn thread) const {
    OpBuilder::InsertionGuard guard(rewriter);
    // What is not there does nothing: the carried values pass unchanged.
    for (Region &region : op->getRegions())
      if (region.empty()) {
        rewriter.createBlock(&region);
        YieldTy::create(rewriter, op->getLoc());
      }
    rewriter.setInsertionPoint(op);
    Operation *widened =
        rewriter.create(getWidenedState(op, carried, /*isOperand=*/false));
    return replaceByWidened(rewriter, op, widened, carried,
                            /*hasArguments=*/false, thread);
  }
};

//===----------------------------------------------------------------------===//
// Sequential loops
//===----------------------------------------------------------------------===//

/// A loop whose last operands are the values that it carries.
template <typename Model, typename OpTy>
struct CarryingLoopModel
    : public ThreadableRegionOpInterface::ExternalModel<Model, OpTy> {
  Operation *carryValues(Operation *op, RewriterBase &rewriter,
                         ValueRange carried, ThreadRegionFn thread) const {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    Operation *widened =
        rewriter.create(getWidenedState(op, carried, /*isOperand=*/true));
    return replaceByWidened(rewriter, op, widened, carried,
                            /*hasArguments=*/true, thread);
  }
};

struct ForModel : public CarryingLoopModel<ForModel, scf::ForOp> {
  RegionExecution getRegionExecution(Operation *) const {
    return RegionExecution::Counted;
  }
  std::optional<uint64_t> getConstantTripCount(Operation *op) const {
    std::optional<APInt> count = cast<scf::ForOp>(op).getStaticTripCount();
    if (!count || count->getActiveBits() > 64)
      return std::nullopt;
    return count->getZExtValue();
  }
  bool hasTripCount(Operation *op) const {
    Type type = cast<scf::ForOp>(op).getLowerBound().getType();
    return type.isIndex() || type.getIntOrFloatBitWidth() <= 64;
  }
  SmallVector<Value> getTripCountOperands(Operation *op) const {
    auto loop = cast<scf::ForOp>(op);
    return {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  }
  Value buildTripCount(Operation *op, OpBuilder &b, RemapFn remap) const {
    auto loop = cast<scf::ForOp>(op);
    return buildTripCountOf(b, op->getLoc(),
                            {remap(loop.getLowerBound()),
                             remap(loop.getUpperBound()), remap(loop.getStep()),
                             loop.getUnsignedCmp()});
  }
};

struct WhileModel : public CarryingLoopModel<WhileModel, scf::WhileOp> {
  RegionExecution getRegionExecution(Operation *) const {
    return RegionExecution::Uncounted;
  }
};

//===----------------------------------------------------------------------===//
// Loops of affine
//===----------------------------------------------------------------------===//

/// The bound that `map` is, the largest or the smallest of its results.
Value buildBound(OpBuilder &b, Location loc, AffineMap map, ValueRange operands,
                 bool isLower, RemapFn remap) {
  SmallVector<Value> mapped = llvm::map_to_vector(operands, remap);
  if (map.getNumResults() == 1)
    return affine::AffineApplyOp::create(b, loc, map, mapped);
  if (isLower)
    return affine::AffineMaxOp::create(b, loc, map, mapped);
  return affine::AffineMinOp::create(b, loc, map, mapped);
}

struct AffineForModel
    : public ThreadableRegionOpInterface::ExternalModel<AffineForModel,
                                                        affine::AffineForOp> {
  RegionExecution getRegionExecution(Operation *) const {
    return RegionExecution::Counted;
  }
  std::optional<uint64_t> getConstantTripCount(Operation *op) const {
    auto loop = cast<affine::AffineForOp>(op);
    if (!loop.hasConstantBounds())
      return std::nullopt;
    Builder b(op->getContext());
    return getTripCountOf(b.getIndexAttr(loop.getConstantLowerBound()),
                          b.getIndexAttr(loop.getConstantUpperBound()),
                          b.getIndexAttr(loop.getStepAsInt()));
  }
  bool hasTripCount(Operation *) const { return true; }
  SmallVector<Value> getTripCountOperands(Operation *op) const {
    auto loop = cast<affine::AffineForOp>(op);
    SmallVector<Value> operands(loop.getLowerBoundOperands());
    llvm::append_range(operands, loop.getUpperBoundOperands());
    return operands;
  }
  Value buildTripCount(Operation *op, OpBuilder &b, RemapFn remap) const {
    auto loop = cast<affine::AffineForOp>(op);
    Location loc = op->getLoc();
    Value lower = buildBound(b, loc, loop.getLowerBoundMap(),
                             loop.getLowerBoundOperands(), true, remap);
    Value upper = buildBound(b, loc, loop.getUpperBoundMap(),
                             loop.getUpperBoundOperands(), false, remap);
    Value step = createConstant(b, loc, loop.getStepAsInt());
    return buildTripCountOf(b, loc, {lower, upper, step});
  }
  Operation *carryValues(Operation *op, RewriterBase &rewriter,
                         ValueRange carried, ThreadRegionFn thread) const {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    auto loop = cast<affine::AffineForOp>(op);
    SmallVector<Value> inits(loop.getInits());
    llvm::append_range(inits, carried);
    auto widened = affine::AffineForOp::create(
        rewriter, op->getLoc(), loop.getLowerBoundOperands(),
        loop.getLowerBoundMap(), loop.getUpperBoundOperands(),
        loop.getUpperBoundMap(), loop.getStepAsInt(), inits,
        [](OpBuilder &, Location, Value, ValueRange) {});
    widened->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    return replaceByWidened(rewriter, op, widened, carried,
                            /*hasArguments=*/true, thread);
  }
};

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

/// A loop that says its ranges and induction variables.
template <typename Model, typename OpTy>
struct ParallelModelBase
    : public ThreadableRegionOpInterface::ExternalModel<Model, OpTy> {
  RegionExecution getRegionExecution(Operation *) const {
    return RegionExecution::Parallel;
  }
  bool hasTripCount(Operation *) const { return true; }
  Value buildTripCount(Operation *op, OpBuilder &b, RemapFn remap) const {
    return buildTripCountOf(b, op->getLoc(),
                            Model::getRanges(cast<OpTy>(op), b, remap));
  }
  Value buildIterationNumber(Operation *op, OpBuilder &b) const {
    OpBuilder outer(op);
    SmallVector<LoopRange> ranges = Model::getRanges(
        cast<OpTy>(op), outer, [](Value value) { return value; });
    return buildNumberOf(outer, b, op->getLoc(), ranges,
                         Model::getInductionVars(cast<OpTy>(op)));
  }
};

/// A loop whose bounds are operands or constants.
struct LoopBounds {
  OpFoldResult lower, upper, step;
};

template <typename Model, typename OpTy>
struct SCFParallelModelBase : public ParallelModelBase<Model, OpTy> {
  static SmallVector<LoopRange> getRanges(OpTy op, OpBuilder &b,
                                          RemapFn remap) {
    auto getValue = [&](OpFoldResult bound) -> Value {
      if (auto value = dyn_cast<Value>(bound))
        return remap(value);
      return createConstant(b, op.getLoc(), *getConstantIntValue(bound));
    };
    return llvm::map_to_vector(Model::getBounds(op), [&](LoopBounds bounds) {
      return LoopRange{getValue(bounds.lower), getValue(bounds.upper),
                       getValue(bounds.step)};
    });
  }
  std::optional<uint64_t> getConstantTripCount(Operation *op) const {
    SmallVector<std::optional<uint64_t>> counts;
    for (const LoopBounds &bounds : Model::getBounds(cast<OpTy>(op)))
      counts.push_back(getTripCountOf(bounds.lower, bounds.upper, bounds.step));
    return multiplyTripCounts(counts);
  }
  SmallVector<Value> getTripCountOperands(Operation *op) const {
    SmallVector<Value> operands;
    for (const LoopBounds &bounds : Model::getBounds(cast<OpTy>(op)))
      for (OpFoldResult bound : {bounds.lower, bounds.upper, bounds.step})
        if (auto value = dyn_cast<Value>(bound))
          operands.push_back(value);
    return operands;
  }
};

struct ParallelModel
    : public SCFParallelModelBase<ParallelModel, scf::ParallelOp> {
  static ValueRange getInductionVars(scf::ParallelOp op) {
    return op.getBody()->getArguments().take_front(op.getNumLoops());
  }
  static SmallVector<LoopBounds> getBounds(scf::ParallelOp op) {
    SmallVector<LoopBounds> bounds;
    for (auto [lower, upper, step] :
         llvm::zip_equal(op.getLowerBound(), op.getUpperBound(), op.getStep()))
      bounds.push_back({lower, upper, step});
    return bounds;
  }
};

struct ForallModel : public SCFParallelModelBase<ForallModel, scf::ForallOp> {
  static ValueRange getInductionVars(scf::ForallOp op) {
    return op.getBody()->getArguments().take_front(op.getRank());
  }
  static SmallVector<LoopBounds> getBounds(scf::ForallOp op) {
    SmallVector<LoopBounds> bounds;
    for (auto [lower, upper, step] :
         llvm::zip_equal(op.getMixedLowerBound(), op.getMixedUpperBound(),
                         op.getMixedStep()))
      bounds.push_back({lower, upper, step});
    return bounds;
  }
};

struct AffineParallelModel
    : public ParallelModelBase<AffineParallelModel, affine::AffineParallelOp> {
  static ValueRange getInductionVars(affine::AffineParallelOp op) {
    return op.getIVs();
  }
  static SmallVector<LoopRange> getRanges(affine::AffineParallelOp op,
                                          OpBuilder &b, RemapFn remap) {
    SmallVector<LoopRange> ranges;
    SmallVector<int64_t> steps = op.getSteps();
    for (unsigned i = 0, e = op.getNumDims(); i != e; ++i) {
      Value lower = buildBound(b, op.getLoc(), op.getLowerBoundMap(i),
                               op.getLowerBoundsOperands(), true, remap);
      Value upper = buildBound(b, op.getLoc(), op.getUpperBoundMap(i),
                               op.getUpperBoundsOperands(), false, remap);
      ranges.push_back(
          {lower, upper, createConstant(b, op.getLoc(), steps[i])});
    }
    return ranges;
  }
  std::optional<uint64_t> getConstantTripCount(Operation *op) const {
    auto loop = cast<affine::AffineParallelOp>(op);
    Builder b(op->getContext());
    SmallVector<std::optional<uint64_t>> counts;
    SmallVector<int64_t> steps = loop.getSteps();
    for (unsigned i = 0, e = loop.getNumDims(); i != e; ++i) {
      AffineMap lower = loop.getLowerBoundMap(i);
      AffineMap upper = loop.getUpperBoundMap(i);
      if (!lower.isSingleConstant() || !upper.isSingleConstant())
        return std::nullopt;
      counts.push_back(
          getTripCountOf(b.getIndexAttr(lower.getSingleConstantResult()),
                         b.getIndexAttr(upper.getSingleConstantResult()),
                         b.getIndexAttr(steps[i])));
    }
    return multiplyTripCounts(counts);
  }
  SmallVector<Value> getTripCountOperands(Operation *op) const {
    return SmallVector<Value>(op->getOperands());
  }
};

} // namespace

void mlir::rng::registerThreadableRegionModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    using Yield = scf::YieldOp;
    scf::IfOp::attachInterface<BranchModel<scf::IfOp, Yield>>(*context);
    scf::IndexSwitchOp::attachInterface<BranchModel<scf::IndexSwitchOp, Yield>>(
        *context);
    scf::ExecuteRegionOp::attachInterface<
        BranchModel<scf::ExecuteRegionOp, Yield>>(*context);
    scf::ForOp::attachInterface<ForModel>(*context);
    scf::WhileOp::attachInterface<WhileModel>(*context);
    scf::ParallelOp::attachInterface<ParallelModel>(*context);
    scf::ForallOp::attachInterface<ForallModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, affine::AffineDialect *) {
    affine::AffineIfOp::attachInterface<
        BranchModel<affine::AffineIfOp, affine::AffineYieldOp>>(*context);
    affine::AffineForOp::attachInterface<AffineForModel>(*context);
    affine::AffineParallelOp::attachInterface<AffineParallelModel>(*context);
  });
}
