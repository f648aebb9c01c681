//===- OpenCalls.cpp - Bodies in the place of calls -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenCalls.h"
#include "Orders.h"
#include "Partitioner.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

/// The function to put in the place of `op`, null if it is to stay.
static FunctionOpInterface getCalleeToOpen(Operation *op,
                                           const PureCalls &calls) {
  if (!isa<CallOpInterface>(op) || getOrder(op) != Order::None)
    return nullptr;
  FunctionOpInterface callee = calls.getCallee(op);
  if (!callee || !isa<CallableOpInterface>(callee.getOperation()) ||
      !callee.getFunctionBody().hasOneBlock())
    return nullptr;
  return callee;
}

bool mlir::rng::cut::hasCallsToOpen(FunctionOpInterface joint,
                                    const PureCalls &calls) {
  return llvm::any_of(joint.getFunctionBody().front(), [&](Operation &op) {
    return getCalleeToOpen(&op, calls) != nullptr;
  });
}

void mlir::rng::cut::openCalls(FunctionOpInterface joint,
                               const PureCalls &calls) {
  // A function that calls another twice, which does so too, and so on, would
  // fill the memory; what is left then is cut whole.
  constexpr unsigned kMaxOps = 1 << 16;
  InlinerInterface inliner(joint.getContext());
  InlinerConfig config;
  Block &body = joint.getFunctionBody().front();
  unsigned numOps = body.getOperations().size();
  for (Operation *op = &body.front(); op && numOps < kMaxOps;) {
    FunctionOpInterface callee = getCalleeToOpen(op, calls);
    Operation *before = op->getPrevNode();
    if (!callee ||
        failed(inlineCall(inliner, config.getCloneCallback(),
                          cast<CallOpInterface>(op),
                          cast<CallableOpInterface>(callee.getOperation()),
                          &callee.getFunctionBody()))) {
      op = op->getNextNode();
      continue;
    }
    numOps += callee.getFunctionBody().front().getOperations().size();
    op->erase();
    // The first op of what was inlined, which may be a call again.
    op = before ? before->getNextNode() : &body.front();
  }
  eraseDeadOps(joint);
  mergeEqualOps(body, calls);
}
