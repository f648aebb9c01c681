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

namespace mlir::rng {

/// Whether threads of a kernel run `op`: an op of the GPU dialect is around it,
/// at any distance, such as a launch, a kernel, or a module of kernels and of
/// functions that these call. Asks for the dialect by its name, so that code
/// that knows no GPU may ask.
bool isInDeviceCode(Operation *op);

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_SUPPORT_DEVICECODE_H
