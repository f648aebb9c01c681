//===- BlockCount.h - Numbers of stream blocks ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many stream blocks a piece of the program reserves: unknown, a number, or
// a sum of products of trip counts and values that can be built before it runs.
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_BLOCKCOUNT_H
#define RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_BLOCKCOUNT_H

#include "RngDialect/IR/RngOps.h"
#include "RngDialect/Transforms/GeneratorEffects/ThreadableRegion.h"

namespace mlir::rng::effects {

/// Whether `value` is there before `op` runs: neither defined in its regions
/// nor one of their arguments.
bool isDefinedOutside(Operation *op, Value value);

/// A number of stream blocks mod 2^64.
class BlockCount {
public:
  /// Whether a value may be used at the place where a count is to be built.
  using IsAvailableFn = function_ref<bool(Value)>;

  BlockCount(uint64_t constant = 0) : constant(constant) {}
  static BlockCount getUnknown();
  /// The i64 `blocks`.
  static BlockCount get(Value blocks);
  /// By how many `op` advances a generator of `algorithm`. Precondition: it
  /// does advance one.
  static BlockCount get(StateOpInterface op,
                        RngAlgorithmAttrInterface algorithm);

  bool isKnown() const { return known; }
  std::optional<uint64_t> getConstant() const;

  BlockCount &operator+=(const BlockCount &other);
  /// Multiplies by the number of iterations of `loop`.
  void multiplyByTrips(ThreadableRegionOpInterface loop);

  bool operator==(const BlockCount &other) const;
  bool operator!=(const BlockCount &other) const { return !(*this == other); }

  /// Whether the number can be built from available values, by repeating pure
  /// ops where need be.
  bool isBuildable(IsAvailableFn isAvailable) const;
  /// Builds the number (i64). Precondition: `isBuildable`.
  Value build(OpBuilder &b, Location loc, IsAvailableFn isAvailable) const;

private:
  /// A loop (its trips), a state op (its advance) or a value.
  struct Factor {
    Operation *op = nullptr;
    Value value;
    /// Of the generator that a state op advances.
    RngAlgorithmAttrInterface algorithm;
    bool operator==(const Factor &other) const {
      return op == other.op && value == other.value;
    }
    SmallVector<Value> getLeaves() const;
    Value build(OpBuilder &b, Location loc,
                function_ref<Value(Value)> remap) const;
  };
  struct Term {
    uint64_t coefficient;
    SmallVector<Factor, 1> factors;
  };

  explicit BlockCount(Factor factor);

  bool known = true;
  uint64_t constant = 0;
  SmallVector<Term, 1> terms;
};

} // namespace mlir::rng::effects

#endif // RNGDIALECT_TRANSFORMS_GENERATOREFFECTS_BLOCKCOUNT_H
