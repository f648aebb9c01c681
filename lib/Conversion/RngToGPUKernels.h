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
/// must not make itself. All of them use 64-bit index arithmetic, blocks of 256
/// threads in one grid dimension, and are guarded against empty shapes (a grid
/// of zero blocks is an error of the driver). A thread does one element, or a
/// group of neighbours where the memory of an elementwise op is contiguous.
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

/// The number of points of `sizes`.
Value buildTotal(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes);

/// The row-major position `linear` in `sizes` as one index a dimension.
SmallVector<Value> buildDelinearized(OpBuilder &b, Location loc, Value linear,
                                     ArrayRef<OpFoldResult> sizes);

/// A launch of at least `total` threads, which is not zero; leaves `b` in its
/// body. Returns the number of the thread, which may be `total` or more.
Value buildLinearLaunch(OpBuilder &b, Location loc, Value total);

/// A kernel for `op`, elementwise on contiguous buffers of one shape (inputs
/// may be broadcast over outer or inner dimensions of matching sizes), in which
/// a thread does groups of as many consecutive elements as fill 16 bytes of the
/// widest operand (or as a block of a draw yields, if more): one access of 16
/// bytes for each operand and group (fewer of narrower operands, several for
/// wider groups), one computation of a block for all its values. How many
/// groups, RngToGPUGroups.h says. What is left of a size, and everything if an
/// operand turns out not to be aligned, is done by further threads of the
/// kernel, an element each. Returns false if `op` does not fit; nothing is
/// built then.
bool buildGroupedKernel(OpBuilder &b, linalg::LinalgOp op);

/// A kernel that copies `source` to `target` as `buildGroupedKernel` would;
/// both are ranked buffers of one shape. Returns false, and builds nothing,
/// unless they are contiguous.
bool buildGroupedCopy(OpBuilder &b, Location loc, Value source, Value target);

/// A kernel for `op` (on buffers): as a group for each thread where
/// `buildGroupedKernel` can, else one thread for each point of the parallel
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
