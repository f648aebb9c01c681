//===- Bufferize.cpp - Tensors to contiguous buffers ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  functions on tensors.
// Out: the same on buffers, contiguous wherever a function sees them.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Bufferization/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGBUFFERIZEPASS
#include "RngDialect/Conversion/Bufferization/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

/// On casts and globals of the program, while bufferization makes others.
static constexpr StringLiteral kOfProgram = "of_program";

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

/// As upstream calls them: by the type.
static std::string getGlobalName(memref::GlobalOp global) {
  std::string name = "__constant_";
  llvm::raw_string_ostream os(name);
  for (int64_t size : global.getType().getShape())
    os << size << 'x';
  os << global.getType().getElementType();
  return name;
}

/// Puts the globals that bufferization made of the constants of `module` in
/// front, in the order of their first uses, and names them in this order.
/// Bufferization comes to functions, and so to constants, in an order of
/// addresses, which differ from run to run.
static void orderGlobals(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::MapVector<memref::GlobalOp, SmallVector<memref::GetGlobalOp>> uses;
  module.walk([&](memref::GetGlobalOp use) {
    if (SymbolTable::getNearestSymbolTable(use) != module)
      return;
    auto global = symbols.lookup<memref::GlobalOp>(use.getName());
    if (global && !global->hasAttr(kOfProgram))
      uses[global].push_back(use);
  });
  for (auto global : llvm::make_early_inc_range(
           module.getBody()->getOps<memref::GlobalOp>())) {
    if (global->removeAttr(kOfProgram))
      continue;
    // A name of this run's order must not be taken while others get theirs.
    symbols.remove(global);
    if (!uses.contains(global))
      global.erase();
  }
  for (auto &[global, users] : uses) {
    SymbolTable::setSymbolName(global, getGlobalName(global));
    StringAttr name = symbols.insert(global);
    for (memref::GetGlobalOp user : users)
      user.setNameAttr(FlatSymbolRefAttr::get(name));
  }
  for (auto &[global, users] : llvm::reverse(uses))
    global->moveBefore(&module.getBody()->front());
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
    module.walk([](Operation *op) {
      if (isa<memref::CastOp, memref::GlobalOp>(op))
        op->setAttr(kOfProgram, UnitAttr::get(op->getContext()));
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
    if (failed(result)) {
      module.walk(
          [](memref::GlobalOp global) { global->removeAttr(kOfProgram); });
      return signalPassFailure();
    }
    module.walk([](ModuleOp nested) { orderGlobals(nested); });
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
