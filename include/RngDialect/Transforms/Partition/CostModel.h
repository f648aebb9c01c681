//===- CostModel.h - What saving and recomputing cost -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The costs that the partition of a joint function weighs. What ops cost,
/// their dialects say (CostInterface.h). A compiler that wants other rules than
/// these derives from `CostModel` and hands its model to
/// `partitionJointFunctions` (Partition.h).
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_PARTITION_COSTMODEL_H
#define RNGDIALECT_TRANSFORMS_PARTITION_COSTMODEL_H

#include "RngDialect/Transforms/GeneratorEffects/PureCalls.h"
#include "RngDialect/Transforms/Partition/CostTable.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace mlir::rng {

/// What it takes to execute an op a second time, in the backward.
struct RecomputeCost {
  enum Kind : uint8_t {
    /// For `work` units.
    Allowed,
    /// Not unless the user orders it (`rng.recompute`), then for `work` units.
    Discouraged,
    /// Never: the op has side effects.
    Impossible
  };
  Kind kind = Allowed;
  /// In units: one is an addition of one element. One byte saved weighs
  /// `CostModel::kUnitsPerByte` units.
  uint64_t work = 0;
  /// A contraction, or an op that nothing is known of: recomputing across it is
  /// "far".
  bool isBarrier = false;
  /// Why it is not `Allowed`: "is a contraction".
  StringRef reason = {};

  // What a cost table asks for besides (CostTable.h).

  /// Of `work`, what is not arithmetic, by `WorkKind`.
  std::array<uint64_t, kNumWorkKinds> special = {};
  /// Bytes that the op reads and writes in memory. None where it is fused with
  /// its neighbours: what it reads is computed again too, or is saved, and then
  /// saving paid for it.
  uint64_t movedBytes = 0;
  /// Contractions, reductions and ops that are not known: what is not fused.
  uint64_t launches = 0;

  /// Says that all the work is of this kind.
  void setWorkKind(WorkKind kind);
  /// Says that the op stands for itself, and what it reads and writes.
  void setMovedBytes(uint64_t bytes);
  /// Adds what is executed together with it: the sum of the work, the worst of
  /// the kinds.
  void addNested(const RecomputeCost &nested);
  /// Makes it the cost of executing it so many times.
  void repeat(uint64_t times);
};

/// The costs of ops and types. All numbers are integers that saturate at
/// `MinCutGraph::kMaxFinite` and never wrap.
class CostModel {
public:
  static constexpr uint64_t kUnitsPerByte = 1024;
  static constexpr uint64_t kArithWork = 1;
  static constexpr uint64_t kMathWork = 8;
  /// A uniform draw of f32 under the default algorithm. Other draws are in
  /// proportion to the instructions that their algorithm says (`getWork`).
  static constexpr uint64_t kDrawWork = 48;

  /// `layout` gives the sizes of element types; a dynamic dimension counts as
  /// `dynamicSize`.
  explicit CostModel(DataLayout layout, uint64_t dynamicSize = 128);
  virtual ~CostModel();

  /// The functions that calls may be of; without any, calls have side effects.
  void setPureCalls(const PureCalls *calls) {
    pureCalls = calls;
    calleeCosts.clear();
  }
  const PureCalls &getPureCalls() const;

  /// Makes the prices times on a target; without a table they are units.
  void setCostTable(std::optional<CostTable> newTable) {
    table = std::move(newTable);
  }
  const CostTable *getCostTable() const { return table ? &*table : nullptr; }

  /// What `cost` weighs in the cut: femtoseconds if there is a table, else its
  /// work.
  uint64_t getPrice(const RecomputeCost &cost) const;
  /// What saving so many bytes of a shaped value weighs, likewise.
  uint64_t getSavePrice(uint64_t bytes) const;

  /// What a dimension counts as.
  uint64_t getSize(int64_t dimension) const {
    return ShapedType::isDynamic(dimension) ? dynamicSize : dimension;
  }

  /// Number of elements of a shaped type, 1 for any other.
  uint64_t getNumElements(Type type) const;

  /// Bytes that a value of this type takes: elements times the size of the
  /// element type, of which i1 takes a byte. Types of unknown size count 8.
  virtual uint64_t getBytes(Type type) const;

  /// Why `value` is not to be saved ("is a constant"), empty if it may be:
  /// constants, `tensor.empty` and fills of one, views with as many elements as
  /// their source (these are rebuilt for nothing), and memory.
  virtual StringRef getReasonNotToSave(Value value) const;

  /// What executing `op` again costs: impossible with side effects, nothing for
  /// constants and full-size views, else what its dialect says; unknown if that
  /// says nothing.
  virtual RecomputeCost getRecomputeCost(Operation *op) const;

  /// For dialects. The cost of an op of `work` units an element that it yields;
  /// of unknown cost if there is none. An op that yields no shaped value costs
  /// nothing.
  RecomputeCost getElementwiseCost(Operation *op,
                                   std::optional<uint64_t> work) const;
  /// For dialects. The cost of running all ops in `region` once.
  RecomputeCost getRegionCost(Region &region) const;
  /// For dialects. The cost of running `callee`, a pure function, once; what it
  /// costs is found once, however many calls lead to it.
  RecomputeCost getCalleeCost(FunctionOpInterface callee) const;

private:
  DataLayout layout;
  uint64_t dynamicSize;
  const PureCalls *pureCalls = nullptr;
  std::optional<CostTable> table;
  /// For lookup only.
  mutable DenseMap<Operation *, RecomputeCost> calleeCosts;
};

/// Whether `value` is a view of another value with as many elements.
bool isFullSizeView(Value value);

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_PARTITION_COSTMODEL_H
