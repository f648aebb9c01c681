//===- MathLowering.h - How math functions are computed ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_TOLLVM_MATHLOWERING_H
#define RNGDIALECT_CONVERSION_TOLLVM_MATHLOWERING_H

namespace mlir::rng {

/// How math functions are computed: by polynomials of our own, the same bits on
/// every target, or by the C library.
enum class MathLowering { Poly, Libm };

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_TOLLVM_MATHLOWERING_H
