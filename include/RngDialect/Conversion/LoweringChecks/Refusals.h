//===- Refusals.h - Why a pattern does not match ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_LOWERINGCHECKS_REFUSALS_H
#define RNGDIALECT_CONVERSION_LOWERINGCHECKS_REFUSALS_H

#include "mlir/IR/Operation.h"
#include <optional>
#include <string>

namespace mlir::rng {

/// The first error that `check`, of `op`, reports; none if it succeeds. Nothing
/// is shown to the user: a pattern does not match where a pass would fail, and
/// says why to whoever listens to it.
std::optional<std::string> findRefusal(Operation *op,
                                       function_ref<LogicalResult()> check);

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_LOWERINGCHECKS_REFUSALS_H
