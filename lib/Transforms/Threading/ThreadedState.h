//===- ThreadedState.h - A generator's state as values ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of a generator at a point of a program that is being threaded, in
// one of two forms: seed and offset as i64, or a snapshot (tensor<2xi64>) and
// the stream blocks after it as i64.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_THREADING_THREADEDSTATE_H
#define RNGDIALECT_LIB_TRANSFORMS_THREADING_THREADEDSTATE_H

#include "RngDialect/Transforms/GeneratorEffects/StateEffects.h"

namespace mlir::rng::threading {

using effects::BlockCount;
using effects::GeneratorNumber;
using effects::StateEffect;
using effects::StateEffects;
using effects::StateEffectsAnalysis;

/// (seed, base + delta). Steps that are constant are added up, so that draws
/// sit at constant distances from one base.
class ThreadedState {
public:
  ThreadedState() = default;
  /// `seed`: an i64, or a snapshot. `base`: an i64; null is 0. `origin` says
  /// where the base is from, for the reader of the draw table.
  ThreadedState(Value seed, Value base, std::string origin)
      : seed(seed), base(base), origin(std::move(origin)) {}

  bool isSnapshot() const { return isSnapshotType(seed.getType()); }

  /// The seed, or the snapshot.
  Value getSeed() const { return seed; }
  /// The offset, or the stream blocks after the snapshot.
  Value getOffset(OpBuilder &b, Location loc);
  /// Seed and offset as i64, whatever the form.
  std::pair<Value, Value> getPair(OpBuilder &b, Location loc);
  /// Another state in the form of this one.
  ThreadedState getAt(OpBuilder &b, Location loc, Value newSeed,
                      Value newOffset, std::string newOrigin) const;

  void advance(uint64_t blocks);
  void advance(OpBuilder &b, Location loc, Value blocks, std::string newOrigin);
  /// The same state with another seed (or snapshot) value.
  void setSeed(Value value) { seed = value; }
  /// Forgets values that are only valid where they were made.
  void leaveBlock() { offset = {}; }

  StringRef getOrigin() const { return origin; }
  uint64_t getDelta() const { return delta; }

private:
  Value seed, base, offset;
  uint64_t delta = 0;
  std::string origin;
};

using ThreadedStates = std::map<GeneratorNumber, ThreadedState>;

} // namespace mlir::rng::threading

#endif // RNGDIALECT_LIB_TRANSFORMS_THREADING_THREADEDSTATE_H
