//===- SplitFunction.cpp - Forward and backward from a plan -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/CountWords.h"
#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/IR/SavedList.h"
#include "RngDialect/Transforms/Partition/Partition.h"
#include "SplitOrder.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::rng;

namespace {

/// Arguments and results of a function to be: types and attributes.
struct Signature {
  SmallVector<Type> inputs, results;
  SmallVector<DictionaryAttr> inputAttrs, resultAttrs;
  SmallVector<Location> inputLocs;
};

/// Attributes of an argument or result, never null.
DictionaryAttr orEmpty(DictionaryAttr attrs, MLIRContext *context) {
  return attrs ? attrs : DictionaryAttr::get(context);
}

class Splitter {
public:
  Splitter(const JointGraph &graph, const PartitionPlan &plan)
      : graph(graph), plan(plan), joint(graph.getFunction()) {}

  Signature getForwardSignature() const;
  Signature getBackwardSignature() const;
  FunctionOpInterface createForward(OpBuilder &b, StringRef name,
                                    StringRef backwardName) const;
  FunctionOpInterface createBackward(OpBuilder &b, StringRef name) const;

private:
  void addArgument(Signature &signature, unsigned argument) const;
  void addResult(Signature &signature, unsigned result) const;
  FunctionOpInterface createFunction(OpBuilder &b, StringRef name,
                                     const Signature &signature) const;
  /// Ends `block` with the terminator of the joint function, returning
  /// `values`.
  void addReturn(Block &block, ArrayRef<unsigned> values,
                 const IRMapping &mapping) const;

  const JointGraph &graph;
  const PartitionPlan &plan;
  FunctionOpInterface joint;
};

} // namespace

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

void Splitter::addArgument(Signature &signature, unsigned argument) const {
  FunctionOpInterface function = joint;
  signature.inputs.push_back(graph.getValue(argument).getType());
  signature.inputAttrs.push_back(
      orEmpty(function.getArgAttrDict(argument), function->getContext()));
  signature.inputLocs.push_back(graph.getValue(argument).getLoc());
}

void Splitter::addResult(Signature &signature, unsigned result) const {
  FunctionOpInterface function = joint;
  signature.results.push_back(function.getResultTypes()[result]);
  signature.resultAttrs.push_back(
      orEmpty(function.getResultAttrDict(result), function->getContext()));
}

Signature Splitter::getForwardSignature() const {
  Signature signature;
  for (unsigned i = 0, e = graph.getNumArguments(); i != e; ++i)
    if (!graph.isCotangent(i))
      addArgument(signature, i);
  for (unsigned result : graph.getPrimalResults())
    addResult(signature, result);
  for (const SavedValue &saved : plan.saved) {
    if (saved.kind != SavedKind::New)
      continue;
    signature.results.push_back(graph.getValue(saved.value).getType());
    signature.resultAttrs.push_back(orEmpty({}, joint->getContext()));
  }
  return signature;
}

Signature Splitter::getBackwardSignature() const {
  Signature signature;
  for (const SavedValue &saved : plan.saved) {
    if (saved.kind == SavedKind::Argument) {
      addArgument(signature, saved.value);
      // What is saved is the state that the forward began with. The mark tells
      // callers where to pass the state of now.
      NamedAttrList attrs(signature.inputAttrs.back());
      attrs.erase(RngDialect::kState);
      signature.inputAttrs.back() = attrs.getDictionary(joint->getContext());
      continue;
    }
    Value value = graph.getValue(saved.value);
    signature.inputs.push_back(value.getType());
    signature.inputAttrs.push_back(orEmpty({}, joint->getContext()));
    signature.inputLocs.push_back(value.getLoc());
  }
  for (unsigned i = 0, e = graph.getNumArguments(); i != e; ++i)
    if (graph.isCotangent(i))
      addArgument(signature, i);
  for (unsigned result : graph.getGradientResults())
    addResult(signature, result);
  return signature;
}

LogicalResult mlir::rng::checkSignatures(const JointGraph &graph,
                                         const PartitionPlan &plan) {
  Splitter splitter(graph, plan);
  FunctionOpInterface function = graph.getFunction();
  for (const Signature &signature :
       {splitter.getForwardSignature(), splitter.getBackwardSignature()})
    if (!function.cloneTypeWith(signature.inputs, signature.results))
      return function.emitOpError("is a joint function of a kind that cannot "
                                  "return ")
             << describeCount(signature.results.size(), "value")
             << ": partition it while it is a func.func";
  return success();
}

FunctionOpInterface Splitter::createFunction(OpBuilder &b, StringRef name,
                                             const Signature &signature) const {
  FunctionOpInterface source = joint;
  auto function =
      cast<FunctionOpInterface>(b.insert(source->cloneWithoutRegions()));
  SymbolTable::setSymbolName(function, name);
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();
  function.setFunctionTypeAttr(
      TypeAttr::get(source.cloneTypeWith(signature.inputs, signature.results)));
  function.setAllArgAttrs(signature.inputAttrs);
  function.setAllResultAttrs(signature.resultAttrs);
  unlinkPair(function);
  Block &block = function.getFunctionBody().emplaceBlock();
  block.addArguments(signature.inputs, signature.inputLocs);
  return function;
}

void Splitter::addReturn(Block &block, ArrayRef<unsigned> values,
                         const IRMapping &mapping) const {
  // Made by hand: cloning would look the old operands up in vain.
  Operation *terminator = graph.getTerminator();
  OperationState state(terminator->getLoc(), terminator->getName());
  for (unsigned value : values)
    state.operands.push_back(mapping.lookup(graph.getValue(value)));
  state.attributes = terminator->getDiscardableAttrDictionary();
  block.push_back(Operation::create(state));
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

FunctionOpInterface Splitter::createForward(OpBuilder &b, StringRef name,
                                            StringRef backwardName) const {
  FunctionOpInterface function = createFunction(b, name, getForwardSignature());
  Block &block = function.getFunctionBody().front();
  IRMapping mapping;
  for (unsigned i = 0, next = 0, e = graph.getNumArguments(); i != e; ++i)
    if (!graph.isCotangent(i))
      mapping.map(graph.getValue(i), block.getArgument(next++));

  SmallVector<unsigned> returned(graph.getPrimals());
  SmallVector<SavedAttr> savedAttrs;
  for (const SavedValue &saved : plan.saved) {
    if (saved.kind == SavedKind::New)
      returned.push_back(saved.value);
    savedAttrs.push_back(
        SavedAttr::get(function->getContext(), saved.kind, saved.index));
  }

  OpBuilder body = OpBuilder::atBlockEnd(&block);
  for (unsigned op : orderForward(graph, returned))
    body.clone(*graph.getOp(op), mapping);
  addReturn(block, returned, mapping);

  linkPair(function, backwardName, savedAttrs);
  return function;
}

FunctionOpInterface Splitter::createBackward(OpBuilder &b,
                                             StringRef name) const {
  FunctionOpInterface function =
      createFunction(b, name, getBackwardSignature());
  Block &block = function.getFunctionBody().front();
  OpBuilder body = OpBuilder::atBlockEnd(&block);
  IRMapping mapping;
  std::vector<bool> isArgument(graph.getNumValues());
  unsigned next = 0;
  auto bind = [&](unsigned value) {
    mapping.map(graph.getValue(value), block.getArgument(next++));
    isArgument[value] = true;
  };
  SmallVector<unsigned> savedValues = plan.getSavedValues();
  llvm::for_each(savedValues, bind);
  for (unsigned i = 0, e = graph.getNumArguments(); i != e; ++i)
    if (graph.isCotangent(i))
      bind(i);

  for (unsigned op : orderBackward(graph, savedValues)) {
    // A clone maps all results, but a saved one comes from the forward.
    SmallVector<std::pair<Value, Value>> fromForward;
    for (unsigned result : graph.getResults(op))
      if (isArgument[result])
        fromForward.emplace_back(graph.getValue(result),
                                 mapping.lookup(graph.getValue(result)));
    body.clone(*graph.getOp(op), mapping);
    for (auto [original, saved] : fromForward)
      mapping.map(original, saved);
  }
  addReturn(block, graph.getGradients(), mapping);
  return function;
}

std::pair<FunctionOpInterface, FunctionOpInterface>
mlir::rng::splitFunction(OpBuilder &b, const JointGraph &graph,
                         const PartitionPlan &plan, StringRef forwardName,
                         StringRef backwardName) {
  assert(plan.inBackward.size() == graph.getNumOps() &&
         "the plan is one of this graph");
  Splitter splitter(graph, plan);
  FunctionOpInterface forward =
      splitter.createForward(b, forwardName, backwardName);
  FunctionOpInterface backward = splitter.createBackward(b, backwardName);
  return {forward, backward};
}
