//===- RngIRBuilding.h - Constants of scalars and vectors ---- -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_DIALECT_RNGIRBUILDING_H
#define RNGDIALECT_LIB_DIALECT_RNGIRBUILDING_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::rng {

/// `element` in the shape of `like`: a scalar or a vector type.
inline Type withElementType(Type like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(element);
  return element;
}

inline Value createConstant(ImplicitLocOpBuilder &b, Type type,
                            TypedAttr value) {
  if (auto vector = dyn_cast<VectorType>(type))
    value = SplatElementsAttr::get(vector, Attribute(value));
  return arith::ConstantOp::create(b, value);
}

/// The integer `value`, truncated to the element type, in every lane of `type`.
inline Value createIntegerConstant(ImplicitLocOpBuilder &b, Type type,
                                   uint64_t value) {
  auto element = cast<IntegerType>(getElementTypeOrSelf(type));
  return createConstant(b, type,
                        b.getIntegerAttr(element, APInt(64, value).zextOrTrunc(
                                                      element.getWidth())));
}

/// The float `value` in every lane of `type`.
inline Value createFloatConstant(ImplicitLocOpBuilder &b, Type type,
                                 double value) {
  return createConstant(b, type,
                        b.getFloatAttr(getElementTypeOrSelf(type), value));
}

} // namespace mlir::rng

#endif // RNGDIALECT_LIB_DIALECT_RNGIRBUILDING_H
