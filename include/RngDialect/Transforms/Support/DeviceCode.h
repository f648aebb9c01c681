//===- DeviceCode.h - Code that threads of a GPU run ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_SUPPORT_DEVICECODE_H
#define RNGDIALECT_TRANSFORMS_SUPPORT_DEVICECODE_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::rng {

/// Whether threads of a kernel run `op`: an op of the GPU dialect is around it,
/// at any distance, such as a launch, a kernel, or a module of kernels and of
/// functions that these call. Asks for the dialect by its name, so that code
/// that knows no GPU may ask.
bool isInDeviceCode(Operation *op);

/// The functions around which no op of the GPU dialect is, but which threads of
/// a kernel run: device code below a root calls them, or they are called by
/// such functions. What is outside the root is not looked at.
class DeviceCalls {
public:
  explicit DeviceCalls(Operation *root);

  /// Fails with an error on `op` if threads run it, be it in device code or in
  /// a function that device code calls. `harm` completes "is in device code, ",
  /// says what is wrong with that, and what to do.
  LogicalResult checkHost(Operation *op, StringRef harm) const;

private:
  /// By function: the first call, in the order of the program, by which
  /// threads come to run it.
  DenseMap<Operation *, Operation *> calls;
};

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_SUPPORT_DEVICECODE_H
