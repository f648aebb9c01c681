//===- EmbeddingTest.cpp - Pipelines in another program ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an embedder writes who registers what README.md says, and nothing else;
// and what one is told who registers less. embedding.test checks it.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Dependencies.h"
#include "RngDialect/Conversion/NVPTX.h"
#include "RngDialect/Conversion/Pipelines.h"
#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::rng;

/// Draws, elementwise work, a sum, a loop, tensors through a call and branches.
static constexpr const char *kProgram = R"(
func.func private @mask(%x: tensor<?x8xf32>, %p: f32) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %zero = arith.constant 0.0 : f32
  %none = tensor.splat %zero[%n] : tensor<?x8xf32>
  %keep = rng.bernoulli prob(%p) sizes(%n) : tensor<?x8xi1>
  %y = arith.select %keep, %x, %none : tensor<?x8xi1>, tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
func.func @f(%x: tensor<?x8xf32>, %n: index, %again: i1) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.constant 0.5 : f32
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%z = %x) -> tensor<?x8xf32> {
    %masked = func.call @mask(%z, %p) : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
    %w = math.exp %masked : tensor<?x8xf32>
    scf.yield %w : tensor<?x8xf32>
  }
  cf.cond_br %again, ^again, ^end(%y : tensor<?x8xf32>)
^again:
  %z = func.call @mask(%y, %p) : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  cf.br ^end(%z : tensor<?x8xf32>)
^end(%result: tensor<?x8xf32>):
  return %result : tensor<?x8xf32>
}
func.func @sum(%x: tensor<64x100xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %u = rng.uniform : tensor<64x100xf32>
  %v = arith.mulf %x, %u : tensor<64x100xf32>
  %s = linalg.reduce ins(%v : tensor<64x100xf32>) outs(%init : tensor<64xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    }
  return %s : tensor<64xf32>
}
)";

/// Without ops of dialects that only the registration knows.
static constexpr const char *kSmallProgram = R"(
func.func @f(%seed: i64, %offset: i64) -> tensor<8xf32> {
  %u = rng.stateless_uniform %seed, %offset : tensor<8xf32>
  return %u : tensor<8xf32>
}
)";

static OwningOpRef<ModuleOp> parse(MLIRContext &context, const char *text) {
  return parseSourceString<ModuleOp>(text, &context);
}

/// Runs a pipeline and prints what dialects are left.
static bool lower(DialectRegistry &registry, StringRef name,
                  function_ref<void(OpPassManager &)> build) {
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parse(context, kProgram);
  if (!module)
    return false;
  PassManager pm(&context);
  pm.addPass(createRngThreadStatePass());
  build(pm);
  if (failed(pm.run(*module)))
    return false;
  std::vector<std::string> left;
  module->walk([&](Operation *op) {
    std::string dialect = op->getName().getDialectNamespace().str();
    if (!llvm::is_contained(left, dialect))
      left.push_back(dialect);
  });
  llvm::sort(left);
  llvm::outs() << name << ": " << llvm::join(left, ", ") << "\n";
  return true;
}

/// Runs a pipeline where too little is registered: an error, and the module
/// stays.
static bool fail(StringRef name, function_ref<void(OpPassManager &)> build) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, rng::RngDialect>();
  MLIRContext context(registry);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    llvm::outs() << name << ": error: " << diagnostic << "\n";
  });
  OwningOpRef<ModuleOp> module = parse(context, kSmallProgram);
  if (!module)
    return false;
  OwningOpRef<ModuleOp> before = cast<ModuleOp>(module.get()->clone());
  PassManager pm(&context);
  build(pm);
  return failed(pm.run(*module)) &&
         OperationEquivalence::isEquivalentTo(
             *before, *module, OperationEquivalence::ignoreValueEquivalence,
             nullptr, OperationEquivalence::IgnoreLocations);
}

int main() {
  DialectRegistry registry;
  registerRngPipelineDependencies(registry);
  auto toCpu = [](OpPassManager &pm) {
    buildRngToCpuPipeline(pm, RngToCpuOptions());
  };
  auto toEmulated = [](OpPassManager &pm) {
    buildRngToEmulatedGPUPipeline(pm, RngToEmulatedGPUOptions());
  };
  auto toNVPTX = [](OpPassManager &pm) {
    buildRngToNVPTXPipeline(pm, RngToNVPTXOptions());
  };
  auto toOpenMP = [](OpPassManager &pm) {
    RngToCpuOptions options;
    options.openmp = true;
    buildRngToCpuPipeline(pm, options);
  };
  bool isGood = lower(registry, "rng-to-cpu", toCpu) &&
                lower(registry, "rng-to-cpu with openmp", toOpenMP) &&
                lower(registry, "rng-to-emulated-gpu", toEmulated) &&
                lower(registry, "rng-to-nvptx", toNVPTX) &&
                fail("rng-to-cpu", toCpu) && fail("rng-to-nvptx", toNVPTX) &&
                fail("rng-to-emulated-gpu", toEmulated);
  return isGood ? 0 : 1;
}
