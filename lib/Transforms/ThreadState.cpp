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
// what cannot be threaded, rewrite; only the last one changes the module.
//
//===----------------------------------------------------------------------===//

#include "DrawingFunctions.h"
#include "RngDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGTHREADSTATE
#include "RngDialect/Transforms/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

using Entry = ThreadStateEntry;

//===----------------------------------------------------------------------===//
// Refusing
//===----------------------------------------------------------------------===//

/// Whether the function takes its state as arguments and returns it.
static bool takesState(DrawingFunction &function, Entry entry) {
  return function.op.isPrivate() || entry == Entry::Arguments;
}

/// Reports `step` if it is not directly in the only block of `function`.
static LogicalResult checkPlace(DrawingFunctions &analysis,
                                DrawingFunction &function, Operation *step) {
  Region &body = function.op.getFunctionBody();
  if (step->getParentRegion() == &body && body.hasOneBlock())
    return success();
  DrawingFunction *callee = analysis.getCallee(step);
  InFlightDiagnostic diag = step->emitOpError("expected ");
  if (callee)
    diag << "calls of drawing functions";
  else if (isa<StatefulDrawOpInterface>(step))
    diag << "stateful draws";
  else
    diag << "state operations";
  diag << " at the top level of a single-block function but got one ";
  if (step->getParentRegion() == &body)
    diag << "in '@" << function.op.getName() << "' of "
         << body.getBlocks().size()
         << " blocks: use 'rng.reserve' and stateless draws in this function, "
            "or "
            "run 'rng-reserve-draws' instead";
  else
    diag << "inside '" << step->getParentOp()->getName()
         << "': reserve blocks before it with 'rng.reserve' and use stateless "
            "draws inside, or run 'rng-reserve-draws' instead";
  if (callee)
    diag.attachNote(callee->op.getLoc()) << "drawing function defined here";
  return diag;
}

/// Refuses references to `function`, through which it could be called without
/// its state, or among draws whose state is held elsewhere.
static LogicalResult checkReferences(DrawingFunction &function, Entry entry) {
  LogicalResult result = success();
  bool isThreaded = function.threaded && !function.isOpaque();
  for (Operation *user : function.references) {
    // Attributes of functions do not call: the symbol stays what it was.
    if (isa<FunctionOpInterface>(user) &&
        (!isThreaded || !takesState(function, entry)))
      continue;
    // What only reads or sets the state of the process may run before and after
    // the program, as a destructor does.
    if (!isThreaded && !function.isOpaque() &&
        isa<ModuleOp>(user->getParentOp()))
      continue;
    InFlightDiagnostic diag =
        user->emitOpError(
            "expected only direct calls ('func.call', in "
            "functions of the same module) of drawing function '@")
        << function.op.getName()
        << "' but got a reference: call it directly, or give it seed and "
           "offset as arguments and use stateless draws in it";
    diag.attachNote(function.op.getLoc()) << "drawing function defined here";
    result = diag;
  }
  return result;
}

static LogicalResult checkThreadable(DrawingFunctions &analysis, Entry entry) {
  LogicalResult result = success();
  bool isAnyThreaded = analysis.isAnyThreaded();
  for (DrawingFunction &function : analysis.getFunctions()) {
    if (!isAnyThreaded || function.uses.empty())
      continue;
    // A hidden call of a function that uses the state elsewhere would miss the
    // state that is threaded here.
    if (failed(checkReferences(function, entry)))
      result = failure();
    if (function.isOpaque() || !function.threaded)
      continue;
    for (Operation *step : function.steps)
      if (failed(checkPlace(analysis, function, step))) {
        result = failure();
        // The first one tells what is wrong with the function.
        break;
      }
    if (takesState(function, entry) && !isa<func::FuncOp>(function.op)) {
      function.op.emitOpError("expected a 'func.func' where seed and offset "
                              "become arguments but got '")
          << function.op->getName()
          << "': use a 'func.func', or keep the function public and use "
             "entry=state";
      result = failure();
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The state of a generator
//===----------------------------------------------------------------------===//

namespace {
/// The state of a generator at a point of the program: (seed, base + delta).
class ThreadedState {
public:
  ThreadedState() = default;
  ThreadedState(Value seed, Value base) : seed(seed), base(base) {}

  Value getSeed() const { return seed; }

  /// The offset as a value; constant steps are added up, so that draws sit at
  /// constant distances from one base.
  Value getOffset(OpBuilder &b, Location loc) {
    if (!offset) {
      offset = base;
      if (delta) {
        Value blocks = arith::ConstantOp::create(
            b, loc, b.getI64IntegerAttr(static_cast<int64_t>(delta)));
        offset = arith::AddIOp::create(b, loc, base, blocks);
      }
    }
    return offset;
  }

  void advance(uint64_t blocks) {
    if (!blocks)
      return;
    delta += blocks;
    offset = {};
  }

  void advance(OpBuilder &b, Location loc, Value blocks) {
    Value next = arith::AddIOp::create(b, loc, getOffset(b, loc), blocks);
    *this = ThreadedState(seed, next);
  }

private:
  Value seed, base, offset;
  uint64_t delta = 0;
};

using ThreadedStates = std::map<GeneratorNumber, ThreadedState>;

//===----------------------------------------------------------------------===//
// The rewriting
//===----------------------------------------------------------------------===//

class Threader {
public:
  Threader(DrawingFunctions &analysis, ModuleOp module, Entry entry)
      : analysis(analysis), entry(entry), symbolTable(module) {}

  void run();

  unsigned numDraws = 0;
  unsigned numFunctions = 0;

private:
  /// One body to rewrite: that of a function, or of its twin.
  struct Body {
    DrawingFunction *function;
    FunctionOpInterface op;
    SmallVector<Operation *> steps;
    bool takesState;
  };

  void makeTwin(DrawingFunction &function);
  void addSignature(func::FuncOp op, const DrawingFunction &function);
  void threadBody(Body &body);
  void threadStep(Operation *step, ThreadedStates &states);
  void threadCall(func::CallOp call, DrawingFunction &callee,
                  ThreadedStates &states);
  void threadOpaqueCall(func::CallOp call, DrawingFunction &callee,
                        ThreadedStates &states);

  DrawingFunctions &analysis;
  Entry entry;
  SymbolTable symbolTable;
  SmallVector<Body> bodies;
  /// The function to call, with state, where the program calls the key. Only
  /// looked up.
  DenseMap<Operation *, func::FuncOp> targets;
};
} // namespace

/// One reservation at the entry will do: the state only moves forward, by a
/// number of blocks that is known.
static bool isReserved(const GeneratorUse &use) {
  return use.advances && use.total && *use.total != 0;
}

/// The state has to be written back at the end.
static bool isWrittenBack(const GeneratorUse &use) {
  return use.advances && !use.total;
}

/// Reads the state that a public function starts from.
static ThreadedState openState(OpBuilder &b, Location loc,
                               FlatSymbolRefAttr generator,
                               const GeneratorUse &use) {
  Type i64 = b.getI64Type();
  if (!isReserved(use)) {
    auto get = GetStateOp::create(b, loc, i64, i64, generator);
    return {get.getSeed(), get.getOffset()};
  }
  Value total = arith::ConstantOp::create(
      b, loc, b.getI64IntegerAttr(static_cast<int64_t>(*use.total)));
  auto reserve = ReserveOp::create(b, loc, i64, i64, generator, total);
  return {reserve.getSeed(), reserve.getOffset()};
}

/// Results that carry the state out of a function: for each generator the seed
/// if it can change, then the offset if it can change.
static unsigned getNumStateResults(const DrawingFunction &function) {
  unsigned count = 0;
  for (const auto &[generator, use] : function.uses)
    count += use.reseeds + use.advances;
  return count;
}

static void appendStateResults(OpBuilder &b, Location loc,
                               const DrawingFunction &function,
                               ThreadedStates &states,
                               SmallVectorImpl<Value> &values) {
  for (const auto &[generator, use] : function.uses) {
    ThreadedState &state = states[generator];
    if (use.reseeds)
      values.push_back(state.getSeed());
    if (use.advances)
      values.push_back(state.getOffset(b, loc));
  }
}

static bool isJoint(FunctionOpInterface function) {
  for (unsigned i = 0, e = function.getNumResults(); i != e; ++i)
    if (function.getResultAttr(i, RngDialect::kGradient))
      return true;
  return false;
}

void Threader::makeTwin(DrawingFunction &function) {
  auto op = cast<func::FuncOp>(function.op);
  func::FuncOp twin = op.cloneWithoutRegions();
  Body own = {&function, op, {}, /*takesState=*/false};
  Body twins = {&function, twin, {}, /*takesState=*/true};
  // A joint function stays whole: partitioning it wants its body.
  bool keepsBody = isJoint(op);
  if (keepsBody) {
    IRMapping mapping;
    op.getBody().cloneInto(&twin.getBody(), mapping);
    own.steps = function.steps;
    for (Operation *step : function.steps)
      twins.steps.push_back(mapping.lookup(step));
  } else {
    twin.getBody().takeBody(op.getBody());
    twins.steps = function.steps;
    OpBuilder b = OpBuilder::atBlockBegin(op.addEntryBlock());
    for (auto [to, from] : llvm::zip(op.getArguments(), twin.getArguments()))
      to.setLoc(from.getLoc());
    auto call = func::CallOp::create(b, op.getLoc(), op, op.getArguments());
    func::ReturnOp::create(b, op.getLoc(), call.getResults());
    own.steps.push_back(call);
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
  targets[op] = twin;
  bodies.push_back(std::move(own));
  bodies.push_back(std::move(twins));
}

void Threader::addSignature(func::FuncOp op, const DrawingFunction &function) {
  Type i64 = IntegerType::get(op.getContext(), 64);
  unsigned numArguments = 2 * function.uses.size();
  // Inserting into a function type cannot fail.
  (void)op.insertArguments(
      SmallVector<unsigned>(numArguments, op.getNumArguments()),
      SmallVector<Type>(numArguments, i64), {},
      SmallVector<Location>(numArguments, op.getLoc()));
  unsigned numResults = getNumStateResults(function);
  (void)op.insertResults(SmallVector<unsigned>(numResults, op.getNumResults()),
                         SmallVector<Type>(numResults, i64), {});
}

void Threader::run() {
  for (DrawingFunction &function : analysis.getFunctions()) {
    if (!function.threaded || function.isOpaque())
      continue;
    ++numFunctions;
    for (Operation *step : function.steps)
      numDraws += isa<StatefulDrawOpInterface>(step);
    bool withState = takesState(function, entry);
    if (!withState && function.called) {
      makeTwin(function);
      continue;
    }
    if (withState)
      targets[function.op] = cast<func::FuncOp>(function.op);
    bodies.push_back({&function, function.op, function.steps, withState});
  }
  for (Body &body : bodies)
    if (body.takesState)
      addSignature(cast<func::FuncOp>(body.op), *body.function);
  for (Body &body : bodies)
    threadBody(body);
}

void Threader::threadBody(Body &body) {
  Block &block = body.op.getFunctionBody().front();
  Location loc = body.op.getLoc();
  OpBuilder b = OpBuilder::atBlockBegin(&block);
  ThreadedStates states;
  unsigned argument = block.getNumArguments() - 2 * body.function->uses.size();
  for (const auto &[generator, use] : body.function->uses) {
    if (body.takesState) {
      states[generator] = {block.getArgument(argument),
                           block.getArgument(argument + 1)};
      argument += 2;
    } else {
      states[generator] = openState(b, loc, analysis.getSymbol(generator), use);
    }
  }

  for (Operation *step : body.steps)
    threadStep(step, states);

  Operation *terminator = block.getTerminator();
  b.setInsertionPoint(terminator);
  if (body.takesState) {
    // Any other terminator never returns.
    if (!isa<func::ReturnOp>(terminator))
      return;
    SmallVector<Value> operands(terminator->getOperands());
    appendStateResults(b, terminator->getLoc(), *body.function, states,
                       operands);
    terminator->setOperands(operands);
    return;
  }
  for (const auto &[generator, use] : body.function->uses)
    if (isWrittenBack(use)) {
      Value offset = states[generator].getOffset(b, terminator->getLoc());
      SetStateOp::create(b, terminator->getLoc(), analysis.getSymbol(generator),
                         states[generator].getSeed(), offset);
    }
}

void Threader::threadStep(Operation *step, ThreadedStates &states) {
  OpBuilder b(step);
  Location loc = step->getLoc();
  if (DrawingFunction *callee = analysis.getCallee(step)) {
    auto call = cast<func::CallOp>(step);
    return callee->isOpaque() ? threadOpaqueCall(call, *callee, states)
                              : threadCall(call, *callee, states);
  }
  if (auto draw = dyn_cast<StatefulDrawOpInterface>(step)) {
    ThreadedState &state = states[analysis.getNumber(draw.getDrawGenerator())];
    Value offset = state.getOffset(b, loc);
    Operation *stateless = draw.buildStateless(b, state.getSeed(), offset);
    OpFoldResult blocks = draw.getDrawAlgorithm().getAdvance(
        b, loc, draw.getDistribution(), draw.getDrawType(),
        draw.getDrawSizes());
    if (auto constant = dyn_cast<Attribute>(blocks))
      state.advance(cast<IntegerAttr>(constant).getValue().getZExtValue());
    else
      state.advance(b, loc, cast<Value>(blocks));
    step->replaceAllUsesWith(stateless);
  } else if (auto get = dyn_cast<GetStateOp>(step)) {
    ThreadedState &state = states[analysis.getNumber(get.getGeneratorAttr())];
    get.getSeed().replaceAllUsesWith(state.getSeed());
    get.getOffset().replaceAllUsesWith(state.getOffset(b, loc));
  } else if (auto set = dyn_cast<SetStateOp>(step)) {
    states[analysis.getNumber(set.getGeneratorAttr())] = {set.getSeed(),
                                                          set.getOffset()};
  } else {
    auto reserve = cast<ReserveOp>(step);
    ThreadedState &state =
        states[analysis.getNumber(reserve.getGeneratorAttr())];
    reserve.getSeed().replaceAllUsesWith(state.getSeed());
    reserve.getOffset().replaceAllUsesWith(state.getOffset(b, loc));
    if (std::optional<uint64_t> blocks = getStaticBlocks(reserve))
      state.advance(*blocks);
    else
      state.advance(b, loc, reserve.getBlocks());
  }
  step->erase();
}

/// Entries without attributes for the operands or results that a call gained.
static ArrayAttr padAttributes(ArrayAttr attributes, unsigned count) {
  if (!attributes)
    return attributes;
  SmallVector<Attribute> entries(attributes.getValue());
  entries.resize(count, DictionaryAttr::get(attributes.getContext()));
  return ArrayAttr::get(attributes.getContext(), entries);
}

void Threader::threadCall(func::CallOp call, DrawingFunction &callee,
                          ThreadedStates &states) {
  OpBuilder b(call);
  Location loc = call.getLoc();
  SmallVector<Value> operands(call.getOperands());
  for (const auto &[generator, use] : callee.uses) {
    operands.push_back(states[generator].getSeed());
    operands.push_back(states[generator].getOffset(b, loc));
  }
  SmallVector<Type> types(call.getResultTypes());
  types.append(getNumStateResults(callee), b.getI64Type());

  func::FuncOp target = targets.lookup(callee.op);
  auto threaded =
      func::CallOp::create(b, loc, target.getSymName(), types, operands);
  StringAttr calleeName = call.getCalleeAttrName();
  for (NamedAttribute attribute : call->getAttrs())
    if (attribute.getName() != calleeName)
      threaded->setAttr(attribute.getName(), attribute.getValue());
  if (call.getArgAttrsAttr())
    threaded.setArgAttrsAttr(
        padAttributes(call.getArgAttrsAttr(), operands.size()));
  if (call.getResAttrsAttr())
    threaded.setResAttrsAttr(
        padAttributes(call.getResAttrsAttr(), types.size()));

  unsigned result = call.getNumResults();
  call->replaceAllUsesWith(threaded.getResults().take_front(result));
  call->erase();
  for (const auto &[generator, use] : callee.uses) {
    ThreadedState &state = states[generator];
    Value seed = state.getSeed();
    if (use.reseeds)
      seed = threaded.getResult(result++);
    if (!use.advances)
      continue;
    Value next = threaded.getResult(result++);
    // The same number, but still at a constant distance from the base.
    if (use.total)
      state.advance(*use.total);
    else
      state = {seed, next};
  }
}

void Threader::threadOpaqueCall(func::CallOp call, DrawingFunction &callee,
                                ThreadedStates &states) {
  OpBuilder b(call);
  Location loc = call.getLoc();
  for (const auto &[generator, use] : callee.uses) {
    Value offset = states[generator].getOffset(b, loc);
    SetStateOp::create(b, loc, analysis.getSymbol(generator),
                       states[generator].getSeed(), offset);
  }
  b.setInsertionPointAfter(call);
  Type i64 = b.getI64Type();
  for (const auto &[generator, use] : callee.uses) {
    auto get =
        GetStateOp::create(b, loc, i64, i64, analysis.getSymbol(generator));
    states[generator] = {get.getSeed(), get.getOffset()};
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct RngThreadState : public rng::impl::RngThreadStateBase<RngThreadState> {
  using Base::Base;

  void runOnOperation() final {
    if (entry == Entry::Memory) {
      emitError(getOperation().getLoc(),
                "entry=memory is not implemented yet: use state or arguments");
      return signalPassFailure();
    }
    // Modules share no symbols, so each is threaded by itself; all are
    // analysed before the first is changed.
    SmallVector<ModuleOp> modules;
    getOperation().walk([&](ModuleOp module) { modules.push_back(module); });
    SmallVector<DrawingFunctions, 0> analyses;
    bool refused = false;
    for (ModuleOp module : modules) {
      FailureOr<DrawingFunctions> analysis =
          DrawingFunctions::analyze(module, entry == Entry::Arguments);
      refused |= failed(analysis) || failed(checkThreadable(*analysis, entry));
      if (!refused)
        analyses.push_back(std::move(*analysis));
    }
    if (refused)
      return signalPassFailure();

    bool changed = false;
    for (auto [module, analysis] : llvm::zip_equal(modules, analyses)) {
      Threader threader(analysis, module, entry);
      threader.run();
      numDraws += threader.numDraws;
      numFunctions += threader.numFunctions;
      changed |= threader.numFunctions != 0;
    }
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
