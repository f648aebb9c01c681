//===- NVPTXPipeline.cpp - From tensors to PTX ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineParts.h"
#include "UpstreamPasses.h"
#include "RngDialect/Conversion/NVPTX.h"
#include "RngDialect/Conversion/Pipelines.h"
#include "RngDialect/Conversion/RngToArith/EmitDraw.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::pipelines;

void mlir::rng::buildRngToGPUPipeline(OpPassManager &pm) {
  // Deallocation refuses loops of branches.
  pm.addPass(createLiftControlFlowToSCFPass());
  pm.addPass(createConvertRngToGPUPass());
  // What is left, in functions that work in host memory and in kernels of the
  // user.
  addLoops(pm);
  // Draws of kernels of one element a thread.
  ConvertRngToArithPassOptions arith;
  arith.maxScalarBlocks = kMaxScalarBlocks;
  pm.addPass(createConvertRngToArithPass(arith));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createRngHoistFromLaunchesPass());
  // Deallocation knows nothing of `gpu.launch_func`, so kernels stay in place
  // until it is done.
  pm.addPass(createRngInsertDeviceDeallocsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(bufferization::createBufferDeallocationSimplificationPass());
  pm.addPass(bufferization::createLowerDeallocationsPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createRngLowerDeviceDeallocsPass());
  pm.addPass(createLowerAffinePass());
  pm.addNestedPass<func::FuncOp>(createGpuLaunchSinkIndexComputationsPass());
  pm.addPass(createGpuKernelOutliningPass());
}

void pipelines::addTensorsToKernels(OpPassManager &pm, StringRef prefix) {
  // Functions without tensors free by themselves.
  RngCheckLowerablePassOptions lowerable;
  lowerable.allowDealloc = true;
  lowerable.allowKernels = true;
  pm.addPass(createRngCheckLowerablePass(lowerable));
  ConvertRngStateToRuntimePassOptions runtime;
  runtime.prefix = prefix.str();
  pm.addPass(createConvertRngStateToRuntimePass(runtime));
  buildRngTensorPipeline(pm, /*forDevice=*/true, /*keepInBodies=*/true);
  pm.addPass(createRngStripAttributesPass());
  pm.addPass(createRngReturnAtUnreachablePass());
  pm.addPass(createRngDefinePoisonPass());
  pm.addPass(createRngMarkDeviceFunctionsPass());
  buildRngBufferizationPipeline(pm);
  buildRngToGPUPipeline(pm);
}

/// Kernels to LLVM for NVIDIA chips.
static void addKernels(OpPassManager &pm, const RngToNVPTXOptions &options) {
  pm.addPass(createRngRenameKernelsPass());
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  // The same formulas as on the CPU, for the same bits.
  addMath(kernels, options.math);
  kernels.addPass(arith::createArithExpandOpsPass());
  kernels.addPass(createRngCheckKernelTypesPass());
  kernels.addPass(createRngUnrollKernelMathPass());
  RngConvertKernelMathPassOptions math;
  math.math = options.math;
  kernels.addPass(createRngConvertKernelMathPass(math));
  kernels.addPass(createRngSelectKernelSignsPass());
  kernels.addPass(createRngSelectKernelProductsPass());
  kernels.addPass(createRngAlignWorkgroupMemoryPass());
  // Views of rows.
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  GpuNVVMAttachTargetOptions target;
  target.chip = options.chip;
  target.optLevel = options.optLevel;
  pm.addPass(createGpuNVVMAttachTarget(target));
  OpPassManager &code = pm.nest<gpu::GPUModuleOp>();
  code.addPass(createRngSelectKernelInstructionsPass());
  code.addPass(createSCFToControlFlowPass());
  code.addPass(createConvertGpuOpsToNVVMOps());
  code.addPass(createReconcileUnrealizedCastsPass());
  code.addPass(createCanonicalizerPass());
  code.addPass(createCSEPass());
  pm.addPass(createRngMarkReadOnlyArgumentsPass());
}

/// Host code to LLVM, kernels to binaries.
static void addHost(OpPassManager &pm, const RngToNVPTXOptions &options) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  addNumbers(functions, options.math);
  // Allocations, copies and launches become asynchronous ones in one stream,
  // which the host waits for before it goes on.
  functions.addPass(createGpuAsyncRegionPass());
  addControlFlowAndMathToLLVM(pm);
  pm.addPass(createGpuToLLVMConversionPass());
  RngCompileKernelsPassOptions binary;
  binary.format = options.format;
  pm.addPass(createRngCompileKernelsPass(binary));
  RngDumpGPUBinariesPassOptions dump;
  dump.dumpDir = options.dumpDir;
  pm.addPass(createRngDumpGPUBinariesPass(dump));
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createRngFinalizeLLVMPass());
}

void mlir::rng::buildRngGPUToNVPTXPipeline(OpPassManager &pm,
                                           const RngToNVPTXOptions &options) {
  addKernels(pm, options);
  addHost(pm, options);
}

void mlir::rng::buildRngToNVPTXPipeline(OpPassManager &pm,
                                        const RngToNVPTXOptions &options) {
  RngCheckNVPTXTargetPassOptions check;
  check.chip = options.chip;
  check.format = options.format;
  check.optLevel = options.optLevel;
  check.math = options.math;
  pm.addPass(createRngCheckNVPTXTargetPass(check));
  addTensorsToKernels(pm, options.prefix);
  buildRngGPUToNVPTXPipeline(pm, options);
}

void mlir::rng::registerRngToNVPTXPipeline() {
  PassPipelineRegistration<RngToNVPTXOptions>(
      "rng-to-nvptx",
      "Lower a program with stateless draws to kernels in PTX or machine code "
      "and host code that launches them",
      buildRngToNVPTXPipeline);
}
