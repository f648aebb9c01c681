//===- BackwardState.cpp - Where the backward takes over a state *- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardState.h"
#include "RngDialect/Transforms/JointFunctions/JointGraph.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::effects;
using namespace mlir::rng::threading;

namespace {
/// Works on one joint function.
class HandOverFinder {
public:
  HandOverFinder(DrawingFunctions &functions, DrawingFunction &function,
                 const JointGraph &graph)
      : functions(functions), function(function), graph(graph),
        analysis(functions) {
    for (unsigned value = 0, e = graph.getNumArguments(); value != e; ++value)
      if (graph.isCotangent(value))
        ofBackward.insert(graph.getValue(value));
  }

  LogicalResult find();

private:
  bool isKnownInForward(unsigned number, const StateEffect &effect) const;
  LogicalResult reportForwardUse(Operation *op, GeneratorNumber generator,
                                 Operation *start);
  Operation *findInnermost(Operation *op, GeneratorNumber generator);

  DrawingFunctions &functions;
  DrawingFunction &function;
  const JointGraph &graph;
  StateEffectsAnalysis analysis;
  /// The values that only the backward has. For lookup only.
  DenseSet<Value> ofBackward;
  /// What the ops seen so far do to the generators that are the forward's.
  StateEffects before;
};
} // namespace

/// Whether the forward can tell where the generator is after op `number`, which
/// is in the backward.
bool HandOverFinder::isKnownInForward(unsigned number,
                                      const StateEffect &effect) const {
  if (effect.reseeds)
    return false;
  Operation *op = graph.getOp(number);
  return effect.blocks.isBuildable([&](Value value) {
    return isDefinedOutside(op, value) && !ofBackward.contains(value);
  });
}

LogicalResult HandOverFinder::find() {
  for (unsigned number = 0, e = graph.getNumOps(); number != e; ++number) {
    Operation *op = graph.getOp(number);
    StateEffects effects = analysis.getEffects(op);
    // What is drawn behind a hand-over is a value of the backward as well.
    bool inBackward =
        graph.getClass(number) == OpClass::Backward ||
        llvm::any_of(graph.getOperands(number),
                     [&](unsigned operand) {
                       return ofBackward.contains(graph.getValue(operand));
                     }) ||
        llvm::any_of(effects, [&](const auto &use) {
          return function.handOvers.count(use.first);
        });
    if (inBackward)
      ofBackward.insert_range(op->getResults());
    for (const auto &[generator, effect] : effects) {
      auto it = function.handOvers.find(generator);
      if (it != function.handOvers.end()) {
        if (graph.getClass(number) == OpClass::Forward)
          return reportForwardUse(op, generator, it->second.start);
        it->second.after.add(effect);
        continue;
      }
      bool isKnown =
          !inBackward || !effect.advances || isKnownInForward(number, effect);
      if (!isKnown) {
        function.handOvers[generator] = {op, before[generator], effect};
        continue;
      }
      before[generator].add(effect);
      if (inBackward && effect.advances && !effect.blocks.getConstant())
        function.backwardLoops.insert(op);
    }
  }
  return success();
}

/// The innermost op, the first in program order, that uses `generator`: it
/// tells most.
Operation *HandOverFinder::findInnermost(Operation *op,
                                         GeneratorNumber generator) {
  Operation *found = op;
  op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    if (nested == op)
      return WalkResult::advance();
    if (!analysis.getEffects(nested).count(generator))
      return WalkResult::skip();
    found = nested;
    return nested->getNumRegions() == 0 ? WalkResult::interrupt()
                                        : WalkResult::advance();
  });
  return found;
}

LogicalResult HandOverFinder::reportForwardUse(Operation *op,
                                               GeneratorNumber generator,
                                               Operation *start) {
  Operation *step = findInnermost(op, generator);
  InFlightDiagnostic diag =
      step->emitOpError("uses ")
      << describeGenerator(functions.getSymbol(generator))
      << " in the forward of '@" << function.op.getName() << "' behind '"
      << start->getName()
      << "', which uses a cotangent and moves the generator in a way that only "
         "the backward knows, so no forward can compute it: move this op "
         "before that one, or let that one use a generator of its own "
         "('rng.generator')";
  diag.attachNote(start->getLoc()) << "'" << start->getName() << "' is here";
  return diag;
}

LogicalResult
mlir::rng::threading::findBackwardState(DrawingFunctions &functions,
                                        ModuleOp module) {
  auto isJoint = [](DrawingFunction &function) {
    return function.threaded && isJointFunction(function.op);
  };
  if (llvm::none_of(functions.getFunctions(), isJoint))
    return success();
  PureCalls calls(module, PureCalls::StateEffectsAre::NoEffects);
  LogicalResult result = success();
  for (DrawingFunction &function : functions.getFunctions()) {
    if (!isJoint(function))
      continue;
    std::optional<JointGraph> graph =
        JointGraph::buildUnthreaded(function.op, calls);
    // A result that no forward can compute: rng-partition says why, in ops of
    // the program if the backward takes over nothing.
    if (!graph || llvm::any_of(graph->getPrimals(), [&](unsigned primal) {
          return graph->dependsOnCotangent(primal);
        }))
      continue;
    if (failed(HandOverFinder(functions, function, *graph).find()))
      result = failure();
  }
  return result;
}
