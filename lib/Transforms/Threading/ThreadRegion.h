//===- ThreadRegion.h - Draws of a region become stateless ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a region and the states at its start. Out: the region with all that uses
// state replaced by what uses these values, and the states at its ends. Cannot
// fail: what cannot be threaded has been refused before.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_THREADING_THREADREGION_H
#define RNGDIALECT_LIB_TRANSFORMS_THREADING_THREADREGION_H

#include "DrawTable.h"
#include "RngDialect/Transforms/GeneratorEffects/DrawingFunctions.h"
#include "ThreadedState.h"

#include <functional>

namespace mlir::rng::threading {

using effects::DrawingFunction;
using effects::DrawingFunctions;

/// Types of the results that carry the state out of a function: for each
/// generator the seed if it can change, then the offset if it can change.
/// `seedType`: i64, or the snapshot type.
SmallVector<Type> getStateResultTypes(const StateEffects &effects,
                                      Type seedType);

/// The values of those results.
void appendStateResults(OpBuilder &b, Location loc, const StateEffects &effects,
                        ThreadedStates &states, SmallVectorImpl<Value> &values);

class RegionThreader {
public:
  /// Told the states at an end of a region, at its terminator.
  using ExitFn = function_ref<void(Operation *terminator, ThreadedStates &)>;

  /// `seedType` is the form of the states: i64, or the snapshot type.
  RegionThreader(DrawingFunctions &functions, Type seedType)
      : functions(functions), analysis(functions), seedType(seedType) {}

  /// Threads `region`, of its first basic block what starts with `first` (null:
  /// all; what is before it made `start`).
  void threadRegion(Region &region, const ThreadedStates &start, ExitFn atExit,
                    Operation *first = nullptr);

  /// Called before each op of `handOverOps` is threaded, to replace states from
  /// there on.
  std::function<void(Operation *, ThreadedStates &)> handOver;
  DenseSet<Operation *> handOverOps;
  /// Ops with regions behind which the state is to be computed from values
  /// before them, not taken from their results, where they advance it by a
  /// number of stream blocks that is not constant.
  DenseSet<Operation *> computedLoops;

  /// The functions to call, with state, instead of those of the program.
  DenseMap<Operation *, func::FuncOp> targets;
  /// The draws threaded, in program order, if asked for.
  bool hasTable = false;
  std::vector<DrawTableRow> table;
  /// The name of the function that is being threaded.
  StringRef functionName;

  StateEffectsAnalysis &getAnalysis() { return analysis; }

private:
  void threadBlock(Block &block, ThreadedStates &states,
                   Operation *first = nullptr);
  void threadBlocks(Region &region, const ThreadedStates &start, ExitFn atExit,
                    Operation *first);
  void threadOp(Operation *op, ThreadedStates &states);
  void threadStateOp(StateOpInterface op, ThreadedStates &states);
  void advance(StateOpInterface op, const BlockCount &blocks, Value taken,
               ThreadedState &state);
  void threadCall(func::CallOp call, DrawingFunction &callee,
                  ThreadedStates &states);
  void threadOpaqueCall(Operation *call, const StateEffects &effects,
                        ThreadedStates &states);
  void threadRegionOp(Operation *op, const StateEffects &effects,
                      ThreadedStates &states);
  /// The states after `op`, one of `computedLoops`, computed before it.
  ThreadedStates computeAfter(Operation *op, const StateEffects &effects,
                              const ThreadedStates &states);
  void threadParallelOp(Operation *op, const StateEffects &effects,
                        ThreadedStates &states);
  void addRow(StateOpInterface draw, const ThreadedState &state);
  std::string describe(StringRef kind, Operation *op) const;

  DrawingFunctions &functions;
  StateEffectsAnalysis analysis;
  Type seedType;
};

} // namespace mlir::rng::threading

#endif // RNGDIALECT_LIB_TRANSFORMS_THREADING_THREADREGION_H
