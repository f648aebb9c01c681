//===- CostModel.cpp - What saving and recomputing cost ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/Partition/CostModel.h"
#include "DialectCosts.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

CostModel::CostModel(DataLayout layout, uint64_t dynamicSize)
    : layout(std::move(layout)),
      dynamicSize(std::min(dynamicSize, MinCutGraph::kMaxFinite)) {}

CostModel::~CostModel() = default;

const PureCalls &CostModel::getPureCalls() const {
  static const PureCalls none;
  return pureCalls ? *pureCalls : none;
}

void RecomputeCost::addNested(const RecomputeCost &nested) {
  work = add(work, nested.work);
  for (auto [part, more] : llvm::zip_equal(special, nested.special))
    part = add(part, more);
  movedBytes = add(movedBytes, nested.movedBytes);
  launches = add(launches, nested.launches);
  isBarrier |= nested.isBarrier;
  if (nested.kind > kind) {
    kind = nested.kind;
    reason = nested.reason;
  }
}

void RecomputeCost::repeat(uint64_t times) {
  work = mul(work, times);
  for (uint64_t &part : special)
    part = mul(part, times);
  movedBytes = mul(movedBytes, times);
  launches = mul(launches, times);
}

void RecomputeCost::setWorkKind(WorkKind kind) {
  special = {};
  if (kind != WorkKind::Arith)
    special[static_cast<unsigned>(kind)] = work;
}

void RecomputeCost::setMovedBytes(uint64_t bytes) {
  movedBytes = bytes;
  launches = 1;
}

uint64_t CostModel::getPrice(const RecomputeCost &cost) const {
  return table ? table->getTime(cost) : cost.work;
}

uint64_t CostModel::getSavePrice(uint64_t bytes) const {
  return table ? table->getSaveCost(bytes) : mul(bytes, kUnitsPerByte);
}

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
    elements = mul(elements, getSize(size));
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
  auto result = dyn_cast<OpResult>(value);
  const CostInterface *costs =
      result ? CostInterface::lookup(result.getOwner()) : nullptr;
  return costs && costs->isFullSizeView(result);
}

/// Whether `result` is a pointer to what its op allocates on the stack.
static bool isOnStack(OpResult result) {
  auto op = dyn_cast<MemoryEffectOpInterface>(result.getOwner());
  if (!op || isa<ShapedType>(result.getType()))
    return false;
  auto effect = op.getEffectOnValue<MemoryEffects::Allocate>(result);
  return effect && effect->getResource() ==
                       SideEffects::AutomaticAllocationScopeResource::get();
}

StringRef CostModel::getReasonNotToSave(Value value) const {
  if (isa<BaseMemRefType>(value.getType()))
    return "is memory and not a value (partition before bufferization)";
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return {};
  if (isOnStack(result))
    return "is on the stack, which ends with the forward (partition before "
           "lowering to it)";
  if (result.getOwner()->hasTrait<OpTrait::ConstantLike>())
    return "is a constant";
  const CostInterface *costs = CostInterface::lookup(result.getOwner());
  if (!costs)
    return {};
  if (costs->isFullSizeView(result))
    return "is a view of a value of the same size";
  return costs->getReasonNotToSave(result);
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

RecomputeCost CostModel::getRecomputeCost(Operation *op) const {
  if (!getPureCalls().isEffectFree(op))
    return {RecomputeCost::Impossible, 0, /*isBarrier=*/true,
            "has side effects"};
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      (op->getNumResults() == 1 && isFullSizeView(op->getResult(0))))
    return {};
  if (const CostInterface *costs = CostInterface::lookup(op))
    return costs->getRecomputeCost(op, *this);
  std::optional<uint64_t> work;
  if (op->hasTrait<OpTrait::Elementwise>())
    work = kMathWork;
  return getElementwiseCost(op, work);
}

RecomputeCost
CostModel::getElementwiseCost(Operation *op,
                              std::optional<uint64_t> work) const {
  auto isUnshaped = [](Type type) { return !isa<ShapedType>(type); };
  bool yieldsUnshaped = llvm::all_of(op->getResultTypes(), isUnshaped);
  // An unknown op on scalars is cheap; one that turns a tensor into a scalar
  // may be anything.
  if (!work && op->getNumRegions() == 0 && yieldsUnshaped &&
      llvm::all_of(op->getOperandTypes(), isUnshaped))
    work = 0;
  RecomputeCost cost;
  for (Type type : op->getResultTypes())
    cost.work =
        add(cost.work, mul(getNumElements(type), work.value_or(kMathWork)));
  if (!work) {
    cost.kind = RecomputeCost::Discouraged;
    cost.isBarrier = true;
    cost.reason = "has an unknown cost";
    cost.setMovedBytes(getOperandAndResultBytes(op, *this));
  } else if (yieldsUnshaped) {
    cost.work = 0;
  } else if (const CostInterface *costs = CostInterface::lookup(op)) {
    cost.setWorkKind(costs->getWorkKind(op));
  } else {
    cost.setWorkKind(WorkKind::Math);
  }
  return cost;
}

RecomputeCost CostModel::getRegionCost(Region &region) const {
  RecomputeCost sum;
  for (Block &block : region)
    for (Operation &op : block) {
      if (op.hasTrait<OpTrait::IsTerminator>() ||
          op.hasTrait<OpTrait::ConstantLike>())
        continue;
      RecomputeCost cost = getRecomputeCost(&op);
      // What costs nothing once may run for each element here.
      if (cost.work == 0 && op.getNumRegions() == 0) {
        const CostInterface *costs = CostInterface::lookup(&op);
        cost.work = costs ? costs->getWorkPerElement(&op).value_or(kMathWork)
                          : kMathWork;
        cost.setWorkKind(costs ? costs->getWorkKind(&op) : WorkKind::Math);
      }
      sum.addNested(cost);
    }
  return sum;
}

RecomputeCost CostModel::getCalleeCost(FunctionOpInterface callee) const {
  // Callees first: a chain of calls may be long, and each link may call the
  // next one twice.
  SmallVector<Operation *> stack = {callee};
  while (!stack.empty()) {
    auto function = cast<FunctionOpInterface>(stack.back());
    if (calleeCosts.contains(function)) {
      stack.pop_back();
      continue;
    }
    size_t before = stack.size();
    function.getFunctionBody().walk([&](Operation *op) {
      FunctionOpInterface next = getPureCalls().getCallee(op);
      if (next && !calleeCosts.contains(next))
        stack.push_back(next);
    });
    if (stack.size() != before)
      continue;
    stack.pop_back();
    calleeCosts[function] = getRegionCost(function.getFunctionBody());
  }
  return calleeCosts.lookup(callee);
}
