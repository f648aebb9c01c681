//===- DeviceMemory.h - Memory of the device --------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whose memory is on the device, and what host code asks of it: allocations,
/// copies, and single elements, for which a kernel of one thread is built.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_BUFFERSTOGPU_DEVICEMEMORY_H
#define RNGDIALECT_LIB_CONVERSION_BUFFERSTOGPU_DEVICEMEMORY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::rng::kernels {

/// Whether the memory of `function` is device memory.
bool isDeviceFunction(Operation *function);

/// Whether `buffer` is memory that this function allocated on the device.
bool isDeviceAlloc(Value buffer);

/// The dynamic dimensions of a ranked buffer, in order.
SmallVector<Value> buildDynamicSizes(OpBuilder &b, Location loc, Value buffer);

/// Device memory of type `type` with dynamic dimensions `sizes`.
Value buildDeviceAlloc(OpBuilder &b, Location loc, MemRefType type,
                       ValueRange sizes);

/// Copies between host and device; both buffers are contiguous, without offset.
void buildTransfer(OpBuilder &b, Location loc, Value target, Value source);

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

} // namespace mlir::rng::kernels

#endif // RNGDIALECT_LIB_CONVERSION_BUFFERSTOGPU_DEVICEMEMORY_H
