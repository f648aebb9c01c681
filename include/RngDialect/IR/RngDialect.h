//===- RngDialect.h - The rng dialect ---------------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_RNGDIALECT_H
#define RNGDIALECT_IR_RNGDIALECT_H

#include "mlir/IR/Dialect.h"

#include "RngDialect/IR/RngDialect.h.inc"

#endif // RNGDIALECT_IR_RNGDIALECT_H
