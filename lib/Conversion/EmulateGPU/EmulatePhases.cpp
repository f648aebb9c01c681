//===- EmulatePhases.cpp - Kernels cut at barriers --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatePhases.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::emulate;

bool emulate::isThreadIdOp(Operation *op) {
  return isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp,
             gpu::GlobalIdOp>(op);
}

bool emulate::isOwnedAlloca(Operation *op, Region *kernel) {
  auto alloca = dyn_cast<memref::AllocaOp>(op);
  return alloca && alloca->getNumOperands() == 0 && kernel->hasOneBlock() &&
         alloca->getParentRegion() == kernel;
}

/// Whether `op` may be repeated in a later loop instead of keeping its result.
static bool isFree(Operation *op) {
  if (isThreadIdOp(op) || matchPattern(op, m_Constant()))
    return true;
  return isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
}

//===----------------------------------------------------------------------===//
// Uniformity
//===----------------------------------------------------------------------===//

Uniformity::Uniformity(Region *kernel, ArrayRef<BlockArgument> ids) {
  if (!ids.empty())
    for (BlockArgument thread : ids.slice(3, 3))
      varying.insert(thread);
  // What loops carry is taken to be uniform until something shows that it is
  // not.
  do {
    changed = false;
    kernel->walk([&](Operation *op) { visit(op); });
  } while (changed);
}

void Uniformity::markIf(bool varies, Value value) {
  if (varies)
    changed |= varying.insert(value).second;
}

bool Uniformity::anyVarying(ValueRange values) const {
  return llvm::any_of(values, [&](Value value) { return !isUniform(value); });
}

bool Uniformity::isTakenAlike(Operation *op) const {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return isUniform(loop.getLowerBound()) && isUniform(loop.getUpperBound()) &&
           isUniform(loop.getStep());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return isUniform(branch.getCondition());
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return isUniform(loop.getConditionOp().getCondition());
  return false;
}

void Uniformity::visit(Operation *op) {
  bool differs = !isTakenAlike(op);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    markIf(differs, loop.getInductionVar());
    for (auto [init, argument, yielded, result] :
         llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                         loop.getYieldedValues(), loop.getResults())) {
      markIf(differs || !isUniform(init) || !isUniform(yielded), argument);
      markIf(!isUniform(argument), result);
    }
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (OpResult result : branch.getResults()) {
      unsigned i = result.getResultNumber();
      markIf(differs || !isUniform(branch.thenYield().getOperand(i)) ||
                 !isUniform(branch.elseYield().getOperand(i)),
             result);
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [init, argument, yielded] :
         llvm::zip_equal(loop.getInits(), loop.getBeforeArguments(),
                         loop.getYieldOp()->getOperands()))
      markIf(differs || !isUniform(init) || !isUniform(yielded), argument);
    for (auto [passed, argument, result] :
         llvm::zip_equal(loop.getConditionOp().getArgs(),
                         loop.getAfterArguments(), loop.getResults())) {
      markIf(differs || !isUniform(passed), argument);
      markIf(differs || !isUniform(passed), result);
    }
  } else if (isa<gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp>(op)) {
    return;
  } else {
    bool varies = isThreadIdOp(op) || op->getNumRegions() != 0 ||
                  !isMemoryEffectFree(op) || anyVarying(op->getOperands());
    for (Value result : op->getResults())
      markIf(varies, result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          markIf(true, argument);
  }
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

static bool hasBarrier(Operation *op) {
  return op->walk([](gpu::BarrierOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

std::vector<Stage> emulate::splitAtBarriers(Block &block) {
  std::vector<Stage> stages(1);
  for (Operation &op : block.without_terminator()) {
    if (isa<gpu::BarrierOp>(op)) {
      stages.emplace_back();
    } else if (!hasBarrier(&op)) {
      stages.back().ops.push_back(&op);
    } else {
      Stage &stage = stages.emplace_back();
      stage.control = &op;
      for (Region &region : op.getRegions()) {
        stage.regions.emplace_back();
        if (!region.empty())
          stage.regions.back() = splitAtBarriers(region.front());
      }
      stages.emplace_back();
    }
  }
  return stages;
}

//===----------------------------------------------------------------------===//
// Lifetimes
//===----------------------------------------------------------------------===//

Lifetimes::Lifetimes(Region *kernel, ArrayRef<Stage> stages) : kernel(kernel) {
  number(stages);
  visit(stages);
}

void Lifetimes::number(ArrayRef<Stage> stages) {
  for (const Stage &stage : stages) {
    unsigned phase = numPhases++;
    for (Operation *op : stage.ops)
      phaseOf[op] = phase;
    if (!stage.control)
      continue;
    for (Value result : stage.control->getResults())
      carried.insert(result);
    if (auto loop = dyn_cast<scf::ForOp>(stage.control))
      carried.insert_range(loop.getRegionIterArgs());
    else
      for (Region &region : stage.control->getRegions())
        carried.insert_range(region.getArguments());
    for (ArrayRef<Stage> inner : stage.regions)
      number(inner);
  }
}

bool Lifetimes::isOfThreads(Value value) const {
  if (carried.contains(value))
    return true;
  Operation *definition = value.getDefiningOp();
  return definition && phaseOf.contains(definition);
}

SmallVector<Value> Lifetimes::getUses(Operation *op) const {
  llvm::SetVector<Value> used;
  auto add = [&](Value value) {
    if (isOfThreads(value))
      used.insert(value);
  };
  llvm::for_each(op->getOperands(), add);
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(op->getRegions(), above);
  llvm::for_each(above, add);
  return used.takeVector();
}

void Lifetimes::visit(ArrayRef<Stage> stages) {
  for (const Stage &stage : stages) {
    for (Operation *op : stage.ops)
      for (Value value : getUses(op))
        visitUse(value, phaseOf.lookup(op));
    if (stage.control)
      visitControl(stage);
  }
}

void Lifetimes::visitControl(const Stage &stage) {
  if (auto loop = dyn_cast<scf::ForOp>(stage.control)) {
    keepForHost(loop.getLowerBound());
    keepForHost(loop.getUpperBound());
    keepForHost(loop.getStep());
    visitCopies(loop.getInitArgs(), loop.getRegionIterArgs());
    visit(stage.regions[0]);
    visitCopies(loop.getYieldedValues(), loop.getRegionIterArgs());
    visitCopies(loop.getRegionIterArgs(), loop.getResults());
  } else if (auto branch = dyn_cast<scf::IfOp>(stage.control)) {
    keepForHost(branch.getCondition());
    for (auto [region, stages] :
         llvm::zip_equal(branch->getRegions(), stage.regions)) {
      visit(stages);
      if (!region.empty())
        visitCopies(region.front().getTerminator()->getOperands(),
                    branch.getResults());
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(stage.control)) {
    visitCopies(loop.getInits(), loop.getBeforeArguments());
    visit(stage.regions[0]);
    keepForHost(loop.getConditionOp().getCondition());
    visitCopies(loop.getConditionOp().getArgs(), loop.getAfterArguments());
    visit(stage.regions[1]);
    visitCopies(loop.getYieldOp()->getOperands(), loop.getBeforeArguments());
    visitCopies(loop.getAfterArguments(), loop.getResults());
  }
}

void Lifetimes::visitUse(Value value, unsigned phase) {
  SmallVector<Value> stack = {value};
  while (!stack.empty()) {
    Value used = stack.pop_back_val();
    // What a phase repeats may reach a value along very many ways.
    if (!isOfThreads(used) || !visited.insert({used, phase}).second)
      continue;
    if (carried.contains(used)) {
      kept.insert(used);
      continue;
    }
    Operation *definition = used.getDefiningOp();
    if (phaseOf.lookup(definition) == phase ||
        isOwnedAlloca(definition, kernel))
      continue;
    if (isFree(definition))
      llvm::append_range(stack, llvm::reverse(getUses(definition)));
    else
      kept.insert(used);
  }
}

void Lifetimes::visitCopies(ValueRange from, ValueRange to) {
  // A loop over the threads of its own.
  unsigned phase = numPhases++;
  for (auto [source, target] : llvm::zip_equal(from, to)) {
    visitUse(source, phase);
    kept.insert(target);
  }
}

void Lifetimes::keepForHost(Value value) {
  Operation *definition = value.getDefiningOp();
  if (isOfThreads(value) && !(definition && isFree(definition)))
    kept.insert(value);
}
