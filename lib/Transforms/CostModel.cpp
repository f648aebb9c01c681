//===- CostModel.cpp - What saving and recomputing cost ------- -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/CostModel.h"
#include "RngDialect/IR/RngOps.h"
#include "RngDialect/Transforms/MinCut.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::rng;

static uint64_t add(uint64_t a, uint64_t b) {
  return MinCutGraph::saturatingAdd(a, b);
}
static uint64_t mul(uint64_t a, uint64_t b) {
  return MinCutGraph::saturatingMul(a, b);
}

CostModel::CostModel(DataLayout layout, uint64_t dynamicSize)
    : layout(std::move(layout)),
      dynamicSize(std::min(dynamicSize, MinCutGraph::kMaxFinite)) {}

CostModel::~CostModel() = default;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

uint64_t CostModel::getNumElements(Type type) const {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return 1;
  if (!shaped.hasRank())
    return dynamicSize;
  uint64_t elements = 1;
  // A zero dimension wins over a product that saturated before it.
  for (int64_t size : shaped.getShape())
    elements = mul(elements, ShapedType::isDynamic(size) ? dynamicSize : size);
  return elements;
}

uint64_t CostModel::getBytes(Type type) const {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return mul(getNumElements(type), getBytes(shaped.getElementType()));
  if (auto complex = dyn_cast<ComplexType>(type))
    return mul(2, getBytes(complex.getElementType()));
  // The data layout stops the program when asked for anything else.
  if (isa<IntegerType, IndexType, FloatType>(type))
    return layout.getTypeSize(type).getFixedValue();
  return 8;
}

//===----------------------------------------------------------------------===//
// What is never saved
//===----------------------------------------------------------------------===//

bool mlir::rng::isFullSizeView(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ReshapeOp>(op))
    return true;
  auto sliceOp = dyn_cast<tensor::ExtractSliceOp>(op);
  return sliceOp && sliceOp.getSourceType().hasStaticShape() &&
         sliceOp.getType().hasStaticShape() &&
         sliceOp.getSourceType().getNumElements() ==
             sliceOp.getType().getNumElements();
}

StringRef CostModel::getReasonNotToSave(Value value) const {
  if (isa<BaseMemRefType>(value.getType()))
    return "is memory and not a value (partition before bufferization)";
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (op->hasTrait<OpTrait::ConstantLike>())
    return "is a constant";
  if (isa<tensor::EmptyOp>(op))
    return "has no contents";
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    if (fill.getNumResults() == 1 &&
        fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>())
      return "repeats one scalar";
  if (isa<tensor::SplatOp>(op))
    return "repeats one scalar";
  if (isFullSizeView(value))
    return "is a view of a value of the same size";
  return {};
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

std::optional<uint64_t> CostModel::getWorkPerElement(Operation *op) const {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return 0;
  if (isa<StatelessDrawOpInterface>(op))
    return kDrawWork;
  if (op->hasTrait<OpTrait::Elementwise>() ||
      OpTrait::hasElementwiseMappableTraits(op))
    return isa<arith::ArithDialect>(op->getDialect()) ? kArithWork : kMathWork;
  // What stands in arith and math without being elementwise is scalar work too
  // (extended products and the like).
  if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
    return kArithWork;
  if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
    return kMathWork;
  if (isa<AdvanceOp, linalg::IndexOp, tensor::DimOp, tensor::ExtractOp,
          tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::InsertOp,
          tensor::ConcatOp, tensor::FromElementsOp, tensor::SplatOp>(op))
    return kArithWork;
  return std::nullopt;
}

/// Cost of a linalg op: the work of its body in each iteration.
RecomputeCost CostModel::getStructuredCost(Operation *op) const {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  RecomputeCost cost;

  uint64_t iterations = 1;
  for (int64_t range : linalgOp.getStaticLoopRanges())
    iterations =
        mul(iterations, ShapedType::isDynamic(range) ? dynamicSize : range);
  uint64_t workPerIteration = 0;
  Operation *unknown = nullptr;
  for (Operation &inner : linalgOp.getBlock()->without_terminator()) {
    std::optional<uint64_t> work = getWorkPerElement(&inner);
    if (!work)
      unknown = &inner;
    workPerIteration = add(workPerIteration, work.value_or(kMathWork));
  }
  // An iteration moves an element, whatever its body.
  cost.work = mul(iterations, std::max(workPerIteration, kArithWork));

  if (linalg::isaContractionOpInterface(linalgOp) ||
      linalg::isaConvolutionOpInterface(linalgOp)) {
    cost.kind = RecomputeCost::Discouraged;
    cost.isBarrier = true;
    cost.reason = "is a contraction";
    return cost;
  }
  if (unknown) {
    cost.kind = RecomputeCost::Discouraged;
    cost.isBarrier = true;
    cost.reason = "has a body of unknown cost";
    return cost;
  }
  if (linalgOp.getNumReductionLoops() != 0) {
    uint64_t read = 0, written = 0;
    for (OpOperand *input : linalgOp.getDpsInputOperands())
      if (isa<ShapedType>(input->get().getType()))
        read = add(read, getBytes(input->get().getType()));
    for (Type type : op->getResultTypes())
      written = add(written, getBytes(type));
    if (read > mul(4, written)) {
      cost.kind = RecomputeCost::Discouraged;
      cost.reason = "is a reduction that reads more than four times what it "
                    "writes";
    }
  }
  return cost;
}

RecomputeCost CostModel::getRecomputeCost(Operation *op) const {
  RecomputeCost cost;
  if (!isMemoryEffectFree(op)) {
    cost.kind = RecomputeCost::Impossible;
    cost.isBarrier = true;
    cost.reason = "has side effects";
    return cost;
  }
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op) ||
      (op->getNumResults() == 1 && isFullSizeView(op->getResult(0))))
    return cost;
  if (isa<linalg::LinalgOp>(op))
    return getStructuredCost(op);

  auto isUnshaped = [](Type type) { return !isa<ShapedType>(type); };
  bool yieldsUnshaped = llvm::all_of(op->getResultTypes(), isUnshaped);
  std::optional<uint64_t> work;
  if (op->getNumRegions() == 0) {
    work = getWorkPerElement(op);
    // An unknown op on scalars is cheap; one that turns a tensor into a scalar
    // may be anything.
    if (!work && yieldsUnshaped &&
        llvm::all_of(op->getOperandTypes(), isUnshaped))
      work = 0;
  }
  for (Type type : op->getResultTypes())
    cost.work =
        add(cost.work, mul(getNumElements(type), work.value_or(kMathWork)));
  if (!work) {
    cost.kind = RecomputeCost::Discouraged;
    cost.isBarrier = true;
    cost.reason = "has an unknown cost";
  } else if (yieldsUnshaped) {
    cost.work = 0;
  }
  return cost;
}
