//===- GenerateDriver.cpp - A program that checks pairs ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a module of forward and backward functions linked by `rng.backward` and
// `rng.saved`. Out: the same with a function @main that runs every pair on made
// up data, prints what it computes and checks it: masks drawn again against
// masks drawn, the pair against the joint function, gradients against finite
// differences. All pairs are understood before anything is written.
//
//===----------------------------------------------------------------------===//

#include "DriverDraws.h"
#include "DriverEmitter.h"
#include "DriverState.h"
#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/Transforms/Driver/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <cmath>
#include <optional>

namespace mlir::rng {
#define GEN_PASS_DEF_RNGGENERATEDRIVERPASS
#include "RngDialect/Transforms/Driver/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

static constexpr llvm::StringLiteral kMain = "main";
static constexpr llvm::StringLiteral kForwardSuffix = "_forward";

/// Data of persistent arguments is this much smaller: they are weights, and
/// sums over hundreds of them should stay of the order of one.
static constexpr double kPersistentMagnitude = 0.05;

/// What finite differences may be off by, if the user does not say. Rounding to
/// eleven bits or less is a staircase, whose steps the differences see.
static constexpr double kTolerance = 1e-3;
static constexpr double kNarrowTolerance = 1e-2;

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

namespace {
struct Pair {
  std::string name;
  func::FuncOp forward, backward;
  /// The function that the pair was made of, null if it is gone.
  func::FuncOp joint;
  SmallVector<SavedAttr> saved;
  unsigned numPrimals = 0;
  SmallVector<Type> cotangents;
  /// For each gradient the argument of the forward that it is of, if known.
  SmallVector<std::optional<unsigned>> gradientArguments;
  /// For each primal result its cotangent, if it has one.
  SmallVector<std::optional<unsigned>> primalCotangents;
  Draws forwardDraws, backwardDraws, jointDraws;
  /// The forward, or the backward, reads or writes a state, of a generator or
  /// in memory, or is given one and hands it back.
  bool usesState = false, backwardUsesState = false;
};
} // namespace

/// For each of `from` in turn the first of `to`, after the one before it, that
/// has its type. One without a match is skipped over.
static SmallVector<std::optional<unsigned>> matchTypes(TypeRange from,
                                                       TypeRange to) {
  SmallVector<std::optional<unsigned>> matches;
  unsigned next = 0;
  for (Type type : from) {
    unsigned k = next;
    while (k < to.size() && to[k] != type)
      ++k;
    if (k == to.size()) {
      matches.push_back(std::nullopt);
      continue;
    }
    matches.push_back(k);
    next = k + 1;
  }
  return matches;
}

static bool usesGenerator(Operation *function, SymbolTableCollection &symbols,
                          llvm::SmallPtrSetImpl<Operation *> &visited) {
  if (!visited.insert(function).second)
    return false;
  if (function->hasAttr(RngDialect::kDraws))
    return true;
  return function
      ->walk([&](Operation *op) {
        if (auto call = dyn_cast<CallOpInterface>(op)) {
          Operation *callee = call.resolveCallableInTable(&symbols);
          if (callee && usesGenerator(callee, symbols, visited))
            return WalkResult::interrupt();
        }
        auto effects = dyn_cast<MemoryEffectOpInterface>(op);
        if (!effects)
          return WalkResult::advance();
        SmallVector<MemoryEffects::EffectInstance> instances;
        effects.getEffects(instances);
        for (const MemoryEffects::EffectInstance &effect : instances)
          if (effect.getResource() == RngStateResource::get())
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether what a call of `function` does depends on earlier calls.
static bool usesState(func::FuncOp function, SymbolTableCollection &symbols) {
  llvm::SmallPtrSet<Operation *, 8> visited;
  if (usesGenerator(function, symbols, visited))
    return true;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (DriverEmitter::isStateMemory(type) ||
        PassedStates::isState(function, i))
      return true;
  return false;
}

/// Whether a value inside `function` has elements of f16 or bf16.
static bool usesNarrowFloats(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        for (Type type : op->getResultTypes()) {
          Type elementType = getElementTypeOrSelf(type);
          if (elementType.isF16() || elementType.isBF16())
            return WalkResult::interrupt();
        }
        return WalkResult::advance();
      })
      .wasInterrupted();
}

static LogicalResult checkFunction(func::FuncOp function, bool isForward) {
  if (function.isExternal() || !function.getBody().hasOneBlock() ||
      !isa<func::ReturnOp>(function.getBody().front().back()))
    return function.emitError("expected '@")
           << function.getName()
           << "' to have a body of one block that returns, as 'rng-partition' "
              "makes it";
  auto isMemory = [&](StringRef what, unsigned i, Type type) {
    return what == "argument" && DriverEmitter::isStateMemory(type) &&
           (isForward || PassedStates::isState(function, i));
  };
  auto check = [&](StringRef what, ArrayRef<Type> types) -> LogicalResult {
    for (auto [i, type] : llvm::enumerate(types))
      if (!DriverEmitter::isSupported(type) && !isMemory(what, i, type))
        return function.emitError("cannot make or print ")
               << what << " " << i << " of '@" << function.getName()
               << "' of type " << type
               << "; supported are index, f16, bf16, f32, f64, i1, i8, i16, "
                  "i32, i64, ranked tensors of them, and memref<2xi64> as the "
                  "argument of a forward, or of a backward that '"
               << RngDialect::kState << "' marks";
    return success();
  };
  return success(succeeded(check("argument", function.getArgumentTypes())) &&
                 succeeded(check("result", function.getResultTypes())));
}

/// The joint function of `pair`, if it is there and consists of the same
/// arguments and results.
static func::FuncOp findJoint(Pair &pair, ModuleOp module) {
  auto joint = module.lookupSymbol<func::FuncOp>(pair.name);
  if (!joint || joint == pair.forward || joint.isExternal())
    return {};
  SmallVector<Type> args, cotangents, primals, gradients;
  for (auto [i, type] : llvm::enumerate(joint.getArgumentTypes()))
    (joint.getArgAttr(i, RngDialect::kCotangent) ? cotangents : args)
        .push_back(type);
  for (auto [i, type] : llvm::enumerate(joint.getResultTypes()))
    (joint.getResultAttr(i, RngDialect::kGradient) ? gradients : primals)
        .push_back(type);
  ArrayRef<Type> pairPrimals =
      pair.forward.getResultTypes().take_front(pair.numPrimals);
  if (ArrayRef<Type>(args) != pair.forward.getArgumentTypes() ||
      cotangents != pair.cotangents || ArrayRef<Type>(primals) != pairPrimals ||
      ArrayRef<Type>(gradients) != pair.backward.getResultTypes())
    return {};
  return joint;
}

/// Reads the saved list and the signatures of the pair that `forward` begins.
static FailureOr<Pair> analysePair(func::FuncOp forward, ModuleOp module,
                                   SymbolTableCollection &symbols) {
  Pair pair;
  pair.forward = forward;
  StringRef name = forward.getName();
  name.consume_back(kForwardSuffix);
  pair.name = name.str();
  auto symbol =
      forward->getAttrOfType<FlatSymbolRefAttr>(RngDialect::kBackward);
  pair.backward = module.lookupSymbol<func::FuncOp>(symbol.getValue());
  if (!pair.backward)
    return forward.emitError("expected '")
           << RngDialect::kBackward << "' to name a function but got "
           << symbol;
  auto list = forward->getAttrOfType<ArrayAttr>(RngDialect::kSaved);
  if (!list)
    return forward.emitError("expected '") << RngDialect::kSaved << "' beside '"
                                           << RngDialect::kBackward << "'";
  if (failed(checkFunction(forward, /*isForward=*/true)) ||
      failed(checkFunction(pair.backward, /*isForward=*/false)))
    return failure();

  ArrayRef<Type> args = forward.getArgumentTypes();
  ArrayRef<Type> results = forward.getResultTypes();
  ArrayRef<Type> backwardArgs = pair.backward.getArgumentTypes();
  if (backwardArgs.size() < list.size())
    return pair.backward.emitError("expected at least ")
           << list.size() << " arguments, one for each saved value, but got "
           << backwardArgs.size();
  pair.numPrimals = results.size();
  for (auto [i, entry] : llvm::enumerate(list.getAsRange<SavedAttr>())) {
    bool isArgument = entry.getKind() == SavedKind::Argument;
    ArrayRef<Type> types = isArgument ? args : results;
    if (types[entry.getIndex()] != backwardArgs[i])
      return forward.emitError("saved value ")
             << i << " has type " << types[entry.getIndex()] << " but '@"
             << pair.backward.getName() << "' expects " << backwardArgs[i];
    if (entry.getKind() == SavedKind::New)
      pair.numPrimals = std::min(pair.numPrimals, entry.getIndex());
    pair.saved.push_back(entry);
  }
  llvm::append_range(pair.cotangents, backwardArgs.drop_front(list.size()));
  pair.joint = findJoint(pair, module);

  pair.gradientArguments = matchTypes(pair.backward.getResultTypes(), args);
  ArrayRef<Type> primals = results.take_front(pair.numPrimals);
  pair.primalCotangents.resize(primals.size());
  for (auto [k, primal] : llvm::enumerate(matchTypes(pair.cotangents, primals)))
    if (primal)
      pair.primalCotangents[*primal] = k;

  pair.forwardDraws = getComparableDraws(forward);
  pair.backwardDraws = getComparableDraws(pair.backward);
  // What the backward draws afresh has no draw of the forward to equal.
  llvm::erase_if(pair.backwardDraws, [&](StatelessDrawOpInterface draw) {
    return dependsOnGenerator(draw) ||
           dependsOnPassedState(draw, pair.backward);
  });
  if (pair.joint)
    pair.jointDraws = getComparableDraws(pair.joint);
  pair.usesState = usesState(forward, symbols);
  pair.backwardUsesState = usesState(pair.backward, symbols);
  return pair;
}

//===----------------------------------------------------------------------===//
// Clones that return draws
//===----------------------------------------------------------------------===//

/// A private copy of `function` that returns the values of `draws` alone, and
/// computes no more than it must for them and for its side effects.
static func::FuncOp cloneForDraws(func::FuncOp function, const Draws &draws,
                                  SymbolTable &symbols) {
  IRMapping mapping;
  auto clone = cast<func::FuncOp>(function->clone(mapping));
  clone.setName((function.getName() + "_draws").str());
  clone->removeAttr(RngDialect::kBackward);
  clone->removeAttr(RngDialect::kSaved);
  clone.removeArgAttrsAttr();
  clone.removeResAttrsAttr();
  clone.setPrivate();

  SmallVector<Value> values;
  for (StatelessDrawOpInterface draw : draws)
    values.push_back(mapping.lookup(draw->getResult(0)));
  Block &body = clone.getBody().front();
  body.getTerminator()->setOperands(values);
  clone.setFunctionType(FunctionType::get(clone.getContext(),
                                          clone.getArgumentTypes(),
                                          ValueRange(values).getTypes()));
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  // Gives it another name if there is one already.
  symbols.insert(clone);
  return clone;
}

//===----------------------------------------------------------------------===//
// Checks of one pair
//===----------------------------------------------------------------------===//

namespace {
struct FiniteDifferences {
  bool enabled;
  double step;
  /// 0 for the default.
  double tolerance;
};

/// Writes the part of @main about one pair.
class PairDriver {
public:
  PairDriver(Pair &pair, SymbolTable &symbols, DriverEmitter &emitter)
      : pair(pair), symbols(symbols), e(emitter) {}

  /// `schedules`: whether to call the pair in several orders.
  void emit(const FiniteDifferences &differences, bool schedules);

private:
  /// What a call of the pair takes and yields.
  struct Call {
    SmallVector<Value> results, saved, cotangents, gradients;

    ArrayRef<Value> getPrimals(const Pair &pair) const {
      return ArrayRef(results).take_front(pair.numPrimals);
    }
  };

  void makeInputs();
  void runPair();
  void checkDraws();
  void checkBackwardDraws(ValueRange forwardValues);
  /// The values of the draws of the joint function.
  SmallVector<Value> drawInJoint();
  SmallVector<Value> getJointArguments();
  void checkFreshDraws(func::FuncOp clone, ValueRange first);
  void checkJoint();
  void checkNoneDiffers(const Twine &label, ArrayRef<Value> values,
                        ArrayRef<Value> others);
  void checkSchedule(StringRef schedule, ArrayRef<Call> reference);
  void checkSchedules();
  void checkFiniteDifferences(unsigned gradient,
                              const FiniteDifferences &options);

  double getMagnitude(unsigned arg) {
    bool persistent = pair.forward.getArgAttr(arg, RngDialect::kPersistent) ||
                      (pair.joint && isJointArgPersistent(arg));
    return persistent ? kPersistentMagnitude : 1.0;
  }
  bool isJointArgPersistent(unsigned arg);

  /// Runs the forward from the saved state with argument `arg` replaced and
  /// returns the sum of outputs times cotangents.
  Value emitLoss(unsigned arg, Value value);

  /// "label: K of N elements" and the verdict, which wants all to be equal.
  void checkAllEqual(const Twine &label, Value value, Value different);

  std::string checkLabel(const Twine &text) {
    return ("check " + pair.name + ": " + text).str();
  }

  void restoreState();
  /// Whether the state comes and goes by arguments and results.
  bool passesState();
  Call callForward();
  void callBackward(Call &call);
  SmallVector<Value> callJoint();
  /// How many elements of `values` and `others` differ, i64.
  Value countDifferent(ArrayRef<Value> values, ArrayRef<Value> others);

  Pair &pair;
  SymbolTable &symbols;
  DriverEmitter &e;
  SmallVector<Value> inputs, cotangents, results, saved, gradients;
  PassedStates states;
  /// That of all generators and memories, after the pair.
  SmallVector<Value> stateAfter;
};
} // namespace

void PairDriver::emit(const FiniteDifferences &differences, bool schedules) {
  makeInputs();
  SmallVector<Value> memories;
  llvm::copy_if(inputs, std::back_inserter(memories), [](Value input) {
    return DriverEmitter::isStateMemory(input.getType());
  });
  e.saveState(memories);
  runPair();
  checkDraws();
  if (pair.joint)
    checkJoint();
  if (differences.enabled)
    for (unsigned i = 0; i < gradients.size(); ++i)
      checkFiniteDifferences(i, differences);
  if (schedules)
    checkSchedules();
}

bool PairDriver::isJointArgPersistent(unsigned arg) {
  unsigned k = 0;
  for (unsigned i = 0; i < pair.joint.getNumArguments(); ++i) {
    if (pair.joint.getArgAttr(i, RngDialect::kCotangent))
      continue;
    if (k++ == arg)
      return bool(pair.joint.getArgAttr(i, RngDialect::kPersistent));
  }
  return false;
}

void PairDriver::makeInputs() {
  unsigned k = 0;
  for (auto [i, type] : llvm::enumerate(pair.forward.getArgumentTypes())) {
    inputs.push_back(DriverEmitter::isStateMemory(type)
                         ? e.makeStateMemory(type, k)
                         : e.makeData(type, k, getMagnitude(i)));
    ++k;
  }
  for (Type type : pair.cotangents)
    cotangents.push_back(DriverEmitter::isStateMemory(type)
                             ? e.makeStateMemory(type, k++)
                             : e.makeData(type, k++, 1.0));
}

void PairDriver::restoreState() {
  e.restoreState();
  states = PassedStates();
  states.open(pair.forward, inputs);
}

bool PairDriver::passesState() {
  for (unsigned i = 0, e = pair.forward.getNumArguments(); i != e; ++i)
    if (PassedStates::isState(pair.forward, i) &&
        !DriverEmitter::isStateMemory(pair.forward.getArgumentTypes()[i]))
      return true;
  return false;
}

PairDriver::Call PairDriver::callForward() {
  SmallVector<Value> args(inputs);
  states.passTo(pair.forward, args);
  Call call;
  call.results = e.call(pair.forward, args);
  states.takeFrom(pair.forward, call.results);
  for (SavedAttr entry : pair.saved) {
    bool isArgument = entry.getKind() == SavedKind::Argument;
    call.saved.push_back((isArgument ? args : call.results)[entry.getIndex()]);
  }
  return call;
}

void PairDriver::callBackward(Call &call) {
  SmallVector<Value> args(call.saved);
  llvm::append_range(args, cotangents);
  states.passTo(pair.backward, args);
  call.gradients = e.call(pair.backward, args);
  states.takeFrom(pair.backward, call.gradients);
  call.cotangents.assign(args.begin() + call.saved.size(), args.end());
}

void PairDriver::runPair() {
  states.open(pair.forward, inputs);
  Call call = callForward();
  results = call.results, saved = call.saved;
  for (unsigned i = 0; i < pair.numPrimals; ++i)
    e.printValue((pair.name + ": result " + Twine(i)).str(), results[i]);
  for (auto [i, entry] : llvm::enumerate(pair.saved))
    e.printValue((pair.name + ": saved " + Twine(i) + " (" +
                  stringifySavedKind(entry.getKind()) + " " +
                  Twine(entry.getIndex()) + ")")
                     .str(),
                 saved[i]);
  callBackward(call);
  gradients = call.gradients;
  stateAfter = e.readState();
  // The joint function is given what the backward was.
  cotangents = call.cotangents;
  for (auto [i, gradient] : llvm::enumerate(gradients))
    e.printValue((pair.name + ": gradient " + Twine(i)).str(), gradient);
}

void PairDriver::checkAllEqual(const Twine &label, Value value,
                               Value different) {
  Value all = e.getNumElements(value);
  e.print(checkLabel(label + ": "));
  e.print(e.makeSub(all, different));
  e.print(" of ");
  e.print(all);
  e.print(" elements");
  e.finishCheck(e.isZero(different));
}

void PairDriver::checkDraws() {
  SmallVector<Value> first;
  func::FuncOp clone;
  if (!pair.forwardDraws.empty()) {
    clone = cloneForDraws(pair.forward, pair.forwardDraws, symbols);
    e.restoreState();
    first = e.call(clone, inputs);
  }
  if (pair.backwardDraws.empty())
    e.print(checkLabel("nothing is redrawn in the backward\n"));
  else
    checkBackwardDraws(first);
  if (clone && pair.usesState)
    checkFreshDraws(clone, first);
}

void PairDriver::checkBackwardDraws(ValueRange forwardValues) {
  func::FuncOp clone =
      cloneForDraws(pair.backward, pair.backwardDraws, symbols);
  SmallVector<Value> args(saved);
  llvm::append_range(args, cotangents);
  SmallVector<Value> values = e.call(clone, args);
  SmallVector<Value> jointValues;
  for (auto [i, draw] : llvm::enumerate(pair.backwardDraws)) {
    DrawCandidates candidates = findCandidates(draw, pair.forwardDraws);
    // A draw that only the backward needs is made there for the first time; the
    // joint function has it.
    DrawCandidates ofJoint;
    if (!candidates.areLocated)
      ofJoint = findCandidates(draw, pair.jointDraws);
    if (ofJoint.areLocated)
      candidates.draws.clear();
    std::string label = ("draw " + Twine(i) + " of the backward").str();
    if (candidates.draws.empty() && ofJoint.draws.empty()) {
      e.print(checkLabel(label + " has no draw of its type in the forward"));
      e.finishCheck(e.makeBool(false));
      continue;
    }
    if (!ofJoint.draws.empty() && jointValues.empty())
      jointValues = drawInJoint();
    Value best, different, inForward;
    auto consider = [&](unsigned j, Value other, bool isInForward) {
      Value count = e.countDifferent(values[i], other);
      Value index = e.makeI64(j), where = e.makeBool(isInForward);
      if (!best) {
        best = index, different = count, inForward = where;
        return;
      }
      Value better = e.isLess(count, different);
      best = e.makeSelect(better, index, best);
      inForward = e.makeSelect(better, where, inForward);
      different = e.makeSelect(better, count, different);
    };
    for (unsigned j : candidates.draws)
      consider(j, forwardValues[j], /*isInForward=*/true);
    for (unsigned j : ofJoint.draws)
      consider(j, jointValues[j], /*isInForward=*/false);
    e.print(checkLabel(label + " equals draw "));
    e.print(best);
    if (ofJoint.draws.empty())
      e.print(" of the forward: ");
    else
      e.printEither(inForward, " of the forward: ", " of the joint function: ");
    Value all = e.getNumElements(values[i]);
    e.print(e.makeSub(all, different));
    e.print(" of ");
    e.print(all);
    e.print(" elements");
    e.finishCheck(e.isZero(different));
  }
}

SmallVector<Value> PairDriver::drawInJoint() {
  func::FuncOp clone = cloneForDraws(pair.joint, pair.jointDraws, symbols);
  e.restoreState();
  return e.call(clone, getJointArguments());
}

SmallVector<Value> PairDriver::callJoint() {
  // The outputs come first, then the gradients, whatever their order in the
  // joint function.
  SmallVector<Value> primals, jointGradients;
  for (auto [i, value] :
       llvm::enumerate(e.call(pair.joint, getJointArguments())))
    (pair.joint.getResultAttr(i, RngDialect::kGradient) ? jointGradients
                                                        : primals)
        .push_back(value);
  llvm::append_range(primals, jointGradients);
  return primals;
}

Value PairDriver::countDifferent(ArrayRef<Value> values,
                                 ArrayRef<Value> others) {
  Value sum = e.makeI64(0);
  for (auto [value, other] : llvm::zip_equal(values, others))
    sum = e.makeAdd(sum, e.countDifferent(value, other));
  return sum;
}

void PairDriver::checkNoneDiffers(const Twine &label, ArrayRef<Value> values,
                                  ArrayRef<Value> others) {
  Value different = countDifferent(values, others);
  e.print(checkLabel(label + ": "));
  e.print(different);
  e.print(" elements differ");
  e.finishCheck(e.isZero(different));
}

/// The calls of `schedule` from the state at the start of the program, such as
/// "F1 F2 B2 B1" for two forwards and then the backward of the second one, have
/// to yield what `reference` has.
void PairDriver::checkSchedule(StringRef schedule, ArrayRef<Call> reference) {
  restoreState();
  SmallVector<Call> calls(reference.size());
  SmallVector<Value> values, others;
  for (StringRef token : llvm::split(schedule, ' ')) {
    unsigned number = token.back() - '1';
    Call &call = calls[number];
    if (token.front() == 'F') {
      call = callForward();
      llvm::append_range(values, call.getPrimals(pair));
      llvm::append_range(others, reference[number].getPrimals(pair));
    } else {
      callBackward(call);
      llvm::append_range(values, call.gradients);
      llvm::append_range(others, reference[number].gradients);
    }
  }
  checkNoneDiffers(schedule, values, others);
}

/// Three pairs of calls are three calls of the joint function; and a backward
/// that has no state of its own may wait for other forwards.
void PairDriver::checkSchedules() {
  restoreState();
  SmallVector<Call> calls;
  SmallVector<Value> values;
  for (unsigned i = 0; i != 3; ++i) {
    Call &call = calls.emplace_back(callForward());
    callBackward(call);
    llvm::append_range(values, call.getPrimals(pair));
    llvm::append_range(values, call.gradients);
  }
  // By arguments, the joint function would have to be given what only its own
  // forward part knows.
  if (pair.joint && !passesState()) {
    restoreState();
    SmallVector<Value> others;
    for (unsigned i = 0; i != 3; ++i)
      llvm::append_range(others, callJoint());
    checkNoneDiffers("F1 B1 F2 B2 F3 B3 and the joint function", values,
                     others);
  }
  if (!pair.backwardUsesState)
    for (StringRef schedule :
         {"F1 B1 B1", "F1 F2 B2 B1", "F1 F2 B1 B2", "F1 F2 F3 B1 B2 B3"})
      checkSchedule(schedule, calls);
}

void PairDriver::checkFreshDraws(func::FuncOp clone, ValueRange first) {
  // The state is where the first call left it.
  SmallVector<Value> second = e.call(clone, inputs);
  e.restoreState();
  SmallVector<Value> again = e.call(clone, inputs);
  for (unsigned i = 0; i < first.size(); ++i) {
    if (!dependsOnGenerator(pair.forwardDraws[i]))
      continue;
    std::string label = ("draw " + Twine(i)).str();
    Value all = e.getNumElements(first[i]);
    Value different = e.countDifferent(first[i], second[i]);
    e.print(checkLabel(label + " of a second call differs: "));
    e.print(different);
    e.print(" of ");
    e.print(all);
    e.print(" elements");
    Value differs = e.isLess(e.makeI64(0), different);
    Value tooFew =
        e.isLess(all, e.makeI64(getMinElementsToDiffer(pair.forwardDraws[i])));
    e.finishCheck(e.makeOr(differs, tooFew));
    checkAllEqual(label + " is the same after restoring the state", first[i],
                  e.countDifferent(first[i], again[i]));
  }
}

SmallVector<Value> PairDriver::getJointArguments() {
  SmallVector<Value> args;
  unsigned nextInput = 0, nextCotangent = 0;
  for (unsigned i = 0; i < pair.joint.getNumArguments(); ++i)
    args.push_back(pair.joint.getArgAttr(i, RngDialect::kCotangent)
                       ? cotangents[nextCotangent++]
                       : inputs[nextInput++]);
  return args;
}

void PairDriver::checkJoint() {
  e.restoreState();
  SmallVector<Value> values = e.call(pair.joint, getJointArguments());
  SmallVector<Value> stateAfterJoint = e.readState();
  unsigned nextPrimal = 0, nextGradient = 0;
  for (auto [i, value] : llvm::enumerate(values)) {
    bool isGradient = bool(pair.joint.getResultAttr(i, RngDialect::kGradient));
    unsigned k = isGradient ? nextGradient++ : nextPrimal++;
    Value other = isGradient ? gradients[k] : results[k];
    Value different = e.countDifferent(value, other);
    e.print(checkLabel((isGradient ? "gradient " : "result ") + Twine(k) +
                       " and the joint function: "));
    e.print(different);
    e.print(" of ");
    e.print(e.getNumElements(value));
    e.print(" elements differ");
    if (DriverEmitter::isFloat(value.getType())) {
      e.print(", at most by ");
      e.print(e.getMaxAbsDifference(value, other));
    }
    e.finishCheck(e.isZero(different));
  }
  if (pair.usesState || pair.backwardUsesState)
    checkNoneDiffers("the state after the pair and after the joint function",
                     stateAfter, stateAfterJoint);
}

Value PairDriver::emitLoss(unsigned arg, Value value) {
  SmallVector<Value> args(inputs);
  args[arg] = value;
  e.restoreState();
  SmallVector<Value> values = e.call(pair.forward, args);
  Value loss = e.makeF64(0.0);
  for (auto [primal, cotangent] : llvm::enumerate(pair.primalCotangents))
    if (cotangent && DriverEmitter::isFloat(values[primal].getType()))
      loss = e.makeAddF(loss, e.getDot(values[primal], cotangents[*cotangent]));
  return loss;
}

void PairDriver::checkFiniteDifferences(unsigned i,
                                        const FiniteDifferences &options) {
  std::optional<unsigned> arg = pair.gradientArguments[i];
  std::string label = ("finite differences of gradient " + Twine(i)).str();
  Value gradient = gradients[i];
  if (!DriverEmitter::isFloat(gradient.getType()))
    return;
  if (!arg) {
    e.print(checkLabel(label + ": not the gradient of an argument\n"));
    return;
  }
  // Along the gradient, which is where the loss changes most. A gradient of
  // zero is tested along the input, or a gradient that is missing would pass.
  Value x = inputs[*arg];
  Value zero = e.makeF64(0.0);
  Value largest = e.getMaxAbsDifference(gradient, e.makeZeroLike(gradient));
  Value isZero = e.isEqualF(largest, zero);
  Value step = e.makeF64(options.step * getMagnitude(*arg));
  Value scale = e.makeSelect(isZero, e.makeF64(HUGE_VAL), largest);
  Value alongGradient = e.makeDivF(step, scale);
  Value alongInput = e.makeSelect(isZero, step, zero);
  Value plus = e.makeStep(x, alongGradient, gradient, alongInput);
  Value againstGradient = e.makeSubF(zero, alongGradient);
  Value againstInput = e.makeSubF(zero, alongInput);
  Value minus = e.makeStep(x, againstGradient, gradient, againstInput);
  Value lossPlus = emitLoss(*arg, plus);
  Value lossMinus = emitLoss(*arg, minus);
  Value change = e.makeSubF(lossPlus, lossMinus);
  // With the inputs as they were rounded, not with the step as it was meant.
  Value dotPlus = e.getDot(gradient, plus);
  Value dotMinus = e.getDot(gradient, minus);
  Value expected = e.makeSubF(dotPlus, dotMinus);
  Value error = e.getRelativeError(change, expected);
  e.print(
      checkLabel(label + " (argument " + Twine(*arg) + "): relative error "));
  e.print(error);
  double tolerance = options.tolerance;
  if (tolerance == 0.0)
    tolerance = usesNarrowFloats(pair.forward) ? kNarrowTolerance : kTolerance;
  e.finishCheck(e.isLessEqualF(error, e.makeF64(tolerance)));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct GenerateDriverPass
    : public rng::impl::RngGenerateDriverPassBase<GenerateDriverPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult setGradientArguments(Pair &pair);
};
} // namespace

/// Replaces the guess by what the user says.
LogicalResult GenerateDriverPass::setGradientArguments(Pair &pair) {
  if (gradientArguments.empty())
    return success();
  ArrayRef<Type> gradients = pair.backward.getResultTypes();
  ArrayRef<Type> args = pair.forward.getArgumentTypes();
  if (gradientArguments.size() != gradients.size())
    return pair.backward.emitError("expected ")
           << gradients.size() << " 'gradient-arguments', one for each "
           << "gradient, but got " << gradientArguments.size();
  for (auto [i, arg] : llvm::enumerate(gradientArguments)) {
    if (arg >= args.size() || args[arg] != gradients[i])
      return pair.backward.emitError("gradient ")
             << i << " of type " << gradients[i]
             << " cannot be that of argument " << arg << " of '@"
             << pair.forward.getName() << "'";
    pair.gradientArguments[i] = arg;
  }
  return success();
}

LogicalResult GenerateDriverPass::run() {
  ModuleOp module = getOperation();
  if (dynamicSize < 0)
    return emitError(module.getLoc(),
                     "expected 'dynamic-size' not to be negative but got ")
           << dynamicSize.getValue();
  if (!(step > 0.0) || !(tolerance >= 0.0))
    return emitError(module.getLoc(), "expected a positive 'step' and a "
                                      "'tolerance' that is not negative");
  if (Operation *old = module.lookupSymbol(kMain))
    return old->emitError("the driver is to be '@main': rename this symbol");

  for (auto symbol : module.getOps<SymbolOpInterface>())
    if (DriverEmitter::isReserved(symbol.getName()))
      return symbol.emitError("the driver declares '@")
             << symbol.getName() << "' itself: remove or rename this symbol";

  SymbolTableCollection tables;
  SmallVector<Pair, 0> pairs;
  for (auto forward : module.getOps<func::FuncOp>()) {
    if (!forward->hasAttr(RngDialect::kBackward))
      continue;
    FailureOr<Pair> pair = analysePair(forward, module, tables);
    if (failed(pair) || failed(setGradientArguments(*pair)))
      return failure();
    pairs.push_back(std::move(*pair));
  }
  if (pairs.empty())
    return emitError(module.getLoc(), "no function has '")
           << RngDialect::kBackward << "': run 'rng-partition' first";

  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto main = func::FuncOp::create(b, module.getLoc(), kMain,
                                   b.getFunctionType({}, {}));
  SymbolTable symbols(module);
  DriverEmitter emitter(module, main, dynamicSize);
  for (Pair &pair : pairs)
    PairDriver(pair, symbols, emitter)
        .emit({finiteDifferences, step, tolerance}, schedules);
  emitter.finish();
  return success();
}
