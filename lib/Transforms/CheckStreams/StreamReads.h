//===- StreamReads.h - What draws read of a stream --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stream blocks that draws read, and the search for two that share some.
// In: the reads of one function, those of its callees included. Out: pairs that
// overlap and are not one draw computed twice.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMREADS_H
#define RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMREADS_H

#include "RngDialect/IR/RngOps.h"
#include "StreamValues.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace mlir::rng::streams {

/// The stream blocks [offset, offset + blocks) of the stream of `seed`.
struct StreamRead {
  /// The draw, in this function or in one that it calls.
  Operation *draw;
  /// The draw, or the call in this function that leads to it.
  Operation *site;
  /// What runs the draw whenever it runs itself: the site, or a loop around it.
  Operation *within = nullptr;
  /// Around how many regions this read was copied to.
  unsigned level = 0;
  RngAlgorithmAttrInterface algorithm;
  StreamValue seed, offset;
  /// At least 1; 1 if it is not known.
  uint64_t blocks;
  bool stateful;
  /// Whether, within the callee, it depends on a condition.
  bool conditional = false;
  /// Of a draw in a callee: seed and offset as the callee itself sees them.
  StreamValue calleeSeed, calleeOffset;
  /// Place in the order of the program.
  unsigned order = 0;
  /// The reservation that the offset was computed from, -1 if none.
  int reservation = -1;

  bool isInCallee() const { return site != draw; }
};

/// Whether two draws at one state are the same draw.
enum class SameDraw { No, Maybe, Yes };

/// Compares two draws that start at the same state, slices by their logical
/// draw: distribution, element type, shape and, where constant, parameters.
SameDraw compareDraws(Operation *a, Operation *b);

/// Two reads of the same stream blocks.
struct StreamConflict {
  enum Kind {
    /// Certainly a fault.
    Overlap,
    /// Iterations of a loop overlap.
    LoopOverlap,
    /// Two calls of a function that draw the same numbers.
    RepeatedCall
  };
  Kind kind;
  /// In the order of the program; equal for a draw in a loop.
  const StreamRead *first, *second;
};

/// Says what a pair of reads that overlap is, if anything.
using ClassifyReads = llvm::function_ref<std::optional<StreamConflict::Kind>(
    const StreamRead &earlier, const StreamRead &later)>;

/// Conflicts by the operation at which they are reported, `second->site`: the
/// first found is kept, but a certain one replaces an uncertain one.
class StreamConflicts {
public:
  void add(StreamConflict conflict);
  /// In the order of the program.
  SmallVector<StreamConflict> take();
  bool contains(Operation *site) const { return conflicts.contains(site); }

private:
  llvm::MapVector<Operation *, StreamConflict> conflicts;
};

/// Adds to `conflicts` the overlapping pairs of `reads` that `classify`
/// accepts. With `stride`, of pairs of one read and another of the next
/// iteration, `stride` stream blocks further. Takes n log n time: where very
/// many overlap each other, some pairs are left out; false is returned then.
bool findConflicts(ArrayRef<const StreamRead *> reads,
                   std::optional<uint64_t> stride, ClassifyReads classify,
                   StreamConflicts &conflicts);

} // namespace mlir::rng::streams

#endif // RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMREADS_H
