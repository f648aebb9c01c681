//===- Dependencies.cpp - What the pipelines need of upstream ---*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Dependencies.h"
#include "DependencyGroups.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"

using namespace mlir;

/// Whether a dialect that is loaded lacks an interface which it is given by
/// registration alone.
template <typename InterfaceT>
static bool lacksInterface(MLIRContext *context, ArrayRef<StringRef> dialects) {
  return llvm::any_of(dialects, [&](StringRef name) {
    Dialect *dialect = context->getLoadedDialect(name);
    return dialect && !dialect->getRegisteredInterface<InterfaceT>();
  });
}

/// The same of ops, one of each dialect that is given an interface as a whole.
template <typename InterfaceT>
static bool lacksOpInterface(MLIRContext *context, ArrayRef<StringRef> ops) {
  return llvm::any_of(ops, [&](StringRef name) {
    auto op = RegisteredOperationName::lookup(name, context);
    return op && !op->hasInterface<InterfaceT>();
  });
}

LogicalResult mlir::rng::checkPipelineDependencies(Operation *root,
                                                   bool forKernels) {
  MLIRContext *context = root->getContext();
  bool isMissing =
      lacksInterface<ConvertToLLVMPatternInterface>(
          context, {"arith", "cf", "func", "math", "memref", "ub", "vector"}) ||
      lacksOpInterface<bufferization::BufferizableOpInterface>(
          context, {"arith.constant", "cf.br", "func.call", "linalg.generic",
                    "scf.for", "tensor.extract", "vector.transfer_read"});
  if (forKernels) {
    // By its name: the header of its dialect takes a compiler more than 1 GB.
    auto target = AbstractAttribute::lookup("nvvm.target", context);
    isMissing |=
        lacksInterface<LLVMTranslationDialectInterface>(
            context, {"builtin", "gpu", "llvm", "nvvm"}) ||
        !target ||
        !target->get().hasInterface(gpu::TargetAttrInterface::getInterfaceID());
  }
  if (!isMissing)
    return success();
  return emitError(root->getLoc(),
                   "the context lacks dialects' interfaces that the pipeline "
                   "needs: call mlir::rng::registerRngPipelineDependencies on "
                   "the registry that the context is made of");
}

void mlir::rng::registerRngPipelineDependencies(DialectRegistry &registry) {
  dependencies::registerDialects(registry);
  dependencies::registerBufferModels(registry);
  dependencies::registerLLVMModels(registry);
}
