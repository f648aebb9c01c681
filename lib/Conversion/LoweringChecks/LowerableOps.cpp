//===- LowerableOps.cpp - What the pipelines can lower ----------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asked of interfaces as far as there are any: a dialect how it gets to LLVM,
// the type converter of LLVM for types, an op for its form on buffers. Lists
// are left for what passes of the pipelines lower without an interface.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/LoweringChecks/LowerableOps.h"
#include "RngDialect/IR/RngDialect.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Support/ThreadLocalCache.h"
#include "llvm/ADT/SmallPtrSet.h"

// Dialects without their ops, whose headers cost a compiler memory.
#include "mlir/Dialect/Affine/IR/AffineOpsDialect.h.inc"
#include "mlir/Dialect/LLVMIR/LLVMOpsDialect.h.inc"
#include "mlir/Dialect/Linalg/IR/LinalgOpsDialect.h.inc"
#include "mlir/Dialect/OpenMP/OpenMPOpsDialect.h.inc"
#include "mlir/Dialect/SCF/IR/SCFOpsDialect.h.inc"
#include "mlir/Dialect/Tensor/IR/TensorOpsDialect.h.inc"

using namespace mlir;
using namespace mlir::rng;

static bool hasTensor(Type type) {
  return type
      .walk([](Type part) {
        return isa<TensorType>(part) ? WalkResult::interrupt()
                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

bool mlir::rng::worksOnTensors(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), hasTensor) ||
         llvm::any_of(op->getResultTypes(), hasTensor);
}

void mlir::rng::emitNotBufferizable(Operation *op) {
  op->emitOpError("works on tensors and has no form on buffers: replace it by "
                  "linalg or tensor ops before this pipeline");
}

//===----------------------------------------------------------------------===//
// Dialects and tensors
//===----------------------------------------------------------------------===//

/// Whether passes of the pipelines lower `op`, or leave it to the translation
/// of LLVM.
static bool isLowered(Operation *op, bool allowKernels) {
  Dialect *dialect = op->getDialect();
  // Compiled kernels are left as they are.
  if (isa<gpu::GPUDialect>(dialect))
    return allowKernels || isa<gpu::BinaryOp>(op);
  return dialect->getRegisteredInterface<ConvertToLLVMPatternInterface>() ||
         isa<BuiltinDialect, LLVM::LLVMDialect, omp::OpenMPDialect, RngDialect,
             affine::AffineDialect, bufferization::BufferizationDialect,
             linalg::LinalgDialect, scf::SCFDialect, tensor::TensorDialect>(
             dialect);
}

/// Whether an op on tensors has a form on buffers, or gets one before all is
/// bufferized. Terminators go with the op around them, but branches between
/// basic blocks, which become regions first only on the way to a CPU.
static bool isBufferized(Operation *op, bool allowKernels) {
  if (isa<ub::PoisonOp>(op))
    return isa<RankedTensorType>(op->getResult(0).getType());
  return isa<bufferization::BufferizableOpInterface,
             linalg::AggregatedOpInterface>(op) ||
         isa<RngDialect, affine::AffineDialect>(op->getDialect()) ||
         (op->hasTrait<OpTrait::IsTerminator>() &&
          (!allowKernels || op->getNumSuccessors() == 0)) ||
         (OpTrait::hasElementwiseMappableTraits(op) &&
          llvm::none_of(op->getResultTypes(),
                        llvm::IsaPred<UnrankedTensorType>));
}

/// Reports an op that is left when buffers are freed, and that the deallocation
/// cannot look through: what it asks of every op.
static LogicalResult checkDeallocation(Operation *op) {
  if (!op->getParentOfType<func::FuncOp>() || worksOnTensors(op) ||
      isa<RngDialect, affine::AffineDialect>(op->getDialect()) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return success();
  if (!isa<MemoryEffectOpInterface, CallOpInterface>(op) &&
      !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return op->emitOpError(
        "cannot be lowered here: what it does to memory is not known, so that "
        "no buffer can be freed after it; lower it first");
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (const MemoryEffects::EffectInstance &effect : instances)
      if (isa<MemoryEffects::Free>(effect.getEffect()) && effect.getValue() &&
          isa<BaseMemRefType>(effect.getValue().getType()))
        return op->emitOpError(
            "cannot be lowered here: remove it, buffers that a function "
            "allocates are freed at their end of life");
  }
  if (op->getNumRegions() == 1 && op->getNumResults() > 0 &&
      !isa<RegionBranchOpInterface>(op))
    return op->emitOpError(
        "cannot be lowered here: which results its region has is not known, so "
        "that no buffer can be freed in it; lower it first");
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
/// Which types have a form in LLVM once tensors are buffers.
class LowerableTypes {
public:
  LowerableTypes(MLIRContext *context, bool allowKernels)
      : converter(context), allowKernels(allowKernels) {}

  bool contains(Type type) {
    // A program has few types and many values.
    auto [known, isNew] = answers.try_emplace(type, false);
    if (!isNew)
      return known->second;
    bool answer = isLowerable(type);
    answers[type] = answer;
    return answer;
  }

private:
  bool isLowerable(Type type) {
    if (auto function = dyn_cast<FunctionType>(type))
      return llvm::all_of(function.getInputs(),
                          [&](Type t) { return contains(t); }) &&
             llvm::all_of(function.getResults(),
                          [&](Type t) { return contains(t); });
    if (auto tensor = dyn_cast<TensorType>(type))
      return BaseMemRefType::isValidElementType(tensor.getElementType()) &&
             contains(tensor.getElementType());
    if (auto memory = dyn_cast<BaseMemRefType>(type))
      return isSpace(memory.getMemorySpace()) && isStrided(memory) &&
             contains(memory.getElementType());
    if (auto vector = dyn_cast<VectorType>(type))
      return contains(vector.getElementType());
    if (allowKernels && isa<gpu::GPUDialect>(type.getDialect()))
      return true;
    return bool(converter.convertType(type));
  }

  /// Asked before the converter, which would print an error of its own.
  bool isSpace(Attribute space) const {
    return !space || isa<IntegerAttr>(space) ||
           (allowKernels && isa<gpu::AddressSpaceAttr>(space));
  }

  static bool isStrided(BaseMemRefType memory) {
    auto ranked = dyn_cast<MemRefType>(memory);
    return !ranked || ranked.isStrided();
  }

  LLVMTypeConverter converter;
  bool allowKernels;
  llvm::DenseMap<Type, bool> answers;
};
} // namespace

/// The first type of the values that `op` makes, or is about, that is not of
/// `types`; null if there is none.
static Type findOddType(Operation *op, LowerableTypes &types) {
  for (Type type : op->getResultTypes())
    if (!types.contains(type))
      return type;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (!types.contains(type))
          return type;
  // Of functions without a body, and of globals.
  for (NamedAttribute attribute : op->getAttrs())
    if (auto type = dyn_cast<TypeAttr>(attribute.getValue()))
      if (!types.contains(type.getValue()))
        return type.getValue();
  return {};
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Reports a function that ends in another way than by returning, or never.
static LogicalResult checkReturns(func::FuncOp function) {
  if (function.isExternal())
    return success();
  bool returns = false;
  SmallVector<Block *> reached = {&function.getBody().front()};
  llvm::SmallPtrSet<Block *, 8> seen(reached.begin(), reached.end());
  for (size_t i = 0; i < reached.size(); ++i) {
    for (Block *next : reached[i]->getSuccessors())
      if (seen.insert(next).second)
        reached.push_back(next);
    Operation *last = &reached[i]->back();
    returns |= isa<func::ReturnOp, ub::UnreachableOp>(last);
    if (last->getNumSuccessors() == 0 &&
        !isa<func::ReturnOp, ub::UnreachableOp>(last))
      return last->emitOpError(
          "cannot end a function that is lowered here: end "
          "it in func.return");
  }
  if (!returns)
    return function.emitOpError("cannot be lowered here: it never returns; let "
                                "one of its paths end in func.return");
  return success();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

LogicalResult mlir::rng::checkLowerableOps(Operation *root, bool allowKernels,
                                           bool allowDealloc) {
  LowerableTypes types(root->getContext(), allowKernels);
  WalkResult result = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<LLVM::LLVMDialect>(op->getDialect()))
      return WalkResult::advance();
    if (!isLowered(op, allowKernels)) {
      op->emitOpError("cannot be lowered here: no pass of this pipeline lowers "
                      "the dialect '")
          << op->getDialect()->getNamespace() << "'; lower it first";
      return WalkResult::interrupt();
    }
    if (Type odd = findOddType(op, types)) {
      op->emitOpError("cannot be lowered here: ")
          << odd << " has no form in LLVM; convert it to another type first";
      return WalkResult::interrupt();
    }
    auto view = dyn_cast<bufferization::ToTensorOp>(op);
    if (view && !view.getRestrict()) {
      view.emitOpError("cannot be lowered here: its buffer might change under "
                       "the tensor; add 'restrict' if nothing else uses it");
      return WalkResult::interrupt();
    }
    if (worksOnTensors(op) && !isBufferized(op, allowKernels)) {
      emitNotBufferizable(op);
      return WalkResult::interrupt();
    }
    if (!allowDealloc && failed(checkDeallocation(op)))
      return WalkResult::interrupt();
    if (auto function = dyn_cast<func::FuncOp>(op))
      return WalkResult(checkReturns(function));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
