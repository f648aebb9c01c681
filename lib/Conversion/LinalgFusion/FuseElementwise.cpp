//===- FuseElementwise.cpp - Groups of elementwise ops as one ---*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  linalg.generic and tensor ops, in any form and order.
// Out: one linalg.generic for each fusion group of elementwise ops.
//
// Brings ops into the form that groups are found in, then finds the groups of
// one basic block after the other (FusePlan.cpp) and builds an op for each
// (FuseBuild.cpp).
//
//===----------------------------------------------------------------------===//

#include "ElementwiseForms.h"
#include "FusionGroups.h"
#include "LoopSizes.h"
#include "RngDialect/Conversion/LinalgFusion/Passes.h"
#include "RngDialect/Conversion/Structured/BodyWork.h"
#include "RngDialect/IR/RngOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

// Dialects without their ops, whose headers cost a compiler memory.
#include "mlir/Dialect/Affine/IR/AffineOpsDialect.h.inc"
#include "mlir/Dialect/Math/IR/MathOpsDialect.h.inc"
#include "mlir/Dialect/MemRef/IR/MemRefOpsDialect.h.inc"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGFUSEELEMENTWISEPASS
#include "RngDialect/Conversion/LinalgFusion/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::fusion;

//===----------------------------------------------------------------------===//
// What an op is like
//===----------------------------------------------------------------------===//

bool fusion::isElementwise(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op->getNumResults() > 0 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isIdentity();
         });
}

static bool isCostlyInner(Operation *op) {
  return isa<StatelessDrawOpInterface>(op) ||
         isa<math::MathDialect>(op->getDialect());
}

bool fusion::isCostly(linalg::GenericOp op) {
  return op.getBody()
      ->walk([](Operation *inner) {
        return isCostlyInner(inner) ? WalkResult::interrupt()
                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Consecutive elements that share what may be shared, such as the stream
/// blocks of draws: lowerings do as many at once.
static constexpr int64_t kLanes = 4;

int64_t fusion::getBodyCost(linalg::GenericOp op) {
  return llvm::divideCeil(estimateBodyWork(*op.getBody(), kLanes), kLanes);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

SmallVector<Block *> fusion::findLinalgBlocks(Operation *root) {
  SmallVector<Block *> blocks;
  root->walk<WalkOrder::PreOrder>([&](Block *block) {
    if (isa<linalg::LinalgOp>(block->getParentOp()))
      return WalkResult::skip();
    if (block->mightHaveTerminator() &&
        mayHaveSSADominance(*block->getParent()) &&
        llvm::any_of(
            block->getOps<linalg::GenericOp>(),
            [](linalg::GenericOp op) { return op.hasPureTensorSemantics(); }))
      blocks.push_back(block);
    return WalkResult::advance();
  });
  return blocks;
}

/// Fusion groups of ops of one iteration domain, element by element.
static SmallVector<FusionGroup> planElementwise(Block &block,
                                                FusionLimits limits) {
  LoopSizes sizes(block);
  FusionRules rules;
  rules.getDomain = [&](linalg::GenericOp op) {
    return isElementwise(op) ? std::optional(sizes.getLoops(op)) : std::nullopt;
  };
  rules.readsOwnPoint = [](OpOperand &operand) {
    auto op = cast<linalg::GenericOp>(operand.getOwner());
    return op.getMatchingIndexingMap(&operand).isIdentity();
  };
  rules.connects = [](OpOperand &operand) {
    auto op = cast<linalg::GenericOp>(operand.getOwner());
    return op.getNumLoops() > 0 &&
           op.getMatchingIndexingMap(&operand).isPermutation();
  };
  rules.fusesProducers = true;
  rules.pass = "rng-fuse-elementwise";
  rules.memberKind = "an elementwise op";
  rules.limits = limits;
  return planFusionGroups(block, rules);
}

namespace {
struct RngFuseElementwisePass
    : public rng::impl::RngFuseElementwisePassBase<RngFuseElementwisePass> {
  using Base::Base;

  void runOnOperation() override {
    Operation *root = getOperation();
    if (failed(cleanUpElementwise(root)))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    enlargeGroups(root, rewriter);
    for (Block *block : findLinalgBlocks(root))
      for (const FusionGroup &group :
           planElementwise(*block, {maxCost, maxOperands})) {
        ++numGroups;
        numFused += group.members.size() + group.fusedProducers.size();
        buildFusionGroup(rewriter, group);
      }
    if (failed(cleanUpElementwise(root)))
      return signalPassFailure();
  }
};
} // namespace
