//===- DriverPair.h - Pairs that a test driver runs -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a generated driver has to know of a forward, its backward and the joint
/// function that they were made of before it writes anything.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_DRIVER_DRIVERPAIR_H
#define RNGDIALECT_LIB_TRANSFORMS_DRIVER_DRIVERPAIR_H

#include "DriverDraws.h"
#include "RngDialect/IR/SavedList.h"
#include "mlir/IR/SymbolTable.h"

#include <optional>
#include <string>

namespace mlir::rng::driver {

/// What an argument or a result of the joint function is in the pair.
struct JointRole {
  /// A cotangent or a gradient, not an argument or a primal result of the
  /// forward.
  bool isOfBackward;
  /// Its number among those of its kind.
  unsigned index;
};

/// A forward and its backward.
struct Pair {
  Pair(func::FuncOp forward, func::FuncOp backward, SavedList list);

  /// That of the forward without "_forward": the joint function's.
  std::string name;
  func::FuncOp forward, backward;
  SavedList saved;
  /// Results of the forward that are there for their own sake.
  unsigned numPrimals;
  /// Types of the arguments of the backward behind the saved values.
  SmallVector<Type> cotangents;

  /// The function that the pair was made of, null if it is gone, and what its
  /// arguments and results are in the pair.
  func::FuncOp joint;
  SmallVector<JointRole> jointArguments, jointResults;

  /// For each gradient the argument of the forward that it is of, if known.
  SmallVector<std::optional<unsigned>> gradientArguments;
  /// For each primal result its cotangent, if it has one.
  SmallVector<std::optional<unsigned>> primalCotangents;
  Draws forwardDraws, backwardDraws, jointDraws;
  /// The forward, or the backward, reads or writes a state, of a generator or
  /// in memory, or is given one and hands it back.
  bool usesState = false, backwardUsesState = false;

  /// Whether the argument `arg` of the forward is marked `rng.persistent`, on
  /// the forward or on the joint function.
  bool isPersistent(unsigned arg);
};

/// Understands the pair that `forward`, which has `rng.backward`, begins.
/// Reports an error and fails if the two do not fit, or if a driver cannot make
/// or print what they take and yield.
FailureOr<Pair> readPair(func::FuncOp forward, ModuleOp module,
                         SymbolTableCollection &symbols);

} // namespace mlir::rng::driver

#endif // RNGDIALECT_LIB_TRANSFORMS_DRIVER_DRIVERPAIR_H
