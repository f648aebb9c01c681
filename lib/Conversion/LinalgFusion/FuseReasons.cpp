//===- FuseReasons.cpp - Why ops are not fused ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusePlan.h"
#include "RngDialect/Transforms/Support/Reasons.h"
#include "RngDialect/Transforms/Support/ReportFile.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::fusion;

/// Why `user` and `producer`, one of which reads the other, are not in one
/// group: the first condition of those for it that does not hold.
std::string Planner::explainApart(int user, int producer) const {
  const Node &to = nodes[user], &from = nodes[producer];
  std::string kind = rules.memberKind.str();
  if (!from.isMember)
    return "that is not " + kind + " without effects";
  if (from.isCaptured)
    return "code in a region or in another basic block uses that, too";
  if (!to.isMember) {
    if (!rules.fusesProducers || to.isFixed)
      return "this is not " + kind + " without effects";
    if (consumers[producer].size() > 1)
      return "this is not " + kind + ", and something else reads that, too";
    return "this is not " + kind +
           ", and would repeat a draw or a math function, store more than "
           "before or cost more than " +
           std::to_string(limits.cost) + " (max-cost) with that";
  }
  if (from.domain != to.domain)
    return "their loops are not known to have the same sizes";
  if (!readsOwnPoint(user, producer))
    return "it is read at other indices than it is made at";
  if (from.level != to.level)
    return "something that depends on one and makes the other cannot be in the "
           "same group";
  return "their group would cost more than " + std::to_string(limits.cost) +
         " (max-cost) or have more than " + std::to_string(limits.operands) +
         " tensors (max-operands)";
}

void Planner::reportMissedGroups() const {
  if (!wantsReasons(nodes.front().op->getContext()))
    return;
  for (int user = 0, e = nodes.size(); user < e; ++user)
    for (int producer : operands[user])
      if (getGeneric(user) && getGeneric(producer) &&
          units[user] != units[producer])
        reportMissed(nodes[user].op, rules.pass, "NotFused",
                     "with " + describeLocation(nodes[producer].op->getLoc()) +
                         ": " + explainApart(user, producer));
}
