//===- StaticSizes.cpp - How large a type makes its values ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/StaticSizes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::rng;

uint64_t mlir::rng::countStaticElements(ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0))
    return 0;
  uint64_t count = 1;
  for (int64_t size : shape)
    if (!ShapedType::isDynamic(size))
      count = llvm::SaturatingMultiply(count, uint64_t(size));
  return count;
}

uint64_t mlir::rng::countElementBytes(Type type) {
  if (isa<IntegerType, FloatType>(type))
    return llvm::PowerOf2Ceil(
        llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
  if (isa<IndexType>(type))
    return 8;
  if (auto complex = dyn_cast<ComplexType>(type))
    return llvm::SaturatingMultiply(
        uint64_t(2), countElementBytes(complex.getElementType()));
  if (auto vector = dyn_cast<VectorType>(type))
    return countStaticBytes(vector);
  return 1;
}

uint64_t mlir::rng::countStaticBytes(ArrayRef<int64_t> shape,
                                     Type elementType) {
  return llvm::SaturatingMultiply(countStaticElements(shape),
                                  countElementBytes(elementType));
}

uint64_t mlir::rng::countStaticBytes(ShapedType type) {
  return type.hasRank()
             ? countStaticBytes(type.getShape(), type.getElementType())
             : 0;
}
