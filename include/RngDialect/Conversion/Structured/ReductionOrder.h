//===- ReductionOrder.h - The order in which reductions add up --*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sums of floats depend on the order of additions. So that the CPU and a
/// thread block of threads of a GPU get the same bits, there is one order,
/// which depends on the op alone: not on the target, on what is known of its
/// sizes, on strides, or on what is around it.
///
/// A *lane reduction* is a structured op whose innermost loop is a reduction,
/// with one result, whose body combines one value a point with what the result
/// holds by one op that may be reordered (add, mul, min, max, and, or, xor).
/// Contractions (two or more inputs run along the reduction, but none of them
/// along all loops) and windows (an input at a sum of indices) are none.
///
/// Let x[0], ..., x[n-1] be the values at the points of the reduction loops of
/// one result, in row-major order of the loops, T = 256, and m = min(n, T):
///
///   1. lane l < m: a[l] = x[l] o x[l+T] o x[l+2T] o ..., from the left;
///   2. for s = T/2, T/4, ..., 1, for all l < s with l+s < m (and thus l+s less
///      than twice s): a[l] = a[l] o a[l+s];
///   3. result = result o a[0], if n > 0.
///
/// The left operand of `o` above is the one that stands where the body has what
/// the result holds. No neutral element takes part: a sum of -0.0 stays what it
/// is. All values have the type of the result.
///
/// All other reductions run through their points in row-major order of their
/// reduction loops, combining each with the result.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_STRUCTURED_REDUCTIONORDER_H
#define RNGDIALECT_CONVERSION_STRUCTURED_REDUCTIONORDER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::rng::structured {

/// T above: as many as a thread block of a kernel has threads.
inline constexpr int64_t kReductionLanes = 256;

/// Lanes in memory take longer than as many values or fewer themselves.
inline constexpr int64_t kTinyCount = 4;

/// A lane reduction.
struct LaneReduction {
  /// Like a pointer: its methods are not const.
  mutable linalg::LinalgOp op;
  /// `o` above; of the body.
  Operation *combiner;
  /// Which operand of `combiner` is what the result holds.
  unsigned accumulatorOperand;
  /// Loops, in order.
  SmallVector<unsigned> parallel, reductions;

  /// x above, at the point `indices` of all loops.
  Value buildValue(OpBuilder &b, ValueRange indices) const;

  /// `accumulator` o `value`.
  Value combine(OpBuilder &b, Value accumulator, Value value) const;

  /// The result o `total`, to memory; `indices` need parallel ones only.
  void storeResult(OpBuilder &b, SmallVector<Value> indices, Value total) const;

  Type getType() const { return combiner->getResult(0).getType(); }

  /// n above, if known.
  std::optional<int64_t> getStaticCount() const;

  /// Whether n is known and so small that `buildUnrolled` is better than lanes
  /// in memory.
  bool isShort() const;

  /// The whole of one result, without loops, for an op that `isShort`;
  /// `indices` need parallel ones only.
  void buildUnrolled(OpBuilder &b, SmallVector<Value> indices) const;

  /// Whether n is not known, and code for each n up to `kTinyCount` is short.
  bool mayBeTiny() const;

  /// The same for n = `count`, for an op that `mayBeTiny`.
  void buildUnrolled(OpBuilder &b, SmallVector<Value> indices,
                     int64_t count) const;
};

/// The lane reduction that `op` is, if any.
std::optional<LaneReduction> matchLaneReduction(linalg::LinalgOp op);

/// For how many lanes there is another one at the distance `stride` (a power of
/// two), in step 2 of `count` lanes (m above).
Value buildPairCount(OpBuilder &b, Location loc, Value count, Value stride);

} // namespace mlir::rng::structured

#endif // RNGDIALECT_CONVERSION_STRUCTURED_REDUCTIONORDER_H
