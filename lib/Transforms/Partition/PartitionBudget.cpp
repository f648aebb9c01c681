//===- PartitionBudget.cpp - Budgets as text --------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/CutSolver/MinCut.h"
#include "RngDialect/Transforms/Partition/Partition.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::rng;

/// whole * numerator / kDenominator, rounded down, for numerators up to the
/// denominator; cannot overflow.
static uint64_t takePart(uint64_t whole, uint64_t numerator) {
  uint64_t d = MemoryBudget::kDenominator;
  return whole / d * numerator + whole % d * numerator / d;
}

uint64_t MemoryBudget::getBytes(uint64_t least, uint64_t everything) const {
  if (!isFraction)
    return bytes;
  // Orders to recompute can make the least more than everything.
  return everything <= least ? least
                             : least + takePart(everything - least, numerator);
}

/// Digits after a point, as a numerator over `kDenominator`; those beyond its
/// precision are dropped.
static bool parseDecimals(StringRef digits, uint64_t &numerator) {
  numerator = 0;
  uint64_t unit = MemoryBudget::kDenominator;
  for (char digit : digits) {
    if (!llvm::isDigit(digit))
      return false;
    unit /= 10;
    numerator += unit * (digit - '0');
  }
  return true;
}

FailureOr<MemoryBudget> mlir::rng::parseMemoryBudget(StringRef text,
                                                     std::string &error) {
  auto fail = [&](const Twine &why) -> FailureOr<MemoryBudget> {
    error = ("expected memory-budget to be a number of bytes (1000000, 64KiB, "
             "1.5MiB, 2GiB) or a fraction from 0.0 to 1.0 but got '" +
             text + "'" + why)
                .str();
    return failure();
  };
  StringRef number = text.trim();
  std::optional<uint64_t> unit;
  for (auto [suffix, bytes] :
       {std::pair<StringRef, uint64_t>("KiB", uint64_t(1) << 10),
        {"MiB", uint64_t(1) << 20},
        {"GiB", uint64_t(1) << 30},
        {"TiB", uint64_t(1) << 40}})
    if (!unit && number.consume_back(suffix))
      unit = bytes;
  number = number.rtrim();

  auto [before, after] = number.split('.');
  bool hasPoint = number.contains('.');
  uint64_t whole = 0, part = 0;
  if ((before.empty() && after.empty()) ||
      !llvm::all_of(before, llvm::isDigit) || !parseDecimals(after, part)) {
    char last = number.empty() ? ' ' : number.back();
    if (last == 'B' || last == 'K' || last == 'M' || last == 'G')
      return fail(": the units are KiB, MiB, GiB and TiB");
    return fail("");
  }
  if (!before.empty() && before.getAsInteger(10, whole))
    return fail(", which does not fit 64 bits");

  MemoryBudget budget;
  if (hasPoint && !unit) {
    if (whole > 1 || (whole == 1 && part != 0))
      return fail(": a number with a point and without a unit is a fraction");
    budget.isFraction = true;
    budget.numerator = whole == 1 ? MemoryBudget::kDenominator : part;
    return budget;
  }
  budget.bytes = MinCutGraph::saturatingAdd(
      MinCutGraph::saturatingMul(whole, unit.value_or(1)),
      takePart(unit.value_or(1), part));
  return budget;
}

FailureOr<uint64_t> mlir::rng::parsePeakBudget(StringRef text,
                                               std::string &error) {
  std::string ignored;
  FailureOr<MemoryBudget> budget = parseMemoryBudget(text, ignored);
  if (succeeded(budget) && !budget->isFraction)
    return budget->bytes;
  error = ("expected peak-budget to be a number of bytes (1000000, 64KiB, "
           "1.5MiB, 2GiB) but got '" +
           text + "'")
              .str();
  if (succeeded(budget))
    error += ": a fraction of what is saved says nothing about the peak";
  return failure();
}

//===----------------------------------------------------------------------===//
// The curve
//===----------------------------------------------------------------------===//

void mlir::rng::printParetoHeader(llvm::raw_ostream &os) {
  os << "function,saved_bytes,recompute_cost,recomputed_ops,saved_values\n";
}

void mlir::rng::printParetoCurve(llvm::raw_ostream &os, StringRef function,
                                 ArrayRef<ParetoPoint> points) {
  // A symbol may contain anything.
  std::string name = function.str();
  if (function.find_first_of(",\"\n\r") != StringRef::npos) {
    name = "\"";
    for (char c : function)
      name += c == '"' ? std::string("\"\"") : std::string(1, c);
    name += '"';
  }
  for (const ParetoPoint &point : points)
    os << name << ',' << point.savedBytes << ',' << point.recomputeCost << ','
       << point.numRecomputed << ',' << point.numSaved << '\n';
}
