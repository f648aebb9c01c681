//===- Passes.h - The cut of joint functions --------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_PARTITION_PASSES_H
#define RNGDIALECT_TRANSFORMS_PARTITION_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::rng {

#define GEN_PASS_DECL
#include "RngDialect/Transforms/Partition/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "RngDialect/Transforms/Partition/Passes.h.inc"

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_PARTITION_PASSES_H
