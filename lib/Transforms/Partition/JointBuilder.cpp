//===- JointBuilder.cpp - Regions as a joint function -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JointBuilder.h"
#include "DialectCosts.h"
#include "Partitioner.h"
#include "RngDialect/IR/RngDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

void BytesAndMasks::add(Type type, const CostModel &model) {
  uint64_t bytes = model.getBytes(type);
  all = cut::add(all, bytes);
  if (getElementTypeOrSelf(type).isInteger(1))
    masks = cut::add(masks, bytes);
}

JointBuilder::JointBuilder(MLIRContext *context, Location loc)
    : builder(context) {
  function = func::FuncOp::create(builder, loc, "iteration",
                                  builder.getFunctionType({}, {}))
                 .getOperation();
  builder.setInsertionPointToStart(&getFunction().getBody().emplaceBlock());
}

BlockArgument JointBuilder::addArgument(Type type, Location loc,
                                        StringRef mark) {
  DictionaryAttr attrs;
  if (!mark.empty())
    attrs = builder.getDictionaryAttr(
        builder.getNamedAttr(mark, builder.getUnitAttr()));
  func::FuncOp joint = getFunction();
  (void)joint.insertArgument(joint.getNumArguments(), type, attrs, loc);
  return joint.getArguments().back();
}

bool JointBuilder::mapAround(Value value, StringRef mark) {
  if (mapping.contains(value))
    return false;
  // A constant as an argument would not be folded.
  if (matchPattern(value, m_Constant())) {
    builder.clone(*value.getDefiningOp(), mapping);
    return false;
  }
  mapping.map(value, addArgument(value.getType(), value.getLoc(), mark));
  return true;
}

void JointBuilder::addOps(Block &block,
                          function_ref<bool(Operation *)> isCopied) {
  for (Operation &op : block.without_terminator())
    if (isCopied(&op))
      builder.clone(op, mapping);
}

void JointBuilder::replace(Value value, Value replacement) {
  if (mapping.lookup(value) != replacement)
    mapping.lookup(value).replaceAllUsesWith(replacement);
  mapping.map(value, replacement);
}

void JointBuilder::addResult(Value value, StringRef mark) {
  results.push_back(mapping.lookup(value));
  marks.push_back(mark);
}

void JointBuilder::finish() {
  func::FuncOp joint = getFunction();
  func::ReturnOp::create(builder, joint.getLoc(), results);
  joint.setFunctionType(builder.getFunctionType(
      joint.getArgumentTypes(), ValueRange(results).getTypes()));
  for (auto [i, mark] : llvm::enumerate(marks))
    if (!mark.empty())
      joint.setResultAttr(i, mark, builder.getUnitAttr());
  eraseDeadOps(joint);
}

StringRef cut::getMarkAround(Value value, Operation *forward,
                             function_ref<bool(Value)> dependsOnCotangent) {
  Operation *op = value.getDefiningOp();
  bool isBehind = op && op->getBlock() == forward->getBlock() &&
                  !op->isBeforeInBlock(forward);
  return isBehind || dependsOnCotangent(value) ? RngDialect::kCotangent
                                               : RngDialect::kPersistent;
}

SmallVector<Value> cut::inlineBody(OpBuilder &b, Operation *function,
                                   ValueRange arguments) {
  Block &body = cast<FunctionOpInterface>(function).getFunctionBody().front();
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  for (Operation &op : body.without_terminator())
    b.clone(op, mapping);
  return llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookup(value); });
}
