//===- PartitionTest.cpp - The cut with another cost model ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an embedder writes: a cost model of its own, given to
// `partitionJointFunctions`, and costs of the ops of a dialect.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/Partition/Partition.h"
#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/Transforms/Partition/CostInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::rng;

static constexpr const char *kJoint = R"(
func.func @f(%a: tensor<8xf32>, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %e = math.exp %a : tensor<8xf32>
  %y = math.sin %e : tensor<8xf32>
  %da = arith.mulf %d, %e : tensor<8xf32>
  return %y, %da : tensor<8xf32>, tensor<8xf32>
}
)";

static constexpr const char *kBranches = R"(
func.func @f(%c: i1, %a: tensor<8xf32>, %d: tensor<8xf32> {rng.cotangent})
    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {
  %y, %e, %s = scf.if %c -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %exp = math.exp %a : tensor<8xf32>
    %sum = arith.addf %exp, %exp : tensor<8xf32>
    %sin = math.sin %sum : tensor<8xf32>
    scf.yield %sin, %exp, %sum : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  } else {
    scf.yield %a, %a, %a : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  %da = scf.if %c -> (tensor<8xf32>) {
    %de = arith.mulf %d, %e : tensor<8xf32>
    %ds = arith.mulf %de, %s : tensor<8xf32>
    scf.yield %ds : tensor<8xf32>
  } else {
    scf.yield %d : tensor<8xf32>
  }
  return %y, %da : tensor<8xf32>, tensor<8xf32>
}
)";

namespace {
/// Exponentials are never done twice.
struct NoSecondExp : CostModel {
  using CostModel::CostModel;
  RecomputeCost getRecomputeCost(Operation *op) const override {
    RecomputeCost cost = CostModel::getRecomputeCost(op);
    if (isa<math::ExpOp>(op)) {
      cost.kind = RecomputeCost::Discouraged;
      cost.isBarrier = true;
      cost.reason = "is an exponential";
    }
    return cost;
  }
};

/// The same for a whole dialect.
struct DearMath : CostInterface {
  using CostInterface::CostInterface;
  RecomputeCost getRecomputeCost(Operation *, const CostModel &) const final {
    RecomputeCost cost;
    cost.kind = RecomputeCost::Discouraged;
    cost.reason = "is dear";
    return cost;
  }
};
} // namespace

/// Layers of a residual stream, in stretches of three: sums and sines that the
/// backward uses, and exponentials of half the width.
static std::string makeResidualLayers(unsigned numLayers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "func.func @g(%a: tensor<8xf32> {rng.persistent}, "
        "%d0: tensor<8xf32> {rng.cotangent})\n"
        "    -> (tensor<8xf32>, tensor<8xf32> {rng.gradient}) {\n"
        "  %x0 = arith.addf %a, %a : tensor<8xf32>\n";
  for (unsigned i = 1; i <= numLayers; ++i) {
    os << "  %n" << i << " = arith.truncf %x" << i - 1
       << " : tensor<8xf32> to tensor<8xbf16>\n  %e" << i << " = math.exp %n"
       << i << " : tensor<8xbf16>\n  %w" << i << " = arith.extf %e" << i
       << " : tensor<8xbf16> to tensor<8xf32>\n  %s" << i << " = arith.addf %"
       << (i % 3 == 0 ? "w" : "x") << (i % 3 == 0 ? i : i - 1) << ", %w" << i
       << " : tensor<8xf32>\n  %x" << i << " = math.sin %s" << i
       << " : tensor<8xf32>\n";
  }
  for (unsigned i = 1; i <= numLayers; ++i)
    os << "  %t" << i << " = arith.mulf %d" << i - 1 << ", %x"
       << numLayers + 1 - i << " : tensor<8xf32>\n  %d" << i
       << " = arith.mulf %t" << i << ", %s" << numLayers + 1 - i
       << " : tensor<8xf32>\n";
  os << "  return %x" << numLayers << ", %d" << numLayers
     << " : tensor<8xf32>, tensor<8xf32>\n}\n";
  return text;
}

static int failures = 0;

static void check(bool condition, const char *what) {
  if (condition)
    return;
  llvm::errs() << "failed: " << what << "\n";
  ++failures;
}

int main() {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect,
                  RngDialect>();
  registerCostInterfaces(registry);
  MLIRContext context(registry);
  auto parse = [&] { return parseSourceString<ModuleOp>(kJoint, &context); };
  auto makeDefault = [](FunctionOpInterface function) {
    return std::make_unique<CostModel>(DataLayout::closest(function));
  };
  auto makeOther = [](FunctionOpInterface function) {
    return std::make_unique<NoSecondExp>(DataLayout::closest(function));
  };

  OwningOpRef<ModuleOp> module = parse();
  check(bool(module), "the joint function is parsed");
  if (!module)
    return 1;
  auto pairs =
      partitionJointFunctions(*module, PartitionOptions(), makeDefault);
  check(succeeded(pairs) && pairs->size() == 1, "one pair");
  if (succeeded(pairs) && pairs->size() == 1) {
    check(pairs->front().numRecomputed == 1, "the exponential is done again");
    check(pairs->front().backward.getNumArguments() == 2, "one saved value");
    check(!module->lookupSymbol("f"), "the joint function is gone");
  }

  module = parse();
  PartitionOptions options;
  options.keepJoint = true;
  pairs = partitionJointFunctions(*module, options, makeOther);
  check(succeeded(pairs) && pairs->size() == 1, "one pair of the other model");
  if (succeeded(pairs) && pairs->size() == 1) {
    check(pairs->front().numRecomputed == 0, "nothing is done again");
    check(pairs->front().sizes.saved == 32, "the exponential is saved");
    check(pairs->front().forward.getNumResults() == 2, "and returned");
    check(module->lookupSymbol("f"), "the joint function is kept");
  }

  // A target on which memory is slow does what is cheap in bytes, one whose
  // functions are slow saves them.
  for (bool isMemorySlow : {true, false}) {
    std::string error;
    FailureOr<CostTable> table =
        parseCostTable(isMemorySlow ? "base = cpu\nmemory = 0.001\n"
                                    : "base = cpu\nmath = 0.001\n",
                       "table", error);
    check(succeeded(table) && error.empty(), "a cost table");
    if (failed(table))
      continue;
    module = parse();
    pairs = partitionJointFunctions(
        *module, PartitionOptions(), [&](FunctionOpInterface function) {
          auto model =
              std::make_unique<CostModel>(DataLayout::closest(function));
          model->setCostTable(*table);
          return model;
        });
    check(succeeded(pairs) && pairs->size() == 1 &&
              pairs->front().numRecomputed == (isMemorySlow ? 1 : 0),
          "the table decides");
  }
  module = parse();
  check(succeeded(partitionJointFunctions(*module, options, makeOther)),
        "another pair of the other model");

  // A second time the names are taken: an error, and nothing changes.
  std::string before, after;
  llvm::raw_string_ostream(before) << *module;
  context.getDiagEngine().registerHandler([](Diagnostic &) {});
  check(failed(partitionJointFunctions(*module, options, makeOther)),
        "names that are taken");
  llvm::raw_string_ostream(after) << *module;
  check(before == after, "the module is as it was");

  // A dialect with costs of its own keeps them.
  DialectRegistry dear;
  dear.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect,
              RngDialect>();
  dear.addExtension(+[](MLIRContext *, math::MathDialect *dialect) {
    dialect->addInterfaces<DearMath>();
  });
  registerCostInterfaces(dear);
  MLIRContext dearContext(dear);
  module = parseSourceString<ModuleOp>(kJoint, &dearContext);
  pairs = partitionJointFunctions(*module, PartitionOptions(), makeDefault);
  check(succeeded(pairs) && pairs->size() == 1, "one pair of dear functions");
  if (succeeded(pairs) && pairs->size() == 1)
    check(pairs->front().numRecomputed == 0, "what is dear is done once");
  module = {};
  // However many joins there are to judge, the peak is found 64 times at most.
  for (unsigned numLayers : {3u, 300u}) {
    OwningOpRef<ModuleOp> layers =
        parseSourceString<ModuleOp>(makeResidualLayers(numLayers), &context);
    check(bool(layers), "the layers parse");
    auto joint = cast<FunctionOpInterface>(layers->getBody()->front());
    NoSecondExp model(DataLayout::closest(joint));
    FailureOr<JointGraph> graph = JointGraph::build(joint);
    check(succeeded(graph), "the layers are a joint function");
    FailureOr<PartitionPlan> plan = planPartition(*graph, model, CutOptions());
    check(succeeded(plan), "there is a plan");
    check(plan->numPeaks >= 2, "joins are judged");
    check(plan->numPeaks <= 64, "peaks are found a bounded number of times");
  }

  // Branches are cut inside, also where no pass has loaded dialects for that:
  // the exponentials are saved, their sums are not.
  DialectRegistry few;
  few.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect,
             scf::SCFDialect, RngDialect>();
  registerCostInterfaces(few);
  MLIRContext fewContext(few);
  OwningOpRef<ModuleOp> branches =
      parseSourceString<ModuleOp>(kBranches, &fewContext);
  pairs = partitionJointFunctions(*branches, PartitionOptions(), makeOther);
  check(succeeded(pairs) && pairs->size() == 1, "one pair of branches");
  if (succeeded(pairs) && pairs->size() == 1)
    check(pairs->front().sizes.saved == 33, "a condition and a tensor");

  return failures == 0 ? 0 : 1;
}
