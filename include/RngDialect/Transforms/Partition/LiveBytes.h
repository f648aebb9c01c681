//===- LiveBytes.h - Memory that a backward needs ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The peak of live bytes of a backward: a model of its memory that knows the
/// order of ops and the sizes of types, and neither fusion nor buffers.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_PARTITION_LIVEBYTES_H
#define RNGDIALECT_TRANSFORMS_PARTITION_LIVEBYTES_H

#include "RngDialect/Transforms/JointFunctions/JointGraph.h"
#include "RngDialect/Transforms/Partition/CostModel.h"

#include <vector>

namespace mlir::rng {

/// The values of the forward that the backward uses when it recomputes nothing
/// but what is never saved (constants, views, ...): what saving everything
/// would save. In order of definition.
std::vector<unsigned> getUsedValues(const JointGraph &graph,
                                    const CostModel &model);

/// The most bytes that are live at once in the backward that is given the
/// values `saved` and executes the ops of `orderBackward`.
///
/// Saved values and cotangents are live from the start to their last use,
/// results of ops from the op to their last use, gradients to the end. While an
/// op executes, both its operands and its results are live, except that an
/// elementwise op writes over an operand of the type of its result, and any op
/// over its destination, if that was computed in the backward and is not used
/// later. A value that views all of another takes no bytes and keeps the other
/// alive. Persistent values do not count, nor do those without contents of
/// their own (constants, `tensor.empty`, fills of one). What an op needs inside
/// of its regions is not counted.
uint64_t getPeakLiveBytes(const JointGraph &graph, const CostModel &model,
                          ArrayRef<unsigned> saved);

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_PARTITION_LIVEBYTES_H
