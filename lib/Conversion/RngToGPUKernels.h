//===- RngToGPUKernels.h - Launches that touch device memory ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One `gpu.launch` for each kind of access to device memory that host code
/// must not make itself. All of them use 64-bit index arithmetic, one thread an
/// element, blocks of 256 threads in one grid dimension, and are guarded
/// against empty shapes (a grid of zero blocks is an error of the driver).
///
//===----------------------------------------------------------------------===//

#ifndef LIB_CONVERSION_RNGTOGPUKERNELS_H
#define LIB_CONVERSION_RNGTOGPUKERNELS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::rng {

/// Whether the memory of `function` is device memory.
bool isDeviceFunction(Operation *function);

/// Device memory of type `type` with dynamic dimensions `sizes`.
Value buildDeviceAlloc(OpBuilder &b, Location loc, MemRefType type,
                       ValueRange sizes);

/// Copies between host and device; both buffers are contiguous, without offset.
void buildTransfer(OpBuilder &b, Location loc, Value target, Value source);

/// The dynamic dimensions of a ranked buffer, in order.
SmallVector<Value> buildDynamicSizes(OpBuilder &b, Location loc, Value buffer);

/// A kernel for `op` (on buffers): one thread for each point of the parallel
/// dimensions, which runs through the reduction dimensions in order and keeps
/// what it accumulates in registers. An op whose results are not one to one
/// with its parallel points is run by one thread.
void buildKernel(OpBuilder &b, linalg::LinalgOp op);

/// A kernel that copies `source` to `target`, ranked buffers of the same shape
/// and any layouts.
void buildCopyKernel(OpBuilder &b, Location loc, Value source, Value target);

/// A kernel of one thread that stores `value` to `target[indices]`.
void buildStoreKernel(OpBuilder &b, Location loc, Value value, Value target,
                      ValueRange indices);

/// Host code that reads `source[indices]` from device memory: a kernel of one
/// thread puts the element into a buffer of its own, which is copied to the
/// host. Allocates, frees nothing.
Value buildLoad(OpBuilder &b, Location loc, Value source, ValueRange indices);

} // namespace mlir::rng

#endif // LIB_CONVERSION_RNGTOGPUKERNELS_H
