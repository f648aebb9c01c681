//===- Dependencies.h - What the pipelines need of upstream -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_DEPENDENCIES_H
#define RNGDIALECT_CONVERSION_DEPENDENCIES_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Operation.h"

namespace mlir::rng {

/// Registers in `registry` all that `rng-to-cpu`, `rng-to-emulated-gpu` and
/// `rng-to-nvptx` need and no pass can register by itself: this dialect and the
/// dialects that programs for them are written in, what their ops are on
/// buffers and in the LLVM dialect (external models of interfaces), and the
/// translations to LLVM IR of kernels and of host code. To be called before a
/// context is made of the registry.
void registerRngPipelineDependencies(DialectRegistry &registry);

/// Reports an error and fails if the context of `root` lacks what
/// `registerRngPipelineDependencies` registers, with `forKernels` what only
/// kernels need, too: an embedder's mistake, not one of the program.
LogicalResult checkPipelineDependencies(Operation *root,
                                        bool forKernels = false);

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_DEPENDENCIES_H
