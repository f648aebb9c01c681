//===- FuseElementwise.cpp - Groups of elementwise ops as one ---*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  linalg.generic and tensor ops, in any form and order.
// Out: one linalg.generic for each fusion group of elementwise ops.
//
// Brings ops into the form that groups are found in, then finds the groups of
// one basic block after the other (FusePlan.cpp) and builds an op for each
// (FuseBuild.cpp).
//
//===----------------------------------------------------------------------===//

#include "FusionGroups.h"
#include "LoopSizes.h"
#include "RngDialect/Conversion/LinalgFusion/Passes.h"
#include "RngDialect/Conversion/Structured/BodyWork.h"
#include "RngDialect/IR/RngOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

// A dialect without its ops, whose headers cost a compiler memory.
#include "mlir/Dialect/Math/IR/MathOpsDialect.h.inc"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGFUSEELEMENTWISEPASS
#include "RngDialect/Conversion/LinalgFusion/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::fusion;

//===----------------------------------------------------------------------===//
// What an op is like
//===----------------------------------------------------------------------===//

bool fusion::isElementwise(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op->getNumResults() > 0 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isIdentity();
         });
}

static bool isCostlyInner(Operation *op) {
  return isa<StatelessDrawOpInterface>(op) ||
         isa<math::MathDialect>(op->getDialect());
}

bool fusion::isCostly(linalg::GenericOp op) {
  return op.getBody()
      ->walk([](Operation *inner) {
        return isCostlyInner(inner) ? WalkResult::interrupt()
                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Consecutive elements that share what may be shared, such as the stream
/// blocks of draws: lowerings do as many at once.
static constexpr int64_t kLanes = 4;

int64_t fusion::getBodyCost(linalg::GenericOp op) {
  return llvm::divideCeil(estimateBodyWork(*op.getBody(), kLanes), kLanes);
}

//===----------------------------------------------------------------------===//
// Forms that make groups larger
//===----------------------------------------------------------------------===//

/// Orders the loops of `op` as the dimensions of its results.
static linalg::GenericOp orderLoops(RewriterBase &rewriter,
                                    linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() == 0 ||
      op.getNumParallelLoops() != op.getNumLoops())
    return op;
  AffineMap map = op.getIndexingMapMatchingResult(op->getResult(0));
  if (map.isIdentity() || !map.isPermutation() ||
      llvm::any_of(op->getResults(), [&](OpResult result) {
        return op.getIndexingMapMatchingResult(result) != map;
      }))
    return op;
  SmallVector<unsigned> order;
  for (AffineExpr result : map.getResults())
    order.push_back(cast<AffineDimExpr>(result).getPosition());
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> ordered =
      linalg::interchangeGenericOp(rewriter, op, order);
  return failed(ordered) ? op : *ordered;
}

/// Reads sizes of results of elementwise ops from their destinations, so that
/// no op needs the results for that.
static void forwardSizes(RewriterBase &rewriter, tensor::DimOp dim) {
  std::optional<int64_t> index = dim.getConstantIndex();
  if (!index || !isa<RankedTensorType>(dim.getSource().getType()))
    return;
  Value source = dim.getSource();
  while (auto op = source.getDefiningOp<linalg::LinalgOp>())
    source = op.getDpsInits()[cast<OpResult>(source).getResultNumber()];
  if (source == dim.getSource())
    return;
  auto empty = source.getDefiningOp<tensor::EmptyOp>();
  if (empty && *index >= 0 && *index < empty.getType().getRank() &&
      empty.getType().isDynamicDim(*index))
    return rewriter.replaceOp(dim, empty.getDynamicSize(*index));
  rewriter.modifyOpInPlace(dim, [&] { dim.getSourceMutable().assign(source); });
}

namespace {
/// What is read instead of a tensor: a scalar, or a tensor at a function of the
/// indices.
struct Source {
  Value value;
  AffineMap map;
};
} // namespace

/// If all that makes `value` is one scalar, or a smaller tensor that is
/// broadcast, that, for an access to `value` at `map`.
static std::optional<Source> findSource(Value value, AffineMap map) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op->getNumResults() != 1 || !isElementwise(op) ||
      !llvm::hasSingleElement(*op.getBody()))
    return std::nullopt;
  Value yielded = op.getBody()->getTerminator()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(yielded);
  if (!argument || argument.getOwner() != op.getBody())
    return Source{yielded,
                  AffineMap::get(map.getNumDims(), 0, map.getContext())};
  OpOperand *operand = op.getMatchingOpOperand(argument);
  AffineMap access = op.getMatchingIndexingMap(operand);
  if (!op.isDpsInput(operand) || access.getNumResults() >= op.getNumLoops() ||
      !access.isProjectedPermutation(/*allowZeroInResults=*/true))
    return std::nullopt;
  return Source{operand->get(), access.compose(map)};
}

/// Whether the sizes of all loops of `op` follow from its operands.
static bool hasKnownSizes(linalg::GenericOp op) {
  llvm::SmallBitVector known(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands())
    if (isa<ShapedType>(operand.get().getType()))
      for (AffineExpr result : op.getMatchingIndexingMap(&operand).getResults())
        if (auto loop = dyn_cast<AffineDimExpr>(result))
          known.set(loop.getPosition());
  return known.all();
}

/// Reads scalars and smaller tensors where `op` reads what only spreads them.
static void forwardSources(RewriterBase &rewriter, linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics())
    return;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    while (std::optional<Source> source =
               findSource(operand->get(), op.getMatchingIndexingMap(operand))) {
      Value value = operand->get();
      ArrayAttr maps = op.getIndexingMaps();
      SmallVector<Attribute> newMaps(maps.begin(), maps.end());
      newMaps[operand->getOperandNumber()] = AffineMapAttr::get(source->map);
      rewriter.startOpModification(op);
      operand->set(source->value);
      op.setIndexingMapsAttr(rewriter.getArrayAttr(newMaps));
      if (!hasKnownSizes(op)) {
        operand->set(value);
        op.setIndexingMapsAttr(maps);
        rewriter.finalizeOpModification(op);
        break;
      }
      rewriter.finalizeOpModification(op);
    }
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Gives a destination with an encoding that no op reads to be a
/// `tensor.empty` with it. Upstream's patterns put one without it there, which
/// is of another type than the result.
static void keepEncodings(Operation *root) {
  root->walk([](linalg::GenericOp op) {
    if (!op.hasPureTensorSemantics())
      return;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto type = cast<RankedTensorType>(init.get().getType());
      if (!type.getEncoding() ||
          !op.getMatchingBlockArgument(&init).use_empty() ||
          init.get().getDefiningOp<tensor::EmptyOp>())
        continue;
      OpBuilder b(op);
      init.set(tensor::EmptyOp::create(
          b, op.getLoc(), tensor::getMixedSizes(b, op.getLoc(), init.get()),
          type.getElementType(), type.getEncoding()));
    }
  });
}

/// Upstream's folds of constants, destinations that are not read, and results
/// and operands without uses into elementwise ops.
static LogicalResult cleanUp(Operation *op) {
  keepEncodings(op);
  RewritePatternSet patterns(op->getContext());
  linalg::populateElementwiseOpsFusionPatterns(
      patterns, [](OpOperand *) { return false; });
  return applyPatternsGreedily(op, std::move(patterns));
}

SmallVector<Block *> fusion::findLinalgBlocks(Operation *root) {
  SmallVector<Block *> blocks;
  root->walk<WalkOrder::PreOrder>([&](Block *block) {
    if (isa<linalg::LinalgOp>(block->getParentOp()))
      return WalkResult::skip();
    if (block->mightHaveTerminator() &&
        mayHaveSSADominance(*block->getParent()) &&
        llvm::any_of(
            block->getOps<linalg::GenericOp>(),
            [](linalg::GenericOp op) { return op.hasPureTensorSemantics(); }))
      blocks.push_back(block);
    return WalkResult::advance();
  });
  return blocks;
}

/// Fusion groups of ops of one iteration domain, element by element.
static SmallVector<FusionGroup> planElementwise(Block &block,
                                                FusionLimits limits) {
  LoopSizes sizes(block);
  FusionRules rules;
  rules.getDomain = [&](linalg::GenericOp op) {
    return isElementwise(op) ? std::optional(sizes.getLoops(op)) : std::nullopt;
  };
  rules.readsOwnPoint = [](OpOperand &operand) {
    auto op = cast<linalg::GenericOp>(operand.getOwner());
    return op.getMatchingIndexingMap(&operand).isIdentity();
  };
  rules.connects = [](OpOperand &operand) {
    auto op = cast<linalg::GenericOp>(operand.getOwner());
    return op.getNumLoops() > 0 &&
           op.getMatchingIndexingMap(&operand).isPermutation();
  };
  rules.fusesProducers = true;
  rules.pass = "rng-fuse-elementwise";
  rules.memberKind = "an elementwise op";
  rules.limits = limits;
  return planFusionGroups(block, rules);
}

namespace {
struct RngFuseElementwisePass
    : public rng::impl::RngFuseElementwisePassBase<RngFuseElementwisePass> {
  using Base::Base;

  void runOnOperation() override {
    Operation *root = getOperation();
    if (failed(cleanUp(root)))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    prepare(root, rewriter);
    for (Block *block : findLinalgBlocks(root))
      for (const FusionGroup &group :
           planElementwise(*block, {maxCost, maxOperands})) {
        ++numGroups;
        numFused += group.members.size() + group.fusedProducers.size();
        buildFusionGroup(rewriter, group);
      }
    if (failed(cleanUp(root)))
      return signalPassFailure();
  }

  void prepare(Operation *root, RewriterBase &rewriter) {
    SmallVector<linalg::GenericOp> generics;
    root->walk([&](linalg::GenericOp op) { generics.push_back(op); });
    for (linalg::GenericOp &op : generics)
      op = orderLoops(rewriter, op);
    // From the first on, so that what they forward to has been forwarded.
    for (linalg::GenericOp op : generics)
      forwardSources(rewriter, op);
    SmallVector<tensor::DimOp> dims;
    root->walk([&](tensor::DimOp dim) { dims.push_back(dim); });
    for (tensor::DimOp dim : dims)
      forwardSizes(rewriter, dim);
    for (linalg::GenericOp op : llvm::reverse(generics))
      if (isOpTriviallyDead(op))
        rewriter.eraseOp(op);
  }
};
} // namespace
