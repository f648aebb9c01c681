//===- FuseBuild.cpp - One op for a group of elementwise ops ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body is made from the last ops backwards: an op that needs an element of
// a tensor asks for it at indices that are functions of the loops of the fusion
// group. If an op of the group makes that tensor, its body is cloned, once for
// each such function (for members, of which there is only one: the identity);
// if not, the tensor becomes an input with that indexing map.
//
//===----------------------------------------------------------------------===//

#include "FusionGroups.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::fusion;

namespace {
class FusedOpBuilder {
public:
  FusedOpBuilder(RewriterBase &rewriter, const FusionGroup &group);

  void build();

private:
  /// Tensor or scalar, and how the loops of the group index it.
  using Access = std::pair<Value, AffineMap>;

  bool isInside(Operation *op) const { return inside.contains(op); }
  linalg::GenericOp getInsideOp(Value value) const;
  void listResults();
  Value getInit(OpResult result) const;
  Value addInput(Value value, AffineMap map);
  Value addElement(Value value, AffineMap map);
  Value addBody(linalg::GenericOp op, AffineMap map, unsigned number);
  Value addOut(linalg::GenericOp op, OpOperand &operand, AffineMap map);
  Value buildIndex(OpBuilder &b, Location loc, AffineExpr expr);

  RewriterBase &rewriter;
  const FusionGroup &group;
  llvm::SmallPtrSet<Operation *, 16> inside;
  unsigned numLoops;
  /// The body under construction: arguments are inputs, then results.
  Block *body;
  OpBuilder b;
  SmallVector<Access> inputs;
  DenseMap<Access, Value> inputArguments;
  SmallVector<OpResult> results;
  DenseMap<Value, BlockArgument> resultArguments;
  DenseMap<std::pair<Operation *, AffineMap>, SmallVector<Value>> yielded;
};
} // namespace

FusedOpBuilder::FusedOpBuilder(RewriterBase &rewriter, const FusionGroup &group)
    : rewriter(rewriter), group(group), body(new Block()),
      b(rewriter.getContext()) {
  b.setInsertionPointToEnd(body);
  for (linalg::GenericOp op : group.members)
    inside.insert(op);
  for (linalg::GenericOp op : group.fusedProducers)
    inside.insert(op);
  linalg::GenericOp first = group.members.front();
  numLoops = first.getNumLoops();
}

linalg::GenericOp FusedOpBuilder::getInsideOp(Value value) const {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  return op && isInside(op) ? op : nullptr;
}

/// A reduction keeps all its results: they say how many there are.
void FusedOpBuilder::listResults() {
  bool isSingle = group.members.size() == 1 && !isElementwise(group.members[0]);
  for (linalg::GenericOp op : group.members)
    for (OpResult result : op->getResults())
      if (isSingle || llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !isInside(user);
          }))
        results.push_back(result);
  // All of it is dead; an op needs a result.
  if (results.empty())
    results.push_back(group.members.back()->getResult(0));
  for (OpResult result : results) {
    Type type = cast<ShapedType>(result.getType()).getElementType();
    resultArguments[result] = body->addArgument(type, result.getLoc());
  }
}

/// The destination of `result`. Destinations that the group itself makes are
/// replaced by theirs.
Value FusedOpBuilder::getInit(OpResult result) const {
  while (true) {
    auto op = cast<linalg::GenericOp>(result.getOwner());
    Value init = op.getDpsInits()[result.getResultNumber()];
    if (!getInsideOp(init))
      return init;
    result = cast<OpResult>(init);
  }
}

Value FusedOpBuilder::addInput(Value value, AffineMap map) {
  Value &argument = inputArguments[{value, map}];
  if (!argument) {
    argument = body->insertArgument(
        inputs.size(), getElementTypeOrSelf(value.getType()), value.getLoc());
    inputs.push_back({value, map});
  }
  return argument;
}

/// The element of `value`, or all of it if it is a scalar, at `map` of the
/// indices of the group's loops.
Value FusedOpBuilder::addElement(Value value, AffineMap map) {
  if (linalg::GenericOp op = getInsideOp(value))
    // Results of elementwise ops have the indices of their loops.
    return addBody(op, map, cast<OpResult>(value).getResultNumber());
  return addInput(value, map);
}

/// What the argument of `op` for the destination `operand` is.
Value FusedOpBuilder::addOut(linalg::GenericOp op, OpOperand &operand,
                             AffineMap map) {
  Value init = operand.get();
  OpResult result = op.getTiedOpResult(&operand);
  if (!getInsideOp(init)) {
    auto it = resultArguments.find(result);
    if (it != resultArguments.end())
      return it->second;
  }
  return addElement(init, op.getMatchingIndexingMap(&operand).compose(map));
}

/// `expr` of the indices of the group's loops.
Value FusedOpBuilder::buildIndex(OpBuilder &b, Location loc, AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return linalg::IndexOp::create(b, loc, dim.getPosition());
  SmallVector<OpFoldResult> indices;
  for (unsigned loop = 0; loop < numLoops; ++loop)
    indices.push_back(linalg::IndexOp::create(b, loc, loop).getResult());
  return getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineApply(
          b, loc, AffineMap::get(numLoops, 0, expr), indices));
}

/// The element of result `number` of `op` at the point `map` of its loops.
Value FusedOpBuilder::addBody(linalg::GenericOp op, AffineMap map,
                              unsigned number) {
  auto it = yielded.find({op, map});
  if (it != yielded.end())
    return it->second[number];
  IRMapping mapping;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(operand);
    if (!argument.use_empty())
      mapping.map(argument,
                  addElement(operand->get(),
                             op.getMatchingIndexingMap(operand).compose(map)));
  }
  for (OpOperand &operand : op.getDpsInitsMutable()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!argument.use_empty())
      mapping.map(argument, addOut(op, operand, map));
  }
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(&inner)) {
      mapping.map(index.getResult(),
                  buildIndex(b, index.getLoc(), map.getResult(index.getDim())));
      continue;
    }
    Operation *clone = b.clone(inner, mapping);
    // In regions of the body, such as those of `scf.if`.
    SmallVector<linalg::IndexOp> indices;
    clone->walk([&](linalg::IndexOp index) { indices.push_back(index); });
    for (linalg::IndexOp index : indices) {
      OpBuilder nested(index);
      index.replaceAllUsesWith(
          buildIndex(nested, index.getLoc(), map.getResult(index.getDim())));
      index.erase();
    }
  }
  SmallVector<Value> values;
  for (Value value : op.getBody()->getTerminator()->getOperands())
    values.push_back(mapping.lookupOrDefault(value));
  Value wanted = values[number];
  yielded[{op, map}] = std::move(values);
  return wanted;
}

void FusedOpBuilder::build() {
  listResults();
  linalg::GenericOp last = group.members.back();
  MLIRContext *context = last.getContext();
  AffineMap identity = AffineMap::getMultiDimIdentityMap(numLoops, context);
  // In program order, so that chains of ops are no chains of calls here.
  for (linalg::GenericOp op : group.members)
    addBody(op, identity, 0);
  SmallVector<Value> yields;
  for (OpResult result : results)
    yields.push_back(addBody(cast<linalg::GenericOp>(result.getOwner()),
                             identity, result.getResultNumber()));
  linalg::YieldOp::create(b, last.getLoc(), yields);

  SmallVector<Value> operands, inits;
  SmallVector<AffineMap> maps;
  SmallVector<Type> types;
  for (auto [value, map] : inputs) {
    operands.push_back(value);
    maps.push_back(map);
  }
  for (OpResult result : results) {
    auto op = cast<linalg::GenericOp>(result.getOwner());
    inits.push_back(getInit(result));
    maps.push_back(op.getIndexingMapMatchingResult(result));
    types.push_back(result.getType());
  }
  SmallVector<Location> locations;
  for (linalg::GenericOp op : group.members)
    locations.push_back(op.getLoc());
  for (linalg::GenericOp op : group.fusedProducers)
    locations.push_back(op.getLoc());
  rewriter.setInsertionPointAfter(last);
  auto fused = linalg::GenericOp::create(
      rewriter, rewriter.getFusedLoc(locations), types, operands, inits, maps,
      last.getIteratorTypesArray());
  fused.getRegion().push_back(body);
  if (group.members.size() == 1)
    fused->setDiscardableAttrs(last->getDiscardableAttrDictionary());
  for (auto [from, to] : llvm::zip_equal(results, fused.getResults()))
    rewriter.replaceAllUsesWith(from, to);
  // All are neighbours; users before what they use.
  for (Operation *op = fused->getPrevNode(); op && isInside(op);) {
    Operation *previous = op->getPrevNode();
    rewriter.eraseOp(op);
    op = previous;
  }
}

void fusion::buildFusionGroup(RewriterBase &rewriter,
                              const FusionGroup &group) {
  OpBuilder::InsertionGuard guard(rewriter);
  FusedOpBuilder(rewriter, group).build();
}
