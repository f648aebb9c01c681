//===- RngStateToRuntime.cpp - State ops to the runtime ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  generators, and ops that read or move their state.
// Out: calls of the C functions of the runtime.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/LoweringChecks/CheckDraws.h"
#include "RngDialect/Conversion/RngStateToRuntime/Passes.h"
#include "RngDialect/Transforms/Support/DeviceCode.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::rng {
#define GEN_PASS_DEF_CONVERTRNGSTATETORUNTIMEPASS
#include "RngDialect/Conversion/RngStateToRuntime/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

static bool isStateOp(Operation *op) {
  return isa<GetStateOp, SetStateOp, ReserveOp>(op);
}

static FlatSymbolRefAttr getGenerator(Operation *op) {
  return op->getAttrOfType<FlatSymbolRefAttr>("generator");
}

/// The function whose entry block holds the stack slot of `op`.
static FunctionOpInterface getFunction(Operation *op) {
  return op->getParentOfType<FunctionOpInterface>();
}

namespace {
/// What the runtime offers (RngRuntime.h), by the name after the prefix.
struct RuntimeFunction {
  StringRef name;
  LLVM::LLVMFunctionType type;
};

struct RuntimeFunctions {
  explicit RuntimeFunctions(MLIRContext *context) {
    auto pointer = LLVM::LLVMPointerType::get(context);
    Type i64 = IntegerType::get(context, 64);
    auto get = [&](ArrayRef<Type> inputs) {
      return LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                         inputs);
    };
    declare = {"Declare", get({pointer, i64})};
    getState = {"GetState", get({pointer, pointer})};
    setState = {"SetState", get({pointer, i64, i64})};
    reserve = {"Reserve", get({pointer, i64, pointer})};
  }

  const RuntimeFunction &getFor(Operation *op) const {
    if (isa<GetStateOp>(op))
      return getState;
    return isa<SetStateOp>(op) ? setState : reserve;
  }

  RuntimeFunction declare, getState, setState, reserve;
};

/// The constructor that declares generators runs before those of the program,
/// which may draw: 101 is the first priority that C compilers leave to
/// programs.
constexpr int32_t kConstructorPriority = 101;

/// Lowers the state ops of one module (symbol table).
class StateLowering {
public:
  StateLowering(Operation *module, StringRef prefix)
      : module(module), symbols(module), prefix(prefix),
        functions(module->getContext()), b(module->getLoc(), module) {}

  void lower(Operation *op);
  void declareGenerators();
  void eraseGenerators();

private:
  Value getName(FlatSymbolRefAttr generator);
  Value declare(GeneratorOp generator);
  Value getStateSlot(FunctionOpInterface function);
  void call(const RuntimeFunction &function, ValueRange operands);
  Value load(Value slot, int64_t word);

  Operation *module;
  SymbolTable symbols;
  StringRef prefix;
  RuntimeFunctions functions;
  ImplicitLocOpBuilder b;
  DenseMap<StringAttr, LLVM::GlobalOp> names;
  DenseMap<Operation *, Value> slots;
};
} // namespace

/// Address of the name of a generator, null for the default one.
Value StateLowering::getName(FlatSymbolRefAttr generator) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  if (!generator)
    return LLVM::ZeroOp::create(b, pointer);
  LLVM::GlobalOp &global = names[generator.getAttr()];
  if (!global) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&module->getRegion(0).front());
    std::string text = generator.getValue().str();
    text.push_back('\0');
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), text.size());
    global = LLVM::GlobalOp::create(
        b, type, /*isConstant=*/true, LLVM::Linkage::Private,
        ("rng_generator_" + generator.getValue()).str(), b.getStringAttr(text));
    symbols.insert(global);
  }
  return LLVM::AddressOfOp::create(b, global);
}

/// Two words on the stack, one slot a function: it is read right after the
/// call that fills it.
Value StateLowering::getStateSlot(FunctionOpInterface function) {
  Value &slot = slots[function];
  if (!slot) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&function.getFunctionBody().front());
    Value two = LLVM::ConstantOp::create(b, b.getI64IntegerAttr(2));
    slot = LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                                  b.getI64Type(), two);
  }
  return slot;
}

void StateLowering::call(const RuntimeFunction &function, ValueRange operands) {
  std::string name = (prefix + function.name).str();
  if (!symbols.lookup(name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&module->getRegion(0).front());
    symbols.insert(LLVM::LLVMFuncOp::create(b, name, function.type));
  }
  LLVM::CallOp::create(b, TypeRange(), name, operands);
}

Value StateLowering::load(Value slot, int64_t word) {
  Value address =
      LLVM::GEPOp::create(b, slot.getType(), b.getI64Type(), slot,
                          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(word)});
  return LLVM::LoadOp::create(b, b.getI64Type(), address);
}

/// Tells the runtime of `generator`, which changes nothing when it is known.
/// Returns the address of its name.
Value StateLowering::declare(GeneratorOp generator) {
  Value name = getName(FlatSymbolRefAttr::get(generator.getSymNameAttr()));
  Value seed = LLVM::ConstantOp::create(
      b, b.getI64IntegerAttr(generator.getSeed().value_or(0)));
  call(functions.declare, {name, seed});
  return name;
}

void StateLowering::lower(Operation *op) {
  b.setLoc(op->getLoc());
  b.setInsertionPoint(op);
  FlatSymbolRefAttr generator = getGenerator(op);
  // Once more than the constructor, which not every embedder runs, and which
  // has long run when the embedder forgets all generators.
  Value name = generator
                   ? declare(symbols.lookup<GeneratorOp>(generator.getAttr()))
                   : getName(generator);
  if (auto set = dyn_cast<SetStateOp>(op)) {
    call(functions.setState, {name, set.getSeed(), set.getOffset()});
    op->erase();
    return;
  }
  Value slot = getStateSlot(getFunction(op));
  if (auto reserve = dyn_cast<ReserveOp>(op))
    call(functions.reserve, {name, reserve.getBlocks(), slot});
  else
    call(functions.getState, {name, slot});
  op->getResult(0).replaceAllUsesWith(load(slot, 0));
  op->getResult(1).replaceAllUsesWith(load(slot, 1));
  op->erase();
}

/// Lets the loading of the module declare its generators, so that their states
/// can be listed, saved and set before anything is drawn.
void StateLowering::declareGenerators() {
  Block &body = module->getRegion(0).front();
  auto generators = llvm::to_vector(body.getOps<GeneratorOp>());
  if (generators.empty())
    return;
  b.setLoc(generators.front().getLoc());
  b.setInsertionPointToEnd(&body);
  auto constructor = LLVM::LLVMFuncOp::create(
      b, "rng_declare_generators",
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), {}),
      LLVM::Linkage::Internal);
  StringAttr name = symbols.insert(constructor);
  LLVM::GlobalCtorsOp::create(
      b, b.getArrayAttr(FlatSymbolRefAttr::get(name)),
      b.getI32ArrayAttr(kConstructorPriority),
      b.getArrayAttr(LLVM::ZeroAttr::get(b.getContext())));
  b.setInsertionPointToStart(constructor.addEntryBlock(b));
  for (GeneratorOp generator : generators) {
    b.setLoc(generator.getLoc());
    declare(generator);
  }
  LLVM::ReturnOp::create(b, ValueRange());
}

/// Their seeds are in the calls of `rngDeclare` now, and which of them an
/// external function draws from, or an argument is the state of, concerned
/// threading and partition only.
void StateLowering::eraseGenerators() {
  Block &body = module->getRegion(0).front();
  for (auto generator : llvm::make_early_inc_range(body.getOps<GeneratorOp>()))
    generator->erase();
  auto state = StringAttr::get(module->getContext(), RngDialect::kState);
  for (Operation &op : body) {
    op.removeDiscardableAttr(RngDialect::kDraws);
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function)
      continue;
    for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i)
      function.removeArgAttr(i, state);
    for (unsigned i = 0, e = function.getNumResults(); i != e; ++i)
      function.removeResultAttr(i, state);
  }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The runtime is on the host, and a state op must be in code that runs there.
static LogicalResult checkPlace(Operation *op, const DeviceCalls &calls) {
  if (failed(calls.checkHost(op, "where the generators of the process cannot "
                                 "be reached: move it to the host")))
    return failure();
  FunctionOpInterface function = getFunction(op);
  if (!function)
    return op->emitOpError("expected to be in a function");
  if (SymbolTable::getNearestSymbolTable(op) != function->getParentOp())
    return op->emitOpError("expected to be in a function of a module");
  return success();
}

static LogicalResult checkRuntimeSymbol(Operation *op, StringRef prefix,
                                        const RuntimeFunction &function) {
  Operation *table = SymbolTable::getNearestSymbolTable(op);
  std::string name = (prefix + function.name).str();
  Operation *existing = SymbolTable::lookupSymbolIn(table, name);
  if (!existing)
    return success();
  auto declaration = dyn_cast<LLVM::LLVMFuncOp>(existing);
  if (declaration && declaration.getFunctionType() == function.type)
    return success();
  InFlightDiagnostic diagnostic =
      op->emitOpError("needs the runtime function '")
      << name << "' of type " << function.type
      << ", but the name is taken: rename it or set the option prefix";
  diagnostic.attachNote(existing->getLoc()) << "taken here";
  return diagnostic;
}

static LogicalResult checkStateOp(Operation *op, StringRef prefix,
                                  const RuntimeFunctions &functions,
                                  const DeviceCalls &calls) {
  return success(
      succeeded(checkPlace(op, calls)) &&
      succeeded(checkRuntimeSymbol(op, prefix, functions.getFor(op))));
}

namespace {
struct ConvertRngStateToRuntimePass
    : public rng::impl::ConvertRngStateToRuntimePassBase<
          ConvertRngStateToRuntimePass> {
  using Base::Base;

  void runOnOperation() override {
    Operation *root = getOperation();
    RuntimeFunctions functions(&getContext());
    DeviceCalls calls(root);
    if (failed(checkNoStatefulDraws(root)))
      return signalPassFailure();
    SmallVector<Operation *> modules;
    WalkResult result = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<ModuleOp>(op))
        modules.push_back(op);
      if (isStateOp(op) && failed(checkStateOp(op, prefix, functions, calls)))
        return WalkResult::interrupt();
      if (isa<GeneratorOp>(op) &&
          failed(checkRuntimeSymbol(op, prefix, functions.declare)))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();

    for (Operation *module : modules) {
      StateLowering lowering(module, prefix);
      SmallVector<Operation *> ops;
      module->walk([&](Operation *op) {
        if (isStateOp(op) && SymbolTable::getNearestSymbolTable(op) == module)
          ops.push_back(op);
      });
      for (Operation *op : ops)
        lowering.lower(op);
      lowering.declareGenerators();
      lowering.eraseGenerators();
      numCalls += ops.size();
    }
  }
};
} // namespace
