//===- JointMarks.h - Marks of joint functions ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which functions of a module are to be split, by their marks
/// (`rng.cotangent`, `rng.gradient`, `rng.backward`), and what is said where
/// the marks are not what was meant.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_SUPPORT_JOINTMARKS_H
#define RNGDIALECT_TRANSFORMS_SUPPORT_JOINTMARKS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::rng {

/// Whether `function` is a joint function: it has a body and a result marked
/// `rng.gradient`.
bool isJointFunction(FunctionOpInterface function);

/// The joint functions of `module`, in order. Backwards of pairs have gradients
/// too, and are none; those of nested modules are not among them.
SmallVector<FunctionOpInterface> findJointFunctions(ModuleOp module);

/// Warns of each public function of `module` that has cotangents but no
/// gradient, and so is not split, and of joint functions of nested modules,
/// which are left alone. Backwards of pairs may have no gradient; private
/// functions may be helpers of others.
void warnWrongMarks(ModuleOp module);

/// Warns of each joint function of `module` of which there is no pair (those
/// kept beside their pairs have one): `pass` is about to take it as it is.
void warnUnsplitJointFunctions(ModuleOp module, StringRef pass);

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_SUPPORT_JOINTMARKS_H
