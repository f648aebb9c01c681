//===- BodyWork.h - Instructions of a structured op -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_STRUCTURED_BODYWORK_H
#define RNGDIALECT_CONVERSION_STRUCTURED_BODYWORK_H

#include "mlir/IR/Block.h"

namespace mlir::rng {

/// About how many instructions of 32 bits `body`, that of a structured op,
/// takes for `lanes` consecutive points: one an op, 16 a function of `math`,
/// and for a draw what its algorithm says of its stream blocks, which as many
/// points share as may, and of its distribution.
int64_t estimateBodyWork(Block &body, int64_t lanes);

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_STRUCTURED_BODYWORK_H
