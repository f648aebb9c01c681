//===- LiveBytes.cpp - Memory that a backward needs -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiveBytes.h"
#include "RngDialect/Transforms/CutSolver/MinCut.h"
#include "SplitOrder.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::rng;

std::vector<unsigned> mlir::rng::getUsedValues(const JointGraph &graph,
                                               const CostModel &model) {
  std::vector<bool> reached(graph.getNumValues());
  std::vector<unsigned> stack;
  auto reach = [&](unsigned value) {
    if (!reached[value])
      stack.push_back(value);
    reached[value] = true;
  };
  graph.forEachDemand([&](unsigned value, Operation *) { reach(value); });
  std::vector<unsigned> used;
  while (!stack.empty()) {
    unsigned value = stack.back();
    stack.pop_back();
    unsigned op = graph.getDefiningOp(value);
    if (op == JointGraph::kNone ||
        (graph.getClass(op) == OpClass::Forward &&
         model.getReasonNotToSave(graph.getValue(value)).empty())) {
      used.push_back(value);
      continue;
    }
    for (unsigned operand : graph.getOperands(op))
      reach(operand);
  }
  llvm::sort(used);
  return used;
}

LiveBytesModel::LiveBytesModel(const JointGraph &graph, const CostModel &model)
    : graph(graph), bytes(graph.getNumValues()), isView(graph.getNumValues()) {
  for (unsigned i = 0, e = graph.getNumArguments(); i != e; ++i)
    if (graph.isCotangent(i))
      cotangents.push_back(i);
  std::vector<bool> persistent = graph.findPersistent();
  for (unsigned value = 0, e = graph.getNumValues(); value != e; ++value) {
    Value v = graph.getValue(value);
    isView[value] = isFullSizeView(v);
    if (!persistent[value] &&
        (isView[value] || model.getReasonNotToSave(v).empty()))
      bytes[value] = model.getBytes(v.getType());
  }
}

namespace mlir::rng {

/// The bytes that are live, in the order of one backward.
class LiveBytesRun {
public:
  explicit LiveBytesRun(const LiveBytesModel &model)
      : graph(model.graph), bytes(model.bytes), isView(model.isView),
        root(llvm::to_vector(llvm::seq(graph.getNumValues()))),
        isLive(graph.getNumValues()) {}

  uint64_t getPeak(ArrayRef<unsigned> arguments, ArrayRef<unsigned> order);

private:
  static constexpr unsigned kNever = ~0u;

  /// Whether `op` may write its result over `operand` when that dies with it.
  bool writesOver(unsigned op, unsigned operand, unsigned result) const;

  void define(unsigned value) {
    if (!isLive[value])
      live = MinCutGraph::saturatingAdd(live, bytes[value]);
    isLive[value] = true;
    peak = std::max(peak, live);
  }
  void release(unsigned value) {
    // A sum that saturated stays a bound, not an exact number.
    if (isLive[value])
      live -= std::min(live, bytes[value]);
    isLive[value] = false;
  }

  const JointGraph &graph;
  const std::vector<uint64_t> &bytes;
  const std::vector<bool> &isView;
  /// The value whose bytes a value shares.
  SmallVector<unsigned> root;
  std::vector<bool> isLive;
  uint64_t live = 0, peak = 0;
};

} // namespace mlir::rng

bool LiveBytesRun::writesOver(unsigned op, unsigned operand,
                              unsigned result) const {
  Operation *operation = graph.getOp(op);
  Value from = graph.getValue(operand), to = graph.getValue(result);
  if (from.getType() != to.getType())
    return false;
  if (OpTrait::hasElementwiseMappableTraits(operation))
    return true;
  auto destinationOp = dyn_cast<DestinationStyleOpInterface>(operation);
  if (!destinationOp || llvm::count(graph.getOperands(op), operand) != 1)
    return false;
  OpOperand *init = destinationOp.getTiedOpOperand(cast<OpResult>(to));
  return init && init->get() == from;
}

uint64_t LiveBytesRun::getPeak(ArrayRef<unsigned> arguments,
                               ArrayRef<unsigned> order) {
  std::vector<bool> isArgument(graph.getNumValues());
  for (unsigned value : arguments)
    isArgument[value] = true;
  for (unsigned op : order)
    for (unsigned result : graph.getResults(op))
      if (!isArgument[result] && isView[result])
        root[result] = root[graph.getOperands(op).front()];

  // The step after which a value is dead: the number of ops for a gradient.
  std::vector<unsigned> lastUse(graph.getNumValues(), kNever);
  for (auto [step, op] : llvm::enumerate(order))
    for (unsigned operand : graph.getOperands(op))
      lastUse[root[operand]] = step;
  for (unsigned gradient : graph.getGradients())
    lastUse[root[gradient]] = order.size();

  for (unsigned value : arguments)
    define(value);
  for (unsigned value : arguments)
    if (lastUse[value] == kNever)
      release(value);
  for (auto [step, op] : llvm::enumerate(order)) {
    // A result that the forward saved is computed again beside others.
    uint64_t unused = 0;
    for (unsigned result : graph.getResults(op)) {
      if (isArgument[result]) {
        unused = MinCutGraph::saturatingAdd(unused, bytes[result]);
        continue;
      }
      if (root[result] != result)
        continue;
      for (unsigned operand : graph.getOperands(op)) {
        unsigned over = root[operand];
        if (isLive[over] && !isArgument[over] && lastUse[over] == step &&
            writesOver(op, operand, result)) {
          release(over);
          break;
        }
      }
      define(result);
    }
    peak = std::max(peak, MinCutGraph::saturatingAdd(live, unused));
    for (unsigned result : graph.getResults(op))
      if (root[result] == result && lastUse[result] == kNever)
        release(result);
    for (unsigned operand : graph.getOperands(op))
      if (lastUse[root[operand]] == step)
        release(root[operand]);
  }
  return peak;
}

uint64_t LiveBytesModel::getPeak(ArrayRef<unsigned> saved) const {
  SmallVector<unsigned> arguments(saved);
  llvm::append_range(arguments, cotangents);
  return LiveBytesRun(*this).getPeak(arguments, orderBackward(graph, saved));
}

uint64_t mlir::rng::getPeakLiveBytes(const JointGraph &graph,
                                     const CostModel &model,
                                     ArrayRef<unsigned> saved) {
  return LiveBytesModel(graph, model).getPeak(saved);
}
