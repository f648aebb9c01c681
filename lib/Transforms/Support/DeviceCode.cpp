//===- DeviceCode.cpp - Code that threads of a GPU run ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/Support/DeviceCode.h"

using namespace mlir;

bool mlir::rng::isInDeviceCode(Operation *op) {
  while ((op = op->getParentOp()))
    if (op->getName().getDialectNamespace() == "gpu")
      return true;
  return false;
}
