//===- FuseRows.cpp - Reductions of rows and what is by them ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  linalg.generic ops on tensors, after rng-fuse-elementwise.
// Out: an scf.forall over rows around each group of reductions of rows and what
//      is by them.
//
// Finds groups as rng-fuse-elementwise does, but by row instead of by element:
// the iteration domain of an op is that of its outermost loops, and what it
// reads must be of its own row. A group becomes a loop over rows around its
// ops, of which each does one row.
//
//===----------------------------------------------------------------------===//

#include "FusionGroups.h"
#include "LoopSizes.h"
#include "RngDialect/Conversion/LinalgFusion/Passes.h"
#include "RngDialect/Transforms/Support/Reasons.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <set>

namespace mlir::rng {
#define GEN_PASS_DEF_RNGFUSEROWSPASS
#include "RngDialect/Conversion/LinalgFusion/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::fusion;

static constexpr StringLiteral kPass = "rng-fuse-rows";

/// As many dimensions as a grid has.
static constexpr unsigned kMaxRowLoops = 3;

/// A loop over fewer rows than this, which are longer than that, leaves most of
/// a GPU idle.
static constexpr int64_t kFewRows = 32;
static constexpr int64_t kLongRow = 8192;

//===----------------------------------------------------------------------===//
// Fusion groups
//===----------------------------------------------------------------------===//

/// If `op` reduces each of its rows to one element of each result, the number
/// of loops over the rows, which are its outermost.
static std::optional<unsigned> getRowReduction(linalg::GenericOp op) {
  unsigned numRows = op.getNumParallelLoops();
  if (!op.hasPureTensorSemantics() || op->getNumResults() == 0 ||
      numRows == 0 || numRows > kMaxRowLoops || op.getNumReductionLoops() == 0)
    return std::nullopt;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  if (!llvm::all_of(ArrayRef(iterators).take_front(numRows),
                    linalg::isParallelIterator))
    return std::nullopt;
  AffineMap row =
      AffineMap::getMultiDimIdentityMap(op.getNumLoops(), op.getContext())
          .getMajorSubMap(numRows);
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.getMatchingIndexingMap(&init) != row)
      return std::nullopt;
  return numRows;
}

/// Whether the first `numRows` dimensions of what `operand` reads are those of
/// the row, and the others do not depend on it.
static bool readsOwnRow(OpOperand &operand, unsigned numRows) {
  auto op = cast<linalg::GenericOp>(operand.getOwner());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (map.getNumResults() < numRows)
    return false;
  for (auto [position, result] : llvm::enumerate(map.getResults())) {
    if (position < numRows) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim || dim.getPosition() != position)
        return false;
      continue;
    }
    for (unsigned row = 0; row < numRows; ++row)
      if (result.isFunctionOfDim(row))
        return false;
  }
  return true;
}

/// The number of points of loops of these sizes, null if not known. No more
/// than some large number.
static std::optional<int64_t> countPoints(ArrayRef<int64_t> sizes) {
  int64_t points = 1;
  for (int64_t size : sizes) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    if (llvm::MulOverflow(points, size, points))
      return std::numeric_limits<int64_t>::max();
  }
  return points;
}

/// Whether a loop over the rows of `op` is known to keep few threads busy.
static bool hasFewLongRows(linalg::GenericOp op, unsigned numRows) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  std::optional<int64_t> rows =
      countPoints(ArrayRef(sizes).take_front(numRows));
  std::optional<int64_t> row = countPoints(ArrayRef(sizes).drop_front(numRows));
  return rows && row && *rows<kFewRows && * row> kLongRow;
}

/// Whether `op` is known to have no points. Slices of its operands do not
/// verify: they have no first element.
static bool isEmpty(linalg::GenericOp op) {
  return llvm::is_contained(op.getStaticLoopRanges(), 0);
}

/// Whether rows of what `op` makes can be memory of their own in a kernel.
static bool hasPlainResults(linalg::GenericOp op) {
  return llvm::all_of(op->getResultTypes(), [](Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return !tensor.getEncoding() &&
           tensor.getElementType().isIntOrIndexOrFloat();
  });
}

/// Why `group` is no better in a loop over its rows, the first `rows` loops of
/// its ops; empty if it is.
static StringRef explainNoLoop(const FusionGroup &group, unsigned rows) {
  auto isReduction = [](linalg::GenericOp op) {
    return getRowReduction(op).has_value();
  };
  auto isRow = [&](linalg::GenericOp op) {
    return !isReduction(op) && op.getNumLoops() > rows;
  };
  int64_t numReductions = llvm::count_if(group.members, isReduction);
  if (numReductions == 0)
    return "nothing is reduced of the rows";
  // Statistics of one row alone are no better in a loop.
  if (numReductions == 1 && llvm::none_of(group.members, isRow))
    return "a single reduction makes all that is of a row";
  if (llvm::any_of(group.members, isEmpty))
    return "there are no rows, or they have no elements";
  if (llvm::any_of(group.members, [&](linalg::GenericOp op) {
        return hasFewLongRows(op, rows);
      }))
    return "the rows are few and long, which keeps few threads busy";
  return "";
}

namespace {
using Domain = SmallVector<unsigned>;

/// The fusion groups of a basic block, and how many of their loops are over
/// rows.
struct RowGroups {
  explicit RowGroups(Block &block, FusionLimits limits);

  SmallVector<std::pair<FusionGroup, unsigned>> groups;

private:
  std::optional<Domain> getDomain(linalg::GenericOp op);

  LoopSizes sizes;
  /// Of the reductions of the basic block.
  std::set<Domain> domains;
  DenseMap<Operation *, unsigned> numRows;
};
} // namespace

/// A reduction has the iteration domain of its rows; an elementwise op that of
/// the smallest rows that a reduction has.
std::optional<Domain> RowGroups::getDomain(linalg::GenericOp op) {
  if ((!getRowReduction(op) && !isElementwise(op)) || !hasPlainResults(op))
    return std::nullopt;
  Domain domain = sizes.getLoops(op);
  domain.truncate(std::min<size_t>(domain.size(), kMaxRowLoops));
  if (std::optional<unsigned> rows = getRowReduction(op))
    domain.truncate(*rows);
  while (!domain.empty() && !domains.count(domain))
    domain.pop_back();
  if (domain.empty())
    return std::nullopt;
  numRows[op] = domain.size();
  return domain;
}

RowGroups::RowGroups(Block &block, FusionLimits limits) : sizes(block) {
  for (auto op : block.getOps<linalg::GenericOp>())
    if (std::optional<unsigned> rows = getRowReduction(op)) {
      Domain domain = sizes.getLoops(op);
      domain.truncate(*rows);
      domains.insert(std::move(domain));
    }
  if (domains.empty())
    return;
  FusionRules rules;
  rules.getDomain = [&](linalg::GenericOp op) { return getDomain(op); };
  rules.readsOwnPoint = [&](OpOperand &operand) {
    return readsOwnRow(operand, numRows.lookup(operand.getOwner()));
  };
  rules.connects = [&](OpOperand &operand) {
    unsigned rows = numRows.lookup(operand.getOwner());
    return readsOwnRow(operand, rows) &&
           cast<ShapedType>(operand.get().getType()).getRank() > rows;
  };
  rules.fusesProducers = false;
  rules.pass = kPass;
  rules.memberKind = "a reduction of rows or an elementwise op on them";
  rules.limits = limits;
  for (FusionGroup &group : planFusionGroups(block, rules)) {
    unsigned rows = numRows.lookup(group.members.front());
    StringRef reason = explainNoLoop(group, rows);
    if (reason.empty())
      groups.emplace_back(std::move(group), rows);
    else
      reportMissed(group.members.back(), kPass, "NoRowLoop", reason);
  }
}

//===----------------------------------------------------------------------===//
// The loop over rows
//===----------------------------------------------------------------------===//

namespace {
class RowBuilder {
public:
  RowBuilder(RewriterBase &rewriter, const FusionGroup &group,
             unsigned numRows);

  void build();

private:
  /// Of a slice; all strides are 1.
  struct Slice {
    SmallVector<OpFoldResult> offsets, sizes, strides;
  };

  linalg::GenericOp getInsideOp(Value value) const;
  Value getRoot(OpResult result) const;
  OpFoldResult addSize(linalg::GenericOp op, unsigned loop);
  Slice getResultSlice(linalg::GenericOp op, OpOperand &init) const;
  Value addInput(linalg::GenericOp op, OpOperand &operand);
  Value addDestination(linalg::GenericOp op, OpOperand &init, Value whole);
  linalg::GenericOp addRow(linalg::GenericOp op, ArrayRef<Value> wholes);
  void addBody(scf::ForallOp loop, ArrayRef<OpResult> results);

  RewriterBase &rewriter;
  const FusionGroup &group;
  unsigned numRows;
  llvm::SmallPtrSet<Operation *, 16> inside;
  /// Of the loops of each op.
  DenseMap<Operation *, SmallVector<OpFoldResult>> sizes;
  /// The loop's variables.
  SmallVector<Value> rows;
  /// The row of each tensor of the group.
  DenseMap<Value, Value> values;
};
} // namespace

RowBuilder::RowBuilder(RewriterBase &rewriter, const FusionGroup &group,
                       unsigned numRows)
    : rewriter(rewriter), group(group), numRows(numRows) {
  for (linalg::GenericOp op : group.members)
    inside.insert(op);
}

linalg::GenericOp RowBuilder::getInsideOp(Value value) const {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  return op && inside.contains(op) ? op : nullptr;
}

/// The tensor into whose memory `result` goes: its destination, or that of
/// what the group puts there before.
Value RowBuilder::getRoot(OpResult result) const {
  while (true) {
    auto op = cast<linalg::GenericOp>(result.getOwner());
    Value init = op.getDpsInits()[result.getResultNumber()];
    if (!getInsideOp(init))
      return init;
    result = cast<OpResult>(init);
  }
}

/// The size of a loop of `op`, from what is not made in the group.
OpFoldResult RowBuilder::addSize(linalg::GenericOp op, unsigned loop) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    for (auto [dim, result] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto expr = dyn_cast<AffineDimExpr>(result);
      if (!expr || expr.getPosition() != loop)
        continue;
      if (!type.isDynamicDim(dim))
        return rewriter.getIndexAttr(type.getDimSize(dim));
      Value source = operand.get();
      if (getInsideOp(source))
        source = getRoot(cast<OpResult>(source));
      if (auto empty = source.getDefiningOp<tensor::EmptyOp>())
        return empty.getDynamicSize(dim);
      return tensor::DimOp::create(rewriter, op.getLoc(), source, dim)
          .getResult();
    }
  }
  llvm_unreachable("linalg ops know the sizes of their loops");
}

/// Where the row of `op` is in the result for `init`.
RowBuilder::Slice RowBuilder::getResultSlice(linalg::GenericOp op,
                                             OpOperand &init) const {
  Slice slice;
  for (AffineExpr result : op.getMatchingIndexingMap(&init).getResults()) {
    unsigned loop = cast<AffineDimExpr>(result).getPosition();
    bool isRow = loop < numRows;
    slice.offsets.push_back(isRow ? OpFoldResult(rows[loop])
                                  : rewriter.getIndexAttr(0));
    slice.sizes.push_back(isRow ? rewriter.getIndexAttr(1)
                                : sizes.find(op)->second[loop]);
    slice.strides.push_back(rewriter.getIndexAttr(1));
  }
  return slice;
}

/// What the row of `op` reads through `operand`.
Value RowBuilder::addInput(linalg::GenericOp op, OpOperand &operand) {
  Value value = operand.get();
  if (getInsideOp(value))
    return values.lookup(value);
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  Location loc = op.getLoc();
  ArrayRef<OpFoldResult> bounds = sizes.find(op)->second;
  SmallVector<OpFoldResult> offsets(op.getNumLoops(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> tiles = offsets;
  for (unsigned row = 0; row < numRows; ++row) {
    offsets[row] = rows[row];
    tiles[row] = rewriter.getIndexAttr(1);
  }
  linalg::SliceParameters slice = linalg::computeSliceParameters(
      rewriter, loc, value, tiles, op.getMatchingIndexingMap(&operand), offsets,
      bounds, linalg::computeTileSizes(rewriter, loc, tiles, bounds),
      /*omitPartialTileCheck=*/true);
  return tensor::ExtractSliceOp::create(rewriter, loc, value, slice.offsets,
                                        slice.sizes, slice.strides);
}

/// The destination of the row of `op`: in the tensor of all rows `whole` if
/// there is one.
Value RowBuilder::addDestination(linalg::GenericOp op, OpOperand &init,
                                 Value whole) {
  Location loc = op.getLoc();
  bool isRead = !op.getMatchingBlockArgument(&init).use_empty();
  linalg::GenericOp producer = getInsideOp(init.get());
  if (producer && isRead) {
    // What fills destinations fills each of them where it is.
    if (isElementwise(producer) && !isCostly(producer) &&
        producer->getNumResults() == 1)
      return addRow(producer, whole)->getResult(0);
    return values.lookup(init.get());
  }
  Slice slice = getResultSlice(op, init);
  if (!whole && isRead && !init.get().getDefiningOp<tensor::EmptyOp>())
    whole = init.get();
  if (whole)
    return tensor::ExtractSliceOp::create(rewriter, loc, whole, slice.offsets,
                                          slice.sizes, slice.strides);
  // Nothing sees it outside of the loop.
  auto type = cast<RankedTensorType>(init.get().getType());
  return tensor::EmptyOp::create(rewriter, loc, slice.sizes,
                                 type.getElementType());
}

/// One row of `op`. `wholes`: by result, the tensor of all rows that it goes
/// to; null if to a new one.
linalg::GenericOp RowBuilder::addRow(linalg::GenericOp op,
                                     ArrayRef<Value> wholes) {
  SmallVector<Value> operands;
  for (OpOperand *operand : op.getDpsInputOperands())
    operands.push_back(addInput(op, *operand));
  SmallVector<Type> types;
  for (auto [init, whole] : llvm::zip_equal(op.getDpsInitsMutable(), wholes)) {
    operands.push_back(addDestination(op, init, whole));
    types.push_back(operands.back().getType());
  }
  auto row =
      cast<linalg::GenericOp>(mlir::clone(rewriter, op, types, operands));
  // These loops have one iteration.
  SmallVector<linalg::IndexOp> indices;
  row->walk([&](linalg::IndexOp index) {
    if (index.getDim() < numRows)
      indices.push_back(index);
  });
  for (linalg::IndexOp index : indices)
    rewriter.replaceOp(index, rows[index.getDim()]);
  return row;
}

/// All rows of the group, in `loop`, whose results are those of `results`.
void RowBuilder::addBody(scf::ForallOp loop, ArrayRef<OpResult> results) {
  DenseMap<Value, Value> wholes;
  for (auto [result, whole] :
       llvm::zip_equal(results, loop.getRegionIterArgs()))
    wholes[result] = whole;
  rows = llvm::to_vector(loop.getInductionVars());
  rewriter.setInsertionPoint(loop.getTerminator());
  for (linalg::GenericOp op : group.members) {
    SmallVector<Value> targets;
    for (OpResult result : op->getResults())
      targets.push_back(wholes.lookup(result));
    linalg::GenericOp row = addRow(op, targets);
    for (auto [result, value] :
         llvm::zip_equal(op->getResults(), row->getResults()))
      values[result] = value;
  }
  OpBuilder::InsertionGuard guard(rewriter);
  for (OpResult result : results) {
    auto op = cast<linalg::GenericOp>(result.getOwner());
    Slice slice =
        getResultSlice(op, *op.getDpsInitOperand(result.getResultNumber()));
    rewriter.setInsertionPointToEnd(loop.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(
        rewriter, op.getLoc(), values.lookup(result), wholes.lookup(result),
        slice.offsets, slice.sizes, slice.strides);
  }
}

void RowBuilder::build() {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<OpResult> results;
  SmallVector<Value> roots;
  SmallVector<Location> locations;
  for (linalg::GenericOp op : group.members) {
    locations.push_back(op.getLoc());
    for (OpResult result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !inside.contains(user);
          })) {
        results.push_back(result);
        roots.push_back(getRoot(result));
      }
  }
  if (results.empty())
    return;
  linalg::GenericOp last = group.members.back();
  rewriter.setInsertionPointAfter(last);
  for (linalg::GenericOp op : group.members)
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      sizes[op].push_back(addSize(op, loop));
  auto loop =
      scf::ForallOp::create(rewriter, rewriter.getFusedLoc(locations),
                            ArrayRef(sizes[last]).take_front(numRows), roots,
                            /*mapping=*/std::nullopt);
  addBody(loop, results);
  for (auto [from, to] : llvm::zip_equal(results, loop.getResults()))
    rewriter.replaceAllUsesWith(from, to);
  for (linalg::GenericOp op : llvm::reverse(group.members))
    rewriter.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct RngFuseRowsPass
    : public rng::impl::RngFuseRowsPassBase<RngFuseRowsPass> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (Block *block : findLinalgBlocks(getOperation())) {
      RowGroups found(*block, {maxCost, maxOperands});
      for (const auto &[group, rows] : found.groups) {
        ++numGroups;
        numFused += group.members.size();
        RowBuilder(rewriter, group, rows).build();
      }
    }
  }
};
} // namespace
