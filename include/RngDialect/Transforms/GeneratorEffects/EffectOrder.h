//===- EffectOrder.h - Side effects and what they wait for ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an op does to the world, and the order that keeps. The world has parts
/// that need no order between them: the state of each generator, each memory
/// that holds a state, and all the rest. So a print of a gradient does not draw
/// the write of a state behind it, into the backward, nor does the state of one
/// generator that of another.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_EFFECTORDER_H
#define RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_EFFECTORDER_H

#include "RngDialect/Transforms/GeneratorEffects/PureCalls.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::rng {

/// A generator (the symbol's attribute, null for the default one) or a memory
/// that holds a state (the value). Compared, never ordered by.
using StatePart = const void *;

/// What an op does to which parts of the world.
struct OpEffects {
  enum Kind : uint8_t { None, Read, Write } kind = None;
  /// Touches what is no state of a generator.
  bool onRest = false;
  /// Touches states that are not known.
  bool onAnyState = false;
  SmallVector<StatePart, 1> states;
};

/// The memory that is there for the state of a generator: arguments of `block`
/// with which nothing is done but to reserve stream blocks and write the state.
llvm::DenseSet<Value> findStateMemory(Block &block);

/// Allocating and unknown effects count as writing. None on states if `calls`
/// ignores them.
OpEffects getOpEffects(Operation *op, const PureCalls &calls,
                       const llvm::DenseSet<Value> &stateMemory);

/// The last ops, by number, that touched each part.
class EffectOrder {
public:
  static constexpr unsigned kNone = ~0u;

  /// The last op added that has to come before an op with `effects`: a write of
  /// a part that it touches, or a read of one that it writes. `kNone` if there
  /// is none.
  unsigned findLast(const OpEffects &effects) const;
  /// Adds the op numbered `op`, which is above all numbers added before.
  void add(unsigned op, const OpEffects &effects);

private:
  /// Numbers of ops plus one; 0 is none.
  struct Last {
    unsigned read = 0, write = 0;
    void merge(const Last &other);
  };

  Last rest;
  /// Of ops that touch states that are not known, and of all that touch any.
  Last unknownState, anyState;
  llvm::DenseMap<StatePart, Last> states;
};

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_EFFECTORDER_H
