//===- PartitionReport.cpp - What a partition did, for a reader -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/Partition/PartitionReport.h"
#include "LiveBytes.h"
#include "RngDialect/IR/RngOps.h"
#include "RngDialect/IR/SavedList.h"
#include "RngDialect/Transforms/CutSolver/MinCut.h"
#include "RngDialect/Transforms/Support/ReportFile.h"
#include "SplitOrder.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
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
  sizes.everything = add(sizes.everything, plan.regions.unsavedBytes);
  sizes.everythingMasks =
      add(sizes.everythingMasks, plan.regions.unsavedMaskBytes);
  return sizes;
}

/// The ops of the forward that the backward computes again when it is given
/// `saved`, in its order, without those that have no operands.
static std::vector<unsigned> getRecomputed(const JointGraph &graph,
                                           ArrayRef<unsigned> saved) {
  std::vector<unsigned> ops = orderBackward(graph, saved);
  llvm::erase_if(ops, [&](unsigned op) {
    return graph.getClass(op) != OpClass::Forward ||
           graph.getOperands(op).empty();
  });
  return ops;
}

/// What a cost table says of the times of a report that is complete otherwise.
static void addTimes(PartitionReport &report, const CostModel &model) {
  const CostTable *table = model.getCostTable();
  if (!table)
    return;
  report.costTable = table->name;
  uint64_t moved = 0;
  for (const PartitionReport::Saved &saved : report.saved) {
    if (saved.isPersistent)
      continue;
    moved = add(moved, saved.bytes);
    if (saved.kind == SavedKind::New)
      moved = add(moved, saved.bytes);
  }
  report.saveTime = table->getMoveTime(moved);
  report.recomputeTime = report.recomputeCost;
  report.everythingTime = add(table->getMoveTime(MinCutGraph::saturatingMul(
                                  2, report.sizes.everything)),
                              report.everythingRecomputeCost);
}

PartitionReport
mlir::rng::makePartitionReport(const ReportedPartition &partition) {
  const auto &[graph, plan, model, forwardName, backwardName] = partition;
  PartitionReport report;
  report.forwardName = forwardName.str();
  report.backwardName = backwardName.str();
  report.sizes = measurePartition(graph, plan, model);
  report.objective = plan.objective;
  report.recomputeBound = plan.recomputeBound;

  std::vector<bool> persistent = graph.findPersistent();
  SmallVector<unsigned> saved = plan.getSavedValues();
  for (const SavedValue &entry : plan.saved) {
    Value v = graph.getValue(entry.value);
    Operation *op = v.getDefiningOp();
    report.saved.push_back({entry.kind, entry.index, v.getType(),
                            model.getBytes(v.getType()),
                            persistent[entry.value], isMask(graph, entry.value),
                            op ? op->getName().getStringRef().str() : "",
                            describeLocation(v.getLoc())});
  }
  for (unsigned op : getRecomputed(graph, saved)) {
    Operation *operation = graph.getOp(op);
    uint64_t cost = model.getPrice(model.getRecomputeCost(operation));
    report.recomputed.push_back({operation->getName().getStringRef().str(),
                                 describeLocation(operation->getLoc()), cost});
    report.recomputeCost = add(report.recomputeCost, cost);
  }
  for (const RecomputedWithin &op : plan.regions.recomputed) {
    report.recomputed.push_back({op.op.getStringRef().str(),
                                 describeLocation(op.location), op.cost,
                                 op.within.str()});
    report.recomputeCost = add(report.recomputeCost, op.cost);
  }
  report.peak = getPeakLiveBytes(graph, model, saved);
  std::vector<unsigned> used = getUsedValues(graph, model);
  report.everythingPeak =
      add(getPeakLiveBytes(graph, model, used), plan.regions.unsavedBytes);
  for (unsigned op : getRecomputed(graph, used))
    report.everythingRecomputeCost =
        add(report.everythingRecomputeCost,
            model.getPrice(model.getRecomputeCost(graph.getOp(op))));
  addTimes(report, model);
  return report;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Prints `rows`, the first of them a heading, in columns; of each the numbers
/// of column `rightAligned` end, and all others begin, at the same place.
static void printColumns(llvm::raw_ostream &os,
                         ArrayRef<SmallVector<std::string>> rows,
                         size_t rightAligned) {
  SmallVector<size_t> widths(rows.front().size());
  for (ArrayRef<std::string> row : rows)
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      width = std::max(width, cell.size());
  for (ArrayRef<std::string> row : rows) {
    std::string line;
    llvm::raw_string_ostream text(line);
    for (auto [column, cell] : llvm::enumerate(row)) {
      text << "  ";
      if (column == rightAligned)
        text << llvm::right_justify(cell, widths[column]);
      else
        text << llvm::left_justify(cell, widths[column]);
    }
    os << StringRef(line).rtrim() << "\n";
  }
}

/// "1.5 MiB": `amount` of the first of the `units`, each of which is `step`
/// times the one before, in the largest of which it has one.
static std::string describeAmount(double amount, unsigned step,
                                  ArrayRef<const char *> units,
                                  unsigned digits) {
  for (; units.size() > 1 && amount >= step; units = units.drop_front())
    amount /= step;
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.*f %s", digits, amount, units.front());
  return text;
}

/// A number of bytes for the eye, empty below a KiB.
static std::string describeSize(uint64_t bytes) {
  if (bytes < 1024)
    return "";
  return describeAmount(double(bytes) / 1024, 1024,
                        {"KiB", "MiB", "GiB", "TiB"}, /*digits=*/1);
}

static std::string describeTime(uint64_t femtoseconds) {
  return describeAmount(double(femtoseconds) / 1e6, 1000,
                        {"ns", "us", "ms", "s"}, /*digits=*/3);
}

/// " (1.5 MiB, 12.5 %)", empty if all of `texts` are.
static std::string inBrackets(ArrayRef<std::string> texts) {
  std::string joined;
  for (const std::string &text : texts)
    if (!text.empty())
      joined += (joined.empty() ? "" : ", ") + text;
  return joined.empty() ? joined : " (" + joined + ")";
}

/// "12.5 % of all that is used": what is saved of all that could be.
static std::string describeRatio(const PartitionSizes &sizes) {
  std::string text;
  if (sizes.everything != 0)
    llvm::raw_string_ostream(text)
        << llvm::format("%.1f",
                        100 * double(sizes.saved) / double(sizes.everything))
        << " % of all that is used";
  return text;
}

/// "rng.reserve at f.mlir:3:5", or what of it is known.
static std::string describeOrigin(StringRef op, StringRef location) {
  std::string text = op.str();
  if (!location.empty())
    text += (Twine(op.empty() ? "at " : " at ") + location).str();
  return text;
}

/// How far from the least within the budget the cost of recomputing may be;
/// nothing without a budget.
static SmallVector<std::string, 2>
describeBound(const PartitionReport &report) {
  if (!report.recomputeBound)
    return {};
  uint64_t cost = report.recomputeCost;
  uint64_t gap = cost - std::min(cost, *report.recomputeBound);
  if (gap == 0)
    return {"the least within the budget"};
  // A small gap is not to read as none.
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("at most %.2f %% above the least within the budget",
                      std::max(0.01, 100.0 * gap / cost));
  return {text};
}

void mlir::rng::printPartitionReport(llvm::raw_ostream &os,
                                     const PartitionReport &report) {
  os << "@" << report.forwardName << " saves for @" << report.backwardName
     << ":\n";
  SmallVector<SmallVector<std::string>> rows = {
      {"value", "type", "bytes", "", "from"}};
  for (const PartitionReport::Saved &saved : report.saved) {
    std::string type;
    llvm::raw_string_ostream(type) << saved.type;
    rows.push_back({describeSaved(saved.kind, saved.index), type,
                    std::to_string(saved.bytes), describeSize(saved.bytes),
                    describeOrigin(saved.op, saved.location) +
                        (saved.isPersistent ? " (persistent: free)" : "")});
  }
  printColumns(os, rows, /*rightAligned=*/2);

  struct Total {
    StringRef label;
    uint64_t number;
    StringRef unit;
    /// The same said in other words.
    SmallVector<std::string, 2> asides = {};
  };
  auto bytes = [](StringRef label, uint64_t number) {
    return Total{label, number, " bytes", {describeSize(number)}};
  };
  const PartitionSizes &sizes = report.sizes;
  StringRef costUnit = report.costTable.empty() ? " units" : " fs";
  SmallVector<Total> totals = {
      bytes("saved", sizes.saved),
      bytes("if all that is used were saved", sizes.everything),
      bytes("  of it masks", sizes.everythingMasks)};
  totals.front().asides.push_back(describeRatio(sizes));
  if (sizes.persistent != 0)
    totals.push_back(bytes("persistent, not counted", sizes.persistent));
  totals.append({bytes("peak of the backward", report.peak),
                 bytes("if all that is used were saved", report.everythingPeak),
                 {"ops recomputed", report.recomputed.size(), ""},
                 {"cost of recomputing", report.recomputeCost, costUnit,
                  describeBound(report)},
                 {"cost of the cut", report.objective, costUnit}});
  size_t labelWidth = 0, numberWidth = 0;
  for (const Total &total : totals) {
    labelWidth = std::max(labelWidth, total.label.size());
    numberWidth = std::max(numberWidth, std::to_string(total.number).size());
  }
  for (const Total &total : totals)
    os << "  " << llvm::left_justify(total.label, labelWidth) << "  "
       << llvm::right_justify(std::to_string(total.number), numberWidth)
       << total.unit << inBrackets(total.asides) << "\n";
  if (!report.costTable.empty())
    os << "  estimated time (" << report.costTable
       << "): " << describeTime(report.saveTime) << " to save and reload, "
       << describeTime(report.recomputeTime) << " to recompute; "
       << describeTime(report.everythingTime)
       << " if all that is used were saved\n";

  if (report.recomputed.empty())
    return;
  os << "@" << report.backwardName << " recomputes:\n";
  rows = {{"op", "cost", "from"}};
  for (const PartitionReport::Recomputed &op : report.recomputed)
    rows.push_back(
        {op.op, std::to_string(op.cost),
         describeOrigin("", op.location) +
             (op.within.empty() ? "" : " (in a " + op.within + ")")});
  printColumns(os, rows, /*rightAligned=*/1);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Strings of the IR may be any bytes, those of JSON are UTF-8.
static void writeText(llvm::json::OStream &json, StringRef key,
                      StringRef text) {
  json.attribute(key, llvm::json::fixUTF8(text));
}

static void writeJson(llvm::json::OStream &json,
                      const PartitionReport &report) {
  writeText(json, "forward", report.forwardName);
  writeText(json, "backward", report.backwardName);
  json.attributeArray("saved", [&] {
    for (const PartitionReport::Saved &saved : report.saved)
      json.object([&] {
        json.attribute("kind", stringifySavedKind(saved.kind));
        json.attribute("index", saved.index);
        std::string type;
        llvm::raw_string_ostream(type) << saved.type;
        writeText(json, "type", type);
        json.attribute("bytes", saved.bytes);
        json.attribute("persistent", saved.isPersistent);
        json.attribute("mask", saved.isMask);
        writeText(json, "op", saved.op);
        writeText(json, "location", saved.location);
      });
  });
  json.attributeArray("recomputed", [&] {
    for (const PartitionReport::Recomputed &op : report.recomputed)
      json.object([&] {
        writeText(json, "op", op.op);
        writeText(json, "location", op.location);
        json.attribute("cost", op.cost);
        writeText(json, "within", op.within);
      });
  });
  json.attribute("savedBytes", report.sizes.saved);
  json.attribute("persistentBytes", report.sizes.persistent);
  json.attribute("everythingBytes", report.sizes.everything);
  json.attribute("everythingMaskBytes", report.sizes.everythingMasks);
  json.attribute("peakBytes", report.peak);
  json.attribute("everythingPeakBytes", report.everythingPeak);
  json.attribute("recomputeCost", report.recomputeCost);
  if (report.recomputeBound)
    json.attribute("recomputeCostBound", *report.recomputeBound);
  json.attribute("everythingRecomputeCost", report.everythingRecomputeCost);
  json.attribute("objective", report.objective);
  if (report.costTable.empty())
    return;
  json.attributeObject("estimatedTime", [&] {
    writeText(json, "costTable", report.costTable);
    json.attribute("saveFemtoseconds", report.saveTime);
    json.attribute("recomputeFemtoseconds", report.recomputeTime);
    json.attribute("everythingFemtoseconds", report.everythingTime);
  });
}

void mlir::rng::printPartitionReportsAsJson(llvm::raw_ostream &os,
                                            ArrayRef<PartitionReport> reports) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attributeArray("functions", [&] {
      for (const PartitionReport &report : reports)
        json.object([&] { writeJson(json, report); });
    });
  });
  os << "\n";
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

LogicalResult
mlir::rng::writeReportFiles(Location loc,
                            ArrayRef<ReportedPartition> partitions,
                            const PartitionOptions &options) {
  auto printReport = [&](llvm::raw_ostream &os) {
    std::vector<PartitionReport> reports;
    for (const ReportedPartition &partition : partitions)
      reports.push_back(makePartitionReport(partition));
    if (StringRef(options.reportFile).ends_with(".json"))
      return printPartitionReportsAsJson(os, reports);
    for (const PartitionReport &report : reports)
      printPartitionReport(os, report);
  };
  auto printDot = [&](llvm::raw_ostream &os) {
    for (const ReportedPartition &partition : partitions)
      printPartitionDot(os, partition);
  };
  if (failed(writeReportFile(loc, options.reportFile, "report", printReport)))
    return failure();
  return writeReportFile(loc, options.dotFile, "drawing", printDot);
}
