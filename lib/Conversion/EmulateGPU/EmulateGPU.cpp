//===- EmulateGPU.cpp - Kernels and their launches on the host --*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  `gpu.launch`, kernels in `gpu.module` and their launches, device memory.
// Out: loops and memory of the host.
//
// Kernels run where they are launched, one after the other: program order is an
// order that all async dependencies allow. The pass first checks all ops of the
// GPU dialect, and only then rewrites.
//
//===----------------------------------------------------------------------===//

#include "EmulateKernel.h"
#include "RngDialect/Conversion/EmulateGPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGEMULATEGPUPASS
#include "RngDialect/Conversion/EmulateGPU/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::emulate;

static bool isToken(Type type) { return isa<gpu::AsyncTokenType>(type); }

static bool isGPUOp(Operation *op) {
  return isa_and_nonnull<gpu::GPUDialect>(op->getDialect());
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

namespace {
/// What is to be done in a module.
struct Work {
  /// In program order, launches among them.
  SmallVector<Operation *> hostOps;
  SmallVector<gpu::GPUModuleOp> kernelModules;
  /// Launched ones, each once.
  llvm::SetVector<Operation *> kernels;
};
} // namespace

/// Succeeds if nothing but ops of the GPU dialect touches tokens: they vanish.
static LogicalResult checkTokens(Operation *op) {
  bool found = false;
  if (!isGPUOp(op))
    found = llvm::any_of(op->getOperandTypes(), isToken) ||
            llvm::any_of(op->getResultTypes(), isToken);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      found |= llvm::any_of(block.getArgumentTypes(), isToken);
  if (!found)
    return success();
  return op->emitOpError("hands on a token of an asynchronous operation, which "
                         "cannot be run on the host; wait with gpu.wait in the "
                         "same block instead");
}

static LogicalResult checkLaunch(gpu::LaunchFuncOp launch, ModuleOp module,
                                 Work &work, SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernelAttr());
  if (!kernel)
    return launch.emitOpError("launches a kernel that is no gpu.func; emulate "
                              "before kernels are lowered or compiled");
  if (kernel->getParentOp()->getParentOp() != module.getOperation())
    return launch.emitOpError("launches a kernel of a nested module; emulate "
                              "each module of its own");
  work.kernels.insert(kernel);
  return success();
}

/// Succeeds if `op`, of the GPU dialect and not in a kernel, can be emulated.
static LogicalResult checkHostOp(Operation *op, ModuleOp module, Work &work,
                                 SymbolTableCollection &symbols) {
  bool hasClusters = false;
  if (auto launch = dyn_cast<gpu::LaunchOp>(op)) {
    hasClusters = launch.hasClusterSize();
    if (!hasClusters && failed(KernelBody(launch).check()))
      return failure();
  } else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    hasClusters = launch.hasClusterSize();
    if (failed(checkLaunch(launch, module, work, symbols)))
      return failure();
  } else if (!isa<gpu::AllocOp, gpu::DeallocOp, gpu::HostRegisterOp,
                  gpu::HostUnregisterOp, gpu::MemcpyOp, gpu::MemsetOp,
                  gpu::SetDefaultDeviceOp, gpu::WaitOp>(op)) {
    return op->emitOpError("outside of kernels cannot be run on the host; "
                           "inline functions that kernels call, and emulate "
                           "before kernels are compiled");
  }
  if (hasClusters)
    return op->emitOpError("launches clusters of blocks, which cannot be run "
                           "on the host; launch blocks alone");
  work.hostOps.push_back(op);
  return success();
}

/// Succeeds if `member`, which kernels call or read, can move to the module of
/// the host. `other` has its name there, if any.
static LogicalResult checkMember(Operation *member, Operation *other) {
  LogicalResult result = success();
  member->walk([&](Operation *op) {
    if (isGPUOp(op)) {
      op->emitOpError("in a function that a kernel calls cannot be run on the "
                      "host; inline the function");
      result = failure();
    } else if (failed(checkKernelOp(op))) {
      result = failure();
    }
  });
  auto symbol = cast<SymbolOpInterface>(member);
  if (failed(result) || !symbol.isDeclaration() || !other)
    return result;
  if (member->getName() == other->getName() &&
      member->getAttr("function_type") == other->getAttr("function_type"))
    return success();
  return member->emitOpError(
      "declares what has the name of another symbol outside "
      "of the kernels; rename one");
}

/// Lists the work in `module`; fails with errors at what is in the way.
static LogicalResult analyze(ModuleOp module, Work &work) {
  SymbolTableCollection symbols;
  bool failed = false;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto kernels = dyn_cast<gpu::GPUModuleOp>(op)) {
      if (op->getParentOp() == module.getOperation())
        work.kernelModules.push_back(kernels);
      return WalkResult::skip();
    }
    failed |= mlir::failed(checkTokens(op));
    if (!isGPUOp(op))
      return WalkResult::advance();
    failed |= mlir::failed(checkHostOp(op, module, work, symbols));
    return WalkResult::skip();
  });
  for (Operation *kernel : work.kernels)
    failed |= mlir::failed(KernelBody(cast<gpu::GPUFuncOp>(kernel)).check());
  DenseMap<StringAttr, Operation *> declarations;
  for (gpu::GPUModuleOp kernels : work.kernelModules) {
    for (Operation &member : *kernels.getBody()) {
      auto symbol = dyn_cast<SymbolOpInterface>(member);
      if (!symbol || isa<gpu::GPUFuncOp>(member))
        continue;
      Operation *other = symbols.lookupSymbolIn(module, symbol.getNameAttr());
      if (symbol.isDeclaration() && !other)
        other = declarations.try_emplace(symbol.getNameAttr(), &member)
                    .first->second;
      failed |= mlir::failed(checkMember(&member, other));
    }
  }
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Memory spaces
//===----------------------------------------------------------------------===//

/// All memory is the host's.
static void dropMemorySpaces(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!type.getMemorySpace())
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.addReplacement([](UnrankedMemRefType type) -> std::optional<Type> {
    if (!type.getMemorySpace())
      return std::nullopt;
    return UnrankedMemRefType::get(type.getElementType(), Attribute());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([](memref::MemorySpaceCastOp cast) {
    cast.replaceAllUsesWith(cast.getSource());
    cast.erase();
  });
}

//===----------------------------------------------------------------------===//
// Host code
//===----------------------------------------------------------------------===//

/// The sizes of a launch as x, y, z of type index.
static SmallVector<Value> buildSizes(OpBuilder &b, Location loc,
                                     gpu::KernelDim3 sizes) {
  SmallVector<Value> result = {sizes.x, sizes.y, sizes.z};
  for (Value &size : result)
    if (!size.getType().isIndex())
      size = arith::IndexCastOp::create(b, loc, b.getIndexType(), size);
  return result;
}

static void buildFill(OpBuilder &b, Location loc, Value buffer, Value value) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
  SmallVector<Value> zeros(rank, zero), ones(rank, one), sizes;
  for (int64_t dim = 0; dim < rank; ++dim)
    sizes.push_back(memref::DimOp::create(b, loc, buffer, dim));
  if (rank == 0) {
    memref::StoreOp::create(b, loc, value, buffer);
    return;
  }
  scf::buildLoopNest(b, loc, zeros, sizes, ones,
                     [&](OpBuilder &b, Location loc, ValueRange indices) {
                       memref::StoreOp::create(b, loc, value, buffer, indices);
                     });
}

/// The function of the host that runs `kernel`: thread blocks, threads (x, y, z
/// each), then the kernel's arguments.
static func::FuncOp buildFunction(gpu::GPUFuncOp kernel) {
  OpBuilder b(kernel.getContext());
  Location loc = kernel.getLoc();
  SmallVector<Type> types(6, b.getIndexType());
  llvm::append_range(types, kernel.getArgumentTypes());
  auto function = func::FuncOp::create(loc, kernel.getName(),
                                       b.getFunctionType(types, TypeRange()));
  function.setPrivate();
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  SmallVector<Value> values(entry->args_begin(), entry->args_end());
  ArrayRef<Value> arguments(values);
  IRMapping mapping;
  mapping.map(kernel.getArguments(), arguments.drop_front(6));
  KernelBody(kernel).build(b, loc, arguments.take_front(3),
                           arguments.slice(3, 3), mapping);
  func::ReturnOp::create(b, loc);
  return function;
}

/// Replaces `op` by what the host does; `functions` has those of kernels.
static void convertHostOp(Operation *op,
                          const DenseMap<Attribute, StringAttr> &functions) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  if (auto alloc = dyn_cast<gpu::AllocOp>(op)) {
    // As much as buffers of the CPU path have.
    alloc.getMemref().replaceAllUsesWith(memref::AllocOp::create(
        b, loc, alloc.getType(), alloc.getDynamicSizes(),
        alloc.getSymbolOperands(), b.getI64IntegerAttr(64)));
  } else if (auto dealloc = dyn_cast<gpu::DeallocOp>(op)) {
    memref::DeallocOp::create(b, loc, dealloc.getMemref());
  } else if (auto copy = dyn_cast<gpu::MemcpyOp>(op)) {
    memref::CopyOp::create(b, loc, copy.getSrc(), copy.getDst());
  } else if (auto fill = dyn_cast<gpu::MemsetOp>(op)) {
    buildFill(b, loc, fill.getDst(), fill.getValue());
  } else if (auto launch = dyn_cast<gpu::LaunchOp>(op)) {
    KernelBody(launch).build(
        b, loc, buildSizes(b, loc, launch.getGridSizeOperandValues()),
        buildSizes(b, loc, launch.getBlockSizeOperandValues()), IRMapping());
  } else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    SmallVector<Value> operands =
        buildSizes(b, loc, launch.getGridSizeOperandValues());
    llvm::append_range(operands,
                       buildSizes(b, loc, launch.getBlockSizeOperandValues()));
    llvm::append_range(operands, launch.getKernelOperands());
    func::CallOp::create(b, loc, functions.lookup(launch.getKernelAttr()),
                         TypeRange(), operands);
  }
}

/// Moves what kernels call or read from `kernels` to the end of `module`,
/// either declarations, which keep their names, or definitions.
static void moveMembers(gpu::GPUModuleOp kernels, bool declarations,
                        SymbolTable &symbols) {
  for (Operation &member :
       llvm::make_early_inc_range(kernels.getBody()->getOperations())) {
    auto symbol = dyn_cast<SymbolOpInterface>(member);
    if (!symbol || isa<gpu::GPUFuncOp>(member) ||
        symbol.isDeclaration() != declarations)
      continue;
    if (declarations && symbols.lookup(symbol.getName()))
      continue;
    // Names outside of the kernels stay; the new one must be free in both.
    std::string name = symbol.getName().str();
    for (unsigned count = 0;
         symbols.lookup(name) ||
         (count > 0 && SymbolTable::lookupSymbolIn(kernels, name));
         ++count)
      name = (symbol.getName() + "_" + Twine(count)).str();
    if (name != symbol.getName()) {
      auto attribute = StringAttr::get(kernels.getContext(), name);
      // Succeeds, as all ops are registered.
      (void)SymbolTable::replaceAllSymbolUses(symbol.getOperation(), attribute,
                                              kernels);
      SymbolTable::setSymbolName(&member, attribute);
    }
    member.remove();
    symbols.insert(&member);
    symbol.setPrivate();
  }
}

namespace {
struct RngEmulateGPUPass
    : public rng::impl::RngEmulateGPUPassBase<RngEmulateGPUPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Work work;
    if (failed(analyze(module, work)))
      return signalPassFailure();
    dropMemorySpaces(module);

    SymbolTable symbols(module);
    for (gpu::GPUModuleOp kernels : work.kernelModules) {
      for (auto kernel :
           llvm::make_early_inc_range(kernels.getOps<gpu::GPUFuncOp>()))
        if (!work.kernels.contains(kernel))
          kernel.erase();
      moveMembers(kernels, /*declarations=*/true, symbols);
    }
    for (gpu::GPUModuleOp kernels : work.kernelModules)
      moveMembers(kernels, /*declarations=*/false, symbols);
    SmallVector<std::pair<Attribute, func::FuncOp>> functions;
    for (Operation *op : work.kernels) {
      auto kernel = cast<gpu::GPUFuncOp>(op);
      auto reference = SymbolRefAttr::get(
          cast<gpu::GPUModuleOp>(kernel->getParentOp()).getNameAttr(),
          FlatSymbolRefAttr::get(kernel.getNameAttr()));
      functions.push_back({reference, buildFunction(kernel)});
    }
    for (gpu::GPUModuleOp kernels : work.kernelModules)
      symbols.erase(kernels);
    DenseMap<Attribute, StringAttr> names;
    for (auto [reference, function] : functions)
      names[reference] = symbols.insert(function);

    for (Operation *op : work.hostOps) {
      numLaunches += isa<gpu::LaunchOp, gpu::LaunchFuncOp>(op);
      convertHostOp(op, names);
    }
    for (Operation *op : work.hostOps)
      op->dropAllUses();
    for (Operation *op : work.hostOps)
      op->erase();
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  }
};
} // namespace
