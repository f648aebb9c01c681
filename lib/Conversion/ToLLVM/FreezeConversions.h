//===- FreezeConversions.h - Poison stays poison ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_TOLLVM_FREEZECONVERSIONS_H
#define RNGDIALECT_LIB_CONVERSION_TOLLVM_FREEZECONVERSIONS_H

#include "mlir/IR/Operation.h"

namespace mlir::rng::tollvm {

/// Freezes conversions of floats to integers in `root`, of the LLVM dialect. A
/// float that no integer stands for becomes poison there, which spreads to all
/// that is made of it. Upstream's polynomials convert their argument on the
/// way: of a NaN they would yield any number, not a NaN.
void freezeConversions(Operation *root);

} // namespace mlir::rng::tollvm

#endif // RNGDIALECT_LIB_CONVERSION_TOLLVM_FREEZECONVERSIONS_H
