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

#ifndef RNGDIALECT_LIB_TRANSFORMS_DRAWINGFUNCTIONS_H
#define RNGDIALECT_LIB_TRANSFORMS_DRAWINGFUNCTIONS_H

#include "RngDialect/IR/RngOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <map>
#include <optional>

namespace mlir::rng {

/// Number of a generator: 0 is the default one, then the declared ones in the
/// order of their declarations. The order of everything that comes in one piece
/// a generator (arguments, results, state operations).
using GeneratorNumber = unsigned;

/// How a function uses one generator, its callees included.
struct GeneratorUse {
  /// Whether the offset may be changed.
  bool advances = false;
  /// Whether the seed may be changed.
  bool reseeds = false;
  /// Blocks that one run adds to the offset (mod 2^64) if that is known and the
  /// state is never set; nothing otherwise.
  std::optional<uint64_t> total;
};

/// A function of the module that uses state.
struct DrawingFunction {
  FunctionOpInterface op;
  /// The generators that it uses, callees included; of a declaration those
  /// that `rng.draws` lists.
  std::map<GeneratorNumber, GeneratorUse> uses;
  /// Stateful draws, state operations and calls of functions that use state, in
  /// program order.
  SmallVector<Operation *> steps;
  /// Operations that refer to it other than by a direct call in a function.
  SmallVector<Operation *> references;
  /// Whether it has stateful draws, those of callees in this module included.
  bool draws = false;
  /// Whether its state has to be threaded: it draws, or uses state in calls
  /// from or to functions that do.
  bool threaded = false;
  /// Whether a function of this module calls it.
  bool called = false;

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
  /// have no uses.
  MutableArrayRef<DrawingFunction> getFunctions() { return functions; }

  /// The function named `name`, null if there is none.
  DrawingFunction *lookup(StringAttr name);

  /// The function that `op`, one of the steps, calls; null if it is no call.
  DrawingFunction *getCallee(Operation *op);

  /// Between numbers and symbols (null: the default generator).
  GeneratorNumber getNumber(FlatSymbolRefAttr generator) const;
  FlatSymbolRefAttr getSymbol(GeneratorNumber number) const {
    return symbols[number];
  }

private:
  LogicalResult collectGenerators(ModuleOp module);
  LogicalResult collectSteps(ModuleOp module);
  void collectReferences(Operation *op);
  LogicalResult collectDeclaration(DrawingFunction &function);
  void propagateUses();
  void propagateThreaded(bool explicitState);
  void computeTotals();

  SmallVector<DrawingFunction> functions;
  SmallVector<SmallVector<unsigned>> callees, callers;
  // For lookup only, never iterated.
  DenseMap<StringAttr, unsigned> functionNumbers;
  DenseMap<StringAttr, GeneratorNumber> generatorNumbers;
  SmallVector<FlatSymbolRefAttr> symbols;
};

/// The blocks that `draw` reserves if its algorithm knows them without running
/// the program. Leaves the IR as it is.
std::optional<uint64_t> getStaticAdvance(StatefulDrawOpInterface draw);

/// The blocks that `reserve` reserves, if constant.
std::optional<uint64_t> getStaticBlocks(ReserveOp reserve);

} // namespace mlir::rng

#endif // RNGDIALECT_LIB_TRANSFORMS_DRAWINGFUNCTIONS_H
