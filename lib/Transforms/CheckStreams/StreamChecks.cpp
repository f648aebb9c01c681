//===- StreamChecks.cpp - Which reads of a stream are faults ----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `rng-check-streams` makes of the reads that the walk through a function
// found.
//
//===----------------------------------------------------------------------===//

#include "StreamFlow.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

void StreamFlow::checkRepetition(const StreamRead &read) {
  auto loop = read.draw->getParentOfType<LoopLikeOpInterface>();
  if (!loop || !function->isProperAncestor(loop))
    return;
  // The pieces of one draw, a piece an iteration.
  auto draw = cast<StatelessDrawOpInterface>(read.draw);
  if (draw.hasSlice() &&
      llvm::any_of(draw.getMixedSliceOffsets(),
                   [](OpFoldResult offset) { return isa<Value>(offset); }))
    return;
  for (StreamValue value : {read.seed, read.offset})
    for (Block *block : bases.getBlocks(value))
      if (loop->isAncestor(block->getParentOp()))
        return;
  remarks.try_emplace(StreamRemark::RepeatsInLoop, read.draw);
}

/// Reads of one function, copies for other places included.
static constexpr size_t kMostReads = 500000;

/// Regions, one in another, through which a read is followed outwards: each
/// draw of a nest is seen from so many of the loops around it.
static constexpr unsigned kMostLevels = 32;

/// Whether a read starts before the value that the callee, or the loop, speaks
/// of: what draws there looks back on purpose.
static bool looksBack(StreamValue offset) {
  return !offset.isConstant() && int64_t(offset.delta) < 0;
}

bool StreamFlow::areOperandsEqual(Operation *a, Operation *b) {
  if (a->getNumOperands() != b->getNumOperands())
    return false;
  for (auto [operandA, operandB] :
       llvm::zip(a->getOperands(), b->getOperands())) {
    if (operandA == operandB)
      continue;
    if (operandA.getType() != operandB.getType())
      return false;
    Attribute constantA, constantB;
    bool areEqual = isStateType(operandA.getType())
                        ? getValue(operandA) == getValue(operandB)
                        : matchPattern(operandA, m_Constant(&constantA)) &&
                              matchPattern(operandB, m_Constant(&constantB)) &&
                              constantA == constantB;
    if (!areEqual)
      return false;
  }
  return true;
}

std::optional<StreamConflict::Kind>
StreamFlow::classify(const StreamRead &first, const StreamRead &second) {
  // One draw; or two of one function, called once or twice at one state, where
  // they are reported. But what the callee takes for two places may be one.
  bool sameSite = first.site == second.site;
  if (sameSite && !first.isInCallee())
    return std::nullopt;
  bool sameCallee =
      first.isInCallee() && second.isInCallee() &&
      (sameSite || context.getCallee(cast<CallOpInterface>(first.site)) ==
                       context.getCallee(cast<CallOpInterface>(second.site)));
  bool sameState = sameCallee && first.calleeSeed == second.calleeSeed &&
                   first.calleeOffset.base == second.calleeOffset.base &&
                   first.offset.delta - first.calleeOffset.delta ==
                       second.offset.delta - second.calleeOffset.delta;
  if (sameState && (sameSite || first.offset.delta != second.offset.delta ||
                    compareDraws(first.draw, second.draw) != SameDraw::Yes))
    return std::nullopt;

  // What a stateful draw drew is drawn again by a stateless one at a state that
  // the program sets: a comparison. At a state that it got, the draw may as
  // well not know that the generator was advanced past it.
  if (first.offset == second.offset && first.stateful != second.stateful &&
      first.offset.isConstant() && first.seed.isConstant() &&
      compareDraws(first.draw, second.draw) != SameDraw::No)
    return std::nullopt;

  StreamConflict::Kind kind = StreamConflict::Overlap;
  if (first.offset.delta == second.offset.delta &&
      first.stateful == second.stateful) {
    SameDraw same = compareDraws(first.draw, second.draw);
    if (same == SameDraw::Maybe)
      return std::nullopt;
    if (same == SameDraw::Yes) {
      // The same numbers again: on purpose, unless it is the calls of one
      // function that come too close, or have the same state.
      if (sameSite || !sameCallee)
        return std::nullopt;
      if (!sameState) {
        if (looksBack(first.calleeOffset) || looksBack(second.calleeOffset))
          return std::nullopt;
      } else {
        if (hasCotangents || areOperandsEqual(first.site, second.site))
          return std::nullopt;
        kind = StreamConflict::RepeatedCall;
      }
    }
  }

  SmallVector<Block *> redefinitions;
  for (StreamValue value : {first.seed, first.offset})
    llvm::append_range(redefinitions, bases.getBlocks(value));
  switch (paths.runTogether(first.site, second.site, redefinitions,
                            first.conditional, second.conditional)) {
  case Together::Certainly:
    return kind;
  case Together::Perhaps:
    remarks.try_emplace(StreamRemark::UncertainPath, second.site);
    return std::nullopt;
  case Together::Never:
    return std::nullopt;
  }
  return std::nullopt;
}

void StreamFlow::checkReads() {
  SmallVector<const StreamRead *> all;
  for (const StreamRead &read : reads)
    all.push_back(&read);
  if (!findConflicts(
          all, /*stride=*/std::nullopt,
          [&](const StreamRead &a, const StreamRead &b) {
            return classify(a, b);
          },
          found))
    remarks.try_emplace(StreamRemark::TooMany, function);
}

/// The reads [begin, end) with a base of `known`, in order.
SmallVector<unsigned> StreamFlow::getReadsOf(const KnownBases &known,
                                             unsigned begin,
                                             unsigned end) const {
  SmallVector<unsigned> result;
  for (const auto &[base, value] : known)
    if (auto it = readsOfBase.find(base); it != readsOfBase.end())
      for (unsigned read : it->second)
        if (begin <= read && read < end)
          result.push_back(read);
  llvm::sort(result);
  result.erase(llvm::unique(result), result.end());
  return result;
}

void StreamFlow::replaceInvariants(unsigned begin,
                                   ArrayRef<LoopValue> loopValues) {
  KnownBases known;
  for (const LoopValue &value : loopValues)
    if (value.stride == uint64_t(0))
      known[value.phi.base] = value.init;
  for (unsigned i : getReadsOf(known, begin, reads.size())) {
    for (StreamValue *value : {&reads[i].seed, &reads[i].offset})
      if (auto it = known.find(value->base); it != known.end())
        *value = it->second + value->delta;
    indexRead(i);
  }
}

void StreamFlow::addReadsAs(Operation *op, unsigned begin, unsigned end,
                            const KnownBases &known) {
  for (unsigned i : getReadsOf(known, begin, end)) {
    StreamRead read = reads[i];
    bool isChanged = false;
    for (StreamValue *value : {&read.seed, &read.offset})
      if (auto it = known.find(value->base); it != known.end()) {
        *value = it->second + value->delta;
        isChanged = true;
      }
    // Under a condition it may be that of another run of the region.
    if (!isChanged || !StreamPaths::runsAlways(read.within, op))
      continue;
    if (read.level == kMostLevels || reads.size() >= kMostReads) {
      remarks.try_emplace(StreamRemark::TooMany, op);
      continue;
    }
    ++read.level;
    if (isa<LoopLikeOpInterface>(op))
      read.within = op;
    read.reservation = -1;
    pushRead(read);
  }
}

void StreamFlow::checkIterations(Operation *loop, unsigned begin, unsigned end,
                                 ArrayRef<LoopValue> loopValues) {
  for (const LoopValue &value : loopValues) {
    if (!value.stride || *value.stride == 0)
      continue;
    SmallVector<const StreamRead *> carried;
    KnownBases known;
    known[value.phi.base] = value.init;
    for (unsigned i : getReadsOf(known, begin, end)) {
      const StreamRead &read = reads[i];
      if (read.offset.base != value.phi.base || read.conditional ||
          !StreamPaths::runsAlways(read.within, loop))
        continue;
      // The seed has to be that of the next iteration, too.
      bool sameSeed =
          llvm::none_of(bases.getBlocks(read.seed), [&](Block *block) {
            return loop->isAncestor(block->getParentOp());
          });
      if (sameSeed)
        carried.push_back(&read);
    }
    auto classify =
        [&](const StreamRead &first,
            const StreamRead &second) -> std::optional<StreamConflict::Kind> {
      // Looking back at what the iteration before drew is done on purpose.
      if (first.offset.delta == second.offset.delta + *value.stride &&
          first.stateful == second.stateful &&
          (looksBack(first.offset) || looksBack(second.offset)) &&
          compareDraws(first.draw, second.draw) != SameDraw::No)
        return std::nullopt;
      return StreamConflict::LoopOverlap;
    };
    if (!findConflicts(carried, value.stride, classify, found))
      remarks.try_emplace(StreamRemark::TooMany, loop);
  }
}

uint64_t StreamFlow::getReservedBlocks(const StreamRead &read) const {
  return reservations[read.reservation].blocks.value_or(0);
}

Operation *StreamFlow::getReservation(const StreamRead &read) const {
  return reservations[read.reservation].op;
}

/// Whether `reservation` and others that this function made, which follow it
/// without a gap, hold all stream blocks of `read`.
bool StreamFlow::isReserved(const StreamRead &read,
                            const Reservation &reservation) const {
  uint64_t covered = 0;
  for (bool isProgress = true; isProgress;) {
    isProgress = false;
    for (const Reservation &other : reservations) {
      if (other.seed != reservation.seed ||
          other.start.base != reservation.start.base)
        continue;
      uint64_t from = read.offset.delta + covered - other.start.delta;
      uint64_t size = other.blocks.value_or(uint64_t(1) << 63);
      if (from >= size)
        continue;
      if (size - from >= read.blocks - covered)
        return true;
      isProgress = true;
      covered += size - from;
    }
  }
  return false;
}

void StreamFlow::checkReservations() {
  // Each one is looked for among all reservations.
  unsigned budget = 100;
  for (const StreamRead &read : reads) {
    if (read.reservation < 0)
      continue;
    const Reservation &reservation = reservations[read.reservation];
    if (!reservation.blocks || read.seed != reservation.seed ||
        read.offset.base != reservation.start.base || found.contains(read.site))
      continue;
    uint64_t relative = read.offset.delta - reservation.start.delta;
    // Looking back at earlier stream blocks may be done on purpose.
    if (int64_t(relative) < 0 ||
        (relative < *reservation.blocks &&
         read.blocks <= *reservation.blocks - relative))
      continue;
    // A program that reserves nothing, or that sets the state, means the read.
    if (reservation.blocks == uint64_t(0) ||
        (reservation.generator < numGenerators && sets[reservation.generator]))
      continue;
    // So does a program that uses the memory once more.
    auto state = dyn_cast<StateOpInterface>(reservation.op);
    if (state && !state.isOnGenerator() && !state.getStateMemory().hasOneUse())
      continue;
    if (budget-- == 0)
      return;
    if (!isReserved(read, reservation))
      beyond.push_back(&read);
  }
}
