//===- IterationJoint.h - One iteration as a joint function -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a pair of loops does for one iteration, as a joint function: the body
/// of the forward loop, then that of the backward loop, which has the values of
/// the forward's body in the place of what it reads of tapes. Once that is
/// split in two, the halves are the bodies of the new loops.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_ITERATIONJOINT_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_ITERATIONJOINT_H

#include "JointBuilder.h"
#include "LoopTapes.h"
#include "Partitioner.h"

namespace mlir::rng::cut {

/// Where a value that the forward loop carries is free to save, because the
/// tape of the other place holds it too: what an iteration yields, the next one
/// begins with.
enum class FreePlace : uint8_t { None, Begin, End };

class IterationJoint {
public:
  /// Builds the function. `dependsOnCotangent` is asked about values around the
  /// two loops.
  IterationJoint(LoopPair pair, function_ref<bool(Value)> dependsOnCotangent,
                 const PureCalls &calls);

  /// The values that the forward loop carries and that are no tapes or
  /// counters.
  unsigned getNumCarried() const { return carried.size(); }

  /// A copy of the function for a decision. Its arguments are the number of the
  /// iteration and what the loops use of what is around them, which are free to
  /// save (`rng.persistent`), and what the forward loop carries, of which each
  /// iteration has another; what only the backward loop has counts as
  /// cotangents. The function returns what the loops yield, tapes left out but
  /// for the values of those that are used elsewhere, which are free to save as
  /// well. `freePlaces` has an entry for each value that is carried.
  OwningOpRef<Operation *> copyFunction(ArrayRef<FreePlace> freePlaces) const;
  /// Whether `decision`, about such a copy, saves what an iteration begins or
  /// ends with, of the value `entry` of those that are carried.
  bool isCarriedSaved(const PartitionDecision &decision, unsigned entry) const;
  /// What saving those of the free values costs whose other place `decision`,
  /// about such a copy, does not save.
  uint64_t getFreePrice(const PartitionDecision &decision,
                        ArrayRef<FreePlace> freePlaces,
                        const CostModel &model) const;

  /// Bytes that an iteration puts on the tapes that only the pair reads.
  BytesAndMasks countTapeBytes(const CostModel &model) const;
  /// Bytes that an iteration puts on new tapes by `decision`, about a copy of
  /// the function; nothing if one of the values cannot be put on a tape.
  std::optional<uint64_t> countNewBytes(const PartitionDecision &decision,
                                        const CostModel &model) const;

  /// Replaces the two loops by those of `decision`, whose values can be put on
  /// tapes, and returns them, the forward one first.
  std::pair<scf::ForOp, scf::ForOp> replaceLoops(PartitionDecision &decision);

private:
  /// What an argument of the function stands for.
  enum class Source : uint8_t {
    /// The number of the iteration of the forward.
    Iteration,
    /// A value around the loops.
    Around,
    /// What the forward loop or the backward loop carries.
    ForwardCarried,
    BackwardCarried,
    /// The induction variable of the backward loop.
    BackwardInduction
  };
  struct Argument {
    Source source;
    /// Of what is around.
    Value value;
    /// Of what is carried: the number of the loop's argument.
    unsigned number = 0;
  };
  /// A scalar that the forward loop carries and to which each iteration adds
  /// `step`, a number that is known without the loop.
  struct Counter {
    unsigned number;
    Value step;
  };

  /// What an iteration of the forward puts on a new tape.
  struct NewTape {
    Type type;
    /// An entry of `carried`, which the iteration begins with, ends with or
    /// both (the tape then has one slice more), or else a result of the forward
    /// function.
    std::optional<unsigned> carried;
    bool hasBegin = false, hasEnd = false;
    unsigned result = 0;

    bool hasBoth() const { return hasBegin && hasEnd; }
  };
  /// Where an iteration of the backward finds a saved value.
  struct SavedPlace {
    enum Kind : uint8_t { Around, Iteration, KeptTape, Tape } kind;
    /// Of what is around.
    Value value;
    /// The tape, and whether the value is what an iteration ends with.
    unsigned number = 0;
    bool isEnd = false;
  };
  struct TapePlan {
    SmallVector<NewTape> tapes;
    /// One for each of `PartitionPlan::saved`.
    SmallVector<SavedPlace> saved;
  };
  TapePlan planTapes(const PartitionDecision &decision) const;

  Value getIteration() { return joint.getFunction().getArgument(0); }
  Value addArgument(const Argument &argument, Type type, StringRef mark);
  void mapAround(Value value, StringRef mark);
  void mapAround(scf::ForOp loop, function_ref<StringRef(Value)> getMark);
  Value buildCounter(const Counter &counter);
  void addForward();
  void addBackward(function_ref<bool(Value)> dependsOnCotangent);
  void addReturn();

  SmallVector<Value> buildInits(OpBuilder &b, const TapePlan &tapes) const;
  scf::ForOp buildForward(PartitionDecision &decision, const TapePlan &tapes);
  void yieldForward(OpBuilder &b, Location loc, const TapePlan &tapes,
                    Value induction, ValueRange before,
                    ValueRange outputs) const;
  scf::ForOp buildBackward(PartitionDecision &decision, const TapePlan &tapes,
                           scf::ForOp newForward);

  LoopPair pair;
  /// By the numbers of the forward loop's arguments, what it carries; the new
  /// loop has these in front, in this order, then the new tapes.
  SmallVector<unsigned> carried;
  SmallVector<Counter> counters;
  SmallVector<Tape> keptTapes;

  JointBuilder joint;
  SmallVector<Argument> arguments;
};

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_ITERATIONJOINT_H
