//===- Pipelines.h - The way down to a machine ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_PIPELINES_H
#define RNGDIALECT_CONVERSION_PIPELINES_H

#include "RngDialect/Conversion/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::rng {

/// Options of `rng-to-cpu`.
struct RngToCpuOptions : public PassPipelineOptions<RngToCpuOptions> {
  PassOptions::Option<MathLowering> math{
      *this, "math", llvm::cl::desc("How math functions are computed"),
      llvm::cl::init(MathLowering::Poly),
      llvm::cl::values(
          clEnumValN(MathLowering::Poly, "poly",
                     "polynomials: the same bits on every target"),
          clEnumValN(MathLowering::Libm, "libm", "the C library"))};
  PassOptions::Option<std::string> prefix{
      *this, "prefix", llvm::cl::desc("Prefix of the functions of the runtime"),
      llvm::cl::init("rng")};
  PassOptions::Option<bool> openmp{
      *this, "openmp",
      llvm::cl::desc(
          "Run large loops that draw by the threads of OpenMP, whose "
          "runtime library programs need then"),
      llvm::cl::init(false)};
};

/// Adds the passes of `rng-to-cpu` to `pm`, a pass manager of modules: from
/// functions on tensors (memrefs, vectors, scalars) with stateless draws to the
/// LLVM dialect, ready for mlir-runner.
///
/// A tensor argument is a memref of identity layout that is read only. A tensor
/// result is a memref of identity layout that the function allocates and the
/// caller owns (it frees it).
void buildRngToCpuPipeline(OpPassManager &pm, const RngToCpuOptions &options);

/// Options of `rng-to-emulated-gpu`.
struct RngToEmulatedGPUOptions
    : public PassPipelineOptions<RngToEmulatedGPUOptions> {
  PassOptions::Option<std::string> prefix{
      *this, "prefix", llvm::cl::desc("Prefix of the functions of the runtime"),
      llvm::cl::init("rng")};
};

/// Adds the passes of `rng-to-emulated-gpu` to `pm`: the kernels of
/// `rng-to-nvptx`, run by the host (`rng-emulate-gpu`), in the LLVM dialect.
/// For tests of these kernels, not for speed. Buffers as in `rng-to-cpu`.
void buildRngToEmulatedGPUPipeline(OpPassManager &pm,
                                   const RngToEmulatedGPUOptions &options);

/// Adds what all targets share, up to bufferization: draws become
/// linalg.generic, elementwise work around them is fused into one op for each
/// region, contractions stay named, and what is left of draws is arithmetic.
/// `forDevice`: draws read their snapshots where they draw, as host code
/// cannot. `keepInBodies`: draws stay draws in the bodies of structured ops, so
/// that `convert-rng-to-gpu` or `rng-vectorize-draws` can share their stream
/// blocks.
void buildRngTensorPipeline(OpPassManager &pm, bool forDevice = false,
                            bool keepInBodies = false);

/// Adds the step from tensors to buffers that all targets share, and from state
/// in memory to operations on buffers. Nothing frees the buffers yet.
void buildRngBufferizationPipeline(OpPassManager &pm);

/// Registers the pipelines by their names.
void registerRngPipelines();

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_PIPELINES_H
