//===- Pipelines.cpp - The way down to a machine ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Pipelines.h"
#include "PipelineParts.h"
#include "RngDialect/Conversion/NVPTX.h"
#include "RngDialect/Conversion/RngToArith/EmitDraw.h"
#include "UpstreamPasses.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::pipelines;

static void addCleanUp(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void mlir::rng::buildRngTensorPipeline(OpPassManager &pm, bool forDevice,
                                       bool keepInBodies) {
  ConvertRngToLinalgPassOptions draws;
  draws.snapshotsInBody = forDevice;
  pm.addPass(createConvertRngToLinalgPass(draws));
  pm.addPass(createRngDropEmptySlicesPass());
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createConvertTensorToLinalgPass());
  pm.addPass(createRngGeneralizeElementwisePass());
  // So that a size is one value, and what is computed twice one op.
  pm.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
  addCleanUp(pm);
  pm.addPass(createRngFuseElementwisePass());
  addCleanUp(pm);
  if (forDevice) {
    pm.addPass(createRngFuseRowsPass());
    addCleanUp(pm);
  }
  ConvertRngToArithPassOptions arith;
  arith.keepInBodies = keepInBodies;
  if (forDevice)
    arith.maxScalarBlocks = kMaxScalarBlocks;
  pm.addPass(createConvertRngToArithPass(arith));
  addCleanUp(pm);
}

/// Bufferization does not carry tensors, such as snapshots of a state, through
/// affine loops and most branches between basic blocks; deallocation refuses
/// loops of basic blocks.
static void addStructuredControlFlow(OpPassManager &pm) {
  pm.addPass(createLowerAffinePass());
  pm.addPass(createRngReturnAtUnreachablePass());
  pm.addPass(createLiftControlFlowToSCFPass());
  pm.addPass(createRngDefinePoisonPass());
  addCleanUp(pm);
}

void mlir::rng::buildRngBufferizationPipeline(OpPassManager &pm) {
  pm.addPass(createConvertRngMemoryToLinalgPass());
  pm.addPass(createRngKeepArgumentsPass());
  pm.addPass(createRngRepeatFillsPass());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  pm.addPass(createRngCheckBufferizablePass());
  pm.addPass(createRngBufferizePass());
  addCleanUp(pm);
}

static void addDeallocation(OpPassManager &pm) {
  bufferization::buildBufferDeallocationPipeline(
      pm, bufferization::BufferDeallocationPipelineOptions());
  pm.addPass(createConvertBufferizationToMemRefPass());
  addCleanUp(pm);
}

/// Elementwise ops with draws to loops over vectors, with `openmp` run by
/// threads.
static void addVectorLoops(OpPassManager &pm, bool openmp) {
  if (openmp) {
    // Only loops made here are run by threads: reductions use memory that all
    // iterations of a loop around them share.
    pm.addPass(createForallToForLoopPass());
    pm.addPass(createParallelForToNestedForsPass());
  }
  RngVectorizeDrawsPassOptions draws;
  draws.parallel = openmp;
  pm.addPass(createRngVectorizeDrawsPass(draws));
  // Draws of all other loops.
  pm.addPass(createConvertRngToArithPass());
}

void mlir::rng::buildRngToCpuPipeline(OpPassManager &pm,
                                      const RngToCpuOptions &options) {
  pm.addPass(createRngCheckLowerablePass());
  ConvertRngStateToRuntimePassOptions runtime;
  runtime.prefix = options.prefix;
  pm.addPass(createConvertRngStateToRuntimePass(runtime));
  buildRngTensorPipeline(pm, /*forDevice=*/false, /*keepInBodies=*/true);
  pm.addPass(createRngStripAttributesPass());
  addStructuredControlFlow(pm);
  buildRngBufferizationPipeline(pm);
  addDeallocation(pm);
  addVectorLoops(pm, options.openmp);
  addLoops(pm);
  addNumbers(pm, options.math);
  addHostToLLVM(pm, options.openmp);
}

void mlir::rng::buildRngToEmulatedGPUPipeline(
    OpPassManager &pm, const RngToEmulatedGPUOptions &options) {
  addTensorsToKernels(pm, options.prefix);
  pm.addPass(createRngEmulateGPUPass());
  addCleanUp(pm);
  addNumbers(pm, MathLowering::Poly);
  addHostToLLVM(pm);
}

void mlir::rng::registerRngPipelines() {
  PassPipelineRegistration<RngToCpuOptions>(
      "rng-to-cpu",
      "Lower a program with stateless draws to the LLVM dialect, to be run by "
      "mlir-runner",
      buildRngToCpuPipeline);
  PassPipelineRegistration<RngToEmulatedGPUOptions>(
      "rng-to-emulated-gpu",
      "Lower a program with stateless draws to kernels, as rng-to-nvptx does, "
      "and these to loops in the LLVM dialect, to be run by mlir-runner",
      buildRngToEmulatedGPUPipeline);
  registerRngToNVPTXPipeline();
}
