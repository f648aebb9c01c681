//===- DrawingFunctions.h - Which functions draw ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which functions of a module use which generators, directly or through the
// functions that they call. In: a module. Out: for each function its steps (the
// operations that use state, in program order) and a summary for each
// generator. Changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_DRAWINGFUNCTIONS_H
#define RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_DRAWINGFUNCTIONS_H

#include "RngDialect/Transforms/GeneratorEffects/StateEffects.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::rng::effects {

/// The name of `generator`: "@g", or "default" for the default generator.
std::string getGeneratorName(FlatSymbolRefAttr generator);
/// The same in a sentence: "generator '@g'", or "the default generator".
std::string describeGenerator(FlatSymbolRefAttr generator);

/// Where the backward part of a joint function takes over a generator.
struct HandOver {
  /// The op of the function's body from which on the generator is the
  /// backward's.
  Operation *start = nullptr;
  /// What the function does to the generator before it, and from it on.
  StateEffect before, after;
};

/// A function of the module that uses state.
struct DrawingFunction {
  FunctionOpInterface op;
  /// What it does to the generators that it uses, callees included; of a
  /// declaration to those that `rng.draws` lists. Numbers of stream blocks are
  /// those that `StateEffectsAnalysis::computeFunctions` found.
  StateEffects effects;
  /// Ops on the state of generators (draws are some) and calls of functions
  /// that use state, in program order, in any region.
  SmallVector<Operation *> steps;
  /// Operations that refer to it other than by a direct call, or a
  /// `func.constant`, in a function.
  SmallVector<Operation *> references;
  /// Of a joint function that can be split (`findBackwardState`): where the
  /// backward takes generators over.
  std::map<GeneratorNumber, HandOver> handOvers;
  /// And the ops of its body that are in the backward and move a generator of
  /// the forward by a number of stream blocks that is not constant: the state
  /// after them has to be computed without them. For lookup only.
  DenseSet<Operation *> backwardLoops;
  /// Whether it has stateful draws, or other ops that use the stream blocks
  /// that they take, those of callees in this module included.
  bool draws = false;
  /// Whether its state has to be threaded: it draws, or uses state in calls
  /// from or to functions that do.
  bool threaded = false;
  /// Whether a function of this module calls it directly.
  bool called = false;
  /// Whether a `func.constant` takes its address: who calls it does not know
  /// it, so it keeps its signature and uses the state of the process.
  bool addressTaken = false;

  /// A declaration: what it does to the state is seen only by reading the state
  /// again.
  bool isOpaque() { return op.isExternal(); }
};

/// The call graph of the functions of one module (not of modules nested in it)
/// with respect to the state of generators.
class DrawingFunctions {
public:
  /// Analyses `module`. `explicitState`: functions that have explicit state
  /// operations but never draw count as threaded, too. Reports draws outside
  /// any function of the module, and unknown generators of declarations.
  static FailureOr<DrawingFunctions> analyze(ModuleOp module,
                                             bool explicitState);

  /// Whether anything is threaded.
  bool isAnyThreaded() const {
    return llvm::any_of(functions, [](const DrawingFunction &function) {
      return function.threaded;
    });
  }

  /// All functions, in the order of the module; those that do not use state
  /// have no effects.
  MutableArrayRef<DrawingFunction> getFunctions() { return functions; }

  /// The function named `name`, null if there is none.
  DrawingFunction *lookup(StringAttr name);

  /// The function that `op` calls directly; null if it is no call of one.
  DrawingFunction *getCallee(Operation *op);

  /// What the call `op` does: nothing if it is no call of a function that uses
  /// state.
  StateEffects getCallEffects(Operation *op);

  /// The functions with bodies, by number, callees before their callers but for
  /// recursion.
  ArrayRef<unsigned> getCallOrder() const { return callOrder; }
  /// Whether a run of the function can call the function itself.
  bool isOnCycle(unsigned function) const { return onCycle[function]; }

  /// Between numbers and symbols (null: the default generator).
  GeneratorNumber getNumber(FlatSymbolRefAttr generator) const;
  FlatSymbolRefAttr getSymbol(GeneratorNumber number) const {
    assert(number < symbols.size() && "a generator of another module");
    return symbols[number];
  }

  /// The algorithm of the generator of `op`, known without a search.
  RngAlgorithmAttrInterface getAlgorithm(StateOpInterface op) const {
    return algorithms[getNumber(op.getStateGenerator())];
  }

private:
  void collectGenerators(ModuleOp module);
  LogicalResult collectSteps(ModuleOp module);
  bool collectStep(Operation *op, unsigned current);
  void collectReferences(Operation *op);
  void collectIndirectCallees();
  void collectDeclaration(DrawingFunction &function);
  void propagateEffects();
  void propagateThreaded(bool explicitState);
  void orderCalls(ModuleOp module);

  SmallVector<DrawingFunction, 0> functions;
  /// Direct calls, and (only for effects) what indirect calls may reach.
  SmallVector<SmallVector<unsigned>> callees, callers, indirectCallers;
  SmallVector<unsigned> callOrder;
  std::vector<bool> onCycle;
  /// Indirect calls by function, and by type of the callee the functions that
  /// may be meant.
  SmallVector<std::pair<unsigned, func::CallIndirectOp>> indirectCalls;
  DenseMap<Type, SmallVector<unsigned>> indirectCallees;
  // For lookup only, never iterated.
  DenseMap<StringAttr, unsigned> functionNumbers;
  DenseMap<StringAttr, GeneratorNumber> generatorNumbers;
  SmallVector<FlatSymbolRefAttr> symbols;
  SmallVector<RngAlgorithmAttrInterface> algorithms;
};

} // namespace mlir::rng::effects

#endif // RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_DRAWINGFUNCTIONS_H
