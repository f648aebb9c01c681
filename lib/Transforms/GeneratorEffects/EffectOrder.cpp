//===- EffectOrder.cpp - Side effects and what they wait for ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/GeneratorEffects/EffectOrder.h"
#include "RngDialect/IR/RngOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::rng;

/// Whether nothing is done with `argument` but to reserve stream blocks and to
/// write the state.
static bool isStateMemory(BlockArgument argument) {
  if (!isa<BaseMemRefType>(argument.getType()))
    return false;
  bool isReserved = false;
  for (OpOperand &use : argument.getUses()) {
    Operation *user = use.getOwner();
    auto state = dyn_cast<StateOpInterface>(user);
    if (state && state.getStateMemory() == argument)
      isReserved = true;
    else if (!isa<bufferization::MaterializeInDestinationOp>(user))
      return false;
  }
  // What is only written may be any output.
  return isReserved || argument.use_empty();
}

llvm::DenseSet<Value> mlir::rng::findStateMemory(Block &block) {
  llvm::DenseSet<Value> memory;
  for (BlockArgument argument : block.getArguments())
    if (isStateMemory(argument))
      memory.insert(argument);
  return memory;
}

OpEffects mlir::rng::getOpEffects(Operation *op, const PureCalls &calls,
                                  const llvm::DenseSet<Value> &stateMemory) {
  OpEffects result;
  if (calls.isEffectFree(op))
    return result;
  auto effects = getEffectsRecursively(op);
  if (!effects) {
    result.kind = OpEffects::Write;
    result.onRest = true;
    if (calls.ignoresState())
      return result;
    auto generators = calls.getGenerators(op);
    result.onAnyState = !generators;
    if (generators)
      for (SymbolRefAttr generator : *generators)
        result.states.push_back(generator.getAsOpaquePointer());
    return result;
  }
  for (const MemoryEffects::EffectInstance &effect : *effects) {
    Value value = effect.getValue();
    if (effect.getResource() == RngStateResource::get()) {
      if (calls.ignoresState())
        continue;
      SymbolRefAttr generator = effect.getSymbolRef();
      result.states.push_back(generator.getAsOpaquePointer());
    } else if (value && stateMemory.contains(value)) {
      result.states.push_back(value.getAsOpaquePointer());
    } else {
      result.onRest = true;
    }
    OpEffects::Kind kind = isa<MemoryEffects::Read>(effect.getEffect())
                               ? OpEffects::Read
                               : OpEffects::Write;
    result.kind = std::max(result.kind, kind);
  }
  return result;
}

void EffectOrder::Last::merge(const Last &other) {
  read = std::max(read, other.read);
  write = std::max(write, other.write);
}

unsigned EffectOrder::findLast(const OpEffects &effects) const {
  Last last;
  if (effects.onRest)
    last.merge(rest);
  if (effects.onAnyState)
    last.merge(anyState);
  if (!effects.states.empty())
    last.merge(unknownState);
  for (StatePart part : effects.states)
    last.merge(states.lookup(part));
  if (effects.kind == OpEffects::None)
    return kNone;
  unsigned op = effects.kind == OpEffects::Write
                    ? std::max(last.read, last.write)
                    : last.write;
  return op - 1;
}

void EffectOrder::add(unsigned op, const OpEffects &effects) {
  auto note = [&](Last &last) {
    (effects.kind == OpEffects::Read ? last.read : last.write) = op + 1;
  };
  if (effects.kind == OpEffects::None)
    return;
  if (effects.onRest)
    note(rest);
  if (effects.onAnyState)
    note(unknownState);
  if (effects.onAnyState || !effects.states.empty())
    note(anyState);
  for (StatePart part : effects.states)
    note(states[part]);
}
