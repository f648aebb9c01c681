//===- NVPTX.h - Pipelines to NVIDIA GPUs -----------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_NVPTX_H
#define RNGDIALECT_CONVERSION_NVPTX_H

#include "RngDialect/Conversion/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::rng {

/// Options of `rng-to-nvptx`. Wrong ones are errors of the first pass of the
/// pipeline (`rng-check-nvptx-target`).
struct RngToNVPTXOptions : public PassPipelineOptions<RngToNVPTXOptions> {
  PassOptions::Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The chip to compile for, sm_70 or later"),
      llvm::cl::init("sm_90")};
  PassOptions::Option<std::string> format{
      *this, "format",
      llvm::cl::desc("What kernels become: isa (PTX), bin (cubin) or fatbin"),
      llvm::cl::init("isa")};
  PassOptions::Option<int> optLevel{
      *this, "opt-level",
      llvm::cl::desc("Optimization level of kernels, 0 to 3"),
      llvm::cl::init(3)};
  PassOptions::Option<MathLowering> math{
      *this, "math", llvm::cl::desc("How math functions are computed"),
      llvm::cl::init(MathLowering::Poly),
      llvm::cl::values(
          clEnumValN(MathLowering::Poly, "poly",
                     "polynomials: the same bits on every target"),
          clEnumValN(MathLowering::Libm, "libm",
                     "libdevice of the CUDA toolkit"))};
  PassOptions::Option<std::string> dumpDir{
      *this, "dump-dir",
      llvm::cl::desc("Folder to write compiled kernels to, one file a module")};
  PassOptions::Option<std::string> prefix{
      *this, "prefix", llvm::cl::desc("Prefix of the functions of the runtime"),
      llvm::cl::init("rng")};
};

/// From buffers in functions marked `rng.device` to `gpu.launch_func` and
/// kernels in `gpu.module`s, temporaries allocated and freed on the device.
/// Uses no dialect of a vendor.
void buildRngToGPUPipeline(OpPassManager &pm);

/// From kernels in `gpu.module`s to `gpu.binary` for an NVIDIA chip, host code
/// to the LLVM dialect.
void buildRngGPUToNVPTXPipeline(OpPassManager &pm,
                                const RngToNVPTXOptions &options);

/// All of `rng-to-nvptx`: from functions on tensors with stateless draws to
/// `gpu.binary` and host code in the LLVM dialect that launches the kernels.
///
/// A tensor argument is a memref of identity layout in device memory that is
/// read only. A tensor result is one that the function allocates and the caller
/// owns (it frees it). Scalars are host values. Functions without tensors are
/// host code (see `rng-mark-device-functions`).
void buildRngToNVPTXPipeline(OpPassManager &pm,
                             const RngToNVPTXOptions &options);

/// Registers `rng-to-nvptx`; part of `registerRngPipelines`.
void registerRngToNVPTXPipeline();

} // namespace mlir::rng

#endif // RNGDIALECT_CONVERSION_NVPTX_H
