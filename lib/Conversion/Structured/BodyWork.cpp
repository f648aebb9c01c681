//===- BodyWork.cpp - Instructions of a structured op -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Structured/BodyWork.h"
#include "RngDialect/IR/RngOps.h"
#include "RngDialect/Streams/WordConversion.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::rng;

/// About as many as a function of `math` takes.
static constexpr int64_t kFunctionWork = 16;

static int64_t estimateDrawWork(StatelessDrawOpInterface draw, int64_t lanes) {
  RngAlgorithmAttrInterface algorithm = draw.getDrawAlgorithm();
  Distribution distribution = draw.getDistribution();
  Type elementType = getElementTypeOrSelf(draw.getDrawType());
  int64_t shared =
      std::max(algorithm.getValuesPerBlock(distribution, elementType), 1u);
  int64_t blocks = llvm::divideCeil(lanes, shared);
  return blocks * algorithm.getBlockWork() +
         lanes * algorithm.getConversion().getWork(distribution, elementType);
}

/// Whether `op` is a function of `math` that no instruction computes.
static bool isFunction(Operation *op) {
  return isa<math::MathDialect>(op->getDialect()) &&
         !isa<math::FmaOp, math::AbsFOp, math::SqrtOp>(op);
}

int64_t mlir::rng::estimateBodyWork(Block &body, int64_t lanes) {
  assert(lanes > 0 && "the work of no points is not asked for");
  int64_t work = 0;
  body.walk([&](Operation *op) {
    if (auto draw = dyn_cast<StatelessDrawOpInterface>(op))
      work += estimateDrawWork(draw, lanes);
    else if (!op->hasTrait<OpTrait::IsTerminator>())
      work += lanes * (isFunction(op) ? kFunctionWork : 1);
  });
  return work;
}
