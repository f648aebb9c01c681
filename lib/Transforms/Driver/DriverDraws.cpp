//===- DriverDraws.cpp - Draws that a test driver compares ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverDraws.h"
#include "DriverEmitter.h"
#include "DriverState.h"
#include "RngDialect/IR/SavedList.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::driver;

/// Two draws that agree in fewer bits of information may be equal by chance.
static constexpr double kMinBitsToDiffer = 32.0;

Draws mlir::rng::driver::getComparableDraws(func::FuncOp function) {
  Draws draws;
  if (!isa<func::ReturnOp>(function.getBody().front().back()))
    return draws;
  for (Operation &op : function.getBody().front())
    if (auto draw = dyn_cast<StatelessDrawOpInterface>(op))
      if (isa<RankedTensorType>(draw.getDrawType()) &&
          DriverEmitter::isSupported(draw.getDrawType()))
        draws.push_back(draw);
  return draws;
}

DrawCandidates
mlir::rng::driver::findCandidates(StatelessDrawOpInterface draw,
                                  ArrayRef<StatelessDrawOpInterface> others) {
  DrawCandidates ofType, located;
  located.areLocated = true;
  for (unsigned j = 0; j < others.size(); ++j) {
    StatelessDrawOpInterface other = others[j];
    if (other.getDrawType() != draw.getDrawType())
      continue;
    ofType.draws.push_back(j);
    if (other->getLoc() == draw->getLoc() && !isa<UnknownLoc>(draw->getLoc()))
      located.draws.push_back(j);
  }
  return located.draws.empty() ? ofType : located;
}

/// Whether the state of `draw` depends, through any ops, on a value that
/// `isSource`.
static bool dependsOn(StatelessDrawOpInterface draw,
                      function_ref<bool(Value)> isSource) {
  llvm::SmallPtrSet<Operation *, 8> visited;
  SmallVector<Value> stack = {draw.getDrawSeed(), draw.getDrawOffset()};
  while (!stack.empty()) {
    Value value = stack.pop_back_val();
    if (isSource(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || !visited.insert(op).second)
      continue;
    llvm::append_range(stack, op->getOperands());
    // Not the values that regions capture alone.
    op->walk([&](Operation *inner) {
      llvm::append_range(stack, inner->getOperands());
    });
  }
  return false;
}

static bool isFromGenerator(Value value) {
  Operation *op = value.getDefiningOp();
  return op && !isMemoryEffectFree(op);
}

bool mlir::rng::driver::dependsOnGenerator(StatelessDrawOpInterface draw) {
  return dependsOn(draw, isFromGenerator);
}

bool mlir::rng::driver::dependsOnPassedState(StatelessDrawOpInterface draw,
                                             func::FuncOp function) {
  return dependsOn(draw, [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner()->getParentOp() == function &&
           PassedStates::isState(function, argument.getArgNumber());
  });
}

int64_t
mlir::rng::driver::getMinElementsToDiffer(StatelessDrawOpInterface draw) {
  double bits = 1.0;
  FloatAttr constant;
  if (draw.getDistribution() == Distribution::Bernoulli &&
      matchPattern(draw.getDrawParams().front(), m_Constant(&constant))) {
    double p = constant.getValueAsDouble();
    // Both true or both false, in a single element.
    bits = p > 0.0 && p < 1.0 ? -std::log2(p * p + (1.0 - p) * (1.0 - p)) : 0.0;
  }
  // Nothing has as many elements as a p of 0 or 1 would need.
  double elements = std::ceil(kMinBitsToDiffer / bits);
  return elements < 1e18 ? int64_t(elements)
                         : std::numeric_limits<int64_t>::max();
}

func::FuncOp mlir::rng::driver::cloneForDraws(func::FuncOp function,
                                              const Draws &draws,
                                              SymbolTable &symbols) {
  IRMapping mapping;
  auto clone = cast<func::FuncOp>(function->clone(mapping));
  clone.setName((function.getName() + "_draws").str());
  unlinkPair(clone);
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
