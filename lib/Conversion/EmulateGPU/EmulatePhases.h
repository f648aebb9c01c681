//===- EmulatePhases.h - Kernels cut at barriers ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What lies between the barriers of a kernel, and which values must outlive
/// it. Of the code, nothing is changed here.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_LIB_CONVERSION_EMULATEGPU_EMULATEPHASES_H
#define RNGDIALECT_LIB_CONVERSION_EMULATEGPU_EMULATEPHASES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include <vector>

namespace mlir::rng::emulate {

/// Whether `op` is the number of a thread or thread block, or a size.
bool isThreadIdOp(Operation *op);

/// Whether `op` allocates once a thread, a size known here: memory like a
/// private attribution.
bool isOwnedAlloca(Operation *op, Region *kernel);

/// Which values of a kernel may differ between the threads of a thread block.
/// Not: constants, arguments, thread block numbers, sizes, what ops without
/// memory compute of such values, and what loops and branches that depend on
/// such values alone make of them.
class Uniformity {
public:
  /// `ids` are the arguments of a launch's body: block ids, thread ids, grid
  /// sizes, thread block sizes; empty for a function.
  Uniformity(Region *kernel, ArrayRef<BlockArgument> ids);

  bool isUniform(Value value) const { return !varying.contains(value); }

  /// Whether all threads of a thread block take `op` (scf.for, scf.if,
  /// scf.while) alike, if all come to it.
  bool isTakenAlike(Operation *op) const;

private:
  void visit(Operation *op);
  void markIf(bool varies, Value value);
  bool anyVarying(ValueRange values) const;

  DenseSet<Value> varying;
  bool changed = false;
};

/// Ops that each thread runs without waiting for others, or a loop or branch
/// with barriers that all threads take alike.
struct Stage {
  SmallVector<Operation *> ops;
  /// scf.for, scf.if or scf.while; null for a stretch of ops.
  Operation *control = nullptr;
  /// One a region of `control`.
  std::vector<std::vector<Stage>> regions;
};

/// The stages of `block`, without its terminator.
std::vector<Stage> splitAtBarriers(Block &block);

/// Which values must outlive the loop over threads that computes them.
class Lifetimes {
public:
  Lifetimes(Region *kernel, ArrayRef<Stage> stages);

  /// In the order in which uses were found.
  ArrayRef<Value> getKept() const { return kept.getArrayRef(); }
  bool isKept(Value value) const { return kept.contains(value); }

  /// What `op` uses and threads compute in some stage.
  SmallVector<Value> getUses(Operation *op) const;

  /// Whether threads compute `value` in some stage.
  bool isOfThreads(Value value) const;

private:
  void number(ArrayRef<Stage> stages);
  void visit(ArrayRef<Stage> stages);
  void visitControl(const Stage &stage);
  void visitUse(Value value, unsigned phase);
  void visitCopies(ValueRange from, ValueRange to);
  void keepForHost(Value value);

  Region *kernel;
  DenseMap<Operation *, unsigned> phaseOf;
  /// Results of loops and branches, and what loops carry.
  DenseSet<Value> carried;
  unsigned numPhases = 0;
  /// Uses that have been found, by value and phase.
  DenseSet<std::pair<Value, unsigned>> visited;
  llvm::SetVector<Value> kept;
};

} // namespace mlir::rng::emulate

#endif // RNGDIALECT_LIB_CONVERSION_EMULATEGPU_EMULATEPHASES_H
