//===- UniformValues.h - What all points of an op share ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_CONVERSION_STRUCTURED_UNIFORMVALUES_H
#define RNGDIALECT_CONVERSION_STRUCTURED_UNIFORMVALUES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::rng::structured {

/// Whether what the body of an op loads by itself (`memref.load`), from memory
/// that the op does not write, is the same wherever the indices are the same.
enum class UniformLoads { Excluded, Included };

/// Which values in the body of a structured op on buffers are the same for all
/// of its points: inputs that all points see alike, and what ops without
/// effects and without regions compute of such values. One walk forward through
/// the body, linear in its size. Holds until the body changes.
///
/// This is the one answer to "is this the same for all points?": what reads
/// bodies asks it instead of following operands.
class UniformValues {
public:
  explicit UniformValues(linalg::LinalgOp op,
                         UniformLoads loads = UniformLoads::Excluded);

  /// Whether `value`, which an op of the body itself uses (not one in a region
  /// of it), is the same for all points. What is not defined in the body is.
  bool contains(Value value) const { return !varying.contains(value); }

  bool containsAll(ValueRange values) const {
    return llvm::all_of(values, [&](Value value) { return contains(value); });
  }

private:
  llvm::DenseSet<Value> varying;
};

} // namespace mlir::rng::structured

#endif // RNGDIALECT_CONVERSION_STRUCTURED_UNIFORMVALUES_H
