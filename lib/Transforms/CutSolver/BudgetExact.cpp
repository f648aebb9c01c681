//===- BudgetExact.cpp - All choices worth making ---------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops are decided from the last to the first. What is decided later depends on
// what was decided before only through the set of values that are asked for and
// not yet dealt with, so of all ways to one such set only those are kept that
// no other beats in both bytes and work. A value leaves the set with its op,
// or, without one, with its first user.
//
//===----------------------------------------------------------------------===//

#include "BudgetCore.h"

#include <algorithm>

using namespace mlir::rng;
using namespace mlir::rng::cut;

namespace {

class ExactSearch {
public:
  ExactSearch(const BudgetCore &core, uint64_t budget, const CoreChoice *bound);

  std::optional<std::vector<CoreChoice>> run();

private:
  using Word = uint64_t;

  /// A way to a set. The set is at `set` in `words`, the decisions are the list
  /// that starts at `decisions` in `recomputed`.
  struct Way {
    uint64_t bytes;
    uint64_t work;
    size_t set;
    unsigned decisions;
  };
  struct Decision {
    unsigned op;
    unsigned before;
  };

  bool contains(const Way &way, unsigned value) const {
    return words[way.set + value / 64] >> (value % 64) & 1;
  }
  static void set(Word *set, unsigned value) {
    set[value / 64] |= Word(1) << (value % 64);
  }
  static void clear(Word *set, unsigned value) {
    set[value / 64] &= ~(Word(1) << (value % 64));
  }
  bool isHopeless(const Way &way) const;
  /// Appends to `nextWays` the way that goes on from `way` by recomputing `op`,
  /// if `again`, or else by saving its results for `saveBytes`.
  void extend(const Way &way, unsigned op, bool again, uint64_t saveBytes);
  /// False if there are too many ways.
  bool decide(unsigned op);
  void mergeEqualSets();

  const BudgetCore &core;
  const uint64_t budget;
  const CoreChoice *bound;
  const size_t numWords;
  std::vector<Word> words, nextWords;
  std::vector<Way> ways, nextWays;
  std::vector<Decision> recomputed;
  /// For each op: values without a definer that it is the first to use.
  std::vector<std::vector<unsigned>> firstUses;
  uint64_t numSteps = 0;
};

} // namespace

ExactSearch::ExactSearch(const BudgetCore &core, uint64_t budget,
                         const CoreChoice *bound)
    : core(core), budget(budget), bound(bound),
      numWords((core.values.size() + 63) / 64), firstUses(core.ops.size()) {
  std::vector<bool> seen(core.values.size());
  for (unsigned op = 0, e = core.ops.size(); op != e; ++op) {
    for (unsigned i = core.ops[op].firstOperand; i != core.ops[op].endOperand;
         ++i) {
      unsigned value = core.operands[i];
      if (core.values[value].definer == BudgetCore::kNone && !seen[value])
        firstUses[op].push_back(value);
      seen[value] = true;
    }
  }
}

bool ExactSearch::isHopeless(const Way &way) const {
  if (way.bytes > budget)
    return true;
  if (!bound)
    return false;
  return way.work > bound->work ||
         (way.work == bound->work && way.bytes >= bound->bytes);
}

void ExactSearch::mergeEqualSets() {
  auto compareSets = [&](const Way &a, const Way &b) {
    for (size_t i = 0; i != numWords; ++i)
      if (words[a.set + i] != words[b.set + i])
        return words[a.set + i] < words[b.set + i] ? -1 : 1;
    return 0;
  };
  std::stable_sort(ways.begin(), ways.end(), [&](const Way &a, const Way &b) {
    if (int order = compareSets(a, b))
      return order < 0;
    return a.bytes != b.bytes ? a.bytes < b.bytes : a.work < b.work;
  });
  size_t numKept = 0;
  for (const Way &way : ways) {
    if (numKept != 0 && compareSets(ways[numKept - 1], way) == 0 &&
        ways[numKept - 1].work <= way.work)
      continue;
    ways[numKept++] = way;
  }
  ways.resize(numKept);
}

void ExactSearch::extend(const Way &way, unsigned op, bool again,
                         uint64_t saveBytes) {
  const BudgetCore::Op &entry = core.ops[op];
  Way next = way;
  next.set = nextWords.size();
  nextWords.insert(nextWords.end(), words.begin() + way.set,
                   words.begin() + way.set + numWords);
  Word *set = nextWords.data() + next.set;
  for (unsigned r = entry.firstResult; r != entry.endResult; ++r)
    clear(set, r);
  if (again) {
    next.work = MinCutGraph::saturatingAdd(next.work, entry.work);
    for (unsigned i = entry.firstOperand; i != entry.endOperand; ++i) {
      unsigned value = core.operands[i];
      if (core.values[value].definer == BudgetCore::kNone &&
          !contains(way, value))
        next.bytes =
            MinCutGraph::saturatingAdd(next.bytes, core.values[value].bytes);
      ExactSearch::set(set, value);
    }
  } else {
    next.bytes = MinCutGraph::saturatingAdd(next.bytes, saveBytes);
  }
  for (unsigned value : firstUses[op])
    clear(set, value);
  if (isHopeless(next)) {
    nextWords.resize(next.set);
    return;
  }
  if (again) {
    recomputed.push_back({op, way.decisions});
    next.decisions = recomputed.size() - 1;
  }
  nextWays.push_back(next);
}

bool ExactSearch::decide(unsigned op) {
  const BudgetCore::Op &entry = core.ops[op];
  nextWays.clear();
  nextWords.clear();
  for (const Way &way : ways) {
    uint64_t saveBytes = 0;
    bool isNeeded = false;
    for (unsigned r = entry.firstResult; r != entry.endResult; ++r) {
      if (!contains(way, r))
        continue;
      isNeeded = true;
      saveBytes = MinCutGraph::saturatingAdd(saveBytes, core.values[r].bytes);
    }
    // Recomputing first: among equals the choice nearest the arguments stays.
    if (isNeeded)
      extend(way, op, /*again=*/true, saveBytes);
    if (saveBytes != BudgetCore::kInfinite)
      extend(way, op, /*again=*/false, saveBytes);
  }
  ways.swap(nextWays);
  words.swap(nextWords);
  mergeEqualSets();

  // Up to 20 ops the number of ways is no reason to give up: there are never
  // more of them than choices.
  constexpr uint64_t kMaxSteps = 1 << 21;
  numSteps += ways.size() * numWords;
  return core.ops.size() <= 20 || numSteps <= kMaxSteps;
}

std::optional<std::vector<CoreChoice>> ExactSearch::run() {
  Way start{0, 0, 0, BudgetCore::kNone};
  words.assign(numWords, 0);
  for (unsigned value = 0, e = core.values.size(); value != e; ++value) {
    if (!core.values[value].demanded)
      continue;
    set(words.data(), value);
    if (core.values[value].definer == BudgetCore::kNone)
      start.bytes =
          MinCutGraph::saturatingAdd(start.bytes, core.values[value].bytes);
  }
  if (!isHopeless(start))
    ways.push_back(start);
  for (unsigned op = core.ops.size(); op-- != 0;)
    if (!decide(op))
      return std::nullopt;

  std::vector<CoreChoice> choices;
  for (const Way &way : ways) {
    std::vector<bool> wanted(core.ops.size());
    for (unsigned at = way.decisions; at != BudgetCore::kNone;
         at = recomputed[at].before)
      wanted[recomputed[at].op] = true;
    choices.push_back(core.evaluate(std::move(wanted)));
  }
  return choices;
}

std::optional<std::vector<CoreChoice>>
BudgetCore::findAll(uint64_t budget, const CoreChoice *bound) const {
  constexpr size_t kMaxOps = 1024;
  if (ops.size() > kMaxOps)
    return std::nullopt;
  return ExactSearch(*this, budget, bound).run();
}
