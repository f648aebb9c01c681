//===- ElementwiseForms.cpp - Forms of elementwise ops ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementwiseForms.h"
#include "FusionGroups.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::fusion;

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

void fusion::enlargeGroups(Operation *root, RewriterBase &rewriter) {
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

//===----------------------------------------------------------------------===//
// Clean forms
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

LogicalResult fusion::cleanUpElementwise(Operation *op) {
  keepEncodings(op);
  RewritePatternSet patterns(op->getContext());
  linalg::populateElementwiseOpsFusionPatterns(
      patterns, [](OpOperand *) { return false; });
  return applyPatternsGreedily(op, std::move(patterns));
}
