//===- Passes.td - Lowerings of the rng dialect ------------*- tablegen -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All passes of the folders below, for the reference page.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_PASSES_TD
#define RNGDIALECT_CONVERSION_PASSES_TD

include "RngDialect/Conversion/Bufferization/Passes.td"
include "RngDialect/Conversion/BuffersToGPU/Passes.td"
include "RngDialect/Conversion/BuffersToLoops/Passes.td"
include "RngDialect/Conversion/EmulateGPU/Passes.td"
include "RngDialect/Conversion/GPUToNVPTX/Passes.td"
include "RngDialect/Conversion/LinalgFusion/Passes.td"
include "RngDialect/Conversion/LoweringChecks/Passes.td"
include "RngDialect/Conversion/RngMemoryToLinalg/Passes.td"
include "RngDialect/Conversion/RngStateToRuntime/Passes.td"
include "RngDialect/Conversion/RngToArith/Passes.td"
include "RngDialect/Conversion/RngToLinalg/Passes.td"
include "RngDialect/Conversion/ToLLVM/Passes.td"

#endif // RNGDIALECT_CONVERSION_PASSES_TD
