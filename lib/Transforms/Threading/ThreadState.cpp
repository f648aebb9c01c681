//===- ThreadState.cpp - Stateful draws become stateless --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: functions that draw from generators. Out: stateless draws at states that
// are SSA values, read once at the entry of a public function (or given to it)
// and passed through calls. Three steps: analyse (DrawingFunctions), refuse
// what cannot be threaded (ThreadChecks), rewrite; only the last one changes
// the module. Here are the functions: their signatures and twins, how the state
// comes in and goes out. ThreadRegion is what happens in between.
//
//===----------------------------------------------------------------------===//

#include "BackwardState.h"
#include "RngDialect/Transforms/JointFunctions/JointGraph.h"
#include "RngDialect/Transforms/Support/ReportFile.h"
#include "ThreadChecks.h"
#include "ThreadRegion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "rng-thread-state"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGTHREADSTATEPASS
#include "RngDialect/Transforms/Threading/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::effects;
using namespace mlir::rng::threading;

using Entry = ThreadStateEntry;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {
class Threader {
public:
  Threader(DrawingFunctions &functions, ModuleOp module, Entry entry,
           bool hasTable)
      : functions(functions), entry(entry), symbolTable(module),
        regions(functions, getSeedType(module.getContext(), entry)),
        seedType(getSeedType(module.getContext(), entry)) {
    regions.hasTable = hasTable;
  }

  void run();
  ArrayRef<DrawTableRow> getTable() { return regions.table; }

  unsigned numDraws = 0;
  unsigned numFunctions = 0;

private:
  /// One body to rewrite: that of a function, or of its twin.
  struct Body {
    DrawingFunction *function;
    FunctionOpInterface op;
    StateSource source;
    /// Where the backward takes generators over; none of a body that calls
    /// reach, which stays whole.
    std::map<GeneratorNumber, HandOver> handOvers;
    /// What it does to the generators that it uses, before hand-overs: as its
    /// callers know it, and as its own ops say.
    StateEffects effects, ownEffects;
    /// The generators whose stream blocks have all been reserved, at the entry
    /// and at a hand-over.
    std::map<GeneratorNumber, bool> isReserved, isReservedInBackward;
    /// The states that the forward leaves at hand-overs.
    ThreadedStates forwardEnds;
    /// The first argument that brings state, and the first that brings the
    /// state of the backward.
    unsigned firstState = 0, firstBackwardState = 0;
    /// Whether a forward names it as its backward.
    bool isBackward = false;
  };

  static Type getSeedType(MLIRContext *context, Entry entry) {
    if (entry == Entry::Memory)
      return getSnapshotType(context);
    return IntegerType::get(context, 64);
  }

  void addBody(DrawingFunction &function, FunctionOpInterface op,
               StateSource source);
  void makeTwin(DrawingFunction &function, StateSource source);
  void addSignature(Body &body);
  ThreadedState readGenerator(OpBuilder &b, Location loc,
                              GeneratorNumber generator, Value blocks,
                              bool inBackward, std::string origin);
  ThreadedState readMemory(OpBuilder &b, Location loc, Value memory,
                           Value blocks);
  void writeState(Body &body, OpBuilder &b, Location loc,
                  GeneratorNumber generator, const StateEffect &effect,
                  ThreadedState &state, bool inBackward);
  ThreadedStates openStates(Body &body);
  void handOver(Body &body, Operation *op, ThreadedStates &states);
  void closeStates(Body &body, Operation *exit, ThreadedStates &states);
  void threadBody(Body &body);
  void remark(Body &body);

  DrawingFunctions &functions;
  Entry entry;
  SymbolTable symbolTable;
  RegionThreader regions;
  Type seedType;
  SmallVector<Body, 0> bodies;
};
} // namespace

void Threader::makeTwin(DrawingFunction &function, StateSource source) {
  auto op = cast<func::FuncOp>(function.op);
  func::FuncOp twin = op.cloneWithoutRegions();
  // A joint function stays whole: partitioning it wants its body.
  if (isJointFunction(op)) {
    IRMapping mapping;
    op.getBody().cloneInto(&twin.getBody(), mapping);
  } else {
    twin.getBody().takeBody(op.getBody());
    OpBuilder b = OpBuilder::atBlockBegin(op.addEntryBlock());
    for (auto [to, from] : llvm::zip(op.getArguments(), twin.getArguments()))
      to.setLoc(from.getLoc());
    auto call = func::CallOp::create(b, op.getLoc(), op, op.getArguments());
    func::ReturnOp::create(b, op.getLoc(), call.getResults());
  }

  // The twin belongs to this module alone, not what the attributes speak of.
  twin.setName((op.getName() + "_threaded").str());
  twin.setPrivate();
  for (StringRef name :
       {StringRef(RngDialect::kBackward), StringRef(RngDialect::kSaved),
        StringRef("llvm.emit_c_interface")})
    twin->removeAttr(name);
  for (unsigned i = 0, e = twin.getNumArguments(); i != e; ++i)
    twin.removeArgAttr(
        i, StringAttr::get(twin.getContext(), RngDialect::kCotangent));
  for (unsigned i = 0, e = twin.getNumResults(); i != e; ++i)
    twin.removeResultAttr(
        i, StringAttr::get(twin.getContext(), RngDialect::kGradient));
  symbolTable.insert(twin, std::next(op->getIterator()));
  regions.targets[op] = twin;
  addBody(function, op, source);
  addBody(function, twin, StateSource::Arguments);
}

void Threader::addBody(DrawingFunction &function, FunctionOpInterface op,
                       StateSource source) {
  Body body{&function, op, source};
  body.effects = function.effects;
  bool isCalled = function.called && source == StateSource::Arguments;
  if (op == function.op && !isCalled) {
    body.handOvers = function.handOvers;
    for (const auto &[generator, handOver] : body.handOvers)
      body.effects[generator] = handOver.before;
  }
  body.isBackward = op == function.op &&
                    llvm::any_of(function.references, [&](Operation *user) {
                      return isForwardOf(user, function);
                    });
  bodies.push_back(std::move(body));
}

/// Appends the arguments and results that the state of `body` takes: those of
/// the forward, then those of the backward.
void Threader::addSignature(Body &body) {
  if (body.source == StateSource::Generator)
    return;
  auto op = cast<func::FuncOp>(body.op);
  MLIRContext *context = op.getContext();
  Type i64 = IntegerType::get(context, 64);
  SmallVector<Type> arguments, results;
  SmallVector<DictionaryAttr> argumentAttrs, resultAttrs;
  // Marked only where there are two states to tell apart.
  auto getAttrs = [&](GeneratorNumber generator, StringRef mark) {
    NamedAttrList attrs;
    FlatSymbolRefAttr symbol = functions.getSymbol(generator);
    Attribute unit = UnitAttr::get(context);
    if (!body.handOvers.empty())
      attrs.set(RngDialect::kState, symbol ? symbol : unit);
    if (!mark.empty())
      attrs.set(mark, unit);
    return attrs.getDictionary(context);
  };
  auto add = [&](GeneratorNumber generator, const StateEffect &effect,
                 StringRef argumentMark, StringRef resultMark) {
    if (body.source == StateSource::Memory)
      arguments.push_back(MemRefType::get({2}, i64));
    else
      arguments.append({seedType, i64});
    argumentAttrs.resize(arguments.size(), getAttrs(generator, argumentMark));
    if (body.source != StateSource::Arguments)
      return;
    llvm::append_range(results,
                       getStateResultTypes({{generator, effect}}, seedType));
    resultAttrs.resize(results.size(), getAttrs(generator, resultMark));
  };
  body.firstState = op.getNumArguments();
  for (const auto &[generator, effect] : body.effects)
    add(generator, effect, "", "");
  body.firstBackwardState = body.firstState + arguments.size();
  for (const auto &[generator, handOver] : body.handOvers)
    add(generator, handOver.after, RngDialect::kCotangent,
        RngDialect::kGradient);
  // Inserting into a function type cannot fail.
  if (body.handOvers.empty())
    argumentAttrs.clear(), resultAttrs.clear();
  (void)op.insertArguments(
      SmallVector<unsigned>(arguments.size(), op.getNumArguments()), arguments,
      argumentAttrs, SmallVector<Location>(arguments.size(), op.getLoc()));
  (void)op.insertResults(
      SmallVector<unsigned>(results.size(), op.getNumResults()), results,
      resultAttrs);
}

void Threader::run() {
  for (DrawingFunction &function : functions.getFunctions()) {
    if (!function.threaded || function.isOpaque()) {
      LDBG() << "skipped '@" << function.op.getName() << "': "
             << (function.threaded          ? "is a declaration"
                 : function.effects.empty() ? "uses no state"
                                            : "only manages state");
      continue;
    }
    ++numFunctions;
    numDraws += llvm::count_if(function.steps, [](Operation *step) {
      auto state = dyn_cast<StateOpInterface>(step);
      return state && state.drawsFromGenerator();
    });
    StateSource source = getStateSource(function, entry);
    if (needsTwin(function, entry)) {
      makeTwin(function, source);
      continue;
    }
    if (source == StateSource::Arguments)
      regions.targets[function.op] = cast<func::FuncOp>(function.op);
    addBody(function, function.op, source);
  }
  llvm::for_each(bodies, [&](Body &body) { addSignature(body); });
  llvm::for_each(bodies, [&](Body &body) { threadBody(body); });
}

//===----------------------------------------------------------------------===//
// Where states come from and go to
//===----------------------------------------------------------------------===//

/// The state of a generator of the process; reserves `blocks` stream blocks
/// of it, if given.
ThreadedState Threader::readGenerator(OpBuilder &b, Location loc,
                                      GeneratorNumber generator, Value blocks,
                                      bool inBackward, std::string origin) {
  FlatSymbolRefAttr symbol = functions.getSymbol(generator);
  Type i64 = b.getI64Type();
  Operation *read =
      blocks ? ReserveOp::create(b, loc, i64, i64, symbol, blocks)
             : GetStateOp::create(b, loc, i64, i64, symbol).getOperation();
  if (inBackward)
    read->setAttr(RngDialect::kInBackward, b.getUnitAttr());
  // A function that keeps its signature calls those that pass snapshots.
  if (isSnapshotType(seedType))
    return {
        tensor::FromElementsOp::create(b, loc, seedType, read->getResults()),
        {},
        origin};
  return {read->getResult(0), read->getResult(1), origin};
}

/// The state in `memory`; reserves `blocks` stream blocks of it, if given.
ThreadedState Threader::readMemory(OpBuilder &b, Location loc, Value memory,
                                   Value blocks) {
  if (!blocks)
    blocks = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  Value snapshot = ReserveMemoryOp::create(b, loc, seedType, memory, blocks);
  return {snapshot, {}, "entry"};
}

/// The states at the start of a body.
ThreadedStates Threader::openStates(Body &body) {
  Block &block = body.op.getFunctionBody().front();
  Location loc = body.op.getLoc();
  OpBuilder b = OpBuilder::atBlockBegin(&block);
  // Arguments of the program are there at the entry, others can be rebuilt; but
  // a forward has no cotangents.
  auto isAvailable = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == &block &&
           (body.handOvers.empty() ||
            !body.op.getArgAttr(argument.getArgNumber(),
                                RngDialect::kCotangent));
  };
  ThreadedStates states;
  unsigned argument = body.firstState;
  for (const auto &[generator, unused] : body.effects) {
    ThreadedState &state = states[generator];
    if (body.source == StateSource::Arguments) {
      state = {block.getArgument(argument), block.getArgument(argument + 1),
               "argument"};
      argument += 2;
      continue;
    }
    const StateEffect &effect = body.ownEffects[generator];
    bool &reserved = body.isReserved[generator];
    Value blocks;
    if (effect.advances && effect.blocks.isBuildable(isAvailable)) {
      reserved = true;
      if (effect.blocks.getConstant() != 0)
        blocks = effect.blocks.build(b, loc, isAvailable);
    }
    state = body.source == StateSource::Memory
                ? readMemory(b, loc, block.getArgument(argument++), blocks)
                : readGenerator(b, loc, generator, blocks, body.isBackward,
                                "entry");
  }
  return states;
}

/// Writes `state` to where `body` has it from, unless what `effect` did to it
/// has been reserved.
void Threader::writeState(Body &body, OpBuilder &b, Location loc,
                          GeneratorNumber generator, const StateEffect &effect,
                          ThreadedState &state, bool inBackward) {
  auto &isReserved = inBackward ? body.isReservedInBackward : body.isReserved;
  if (!effect.advances || isReserved[generator])
    return;
  if (body.source == StateSource::Generator) {
    auto [seed, offset] = state.getPair(b, loc);
    auto set = SetStateOp::create(b, loc, functions.getSymbol(generator), seed,
                                  offset);
    if (inBackward || body.isBackward)
      set->setAttr(RngDialect::kInBackward, b.getUnitAttr());
    return;
  }
  // The memories follow the order of the generators.
  unsigned memory = inBackward ? body.firstBackwardState : body.firstState;
  if (inBackward)
    memory +=
        std::distance(body.handOvers.begin(), body.handOvers.find(generator));
  else
    memory += std::distance(body.effects.begin(), body.effects.find(generator));
  Value buffer = body.op.getFunctionBody().getArgument(memory);
  if (effect.reseeds) {
    auto write = bufferization::MaterializeInDestinationOp::create(
        b, loc, state.getSeed(), buffer);
    write.setRestrict(true);
    write.setWritable(true);
  }
  ReserveMemoryOp::create(b, loc, seedType, buffer, state.getOffset(b, loc));
}

/// At `op` the backward takes generators over: what the forward leaves goes
/// where the forward's state goes, and the backward's is read anew.
void Threader::handOver(Body &body, Operation *op, ThreadedStates &states) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Block &block = *op->getBlock();
  auto isBefore = [&](Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getOwner() == &block;
    return value.getParentBlock() == &block &&
           value.getDefiningOp()->isBeforeInBlock(op);
  };
  unsigned argument = body.firstBackwardState;
  for (const auto &[generator, handOver] : body.handOvers) {
    unsigned number = argument;
    argument += body.source == StateSource::Memory ? 1 : 2;
    if (handOver.start != op)
      continue;
    ThreadedState &state = states[generator];
    if (body.source == StateSource::Arguments) {
      // The values that are returned are made here, not behind the backward.
      (void)state.getOffset(b, loc);
      body.forwardEnds[generator] = state;
      state = {block.getArgument(number), block.getArgument(number + 1),
               "argument of the backward"};
      continue;
    }
    writeState(body, b, loc, generator, handOver.before, state,
               /*inBackward=*/false);
    // Asked for anew: what has been threaded so far may have replaced values
    // that the first answer names.
    StateEffectsAnalysis current(functions);
    StateEffect after;
    for (Operation *next = op; next; next = next->getNextNode()) {
      StateEffects effects = current.getEffects(next);
      if (auto it = effects.find(generator); it != effects.end())
        after.add(it->second);
    }
    Value blocks;
    if (!after.reseeds && after.blocks.isBuildable(isBefore)) {
      body.isReservedInBackward[generator] = true;
      blocks = after.blocks.build(b, loc, isBefore);
    }
    state = body.source == StateSource::Memory
                ? readMemory(b, loc, block.getArgument(number), blocks)
                : readGenerator(b, loc, generator, blocks, /*inBackward=*/true,
                                "backward");
  }
}

void Threader::closeStates(Body &body, Operation *exit,
                           ThreadedStates &states) {
  OpBuilder b(exit);
  Location loc = exit->getLoc();
  if (body.source != StateSource::Arguments) {
    for (const auto &[generator, effect] : body.ownEffects) {
      auto it = body.handOvers.find(generator);
      bool inBackward = it != body.handOvers.end();
      writeState(body, b, loc, generator,
                 inBackward ? it->second.after : effect, states[generator],
                 inBackward);
    }
    return;
  }
  // Any other terminator never returns.
  if (!isa<func::ReturnOp>(exit))
    return;
  ThreadedStates forward = states;
  for (const auto &[generator, state] : body.forwardEnds)
    forward[generator] = state;
  StateEffects after;
  for (const auto &[generator, handOver] : body.handOvers)
    after[generator] = handOver.after;
  SmallVector<Value> operands(exit->getOperands());
  appendStateResults(b, loc, body.effects, forward, operands);
  appendStateResults(b, loc, after, states, operands);
  exit->setOperands(operands);
}

void Threader::threadBody(Body &body) {
  Region &region = body.op.getFunctionBody();
  regions.functionName = body.function->op.getName();
  body.ownEffects = regions.getAnalysis().getEffects(region);
  for (const auto &[generator, handOver] : body.handOvers)
    body.ownEffects[generator] = handOver.before;
  Operation *first = &region.front().front();
  ThreadedStates states = openStates(body);
  regions.handOverOps.clear();
  regions.computedLoops.clear();
  if (body.op == body.function->op)
    regions.computedLoops = body.function->backwardLoops;
  for (const auto &[generator, handOver] : body.handOvers)
    regions.handOverOps.insert(handOver.start);
  regions.handOver = [&](Operation *op, ThreadedStates &states) {
    handOver(body, op, states);
  };
  auto close = [&](Operation *exit, ThreadedStates &ends) {
    closeStates(body, exit, ends);
  };
  regions.threadRegion(region, states, close, first);
  remark(body);
}

/// Tells how a function that is called from outside has its state.
void Threader::remark(Body &body) {
  if (body.source == StateSource::Arguments)
    return;
  auto options = remark::RemarkOpts::name("ThreadedState")
                     .category("rng-thread-state")
                     .function(body.op.getName());
  for (const auto &[generator, effect] : body.ownEffects) {
    if (body.handOvers.count(generator))
      remark::missed(body.op.getLoc(), options)
          << remark::metric("Generator",
                            getGeneratorName(functions.getSymbol(generator)))
          << "what the backward draws is known only there: it moves the "
             "generator when it is called";
    if (!effect.advances)
      continue;
    if (body.isReserved.at(generator)) {
      std::string blocks = "computed at the entry";
      if (std::optional<uint64_t> constant = effect.blocks.getConstant())
        blocks = std::to_string(*constant);
      remark::passed(body.op.getLoc(), options)
          << remark::metric("Generator",
                            getGeneratorName(functions.getSymbol(generator)))
          << remark::metric("ReservedBlocks", blocks);
    } else {
      remark::missed(body.op.getLoc(), options)
          << remark::metric("Generator",
                            getGeneratorName(functions.getSymbol(generator)))
          << "how many blocks are drawn is not known at the entry: the state "
             "is read there and written back at the end";
    }
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct RngThreadStatePass
    : public rng::impl::RngThreadStatePassBase<RngThreadStatePass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const final {
    Base::getDependentDialects(registry);
    registerThreadableRegionModels(registry);
  }

  void runOnOperation() final {
    // Modules share no symbols, so each is threaded by itself; all are
    // analysed before the first is changed.
    SmallVector<ModuleOp> modules;
    getOperation().walk([&](ModuleOp module) { modules.push_back(module); });
    std::vector<DrawingFunctions> analyses;
    bool refused = false;
    for (ModuleOp module : modules) {
      FailureOr<DrawingFunctions> analysis =
          DrawingFunctions::analyze(module, entry != Entry::State);
      refused |= failed(analysis) ||
                 failed(checkThreadable(*analysis, entry)) ||
                 failed(findBackwardState(*analysis, module));
      if (!refused)
        analyses.push_back(std::move(*analysis));
    }
    if (refused)
      return signalPassFailure();
    std::optional<ReportFile> file;
    if (!report.empty()) {
      FailureOr<ReportFile> opened =
          ReportFile::open(getOperation().getLoc(), report, "report");
      if (failed(opened))
        return signalPassFailure();
      file = std::move(*opened);
    }

    bool changed = false;
    std::vector<DrawTableRow> table;
    for (auto [module, analysis] : llvm::zip_equal(modules, analyses)) {
      Threader threader(analysis, module, entry, file.has_value());
      threader.run();
      numDraws += threader.numDraws;
      numFunctions += threader.numFunctions;
      changed |= threader.numFunctions != 0;
      llvm::append_range(table, threader.getTable());
    }
    if (file && failed(file->write(
                    [&](llvm::raw_ostream &os) { printDrawTable(os, table); })))
      return signalPassFailure();
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
