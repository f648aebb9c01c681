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

#ifndef RNGDIALECT_LIB_TRANSFORMS_PARTITION_LIVEBYTES_H
#define RNGDIALECT_LIB_TRANSFORMS_PARTITION_LIVEBYTES_H

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

/// Finds the peaks of many backwards of one joint function: what does not
/// depend on the plan is asked of the cost model once. `graph` outlives it.
class LiveBytesModel {
public:
  LiveBytesModel(const JointGraph &graph, const CostModel &model);

  /// As `getPeakLiveBytes`; linear in the size of the joint function.
  uint64_t getPeak(ArrayRef<unsigned> saved) const;

private:
  friend class LiveBytesRun;

  const JointGraph &graph;
  std::vector<unsigned> cotangents;
  /// What each value takes by itself.
  std::vector<uint64_t> bytes;
  std::vector<bool> isView;
};

} // namespace mlir::rng

#endif // RNGDIALECT_LIB_TRANSFORMS_PARTITION_LIVEBYTES_H
