//===- KernelAccesses.h - What kernels read and write -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of kernels in the LLVM dialect, by their pointers.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_GPUTONVPTX_KERNELACCESSES_H
#define RNGDIALECT_LIB_CONVERSION_GPUTONVPTX_KERNELACCESSES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace mlir::rng::nvptx {

/// Whether all that happens to `pointer` is that memory behind it is read.
bool isOnlyRead(Value pointer);

/// The arguments that `kernel` writes through; none if it may write elsewhere.
std::optional<DenseSet<Value>> findWritten(FunctionOpInterface kernel);

} // namespace mlir::rng::nvptx

#endif // RNGDIALECT_LIB_CONVERSION_GPUTONVPTX_KERNELACCESSES_H
