//===- CudaToolkit.h - What kernels find outside of them --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_GPUTONVPTX_CUDATOOLKIT_H
#define RNGDIALECT_LIB_CONVERSION_GPUTONVPTX_CUDATOOLKIT_H

#include "mlir/Support/LLVM.h"

namespace mlir::rng::nvptx {

/// The path of libdevice, the CUDA toolkit's library of math functions for
/// kernels; "" if there is none in the places that `rng-check-nvptx-target`
/// lists.
std::string findLibdevice();

/// Whether kernels may call `name` without its definition: the CUDA driver has
/// it.
bool isDriverFunction(StringRef name);

} // namespace mlir::rng::nvptx

#endif // RNGDIALECT_LIB_CONVERSION_GPUTONVPTX_CUDATOOLKIT_H
