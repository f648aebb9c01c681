//===- DrawingFunctions.cpp - Which functions draw --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawingFunctions.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::rng;

std::optional<uint64_t>
mlir::rng::getStaticAdvance(StatefulDrawOpInterface draw) {
  // An algorithm may build IR for its answer: give it a place to throw away.
  Block scratch;
  OpBuilder b(draw.getContext());
  b.setInsertionPointToStart(&scratch);
  OpFoldResult advance = draw.getDrawAlgorithm().getAdvance(
      b, draw.getLoc(), draw.getDistribution(), draw.getDrawType(),
      draw.getDrawSizes());
  if (auto constant = dyn_cast<Attribute>(advance))
    return cast<IntegerAttr>(constant).getValue().getZExtValue();
  return std::nullopt;
}

std::optional<uint64_t> mlir::rng::getStaticBlocks(ReserveOp reserve) {
  APInt blocks;
  if (matchPattern(reserve.getBlocks(), m_ConstantInt(&blocks)))
    return blocks.getZExtValue();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Look-ups
//===----------------------------------------------------------------------===//

DrawingFunction *DrawingFunctions::lookup(StringAttr name) {
  auto it = functionNumbers.find(name);
  return it == functionNumbers.end() ? nullptr : &functions[it->second];
}

DrawingFunction *DrawingFunctions::getCallee(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return lookup(call.getCalleeAttr().getAttr());
  return nullptr;
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
  if (failed(result.collectGenerators(module)) ||
      failed(result.collectSteps(module)))
    return failure();
  result.propagateUses();
  result.propagateThreaded(explicitState);
  result.computeTotals();
  return result;
}

LogicalResult DrawingFunctions::collectGenerators(ModuleOp module) {
  symbols.push_back({});
  for (auto generator : module.getOps<GeneratorOp>()) {
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
  for (DrawingFunction &function : functions)
    if (failed(collectDeclaration(function)))
      return failure();
  return success();
}

LogicalResult DrawingFunctions::collectDeclaration(DrawingFunction &function) {
  auto draws = function.op->getAttrOfType<ArrayAttr>(RngDialect::kDraws);
  if (!function.isOpaque() || !draws)
    return success();
  for (Attribute entry : draws) {
    auto symbol = dyn_cast<FlatSymbolRefAttr>(entry);
    if (symbol && !generatorNumbers.contains(symbol.getAttr()))
      return function.op->emitOpError("unknown generator ")
             << symbol << " in '" << RngDialect::kDraws
             << "': declare it with 'rng.generator " << symbol << "'";
    function.uses[getNumber(symbol)] = {/*advances=*/true, /*reseeds=*/true,
                                        std::nullopt};
  }
  return success();
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
              isa<StatefulDrawOpInterface>(nested))
            result = reportStrayDraw(
                nested, "in '" + op->getName().getStringRef().str() + "'");
        });
      collectReferences(op);
      return WalkResult::skip();
    }
    auto call = dyn_cast<func::CallOp>(op);
    bool isDraw = isa<StatefulDrawOpInterface>(op);
    bool isStep = isDraw || isa<GetStateOp, SetStateOp, ReserveOp>(op);
    if (current == none || !(call || isStep)) {
      if (isDraw)
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
    } else if (auto draw = dyn_cast<StatefulDrawOpInterface>(op)) {
      function.draws = true;
      function.uses[getNumber(draw.getDrawGenerator())].advances = true;
    } else if (auto get = dyn_cast<GetStateOp>(op)) {
      function.uses[getNumber(get.getGeneratorAttr())];
    } else if (auto set = dyn_cast<SetStateOp>(op)) {
      GeneratorUse &use = function.uses[getNumber(set.getGeneratorAttr())];
      use.advances = use.reseeds = true;
    } else {
      auto reserve = cast<ReserveOp>(op);
      function.uses[getNumber(reserve.getGeneratorAttr())].advances = true;
    }
    function.steps.push_back(op);
    return WalkResult::advance();
  });
  for (SmallVector<SmallVector<unsigned>> *edges : {&callees, &callers})
    for (SmallVector<unsigned> &list : *edges) {
      llvm::sort(list);
      list.erase(llvm::unique(list), list.end());
    }
  return result;
}

void DrawingFunctions::collectReferences(Operation *op) {
  DictionaryAttr attributes = op->getAttrDictionary();
  if (attributes.empty())
    return;
  attributes.walk<WalkOrder::PreOrder>([&](SymbolRefAttr reference) {
    if (DrawingFunction *function = lookup(reference.getRootReference()))
      function->references.push_back(op);
    return WalkResult::skip();
  });
}

//===----------------------------------------------------------------------===//
// Fixed points over the call graph
//===----------------------------------------------------------------------===//

void DrawingFunctions::propagateUses() {
  SmallVector<unsigned> worklist;
  for (unsigned i = 0, e = functions.size(); i != e; ++i)
    if (!functions[i].uses.empty())
      worklist.push_back(i);
  while (!worklist.empty()) {
    unsigned callee = worklist.pop_back_val();
    for (unsigned caller : callers[callee]) {
      DrawingFunction &to = functions[caller];
      const DrawingFunction &from = functions[callee];
      bool changed = from.draws && !to.draws;
      to.draws |= from.draws;
      for (const auto &[generator, use] : from.uses) {
        auto [it, inserted] = to.uses.try_emplace(generator);
        GeneratorUse &known = it->second;
        changed |= inserted || (use.advances && !known.advances) ||
                   (use.reseeds && !known.reseeds);
        known.advances |= use.advances;
        known.reseeds |= use.reseeds;
      }
      if (changed)
        worklist.push_back(caller);
    }
  }
  // What is left are the calls of functions that use state.
  for (DrawingFunction &function : functions)
    llvm::erase_if(function.steps, [&](Operation *step) {
      DrawingFunction *callee = getCallee(step);
      return callee && callee->uses.empty();
    });
}

void DrawingFunctions::propagateThreaded(bool explicitState) {
  SmallVector<unsigned> worklist;
  auto visit = [&](unsigned number) {
    DrawingFunction &function = functions[number];
    if (function.threaded || function.uses.empty())
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

void DrawingFunctions::computeTotals() {
  // Callees first. Functions on or above a cycle of calls keep unknown totals.
  SmallVector<unsigned> pending, ready;
  for (unsigned i = 0, e = functions.size(); i != e; ++i) {
    pending.push_back(callees[i].size());
    if (callees[i].empty())
      ready.push_back(i);
  }
  for (unsigned next = 0; next != ready.size(); ++next) {
    DrawingFunction &function = functions[ready[next]];
    for (unsigned caller : callers[ready[next]])
      if (--pending[caller] == 0)
        ready.push_back(caller);
    if (function.isOpaque() || !function.threaded)
      continue;
    for (auto &[generator, use] : function.uses)
      if (!use.reseeds)
        use.total = 0;
    auto add = [&](GeneratorNumber generator, std::optional<uint64_t> blocks) {
      std::optional<uint64_t> &total = function.uses[generator].total;
      total = total && blocks ? std::optional(*total + *blocks) : std::nullopt;
    };
    for (Operation *step : function.steps) {
      if (DrawingFunction *callee = getCallee(step)) {
        for (const auto &[generator, use] : callee->uses)
          add(generator, use.advances ? use.total : 0);
      } else if (auto draw = dyn_cast<StatefulDrawOpInterface>(step)) {
        add(getNumber(draw.getDrawGenerator()), getStaticAdvance(draw));
      } else if (auto reserve = dyn_cast<ReserveOp>(step)) {
        add(getNumber(reserve.getGeneratorAttr()), getStaticBlocks(reserve));
      }
    }
  }
}
