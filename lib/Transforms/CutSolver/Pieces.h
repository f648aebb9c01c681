//===- Pieces.h - Independent differences of two choices --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Programs repeat themselves: a price at which one layer changes its mind
/// changes all layers at once, and the next corner of the hull may be far away.
/// But layers do so independently, and a mixture of both corners is as good a
/// choice as they are. Pieces are the connected sets of the ops that differ,
/// connected through values whose cost depends on more than one of them.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_CUTSOLVER_PIECES_H
#define RNGDIALECT_LIB_TRANSFORMS_CUTSOLVER_PIECES_H

#include "Assignment.h"

namespace mlir::rng::cut {

/// Ops that change together.
struct Piece {
  std::vector<unsigned> ops;
  /// Whether it takes more bytes as in the lower corner.
  bool isReversed = false;
  /// What it takes more where it takes more bytes, and the work that spares.
  int64_t bytes = 0;
  int64_t work = 0;

  double getWorth() const { return double(work) / (bytes > 0 ? bytes : 0.5); }
};

/// The pieces in which two choices differ, in order of their first op. Values
/// of up to `small` bytes tie nothing together: exchanges are counted exactly
/// when they are made. So a seed does not join all layers.
std::vector<Piece> findPieces(const BudgetCore &core, const CoreChoice &low,
                              const CoreChoice &high, uint64_t small);

/// Changes the ops of a piece that are not yet as in `target`.
void exchange(Assignment &assignment, const Piece &piece,
              const CoreChoice &target);

/// Counts what each piece changes, and moves `assignment`, which is at the
/// lower corner, to where all pieces take the fewest bytes.
void settle(Assignment &assignment, std::vector<Piece> &pieces,
            const CoreChoice &high);

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_CUTSOLVER_PIECES_H
