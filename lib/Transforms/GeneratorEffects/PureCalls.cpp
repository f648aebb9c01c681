//===- PureCalls.cpp - Calls without side effects ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/GeneratorEffects/PureCalls.h"
#include "RngDialect/IR/RngOps.h"
#include "RngDialect/Transforms/GeneratorEffects/CallGroups.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "rng-generator-effects"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::effects;

/// The name of the function that `op` calls directly, null if it is no call.
static StringAttr getCalleeName(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return {};
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  return symbol && symbol.getNestedReferences().empty()
             ? symbol.getRootReference()
             : StringAttr();
}

/// Whether `op` has no side effects, or only on the state of generators.
static bool hasAtMostStateEffects(Operation *op) {
  if (isMemoryEffectFree(op))
    return true;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || op->getNumRegions() != 0)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::all_of(effects, [](const MemoryEffects::EffectInstance &e) {
    return e.getResource() == RngStateResource::get();
  });
}

PureCalls::PureCalls(Operation *symbolTable, StateEffectsAre state)
    : state(state) {
  for (auto function : symbolTable->getRegion(0).getOps<FunctionOpInterface>())
    addDeclared(function);
  for (const effects::CallGroup &group : effects::getCallGroups(symbolTable)) {
    SmallVector<FunctionOpInterface, 1> functions(
        llvm::make_filter_range(group.functions, [&](FunctionOpInterface f) {
          return f->getParentOp() == symbolTable;
        }));
    // What can call itself may not end.
    if (!group.isRecursive && !functions.empty() && isPure(functions.front()))
      pure[functions.front().getNameAttr()] = functions.front();
    addGenerators(functions);
  }
}

/// Whether all ops of `function` are free of side effects, or calls of
/// functions that are known to be pure.
bool PureCalls::isPure(FunctionOpInterface function) const {
  WalkResult result = function.getFunctionBody().walk([&](Operation *op) {
    // What is nested speaks for itself.
    bool isFine = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                  isMemoryEffectFree(op) ||
                  (ignoresState() && hasAtMostStateEffects(op));
    // Where control goes is no effect, but a call may be a terminator too.
    bool isPlainTerminator =
        op->hasTrait<OpTrait::IsTerminator>() && !isa<CallOpInterface>(op);
    if (isFine || isPlainTerminator || getCallee(op))
      return WalkResult::advance();
    LDBG() << "'@" << function.getName() << "' is not pure: it has '"
           << op->getName() << "'";
    return WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

void PureCalls::Generators::merge(const Generators &other) {
  known.insert(other.known.begin(), other.known.end());
  isAny |= other.isAny;
}

void PureCalls::Generators::addOwn(Operation *op) {
  // What is nested speaks for itself, and where control goes is no effect.
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op))
    return;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  auto state = dyn_cast<StateOpInterface>(op);
  if (!interface || (state && !state.isOnGenerator())) {
    isAny = true;
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (effect.getResource() == RngStateResource::get())
      known.insert(effect.getSymbolRef());
}

/// Of `op` and all that is nested in it, calls included.
PureCalls::Generators PureCalls::findGenerators(Operation *op) const {
  Generators found;
  op->walk([&](Operation *nested) {
    if (!isa<CallOpInterface>(nested)) {
      found.addOwn(nested);
      return;
    }
    // Callees that are not here may do anything.
    auto callee = generators.find(getCalleeName(nested));
    if (callee == generators.end())
      found.isAny = true;
    else
      found.merge(callee->second);
  });
  return found;
}

/// Adds what `function` says of itself.
void PureCalls::addDeclared(FunctionOpInterface function) {
  Generators &own = generators[function.getNameAttr()];
  if (auto draws = function->getAttrOfType<ArrayAttr>(RngDialect::kDraws))
    for (Attribute generator : draws)
      own.known.insert(dyn_cast<SymbolRefAttr>(generator));
}

/// Adds what the bodies of `functions`, which can call each other, do: each
/// what any of them does.
void PureCalls::addGenerators(ArrayRef<FunctionOpInterface> functions) {
  Generators all;
  for (FunctionOpInterface function : functions) {
    all.merge(generators[function.getNameAttr()]);
    for (Operation &op : function.getFunctionBody().getOps())
      all.merge(findGenerators(&op));
  }
  for (FunctionOpInterface function : functions)
    generators[function.getNameAttr()] = all;
}

std::optional<SmallVector<SymbolRefAttr>>
PureCalls::getGenerators(Operation *op) const {
  Generators found = findGenerators(op);
  if (found.isAny)
    return std::nullopt;
  return SmallVector<SymbolRefAttr>(found.known.begin(), found.known.end());
}

FunctionOpInterface PureCalls::getCallee(Operation *op) const {
  StringAttr name = getCalleeName(op);
  return name ? pure.lookup(name) : FunctionOpInterface();
}

bool PureCalls::isEffectFree(Operation *op) const {
  if (isMemoryEffectFree(op) || getCallee(op))
    return true;
  if (ignoresState() && hasAtMostStateEffects(op))
    return true;
  if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return false;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      if (!isEffectFree(&nested))
        return false;
  return true;
}
