//===- DialectCosts.h - What costs of dialects have in common ---*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the files of one dialect each (ArithCosts.cpp, TosaCosts.cpp, ...)
/// share. This header and the files that use it know no dialect but their own.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_DIALECTCOSTS_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_DIALECTCOSTS_H

#include "RngDialect/Transforms/CutSolver/MinCut.h"
#include "RngDialect/Transforms/Partition/CostInterface.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::rng::cut {

/// Sums and products of costs; they saturate at `MinCutGraph::kMaxFinite`.
inline uint64_t add(uint64_t a, uint64_t b) {
  return MinCutGraph::saturatingAdd(a, b);
}
inline uint64_t mul(uint64_t a, uint64_t b) {
  return MinCutGraph::saturatingMul(a, b);
}

/// Bytes of the operands and results of a shape.
uint64_t getOperandAndResultBytes(Operation *op, const CostModel &model);

/// The cost of a contraction or convolution of `work` units: two for each
/// product that is added.
RecomputeCost getContractionCost(Operation *op, uint64_t work,
                                 const CostModel &model);

/// The cost of a reduction of `work` units that reads and writes so many bytes.
/// It is repeated where it reads no more than four times what it writes.
RecomputeCost getReductionCost(uint64_t work, uint64_t read, uint64_t written);

/// A dialect all of whose ops take the same work an element.
template <uint64_t kWork, WorkKind kKind = WorkKind::Arith>
struct ElementwiseCosts : public CostInterface {
  using CostInterface::CostInterface;

  RecomputeCost getRecomputeCost(Operation *op,
                                 const CostModel &model) const final {
    return model.getElementwiseCost(op, kWork);
  }
  std::optional<uint64_t> getWorkPerElement(Operation *) const final {
    return kWork;
  }
  WorkKind getWorkKind(Operation *) const final { return kKind; }
};

/// Adds `Costs` to `DialectT` when it is loaded, unless the dialect brings
/// costs of its own.
template <typename DialectT, typename Costs>
void addCosts(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, DialectT *dialect) {
    if (!dialect->template getRegisteredInterface<CostInterface>())
      dialect->template addInterfaces<Costs>();
  });
}

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_DIALECTCOSTS_H
