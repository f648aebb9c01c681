//===- LoopTapes.h - Tapes that loops carry ---------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Differentiating a loop gives two: the loop of the forward carries *tapes*,
/// tensors with an element or slice for each iteration, and the loop of the
/// backward reads them, an iteration of it what an iteration of the forward
/// wrote.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_LOOPTAPES_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_LOOPTAPES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::rng::cut {

/// A tensor that a loop from 0 by steps of 1 carries, of which iteration i
/// writes slice or element i and nothing else, so that the loop fills it.
struct Tape {
  /// The number of the iteration argument and of the loop's result.
  unsigned number;
  /// The `tensor.insert` or `tensor.insert_slice`.
  Operation *write;
  /// What an iteration writes.
  Value value;
};

/// The tapes of `loop`, by number. A loop with bounds of other kinds has none.
SmallVector<Tape> findTapes(scf::ForOp loop);

/// A read of one iteration's slice or element of a tape.
struct TapeRead {
  /// The `tensor.extract` or `tensor.extract_slice`.
  Operation *op;
  /// Which of `LoopPair::tapes`.
  size_t tape;
};

/// A forward and a backward loop, of whose iterations each reads what one
/// iteration of the forward loop wrote.
struct LoopPair {
  scf::ForOp forward, backward;
  /// The tapes of `forward`.
  SmallVector<Tape> tapes;
  /// The iteration of `forward` that an iteration of `backward` belongs to: a
  /// value of the body of `backward`, its induction variable if that runs
  /// through the iterations in the same order.
  Value iteration;
  /// The ops of the body of `backward` that compute `iteration`, in order.
  SmallVector<Operation *> iterationOps;
  /// Where `backward` reads tapes at `iteration`, in program order; not empty.
  SmallVector<TapeRead> reads;

  /// Whether the tape is used in other ways than by `reads`, so that the
  /// forward loop has to carry it whatever is saved.
  bool isUsedElsewhere(const Tape &tape) const;
};

/// Whether `backward` belongs to `forward`, which comes in front of it in the
/// same basic block. Both must be free of side effects.
std::optional<LoopPair> matchLoopPair(scf::ForOp forward, scf::ForOp backward);

/// Writes `value`, a scalar or a ranked tensor, as slice `index` of `tape`, a
/// tensor with one more dimension in front; returns the new tape.
Value buildTapeWrite(OpBuilder &b, Location loc, Value value, Value tape,
                     Value index);

/// Reads slice `index` of `tape`, of type `type`.
Value buildTapeRead(OpBuilder &b, Location loc, Type type, Value tape,
                    Value index);

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_LOOPTAPES_H
