//===- RngDrawVerifier.cpp - What draws must satisfy ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDrawVerifier.h"
#include "RngDialect/IR/CountWords.h"
#include "RngDialect/IR/RngOps.h"
#include "RngDialect/IR/StaticSizes.h"
#include "RngDrawMethods.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::rng;

bool mlir::rng::isDrawnShape(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable();
  return isa<RankedTensorType>(type) || !isa<ShapedType>(type);
}

LogicalResult ir::verifyDrawType(Operation *op, Distribution distribution,
                                 Type type, size_t numSizes) {
  auto shaped = dyn_cast<ShapedType>(type);
  // C1
  if (shaped && !isa<RankedTensorType, VectorType>(type))
    return op->emitOpError("expected to draw a ranked tensor, a vector or a "
                           "scalar but got ")
           << type;
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable())
    return op->emitOpError("expected a vector of fixed size but got ") << type;
  // C2
  Type elementType = getElementTypeOrSelf(type);
  const DistributionFacts &facts = getDistributionFacts(distribution);
  if (!facts.isDrawable(elementType))
    return op->emitOpError("expected elements of type ")
           << facts.elementNames << " but got " << elementType;
  // C3
  size_t numDynamic = shaped ? shaped.getNumDynamicDims() : 0;
  if (numDynamic != numSizes)
    return op->emitOpError("expected ")
           << numDynamic << " sizes, one for each dynamic dimension of " << type
           << ", but got " << numSizes;
  return success();
}

// C17: of the numbers that are drawn here. The logical draw of a slice, and
// what `rng.advance` names, may be larger: nobody has all of it in memory.
static LogicalResult verifyResultSize(Operation *op, Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || countStaticBytes(shaped) <= kMaxBytes)
    return success();
  return op->emitOpError("draws more than 2^62 bytes, which no machine "
                         "addresses: draw slices of ")
         << type;
}

LogicalResult mlir::rng::detail::verifyDrawTypes(Operation *op,
                                                 Distribution distribution,
                                                 ValueRange params,
                                                 ValueRange sizes) {
  Type type = op->getResult(0).getType();
  if (failed(ir::verifyDrawType(op, distribution, type, sizes.size())) ||
      failed(verifyResultSize(op, type)))
    return failure();
  const DistributionFacts &facts = getDistributionFacts(distribution);
  if (params.empty() && facts.areParamsOptional)
    return success();
  // C5
  if (params.size() != facts.numParams)
    return op->emitOpError("expected ")
           << describeCount(facts.numParams, "operand") << " of '"
           << facts.paramsKeyword << "' but got " << params.size();
  // C4
  Type want = facts.getParamType(getElementTypeOrSelf(type));
  for (Value param : params)
    if (param.getType() != want)
      return op->emitOpError("expected operands of '")
             << facts.paramsKeyword << "' of type " << want << " but got "
             << param.getType();
  return success();
}

/// Refuses discardable attributes of a stateful draw that its stateless form
/// has as inherent ones: threading copies the former, where they would become
/// the latter and say something else.
LogicalResult ir::verifyStatefulDraw(StatefulDrawOpInterface op,
                                     OperationName stateless) {
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringAttr name = attribute.getName();
    // C18
    if (!llvm::is_contained(stateless.getAttributeNames(), name))
      continue;
    InFlightDiagnostic error = op->emitOpError("has the attribute ")
                               << name << ", which only '" << stateless
                               << "' has: ";
    if (isa<RngAlgorithmAttrInterface>(attribute.getValue()))
      return error << "give the algorithm to the 'rng.generator', or to the "
                      "module as '"
                   << RngDialect::kDefaultAlgorithm << "'";
    return error << "remove it";
  }
  return success();
}

// C7: the generic form may spread the operands over the segments as it likes.
LogicalResult ir::verifyState(Operation *op, unsigned numSeeds,
                              unsigned numOffsets) {
  if (numSeeds == 1 && numOffsets == 1)
    return success();
  return op->emitOpError(
             "expected one seed or snapshot and one offset but got ")
         << numSeeds << " and " << numOffsets;
}

/// Offsets and sizes have the rank of the logical draw, the result covers the
/// last dimensions, and what is static must be in bounds.
LogicalResult ir::verifySlice(Operation *op, Type type,
                              std::optional<ArrayRef<int64_t>> offsets,
                              std::optional<ArrayRef<int64_t>> sizes,
                              size_t numDynamicOffsets,
                              size_t numDynamicSizes) {
  // C8
  if (offsets.has_value() != sizes.has_value())
    return op->emitOpError("expected slice offsets and sizes together");
  if (!offsets) {
    if (numDynamicOffsets || numDynamicSizes)
      return op->emitOpError("has slice operands but no slice");
    return success();
  }
  if (offsets->size() != sizes->size())
    return op->emitOpError("expected as many slice sizes as offsets (")
           << offsets->size() << ") but got " << sizes->size();
  auto countDynamic = [](ArrayRef<int64_t> values) {
    return size_t(llvm::count(values, ShapedType::kDynamic));
  };
  if (countDynamic(*offsets) != numDynamicOffsets ||
      countDynamic(*sizes) != numDynamicSizes)
    return op->emitOpError(
        "expected one operand for each dynamic slice offset and size");
  auto shaped = dyn_cast<ShapedType>(type);
  ArrayRef<int64_t> shape = shaped ? shaped.getShape() : ArrayRef<int64_t>();
  if (offsets->size() < shape.size())
    return op->emitOpError("expected at least ")
           << shape.size() << " slice indices for a result of type " << type
           << " but got " << offsets->size();
  size_t numLeading = offsets->size() - shape.size();
  for (size_t d = 0; d < offsets->size(); ++d) {
    int64_t offset = (*offsets)[d], full = (*sizes)[d];
    int64_t extent = d < numLeading ? 1 : shape[d - numLeading];
    bool hasOffset = !ShapedType::isDynamic(offset);
    bool hasFull = !ShapedType::isDynamic(full);
    bool hasExtent = !ShapedType::isDynamic(extent);
    // C9
    if ((hasOffset && offset < 0) || (hasFull && full < 0))
      return op->emitOpError("expected slice offsets and sizes that are not "
                             "negative but got ")
             << (hasOffset && offset < 0 ? offset : full) << " in dimension "
             << d;
    // C10. Written so that nothing overflows: a dynamic offset is at least 0.
    int64_t start = hasOffset ? offset : 0;
    if (hasFull && hasExtent && (extent > full || start > full - extent))
      return op->emitOpError("slice is out of bounds in dimension ")
             << d << ": expected " << start << " + " << extent
             << " to be at most " << full;
  }
  return success();
}
