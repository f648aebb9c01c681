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

#include "RngDialect/Transforms/ReportFile.h"
#include "ThreadChecks.h"
#include "ThreadRegion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Remarks.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGTHREADSTATE
#include "RngDialect/Transforms/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

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
  };

  static Type getSeedType(MLIRContext *context, Entry entry) {
    if (entry == Entry::Memory)
      return getSnapshotType(context);
    return IntegerType::get(context, 64);
  }

  void makeTwin(DrawingFunction &function, StateSource source);
  void addSignature(Body &body);
  ThreadedStates openStates(Body &body, const StateEffects &effects,
                            std::map<GeneratorNumber, bool> &isReserved);
  void threadBody(Body &body);
  void remark(Body &body, const StateEffects &effects,
              const std::map<GeneratorNumber, bool> &isReserved);

  DrawingFunctions &functions;
  Entry entry;
  SymbolTable symbolTable;
  RegionThreader regions;
  Type seedType;
  SmallVector<Body> bodies;
};
} // namespace

static bool isJoint(FunctionOpInterface function) {
  for (unsigned i = 0, e = function.getNumResults(); i != e; ++i)
    if (function.getResultAttr(i, RngDialect::kGradient))
      return true;
  return false;
}

void Threader::makeTwin(DrawingFunction &function, StateSource source) {
  auto op = cast<func::FuncOp>(function.op);
  func::FuncOp twin = op.cloneWithoutRegions();
  // A joint function stays whole: partitioning it wants its body.
  if (isJoint(op)) {
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
  bodies.push_back({&function, op, source});
  bodies.push_back({&function, twin, StateSource::Arguments});
}

/// Appends the arguments and results that the state of `body` takes.
void Threader::addSignature(Body &body) {
  if (body.source == StateSource::Generator)
    return;
  auto op = cast<func::FuncOp>(body.op);
  MLIRContext *context = op.getContext();
  Type i64 = IntegerType::get(context, 64);
  SmallVector<Type> arguments, results;
  for (unsigned i = 0, e = body.function->effects.size(); i != e; ++i) {
    if (body.source == StateSource::Memory)
      arguments.push_back(MemRefType::get({2}, i64));
    else
      arguments.append({seedType, i64});
  }
  if (body.source == StateSource::Arguments)
    results = getStateResultTypes(body.function->effects, seedType);
  // Inserting into a function type cannot fail.
  (void)op.insertArguments(
      SmallVector<unsigned>(arguments.size(), op.getNumArguments()), arguments,
      {}, SmallVector<Location>(arguments.size(), op.getLoc()));
  (void)op.insertResults(
      SmallVector<unsigned>(results.size(), op.getNumResults()), results, {});
}

void Threader::run() {
  for (DrawingFunction &function : functions.getFunctions()) {
    if (!function.threaded || function.isOpaque())
      continue;
    ++numFunctions;
    numDraws += llvm::count_if(function.steps, [](Operation *step) {
      return isa<StatefulDrawOpInterface>(step);
    });
    StateSource source = getStateSource(function, entry);
    if (needsTwin(function, entry)) {
      makeTwin(function, source);
      continue;
    }
    if (source == StateSource::Arguments)
      regions.targets[function.op] = cast<func::FuncOp>(function.op);
    bodies.push_back({&function, function.op, source});
  }
  llvm::for_each(bodies, [&](Body &body) { addSignature(body); });
  llvm::for_each(bodies, [&](Body &body) { threadBody(body); });
}

/// The states at the start of a body, and whether all that it will draw has
/// been reserved there.
ThreadedStates
Threader::openStates(Body &body, const StateEffects &effects,
                     std::map<GeneratorNumber, bool> &isReserved) {
  Block &block = body.op.getFunctionBody().front();
  Location loc = body.op.getLoc();
  OpBuilder b = OpBuilder::atBlockBegin(&block);
  Type i64 = b.getI64Type();
  // Arguments of the program are there at the entry, others can be rebuilt.
  auto isAvailable = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == &block;
  };
  ThreadedStates states;
  unsigned perGenerator = body.source == StateSource::Arguments ? 2
                          : body.source == StateSource::Memory  ? 1
                                                                : 0;
  unsigned argument =
      block.getNumArguments() - perGenerator * body.function->effects.size();
  for (const auto &[generator, unused] : body.function->effects) {
    ThreadedState &state = states[generator];
    if (body.source == StateSource::Arguments) {
      state = {block.getArgument(argument), block.getArgument(argument + 1),
               "argument"};
      argument += 2;
      continue;
    }
    StateEffect effect;
    if (auto it = effects.find(generator); it != effects.end())
      effect = it->second;
    FlatSymbolRefAttr symbol = functions.getSymbol(generator);
    bool &reserved = isReserved[generator];
    Value blocks;
    if (effect.advances && effect.blocks.isBuildable(isAvailable)) {
      reserved = true;
      if (effect.blocks.getConstant() != 0)
        blocks = effect.blocks.build(b, loc, isAvailable);
    }
    if (body.source == StateSource::Memory) {
      if (!blocks)
        blocks = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
      Value snapshot = ReserveMemoryOp::create(
          b, loc, seedType, block.getArgument(argument++), blocks);
      state = {snapshot, {}, "entry"};
      continue;
    }
    Value seed, offset;
    if (blocks) {
      auto reserve = ReserveOp::create(b, loc, i64, i64, symbol, blocks);
      seed = reserve.getSeed(), offset = reserve.getOffset();
    } else {
      auto get = GetStateOp::create(b, loc, i64, i64, symbol);
      seed = get.getSeed(), offset = get.getOffset();
    }
    state = {seed, offset, "entry"};
    // A function that keeps its signature calls those that pass snapshots.
    if (isSnapshotType(seedType))
      state = ThreadedState(tensor::FromElementsOp::create(
                                b, loc, seedType, ValueRange{seed, offset}),
                            {}, "entry");
  }
  return states;
}

void Threader::threadBody(Body &body) {
  Region &region = body.op.getFunctionBody();
  regions.functionName = body.function->op.getName();
  StateEffects effects = regions.getAnalysis().getEffects(region);
  std::map<GeneratorNumber, bool> isReserved;
  Operation *first = &region.front().front();
  ThreadedStates states = openStates(body, effects, isReserved);
  unsigned memories = body.op.getNumArguments() - body.function->effects.size();

  auto close = [&](Operation *exit, ThreadedStates &ends) {
    OpBuilder b(exit);
    Location loc = exit->getLoc();
    if (body.source == StateSource::Arguments) {
      // Any other terminator never returns.
      if (!isa<func::ReturnOp>(exit))
        return;
      SmallVector<Value> operands(exit->getOperands());
      appendStateResults(b, loc, body.function->effects, ends, operands);
      exit->setOperands(operands);
      return;
    }
    unsigned position = 0;
    for (const auto &[generator, unused] : body.function->effects) {
      unsigned memory = memories + position++;
      auto it = effects.find(generator);
      if (it == effects.end() || !it->second.advances || isReserved[generator])
        continue;
      ThreadedState &state = ends[generator];
      if (body.source == StateSource::Generator) {
        auto [seed, offset] = state.getPair(b, loc);
        SetStateOp::create(b, loc, functions.getSymbol(generator), seed,
                           offset);
        continue;
      }
      Value buffer = region.front().getArgument(memory);
      if (it->second.reseeds) {
        auto write = bufferization::MaterializeInDestinationOp::create(
            b, loc, state.getSeed(), buffer);
        write.setRestrict(true);
        write.setWritable(true);
      }
      ReserveMemoryOp::create(b, loc, seedType, buffer,
                              state.getOffset(b, loc));
    }
  };
  regions.threadRegion(region, states, close, first);
  remark(body, effects, isReserved);
}

/// Tells how a function that is called from outside has its state.
void Threader::remark(Body &body, const StateEffects &effects,
                      const std::map<GeneratorNumber, bool> &isReserved) {
  if (body.source == StateSource::Arguments)
    return;
  for (const auto &[generator, effect] : effects) {
    if (!effect.advances)
      continue;
    FlatSymbolRefAttr symbol = functions.getSymbol(generator);
    std::string name =
        symbol ? ("@" + symbol.getValue()).str() : std::string("default");
    auto options = remark::RemarkOpts::name("ThreadedState")
                       .category("rng-thread-state")
                       .function(body.op.getName());
    if (isReserved.at(generator)) {
      std::string blocks = "computed at the entry";
      if (std::optional<uint64_t> constant = effect.blocks.getConstant())
        blocks = std::to_string(*constant);
      remark::passed(body.op.getLoc(), options)
          << remark::metric("Generator", name)
          << remark::metric("ReservedBlocks", blocks);
    } else {
      remark::missed(body.op.getLoc(), options)
          << remark::metric("Generator", name)
          << "how many blocks are drawn is not known at the entry: the state "
             "is read there and written back at the end";
    }
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct RngThreadState : public rng::impl::RngThreadStateBase<RngThreadState> {
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
      refused |= failed(analysis) || failed(checkThreadable(*analysis, entry));
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
