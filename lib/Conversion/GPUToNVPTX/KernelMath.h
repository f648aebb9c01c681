//===- KernelMath.h - What passes on math of kernels share ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_GPUTONVPTX_KERNELMATH_H
#define RNGDIALECT_LIB_CONVERSION_GPUTONVPTX_KERNELMATH_H

#include "mlir/IR/Builders.h"

namespace mlir::rng::nvptx {

/// Whether `op` is a math function, which upstream would make a call of
/// libdevice of: an op of `math`, or one of three of `arith`.
bool isMathFunction(Operation *op);

/// A call of the intrinsic `llvm.<name>.<type>`, whose result is of `type`: a
/// scalar of f16, bf16, f32, f64 or of integers. The intrinsics' own ops are
/// illegal for upstream's conversion, which wants libdevice.
Value buildIntrinsic(OpBuilder &b, Location loc, StringRef name, Type type,
                     ValueRange operands);

/// A call of the intrinsic of all of this `name`, whose result is of `type`.
Value buildNamedIntrinsic(OpBuilder &b, Location loc, StringRef name, Type type,
                          ValueRange operands);

/// The constant `false` of intrinsics, which ask for one of LLVM's own.
Value buildFalse(OpBuilder &b, Location loc);

} // namespace mlir::rng::nvptx

#endif // RNGDIALECT_LIB_CONVERSION_GPUTONVPTX_KERNELMATH_H
