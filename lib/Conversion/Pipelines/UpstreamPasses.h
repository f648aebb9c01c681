//===- UpstreamPasses.h - Passes of MLIR that pipelines add -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The create functions and options of just the upstream passes that the
/// pipelines are made of. Upstream's own headers of passes include the dialects
/// that these are about, LLVM's and NVIDIA's among them: a compiler needs 2 GB
/// for them, for nothing that is used here.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_PIPELINES_UPSTREAMPASSES_H
#define RNGDIALECT_LIB_CONVERSION_PIPELINES_UPSTREAMPASSES_H

#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/Passes.h"

namespace mlir {
#define GEN_PASS_DECL_CONVERTBUFFERIZATIONTOMEMREFPASS
#define GEN_PASS_DECL_CONVERTGPUOPSTONVVMOPS
#define GEN_PASS_DECL_CONVERTMATHTOLIBMPASS
#define GEN_PASS_DECL_CONVERTMATHTOLLVMPASS
#define GEN_PASS_DECL_CONVERTSCFTOOPENMPPASS
#define GEN_PASS_DECL_CONVERTTENSORTOLINALGPASS
#define GEN_PASS_DECL_CONVERTTOLLVMPASS
#define GEN_PASS_DECL_GPUTOLLVMCONVERSIONPASS
#define GEN_PASS_DECL_LIFTCONTROLFLOWTOSCFPASS
#define GEN_PASS_DECL_LOWERAFFINEPASS
#define GEN_PASS_DECL_RECONCILEUNREALIZEDCASTSPASS
#define GEN_PASS_DECL_SCFTOCONTROLFLOWPASS
#include "mlir/Conversion/Passes.h.inc"

#define GEN_PASS_DECL_GPUASYNCREGIONPASS
#define GEN_PASS_DECL_GPUKERNELOUTLININGPASS
#define GEN_PASS_DECL_GPULAUNCHSINKINDEXCOMPUTATIONSPASS
#define GEN_PASS_DECL_GPUNVVMATTACHTARGET
#include "mlir/Dialect/GPU/Transforms/Passes.h.inc"

#define GEN_PASS_DECL_CONVERTELEMENTWISETOLINALGPASS
#define GEN_PASS_DECL_CONVERTLINALGTOLOOPSPASS
#define GEN_PASS_DECL_LINALGGENERALIZENAMEDOPSPASS
#include "mlir/Dialect/Linalg/Passes.h.inc"
} // namespace mlir

namespace mlir::arith {
#define GEN_PASS_DECL_ARITHEMULATEUNSUPPORTEDFLOATS
#define GEN_PASS_DECL_ARITHEXPANDOPSPASS
#include "mlir/Dialect/Arith/Transforms/Passes.h.inc"
} // namespace mlir::arith

namespace mlir::bufferization {
#define GEN_PASS_DECL_BUFFERDEALLOCATIONSIMPLIFICATIONPASS
#define GEN_PASS_DECL_EMPTYTENSORELIMINATIONPASS
#define GEN_PASS_DECL_EMPTYTENSORTOALLOCTENSORPASS
#define GEN_PASS_DECL_LOWERDEALLOCATIONSPASS
#include "mlir/Dialect/Bufferization/Transforms/Passes.h.inc"
} // namespace mlir::bufferization

namespace mlir::math {
#define GEN_PASS_DECL_MATHEXTENDTOSUPPORTEDTYPES
#include "mlir/Dialect/Math/Transforms/Passes.h.inc"
} // namespace mlir::math

namespace mlir::memref {
#define GEN_PASS_DECL_EXPANDSTRIDEDMETADATAPASS
#define GEN_PASS_DECL_RESOLVERANKEDSHAPETYPERESULTDIMSPASS
#include "mlir/Dialect/MemRef/Transforms/Passes.h.inc"
} // namespace mlir::memref

#endif // RNGDIALECT_LIB_CONVERSION_PIPELINES_UPSTREAMPASSES_H
