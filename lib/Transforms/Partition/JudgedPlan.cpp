//===- JudgedPlan.cpp - Far joins, judged by the peak -----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JudgedPlan.h"
#include "LiveBytes.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::cut;

static constexpr unsigned kNone = JointGraph::kNone;
static constexpr unsigned kMaxPeaks = 64;

namespace {

/// How a plan comes by the values that its backward uses.
enum class Way : uint8_t { Unused, Saved, Recomputed };

class FarJoinJudge {
public:
  FarJoinJudge(const JointGraph &graph, const CostModel &model,
               const CutPrices &prices, const PartitionPlan &closed,
               const PartitionPlan &open, ReadCut readCut)
      : graph(graph), prices(prices), memory(graph, model), readCut(readCut),
        closedWay(findWays(closed)), openWay(findWays(open)) {}

  PartitionPlan judge(const PartitionPlan &closed, const PartitionPlan &open);

private:
  /// A plan with what it is judged by.
  struct Judged {
    PartitionPlan plan;
    /// What the cut pays for all that the plan saves.
    uint64_t savePrice;
    /// Live bytes of the backward at its peak.
    uint64_t peak;
  };

  std::vector<Way> findWays(const PartitionPlan &plan) const;
  bool tiesTogether(unsigned value) const;
  void findPieces();
  bool isCut(unsigned value) const;
  Judged measure(PartitionPlan plan);
  void tryPieces(unsigned first, unsigned last);

  const JointGraph &graph;
  const CutPrices &prices;
  const LiveBytesModel memory;
  const ReadCut readCut;
  const std::vector<Way> closedWay, openWay;
  /// The piece of each value, `kNone` where the plans agree.
  std::vector<unsigned> pieceOf;
  unsigned numPieces = 0;
  /// Of each piece, whether the plan so far does as `open`.
  std::vector<bool> isOpen;
  Judged best;
  unsigned numPeaks = 0;
};

} // namespace

std::vector<Way> FarJoinJudge::findWays(const PartitionPlan &plan) const {
  std::vector<Way> ways(graph.getNumValues(), Way::Unused);
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op)
    if (plan.inBackward[op])
      for (unsigned result : graph.getResults(op))
        ways[result] = Way::Recomputed;
  for (const SavedValue &saved : plan.saved)
    ways[saved.value] = Way::Saved;
  return ways;
}

/// Whether the uses of a value are decided about together: a seed, a constant
/// or a parameter that all layers use costs none of them anything.
bool FarJoinJudge::tiesTogether(unsigned value) const {
  Value v = graph.getValue(value);
  return isa<ShapedType>(v.getType()) && !prices.isPersistent(value) &&
         (isFullSizeView(v) || !prices.getSavePrice(value).isNever());
}

/// Numbers the connected sets of values that the plans come by in different
/// ways, in order of definition.
void FarJoinJudge::findPieces() {
  auto differs = [&](unsigned value) {
    return closedWay[value] != openWay[value];
  };
  llvm::IntEqClasses sets(graph.getNumValues());
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op) {
    if (!graph.isFreeOfCotangents(op))
      continue;
    unsigned first = kNone;
    auto join = [&](unsigned value) {
      if (!differs(value) || !tiesTogether(value))
        return;
      if (first == kNone)
        first = value;
      sets.join(first, value);
    };
    // Only through results: two users of one value are joined by its definer.
    llvm::for_each(graph.getResults(op), join);
    if (first != kNone)
      llvm::for_each(graph.getOperands(op), join);
  }
  pieceOf.assign(graph.getNumValues(), kNone);
  std::vector<unsigned> numberOf(graph.getNumValues(), kNone);
  for (unsigned value = 0, e = graph.getNumValues(); value != e; ++value) {
    if (!differs(value))
      continue;
    unsigned &number = numberOf[sets.findLeader(value)];
    if (number == kNone)
      number = numPieces++;
    pieceOf[value] = number;
  }
  isOpen.assign(numPieces, false);
}

bool FarJoinJudge::isCut(unsigned value) const {
  unsigned piece = pieceOf[value];
  bool asOpen = piece != kNone && isOpen[piece];
  Way way = asOpen ? openWay[value] : closedWay[value];
  // A value without a use in the plan of its own piece may be used by another
  // piece; then the other plan says whether it is saved.
  if (way == Way::Unused)
    way = asOpen ? closedWay[value] : openWay[value];
  return way == Way::Saved;
}

FarJoinJudge::Judged FarJoinJudge::measure(PartitionPlan plan) {
  SmallVector<unsigned> saved = plan.getSavedValues();
  uint64_t savePrice = 0;
  for (unsigned value : saved)
    savePrice =
        MinCutGraph::saturatingAdd(savePrice, prices.getSavePrice(value).units);
  ++numPeaks;
  return {std::move(plan), savePrice, memory.getPeak(saved)};
}

/// Takes the pieces from `first` up to `last` if that is good, else tries the
/// halves.
void FarJoinJudge::tryPieces(unsigned first, unsigned last) {
  if (numPeaks == kMaxPeaks)
    return;
  std::fill(isOpen.begin() + first, isOpen.begin() + last, true);
  Judged next = measure(readCut([&](unsigned value) { return isCut(value); }));
  if (next.savePrice < best.savePrice && next.peak <= best.peak) {
    best = std::move(next);
    return;
  }
  std::fill(isOpen.begin() + first, isOpen.begin() + last, false);
  if (last - first == 1)
    return;
  unsigned middle = first + (last - first) / 2;
  tryPieces(first, middle);
  tryPieces(middle, last);
}

PartitionPlan FarJoinJudge::judge(const PartitionPlan &closed,
                                  const PartitionPlan &open) {
  if (closedWay == openWay)
    return closed;
  best = measure(closed);
  Judged all = measure(open);
  if (all.savePrice <= best.savePrice && all.peak <= best.peak) {
    best = std::move(all);
  } else {
    findPieces();
    if (numPieces > 1) {
      tryPieces(0, numPieces / 2);
      tryPieces(numPieces / 2, numPieces);
    }
  }
  best.plan.numPeaks = numPeaks;
  return std::move(best.plan);
}

PartitionPlan mlir::rng::cut::judgeFarJoins(
    const JointGraph &graph, const CostModel &model, const CutPrices &prices,
    const std::vector<bool> &farJoins, const PartitionPlan &closed,
    const PartitionPlan &open, ReadCut readCut) {
  PartitionPlan plan = FarJoinJudge(graph, model, prices, closed, open, readCut)
                           .judge(closed, open);
  // A join that the open cut has no use for either stays as it is for its
  // price, not for the rule.
  for (unsigned op = 0, e = graph.getNumOps(); op != e; ++op)
    plan.closedJoins[op] =
        farJoins[op] && open.inBackward[op] && !plan.inBackward[op];
  return plan;
}
