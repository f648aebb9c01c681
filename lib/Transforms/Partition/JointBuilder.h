//===- JointBuilder.h - Regions as a joint function -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Builds the joint function that stands for a region of the forward and one of
/// the backward: what they use of what is around them are its arguments.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_JOINTBUILDER_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_JOINTBUILDER_H

#include "RngDialect/Transforms/Partition/CostModel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::rng::cut {

/// Bytes of what a region of the forward hands to one of the backward.
struct BytesAndMasks {
  uint64_t all = 0;
  /// The part of it that are booleans.
  uint64_t masks = 0;

  void add(Type type, const CostModel &model);
};

class JointBuilder {
public:
  JointBuilder(MLIRContext *context, Location loc);

  /// The function, outside of any module, and a builder at the end of its body.
  func::FuncOp getFunction() { return cast<func::FuncOp>(*function); }
  OpBuilder &getBuilder() { return builder; }
  /// What values around the function have become in it.
  IRMapping &getMapping() { return mapping; }

  /// Adds an argument with the attribute `mark` of the dialect, none if empty.
  BlockArgument addArgument(Type type, Location loc, StringRef mark);
  /// Makes `value`, which is around the regions, known: a constant is copied,
  /// and of all others there is an argument. Returns true if one was added.
  bool mapAround(Value value, StringRef mark);
  /// Copies the ops of `block` to which `isCopied`, without the terminator.
  void addOps(Block &block, function_ref<bool(Operation *)> isCopied);
  /// Puts `replacement` where the function uses what `value` has become.
  void replace(Value value, Value replacement);
  /// Adds what `value` has become to what the function returns.
  void addResult(Value value, StringRef mark);
  /// Ends the function and erases what nothing needs.
  void finish();

  /// A copy of the function.
  OwningOpRef<Operation *> copy() const { return function.get()->clone(); }

private:
  OwningOpRef<Operation *> function;
  OpBuilder builder;
  IRMapping mapping;
  SmallVector<Value> results;
  SmallVector<StringRef> marks;
};

/// The mark of a value around a region of the backward: one that is known in
/// front of `forward` and depends on no cotangent may be used by the forward,
/// all others count as cotangents.
StringRef getMarkAround(Value value, Operation *forward,
                        function_ref<bool(Value)> dependsOnCotangent);

/// Appends a copy of the body of `function`; what it returns.
SmallVector<Value> inlineBody(OpBuilder &b, Operation *function,
                              ValueRange arguments);

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_JOINTBUILDER_H
