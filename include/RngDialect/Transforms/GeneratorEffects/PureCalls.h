//===- PureCalls.h - Calls without side effects -----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_PURECALLS_H
#define RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_PURECALLS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::rng {

/// Which functions of a module are known to have no side effects: all their ops
/// have none, and the functions that they call neither. Functions that are not
/// defined here, or that can call themselves (and may not end), are not.
class PureCalls {
public:
  /// Whether reading and writing the state of generators is a side effect. It
  /// is none where the question is what a program does once its state is
  /// threaded.
  enum class StateEffectsAre { Effects, NoEffects };

  PureCalls() = default;
  explicit PureCalls(Operation *symbolTable,
                     StateEffectsAre state = StateEffectsAre::Effects);

  bool ignoresState() const { return state == StateEffectsAre::NoEffects; }

  /// The function that `op` calls, if `op` is a call of a pure one; else null.
  FunctionOpInterface getCallee(Operation *op) const;

  /// Whether `op` and all that is nested in it have no side effects, calls of
  /// pure functions being none.
  bool isEffectFree(Operation *op) const;

  /// The generators whose state `op`, all that is nested in it and what these
  /// call may read or write; null stands for the default one. Those of an
  /// external function are in its `rng.draws`. Nothing if they are not known,
  /// as of a state in memory.
  std::optional<SmallVector<SymbolRefAttr>> getGenerators(Operation *op) const;

private:
  StateEffectsAre state = StateEffectsAre::Effects;
  /// By name; for lookup only.
  DenseMap<StringAttr, FunctionOpInterface> pure;

  bool isPure(FunctionOpInterface function) const;

  /// Generators, or any.
  struct Generators {
    llvm::SmallSetVector<SymbolRefAttr, 2> known;
    bool isAny = false;

    /// Adds those of `other`.
    void merge(const Generators &other);
    /// Adds what `op` does by itself, calls apart.
    void addOwn(Operation *op);
  };
  Generators findGenerators(Operation *op) const;
  void addDeclared(FunctionOpInterface function);
  void addGenerators(ArrayRef<FunctionOpInterface> functions);
  /// Of the functions, by name; for lookup only.
  DenseMap<StringAttr, Generators> generators;
};

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_PURECALLS_H
