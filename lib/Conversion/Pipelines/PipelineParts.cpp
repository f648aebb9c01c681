//===- PipelineParts.cpp - What pipelines share -----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineParts.h"
#include "UpstreamPasses.h"
#include "RngDialect/Conversion/Passes.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::pipelines;

void pipelines::addLoops(OpPassManager &pm) {
  // Before others reorder loops.
  pm.addPass(createRngLowerReductionsPass());
  pm.addPass(createLinalgGeneralizeNamedOpsPass());
  pm.addPass(createRngOrderLoopsPass());
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void pipelines::addMath(OpPassManager &pm, MathLowering math) {
  pm.addPass(mlir::math::createMathExtendToSupportedTypes());
  pm.addPass(createRngKeepRoundingsPass());
  RngExpandMathPassOptions options;
  options.math = math;
  pm.addPass(createRngExpandMathPass(options));
}

void pipelines::addNumbers(OpPassManager &pm, MathLowering math) {
  addMath(pm, math);
  // No conversion or arithmetic on bf16 is left: LLVM would call functions of a
  // compiler library for it that a JIT does not find.
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16"};
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  pm.addPass(createRngKeepRoundingsPass());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
}

void pipelines::addControlFlowAndMathToLLVM(OpPassManager &pm) {
  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
  // Intrinsics where LLVM has them, the C library for the rest.
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
}

/// As `addHostToLLVM`. Folding leaves constants where the loops of OpenMP must
/// hold nothing but one op, so that all passes that fold come first.
static void addThreadedHostToLLVM(OpPassManager &pm) {
  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createConvertSCFToOpenMPPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createRngFinalizeLLVMPass());
}

void pipelines::addHostToLLVM(OpPassManager &pm, bool openmp) {
  if (openmp)
    return addThreadedHostToLLVM(pm);
  addControlFlowAndMathToLLVM(pm);
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createRngFinalizeLLVMPass());
}
