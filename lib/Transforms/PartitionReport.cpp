//===- PartitionReport.cpp - The table of what is saved ------- -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngOps.h"
#include "RngDialect/Transforms/MinCut.h"
#include "RngDialect/Transforms/Partition.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::rng;

static uint64_t add(uint64_t a, uint64_t b) {
  return MinCutGraph::saturatingAdd(a, b);
}

/// A random draw, or booleans: what frameworks call a mask.
static bool isMask(const JointGraph &graph, unsigned value) {
  Value v = graph.getValue(value);
  auto shaped = dyn_cast<ShapedType>(v.getType());
  return shaped && (shaped.getElementType().isInteger(1) ||
                    v.getDefiningOp<StatelessDrawOpInterface>());
}

/// The values of the forward that the backward uses, as they are when nothing
/// is recomputed, in order.
static std::vector<unsigned> getUsedValues(const JointGraph &graph,
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

PartitionSizes mlir::rng::measurePartition(const JointGraph &graph,
                                           const PartitionPlan &plan,
                                           const CostModel &model) {
  std::vector<bool> persistent = graph.findPersistent();
  PartitionSizes sizes;
  for (const SavedValue &saved : plan.saved) {
    uint64_t bytes = model.getBytes(graph.getValue(saved.value).getType());
    uint64_t &sum = persistent[saved.value] ? sizes.persistent : sizes.saved;
    sum = add(sum, bytes);
  }
  for (unsigned value : getUsedValues(graph, model)) {
    if (persistent[value])
      continue;
    uint64_t bytes = model.getBytes(graph.getValue(value).getType());
    sizes.everything = add(sizes.everything, bytes);
    if (isMask(graph, value))
      sizes.everythingMasks = add(sizes.everythingMasks, bytes);
  }
  return sizes;
}

/// Where a value comes from, for a reader: "rng.reserve at f.mlir:3:5".
static std::string describeOrigin(const JointGraph &graph, unsigned value) {
  Value v = graph.getValue(value);
  std::string text;
  if (Operation *op = v.getDefiningOp())
    text = op->getName().getStringRef().str();
  if (auto loc = v.getLoc()->findInstanceOf<FileLineColLoc>()) {
    StringRef file = loc.getFilename().getValue();
    text += (text.empty() ? "" : " ") +
            llvm::formatv("at {0}:{1}:{2}", file.substr(file.rfind('/') + 1),
                          loc.getLine(), loc.getColumn())
                .str();
  }
  return text;
}

void mlir::rng::printPartitionReport(
    llvm::raw_ostream &os, const JointGraph &graph, const PartitionPlan &plan,
    const CostModel &model, StringRef forwardName, StringRef backwardName) {
  struct Row {
    std::string kind, type, bytes, origin;
  };
  std::vector<bool> persistent = graph.findPersistent();
  std::vector<Row> rows = {{"value", "type", "bytes", "from"}};
  for (const SavedValue &saved : plan.saved) {
    Row row;
    row.kind =
        (stringifySavedKind(saved.kind) + " " + Twine(saved.index)).str();
    Type type = graph.getValue(saved.value).getType();
    llvm::raw_string_ostream(row.type) << type;
    row.bytes = std::to_string(model.getBytes(type));
    row.origin = describeOrigin(graph, saved.value);
    if (persistent[saved.value])
      row.origin += " (persistent: free)";
    rows.push_back(std::move(row));
  }
  size_t kindWidth = 0, typeWidth = 0, bytesWidth = 0;
  for (const Row &row : rows) {
    kindWidth = std::max(kindWidth, row.kind.size());
    typeWidth = std::max(typeWidth, row.type.size());
    bytesWidth = std::max(bytesWidth, row.bytes.size());
  }

  os << "@" << forwardName << " saves for @" << backwardName << ":\n";
  for (const Row &row : rows) {
    os << "  " << llvm::left_justify(row.kind, kindWidth) << "  "
       << llvm::left_justify(row.type, typeWidth) << "  "
       << llvm::right_justify(row.bytes, bytesWidth);
    if (!row.origin.empty())
      os << "  " << row.origin;
    os << "\n";
  }

  PartitionSizes sizes = measurePartition(graph, plan, model);
  std::vector<std::pair<std::string, uint64_t>> totals = {
      {"saved", sizes.saved},
      {"if all that is used were saved", sizes.everything},
      {"  of it masks", sizes.everythingMasks}};
  if (sizes.persistent != 0)
    totals.emplace_back("persistent, not counted", sizes.persistent);
  size_t labelWidth = 0, totalWidth = 0;
  for (const auto &[label, bytes] : totals) {
    labelWidth = std::max(labelWidth, label.size());
    totalWidth = std::max(totalWidth, std::to_string(bytes).size());
  }
  for (const auto &[label, bytes] : totals)
    os << "  " << llvm::left_justify(label, labelWidth) << "  "
       << llvm::right_justify(std::to_string(bytes), totalWidth) << " bytes\n";
  os << "  " << llvm::left_justify("ops recomputed", labelWidth) << "  "
     << llvm::right_justify(std::to_string(plan.numRecomputed), totalWidth)
     << "\n";
}
