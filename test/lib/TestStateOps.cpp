//===- TestStateOps.cpp - State ops of an embedder --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestStateOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::test;

#define GET_OP_CLASSES
#include "TestStateOps.cpp.inc"

void TestDialect::registerStateOps() {
  addOperations<
#define GET_OP_LIST
#include "TestStateOps.cpp.inc"
      >();
}

OpFoldResult ShuffleOp::getStateBlocks(RngAlgorithmAttrInterface) {
  return getBlocksAttr();
}

bool ShuffleOp::takesSnapshot() { return true; }

StateReplacement ShuffleOp::buildAtState(OpBuilder &b,
                                         RngAlgorithmAttrInterface, Value seed,
                                         Value offset) {
  auto at =
      ShuffleAtOp::create(b, getLoc(), getType(), seed, offset, getValue());
  at->setDiscardableAttrs((*this)->getDiscardableAttrDictionary());
  return {{at.getResult()}, {}};
}

StateReplacement RejectOp::buildAtState(OpBuilder &b, RngAlgorithmAttrInterface,
                                        Value seed, Value offset) {
  auto at = RejectAtOp::create(b, getLoc(), getType(), b.getI64Type(), seed,
                               offset, getValue());
  return {{at.getResult()}, at.getBlocks()};
}
