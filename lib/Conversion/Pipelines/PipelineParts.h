//===- PipelineParts.h - What pipelines share -------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_PIPELINES_PIPELINEPARTS_H
#define RNGDIALECT_LIB_CONVERSION_PIPELINES_PIPELINEPARTS_H

#include "RngDialect/Conversion/Passes.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::rng::pipelines {

/// Structured ops on buffers to loops, in functions and in kernels: the CPU's
/// order of reductions.
void addLoops(OpPassManager &pm);

/// Math functions as arithmetic (or libm calls). One sequence for the CPU, the
/// host code beside kernels, and kernels: so they compute the same bits.
void addMath(OpPassManager &pm, MathLowering math);

/// `addMath`, and everything on numbers that the CPU lacks as operations that
/// it has.
void addNumbers(OpPassManager &pm, MathLowering math);

/// Vectors, strided buffers, loops and math to LLVM or what LLVM is near to.
void addControlFlowAndMathToLLVM(OpPassManager &pm);

/// All of a host's program to LLVM, after `addNumbers`. `openmp`: what is left
/// of `scf.parallel` becomes loops of OpenMP.
void addHostToLLVM(OpPassManager &pm, bool openmp = false);

/// From functions on tensors to kernels in `gpu.module`s and their launches:
/// what all targets with kernels share. `prefix`: of the runtime's functions.
void addTensorsToKernels(OpPassManager &pm, StringRef prefix);

} // namespace mlir::rng::pipelines

#endif // RNGDIALECT_LIB_CONVERSION_PIPELINES_PIPELINEPARTS_H
