//===- NVVMTarget.h - What is used of upstream's NVVM dialect ---*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The NVVM dialect without its ops: its attributes, the target of kernels
/// among them, and where upstream looks for the CUDA toolkit. For the ops, of
/// which none is used here, a compiler needs 1.3 GB.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_GPUTONVPTX_NVVMTARGET_H
#define RNGDIALECT_LIB_CONVERSION_GPUTONVPTX_NVVMTARGET_H

#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"
#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"
#include "mlir/Dialect/Ptr/IR/MemorySpaceInterfaces.h"
#include "mlir/IR/Dialect.h"

#include "mlir/Dialect/LLVMIR/NVVMOpsEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "mlir/Dialect/LLVMIR/NVVMOpsAttributes.h.inc"

#include "mlir/Dialect/LLVMIR/NVVMOpsDialect.h.inc"

namespace mlir::NVVM {
/// As mlir/Target/LLVM/NVVM/Utils.h declares it.
StringRef getCUDAToolkitPath();
} // namespace mlir::NVVM

#endif // RNGDIALECT_LIB_CONVERSION_GPUTONVPTX_NVVMTARGET_H
