//===- KernelBuilders.h - Launches on device memory -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One `gpu.launch` for each kind of access to device memory that host code
/// must not make itself. All of them use 64-bit index arithmetic, thread blocks
/// of at most 256 threads in one grid dimension, and are guarded against empty
/// shapes (a grid of zero thread blocks is an error of the driver). A thread
/// does one element, or a group of neighbours where the memory of an
/// elementwise op is contiguous; the threads of a thread block work together on
/// a reduction.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_BUFFERSTOGPU_KERNELBUILDERS_H
#define RNGDIALECT_LIB_CONVERSION_BUFFERSTOGPU_KERNELBUILDERS_H

#include "RngDialect/Conversion/Structured/ReductionOrder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::gpu {
class LaunchOp;
} // namespace mlir::gpu

namespace mlir::rng::kernels {

/// The number of points of `sizes`.
Value buildTotal(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes);

/// The row-major position `linear` in `sizes` as one index a dimension.
SmallVector<Value> buildDelinearized(OpBuilder &b, Location loc, Value linear,
                                     ArrayRef<OpFoldResult> sizes);

Value buildIndex(OpBuilder &b, Location loc, int64_t value);

/// A launch of at least `total` threads, which is not zero; leaves `b` in its
/// body. Returns the number of the thread, which may be `total` or more.
Value buildLinearLaunch(OpBuilder &b, Location loc, Value total);

/// The thread block and the thread id in it of the thread that runs the body of
/// a launch.
struct ThreadIds {
  Value block, thread;
};

/// Those along x of the launch whose body `b` is in.
ThreadIds getThreadIds(OpBuilder &b);

/// Whether `left` is less than `right`, as unsigned numbers.
Value buildLess(OpBuilder &b, Location loc, Value left, Value right);

/// Runs what `body` builds in threads where `condition` is true.
void buildIf(OpBuilder &b, Location loc, Value condition,
             function_ref<void(OpBuilder &)> body);

/// Memory that the threads of a thread block share.
MemRefType getWorkgroupType(ArrayRef<int64_t> shape, Type element);

/// Runs what `body` builds in a single thread.
void buildSingle(OpBuilder &b, Location loc,
                 function_ref<void(OpBuilder &)> body);

/// Runs what `body` builds once for each point of `sizes`, each in a thread of
/// its own.
void buildParallel(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes,
                   function_ref<void(OpBuilder &, ValueRange indices)> body);

/// Runs what `body` builds once for each point of `sizes`, each in a
/// thread block of `numThreads` x `numThreadsY` threads of its own.
void buildBlocks(
    OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes,
    ArrayRef<int64_t> numThreads,
    function_ref<void(OpBuilder &, gpu::LaunchOp, ValueRange indices)> body);

/// Whether each point of the parallel dimensions of `op` owns one element of
/// each result, so that its accumulator can live in a register.
bool ownsItsResults(linalg::LinalgOp op);

/// What one thread does for the parallel ones of `indices` of `op`, which owns
/// its results; it runs through the others in order. `sizes`: of all loops.
void buildPoint(OpBuilder &b, linalg::LinalgOp op, ArrayRef<OpFoldResult> sizes,
                SmallVector<Value> indices);

/// What one thread does for all points of `op`, in order.
void buildAllPoints(OpBuilder &b, linalg::LinalgOp op,
                    ArrayRef<OpFoldResult> sizes);

/// How many threads a thread block should have for `reduction`.
int64_t getReductionThreads(const structured::LaneReduction &reduction);

/// The result of `reduction` at the parallel ones of `indices`, by the
/// `numThreads` threads of a thread block: `getReductionThreads` or more, a
/// power of two, `thread` among them. `sizes` are those of all loops. `lanes`
/// is workgroup memory of `numThreads` elements, which the first thread reads
/// last.
void buildBlockReduction(OpBuilder &b,
                         const structured::LaneReduction &reduction,
                         ArrayRef<OpFoldResult> sizes,
                         SmallVector<Value> indices, Value thread,
                         int64_t numThreads, Value lanes);

/// A kernel for `op` if it is a lane reduction: a thread block for each
/// result, or a thread where the reduction is short. Returns false if `op` is
/// none; nothing is built then.
bool buildReductionKernel(OpBuilder &b, linalg::LinalgOp op);

/// A kernel for `op` if it is a contraction of two inputs with loops over rows
/// and columns of its result: a thread block of 16 x 16 threads for as many
/// results, which goes through tiles of the inputs in workgroup memory. Each
/// thread adds up in the order of the loops. Returns false if `op` is none;
/// nothing is built then. This is where a compiler with a matmul of its own
/// plugs it in.
bool buildMatmulKernel(OpBuilder &b, linalg::LinalgOp op);

/// Whether `loop` is an `scf.forall` of which `buildRowKernel` can do all, on
/// buffers.
bool isRowLoop(Operation *loop);

/// A kernel for `loop`, which `isRowLoop`: one thread block for each
/// iteration. Its structured ops are distributed over the threads, one after
/// the other, with barriers where one needs memory of another. What it
/// allocates is workgroup memory as long as 48 KiB suffice, else device memory.
void buildRowKernel(OpBuilder &b, Operation *loop);

/// A kernel for `op`, elementwise on contiguous buffers of one shape (inputs
/// may be broadcast over outer or inner dimensions of matching sizes), in which
/// a thread does groups of as many consecutive elements as fill 16 bytes of the
/// widest operand (or as a stream block yields, if more): one access of 16
/// bytes for each operand and group (fewer of narrower operands, several for
/// wider groups), one computation of a stream block for all its values. How
/// many groups, ThreadGroups.h says. What is left of a size, and everything if
/// an operand turns out not to be aligned, is done by further threads of the
/// kernel, an element each. Returns false if `op` does not fit; nothing is
/// built then.
bool buildGroupedKernel(OpBuilder &b, linalg::LinalgOp op);

/// A kernel that copies `source` to `target` as `buildGroupedKernel` would;
/// both are ranked buffers of one shape. Returns false, and builds nothing,
/// unless they are contiguous.
bool buildGroupedCopy(OpBuilder &b, Location loc, Value source, Value target);

/// A kernel for `op` (on buffers): as a group for each thread where
/// `buildGroupedKernel` can, by thread blocks where `buildReductionKernel` or
/// `buildMatmulKernel` can, else one thread for each point of the parallel
/// dimensions, which runs through the reduction dimensions in order and keeps
/// what it accumulates in registers. An op whose results are not one to one
/// with its parallel points is run by one thread.
void buildKernel(OpBuilder &b, linalg::LinalgOp op);

} // namespace mlir::rng::kernels

#endif // RNGDIALECT_LIB_CONVERSION_BUFFERSTOGPU_KERNELBUILDERS_H
