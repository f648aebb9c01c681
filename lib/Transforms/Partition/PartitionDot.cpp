//===- PartitionDot.cpp - A drawing of the cut ------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of nodes: "f3" and "b3" are op 3 in the forward and in the backward,
// "fa5" and "ba5" are value 5 as an argument of them, "fr0" and "br0" are their
// results. A saved value crosses once, from its place in the forward to the
// argument of the backward, and fans out there.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/Transforms/Partition/PartitionReport.h"
#include "RngDialect/Transforms/Support/ReportFile.h"
#include "SplitOrder.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::rng;

/// `text` as a quoted string of the language.
static std::string quote(StringRef text) {
  std::string quoted = "\"";
  for (char c : llvm::json::fixUTF8(text)) {
    if (c == '\n')
      quoted += "\\n";
    else if (c == '&') // starts an entity
      quoted += "&amp;";
    else if (c == '"' || c == '\\')
      (quoted += '\\') += c;
    else
      quoted += c;
  }
  return quoted + "\"";
}

/// "64x64xf32" for a tensor, and what is too long for a node cut off.
static std::string shorten(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  StringRef shown = text;
  if (isa<RankedTensorType>(type) &&
      !cast<RankedTensorType>(type).getEncoding() &&
      shown.consume_front("tensor<"))
    shown = shown.drop_back();
  constexpr size_t kMaxLength = 48;
  if (shown.size() > kMaxLength)
    return (shown.take_front(kMaxLength) + "...").str();
  return shown.str();
}

namespace {

constexpr StringLiteral kSavedStyle = "style=filled, fillcolor=lightblue";

class Drawing {
public:
  Drawing(llvm::raw_ostream &os, const JointGraph &graph,
          const PartitionPlan &plan, const CostModel &model)
      : os(os), graph(graph), plan(plan), model(model),
        persistent(graph.findPersistent()), source(graph.getNumValues()) {}

  void draw(StringRef forwardName, StringRef backwardName);

private:
  void drawForward();
  void drawBackward();
  void beginCluster(StringRef cluster, StringRef label);
  void node(const Twine &name, StringRef label, StringRef style = "");
  void box(const Twine &name, StringRef kind, unsigned index, unsigned value,
           bool isSaved = false);
  /// The op itself, the edges to it, and itself as source of its results.
  void op(unsigned number, StringRef prefix, StringRef style = "");
  void edge(unsigned value, const Twine &to);
  bool isTrivial(unsigned op) const;

  llvm::raw_ostream &os;
  const JointGraph &graph;
  const PartitionPlan &plan;
  const CostModel &model;
  std::vector<bool> persistent;
  /// For each value: the node that yields it in the cluster being drawn, empty
  /// if it is not drawn.
  std::vector<std::string> source;
  /// Written after both clusters: an edge inside of a cluster would pull both
  /// of its nodes into it.
  std::string crossings;
};

} // namespace

/// An op whose results have no contents of their own: it is not drawn.
bool Drawing::isTrivial(unsigned op) const {
  Operation *operation = graph.getOp(op);
  return operation->getNumResults() != 0 &&
         llvm::all_of(operation->getResults(), [&](Value result) {
           return !isa<BaseMemRefType>(result.getType()) &&
                  !isFullSizeView(result) &&
                  !model.getReasonNotToSave(result).empty();
         });
}

void Drawing::beginCluster(StringRef cluster, StringRef label) {
  os << "  subgraph " << cluster << " {\n    label=" << quote(label) << ";\n";
  source.assign(graph.getNumValues(), "");
}

void Drawing::node(const Twine &name, StringRef label, StringRef style) {
  os << "    " << name << " [label=" << quote(label);
  if (!style.empty())
    os << ", " << style;
  os << "];\n";
}

void Drawing::box(const Twine &name, StringRef kind, unsigned index,
                  unsigned value, bool isSaved) {
  std::string label = (kind + " " + Twine(index)).str();
  if (persistent[value])
    label += ", persistent";
  label += "\n" + shorten(graph.getValue(value).getType());
  node(name, label,
       isSaved ? ("shape=box, " + kSavedStyle).str() : "shape=box");
}

void Drawing::edge(unsigned value, const Twine &to) {
  if (!source[value].empty())
    os << "    " << source[value] << " -> " << to << ";\n";
}

void Drawing::op(unsigned number, StringRef prefix, StringRef style) {
  if (isTrivial(number))
    return;
  Operation *operation = graph.getOp(number);
  std::string label = operation->getName().getStringRef().str();
  for (Type type : operation->getResultTypes())
    label += "\n" + shorten(type);
  std::string name = (prefix + Twine(number)).str();
  std::string attributes = style.str();
  if (std::string place = describeLocation(operation->getLoc()); !place.empty())
    attributes += (style.empty() ? "tooltip=" : ", tooltip=") + quote(place);
  node(name, label, attributes);
  SmallVector<unsigned> operands(graph.getOperands(number));
  llvm::sort(operands);
  operands.erase(llvm::unique(operands), operands.end());
  for (unsigned operand : operands)
    edge(operand, name);
  for (unsigned result : graph.getResults(number))
    if (source[result].empty())
      source[result] = name;
}

void Drawing::drawForward() {
  std::vector<bool> savedArgument(graph.getNumValues());
  std::vector<bool> savedResult(graph.getPrimals().size());
  SmallVector<unsigned> extra;
  for (const SavedValue &saved : plan.saved) {
    if (saved.kind == SavedKind::Argument)
      savedArgument[saved.value] = true;
    else if (saved.kind == SavedKind::Result)
      savedResult[saved.index] = true;
    else
      extra.push_back(saved.value);
  }

  unsigned index = 0;
  for (unsigned i = 0, e = graph.getNumArguments(); i != e; ++i) {
    if (graph.isCotangent(i))
      continue;
    box("fa" + Twine(i), "argument", index++, i, savedArgument[i]);
    source[i] = "fa" + std::to_string(i);
  }
  for (unsigned number : orderForward(graph, extra))
    op(number, "f");
  for (auto [result, value] : llvm::enumerate(graph.getPrimals())) {
    box("fr" + Twine(result), "result", result, value, savedResult[result]);
    edge(value, "fr" + Twine(result));
  }
  for (const SavedValue &saved : plan.saved) {
    if (saved.kind == SavedKind::New) {
      box("fr" + Twine(saved.index), "new", saved.index, saved.value, true);
      edge(saved.value, "fr" + Twine(saved.index));
    }
    std::string from = saved.kind == SavedKind::Argument
                           ? source[saved.value]
                           : "fr" + std::to_string(saved.index);
    uint64_t bytes = model.getBytes(graph.getValue(saved.value).getType());
    llvm::raw_string_ostream(crossings)
        << "  " << from << " -> ba" << saved.value << " [style=bold, label=\""
        << bytes << " bytes\"];\n";
  }
}

void Drawing::drawBackward() {
  unsigned index = 0;
  auto argument = [&](unsigned value, StringRef kind, bool isSaved) {
    box("ba" + Twine(value), kind, index++, value, isSaved);
    source[value] = "ba" + std::to_string(value);
  };
  SmallVector<unsigned> savedValues = plan.getSavedValues();
  for (unsigned value : savedValues)
    argument(value, "saved", true);
  for (unsigned i = 0, e = graph.getNumArguments(); i != e; ++i)
    if (graph.isCotangent(i))
      argument(i, "cotangent", false);
  for (unsigned number : orderBackward(graph, savedValues))
    op(number, "b",
       graph.getClass(number) == OpClass::Forward ? "style=dashed" : "");
  for (auto [result, value] : llvm::enumerate(graph.getGradients())) {
    box("br" + Twine(result), "gradient", result, value);
    edge(value, "br" + Twine(result));
  }
}

void Drawing::draw(StringRef forwardName, StringRef backwardName) {
  FunctionOpInterface joint = graph.getFunction();
  os << "digraph " << quote(joint.getName()) << " {\n"
     << "  graph [fontname=\"Helvetica\", ranksep=0.3, nodesep=0.15];\n"
     << "  node [fontname=\"Helvetica\", fontsize=10, height=0.3, "
        "margin=\"0.06,0.03\"];\n"
     << "  edge [fontname=\"Helvetica\", fontsize=10, arrowsize=0.6];\n";
  beginCluster("cluster_forward", ("forward: @" + forwardName).str());
  drawForward();
  os << "  }\n";
  beginCluster("cluster_backward", ("backward: @" + backwardName).str());
  drawBackward();
  os << "  }\n" << crossings << "}\n";
}

void mlir::rng::printPartitionDot(llvm::raw_ostream &os,
                                  const ReportedPartition &partition) {
  Drawing(os, partition.graph, partition.plan, partition.model)
      .draw(partition.forwardName, partition.backwardName);
}
