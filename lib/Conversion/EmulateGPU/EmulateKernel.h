//===- EmulateKernel.h - Kernels as loops of the host -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What `rng-emulate-gpu` does with one kernel: a loop over thread blocks
/// around loops over the threads of a thread block, one for each stretch of the
/// body between barriers.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_EMULATEGPU_EMULATEKERNEL_H
#define RNGDIALECT_LIB_CONVERSION_EMULATEGPU_EMULATEKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::rng::emulate {

/// A kernel, whether it is a function or the body of a launch.
class KernelBody {
public:
  explicit KernelBody(gpu::GPUFuncOp kernel);
  explicit KernelBody(gpu::LaunchOp launch);

  /// Succeeds if `build` can turn the body into loops; else says why not, with
  /// errors at the ops in the way.
  LogicalResult check() const;

  /// Builds the loops at `b` for a grid of `grid` thread blocks of `block`
  /// threads (x, y, z; of type index). `mapping` has the values of a kernel
  /// function's arguments. Memory of thread blocks and threads is on the heap
  /// for the time of the loops. All memory spaces in the kernel must be gone.
  void build(OpBuilder &b, Location loc, ArrayRef<Value> grid,
             ArrayRef<Value> block, const IRMapping &mapping) const;

private:
  Region *region;
  ArrayRef<BlockArgument> shared;
  ArrayRef<BlockArgument> owned;
  /// Arguments that hold ids and sizes: block ids, thread ids, thread blocks,
  /// threads.
  ArrayRef<BlockArgument> ids;
};

/// Succeeds if `op`, which belongs to a kernel or a function that one calls,
/// can be run on the host.
LogicalResult checkKernelOp(Operation *op);

} // namespace mlir::rng::emulate

#endif // RNGDIALECT_LIB_CONVERSION_EMULATEGPU_EMULATEKERNEL_H
