//===- DeviceCode.cpp - Code that threads of a GPU run ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/Support/DeviceCode.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mlir::rng;

bool mlir::rng::isInDeviceCode(Operation *op) {
  while ((op = op->getParentOp()))
    if (op->getName().getDialectNamespace() == "gpu")
      return true;
  return false;
}

DeviceCalls::DeviceCalls(Operation *root) {
  SymbolTableCollection symbols;
  SmallVector<Operation *> reached;
  auto follow = [&](CallOpInterface call) {
    Operation *callee = call.resolveCallableInTable(&symbols);
    if (callee && root->isAncestor(callee) && !isInDeviceCode(callee) &&
        calls.try_emplace(callee, call).second)
      reached.push_back(callee);
  };
  root->walk([&](CallOpInterface call) {
    if (isInDeviceCode(call))
      follow(call);
  });
  while (!reached.empty())
    reached.pop_back_val()->walk(follow);
}

LogicalResult DeviceCalls::checkHost(Operation *op, StringRef harm) const {
  if (isInDeviceCode(op))
    return op->emitOpError("is in device code, ") << harm;
  for (Operation *scope = op; scope; scope = scope->getParentOp()) {
    Operation *call = calls.lookup(scope);
    if (!call)
      continue;
    InFlightDiagnostic diagnostic =
        op->emitOpError("is in a function that device code calls, ") << harm;
    diagnostic.attachNote(call->getLoc()) << "threads come here by this call";
    return diagnostic;
  }
  return success();
}
