//===- CheckTypes.cpp - Types that cannot be lowered ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the types of a program promise and no lowering keeps: sizes beyond
// memory, which wrap in upstream passes, vectors that become too much code,
// encodings, which are nothing to a buffer.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/LoweringChecks/CheckTypes.h"
#include "RngDialect/IR/StaticSizes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::rng;

LogicalResult mlir::rng::checkVectorSize(Operation *op, Type type,
                                         int64_t maxElements) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector ||
      countStaticElements(vector.getShape()) <= uint64_t(maxElements))
    return success();
  return op->emitOpError("cannot be lowered with a value of type ")
         << type << ": use a tensor, or vectors of at most " << maxElements
         << " elements";
}

static LogicalResult checkSize(Operation *op, Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || countStaticBytes(shaped) <= kMaxBytes)
    return success();
  return op->emitOpError("cannot be lowered with a value of type ")
         << type
         << ": it has more than 2^62 bytes, which no machine addresses; work "
            "on pieces of it";
}

static LogicalResult checkEncoding(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getEncoding())
    return success();
  return op->emitOpError("cannot be lowered with a value of type ")
         << type
         << ": a buffer does not keep the encoding; lower what it stands for "
            "before, or use a type without it";
}

/// Whether a buffer can have the elements of `type`, if it is a tensor.
static LogicalResult checkElementType(Operation *op, Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor || BaseMemRefType::isValidElementType(tensor.getElementType()))
    return success();
  return op->emitOpError("cannot be lowered with a value of type ")
         << type << ": no buffer has elements of type "
         << tensor.getElementType() << "; convert it to another type first";
}

/// Calls `check` with each op below `root` and each type of its results, of
/// arguments of its regions, and of what it takes and returns if it is a
/// function; stops where it fails.
static LogicalResult
walkTypes(Operation *root,
          function_ref<LogicalResult(Operation *, Type)> check) {
  auto checkAll = [&](Operation *op, TypeRange types) {
    return llvm::all_of(types,
                        [&](Type type) { return succeeded(check(op, type)); });
  };
  // From the outside in: a function before what is done with its arguments.
  WalkResult result = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      if (!checkAll(op, function.getArgumentTypes()) ||
          !checkAll(op, function.getResultTypes()))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!checkAll(op, block.getArgumentTypes()))
          return WalkResult::interrupt();
    return WalkResult(success(checkAll(op, op->getResultTypes())));
  });
  return failure(result.wasInterrupted());
}

LogicalResult mlir::rng::checkBufferTypes(Operation *root) {
  return walkTypes(root, [](Operation *op, Type type) {
    return success(succeeded(checkEncoding(op, type)) &&
                   succeeded(checkElementType(op, type)));
  });
}

LogicalResult mlir::rng::checkTypes(Operation *root) {
  return walkTypes(root, [](Operation *op, Type type) {
    return success(succeeded(checkVectorSize(op, type)) &&
                   succeeded(checkSize(op, type)) &&
                   succeeded(checkEncoding(op, type)));
  });
}
