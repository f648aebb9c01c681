//===- Bernoulli.h - Decisions with a probability ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_DIALECT_STREAMS_BERNOULLI_H
#define RNGDIALECT_LIB_DIALECT_STREAMS_BERNOULLI_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Value.h"

namespace mlir::rng::streams {

/// Whether the f32 uniform u of `word` (i32) is below `probability` (f32, any
/// value): u = fma(float(word), 2^-32, 2^-33), 1 becoming 0. Both operands are
/// scalars, or vectors of one shape; the result is i1 in that shape.
///
/// Built as word * factor + 128 < threshold, unsigned mod 2^32, where factor
/// and threshold depend on the probability alone and are computed once for all
/// elements: u does not fall as word + 128 grows, because of the words of which
/// u is 1 before it becomes 0, the last 128.
Value buildUniformIsBelow(ImplicitLocOpBuilder &b, Value word,
                          Value probability);

} // namespace mlir::rng::streams

#endif // RNGDIALECT_LIB_DIALECT_STREAMS_BERNOULLI_H
