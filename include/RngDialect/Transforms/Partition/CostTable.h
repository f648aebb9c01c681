//===- CostTable.h - What a target takes for its work -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The speed of a target. A cost model with such a table weighs time, in
/// femtoseconds: that of writing and reading what is saved against that of
/// computing it again.
///
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_PARTITION_COSTTABLE_H
#define RNGDIALECT_TRANSFORMS_PARTITION_COSTTABLE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace mlir::rng {

struct RecomputeCost;

/// What the units of `RecomputeCost::work` are spent on. A table has a rate for
/// each kind.
enum class WorkKind : uint8_t {
  /// Arithmetic of one element: all work that is not said to be another.
  Arith,
  /// Functions such as exp.
  Math,
  /// Draws.
  Draw,
  /// Contractions, by their operands: f64; f32; floats of 16 bits; all that is
  /// narrower, and integers.
  ContractionF64,
  ContractionF32,
  ContractionF16,
  ContractionI8
};
constexpr unsigned kNumWorkKinds = 7;

/// How fast a target is. Times are integers of femtoseconds and saturate.
struct CostTable {
  /// Of a built-in table, or the file it is read from.
  std::string name;
  /// Millions of bytes a second that memory reads or writes.
  uint64_t memory = 0;
  /// Millions a second, by `WorkKind`: additions of an element, math functions,
  /// uniform draws of f32 under the default algorithm, additions and products
  /// of a contraction.
  std::array<uint64_t, kNumWorkKinds> rates = {};
  /// Femtoseconds that starting a contraction, a reduction or an op that is not
  /// known takes.
  uint64_t launch = 0;
  /// Femtoseconds that a byte saved weighs beyond its time.
  uint64_t memoryWeight = 0;

  /// The time to read or write so many bytes.
  uint64_t getMoveTime(uint64_t bytes) const;
  /// The time to write `bytes` and read them again, and their weight.
  uint64_t getSaveCost(uint64_t bytes) const;
  /// The larger of computing and moving, and the launches.
  uint64_t getTime(const RecomputeCost &cost) const;
};

/// The table that comes with the project under `name` ("cpu", "h100"), if any.
std::optional<CostTable> getBuiltInCostTable(StringRef name);

/// Reads a table: a line each of `key = value`, `#` begins a comment. `name` is
/// that of the file, for errors. Fails and says in `error` the line, what is
/// wrong with it and what is allowed.
FailureOr<CostTable> parseCostTable(StringRef text, StringRef name,
                                    std::string &error);

/// The built-in table of that name, else that of the file; fails as
/// `parseCostTable` does.
FailureOr<CostTable> loadCostTable(StringRef nameOrFile, std::string &error);

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_PARTITION_COSTTABLE_H
