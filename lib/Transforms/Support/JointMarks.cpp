//===- JointMarks.cpp - Marks of joint functions ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/Support/JointMarks.h"
#include "RngDialect/IR/RngDialect.h"

using namespace mlir;
using namespace mlir::rng;

bool mlir::rng::isJointFunction(FunctionOpInterface function) {
  if (function.isExternal())
    return false;
  for (unsigned i = 0, e = function.getNumResults(); i != e; ++i)
    if (function.getResultAttr(i, RngDialect::kGradient))
      return true;
  return false;
}

/// The names of the backwards of the pairs of `module`.
static llvm::DenseSet<Attribute> findBackwards(ModuleOp module) {
  llvm::DenseSet<Attribute> backwards;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (auto symbol =
            function->getAttrOfType<FlatSymbolRefAttr>(RngDialect::kBackward))
      backwards.insert(symbol.getAttr());
  return backwards;
}

/// Warns of joint functions in modules within `module`.
static void warnNestedJointFunctions(ModuleOp module) {
  for (auto nested : module.getOps<ModuleOp>()) {
    for (auto function : nested.getOps<FunctionOpInterface>())
      if (isJointFunction(function))
        emitWarning(function.getLoc())
            << "joint function '@" << function.getName()
            << "' of a nested module is left alone: run the pass on its module";
    warnNestedJointFunctions(nested);
  }
}

SmallVector<FunctionOpInterface>
mlir::rng::findJointFunctions(ModuleOp module) {
  llvm::DenseSet<Attribute> backwards = findBackwards(module);
  SmallVector<FunctionOpInterface> joints;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (isJointFunction(function) &&
        !backwards.contains(function.getNameAttr()))
      joints.push_back(function);
  return joints;
}

void mlir::rng::warnWrongMarks(ModuleOp module) {
  llvm::DenseSet<Attribute> backwards = findBackwards(module);
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal() || function.isPrivate() ||
        isJointFunction(function) || function->hasAttr(RngDialect::kBackward) ||
        backwards.contains(function.getNameAttr()))
      continue;
    for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i) {
      if (!function.getArgAttr(i, RngDialect::kCotangent))
        continue;
      emitWarning(function.getLoc())
          << "function '@" << function.getName() << "' has the argument #" << i
          << " marked '" << RngDialect::kCotangent << "' but no result marked '"
          << RngDialect::kGradient
          << "', so that it is not split: mark the gradients among its "
             "results, or remove the mark";
      break;
    }
  }
  warnNestedJointFunctions(module);
}

void mlir::rng::warnUnsplitJointFunctions(ModuleOp module, StringRef pass) {
  SmallVector<FunctionOpInterface> joints = findJointFunctions(module);
  if (joints.empty())
    return;
  SymbolTable symbols(module);
  for (FunctionOpInterface joint : joints) {
    Operation *forward = symbols.lookup((joint.getName() + "_forward").str());
    if (forward && forward->hasAttr(RngDialect::kBackward))
      continue;
    emitWarning(joint.getLoc())
        << "joint function '@" << joint.getName()
        << "' has not been split: run 'rng-partition' before " << pass
        << ", or remove '" << RngDialect::kGradient
        << "' from its results if it is to stay one function";
  }
}
