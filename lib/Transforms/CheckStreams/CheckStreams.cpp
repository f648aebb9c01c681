//===- CheckStreams.cpp - The pass rng-check-streams ------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a module, threaded or not. Out: the same module, and a warning or an
// error for draws that read the same stream blocks, for draws behind the end of
// their reservation, and for suspicious constants.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/CheckStreams/Passes.h"
#include "RngDialect/Transforms/GeneratorEffects/CallGroups.h"
#include "RngDialect/Transforms/GeneratorEffects/ThreadableRegion.h"
#include "StreamFlow.h"
#include "StreamLints.h"
#include "mlir/IR/Remarks.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGCHECKSTREAMSPASS
#include "RngDialect/Transforms/CheckStreams/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::streams;

static void collectGenerators(ModuleOp module, StreamContext &context) {
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto state = dyn_cast<StateOpInterface>(op)) {
      if (state.isOnGenerator())
        context.getGenerator(state.getStateGenerator());
    } else if (auto draws = op->getAttrOfType<ArrayAttr>(RngDialect::kDraws)) {
      for (Attribute generator : draws)
        context.getGenerator(dyn_cast<FlatSymbolRefAttr>(generator));
    }
  });
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Writes "blocks [1, 3)" of a read; where they count from is another matter.
static void printBlocks(Diagnostic &diag, const StreamRead &read) {
  diag << "blocks [";
  if (read.offset.isConstant())
    diag << read.offset.delta << ", " << read.offset.delta + read.blocks;
  else
    diag << int64_t(read.offset.delta) << ", "
         << int64_t(read.offset.delta + read.blocks);
  diag << ")";
}

/// Adds where the draw of a callee is.
static void attachDraw(InFlightDiagnostic &diag, const StreamRead &read) {
  if (read.isInCallee())
    diag.attachNote(read.draw->getLoc())
        << "'" << read.draw->getName() << "' in the function called is here";
}

static StringRef getWayOut(const StreamConflict &conflict) {
  if (conflict.kind == StreamConflict::LoopOverlap)
    return "carry an offset that is advanced past all draws of an iteration";
  if (conflict.first->stateful && !conflict.second->stateful)
    return "the generator was advanced past that state, so reserve blocks for "
           "this draw (rng.reserve)";
  if (conflict.second->stateful)
    return "set the state past the other draw before this one (rng.set_state)";
  return "advance its offset past the other draw (rng.advance)";
}

namespace {
struct RngCheckStreamsPass
    : public rng::impl::RngCheckStreamsPassBase<RngCheckStreamsPass> {
  using Base::Base;

  /// Trip counts are those of threading.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerThreadableRegionModels(registry);
  }

  void runOnOperation() override;

private:
  InFlightDiagnostic report(Operation *op);
  void reportAll(Operation *function, const StreamFlow &flow);
  void report(const StreamFlow &flow, const StreamConflict &conflict);
  void reportRepeatedCall(const StreamConflict &conflict);
  void reportBeyond(const StreamFlow &flow, const StreamRead &read);
  void remark(FunctionOpInterface function, StreamRemark kind, Operation *op);

  bool anyError = false;
};
} // namespace

InFlightDiagnostic RngCheckStreamsPass::report(Operation *op) {
  ++numFindings;
  if (severity == CheckStreamsSeverity::Error) {
    anyError = true;
    return op->emitOpError();
  }
  InFlightDiagnostic diag = op->emitWarning();
  diag << "'" << op->getName() << "' op ";
  return diag;
}

void RngCheckStreamsPass::report(const StreamFlow &flow,
                                 const StreamConflict &conflict) {
  if (conflict.kind == StreamConflict::RepeatedCall)
    return reportRepeatedCall(conflict);
  const StreamRead &first = *conflict.first, &second = *conflict.second;
  InFlightDiagnostic diag = report(second.site);
  diag << "reads ";
  printBlocks(*diag.getUnderlyingDiagnostic(), second);
  if (second.offset.isConstant())
    diag << " of a seed";
  else if (flow.isGeneratorState(second.offset))
    diag << " after the state of the generator at the entry";
  else
    diag << " after an offset";
  if (conflict.kind == StreamConflict::LoopOverlap)
    diag << ", which the iteration before reads, too: ";
  else
    diag << ", which another draw reads, too: ";
  diag << getWayOut(conflict);
  attachDraw(diag, second);
  Diagnostic &note = diag.attachNote(first.site->getLoc());
  note << "'" << first.draw->getName() << "' reads ";
  printBlocks(note, first);
  note << " here";
  attachDraw(diag, first);
}

void RngCheckStreamsPass::reportRepeatedCall(const StreamConflict &conflict) {
  // It may be on purpose: dropout of a gradient is dropout of its activation.
  const StreamRead &first = *conflict.first, &second = *conflict.second;
  ++numFindings;
  InFlightDiagnostic diag = second.site->emitWarning();
  diag << "'" << second.site->getName()
       << "' op draws the numbers of another call of the same function: unless "
          "that is on purpose, give each call an offset of its own";
  attachDraw(diag, second);
  diag.attachNote(first.site->getLoc()) << "the other call is here";
}

void RngCheckStreamsPass::reportBeyond(const StreamFlow &flow,
                                       const StreamRead &read) {
  InFlightDiagnostic diag = report(read.site);
  diag << "reads blocks behind the end of a reservation of "
       << flow.getReservedBlocks(read)
       << ", which belong to others: reserve as many blocks as are drawn";
  attachDraw(diag, read);
  diag.attachNote(flow.getReservation(read)->getLoc()) << "reserved here";
}

void RngCheckStreamsPass::remark(FunctionOpInterface function,
                                 StreamRemark kind, Operation *op) {
  auto emit = [&](StringRef name, const char *text) {
    remark::analysis(op->getLoc(), remark::RemarkOpts::name(name)
                                       .category("rng-check-streams")
                                       .function(function.getName()))
        << text;
  };
  switch (kind) {
  case StreamRemark::RepeatsInLoop:
    return emit("RepeatsInLoop",
                "seed and offset are the same in all iterations of the loop, "
                "and so are the numbers");
  case StreamRemark::UnknownCall:
    return emit("UnknownCall", "what the function called draws is not known");
  case StreamRemark::UnknownRegion:
    return emit("UnknownRegion",
                "what the regions of the operation draw is not looked at");
  case StreamRemark::UncertainPath:
    return emit("UncertainPath",
                "reads what another draw reads if both run in one run, which "
                "depends on conditions");
  case StreamRemark::TooMany:
    return emit("TooMany", "has too many draws to compare all of them");
  }
}

void RngCheckStreamsPass::reportAll(Operation *function,
                                    const StreamFlow &flow) {
  // One mistake may show in each of a hundred thousand draws, and to print an
  // operation takes as long as its function is.
  constexpr unsigned kMost = 20;
  unsigned count = 0, numRepeated = 0;
  for (const StreamConflict &conflict : flow.conflicts) {
    unsigned &counter =
        conflict.kind == StreamConflict::RepeatedCall ? numRepeated : count;
    if (counter++ < kMost)
      report(flow, conflict);
  }
  for (const StreamRead *read : flow.beyond)
    if (count++ < kMost)
      reportBeyond(flow, *read);
  if (count > kMost) {
    report(function) << "has " << count - kMost
                     << " more draws that read what others read";
    numFindings += count - kMost - 1;
  }
}

void RngCheckStreamsPass::runOnOperation() {
  ModuleOp module = getOperation();
  markAllAnalysesPreserved();
  StreamContext context;
  collectGenerators(module, context);
  // Findings point into the flows, and come in the order of the module.
  DenseMap<Operation *, std::unique_ptr<StreamFlow>> flows;
  for (const effects::CallGroup &group : effects::getCallGroups(module))
    for (FunctionOpInterface function : group.functions) {
      auto flow = std::make_unique<StreamFlow>(function, context);
      flow->run();
      numDraws += flow->getNumReads();
      flows[function] = std::move(flow);
    }

  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (lintDraw(op))
      ++numLints;
    auto it = flows.find(op);
    if (it == flows.end())
      return;
    const StreamFlow &flow = *it->second;
    reportAll(op, flow);
    for (auto [kind, place] : flow.remarks)
      remark(cast<FunctionOpInterface>(op), kind, place);
  });
  if (anyError)
    signalPassFailure();
}
