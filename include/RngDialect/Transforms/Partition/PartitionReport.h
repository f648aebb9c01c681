//===- PartitionReport.h - What a partition did, for a reader ---*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reports on the partition of a joint function: a table, the same as JSON, and
/// a drawing for Graphviz.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_PARTITION_PARTITIONREPORT_H
#define RNGDIALECT_TRANSFORMS_PARTITION_PARTITIONREPORT_H

#include "RngDialect/Transforms/Partition/Partition.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::rng {

/// The partition of a joint function, to report on.
struct ReportedPartition {
  const JointGraph &graph;
  const PartitionPlan &plan;
  const CostModel &model;
  StringRef forwardName, backwardName;
};

/// What the reports say of a joint function.
struct PartitionReport {
  struct Saved {
    SavedKind kind;
    /// The argument or result of the forward.
    unsigned index;
    Type type;
    uint64_t bytes;
    /// Alive anyway, and so not among the sums.
    bool isPersistent;
    /// Random numbers or booleans.
    bool isMask;
    /// The op that defines it, empty for an argument, and its place in the
    /// source, empty if unknown.
    std::string op, location;
  };
  struct Recomputed {
    std::string op, location;
    /// In units of `CostModel`; of all iterations of a loop.
    uint64_t cost;
    /// "loop" or "branch": the innermost one of the backward in which it is
    /// computed, empty if there is none.
    std::string within = {};
  };

  std::string forwardName, backwardName;
  std::vector<Saved> saved;
  /// In the order of the backward, those within loops and branches last;
  /// without constants and the like.
  std::vector<Recomputed> recomputed;
  PartitionSizes sizes;
  /// Sum of the cost of `recomputed`, and the capacity of the cut, in units of
  /// `CostModel`.
  uint64_t recomputeCost = 0;
  uint64_t objective = 0;
  /// Under a budget: no plan within it has a `recomputeCost` below this.
  std::optional<uint64_t> recomputeBound;
  /// What would be recomputed if everything that is used were saved: what is
  /// never saved.
  uint64_t everythingRecomputeCost = 0;
  /// Peak of live bytes of the backward (see `getPeakLiveBytes`), and what it
  /// would be if everything that is used were saved.
  uint64_t peak = 0;
  uint64_t everythingPeak = 0;
  /// With a cost table its name, and femtoseconds: of writing new results and
  /// reading all that is saved, persistent values not counted, of recomputing,
  /// and of writing and reading all that is used.
  std::string costTable;
  uint64_t saveTime = 0;
  uint64_t recomputeTime = 0;
  uint64_t everythingTime = 0;
};

/// Collects what the reports say. Takes about as long as to build the two
/// functions.
PartitionReport makePartitionReport(const ReportedPartition &partition);

/// Prints the table of what is saved and recomputed.
void printPartitionReport(llvm::raw_ostream &os, const PartitionReport &report);

/// Prints a JSON object with an element of "functions" for each report. Bytes
/// and costs are integers below 2^63.
void printPartitionReportsAsJson(llvm::raw_ostream &os,
                                 ArrayRef<PartitionReport> reports);

/// Prints a digraph in the language of Graphviz: the forward and the backward
/// as clusters, saved values filled, with a bold edge from one cluster to the
/// other that says their bytes, recomputed ops dashed, arguments and results as
/// boxes. Constants, `tensor.empty` and fills of one are left out.
void printPartitionDot(llvm::raw_ostream &os,
                       const ReportedPartition &partition);

/// Writes the files that `options` asks for, reports and drawing. Reports
/// an error and fails if one cannot be written.
LogicalResult writeReportFiles(Location loc,
                               ArrayRef<ReportedPartition> partitions,
                               const PartitionOptions &options);

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_PARTITION_PARTITIONREPORT_H
