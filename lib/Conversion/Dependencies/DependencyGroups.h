//===- DependencyGroups.h - Parts of what the pipelines need ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A file for each: together their headers take a compiler 2 GB.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_DEPENDENCIES_DEPENDENCYGROUPS_H
#define RNGDIALECT_LIB_CONVERSION_DEPENDENCIES_DEPENDENCYGROUPS_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::rng::dependencies {

/// The dialects of programs, and those that pipelines lead through; those of
/// LLVM IR come with their translations.
void registerDialects(DialectRegistry &registry);

/// What ops on tensors are on buffers, what frees these, and what sizes are.
void registerBufferModels(DialectRegistry &registry);

/// The dialects of LLVM IR, what ops are in them, and what these are in LLVM
/// IR.
void registerLLVMModels(DialectRegistry &registry);

} // namespace mlir::rng::dependencies

#endif // RNGDIALECT_LIB_CONVERSION_DEPENDENCIES_DEPENDENCYGROUPS_H
