//===- DriverState.h - States that a test driver hands on -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The arguments and results marked `rng.state` of a forward and its backward,
/// and how a caller passes the state of a generator from one call to the next.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_DRIVER_DRIVERSTATE_H
#define RNGDIALECT_LIB_TRANSFORMS_DRIVER_DRIVERSTATE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::rng::driver {

/// The states of generators that calls are given, by the generator's mark: seed
/// and offset, or a memory.
class PassedStates {
public:
  /// Whether argument `index` of `function` is one.
  static bool isState(func::FuncOp function, unsigned index);

  /// Starts with the states among `arguments`, those of a call of `function`.
  void open(func::FuncOp function, ValueRange arguments);

  /// Replaces the states among `arguments`, those of a call of `function`.
  void passTo(func::FuncOp function, MutableArrayRef<Value> arguments) const;

  /// Takes over the states among the `results` of a call of `function`.
  void takeFrom(func::FuncOp function, ValueRange results);

private:
  /// For lookup only.
  llvm::DenseMap<Attribute, SmallVector<Value, 2>> states;
};

} // namespace mlir::rng::driver

#endif // RNGDIALECT_LIB_TRANSFORMS_DRIVER_DRIVERSTATE_H
