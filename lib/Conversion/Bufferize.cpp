//===- Bufferize.cpp - Tensors to contiguous buffers ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGBUFFERIZEPASS
#include "RngDialect/Conversion/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

/// On casts of the program, while bufferization makes others.
static constexpr StringLiteral kOfProgram = "of_program";

/// Whether `cast` says of a view that it is contiguous, and may be wrong: a
/// stride that only the view knows is not looked at.
static bool maySkipGaps(memref::CastOp cast) {
  auto source = dyn_cast<MemRefType>(cast.getSource().getType());
  auto target = dyn_cast<MemRefType>(cast.getType());
  if (!source || !target || source.getLayout().isIdentity() ||
      !target.getLayout().isIdentity())
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(target.getStridesAndOffset(strides, offset)))
    return false;
  return llvm::any_of(strides, ShapedType::isDynamic);
}

static void copyView(memref::CastOp cast) {
  OpBuilder b(cast);
  Location loc = cast.getLoc();
  auto type = llvm::cast<MemRefType>(cast.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(memref::DimOp::create(b, loc, cast.getSource(), dim));
  Value copy = memref::AllocOp::create(b, loc, type, sizes);
  memref::CopyOp::create(b, loc, cast.getSource(), copy);
  cast.replaceAllUsesWith(copy);
  cast.erase();
}

namespace {
struct RngBufferizePass
    : public rng::impl::RngBufferizePassBase<RngBufferizePass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    createBufferization()->getDependentDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    module.walk([](memref::CastOp cast) {
      cast->setAttr(kOfProgram, UnitAttr::get(cast.getContext()));
    });
    OpPassManager pm(module.getOperationName());
    pm.addPass(createBufferization());
    LogicalResult result = runPipeline(pm, module);
    module.walk([&](memref::CastOp cast) {
      if (cast->removeAttr(kOfProgram) || failed(result) || !maySkipGaps(cast))
        return;
      copyView(cast);
      ++numCopies;
    });
    if (failed(result))
      signalPassFailure();
  }

private:
  static std::unique_ptr<Pass> createBufferization() {
    bufferization::OneShotBufferizePassOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.allowReturnAllocsFromLoops = true;
    options.functionBoundaryTypeConversion =
        bufferization::LayoutMapOption::IdentityLayoutMap;
    return bufferization::createOneShotBufferizePass(options);
  }
};
} // namespace
