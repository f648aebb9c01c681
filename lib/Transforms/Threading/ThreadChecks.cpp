//===- ThreadChecks.cpp - What cannot be threaded ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadChecks.h"
#include "RngDialect/Transforms/JointFunctions/JointGraph.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::effects;
using namespace mlir::rng::threading;

using Entry = ThreadStateEntry;

StateSource mlir::rng::threading::getStateSource(DrawingFunction &function,
                                                 Entry entry) {
  if (function.addressTaken)
    return StateSource::Generator;
  if (function.op.isPrivate() || entry == Entry::Arguments)
    return StateSource::Arguments;
  return entry == Entry::Memory ? StateSource::Memory : StateSource::Generator;
}

bool mlir::rng::threading::needsTwin(DrawingFunction &function, Entry entry) {
  return function.called &&
         getStateSource(function, entry) != StateSource::Arguments;
}

bool mlir::rng::threading::isForwardOf(Operation *user,
                                       DrawingFunction &function) {
  auto backward = user->getAttrOfType<FlatSymbolRefAttr>(RngDialect::kBackward);
  return isa<FunctionOpInterface>(user) && backward &&
         backward.getAttr() == function.op.getNameAttr();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static StringRef getStepKind(Operation *step) {
  auto state = dyn_cast<StateOpInterface>(step);
  if (!state)
    return "calls of drawing functions";
  return state.drawsFromGenerator() ? "stateful draws" : "state operations";
}

static constexpr StringLiteral kWayOut =
    ": reserve blocks before it with 'rng.reserve' and use stateless draws "
    "inside, or run 'rng-reserve-draws' instead";

namespace {
/// Checks the places of the steps of one function.
class PlaceChecker {
public:
  PlaceChecker(DrawingFunctions &functions, DrawingFunction &function)
      : functions(functions), function(function), analysis(functions) {}

  LogicalResult check();

private:
  LogicalResult checkAncestors(Operation *step);
  LogicalResult checkBlocks(Region &region);
  LogicalResult checkParallel(Operation *op);
  Operation *findStep(Operation *op, GeneratorNumber generator,
                      function_ref<bool(const StateEffect &)> isMeant);

  DrawingFunctions &functions;
  DrawingFunction &function;
  StateEffectsAnalysis analysis;
  /// Ops on the way to a step, in program order.
  llvm::SetVector<Operation *> ancestors;
};
} // namespace

LogicalResult PlaceChecker::check() {
  for (Operation *step : function.steps)
    if (failed(checkAncestors(step)))
      return failure();
  if (failed(checkBlocks(function.op.getFunctionBody())))
    return failure();
  for (Operation *op : ancestors) {
    for (Region &region : op->getRegions())
      if (failed(checkBlocks(region)))
        return failure();
    if (failed(checkParallel(op)))
      return failure();
  }
  return success();
}

LogicalResult PlaceChecker::checkAncestors(Operation *step) {
  SmallVector<Operation *> path;
  for (Operation *op = step->getParentOp(); op != function.op;
       op = op->getParentOp()) {
    if (ancestors.contains(op))
      break;
    if (!isa<ThreadableRegionOpInterface>(op)) {
      InFlightDiagnostic diag =
          step->emitOpError("expected ")
          << getStepKind(step)
          << " in functions and in control flow that state can be threaded "
             "through but got one inside '"
          << op->getName() << "'" << kWayOut;
      if (DrawingFunction *callee = functions.getCallee(step))
        diag.attachNote(callee->op.getLoc()) << "drawing function defined here";
      return diag;
    }
    path.push_back(op);
  }
  for (Operation *op : llvm::reverse(path))
    ancestors.insert(op);
  return success();
}

/// Where basic blocks branch, the state has to go with the branch.
LogicalResult PlaceChecker::checkBlocks(Region &region) {
  if (region.empty() || region.hasOneBlock())
    return success();
  for (Block &block : region) {
    Operation *terminator = block.getTerminator();
    if (terminator->getNumSuccessors() == 0 ||
        isa<BranchOpInterface>(terminator))
      continue;
    return terminator->emitOpError(
               "expected branches that pass operands to their successors (op "
               "interface 'BranchOpInterface') in '@")
           << function.op.getName()
           << "', which draws from generators: use 'cf' branches, or run "
              "'rng-reserve-draws' instead";
  }
  return success();
}

Operation *
PlaceChecker::findStep(Operation *op, GeneratorNumber generator,
                       function_ref<bool(const StateEffect &)> isMeant) {
  Operation *found = nullptr;
  op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    if (nested == op)
      return WalkResult::advance();
    StateEffects effects = analysis.getEffects(nested);
    auto it = effects.find(generator);
    if (it == effects.end() || !isMeant(it->second))
      return WalkResult::skip();
    // The innermost op tells most.
    found = nested;
    return WalkResult::advance();
  });
  return found;
}

/// Iterations that run in any order need their own places in the stream before
/// the first one runs.
LogicalResult PlaceChecker::checkParallel(Operation *op) {
  auto loop = cast<ThreadableRegionOpInterface>(op);
  if (loop.getRegionExecution() != RegionExecution::Parallel)
    return success();
  auto isOutside = [&](Value value) { return isDefinedOutside(op, value); };
  for (const auto &[generator, effect] :
       analysis.getEffects(op->getRegion(0))) {
    if (!effect.reseeds &&
        (!effect.advances || effect.blocks.isBuildable(isOutside)))
      continue;
    std::string name = describeGenerator(functions.getSymbol(generator));
    bool reseeds = effect.reseeds;
    Operation *step = findStep(op, generator, [&](const StateEffect &nested) {
      return reseeds ? nested.reseeds
                     : nested.advances && !nested.blocks.isBuildable(isOutside);
    });
    // Stream blocks that differ between the ways through several basic blocks.
    if (!step)
      step = op;
    InFlightDiagnostic diag = step->emitOpError();
    if (reseeds)
      diag << "may set the state of " << name << " in an iteration of '"
           << op->getName()
           << "', whose iterations run in any order: set the state before or "
              "after the loop, or use a sequential loop";
    else
      diag << "reserves blocks of " << name
           << " whose number may differ between the iterations of '"
           << op->getName()
           << "', so that their places are not known before they run: make "
              "the number the same in all iterations, or use a sequential "
              "loop";
    if (step != op)
      diag.attachNote(op->getLoc()) << "parallel loop here";
    return diag;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

static InFlightDiagnostic reportPair(Operation *forward,
                                     DrawingFunction &backward) {
  return forward->emitOpError("names drawing function '@")
         << backward.op.getName() << "' as its backward ('"
         << RngDialect::kBackward
         << "'), whose state would become arguments and results that the "
            "backward of a pair does not have: keep it public and use "
            "entry=state, or give it seed and offset as arguments and use "
            "stateless draws in it";
}

static InFlightDiagnostic reportReference(Operation *user,
                                          DrawingFunction &function) {
  return user->emitOpError("expected only calls ('func.call', or "
                           "'func.call_indirect' of a 'func.constant', in "
                           "functions of the same module) of drawing function "
                           "'@")
         << function.op.getName()
         << "' but got another reference: call it directly, or give it seed "
            "and offset as arguments and use stateless draws in it";
}

/// Refuses references to `function`, through which it could be called without
/// its state, or among draws whose state is held elsewhere.
static LogicalResult checkReferences(DrawingFunction &function, Entry entry) {
  LogicalResult result = success();
  bool isThreaded = function.threaded && !function.isOpaque();
  for (Operation *user : function.references) {
    // Attributes of functions do not call: the symbol stays what it was.
    if (isa<FunctionOpInterface>(user) &&
        (!isThreaded ||
         getStateSource(function, entry) == StateSource::Generator))
      continue;
    // What only reads or sets the state of the process may run before and after
    // the program, as a destructor does.
    if (!isThreaded && !function.isOpaque() &&
        isa<ModuleOp>(user->getParentOp()))
      continue;
    InFlightDiagnostic diag = isForwardOf(user, function)
                                  ? reportPair(user, function)
                                  : reportReference(user, function);
    diag.attachNote(function.op.getLoc()) << "drawing function defined here";
    result = diag;
  }
  return result;
}

/// Callers of a joint function that keeps its signature go to a twin, which is
/// not partitioned and so not noticed to be in the way.
static void warnCalledJoint(DrawingFunction &function, Entry entry) {
  if (!needsTwin(function, entry) || !isJointFunction(function.op))
    return;
  emitWarning(function.op.getLoc())
      << "joint function '@" << function.op.getName()
      << "' is called: its callers go to a copy, '@" << function.op.getName()
      << "_threaded', which 'rng-partition' does not split; remove the calls, "
         "or make the function private if they are to stay (with "
         "'keep-joint')";
}

LogicalResult mlir::rng::threading::checkThreadable(DrawingFunctions &functions,
                                                    Entry entry) {
  LogicalResult result = success();
  bool isAnyThreaded = functions.isAnyThreaded();
  for (DrawingFunction &function : functions.getFunctions()) {
    if (!isAnyThreaded || function.effects.empty())
      continue;
    // A hidden call of a function that uses the state elsewhere would miss the
    // state that is threaded here.
    if (failed(checkReferences(function, entry)))
      result = failure();
    if (function.isOpaque() || !function.threaded)
      continue;
    if (failed(PlaceChecker(functions, function).check()))
      result = failure();
    bool changesSignature =
        getStateSource(function, entry) != StateSource::Generator ||
        needsTwin(function, entry);
    if (changesSignature && !isa<func::FuncOp>(function.op)) {
      function.op.emitOpError("expected a 'func.func' where the state becomes "
                              "arguments but got '")
          << function.op->getName()
          << "': use a 'func.func', or keep the function public and use "
             "entry=state";
      result = failure();
    }
    if (succeeded(result))
      warnCalledJoint(function, entry);
  }
  return result;
}
