//===- LoopSizes.h - Which loops have the same size -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_LINALGFUSION_LOOPSIZES_H
#define RNGDIALECT_LIB_CONVERSION_LINALGFUSION_LOOPSIZES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"

#include <map>

namespace mlir::rng::fusion {

/// The sizes of the loops of linalg ops in a basic block and of the tensors
/// that they touch, static and dynamic, in classes: sizes of one class are
/// equal in every run. Known are: what linalg asks of its operands (all that
/// one loop walks have one size), sizes of `tensor.empty`, `tensor.dim`,
/// `tensor.cast` and constants. Near-linear in the number of ops.
class LoopSizes {
public:
  explicit LoopSizes(Block &block);

  /// The classes of the loops of `op`, which is in the basic block. Classes
  /// have numbers that depend on the program only.
  SmallVector<unsigned> getLoops(linalg::LinalgOp op);

private:
  unsigned addClass(std::optional<int64_t> size);
  unsigned getConstant(int64_t size);
  unsigned getDim(Value tensor, int64_t dim);
  unsigned getSize(OpFoldResult size);
  unsigned getLoop(Operation *op, unsigned loop);
  void unite(unsigned a, unsigned b);
  void addOp(linalg::LinalgOp op);

  llvm::IntEqClasses classes;
  /// Of the leader of each class, if static.
  SmallVector<std::optional<int64_t>> sizes;
  /// Any number is a size, so that a hash table has no key to spare.
  std::map<int64_t, unsigned> constants;
  DenseMap<std::pair<Value, int64_t>, unsigned> dims;
  DenseMap<Value, unsigned> scalars;
  DenseMap<std::pair<Operation *, unsigned>, unsigned> loops;
};

} // namespace mlir::rng::fusion

#endif // RNGDIALECT_LIB_CONVERSION_LINALGFUSION_LOOPSIZES_H
