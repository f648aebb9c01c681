//===- RngDraws.cpp - How draws are built -----------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngOps.h"
#include "RngDrawMethods.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::rng;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

namespace {
/// Whether `OpTy` states the facts of its distribution.
template <typename OpTy> using facts_t = decltype(OpTy::getFacts());
} // namespace

/// What `OpTy` states, if that is of `distribution`.
template <typename OpTy>
static const DistributionFacts *findFactsIn(Distribution distribution) {
  if constexpr (llvm::is_detected<facts_t, OpTy>::value)
    if (OpTy::getFacts().distribution == distribution)
      return &OpTy::getFacts();
  return nullptr;
}

template <typename... Ops>
static const DistributionFacts &findFacts(Distribution distribution) {
  const DistributionFacts *facts = nullptr;
  ((facts = facts ? facts : findFactsIn<Ops>(distribution)), ...);
  assert(facts && "each distribution has a stateful draw");
  return *facts;
}

const DistributionFacts &
mlir::rng::getDistributionFacts(Distribution distribution) {
  return findFacts<
#define GET_OP_LIST
#include "RngDialect/IR/RngOps.cpp.inc"
      >(distribution);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

StatelessDrawOpInterface
mlir::rng::createStatelessDraw(OpBuilder &b, Location loc,
                               const StatelessDrawSpec &spec, Value seed,
                               Value offset) {
  assert(spec.type && seed && offset && "a draw has a type and a state");
  assert(spec.sliceOffsets.size() == spec.sliceSizes.size() &&
         "a slice has an offset and a size in each dimension");
  OperationState state(
      loc, ("rng.stateless_" + stringifyDistribution(spec.distribution)).str());
  SmallVector<Value> dynamicOffsets, dynamicSizes;
  SmallVector<int64_t> staticOffsets, staticSizes;
  dispatchIndexOpFoldResults(spec.sliceOffsets, dynamicOffsets, staticOffsets);
  dispatchIndexOpFoldResults(spec.sliceSizes, dynamicSizes, staticSizes);
  state.addOperands({seed, offset});
  state.addOperands(spec.params);
  state.addOperands(spec.sizes);
  state.addOperands(dynamicOffsets);
  state.addOperands(dynamicSizes);
  state.addTypes(spec.type);
  state.addAttribute("operandSegmentSizes",
                     b.getDenseI32ArrayAttr({1, 1, int32_t(spec.params.size()),
                                             int32_t(spec.sizes.size()),
                                             int32_t(dynamicOffsets.size()),
                                             int32_t(dynamicSizes.size())}));
  // A scalar that is a piece of a scalar draw has a slice of rank 0, which is
  // no slice.
  if (!spec.sliceOffsets.empty()) {
    state.addAttribute("staticSliceOffsets",
                       b.getDenseI64ArrayAttr(staticOffsets));
    state.addAttribute("staticSliceSizes", b.getDenseI64ArrayAttr(staticSizes));
  }
  if (spec.algorithm && spec.algorithm != getDefaultAlgorithm(b.getContext()))
    state.addAttribute("algorithm", spec.algorithm);
  if (spec.aligned)
    state.addAttribute("aligned", b.getUnitAttr());
  return cast<StatelessDrawOpInterface>(b.create(state));
}

/// The stateless form of a stateful draw; its discardable attributes (orders to
/// the partition among them) go along.
StatelessDrawOpInterface ir::buildStateless(OpBuilder &b,
                                            StatefulDrawOpInterface op,
                                            RngAlgorithmAttrInterface algorithm,
                                            Value seed, Value offset) {
  StatelessDrawSpec spec;
  spec.distribution = op.getDistribution();
  spec.algorithm = algorithm;
  spec.type = op.getDrawType();
  spec.params = op.getDrawParams();
  spec.sizes = op.getDrawSizes();
  StatelessDrawOpInterface draw =
      createStatelessDraw(b, op.getLoc(), spec, seed, offset);
  draw->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return draw;
}

StatelessDrawOpInterface ir::buildSlice(OpBuilder &b, Location loc,
                                        StatelessDrawOpInterface op, Type type,
                                        ValueRange params, ValueRange sizes,
                                        ArrayRef<OpFoldResult> offsets,
                                        ArrayRef<OpFoldResult> fullSizes,
                                        bool aligned) {
  StatelessDrawSpec spec;
  spec.distribution = op.getDistribution();
  spec.algorithm = op.getDrawAlgorithm();
  spec.type = type;
  spec.params = params;
  spec.sizes = sizes;
  spec.sliceOffsets = llvm::to_vector(offsets);
  spec.sliceSizes = llvm::to_vector(fullSizes);
  spec.aligned = aligned;
  StatelessDrawOpInterface draw =
      createStatelessDraw(b, loc, spec, op.getDrawSeed(), op.getDrawOffset());
  draw->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return draw;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult ir::reifyDrawShape(OpBuilder &b, Type type, ValueRange sizes,
                                 ReifiedRankedShapedTypeDims &reified) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return failure();
  reified.push_back(getMixedValues(tensor.getShape(), sizes, b));
  return success();
}

SmallVector<OpFoldResult>
ir::getMixedSlice(std::optional<ArrayRef<int64_t>> values, ValueRange operands,
                  MLIRContext *context) {
  if (!values)
    return {};
  return getMixedValues(*values, operands, context);
}
