//===- CostTable.cpp - What a target takes for its work ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/Partition/CostTable.h"
#include "DialectCosts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

static constexpr uint64_t kFemtosecondsPerPicosecond = 1000;
static constexpr uint64_t kFemtosecondsPerNanosecond = 1000000;
/// In millions a second.
static constexpr uint64_t kMaxRate = 1000000000000;

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// Femtoseconds of `count` at `rate` millions a second, rounded up.
static uint64_t divide(uint64_t count, uint64_t rate) {
  uint64_t time = count / rate, rest = count % rate;
  // Three digits at a time: the rest is below 48 * 10^12 and so fits.
  for (unsigned digits = 0; digits != 3; ++digits) {
    rest *= 1000;
    time = add(mul(time, 1000), rest / rate);
    rest %= rate;
  }
  return add(time, rest != 0);
}

/// Units of `RecomputeCost::work` in one of what a rate counts.
static uint64_t getUnits(WorkKind kind) {
  if (kind == WorkKind::Math)
    return CostModel::kMathWork;
  return kind == WorkKind::Draw ? CostModel::kDrawWork : CostModel::kArithWork;
}

uint64_t CostTable::getMoveTime(uint64_t bytes) const {
  return divide(bytes, memory);
}

uint64_t CostTable::getSaveCost(uint64_t bytes) const {
  return add(getMoveTime(mul(2, bytes)), mul(memoryWeight, bytes));
}

uint64_t CostTable::getTime(const RecomputeCost &cost) const {
  uint64_t computing = 0;
  uint64_t arith = cost.work;
  for (unsigned kind = 0; kind != kNumWorkKinds; ++kind) {
    uint64_t work = cost.special[kind];
    arith -= std::min(arith, work);
    computing =
        add(computing, divide(work, rates[kind] * getUnits(WorkKind(kind))));
  }
  computing = add(computing, divide(arith, rates[unsigned(WorkKind::Arith)]));
  return add(std::max(computing, getMoveTime(cost.movedBytes)),
             mul(cost.launches, launch));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

namespace {
/// A key of a file, the place of its value, and what the value is counted in:
/// so many of the integers kept make one.
struct Key {
  StringRef name;
  uint64_t &value;
  uint64_t scale;
  bool isRate;
};
} // namespace

static std::array<Key, kNumWorkKinds + 3> getKeys(CostTable &table) {
  auto rate = [&](WorkKind kind) -> uint64_t & {
    return table.rates[unsigned(kind)];
  };
  return {{{"memory", table.memory, 1000, true},
           {"arith", rate(WorkKind::Arith), 1000, true},
           {"math", rate(WorkKind::Math), 1000, true},
           {"draw", rate(WorkKind::Draw), 1000, true},
           {"contraction-f64", rate(WorkKind::ContractionF64), 1000, true},
           {"contraction-f32", rate(WorkKind::ContractionF32), 1000, true},
           {"contraction-f16", rate(WorkKind::ContractionF16), 1000, true},
           {"contraction-i8", rate(WorkKind::ContractionI8), 1000, true},
           {"launch", table.launch, kFemtosecondsPerNanosecond, false},
           {"memory-weight", table.memoryWeight, kFemtosecondsPerPicosecond,
            false}}};
}

std::optional<CostTable> mlir::rng::getBuiltInCostTable(StringRef name) {
  CostTable table;
  table.name = name.str();
  if (name == "cpu") {
    // One core of an AMD EPYC with plain loops that GCC vectorised, measured by
    // benchmarks/cost_table.py. To start a loop costs nothing to speak of.
    table.memory = 14800;
    table.rates = {37200, 2020, 452, 15200, 33800, 33800, 25500};
    return table;
  }
  if (name == "h100") {
    // NVIDIA H100 SXM, from its data sheet: 3.35 TB/s; dense rates of tensor
    // cores for f64 (67 TFLOPS), tf32 (494), f16 and bf16 (989), int8 (1979).
    // From the throughput table of the CUDA programming guide (compute
    // capability 9.0; 132 multiprocessors at 1.83 GHz): 128 additions and 16
    // special functions a cycle and 64 integer instructions. Estimates: a math
    // function takes two of the former, a draw some 30 of the latter, and a
    // kernel in a graph starts in 2 us.
    table.memory = 3350000;
    table.rates = {30900000,  1930000,   515000,    67000000,
                   494000000, 989000000, 1979000000};
    table.launch = 2000 * kFemtosecondsPerNanosecond;
    return table;
  }
  return std::nullopt;
}

/// Reads a decimal number times `scale`, a power of ten, rounded down.
static bool parseNumber(StringRef text, uint64_t scale, uint64_t &number) {
  auto [before, after] = text.split('.');
  if (before.empty() || !llvm::all_of(before, llvm::isDigit) ||
      !llvm::all_of(after, llvm::isDigit) || before.getAsInteger(10, number))
    return false;
  number = mul(number, scale);
  for (char digit : after) {
    scale /= 10;
    number = add(number, scale * (digit - '0'));
  }
  return true;
}

FailureOr<CostTable> mlir::rng::parseCostTable(StringRef text, StringRef name,
                                               std::string &error) {
  CostTable table;
  table.name = name.str();
  unsigned lineNumber = 0;
  auto fail = [&](const Twine &why) {
    error = (name + ":" + Twine(lineNumber) + ": " + why).str();
    return failure();
  };
  auto keys = getKeys(table);
  std::array<bool, std::tuple_size<decltype(keys)>::value> seen = {};
  bool hasBase = false, hasAny = false;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    ++lineNumber;
    line = line.split('#').first.trim();
    if (line.empty())
      continue;
    auto [key, value] = line.split('=');
    key = key.trim();
    value = value.trim();
    if (!line.contains('=') || value.empty())
      return fail("expected 'key = value' but got '" + line + "'");
    if (key == "base") {
      if (hasAny || hasBase)
        return fail("'base' has to be the first key: move it up");
      std::optional<CostTable> base = getBuiltInCostTable(value);
      if (!base)
        return fail("there is no table '" + value +
                    "' to begin with: use cpu or h100");
      // Member by member, for the keys refer to the members of `table`.
      table.memory = base->memory;
      table.rates = base->rates;
      table.launch = base->launch;
      table.memoryWeight = base->memoryWeight;
      hasBase = true;
      continue;
    }
    hasAny = true;
    const Key *found =
        llvm::find_if(keys, [&](const Key &k) { return k.name == key; });
    if (found == keys.end()) {
      auto names = llvm::map_range(keys, [](const Key &k) { return k.name; });
      return fail("there is no key '" + key + "': use one of base, " +
                  llvm::join(names, ", "));
    }
    bool &wasSeen = seen[found - keys.begin()];
    if (wasSeen)
      return fail("'" + key + "' is given twice: remove one of them");
    wasSeen = true;
    if (!parseNumber(value, found->scale, found->value))
      return fail("expected '" + key + "' to be a decimal number but got '" +
                  value + "'");
    if (found->isRate && found->value == 0)
      return fail("'" + key +
                  "' is zero, so that it would take forever: give 0.001 "
                  "or more");
    if (found->value > kMaxRate * (found->isRate ? 1 : found->scale))
      return fail("'" + key + "' does not fit: give at most 10^9");
  }
  for (auto [key, wasSeen] : llvm::zip_equal(keys, seen))
    if (!hasBase && key.isRate && !wasSeen) {
      error = (name + ": the table has no '" + key.name +
               "': add it, or begin with 'base = cpu' or 'base = h100'")
                  .str();
      return failure();
    }
  return table;
}

FailureOr<CostTable> mlir::rng::loadCostTable(StringRef nameOrFile,
                                              std::string &error) {
  if (std::optional<CostTable> table = getBuiltInCostTable(nameOrFile))
    return *table;
  auto file = llvm::MemoryBuffer::getFile(nameOrFile, /*IsText=*/true);
  if (!file) {
    error = ("cost-table is '" + nameOrFile +
             "', which is neither cpu nor h100 nor a file that can be read: " +
             file.getError().message())
                .str();
    return failure();
  }
  return parseCostTable((*file)->getBuffer(), nameOrFile, error);
}
