//===- NVPTXPipeline.cpp - From tensors to PTX ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/NVPTX.h"
#include "RngDialect/Conversion/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::rng;

void mlir::rng::buildRngDeviceBuffersToKernels(OpPassManager &pm) {
  pm.addPass(createConvertRngToGPU());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLowerAffinePass());
  // Deallocation knows nothing of `gpu.launch_func`, so kernels stay in place
  // until it is done.
  pm.addPass(createRngInsertDeviceDeallocs());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(bufferization::createBufferDeallocationSimplificationPass());
  pm.addPass(bufferization::createLowerDeallocationsPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  // The copies that deallocation asks for are kernels too.
  pm.addPass(createRngLowerDeviceDeallocs());
  pm.addNestedPass<func::FuncOp>(createGpuLaunchSinkIndexComputationsPass());
  pm.addPass(createGpuKernelOutliningPass());
}

void mlir::rng::buildRngKernelsToNVPTX(OpPassManager &pm,
                                       const RngToNVPTXOptions &options) {
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(arith::createArithExpandOpsPass());
  kernels.addPass(createRngConvertKernelMath());
  GpuNVVMAttachTargetOptions target;
  target.chip = options.chip;
  target.optLevel = options.optLevel;
  pm.addPass(createGpuNVVMAttachTarget(target));
  OpPassManager &kernelCode = pm.nest<gpu::GPUModuleOp>();
  kernelCode.addPass(createSCFToControlFlowPass());
  kernelCode.addPass(createConvertGpuOpsToNVVMOps());
  kernelCode.addPass(createReconcileUnrealizedCastsPass());
  kernelCode.addPass(createCanonicalizerPass());
  kernelCode.addPass(createCSEPass());

  pm.addNestedPass<func::FuncOp>(createGpuAsyncRegionPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(arith::createArithExpandOpsPass());
  pm.addPass(createGpuToLLVMConversionPass());
  GpuModuleToBinaryPassOptions binary;
  binary.compilationTarget = options.format;
  pm.addPass(createGpuModuleToBinaryPass(binary));
  RngDumpGPUBinariesOptions dump;
  dump.dumpDir = options.dumpDir;
  pm.addPass(createRngDumpGPUBinaries(dump));
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void mlir::rng::buildRngToNVPTX(OpPassManager &pm,
                                const RngToNVPTXOptions &options) {
  RngCheckNVPTXTargetOptions check;
  check.chip = options.chip;
  check.format = options.format;
  check.optLevel = options.optLevel;
  pm.addPass(createRngCheckNVPTXTarget(check));
  pm.addPass(createRngMarkDeviceFunctions());

  // Tensor level. Fusion of dynamic shapes leaves sizes that stop it; once they
  // are resolved it goes on.
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createConvertTensorToLinalgPass());
  pm.addPass(createLinalgGeneralizeNamedOpsPass());
  for (int round = 0; round < 2; ++round) {
    pm.addPass(createLinalgElementwiseOpFusionPass());
    pm.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
  }
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  buildRngDeviceBuffersToKernels(pm);
  buildRngKernelsToNVPTX(pm, options);
}

void mlir::rng::registerRngNVPTXPipelines() {
  PassPipelineRegistration<RngToNVPTXOptions>(
      "rng-to-nvptx",
      "lowers tensor programs with draws to kernels in PTX or machine code and "
      "host code that launches them",
      buildRngToNVPTX);
}
