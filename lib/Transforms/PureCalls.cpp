//===- PureCalls.cpp - Calls without side effects ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/PureCalls.h"
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

/// The functions of which all ops pass `isOpFine`, or call such functions;
/// those without a body if they pass `isExternalFine`.
static DenseMap<StringAttr, FunctionOpInterface>
findFunctions(Operation *symbolTable, bool (*isOpFine)(Operation *),
              bool (*isExternalFine)(FunctionOpInterface)) {
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
      function.isRefused = !isExternalFine(function.op);
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

/// Whether it is known that `op` neither reads nor writes the state of a
/// generator, calls apart.
static bool hasNoStateEffect(Operation *op) {
  if (isMemoryEffectFree(op))
    return true;
  // Its memory is a state, too.
  if (isa<ReserveMemoryOp>(op))
    return false;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::none_of(effects, [](const MemoryEffects::EffectInstance &e) {
    return e.getResource() == RngStateResource::get();
  });
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
      pure(findFunctions(symbolTable,
                         ignoresState() ? &hasAtMostStateEffects
                                        : &isMemoryEffectFree,
                         [](FunctionOpInterface) { return false; })),
      stateFree(findFunctions(symbolTable, hasNoStateEffect,
                              [](FunctionOpInterface function) {
                                return !function->hasAttr(RngDialect::kDraws);
                              })) {}

bool PureCalls::isStateFree(Operation *op) const {
  StringAttr name = getCalleeName(op);
  if (hasNoStateEffect(op) || (name && stateFree.contains(name)))
    return true;
  if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return false;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      if (!isStateFree(&nested))
        return false;
  return true;
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
