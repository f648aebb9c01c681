//===- DrawingFunctions.cpp - Which functions draw --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/GeneratorEffects/DrawingFunctions.h"

using namespace mlir;
using namespace mlir::rng;

//===----------------------------------------------------------------------===//
// Look-ups
//===----------------------------------------------------------------------===//

std::string mlir::rng::getGeneratorName(FlatSymbolRefAttr generator) {
  return generator ? ("@" + generator.getValue()).str() : "default";
}

std::string mlir::rng::describeGenerator(FlatSymbolRefAttr generator) {
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
  result.orderCalls();
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

LogicalResult DrawingFunctions::collectSteps(ModuleOp module) {
  constexpr unsigned none = ~0u;
  unsigned current = none;
  LogicalResult result = success();
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == module)
      return WalkResult::advance();
    if (op->getParentOp() == module) {
      current = none;
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        current = functionNumbers.lookup(function.getNameAttr());
    }
    // Another symbol table: names there are other names. Nested modules are
    // analysed by themselves.
    if (op->hasTrait<OpTrait::SymbolTable>()) {
      if (!isa<ModuleOp>(op))
        op->walk([&](Operation *nested) {
          if (nested->getParentOfType<ModuleOp>() == module &&
              isDraw(nested))
            result = reportStrayDraw(
                nested, "in '" + op->getName().getStringRef().str() + "'");
        });
      collectReferences(op);
      return WalkResult::skip();
    }
    auto call = dyn_cast<func::CallOp>(op);
    auto indirect = dyn_cast<func::CallIndirectOp>(op);
    auto state = dyn_cast<StateOpInterface>(op);
    bool isStep = state && state.isOnGenerator();
    if (current == none || !(call || indirect || isStep)) {
      if (isDraw(op))
        result = reportStrayDraw(op, "outside any function");
      collectReferences(op);
      return WalkResult::advance();
    }

    DrawingFunction &function = functions[current];
    if (call) {
      auto callee = functionNumbers.find(call.getCalleeAttr().getAttr());
      if (callee == functionNumbers.end())
        return WalkResult::advance();
      functions[callee->second].called = true;
      callees[current].push_back(callee->second);
      callers[callee->second].push_back(current);
    } else if (indirect) {
      indirectCalls.emplace_back(current, indirect);
    } else {
      GeneratorNumber generator = getNumber(state.getStateGenerator());
      function.draws |= state.drawsFromGenerator();
      function.effects[generator].mergeFlags(
          StateEffect::get(state, algorithms[generator]));
    }
    function.steps.push_back(op);
    return WalkResult::advance();
  });
  return result;
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

void DrawingFunctions::orderCalls() {
  // Tarjan's strongly connected components, without recursion: chains of calls
  // are long.
  struct Frame {
    unsigned function, nextCallee;
  };
  constexpr unsigned none = ~0u;
  unsigned count = functions.size();
  SmallVector<unsigned> number(count, none), low(count), pending;
  std::vector<bool> isPending(count, false);
  onCycle.assign(count, false);
  SmallVector<Frame> stack;
  unsigned next = 0;
  for (unsigned root = 0; root != count; ++root) {
    if (number[root] == none)
      stack.push_back({root, 0});
    while (!stack.empty()) {
      auto [function, nextCallee] = stack.back();
      if (nextCallee == 0) {
        number[function] = low[function] = next++;
        pending.push_back(function);
        isPending[function] = true;
      } else {
        unsigned callee = callees[function][nextCallee - 1];
        if (isPending[callee])
          low[function] = std::min(low[function], low[callee]);
      }
      ArrayRef<unsigned> targets = callees[function];
      while (nextCallee < targets.size() &&
             number[targets[nextCallee]] != none) {
        unsigned callee = targets[nextCallee++];
        onCycle[function] = onCycle[function] || callee == function;
        if (isPending[callee])
          low[function] = std::min(low[function], number[callee]);
      }
      if (nextCallee < targets.size()) {
        stack.back().nextCallee = nextCallee + 1;
        stack.push_back({targets[nextCallee], 0});
        continue;
      }
      stack.pop_back();
      if (low[function] != number[function])
        continue;
      SmallVector<unsigned, 1> group;
      do {
        group.push_back(pending.pop_back_val());
        isPending[group.back()] = false;
      } while (group.back() != function);
      if (group.size() > 1)
        for (unsigned member : group)
          onCycle[member] = true;
      callOrder.push_back(std::move(group));
    }
  }
}
