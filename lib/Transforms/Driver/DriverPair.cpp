//===- DriverPair.cpp - Pairs that a test driver runs -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverPair.h"
#include "DriverEmitter.h"
#include "DriverState.h"
#include "RngDialect/IR/CountWords.h"
#include "RngDialect/IR/RngDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::driver;

static constexpr llvm::StringLiteral kForwardSuffix = "_forward";

Pair::Pair(func::FuncOp forward, func::FuncOp backward, SavedList list)
    : forward(forward), backward(backward), saved(std::move(list)),
      numPrimals(saved.getNumPrimals(forward.getNumResults())) {
  assert(saved.size() <= backward.getNumArguments() &&
         "the backward takes all that is saved");
  StringRef stem = forward.getName();
  stem.consume_back(kForwardSuffix);
  name = stem.str();
  llvm::append_range(cotangents,
                     backward.getArgumentTypes().drop_front(saved.size()));
}

bool Pair::isPersistent(unsigned arg) {
  if (forward.getArgAttr(arg, RngDialect::kPersistent))
    return true;
  for (auto [i, role] : llvm::enumerate(jointArguments))
    if (!role.isOfBackward && role.index == arg)
      return bool(joint.getArgAttr(i, RngDialect::kPersistent));
  return false;
}

//===----------------------------------------------------------------------===//
// Whether a driver can run a function
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// What belongs together
//===----------------------------------------------------------------------===//

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

/// The roles of values of `types`, of which those that `isOfBackward` are of
/// the backward; none if these, or the others, are not those of the pair.
static std::optional<SmallVector<JointRole>>
matchRoles(ArrayRef<Type> types, function_ref<bool(unsigned)> isOfBackward,
           ArrayRef<Type> ofForward, ArrayRef<Type> ofBackward) {
  SmallVector<JointRole> roles;
  SmallVector<Type> forwardTypes, backwardTypes;
  for (auto [i, type] : llvm::enumerate(types)) {
    SmallVector<Type> &ofKind = isOfBackward(i) ? backwardTypes : forwardTypes;
    roles.push_back({isOfBackward(i), unsigned(ofKind.size())});
    ofKind.push_back(type);
  }
  if (ArrayRef<Type>(forwardTypes) != ofForward ||
      ArrayRef<Type>(backwardTypes) != ofBackward)
    return std::nullopt;
  return roles;
}

/// Finds the joint function of `pair`, if it is there and has the arguments and
/// results of the pair.
static void findJoint(Pair &pair, ModuleOp module) {
  auto joint = module.lookupSymbol<func::FuncOp>(pair.name);
  if (!joint || joint == pair.forward || joint.isExternal())
    return;
  auto arguments = matchRoles(
      joint.getArgumentTypes(),
      [&](unsigned i) {
        return bool(joint.getArgAttr(i, RngDialect::kCotangent));
      },
      pair.forward.getArgumentTypes(), pair.cotangents);
  auto results = matchRoles(
      joint.getResultTypes(),
      [&](unsigned i) {
        return bool(joint.getResultAttr(i, RngDialect::kGradient));
      },
      pair.forward.getResultTypes().take_front(pair.numPrimals),
      pair.backward.getResultTypes());
  if (!arguments || !results)
    return;
  pair.joint = joint;
  pair.jointArguments = std::move(*arguments);
  pair.jointResults = std::move(*results);
}

/// Guesses by their types which argument a gradient is of, and which cotangent
/// a primal result has.
static void matchGradients(Pair &pair) {
  pair.gradientArguments = matchTypes(pair.backward.getResultTypes(),
                                      pair.forward.getArgumentTypes());
  ArrayRef<Type> primals =
      pair.forward.getResultTypes().take_front(pair.numPrimals);
  pair.primalCotangents.resize(primals.size());
  for (auto [k, primal] : llvm::enumerate(matchTypes(pair.cotangents, primals)))
    if (primal)
      pair.primalCotangents[*primal] = k;
}

static void findDraws(Pair &pair) {
  pair.forwardDraws = getComparableDraws(pair.forward);
  pair.backwardDraws = getComparableDraws(pair.backward);
  // What the backward draws afresh has no draw of the forward to equal.
  llvm::erase_if(pair.backwardDraws, [&](StatelessDrawOpInterface draw) {
    return dependsOnGenerator(draw) ||
           dependsOnPassedState(draw, pair.backward);
  });
  if (pair.joint)
    pair.jointDraws = getComparableDraws(pair.joint);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Whether the backward takes what the forward saves.
static LogicalResult checkSaved(func::FuncOp forward, func::FuncOp backward,
                                const SavedList &saved) {
  ArrayRef<Type> args = backward.getArgumentTypes();
  if (args.size() < saved.size())
    return backward.emitError("expected at least ")
           << describeCount(saved.size(), "argument")
           << ", one for each saved value, but got " << args.size();
  for (auto [i, entry] : llvm::enumerate(saved)) {
    Type type = SavedList::select(entry, forward.getArgumentTypes(),
                                  forward.getResultTypes())[entry.getIndex()];
    if (type != args[i])
      return forward.emitError("saved value ")
             << i << " has type " << type << " but '@" << backward.getName()
             << "' expects " << args[i];
  }
  return success();
}

FailureOr<Pair> mlir::rng::driver::readPair(func::FuncOp forward,
                                            ModuleOp module,
                                            SymbolTableCollection &symbols) {
  auto symbol =
      forward->getAttrOfType<FlatSymbolRefAttr>(RngDialect::kBackward);
  assert(symbol && "a forward names its backward");
  auto backward = module.lookupSymbol<func::FuncOp>(symbol.getValue());
  if (!backward)
    return forward.emitError("expected '")
           << RngDialect::kBackward << "' to name a function but got "
           << symbol;
  std::optional<SavedList> saved = SavedList::read(forward);
  if (!saved)
    return forward.emitError("expected '") << RngDialect::kSaved << "' beside '"
                                           << RngDialect::kBackward << "'";
  if (failed(checkFunction(forward, /*isForward=*/true)) ||
      failed(checkFunction(backward, /*isForward=*/false)) ||
      failed(checkSaved(forward, backward, *saved)))
    return failure();

  Pair pair(forward, backward, std::move(*saved));
  findJoint(pair, module);
  matchGradients(pair);
  findDraws(pair);
  pair.usesState = usesState(forward, symbols);
  pair.backwardUsesState = usesState(backward, symbols);
  return pair;
}
