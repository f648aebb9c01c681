//===- OperandAccess.cpp - How points walk through operands -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Structured/OperandAccess.h"
#include "RngDialect/Conversion/Structured/UniformValues.h"
#include "RngDialect/IR/StaticSizes.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::structured;

int64_t structured::getLaneBytes(Type type) {
  if (!isa<IntegerType, FloatType>(type))
    return 0;
  unsigned width = type.getIntOrFloatBitWidth();
  int64_t bytes = countElementBytes(type);
  return width == 1 || (width == 8 * bytes && bytes <= 8) ? bytes : 0;
}

bool structured::isUniformOperand(linalg::LinalgOp op, OpOperand *operand) {
  if (!isa<MemRefType>(operand->get().getType()))
    return true;
  AffineMap map = op.getMatchingIndexingMap(operand);
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    if (map.isFunctionOfDim(dim))
      return false;
  return true;
}

bool structured::isUnusedInput(linalg::LinalgOp op, OpOperand *operand) {
  return op.isDpsInput(operand) &&
         op.getMatchingBlockArgument(operand).use_empty();
}

bool structured::isSameForAll(linalg::LinalgOp op, OpOperand *operand) {
  return isUnusedInput(op, operand) ||
         (op.isDpsInput(operand) && isUniformOperand(op, operand));
}

std::optional<LoopSpan> structured::getSpan(linalg::LinalgOp op,
                                            OpOperand *operand) {
  auto type = dyn_cast<MemRefType>(operand->get().getType());
  if (!type || !type.getLayout().isIdentity() ||
      getLaneBytes(type.getElementType()) == 0)
    return std::nullopt;
  std::optional<LoopSpan> span;
  for (AffineExpr result : op.getMatchingIndexingMap(operand).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim || (span && dim.getPosition() != span->end))
      return std::nullopt;
    if (!span)
      span = LoopSpan{dim.getPosition(), dim.getPosition()};
    ++span->end;
  }
  return span;
}

bool structured::isContiguousOperand(linalg::LinalgOp op, OpOperand *operand) {
  std::optional<LoopSpan> span = getSpan(op, operand);
  return span && span->begin == 0 && span->end == op.getNumLoops();
}

std::optional<int64_t> structured::countPoints(linalg::LinalgOp op,
                                               LoopSpan span) {
  int64_t count = 1;
  for (unsigned dim = span.begin; dim < span.end; ++dim) {
    int64_t extent = op.getStaticLoopRanges()[dim];
    if (ShapedType::isDynamic(extent) ||
        llvm::MulOverflow(count, extent, count))
      return std::nullopt;
  }
  return count;
}

bool structured::isBroadcastOfGroups(linalg::LinalgOp op, OpOperand *operand,
                                     int64_t lanes) {
  std::optional<LoopSpan> span = getSpan(op, operand);
  if (!span)
    return false;
  std::optional<int64_t> inner = countPoints(op, {span->end, op.getNumLoops()});
  std::optional<int64_t> own = countPoints(op, *span);
  if (span->end == op.getNumLoops())
    return own && *own > 0 && *own % lanes == 0;
  return inner && *inner > 0 && *inner % lanes == 0 &&
         (span->begin == 0 || (own && *own > 0));
}

/// The operand that dimension `dim` of `buffer`, of identity layout, was
/// allocated with; null if it is static or somebody else has allocated. An
/// allocation, of the host or of a device, takes the dynamic sizes as its only
/// indices, in order: the layout has no symbols.
static Value getAllocatedSize(Value buffer, unsigned dim) {
  auto type = cast<MemRefType>(buffer.getType());
  Operation *alloc = buffer.getDefiningOp();
  if (!alloc || !type.isDynamicDim(dim) ||
      !hasEffect<MemoryEffects::Allocate>(alloc, buffer))
    return {};
  SmallVector<Value> sizes =
      llvm::filter_to_vector(alloc->getOperands(), [](Value operand) {
        return operand.getType().isIndex();
      });
  if (int64_t(sizes.size()) != type.getNumDynamicDims())
    return {};
  return sizes[type.getDynamicDimIndex(dim)];
}

/// Whether `size` is the size of loop `dim` of `op`, as far as can be seen.
static bool isLoopSize(linalg::LinalgOp op, OpFoldResult size, unsigned dim) {
  int64_t extent = op.getStaticLoopRanges()[dim];
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return constant == extent;
  auto value = cast<Value>(size);
  auto sizeOf = value.getDefiningOp<memref::DimOp>();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isContiguousOperand(op, &operand))
      continue;
    if (sizeOf && sizeOf.getSource() == operand.get() &&
        sizeOf.getConstantIndex() == int64_t(dim))
      return true;
    if (getAllocatedSize(operand.get(), dim) == value)
      return true;
  }
  return false;
}

bool structured::drawsOwnElement(linalg::LinalgOp op,
                                 StatelessDrawOpInterface draw,
                                 const UniformValues &uniform) {
  if (isa<ShapedType>(draw.getDrawType()))
    return false;
  SmallVector<OpFoldResult> offsets = draw.getMixedSliceOffsets();
  SmallVector<OpFoldResult> sizes = draw.getMixedSliceSizes();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (offsets.size() != extents.size())
    return false;
  for (unsigned dim = 0; dim < extents.size(); ++dim) {
    // The outermost size does not matter.
    if (dim != 0 && !isLoopSize(op, sizes[dim], dim))
      return false;
    if (extents[dim] == 1 && isConstantIntValue(offsets[dim], 0))
      continue;
    auto value = dyn_cast<Value>(offsets[dim]);
    auto index = value ? value.getDefiningOp<linalg::IndexOp>() : nullptr;
    if (!index || index->getBlock() != op.getBlock() || index.getDim() != dim)
      return false;
  }
  return uniform.contains(draw.getDrawSeed()) &&
         uniform.contains(draw.getDrawOffset());
}

llvm::MapVector<Value, Value> structured::flattenBuffers(OpBuilder &b,
                                                         linalg::LinalgOp op) {
  llvm::MapVector<Value, Value> flat;
  for (OpOperand &operand : op->getOpOperands()) {
    if (isSameForAll(op, &operand))
      continue;
    Value buffer = operand.get();
    Value &entry = flat[buffer];
    if (entry)
      continue;
    entry = buffer;
    int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
    if (rank > 1) {
      ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
      entry = memref::CollapseShapeOp::create(b, op.getLoc(), buffer, all);
    }
  }
  return flat;
}

Type structured::getMemoryType(Type type) {
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : type;
}

Value structured::viewAsMemoryType(OpBuilder &b, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  Type memoryType = getMemoryType(type.getElementType());
  if (memoryType == type.getElementType())
    return buffer;
  MemRefType view = MemRefType::Builder(type).setElementType(memoryType);
  return UnrealizedConversionCastOp::create(b, loc, view, buffer).getResult(0);
}

Value structured::buildUniformElement(OpBuilder &b, linalg::LinalgOp op,
                                      OpOperand *operand) {
  Value value = operand->get();
  if (!isa<MemRefType>(value.getType()))
    return value;
  // No index is looked at.
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  SmallVector<Value> zeros(op.getNumLoops(), zero);
  auto indices = affine::expandAffineMap(
      b, loc, op.getMatchingIndexingMap(operand), zeros);
  return memref::LoadOp::create(b, loc, value, *indices);
}
