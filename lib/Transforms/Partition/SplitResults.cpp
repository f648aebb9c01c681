//===- SplitResults.cpp - A structured op for each result -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitResults.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace mlir::rng;

/// On an op that is one of several: the number of the op that it comes of. Only
/// on functions outside of the module.
static constexpr StringLiteral kOrigin = "rng.split_origin";

/// Whether results of `generic` can be computed apart.
static bool isSplittable(linalg::GenericOp generic) {
  if (!generic || generic.getNumResults() < 2 ||
      !generic.hasPureTensorSemantics() ||
      generic.getNumParallelLoops() != generic.getNumLoops())
    return false;
  return llvm::all_of(generic.getDpsInitsMutable(), [&](OpOperand &init) {
    return generic.getMatchingBlockArgument(&init).use_empty() &&
           generic.getMatchingIndexingMap(&init).isPermutation();
  });
}

bool mlir::rng::cut::hasResultsToSplit(Block &block) {
  return llvm::any_of(block, [](Operation &op) {
    return isSplittable(dyn_cast<linalg::GenericOp>(&op));
  });
}

/// The ops of the body that lead to `yielded`, and the arguments of the body
/// among what they use.
static llvm::SetVector<Value> findSlice(linalg::GenericOp generic,
                                        Value yielded) {
  Block *body = generic.getBody();
  llvm::SetVector<Value> slice;
  slice.insert(yielded);
  for (unsigned i = 0; i != slice.size(); ++i) {
    Operation *op = slice[i].getDefiningOp();
    if (!op || op->getBlock() != body)
      continue;
    op->walk([&](Operation *inner) {
      slice.insert(inner->operand_begin(), inner->operand_end());
    });
    slice.insert(op->result_begin(), op->result_end());
  }
  return slice;
}

/// The op that computes result `index` of `generic`, in front of it.
static linalg::GenericOp buildPart(OpBuilder &b, linalg::GenericOp generic,
                                   unsigned index) {
  Block *body = generic.getBody();
  auto yield = cast<linalg::YieldOp>(body->getTerminator());
  Value yielded = yield.getOperand(index);
  llvm::SetVector<Value> slice = findSlice(generic, yielded);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<BlockArgument> arguments;
  for (OpOperand *input : generic.getDpsInputOperands()) {
    BlockArgument argument = generic.getMatchingBlockArgument(input);
    if (!slice.contains(argument))
      continue;
    inputs.push_back(input->get());
    maps.push_back(generic.getMatchingIndexingMap(input));
    arguments.push_back(argument);
  }
  OpOperand *init = generic.getDpsInitOperand(index);
  maps.push_back(generic.getMatchingIndexingMap(init));
  auto part = linalg::GenericOp::create(
      b, generic.getLoc(), generic.getResult(index).getType(), inputs,
      init->get(), maps, generic.getIteratorTypesArray(),
      [&](OpBuilder &nested, Location loc, ValueRange newArguments) {
        IRMapping mapping;
        for (auto [old, replacement] : llvm::zip(arguments, newArguments))
          mapping.map(old, replacement);
        for (Operation &op : body->without_terminator())
          if (llvm::any_of(op.getResults(), [&](Value result) {
                return slice.contains(result);
              }))
            nested.clone(op, mapping);
        linalg::YieldOp::create(nested, loc, mapping.lookupOrDefault(yielded));
      });
  part->setDiscardableAttrs(generic->getDiscardableAttrDictionary());
  return part;
}

void mlir::rng::cut::splitResults(Block &block) {
  int64_t number = 0;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto generic = dyn_cast<linalg::GenericOp>(&op);
    if (!isSplittable(generic))
      continue;
    OpBuilder b(generic);
    for (unsigned i = 0, e = generic.getNumResults(); i != e; ++i) {
      if (generic.getResult(i).use_empty())
        continue;
      linalg::GenericOp part = buildPart(b, generic, i);
      part->setAttr(kOrigin, b.getI64IntegerAttr(number));
      generic.getResult(i).replaceAllUsesWith(part.getResult(0));
    }
    ++number;
    generic.erase();
  }
}

void mlir::rng::cut::countPartsAsForward(JointGraph &graph) {
  llvm::SmallDenseSet<Attribute> inForward;
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op)
    if (Attribute origin = graph.getOp(op)->getAttr(kOrigin))
      if (graph.getClass(op) == OpClass::Forward)
        inForward.insert(origin);
  graph.countAsForward([&](unsigned op) {
    Attribute origin = graph.getOp(op)->getAttr(kOrigin);
    return origin && inForward.contains(origin);
  });
}

/// One op that computes the results of `parts`, all of one origin, in front of
/// the last part.
static linalg::GenericOp buildJoined(OpBuilder &b,
                                     ArrayRef<linalg::GenericOp> parts) {
  linalg::GenericOp last = parts.back();
  b.setInsertionPoint(last);
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> inputMaps, initMaps;
  SmallVector<Type> types;
  // For each part, where its inputs are among those of all.
  SmallVector<SmallVector<unsigned>> places;
  for (linalg::GenericOp part : parts) {
    SmallVector<unsigned> &place = places.emplace_back();
    for (OpOperand *input : part.getDpsInputOperands()) {
      AffineMap map = part.getMatchingIndexingMap(input);
      unsigned at = 0;
      while (at != inputs.size() &&
             (inputs[at] != input->get() || inputMaps[at] != map))
        ++at;
      if (at == inputs.size()) {
        inputs.push_back(input->get());
        inputMaps.push_back(map);
      }
      place.push_back(at);
    }
    OpOperand *init = part.getDpsInitOperand(0);
    inits.push_back(init->get());
    initMaps.push_back(part.getMatchingIndexingMap(init));
    types.push_back(part.getResult(0).getType());
  }
  llvm::append_range(inputMaps, initMaps);
  auto joined = linalg::GenericOp::create(
      b, last.getLoc(), types, inputs, inits, inputMaps,
      last.getIteratorTypesArray(),
      [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        SmallVector<Value> yielded;
        for (size_t i = 0; i != parts.size(); ++i) {
          linalg::GenericOp part = parts[i];
          ArrayRef<unsigned> place = places[i];
          IRMapping mapping;
          for (auto [index, at] : llvm::enumerate(place))
            mapping.map(part.getBody()->getArgument(index), arguments[at]);
          for (Operation &op : part.getBody()->without_terminator())
            nested.clone(op, mapping);
          yielded.push_back(mapping.lookupOrDefault(
              part.getBody()->getTerminator()->getOperand(0)));
        }
        linalg::YieldOp::create(nested, loc, yielded);
      });
  joined->setDiscardableAttrs(last->getDiscardableAttrDictionary());
  return joined;
}

/// Whether all users of the result of `part` come behind `last`.
static bool isUsedBehind(linalg::GenericOp part, Operation *last) {
  return llvm::all_of(part->getUsers(), [&](Operation *user) {
    Operation *ancestor = last->getBlock()->findAncestorOpInBlock(*user);
    return ancestor && last->isBeforeInBlock(ancestor);
  });
}

void mlir::rng::cut::joinResults(Block &block) {
  llvm::MapVector<Attribute, SmallVector<linalg::GenericOp>> parts;
  for (Operation &op : block)
    if (Attribute origin = op.removeAttr(kOrigin))
      parts[origin].push_back(cast<linalg::GenericOp>(&op));
  for (auto &[origin, all] : parts) {
    linalg::GenericOp last = all.back();
    llvm::erase_if(all, [&](linalg::GenericOp part) {
      return part != last && !isUsedBehind(part, last);
    });
    if (all.size() == 1)
      continue;
    OpBuilder b(block.getParentOp()->getContext());
    linalg::GenericOp joined = buildJoined(b, all);
    for (auto [part, result] : llvm::zip_equal(all, joined.getResults())) {
      part.getResult(0).replaceAllUsesWith(result);
      part.erase();
    }
    // What the parts have in common is there once again.
    IRRewriter rewriter(joined.getContext());
    DominanceInfo dominance(joined);
    eliminateCommonSubExpressions(rewriter, dominance, joined);
  }
}
