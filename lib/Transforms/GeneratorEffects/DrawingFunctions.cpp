//===- DrawingFunctions.cpp - Which functions draw --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/GeneratorEffects/DrawingFunctions.h"
#include "RngDialect/Transforms/GeneratorEffects/CallGroups.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "rng-generator-effects"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::effects;

//===----------------------------------------------------------------------===//
// Look-ups
//===----------------------------------------------------------------------===//

std::string mlir::rng::effects::getGeneratorName(FlatSymbolRefAttr generator) {
  return generator ? ("@" + generator.getValue()).str() : "default";
}

std::string mlir::rng::effects::describeGenerator(FlatSymbolRefAttr generator) {
  if (!generator)
    return "the default generator";
  return "generator '" + getGeneratorName(generator) + "'";
}

DrawingFunction *DrawingFunctions::lookup(StringAttr name) {
  auto it = functionNumbers.find(name);
  return it == functionNumbers.end() ? nullptr : &functions[it->second];
}

DrawingFunction *DrawingFunctions::getCallee(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return lookup(call.getCalleeAttr().getAttr());
  return nullptr;
}

StateEffects DrawingFunctions::getCallEffects(Operation *op) {
  StateEffects effects;
  if (DrawingFunction *callee = getCallee(op)) {
    effects = callee->effects;
    // A number that depends on what the callee is given is not one here.
    for (auto &[generator, effect] : effects)
      if (!effect.blocks.getConstant())
        effect.blocks = BlockCount::getUnknown();
  } else if (auto call = dyn_cast<func::CallIndirectOp>(op)) {
    auto it = indirectCallees.find(call.getCallee().getType());
    if (it != indirectCallees.end())
      for (unsigned callee : it->second)
        for (const auto &[generator, effect] : functions[callee].effects)
          effects[generator] = StateEffect::getSet();
  }
  return effects;
}

GeneratorNumber DrawingFunctions::getNumber(FlatSymbolRefAttr generator) const {
  return generator ? generatorNumbers.lookup(generator.getAttr()) : 0;
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

FailureOr<DrawingFunctions> DrawingFunctions::analyze(ModuleOp module,
                                                      bool explicitState) {
  DrawingFunctions result;
  result.collectGenerators(module);
  if (failed(result.collectSteps(module)))
    return failure();
  result.collectIndirectCallees();
  result.propagateEffects();
  result.propagateThreaded(explicitState);
  result.orderCalls(module);
  StateEffectsAnalysis(result).computeFunctions();
  return result;
}

void DrawingFunctions::collectGenerators(ModuleOp module) {
  symbols.push_back({});
  algorithms.push_back(lookupAlgorithm(module, {}));
  for (auto generator : module.getOps<GeneratorOp>()) {
    RngAlgorithmAttrInterface own = generator.getAlgorithmAttr();
    algorithms.push_back(own ? own : algorithms.front());
    generatorNumbers[generator.getSymNameAttr()] = symbols.size();
    symbols.push_back(FlatSymbolRefAttr::get(generator.getSymNameAttr()));
  }
  for (auto function : module.getOps<FunctionOpInterface>()) {
    functionNumbers[function.getNameAttr()] = functions.size();
    functions.emplace_back();
    functions.back().op = function;
  }
  callees.resize(functions.size());
  callers.resize(functions.size());
  indirectCallers.resize(functions.size());
  for (DrawingFunction &function : functions)
    collectDeclaration(function);
}

void DrawingFunctions::collectDeclaration(DrawingFunction &function) {
  auto draws = function.op->getAttrOfType<ArrayAttr>(RngDialect::kDraws);
  if (!function.isOpaque() || !draws)
    return;
  for (Attribute entry : draws)
    function.effects[getNumber(dyn_cast<FlatSymbolRefAttr>(entry))] =
        StateEffect::getSet();
}

/// Whether `op` uses stream blocks that it takes from a generator.
static bool isDraw(Operation *op) {
  auto state = dyn_cast<StateOpInterface>(op);
  return state && state.drawsFromGenerator();
}

static LogicalResult reportStrayDraw(Operation *draw, StringRef where) {
  return draw->emitOpError("expected stateful draws in functions of a "
                           "'builtin.module' but got one ")
         << where
         << ": draw in such a function, or use a stateless draw at an explicit "
            "state";
}

/// Whether no stateful draw in `op`, a symbol table inside of `module`, is one
/// of no module; reports those.
static LogicalResult checkSymbolTable(Operation *op, ModuleOp module) {
  LogicalResult result = success();
  if (isa<ModuleOp>(op))
    return result;
  op->walk([&](Operation *nested) {
    if (nested->getParentOfType<ModuleOp>() == module && isDraw(nested))
      result = reportStrayDraw(
          nested, "in '" + op->getName().getStringRef().str() + "'");
  });
  return result;
}

LogicalResult DrawingFunctions::collectSteps(ModuleOp module) {
  std::optional<unsigned> current;
  LogicalResult result = success();
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == module)
      return WalkResult::advance();
    if (op->getParentOp() == module) {
      current = std::nullopt;
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        current = functionNumbers.lookup(function.getNameAttr());
    }
    // Another symbol table: names there are other names. Nested modules are
    // analysed by themselves.
    if (op->hasTrait<OpTrait::SymbolTable>()) {
      if (failed(checkSymbolTable(op, module)))
        result = failure();
      collectReferences(op);
      return WalkResult::skip();
    }
    if (current && collectStep(op, *current))
      return WalkResult::advance();
    if (isDraw(op))
      result = reportStrayDraw(op, "outside any function");
    collectReferences(op);
    return WalkResult::advance();
  });
  return result;
}

/// Adds `op` to the steps of the function numbered `current` if it is one that
/// uses state or calls, and returns whether it is.
bool DrawingFunctions::collectStep(Operation *op, unsigned current) {
  DrawingFunction &function = functions[current];
  auto state = dyn_cast<StateOpInterface>(op);
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = functionNumbers.find(call.getCalleeAttr().getAttr());
    if (callee == functionNumbers.end()) {
      LDBG() << "skipped call of '" << call.getCallee()
             << "', which is no function of the module";
      return true;
    }
    functions[callee->second].called = true;
    callees[current].push_back(callee->second);
    callers[callee->second].push_back(current);
  } else if (auto indirect = dyn_cast<func::CallIndirectOp>(op)) {
    indirectCalls.emplace_back(current, indirect);
  } else if (state && state.isOnGenerator()) {
    GeneratorNumber generator = getNumber(state.getStateGenerator());
    function.draws |= state.drawsFromGenerator();
    function.effects[generator].mergeFlags(
        StateEffect::get(state, algorithms[generator]));
  } else {
    return false;
  }
  function.steps.push_back(op);
  return true;
}

void DrawingFunctions::collectReferences(Operation *op) {
  DictionaryAttr attributes = op->getAttrDictionary();
  if (attributes.empty())
    return;
  attributes.walk<WalkOrder::PreOrder>([&](SymbolRefAttr reference) {
    if (DrawingFunction *function = lookup(reference.getRootReference())) {
      if (isa<func::ConstantOp>(op) && op->getParentOfType<func::FuncOp>())
        function->addressTaken = true;
      else
        function->references.push_back(op);
    }
    return WalkResult::skip();
  });
}

static void sortUnique(SmallVectorImpl<unsigned> &list) {
  llvm::sort(list);
  list.erase(llvm::unique(list), list.end());
}

/// An indirect call may be one of any function of its type whose address is
/// taken. What comes from outside the module counts as not drawing.
void DrawingFunctions::collectIndirectCallees() {
  for (auto [number, function] : llvm::enumerate(functions))
    if (function.addressTaken)
      indirectCallees[function.op.getFunctionType()].push_back(number);
  for (auto [caller, call] : indirectCalls) {
    auto it = indirectCallees.find(call.getCallee().getType());
    if (it != indirectCallees.end())
      for (unsigned callee : it->second)
        indirectCallers[callee].push_back(caller);
  }
  for (SmallVector<SmallVector<unsigned>> *edges :
       {&callees, &callers, &indirectCallers})
    llvm::for_each(*edges, sortUnique);
}

//===----------------------------------------------------------------------===//
// Fixed points over the call graph
//===----------------------------------------------------------------------===//

void DrawingFunctions::propagateEffects() {
  SmallVector<unsigned> worklist;
  for (unsigned i = 0, e = functions.size(); i != e; ++i)
    if (!functions[i].effects.empty())
      worklist.push_back(i);
  auto merge = [&](unsigned caller, const DrawingFunction &from,
                   bool isIndirect) {
    DrawingFunction &to = functions[caller];
    bool changed = !isIndirect && from.draws && !to.draws;
    to.draws |= changed;
    for (const auto &[generator, use] : from.effects) {
      StateEffect effect = isIndirect ? StateEffect::getSet() : use;
      auto [it, inserted] = to.effects.try_emplace(generator);
      StateEffect &known = it->second;
      changed |= inserted || (effect.advances && !known.advances) ||
                 (effect.reseeds && !known.reseeds);
      known.mergeFlags(effect);
    }
    if (changed)
      worklist.push_back(caller);
  };
  while (!worklist.empty()) {
    unsigned callee = worklist.pop_back_val();
    for (unsigned caller : callers[callee])
      merge(caller, functions[callee], /*isIndirect=*/false);
    for (unsigned caller : indirectCallers[callee])
      merge(caller, functions[callee], /*isIndirect=*/true);
  }
  // What is left are the calls of functions that use state.
  for (DrawingFunction &function : functions)
    llvm::erase_if(function.steps, [&](Operation *step) {
      return isa<func::CallOp, func::CallIndirectOp>(step) &&
             getCallEffects(step).empty();
    });
}

void DrawingFunctions::propagateThreaded(bool explicitState) {
  SmallVector<unsigned> worklist;
  auto visit = [&](unsigned number) {
    DrawingFunction &function = functions[number];
    if (function.threaded || function.effects.empty())
      return;
    function.threaded = true;
    worklist.push_back(number);
  };
  for (unsigned i = 0, e = functions.size(); i != e; ++i)
    if (functions[i].draws || explicitState)
      visit(i);
  // Explicit state operations see the threaded state wherever a function that
  // draws reaches them; and who calls a threaded function holds its state.
  while (!worklist.empty()) {
    unsigned number = worklist.pop_back_val();
    // An opaque function uses the state of the process: it binds nobody.
    if (functions[number].isOpaque())
      continue;
    llvm::for_each(callees[number], visit);
    llvm::for_each(callers[number], visit);
  }
}

void DrawingFunctions::orderCalls(ModuleOp module) {
  onCycle.assign(functions.size(), false);
  for (const effects::CallGroup &group : effects::getCallGroups(module))
    for (FunctionOpInterface function : group.functions) {
      // Those of nested modules are analysed with their modules.
      if (function->getParentOp() != module)
        continue;
      unsigned number = functionNumbers.lookup(function.getNameAttr());
      onCycle[number] = group.isRecursive;
      callOrder.push_back(number);
    }
}
