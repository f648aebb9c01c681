//===- Passes.h - All passes of the folders below ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_PASSES_H
#define RNGDIALECT_CONVERSION_PASSES_H

#include "RngDialect/Conversion/Bufferization/Passes.h"
#include "RngDialect/Conversion/BuffersToGPU/Passes.h"
#include "RngDialect/Conversion/BuffersToLoops/Passes.h"
#include "RngDialect/Conversion/EmulateGPU/Passes.h"
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h"
#include "RngDialect/Conversion/LinalgFusion/Passes.h"
#include "RngDialect/Conversion/LoweringChecks/Passes.h"
#include "RngDialect/Conversion/RngMemoryToLinalg/Passes.h"
#include "RngDialect/Conversion/RngStateToRuntime/Passes.h"
#include "RngDialect/Conversion/RngToArith/Passes.h"
#include "RngDialect/Conversion/RngToLinalg/Passes.h"
#include "RngDialect/Conversion/ToLLVM/MathLowering.h"
#include "RngDialect/Conversion/ToLLVM/Passes.h"

namespace mlir::rng {

/// Registers all of them by their names.
inline void registerRngConversionPasses() {
  registerRngBufferizationPasses();
  registerRngBuffersToGPUPasses();
  registerRngBuffersToLoopsPasses();
  registerRngEmulateGPUPasses();
  registerRngGPUToNVPTXPasses();
  registerRngLinalgFusionPasses();
  registerRngLoweringChecksPasses();
  registerRngMemoryToLinalgPasses();
  registerRngStateToRuntimePasses();
  registerRngToArithPasses();
  registerRngToLinalgPasses();
  registerRngToLLVMPasses();
}

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_PASSES_H
