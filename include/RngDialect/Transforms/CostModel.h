//===- CostModel.h - What saving and recomputing cost --------- -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The costs that the partition of a joint function weighs. A compiler with ops
/// of its own derives from `CostModel` and hands its model to
/// `partitionJointFunctions` (Partition.h).
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_COSTMODEL_H
#define RNGDIALECT_TRANSFORMS_COSTMODEL_H

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
};

/// The costs of ops and types. All numbers are integers that saturate at
/// `MinCutGraph::kMaxFinite` and never wrap.
class CostModel {
public:
  static constexpr uint64_t kUnitsPerByte = 1024;
  static constexpr uint64_t kArithWork = 1;
  static constexpr uint64_t kMathWork = 8;
  /// A Philox draw.
  static constexpr uint64_t kDrawWork = 48;

  /// `layout` gives the sizes of element types; a dynamic dimension counts as
  /// `dynamicSize`.
  explicit CostModel(DataLayout layout, uint64_t dynamicSize = 128);
  virtual ~CostModel();

  /// Number of elements of a shaped type, 1 for any other.
  uint64_t getNumElements(Type type) const;

  /// Bytes that a value of this type takes: elements times the size of the
  /// element type, of which i1 takes a byte. Types of unknown size count 8.
  virtual uint64_t getBytes(Type type) const;

  /// Why `value` is not to be saved ("is a constant"), empty if it may be:
  /// constants, `tensor.empty` and fills of one, views with as many elements as
  /// their source (these are rebuilt for nothing), and memory.
  virtual StringRef getReasonNotToSave(Value value) const;

  /// What executing `op` again costs.
  virtual RecomputeCost getRecomputeCost(Operation *op) const;

protected:
  /// Work of an op for each element that it yields, none if not known.
  virtual std::optional<uint64_t> getWorkPerElement(Operation *op) const;

private:
  RecomputeCost getStructuredCost(Operation *op) const;

  DataLayout layout;
  uint64_t dynamicSize;
};

/// Whether `value` is a view of another value with as many elements.
bool isFullSizeView(Value value);

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_COSTMODEL_H
