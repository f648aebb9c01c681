//===- StateEffects.h - What code does to generators ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ops, regions and functions do to the state of generators, and where in a
// region of several basic blocks the state has to become their arguments.
// Changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_STATEEFFECTS_H
#define RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_STATEEFFECTS_H

#include "RngDialect/Transforms/GeneratorEffects/BlockCount.h"
#include <map>

namespace mlir::rng::effects {

class DrawingFunctions;

/// Number of a generator: 0 is the default one, then the declared ones in the
/// order of their declarations. The order of everything that comes in one piece
/// a generator (arguments, results, state operations).
using GeneratorNumber = unsigned;

/// What code that uses a generator does to its state.
struct StateEffect {
  /// Whether the offset may be changed.
  bool advances = false;
  /// Whether the seed may be changed; the offset may be, too.
  bool reseeds = false;
  /// Stream blocks that one run adds to the offset; not known if the state is
  /// set.
  BlockCount blocks;

  static StateEffect get(BlockCount blocks) { return {true, false, blocks}; }
  static StateEffect getSet() { return {true, true, BlockCount::getUnknown()}; }
  /// What `op` does to its generator, which is of `algorithm`.
  static StateEffect get(StateOpInterface op,
                         RngAlgorithmAttrInterface algorithm);
  /// Takes over what `other` may do, but not how much.
  void mergeFlags(const StateEffect &other) {
    advances |= other.advances;
    reseeds |= other.reseeds;
  }
  /// What this does and `other` after it.
  void add(const StateEffect &other) {
    mergeFlags(other);
    blocks += other.blocks;
  }
};

/// By generator: what code does to those that it uses.
using StateEffects = std::map<GeneratorNumber, StateEffect>;

/// Where the state of one generator in one basic block comes from: numbers
/// stand for values. 0 is the state at the start of the region.
struct FlowState {
  unsigned seed = 0;
  unsigned base = 0;
  /// Stream blocks after the base.
  BlockCount delta;

  bool operator==(const FlowState &other) const {
    return seed == other.seed && base == other.base && delta == other.delta;
  }
};

/// Where one generator is before and behind a basic block of a region. Where
/// the ways to it bring different seeds or offsets, it gets an argument.
struct BlockFlow {
  FlowState in, out;
  bool isSeedArgument = false;
  bool isOffsetArgument = false;
};
/// One entry for each basic block of the order that the flow was made with.
using RegionFlow = std::vector<BlockFlow>;

/// The basic blocks of `region` that are reachable, from its entry on, each
/// after those before it but for the edges of loops.
SmallVector<Block *> getBlockOrder(Region &region);

/// Answers what ops and regions do. Answers are kept by address: to be asked
/// only of ops that were there when the first op was changed.
class StateEffectsAnalysis {
public:
  explicit StateEffectsAnalysis(DrawingFunctions &functions)
      : functions(functions) {}

  /// Computes the numbers of stream blocks of all functions from their bodies,
  /// callees first. Those on a cycle of calls are not known.
  void computeFunctions();

  /// What running `op` does; empty if it does not use state.
  StateEffects getEffects(Operation *op);
  /// What running `region` once does, from its start to any of its ends.
  StateEffects getEffects(Region &region);

  /// The flow of `generator` through the basic blocks `order` of a region.
  /// Counts that are not constant are new states, as in the rewritten program.
  RegionFlow getFlow(ArrayRef<Block *> order, GeneratorNumber generator) {
    return solveFlow(order, generator, /*onlyConstant=*/true);
  }

private:
  StateEffects computeRegionOp(Operation *op);
  RegionFlow solveFlow(ArrayRef<Block *> order, GeneratorNumber generator,
                       bool onlyConstant);

  DrawingFunctions &functions;
  /// For lookup only.
  DenseMap<Operation *, StateEffects> regionOps;
};

} // namespace mlir::rng::effects

#endif // RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_STATEEFFECTS_H
