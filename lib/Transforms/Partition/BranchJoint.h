//===- BranchJoint.h - One branch as a joint function -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an `scf.if` of the forward and one of the backward, of the same
/// condition, do if it is true or if it is false: a joint function each, whose
/// halves are the branches of the new ops. What one of the branches saves is a
/// result for which the other yields something of the same type.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_BRANCHJOINT_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_BRANCHJOINT_H

#include "JointBuilder.h"
#include "Partitioner.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::rng::cut {

class BranchJoint {
public:
  /// Whether the regions of `backward` use results of `forward`, which comes in
  /// front, and both have the same condition.
  static bool isPair(scf::IfOp forward, scf::IfOp backward);

  /// Builds the two functions of such a pair. `dependsOnCotangent` is asked
  /// about values around the two ops.
  BranchJoint(scf::IfOp forward, scf::IfOp backward,
              function_ref<bool(Value)> dependsOnCotangent,
              const PureCalls &calls);

  /// The function of branch 0, of a true condition, or 1, for a decision.
  OwningOpRef<Operation *> copyFunction(unsigned branch) const {
    return branches[branch].joint.copy();
  }

  /// Bytes of the results that only the backward's regions use, and of the
  /// results for them by `decisions`, of the two branches; nothing if one of
  /// the branches cannot yield something of a type that the other saves.
  BytesAndMasks countOldBytes(const CostModel &model) const;
  std::optional<uint64_t> countNewBytes(ArrayRef<PartitionDecision> decisions,
                                        const CostModel &model) const;

  /// Replaces the two ops and returns the new ones, the forward one first.
  std::pair<scf::IfOp, scf::IfOp>
  replaceOps(MutableArrayRef<PartitionDecision> decisions);

private:
  struct Branch {
    JointBuilder joint;
    /// Which values around the ops the arguments are.
    SmallVector<Value> arguments;
  };
  /// The types of the results that hold what the branches save, and for each
  /// branch the numbers of those that hold its new values, in order.
  struct Slots {
    SmallVector<Type> types;
    SmallVector<unsigned> ofBranch[2];
  };

  bool isKept(Value result) const;
  void build(unsigned branch, function_ref<bool(Value)> dependsOnCotangent,
             const PureCalls &calls);
  Slots findSlots(ArrayRef<PartitionDecision> decisions) const;
  void buildForward(OpBuilder &b, unsigned branch, PartitionDecision &decision,
                    const Slots &slots);
  void buildBackward(OpBuilder &b, unsigned branch, PartitionDecision &decision,
                     const Slots &slots, scf::IfOp newForward);

  scf::IfOp forward, backward;
  /// Results of `forward` that are used elsewhere.
  SmallVector<unsigned> kept;
  Branch branches[2];
};

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_BRANCHJOINT_H
