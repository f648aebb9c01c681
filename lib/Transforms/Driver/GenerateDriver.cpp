//===- GenerateDriver.cpp - A program that checks pairs ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a module of forward and backward functions linked by `rng.backward` and
// `rng.saved`. Out: the same with a function @main that runs every pair on made
// up data, prints what it computes and checks it: masks drawn again against
// masks drawn, the pair against the joint function, gradients against finite
// differences. All pairs are understood before anything is written.
//
//===----------------------------------------------------------------------===//

#include "PairProgram.h"
#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/Transforms/Driver/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

// Dialects without their ops, whose headers cost a compiler memory.
#include "mlir/Dialect/Bufferization/IR/BufferizationOpsDialect.h.inc"
#include "mlir/Dialect/Linalg/IR/LinalgOpsDialect.h.inc"
#include "mlir/Dialect/Math/IR/MathOpsDialect.h.inc"
#include "mlir/Dialect/MemRef/IR/MemRefOpsDialect.h.inc"
#include "mlir/Dialect/SCF/IR/SCFOpsDialect.h.inc"
#include "mlir/Dialect/Tensor/IR/TensorOpsDialect.h.inc"
#include "mlir/Dialect/Vector/IR/VectorDialect.h.inc"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGGENERATEDRIVERPASS
#include "RngDialect/Transforms/Driver/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::driver;

static constexpr llvm::StringLiteral kMain = "main";

namespace {
struct RngGenerateDriverPass
    : public rng::impl::RngGenerateDriverPassBase<RngGenerateDriverPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult checkOptions();
  /// Whether the module leaves the driver the names that it declares.
  LogicalResult checkNames();
  FailureOr<SmallVector<Pair, 0>> readPairs();
  LogicalResult setGradientArguments(Pair &pair);
  /// Writes the part of @main about `pair`.
  void emit(PairProgram &program);
};
} // namespace

/// Replaces the guess by what the user says.
LogicalResult RngGenerateDriverPass::setGradientArguments(Pair &pair) {
  if (gradientArguments.empty())
    return success();
  ArrayRef<Type> gradients = pair.backward.getResultTypes();
  ArrayRef<Type> args = pair.forward.getArgumentTypes();
  if (gradientArguments.size() != gradients.size())
    return pair.backward.emitError("expected ")
           << gradients.size() << " 'gradient-arguments', one for each "
           << "gradient, but got " << gradientArguments.size();
  for (auto [i, arg] : llvm::enumerate(gradientArguments)) {
    if (arg >= args.size() || args[arg] != gradients[i])
      return pair.backward.emitError("gradient ")
             << i << " of type " << gradients[i]
             << " cannot be that of argument " << arg << " of '@"
             << pair.forward.getName() << "'";
    pair.gradientArguments[i] = arg;
  }
  return success();
}

LogicalResult RngGenerateDriverPass::checkOptions() {
  Location loc = getOperation().getLoc();
  if (dynamicSize < 0)
    return emitError(loc, "expected 'dynamic-size' not to be negative but got ")
           << dynamicSize.getValue();
  if (!(step > 0.0) || !(tolerance >= 0.0))
    return emitError(loc, "expected a positive 'step' and a 'tolerance' that "
                          "is not negative");
  return success();
}

LogicalResult RngGenerateDriverPass::checkNames() {
  ModuleOp module = getOperation();
  if (Operation *old = module.lookupSymbol(kMain))
    return old->emitError("the driver is to be '@main': rename this symbol");
  for (auto symbol : module.getOps<SymbolOpInterface>())
    if (DriverEmitter::isReserved(symbol.getName()))
      return symbol.emitError("the driver declares '@")
             << symbol.getName() << "' itself: remove or rename this symbol";
  return success();
}

FailureOr<SmallVector<Pair, 0>> RngGenerateDriverPass::readPairs() {
  ModuleOp module = getOperation();
  SymbolTableCollection tables;
  SmallVector<Pair, 0> pairs;
  for (auto forward : module.getOps<func::FuncOp>()) {
    if (!forward->hasAttr(RngDialect::kBackward))
      continue;
    FailureOr<Pair> pair = readPair(forward, module, tables);
    if (failed(pair) || failed(setGradientArguments(*pair)))
      return failure();
    pairs.push_back(std::move(*pair));
  }
  if (pairs.empty())
    return emitError(module.getLoc(), "no function has '")
           << RngDialect::kBackward << "': run 'rng-partition' first";
  return pairs;
}

void RngGenerateDriverPass::emit(PairProgram &program) {
  program.run();
  checkDraws(program);
  if (program.pair.joint)
    checkJoint(program);
  if (finiteDifferences)
    checkFiniteDifferences(program, {step, tolerance});
  if (schedules)
    checkSchedules(program);
}

LogicalResult RngGenerateDriverPass::run() {
  if (failed(checkOptions()) || failed(checkNames()))
    return failure();
  FailureOr<SmallVector<Pair, 0>> pairs = readPairs();
  if (failed(pairs))
    return failure();

  ModuleOp module = getOperation();
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto main = func::FuncOp::create(b, module.getLoc(), kMain,
                                   b.getFunctionType({}, {}));
  SymbolTable symbols(module);
  DriverEmitter emitter(module, main, dynamicSize);
  for (Pair &pair : *pairs) {
    PairProgram program(pair, symbols, emitter);
    emit(program);
  }
  emitter.finish();
  return success();
}
