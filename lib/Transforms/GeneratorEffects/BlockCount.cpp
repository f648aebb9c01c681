//===- BlockCount.cpp - Numbers of stream blocks ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/GeneratorEffects/BlockCount.h"
#include "RngDialect/Transforms/GeneratorEffects/RegionTrips.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::effects;

/// More terms than this are not worth a sum at the entry of a function.
static constexpr size_t kMaxTerms = 32;
/// Nor are more ops than this worth repeating for one number.
static constexpr unsigned kMaxRepeatedOps = 64;

bool mlir::rng::effects::isDefinedOutside(Operation *op, Value value) {
  return !op->isAncestor(value.getParentBlock()->getParentOp());
}

BlockCount::BlockCount(Factor factor) { terms.push_back({1, {factor}}); }

BlockCount BlockCount::getUnknown() {
  BlockCount count;
  count.known = false;
  return count;
}

BlockCount BlockCount::get(Value blocks) {
  APInt number;
  if (matchPattern(blocks, m_ConstantInt(&number)))
    return number.getZExtValue();
  return BlockCount(Factor{nullptr, blocks, {}});
}

BlockCount BlockCount::get(StateOpInterface op,
                           RngAlgorithmAttrInterface algorithm) {
  assert(op.getStateAccess() == StateAccess::Advance &&
         "only what advances a state has a number of stream blocks");
  OpFoldResult blocks = op.getStateBlocks(algorithm);
  if (auto value = dyn_cast_if_present<Value>(blocks))
    return get(value);
  if (auto constant = dyn_cast_if_present<Attribute>(blocks))
    return cast<IntegerAttr>(constant).getValue().getZExtValue();
  if (!op.getStateBlockOperands())
    return getUnknown();
  return BlockCount(Factor{op, {}, algorithm});
}

std::optional<uint64_t> BlockCount::getConstant() const {
  if (!known || !terms.empty())
    return std::nullopt;
  return constant;
}

bool BlockCount::operator==(const BlockCount &other) const {
  return known == other.known && constant == other.constant &&
         llvm::equal(terms, other.terms, [](const Term &a, const Term &b) {
           return a.coefficient == b.coefficient && a.factors == b.factors;
         });
}

BlockCount &BlockCount::operator+=(const BlockCount &other) {
  if (!known || !other.known)
    return *this = getUnknown();
  constant += other.constant;
  for (const Term &term : other.terms) {
    auto *same = llvm::find_if(
        terms, [&](const Term &t) { return t.factors == term.factors; });
    if (same != terms.end())
      same->coefficient += term.coefficient;
    else
      terms.push_back(term);
  }
  if (terms.size() > kMaxTerms)
    *this = getUnknown();
  return *this;
}

void BlockCount::multiplyByTrips(ThreadableRegionOpInterface loop) {
  if (!known || getConstant() == 0)
    return;
  if (std::optional<uint64_t> trips = effects::getConstantTripCount(loop)) {
    constant *= *trips;
    for (Term &term : terms)
      term.coefficient *= *trips;
    return;
  }
  if (!loop.hasTripCount()) {
    *this = getUnknown();
    return;
  }
  for (Term &term : terms)
    term.factors.push_back({loop, {}, {}});
  if (constant)
    terms.push_back({constant, {Factor{loop, {}, {}}}});
  constant = 0;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

SmallVector<Value> BlockCount::Factor::getLeaves() const {
  if (value)
    return {value};
  if (auto state = dyn_cast<StateOpInterface>(op))
    return *state.getStateBlockOperands();
  return cast<ThreadableRegionOpInterface>(op).getTripCountOperands();
}

Value BlockCount::Factor::build(OpBuilder &b, Location loc,
                                function_ref<Value(Value)> remap) const {
  if (value)
    return remap(value);
  if (auto state = dyn_cast<StateOpInterface>(op))
    return state.buildStateBlocks(b, algorithm,
                                  llvm::map_to_vector(getLeaves(), remap));
  return cast<ThreadableRegionOpInterface>(op).buildTripCount(b, remap);
}

static bool isRepeatable(Value value, BlockCount::IsAvailableFn isAvailable,
                         unsigned &budget) {
  if (isAvailable(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || budget == 0 || op->getNumRegions() != 0 || !isPure(op))
    return false;
  --budget;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isRepeatable(operand, isAvailable, budget);
  });
}

bool BlockCount::isBuildable(IsAvailableFn isAvailable) const {
  if (!known)
    return false;
  unsigned budget = kMaxRepeatedOps;
  for (const Term &term : terms)
    for (const Factor &factor : term.factors)
      for (Value leaf : factor.getLeaves())
        if (!isRepeatable(leaf, isAvailable, budget))
          return false;
  return true;
}

/// Repeats what defines `value` at the insertion point of `b`.
static Value repeat(OpBuilder &b, Value value,
                    BlockCount::IsAvailableFn isAvailable, IRMapping &copies) {
  if (isAvailable(value))
    return value;
  if (Value copy = copies.lookupOrNull(value))
    return copy;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    copies.map(operand, repeat(b, operand, isAvailable, copies));
  b.clone(*op, copies);
  return copies.lookup(value);
}

Value BlockCount::build(OpBuilder &b, Location loc,
                        IsAvailableFn isAvailable) const {
  assert(isBuildable(isAvailable) && "nothing here tells the number");
  IRMapping copies;
  auto remap = [&](Value value) {
    return repeat(b, value, isAvailable, copies);
  };
  auto createConstant = [&](uint64_t value) -> Value {
    return arith::ConstantOp::create(
        b, loc, b.getI64IntegerAttr(static_cast<int64_t>(value)));
  };
  Value sum;
  for (const Term &term : terms) {
    Value product;
    for (const Factor &factor : term.factors) {
      Value value = factor.build(b, loc, remap);
      product =
          product ? b.createOrFold<arith::MulIOp>(loc, product, value) : value;
    }
    if (term.coefficient != 1)
      product = b.createOrFold<arith::MulIOp>(loc, product,
                                              createConstant(term.coefficient));
    sum = sum ? b.createOrFold<arith::AddIOp>(loc, sum, product) : product;
  }
  if (!sum)
    return createConstant(constant);
  if (constant)
    sum = b.createOrFold<arith::AddIOp>(loc, sum, createConstant(constant));
  return sum;
}
