//===- JointGraph.cpp - A joint function as a graph -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/JointFunctions/JointGraph.h"
#include "RngDialect/IR/RngOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::rng;

void mlir::rng::attachPath(
    InFlightDiagnostic &diag,
    ArrayRef<std::pair<Operation *, std::string>> steps) {
  constexpr size_t kShownAtEachEnd = 6;
  size_t left = steps.size();
  for (const auto &[op, text] : steps) {
    --left;
    size_t done = steps.size() - left;
    if (done > kShownAtEachEnd && left >= kShownAtEachEnd) {
      if (done == kShownAtEachEnd + 1)
        diag.attachNote(op->getLoc())
            << "... " << steps.size() - 2 * kShownAtEachEnd
            << " more ops, starting here";
      continue;
    }
    diag.attachNote(op->getLoc()) << "'" << op->getName() << "' " << text;
  }
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Whether `block` ends in a return of all results of `function`.
static bool endsInReturn(FunctionOpInterface function, Block &block) {
  return !block.empty() && block.back().hasTrait<OpTrait::ReturnLike>() &&
         block.back().getNumOperands() == function.getNumResults();
}

static LogicalResult checkBody(FunctionOpInterface function) {
  Region &body = function.getFunctionBody();
  if (!body.hasOneBlock())
    return function.emitOpError(
        "is a joint function with several blocks, which cannot be "
        "partitioned: turn its branches into structured control flow "
        "(scf), for example with --lift-cf-to-scf");
  Block &block = body.front();
  if (!endsInReturn(function, block))
    return function.emitOpError("is a joint function that does not end in a "
                                "return of its results");
  if (block.getNumArguments() != function.getNumArguments())
    return function.emitOpError(
        "is a joint function with more block arguments than arguments");
  WalkResult result = body.walk([](Operation *op) {
    auto state = dyn_cast<StateOpInterface>(op);
    if (!state || !state.drawsFromGenerator())
      return WalkResult::advance();
    op->emitOpError("draws from a generator inside a joint function, and "
                    "drawing again would yield other numbers: run "
                    "rng-thread-state first");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

FailureOr<JointGraph> JointGraph::build(FunctionOpInterface function,
                                        const PureCalls &calls) {
  if (failed(checkBody(function)))
    return failure();
  JointGraph graph;
  graph.function = function;
  graph.number();
  graph.classify(calls);
  if (failed(graph.checkPrimals()) || failed(graph.checkState()))
    return failure();
  return graph;
}

std::optional<JointGraph>
JointGraph::buildUnthreaded(FunctionOpInterface function,
                            const PureCalls &calls) {
  assert(calls.ignoresState() && "draws would count as side effects");
  if (!isJointFunction(function))
    return std::nullopt;
  Region &body = function.getFunctionBody();
  if (!body.hasOneBlock() || !endsInReturn(function, body.front()) ||
      body.getNumArguments() != function.getNumArguments())
    return std::nullopt;
  JointGraph graph;
  graph.function = function;
  graph.number();
  graph.classify(calls);
  return graph;
}

Operation *JointGraph::getTerminator() const {
  return FunctionOpInterface(function)
      .getFunctionBody()
      .front()
      .getTerminator();
}

void JointGraph::number() {
  Block &block = function.getFunctionBody().front();
  llvm::DenseMap<Value, unsigned> numberOf;
  auto addValue = [&](Value value, unsigned op) {
    numberOf[value] = values.size();
    values.push_back(value);
    definer.push_back(op);
  };
  for (BlockArgument argument : block.getArguments())
    addValue(argument, kNone);
  numArguments = values.size();

  for (Operation &op : block.without_terminator()) {
    firstOperand.push_back(operands.size());
    firstResult.push_back(values.size());
    for (Value operand : op.getOperands())
      operands.push_back(numberOf.lookup(operand));
    if (op.getNumRegions() != 0) {
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(op.getRegions(), captured);
      for (Value value : captured)
        operands.push_back(numberOf.lookup(value));
    }
    for (Value result : op.getResults())
      addValue(result, ops.size());
    ops.push_back(&op);
  }
  firstOperand.push_back(operands.size());
  firstResult.push_back(values.size());

  // Users by counting sort, so that each list is in program order.
  firstUser.assign(values.size() + 1, 0);
  for (unsigned operand : operands)
    ++firstUser[operand + 1];
  for (unsigned value = 0; value != values.size(); ++value)
    firstUser[value + 1] += firstUser[value];
  users.resize(operands.size());
  std::vector<unsigned> next(firstUser.begin(), firstUser.end() - 1);
  for (unsigned op = 0; op != ops.size(); ++op)
    for (unsigned operand : getOperands(op))
      users[next[operand]++] = op;

  for (OpOperand &operand : block.getTerminator()->getOpOperands()) {
    unsigned result = operand.getOperandNumber();
    bool isGradient =
        bool(function.getResultAttr(result, RngDialect::kGradient));
    (isGradient ? gradients : primals)
        .push_back(numberOf.lookup(operand.get()));
    (isGradient ? gradientResults : primalResults).push_back(result);
  }
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// Whether `op`, or what is inside of it, is marked as the backward's.
static bool isMarkedBackward(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return nested->hasAttr(RngDialect::kInBackward)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

std::vector<bool>
JointGraph::markNeeded(std::vector<bool> &needed,
                       function_ref<bool(unsigned op)> isRoot) const {
  std::vector<bool> opNeeded(getNumOps());
  for (unsigned op = getNumOps(); op-- != 0;) {
    opNeeded[op] = isRoot(op) || llvm::any_of(getResults(op), [&](unsigned r) {
                     return needed[r];
                   });
    if (opNeeded[op])
      for (unsigned operand : getOperands(op))
        needed[operand] = true;
  }
  return opNeeded;
}

void JointGraph::classify(const PureCalls &calls) {
  unsigned numOps = ops.size();
  observable.resize(numOps);
  for (unsigned op = 0; op != numOps; ++op)
    observable[op] =
        !wouldOpBeTriviallyDead(ops[op]) && !calls.isEffectFree(ops[op]);

  // Alive: what a result or a side effect needs.
  std::vector<bool> needed(values.size());
  for (unsigned value : primals)
    needed[value] = true;
  for (unsigned value : gradients)
    needed[value] = true;
  std::vector<bool> alive =
      markNeeded(needed, [&](unsigned op) { return observable[op]; });
  classes.assign(numOps, OpClass::Dead);
  classifyBackward(alive, calls);

  // Forward: what a primal result or a remaining side effect needs. The rest is
  // the backward's own.
  needed.assign(values.size(), false);
  for (unsigned value : primals)
    needed[value] = true;
  std::vector<bool> forward = markNeeded(needed, [&](unsigned op) {
    return alive[op] && classes[op] != OpClass::Backward &&
           effects[op].kind != OpEffects::None;
  });
  for (unsigned op = 0; op != numOps; ++op)
    if (alive[op] && classes[op] != OpClass::Backward)
      classes[op] = forward[op] ? OpClass::Forward : OpClass::BackwardOnly;
}

void JointGraph::classifyBackward(const std::vector<bool> &alive,
                                  const PureCalls &calls) {
  unsigned numOps = ops.size();
  witnessValue.assign(numOps, kNone);
  witnessOp.assign(numOps, kNone);
  effects.resize(numOps);
  llvm::DenseSet<Value> stateMemory =
      findStateMemory(function.getFunctionBody().front());
  backward.assign(values.size(), false);
  for (unsigned i = 0; i != numArguments; ++i)
    backward[i] = bool(function.getArgAttr(i, RngDialect::kCotangent));
  EffectOrder order;
  for (unsigned op = 0; op != numOps; ++op) {
    if (!alive[op])
      continue;
    effects[op] = getOpEffects(ops[op], calls, stateMemory);
    for (unsigned operand : getOperands(op)) {
      if (backward[operand]) {
        witnessValue[op] = operand;
        break;
      }
    }
    if (witnessValue[op] == kNone)
      witnessOp[op] = order.findLast(effects[op]);
    if (witnessValue[op] == kNone && witnessOp[op] == kNone &&
        !isMarkedBackward(ops[op]))
      continue;
    classes[op] = OpClass::Backward;
    for (unsigned result : getResults(op))
      backward[result] = true;
    order.add(op, effects[op]);
  }
}

void JointGraph::countAsForward(function_ref<bool(unsigned op)> isMeant) {
  std::vector<bool> needed(values.size());
  std::vector<bool> forward = markNeeded(needed, [&](unsigned op) {
    return classes[op] == OpClass::BackwardOnly && isMeant(op);
  });
  for (unsigned op = 0, e = getNumOps(); op != e; ++op)
    if (forward[op] && classes[op] == OpClass::BackwardOnly)
      classes[op] = OpClass::Forward;
}

LogicalResult JointGraph::checkPrimals() const {
  for (auto [value, result] : llvm::zip_equal(primals, primalResults)) {
    if (!backward[value])
      continue;
    // From the result back to the cotangent, or to an op without a witness,
    // which is marked.
    SmallVector<std::pair<Operation *, StringRef>> path;
    unsigned at = value;
    StringRef tail = "yields the result";
    while (at != kNone && !isArgument(at)) {
      unsigned op = definer[at];
      path.emplace_back(ops[op], tail);
      tail = " and is used by what follows";
      while (witnessValue[op] == kNone && witnessOp[op] != kNone) {
        op = witnessOp[op];
        path.emplace_back(ops[op], " and has side effects that must come "
                                   "before what follows");
      }
      at = witnessValue[op];
    }
    SmallVector<std::pair<Operation *, std::string>> steps;
    StringRef why = at == kNone ? "is in the backward" : "uses the cotangent";
    for (auto [op, text] : llvm::reverse(path))
      steps.emplace_back(op, ((text.starts_with(" ") ? why : "") + text).str());
    Location loc = steps.empty() ? getTerminator()->getLoc()
                                 : steps.back().first->getLoc();
    InFlightDiagnostic diag = emitError(loc)
                              << "primal result #" << result << " depends on ";
    if (at == kNone)
      diag << "'" << steps.front().first->getName() << "', which '"
           << RngDialect::kInBackward << "' puts in the backward";
    else
      diag << "the cotangent argument #" << at;
    diag << ", so no forward can compute it: mark the result rng.gradient or "
            "remove the dependence";
    attachPath(diag, steps);
    return diag;
  }
  return success();
}

/// Whether `op` only looks at states of generators.
static bool looksAtState(Operation *op, const OpEffects &effects) {
  if (effects.states.empty() || effects.onRest)
    return false;
  if (effects.kind == OpEffects::Read)
    return true;
  // To reserve nothing is to look.
  auto state = dyn_cast<StateOpInterface>(op);
  if (!state || state.getStateAccess() != StateAccess::Advance ||
      state.drawsFromGenerator())
    return false;
  return isConstantIntValue(state.getStateBlocks(/*algorithm=*/{}), 0);
}

/// Whether a stateless draw is at the state that `op` yields. Seeds and
/// snapshots are handed on as they are, whatever offsets are made of.
static bool isDrawnFrom(Operation *op) {
  return llvm::any_of(op->getResults(), [](Value state) {
    return llvm::any_of(state.getUsers(), [&](Operation *user) {
      auto draw = dyn_cast<StatelessDrawOpInterface>(user);
      return draw && draw.getDrawSeed() == state;
    });
  });
}

LogicalResult JointGraph::checkState() const {
  // From the last op to the first, so that writes behind a read are known.
  llvm::DenseMap<StatePart, unsigned> forwardWrite, backwardWrite;
  for (unsigned op = getNumOps(); op-- != 0;) {
    if (!isFreeOfCotangents(op) && classes[op] != OpClass::Backward)
      continue;
    bool looks = looksAtState(ops[op], effects[op]);
    for (StatePart part : effects[op].states) {
      if (looks && isFreeOfCotangents(op) && !forwardWrite.contains(part) &&
          backwardWrite.contains(part) && isDrawnFrom(ops[op])) {
        InFlightDiagnostic diag = ops[op]->emitOpError(
            "reads in the forward the state that draws are at, but only the "
            "backward advances it, so that a second forward would draw the "
            "same numbers: advance it in the forward ('rng.reserve'), or run "
            "rng-thread-state on the function once it has one basic block");
        diag.attachNote(ops[backwardWrite.lookup(part)]->getLoc())
            << "the backward advances it here";
        return diag;
      }
      if (!looks && effects[op].kind == OpEffects::Write)
        (classes[op] == OpClass::Backward ? backwardWrite
                                          : forwardWrite)[part] = op;
    }
  }
  return success();
}

void JointGraph::forEachDemand(
    function_ref<void(unsigned, Operation *)> visit) const {
  auto visitDemand = [&](unsigned value, Operation *user) {
    if (!dependsOnCotangent(value))
      visit(value, user);
  };
  for (unsigned op = 0, e = getNumOps(); op != e; ++op)
    if (getClass(op) == OpClass::Backward)
      for (unsigned operand : getOperands(op))
        visitDemand(operand, getOp(op));
  for (unsigned gradient : getGradients())
    visitDemand(gradient, getTerminator());
}

std::vector<bool> JointGraph::findPersistent() const {
  FunctionOpInterface joint = getFunction();
  std::vector<bool> persistent(getNumValues());
  for (unsigned i = 0, e = getNumArguments(); i != e; ++i)
    persistent[i] = bool(joint.getArgAttr(i, RngDialect::kPersistent));
  for (auto [primal, result] :
       llvm::zip_equal(getPrimals(), getPrimalResults()))
    if (joint.getResultAttr(result, RngDialect::kPersistent))
      persistent[primal] = true;
  return persistent;
}
