//===- JoinPair.cpp - Pairs of forward and backward, joined -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JoinPair.h"
#include "RngDialect/IR/CountWords.h"
#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/Transforms/Support/JointMarks.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

//===----------------------------------------------------------------------===//
// Understanding a pair
//===----------------------------------------------------------------------===//

static LogicalResult checkBody(FunctionOpInterface function) {
  if (function.isExternal())
    return function.emitOpError("is one of a pair to be joined, but has no "
                                "body");
  Region &body = function.getFunctionBody();
  if (!body.hasOneBlock())
    return function.emitOpError(
        "is one of a pair to be joined, but has several blocks: turn its "
        "branches into structured control flow (scf), for example with "
        "--lift-cf-to-scf");
  Block &block = body.front();
  if (block.empty() || !block.back().hasTrait<OpTrait::ReturnLike>() ||
      block.back().getNumOperands() != function.getNumResults() ||
      block.getNumArguments() != function.getNumArguments())
    return function.emitOpError("is one of a pair to be joined, but does not "
                                "end in a return of its results or has more "
                                "block arguments than arguments");
  return success();
}

/// Whether `entry` of the list, argument `i` of the backward, is there, of the
/// same type, and no cotangent.
static LogicalResult checkEntry(Pair &pair, unsigned i, SavedAttr entry) {
  auto [forward, backward] = std::tie(pair.forward, pair.backward);
  ArrayRef<Type> types = SavedList::select(entry, forward.getArgumentTypes(),
                                           forward.getResultTypes());
  // The verifier of the dialect knows functions of builtin types only.
  if (entry.getIndex() >= types.size())
    return forward.emitOpError("expected ")
           << entry << " of '" << RngDialect::kSaved << "' to be below "
           << types.size();
  if (types[entry.getIndex()] != backward.getArgumentTypes()[i])
    return forward.emitOpError("saves ")
           << entry << " of type " << types[entry.getIndex()]
           << ", but argument #" << i << " of its backward '@"
           << backward.getName() << "' has type "
           << backward.getArgumentTypes()[i];
  if (backward.getArgAttr(i, RngDialect::kCotangent))
    return backward.emitOpError("has the argument #")
           << i << " marked '" << RngDialect::kCotangent << "', but '"
           << RngDialect::kSaved << "' of its forward '@" << forward.getName()
           << "' says that it is " << entry;
  return success();
}

/// Whether the results of the forward behind the primal ones are there only to
/// be saved.
static LogicalResult checkNewResults(Pair &pair) {
  unsigned numResults = pair.forward.getNumResults();
  SmallVector<bool> isNew(numResults), isResult(numResults);
  for (SavedAttr entry : pair.saved) {
    if (entry.getKind() == SavedKind::New)
      isNew[entry.getIndex()] = true;
    if (entry.getKind() == SavedKind::Result)
      isResult[entry.getIndex()] = true;
  }
  for (unsigned i = pair.numPrimals; i != numResults; ++i)
    if (!isNew[i] || isResult[i])
      return pair.forward.emitOpError(
                 "expected results behind the first new one to "
                 "be there only to be saved, but '")
             << RngDialect::kSaved << "' does not say so of result #" << i;
  return success();
}

/// Whether all other arguments of the backward are marked as cotangents, or
/// none: the marks are optional.
static LogicalResult checkCotangents(Pair &pair) {
  FunctionOpInterface backward = pair.backward;
  auto cotangents =
      llvm::seq<unsigned>(pair.saved.size(), backward.getNumArguments());
  auto isMarked = [&](unsigned i) {
    return bool(backward.getArgAttr(i, RngDialect::kCotangent));
  };
  if (llvm::none_of(cotangents, isMarked))
    return success();
  for (unsigned i : cotangents)
    if (!isMarked(i))
      return backward.emitOpError("has the argument #")
             << i << ", which is neither among the " << pair.saved.size()
             << " saved values of its forward '@" << pair.forward.getName()
             << "' nor marked '" << RngDialect::kCotangent << "'";
  return success();
}

/// Compares `rng.saved` with the two signatures.
static LogicalResult checkSaved(Pair &pair) {
  auto [forward, backward] = std::tie(pair.forward, pair.backward);
  if (pair.saved.size() > backward.getNumArguments())
    return forward.emitOpError("saves ")
           << describeCount(pair.saved.size(), "value")
           << ", but its backward '@" << backward.getName() << "' has "
           << describeCount(backward.getNumArguments(), "argument");
  for (auto [i, entry] : llvm::enumerate(pair.saved))
    if (failed(checkEntry(pair, i, entry)))
      return failure();
  return success(succeeded(checkNewResults(pair)) &&
                 succeeded(checkCotangents(pair)));
}

/// Finds the backward of `forward` and sees whether the two fit.
static FailureOr<Pair> readPair(FunctionOpInterface forward,
                                const SymbolTable &symbols) {
  auto symbol =
      forward->getAttrOfType<FlatSymbolRefAttr>(RngDialect::kBackward);
  std::optional<SavedList> list = SavedList::read(forward);
  if (!symbol || !list)
    return forward.emitOpError("expected both '")
           << RngDialect::kBackward << "' and '" << RngDialect::kSaved
           << "' or none of them";
  auto backward = symbols.lookup<FunctionOpInterface>(symbol.getValue());
  if (!backward)
    return forward.emitOpError("expected '")
           << RngDialect::kBackward << "' to name a function but got "
           << symbol;
  if (forward == backward || backward->hasAttr(RngDialect::kBackward))
    return backward.emitOpError("is the backward of '@")
           << forward.getName() << "' and cannot be a forward too";
  if (forward->getName() != backward->getName())
    return forward.emitOpError("cannot be joined with its backward '@")
           << backward.getName() << "', which is of another kind: '"
           << backward->getName() << "'";
  if (failed(checkBody(forward)) || failed(checkBody(backward)))
    return failure();
  if (isJointFunction(forward))
    return forward.emitOpError("has a backward already, but also results "
                               "marked '")
           << RngDialect::kGradient << "': remove the marks or '"
           << RngDialect::kBackward << "'";
  for (unsigned i = 0, e = forward.getNumArguments(); i != e; ++i)
    if (forward.getArgAttr(i, RngDialect::kCotangent))
      return forward.emitOpError("has the argument #")
             << i << " marked '" << RngDialect::kCotangent
             << "', which only its backward can use: remove the mark";
  Pair pair(forward, backward, std::move(*list));
  if (failed(checkSaved(pair)))
    return failure();
  return pair;
}

FailureOr<std::vector<Pair>> mlir::rng::cut::findPairs(ModuleOp module) {
  SymbolTable symbols(module);
  std::vector<Pair> pairs;
  llvm::DenseMap<Operation *, Operation *> forwardOf;
  bool anyFailed = false;
  for (auto forward : module.getOps<FunctionOpInterface>()) {
    if (!forward->hasAttr(RngDialect::kBackward) &&
        !forward->hasAttr(RngDialect::kSaved))
      continue;
    FailureOr<Pair> pair = readPair(forward, symbols);
    if (failed(pair)) {
      anyFailed = true;
      continue;
    }
    auto [it, isFirst] = forwardOf.try_emplace(pair->backward, forward);
    if (!isFirst) {
      InFlightDiagnostic diag = forward.emitOpError("has the backward '@")
                                << pair->backward.getName()
                                << "', which is that of another forward too: "
                                   "make a copy of it";
      diag.attachNote(it->second->getLoc()) << "the other forward is here";
      anyFailed = true;
      continue;
    }
    pairs.push_back(*pair);
  }
  if (anyFailed)
    return failure();
  return pairs;
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// Attributes of an argument or result, with the unit attribute `mark` if
/// `isMarked`.
static DictionaryAttr addMark(DictionaryAttr attrs, StringRef mark,
                              bool isMarked, MLIRContext *context) {
  NamedAttrList list(attrs);
  if (isMarked)
    list.set(mark, UnitAttr::get(context));
  return list.getDictionary(context);
}

/// Gives `joint`, a copy of the forward, the signature of the joint function.
static LogicalResult setSignature(Pair &pair, FunctionOpInterface joint) {
  auto [forward, backward] = std::tie(pair.forward, pair.backward);
  MLIRContext *context = forward->getContext();
  // The marks of the two ends of a saved value add up.
  SmallVector<bool> isArgPersistent(forward.getNumArguments());
  SmallVector<bool> isResultPersistent(forward.getNumResults());
  for (auto [i, entry] : llvm::enumerate(pair.saved))
    if (entry.getKind() != SavedKind::New &&
        backward.getArgAttr(i, RngDialect::kPersistent))
      SavedList::select<MutableArrayRef<bool>>(
          entry, isArgPersistent, isResultPersistent)[entry.getIndex()] = true;

  SmallVector<Type> inputs(forward.getArgumentTypes());
  SmallVector<Type> results(
      forward.getResultTypes().take_front(pair.numPrimals));
  SmallVector<DictionaryAttr> inputAttrs, resultAttrs;
  for (unsigned i = 0, e = inputs.size(); i != e; ++i)
    inputAttrs.push_back(addMark(forward.getArgAttrDict(i),
                                 RngDialect::kPersistent, isArgPersistent[i],
                                 context));
  for (unsigned i = 0; i != pair.numPrimals; ++i)
    resultAttrs.push_back(addMark(forward.getResultAttrDict(i),
                                  RngDialect::kPersistent,
                                  isResultPersistent[i], context));
  for (unsigned i = pair.saved.size(), e = backward.getNumArguments(); i != e;
       ++i) {
    inputs.push_back(backward.getArgumentTypes()[i]);
    inputAttrs.push_back(addMark(backward.getArgAttrDict(i),
                                 RngDialect::kCotangent, true, context));
  }
  for (unsigned i = 0, e = backward.getNumResults(); i != e; ++i) {
    results.push_back(backward.getResultTypes()[i]);
    resultAttrs.push_back(addMark(backward.getResultAttrDict(i),
                                  RngDialect::kGradient, true, context));
  }

  Type type = joint.cloneTypeWith(inputs, results);
  if (!type)
    return forward.emitOpError("is of a kind that cannot be joined with its "
                               "backward: do so while it is a func.func");
  joint.removeArgAttrsAttr();
  joint.removeResAttrsAttr();
  joint.setFunctionTypeAttr(TypeAttr::get(type));
  joint.setAllArgAttrs(inputAttrs);
  joint.setAllResultAttrs(resultAttrs);
  return success();
}

FailureOr<OwningOpRef<Operation *>> mlir::rng::cut::joinPair(Pair &pair) {
  IRMapping mapping;
  OwningOpRef<Operation *> joint = pair.forward->clone(mapping);
  auto function = cast<FunctionOpInterface>(joint.get());
  if (failed(setSignature(pair, function)))
    return failure();
  Block &block = function.getFunctionBody().front();
  Operation *end = block.getTerminator();

  for (auto [i, arg] :
       llvm::enumerate(pair.getBackwardBlock().getArguments())) {
    if (i >= pair.saved.size()) {
      mapping.map(arg, block.addArgument(arg.getType(), arg.getLoc()));
      continue;
    }
    SavedAttr entry = pair.saved[i];
    mapping.map(arg, SavedList::select<ValueRange>(
                         entry, block.getArguments(),
                         end->getOperands())[entry.getIndex()]);
  }
  OpBuilder b(end);
  for (Operation &op : pair.getBackwardBlock().without_terminator())
    b.clone(op, mapping);
  SmallVector<Value> results(end->getOperands().take_front(pair.numPrimals));
  for (Value gradient : pair.getBackwardBlock().getTerminator()->getOperands())
    results.push_back(mapping.lookup(gradient));
  end->setOperands(results);
  return joint;
}
