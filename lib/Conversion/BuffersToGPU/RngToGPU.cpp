//===- RngToGPU.cpp - Buffer programs to kernels ----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  functions on buffers, some marked `rng.device`, with linalg ops, copies
//      and loops over rows.
// Out: these ops of device functions as `gpu.launch`, their memory as device
//      memory.
//
// The pass convert-rng-to-gpu first lists what each device function does with
// memory and decides whether it has a kernel for all of it; only then it
// rewrites.
//
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"
#include "KernelBuilders.h"
#include "RngDialect/Conversion/BuffersToGPU/Passes.h"
#include "RngDialect/IR/RngDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <vector>

// Dialects without their ops, whose headers cost a compiler memory.
#include "mlir/Dialect/Affine/IR/AffineOpsDialect.h.inc"
#include "mlir/Dialect/Math/IR/MathOpsDialect.h.inc"
#include "mlir/Dialect/SCF/IR/SCFOpsDialect.h.inc"
#include "mlir/Dialect/Vector/IR/VectorDialect.h.inc"

namespace mlir::rng {
#define GEN_PASS_DEF_CONVERTRNGTOGPUPASS
#include "RngDialect/Conversion/BuffersToGPU/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::kernels;

static bool isRankedBuffer(Value value) {
  return isa<MemRefType>(value.getType());
}

/// Whether `op` touches the contents of a buffer it is given.
static bool touchesBuffers(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return false;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  return llvm::any_of(instances, [](MemoryEffects::EffectInstance &instance) {
    Value value = instance.getValue();
    return value && isa<BaseMemRefType>(value.getType()) &&
           isa<MemoryEffects::Read, MemoryEffects::Write, MemoryEffects::Free>(
               instance.getEffect());
  });
}

/// Whether all divisions in `map` are by positive constants.
static bool canExpand(AffineMap map) {
  bool ok = map.getNumSymbols() == 0;
  for (AffineExpr result : map.getResults())
    result.walk([&](AffineExpr expr) {
      if (expr.getKind() != AffineExprKind::Mod &&
          expr.getKind() != AffineExprKind::FloorDiv &&
          expr.getKind() != AffineExprKind::CeilDiv)
        return;
      auto divisor =
          dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(expr).getRHS());
      ok &= divisor && divisor.getValue() > 0;
    });
  return ok;
}

/// Whether `op` calls a function that works in host memory and hands it a
/// buffer or gets one.
static bool callsHostWithBuffers(Operation *op,
                                 SymbolTableCollection &symbols) {
  auto call = dyn_cast<CallOpInterface>(op);
  auto isBuffer = llvm::IsaPred<BaseMemRefType>;
  if (!call || (llvm::none_of(op->getOperandTypes(), isBuffer) &&
                llvm::none_of(op->getResultTypes(), isBuffer)))
    return false;
  Operation *callee = call.resolveCallableInTable(&symbols);
  return callee && !isDeviceFunction(callee);
}

/// The ranked buffer that `buffer` is, null if that cannot be seen.
static Value findRankedBuffer(Value buffer) {
  while (auto cast = buffer.getDefiningOp<memref::CastOp>()) {
    if (isRankedBuffer(buffer))
      break;
    buffer = cast.getSource();
  }
  return isRankedBuffer(buffer) ? buffer : Value();
}

/// Succeeds if the call `op` of a host function can be given host memory.
static LogicalResult checkHostCall(Operation *op) {
  if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>))
    return op->emitOpError("gets a buffer from a function without tensors, "
                           "which works in host memory, while this function "
                           "works in device memory; return a tensor there");
  for (Value operand : op->getOperands())
    if (isa<BaseMemRefType>(operand.getType()) && !findRankedBuffer(operand))
      return op->emitOpError(
          "hands a buffer of unknown rank from device memory "
          "to a function that works in host memory; cast it "
          "from a ranked type in the same function");
  return success();
}

/// Succeeds if there is a kernel for `op`, which touches buffers.
static LogicalResult checkConvertible(Operation *op) {
  auto unsupported = [&](const Twine &why) -> LogicalResult {
    return op->emitOpError(why);
  };
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (!linalgOp.hasPureBufferSemantics())
      return unsupported("works on tensors: bufferize before making kernels");
    for (AffineMap map : linalgOp.getIndexingMapsArray())
      if (!canExpand(map))
        return unsupported("has an indexing map with symbols or a division by "
                           "what is not a positive constant, for which there "
                           "is no kernel");
    return success();
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    if (!isRankedBuffer(copy.getSource()) || !isRankedBuffer(copy.getTarget()))
      return unsupported("copies buffers of unknown rank in device memory; "
                         "cast them to ranked types first");
    return success();
  }
  if (auto reshape = dyn_cast<memref::ReshapeOp>(op)) {
    auto type = dyn_cast<MemRefType>(reshape.getShape().getType());
    if (!type || !type.getLayout().isIdentity())
      return unsupported("reads its shape from device memory, which needs a "
                         "contiguous buffer");
    return success();
  }
  if (isa<memref::LoadOp, memref::StoreOp>(op))
    return success();
  // The user's own kernels and transfers.
  if (op->getDialect() && op->getDialect()->getNamespace() ==
                              gpu::GPUDialect::getDialectNamespace())
    return success();
  return unsupported("reads, writes or frees memory, which is device memory in "
                     "this function, and has no form as a kernel; use ops on "
                     "tensors, or move it to a function without tensors");
}

/// Succeeds if a copy can stand for what `global` names: nothing writes there.
static LogicalResult checkGlobal(memref::GetGlobalOp global,
                                 SymbolTableCollection &symbols) {
  auto definition = symbols.lookupNearestSymbolFrom<memref::GlobalOp>(
      global, global.getNameAttr());
  if (definition && definition.getConstant())
    return success();
  InFlightDiagnostic diag =
      global.emitOpError("is host memory in a function that works in device "
                         "memory, and what is written there would be lost: "
                         "pass device memory as an argument, or make the "
                         "global 'constant'");
  if (definition)
    diag.attachNote(definition.getLoc()) << "defined here";
  return diag;
}

namespace {
/// What is to be done in one function.
struct Work {
  SmallVector<memref::AllocOp> allocs;
  SmallVector<memref::GetGlobalOp> globals;
  SmallVector<Operation *> accesses;
  SmallVector<Operation *> rows;
  SmallVector<Operation *> hostCalls;
};
} // namespace

/// Lists the work in `function`; fails with an error if some has no kernel.
static LogicalResult analyze(FunctionOpInterface function, Work &work,
                             SymbolTableCollection &symbols) {
  bool failed = false;
  auto addGlobal = [&](memref::GetGlobalOp global) {
    if (succeeded(checkGlobal(global, symbols)))
      work.globals.push_back(global);
    else
      failed = true;
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::LaunchOp>(op))
      return WalkResult::skip();
    if (isRowLoop(op)) {
      work.rows.push_back(op);
      for (auto linalgOp : op->getRegion(0).getOps<linalg::LinalgOp>())
        failed |= mlir::failed(checkConvertible(linalgOp));
      return WalkResult::skip();
    }
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      if (alloc.getType().getLayout().isIdentity()) {
        work.allocs.push_back(alloc);
      } else {
        failed = true;
        op->emitOpError("allocates device memory with a layout; only identity "
                        "layouts can be");
      }
    } else if (isa<memref::AllocaOp>(op)) {
      failed = true;
      op->emitOpError("allocates on the stack of the host in a function that "
                      "works in device memory; use memref.alloc");
    } else if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
      addGlobal(global);
    } else if (callsHostWithBuffers(op, symbols)) {
      if (succeeded(checkHostCall(op)))
        work.hostCalls.push_back(op);
      else
        failed = true;
    } else if (touchesBuffers(op)) {
      if (succeeded(checkConvertible(op)))
        work.accesses.push_back(op);
      else
        failed = true;
    }
    // What a kernel's body does, its thread does: loads there stay. But it
    // must find constants in device memory.
    if (isa<linalg::LinalgOp>(op)) {
      op->walk(addGlobal);
      return WalkResult::skip();
    }
    return WalkResult::advance();
  });
  return failure(failed);
}

/// Copies the constant that `global` names to the device. Freed with all the
/// other buffers of the function.
static void convertGlobal(memref::GetGlobalOp global) {
  Operation *position = global;
  while (auto outer = position->getParentOfType<linalg::LinalgOp>())
    position = outer;
  OpBuilder b(position);
  Location loc = global.getLoc();
  Value host =
      memref::GetGlobalOp::create(b, loc, global.getType(), global.getName());
  auto type = global.getType();
  Value device = buildDeviceAlloc(b, loc, type, {});
  buildTransfer(b, loc, device, host);
  global.replaceAllUsesWith(device);
  global.erase();
}

/// Replaces the shape, which host code reads, by a copy on the host.
static void convertReshape(memref::ReshapeOp reshape) {
  OpBuilder b(reshape);
  Location loc = reshape.getLoc();
  Value shape = reshape.getShape();
  Value host =
      memref::AllocOp::create(b, loc, cast<MemRefType>(shape.getType()),
                              buildDynamicSizes(b, loc, shape));
  buildTransfer(b, loc, host, shape);
  reshape.getShapeMutable().assign(host);
}

/// Gives `call` copies in host memory, and takes over what it writes there.
static void convertHostCall(Operation *call) {
  OpBuilder b(call);
  Location loc = call->getLoc();
  llvm::MapVector<Value, Value> hosts;
  for (OpOperand &operand : call->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    Value device = findRankedBuffer(operand.get());
    Value &host = hosts[device];
    if (!host) {
      auto type = cast<MemRefType>(device.getType());
      auto plain = MemRefType::get(type.getShape(), type.getElementType());
      SmallVector<Value> sizes = buildDynamicSizes(b, loc, device);
      // Transfers know contiguous memory only.
      Value contiguous = device;
      if (!type.getLayout().isIdentity()) {
        contiguous = buildDeviceAlloc(b, loc, plain, sizes);
        buildCopyKernel(b, loc, device, contiguous);
      }
      host = memref::AllocOp::create(b, loc, plain, sizes);
      buildTransfer(b, loc, host, contiguous);
      b.setInsertionPointAfter(call);
      buildTransfer(b, loc, contiguous, host);
      if (contiguous != device)
        buildCopyKernel(b, loc, contiguous, device);
      b.setInsertionPoint(call);
    }
    Value argument = host;
    if (argument.getType() != operand.get().getType())
      argument = memref::CastOp::create(b, loc, operand.get().getType(), host);
    operand.set(argument);
  }
}

static void convertAccess(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    buildKernel(b, linalgOp);
  } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    buildCopyKernel(b, loc, copy.getSource(), copy.getTarget());
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    buildStoreKernel(b, loc, store.getValue(), store.getMemref(),
                     store.getIndices());
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    Value value = buildLoad(b, loc, load.getMemref(), load.getIndices());
    load.replaceAllUsesWith(value);
  } else if (auto reshape = dyn_cast<memref::ReshapeOp>(op)) {
    convertReshape(reshape);
    return;
  } else {
    return;
  }
  op->erase();
}

namespace {
struct ConvertRngToGPUPass
    : public rng::impl::ConvertRngToGPUPassBase<ConvertRngToGPUPass> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTableCollection symbols;
    std::vector<Work> works;
    bool failed = false;
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (isDeviceFunction(function))
        failed |=
            mlir::failed(analyze(function, works.emplace_back(), symbols));
    if (failed)
      return signalPassFailure();

    for (Work &work : works) {
      for (memref::AllocOp alloc : work.allocs) {
        OpBuilder b(alloc);
        alloc.replaceAllUsesWith(buildDeviceAlloc(
            b, alloc.getLoc(), alloc.getType(), alloc.getDynamicSizes()));
        alloc.erase();
      }
      for (memref::GetGlobalOp global : work.globals)
        convertGlobal(global);
      for (Operation *loop : work.rows) {
        OpBuilder b(loop);
        buildRowKernel(b, loop);
        loop->erase();
      }
      for (Operation *access : work.accesses)
        convertAccess(access);
      for (Operation *call : work.hostCalls)
        convertHostCall(call);
    }
    getOperation().walk([&](gpu::LaunchOp) { ++numKernels; });
  }
};
} // namespace
