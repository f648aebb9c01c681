//===- CallGroups.cpp - Callees before their callers ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/GeneratorEffects/CallGroups.h"
#include "mlir/Analysis/CallGraph.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::effects;

std::vector<CallGroup> mlir::rng::effects::getCallGroups(Operation *op) {
  // The graph keeps nodes and edges in the order of the program.
  const CallGraph graph(op);
  std::vector<CallGroup> groups;
  for (auto it = llvm::scc_begin(&graph); !it.isAtEnd(); ++it) {
    CallGroup group;
    group.isRecursive = it.hasCycle();
    for (const CallGraphNode *node : *it)
      if (!node->isExternal())
        if (auto function = dyn_cast<FunctionOpInterface>(
                node->getCallableRegion()->getParentOp()))
          group.functions.push_back(function);
    if (!group.functions.empty())
      groups.push_back(std::move(group));
  }
  return groups;
}
