//===- JoinPair.h - Pairs of forward and backward, joined -------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What `rng-rematerialize` cuts anew: a forward and a backward that
/// `rng.backward` and `rng.saved` link, and the joint function that they are
/// together.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_JOINPAIR_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_JOINPAIR_H

#include "RngDialect/IR/SavedList.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <vector>

namespace mlir::rng::cut {

/// A forward and its backward, which fit.
struct Pair {
  FunctionOpInterface forward, backward;
  SavedList saved;
  /// Results of the forward that are there for their own sake.
  unsigned numPrimals;

  Pair(FunctionOpInterface forward, FunctionOpInterface backward,
       SavedList list)
      : forward(forward), backward(backward), saved(std::move(list)),
        numPrimals(saved.getNumPrimals(forward.getNumResults())) {}

  Block &getForwardBlock() { return forward.getFunctionBody().front(); }
  Block &getBackwardBlock() { return backward.getFunctionBody().front(); }
};

/// The pairs of `module`, in the order of their forwards. Reports errors and
/// fails if one does not fit together.
FailureOr<std::vector<Pair>> findPairs(ModuleOp module);

/// The joint function of `pair`, outside of the module: the body of the
/// backward behind that of the forward, saved values in the places of the
/// arguments that carried them. Reports an error and fails if functions of this
/// kind cannot be joined.
FailureOr<OwningOpRef<Operation *>> joinPair(Pair &pair);

} // namespace mlir::rng::cut

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_JOINPAIR_H
