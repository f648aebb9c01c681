//===- JointGraph.h - A joint function as a graph ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A joint function (forward and backward in one body, what reverse-mode
/// differentiation hands over) numbered and classified, so that the algorithms
/// of the partition work on dense integers in program order and never on
/// pointers.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_JOINTFUNCTIONS_JOINTGRAPH_H
#define RNGDIALECT_TRANSFORMS_JOINTFUNCTIONS_JOINTGRAPH_H

#include "RngDialect/Transforms/GeneratorEffects/EffectOrder.h"
#include "RngDialect/Transforms/Support/JointMarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Sequence.h"

#include <optional>
#include <vector>

namespace mlir::rng {

/// On which side of the partition an op has to be.
enum class OpClass : uint8_t {
  /// Nothing needs it.
  Dead,
  /// A primal result or a side effect that uses no cotangent needs it.
  Forward,
  /// It uses a cotangent, transitively.
  Backward,
  /// Neither: only the backward needs it, and it needs no cotangent.
  BackwardOnly
};

/// The body of a joint function. Ops and values are numbered in program order;
/// the terminator is not among the ops, and argument k is value k. "Operands"
/// of an op include the values that its regions capture.
class JointGraph {
public:
  static constexpr unsigned kNone = ~0u;

  /// Numbers and classifies `function`, which must be a joint function. Reports
  /// an error and fails if it has several basic blocks, draws from a stateful
  /// generator, or has a primal result that depends on a cotangent.
  /// Calls of the functions that `calls` knows have no side effects.
  static FailureOr<JointGraph> build(FunctionOpInterface function,
                                     const PureCalls &calls = PureCalls());

  /// Numbers and classifies a function that may still draw from generators, as
  /// what it will be once its state is threaded: nothing waits for the state of
  /// a generator, and a draw that nobody uses is dead. Nothing if `function`
  /// is no joint function or `build` would refuse its form. `calls` ignores
  /// state.
  static std::optional<JointGraph> buildUnthreaded(FunctionOpInterface function,
                                                   const PureCalls &calls);

  FunctionOpInterface getFunction() const { return function; }
  /// The return of primals and gradients.
  Operation *getTerminator() const;

  unsigned getNumOps() const { return ops.size(); }
  Operation *getOp(unsigned op) const { return ops[op]; }
  OpClass getClass(unsigned op) const { return classes[op]; }
  /// Whether the op has side effects, so that it is kept though nothing may
  /// need its results.
  bool isObservable(unsigned op) const { return observable[op]; }
  /// Whether the op stands before the cut: class Forward or BackwardOnly.
  bool isFreeOfCotangents(unsigned op) const {
    return classes[op] == OpClass::Forward ||
           classes[op] == OpClass::BackwardOnly;
  }
  /// Values that the op and its regions use, in the order of its operands, then
  /// of what the regions capture.
  ArrayRef<unsigned> getOperands(unsigned op) const {
    return slice(operands, firstOperand, op);
  }
  /// Numbers of the values that the op yields: consecutive ones.
  auto getResults(unsigned op) const {
    return llvm::seq(firstResult[op], firstResult[op + 1]);
  }

  unsigned getNumValues() const { return values.size(); }
  unsigned getNumArguments() const { return numArguments; }
  Value getValue(unsigned value) const { return values[value]; }
  bool isArgument(unsigned value) const { return value < numArguments; }
  /// The op that defines the value, `kNone` for an argument.
  unsigned getDefiningOp(unsigned value) const { return definer[value]; }
  /// The ops that use the value, in program order.
  ArrayRef<unsigned> getUsers(unsigned value) const {
    return slice(users, firstUser, value);
  }
  /// Whether the value is a cotangent or depends on one.
  bool dependsOnCotangent(unsigned value) const { return backward[value]; }
  bool isCotangent(unsigned value) const {
    return isArgument(value) && backward[value];
  }

  /// The values returned, without and with `rng.gradient`, in order, and the
  /// numbers of these results of the joint function.
  ArrayRef<unsigned> getPrimals() const { return primals; }
  ArrayRef<unsigned> getGradients() const { return gradients; }
  ArrayRef<unsigned> getPrimalResults() const { return primalResults; }
  ArrayRef<unsigned> getGradientResults() const { return gradientResults; }

  /// Calls `visit` with each value without a cotangent that the backward uses
  /// or returns, and the op that does so (the terminator for a gradient), in
  /// program order; once for each use.
  void forEachDemand(
      function_ref<void(unsigned value, Operation *user)> visit) const;

  /// For each value: whether it is alive after the forward anyway, as an
  /// argument or a primal result marked `rng.persistent`.
  std::vector<bool> findPersistent() const;

  /// Makes `isMeant` ops of class BackwardOnly, and what they need, ops of the
  /// forward: for parts of an op that the forward executes.
  void countAsForward(function_ref<bool(unsigned op)> isMeant);

private:
  JointGraph() = default;
  void number();
  void classify(const PureCalls &calls);
  /// Of the ops that are `alive`, finds those of class Backward: what uses a
  /// cotangent, or has side effects that must stay behind side effects which
  /// use one.
  void classifyBackward(const std::vector<bool> &alive, const PureCalls &calls);
  /// Of each op: whether it `isRoot` or yields a value that is needed. Adds to
  /// the values `needed` what these ops use.
  std::vector<bool> markNeeded(std::vector<bool> &needed,
                               function_ref<bool(unsigned op)> isRoot) const;
  LogicalResult checkPrimals() const;
  /// Refuses a forward that draws at a state which only the backward advances.
  LogicalResult checkState() const;

  static ArrayRef<unsigned> slice(const std::vector<unsigned> &items,
                                  const std::vector<unsigned> &first,
                                  unsigned index) {
    assert(index + 1 < first.size() && "number of an op or value not there");
    return ArrayRef<unsigned>(items).slice(first[index],
                                           first[index + 1] - first[index]);
  }

  FunctionOpInterface function;
  unsigned numArguments = 0;
  std::vector<Operation *> ops;
  std::vector<OpClass> classes;
  /// Of ops that are alive.
  std::vector<OpEffects> effects;
  std::vector<bool> observable;
  /// For an op of class Backward: the operand (or `kNone`) or else the earlier
  /// op, ordered by side effects, that makes it one.
  std::vector<unsigned> witnessValue;
  std::vector<unsigned> witnessOp;
  std::vector<Value> values;
  std::vector<unsigned> definer;
  std::vector<bool> backward;
  std::vector<unsigned> operands, firstOperand;
  std::vector<unsigned> firstResult;
  std::vector<unsigned> users, firstUser;
  std::vector<unsigned> primals, gradients;
  std::vector<unsigned> primalResults, gradientResults;
};

/// Attaches to `diag` a note at each of the `steps` (an op and what to say
/// about it); of a long path only the ends are shown.
void attachPath(InFlightDiagnostic &diag,
                ArrayRef<std::pair<Operation *, std::string>> steps);

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_JOINTFUNCTIONS_JOINTGRAPH_H
