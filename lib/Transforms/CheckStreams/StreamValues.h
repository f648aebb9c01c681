//===- StreamValues.h - Seeds and offsets as base plus delta ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Seeds and offsets as an unknown base plus a known number, mod 2^64: what
// `rng-check-streams` knows about an i64 or a snapshot. Numbers of bases are
// those of one function.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMVALUES_H
#define RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMVALUES_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace mlir::rng::streams {

/// `base` + `delta` mod 2^64.
struct StreamValue {
  /// Bases that are no number of an unknown.
  enum : int { Constant = -1, Nothing = -2 };

  int base = Constant;
  uint64_t delta = 0;

  static StreamValue nothing() { return {Nothing, 0}; }
  bool isKnown() const { return base != Nothing; }
  bool isConstant() const { return base == Constant; }
  StreamValue operator+(uint64_t blocks) const {
    return {base, isKnown() ? delta + blocks : 0};
  }
  bool operator==(const StreamValue &other) const {
    return base == other.base && delta == other.delta;
  }
  bool operator!=(const StreamValue &other) const { return !(*this == other); }
};

/// The bases of one function: unknowns numbered from 0.
class StreamBases {
public:
  /// The first `count` bases are formal: the same throughout a run.
  explicit StreamBases(unsigned count) : numFormal(count), blocks(count) {}

  /// A new unknown, which has another value each time that `block` is entered.
  StreamValue create(Block *block);

  /// The sum. Sums of the same two unknowns are the same unknown.
  StreamValue add(StreamValue a, StreamValue b, Block *block);

  /// Whether the value is a constant or given from outside of the function.
  bool isFormal(StreamValue value) const {
    return value.isConstant() ||
           (value.isKnown() && unsigned(value.base) < numFormal);
  }

  /// The basic blocks whose execution gives the base another value.
  ArrayRef<Block *> getBlocks(StreamValue value) const {
    if (value.base < 0)
      return {};
    return blocks[value.base];
  }

private:
  unsigned numFormal;
  std::vector<SmallVector<Block *, 1>> blocks;
  // For lookup only, never iterated.
  llvm::DenseMap<std::pair<int, int>, int> sums;
};

} // namespace mlir::rng::streams

#endif // RNGDIALECT_LIB_TRANSFORMS_CHECKSTREAMS_STREAMVALUES_H
