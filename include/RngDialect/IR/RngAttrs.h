//===- RngAttrs.h - Algorithms, conventions, saved values -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_IR_RNGATTRS_H
#define RNGDIALECT_IR_RNGATTRS_H

#include "RngDialect/IR/RngDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpImplementation.h"

#include "RngDialect/IR/RngEnums.h.inc"

namespace mlir::rng {

/// Where an element of a draw comes from: the block (i64) and the slot in it
/// (i32), or vectors of both.
struct ElementPlace {
  Value block;
  Value slot;
};

/// The words (i32 or vectors of i32, least significant first) that a 4x32 block
/// function takes.
struct CounterAndKey {
  Value counter[4];
  Value key[2];
};

} // namespace mlir::rng

#include "RngDialect/IR/RngAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "RngDialect/IR/RngAttrs.h.inc"

namespace mlir::rng {

/// The algorithm of draws that name none: `#rng.philox`.
RngAlgorithmAttrInterface getDefaultAlgorithm(MLIRContext *context);

} // namespace mlir::rng

#endif // RNGDIALECT_IR_RNGATTRS_H
