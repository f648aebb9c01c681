//===- PureCalls.cpp - Calls without side effects ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/GeneratorEffects/PureCalls.h"
#include "RngDialect/IR/RngOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::rng;

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

/// The functions with a body of which all ops pass `isOpFine`, or call such
/// functions.
static DenseMap<StringAttr, FunctionOpInterface>
findFunctions(Operation *symbolTable, bool (*isOpFine)(Operation *)) {
  struct Function {
    FunctionOpInterface op;
    std::vector<unsigned> callers;
    unsigned pendingCallees = 0;
    bool isRefused = false;
  };
  std::vector<Function> functions;
  DenseMap<StringAttr, unsigned> numbers;
  for (auto op : symbolTable->getRegion(0).getOps<FunctionOpInterface>()) {
    numbers[op.getNameAttr()] = functions.size();
    functions.emplace_back();
    functions.back().op = op;
  }
  for (unsigned i = 0, e = functions.size(); i != e; ++i) {
    Function &function = functions[i];
    if (function.op.isExternal()) {
      function.isRefused = true;
      continue;
    }
    function.op.getFunctionBody().walk([&](Operation *op) {
      // What is nested speaks for itself.
      if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isOpFine(op))
        return WalkResult::advance();
      // Where control goes is no effect, but a call may be a terminator too.
      if (op->hasTrait<OpTrait::IsTerminator>() && !isa<CallOpInterface>(op))
        return WalkResult::advance();
      auto callee = numbers.find(getCalleeName(op));
      if (callee == numbers.end()) {
        function.isRefused = true;
        return WalkResult::interrupt();
      }
      functions[callee->second].callers.push_back(i);
      ++function.pendingCallees;
      return WalkResult::advance();
    });
  }
  // Callees first; who waits for himself waits for ever.
  DenseMap<StringAttr, FunctionOpInterface> found;
  std::vector<unsigned> ready;
  for (unsigned i = 0, e = functions.size(); i != e; ++i)
    if (!functions[i].isRefused && functions[i].pendingCallees == 0)
      ready.push_back(i);
  while (!ready.empty()) {
    Function &function = functions[ready.back()];
    ready.pop_back();
    found[function.op.getNameAttr()] = function.op;
    for (unsigned caller : function.callers)
      if (--functions[caller].pendingCallees == 0 &&
          !functions[caller].isRefused)
        ready.push_back(caller);
  }
  return found;
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
    : state(state),
      pure(findFunctions(symbolTable, ignoresState() ? &hasAtMostStateEffects
                                                     : &isMemoryEffectFree)) {
  findGenerators(symbolTable);
}

bool PureCalls::Generators::merge(const Generators &other) {
  size_t size = known.size();
  bool wasAny = isAny;
  known.insert(other.known.begin(), other.known.end());
  isAny |= other.isAny;
  return known.size() != size || isAny != wasAny;
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

void PureCalls::findGenerators(Operation *symbolTable) {
  DenseMap<StringAttr, SmallVector<StringAttr>> callers;
  SmallVector<StringAttr> changed;
  for (auto function :
       symbolTable->getRegion(0).getOps<FunctionOpInterface>()) {
    StringAttr name = function.getNameAttr();
    Generators &own = generators[name];
    changed.push_back(name);
    if (auto draws = function->getAttrOfType<ArrayAttr>(RngDialect::kDraws))
      for (Attribute generator : draws)
        own.known.insert(dyn_cast<SymbolRefAttr>(generator));
    function.getFunctionBody().walk([&](Operation *op) {
      if (!isa<CallOpInterface>(op))
        own.addOwn(op);
      else if (StringAttr callee = getCalleeName(op))
        callers[callee].push_back(name);
      else
        own.isAny = true;
    });
  }
  // Callees that are not here may do anything.
  for (const auto &[callee, names] : callers)
    if (!generators.contains(callee))
      for (StringAttr caller : names)
        generators[caller].isAny = true;
  while (!changed.empty()) {
    StringAttr callee = changed.pop_back_val();
    for (StringAttr caller : callers.lookup(callee))
      if (generators[caller].merge(Generators(generators[callee])))
        changed.push_back(caller);
  }
}

std::optional<SmallVector<SymbolRefAttr>>
PureCalls::getGenerators(Operation *op) const {
  Generators found;
  op->walk([&](Operation *nested) {
    if (!isa<CallOpInterface>(nested)) {
      found.addOwn(nested);
      return;
    }
    auto callee = generators.find(getCalleeName(nested));
    if (callee == generators.end())
      found.isAny = true;
    else
      found.merge(callee->second);
  });
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
