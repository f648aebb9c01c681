//===- SplitOrder.h - The order of ops in forward and backward --*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which ops of a joint function its forward and its backward execute, and in
/// which order, given what is saved: what `splitFunction` builds and what the
/// reports speak of.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_SPLITORDER_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_SPLITORDER_H

#include "RngDialect/Transforms/JointFunctions/JointGraph.h"

#include <vector>

namespace mlir::rng {

/// The ops of the forward that returns the primals and the values `extra`, in
/// program order: what these need and what has side effects.
std::vector<unsigned> orderForward(const JointGraph &graph,
                                   ArrayRef<unsigned> extra);

/// The ops of the backward that is given the values `saved`: those of class
/// Backward in program order and, just before the first use of what they yield,
/// the others that are needed.
std::vector<unsigned> orderBackward(const JointGraph &graph,
                                    ArrayRef<unsigned> saved);

} // namespace mlir::rng

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_SPLITORDER_H
