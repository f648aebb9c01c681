//===- LoweringUtilities.cpp - Small steps of the pipelines -----*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/LoweringChecks/LowerableOps.h"
#include "RngDialect/Conversion/Passes.h"
#include "RngDialect/Conversion/Pipelines/PipelineParts.h"
#include "RngDialect/Conversion/RngToArith/EmitDraw.h"
#include "RngDialect/IR/RngDialect.h"
#include "RngDialect/Transforms/JointFunctions/JointMarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGCHECKBUFFERIZABLEPASS
#define GEN_PASS_DEF_RNGCHECKLOWERABLEPASS
#define GEN_PASS_DEF_RNGDEFINEPOISONPASS
#define GEN_PASS_DEF_RNGEXPANDMATHPASS
#define GEN_PASS_DEF_RNGFINALIZELLVMPASS
#define GEN_PASS_DEF_RNGKEEPARGUMENTSPASS
#define GEN_PASS_DEF_RNGKEEPROUNDINGSPASS
#define GEN_PASS_DEF_RNGRETURNATUNREACHABLEPASS
#define GEN_PASS_DEF_RNGSTRIPATTRIBUTESPASS
#include "RngDialect/Conversion/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

namespace {
struct RngCheckLowerablePass
    : public rng::impl::RngCheckLowerablePassBase<RngCheckLowerablePass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkPipelineDependencies(getOperation())) ||
        failed(checkDialects()) || failed(checkModules()) ||
        failed(checkTypes(getOperation())) ||
        failed(checkNoStatefulDraws(getOperation())) ||
        failed(checkStatelessDraws(getOperation())) ||
        failed(checkReserveMemory(getOperation())) ||
        failed(checkLowerableOps(getOperation(), allowKernels, allowDealloc)))
      signalPassFailure();
    else if (auto module = dyn_cast<ModuleOp>(getOperation()))
      warnUnsplitJointFunctions(module, "the lowering");
    markAllAnalysesPreserved();
  }

private:
  /// Upstream passes of the pipelines ask an op for its dialect unchecked.
  LogicalResult checkDialects() {
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (op->getDialect())
        return WalkResult::advance();
      op->emitOpError("cannot be lowered here: its dialect is not registered; "
                      "lower it first, or register the dialect");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// Functions of nested modules are not bufferized with those around them.
  LogicalResult checkModules() {
    WalkResult result = getOperation()->walk([&](Operation *op) {
      auto module = op->getParentOfType<ModuleOp>();
      if ((!isa<RngDialect>(op->getDialect()) && !worksOnTensors(op)) ||
          !module || module->isAncestor(getOperation()))
        return WalkResult::advance();
      InFlightDiagnostic diag = op->emitOpError(
          "cannot be lowered in a nested module: move its functions into the "
          "module around it");
      diag.attachNote(module.getLoc()) << "nested module here";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};

struct RngCheckBufferizablePass
    : public rng::impl::RngCheckBufferizablePassBase<RngCheckBufferizablePass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkPipelineDependencies(getOperation())))
      return signalPassFailure();
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (isa<bufferization::BufferizableOpInterface>(op) ||
          !worksOnTensors(op))
        return WalkResult::advance();
      emitNotBufferizable(op);
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted() || failed(checkEncodings(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

struct RngDefinePoisonPass
    : public rng::impl::RngDefinePoisonPassBase<RngDefinePoisonPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](ub::PoisonOp op) {
      auto type = dyn_cast<RankedTensorType>(op.getType());
      if (!type)
        return;
      OpBuilder b(op);
      SmallVector<Value> sizes;
      for (int64_t i = 0, e = type.getNumDynamicDims(); i != e; ++i)
        sizes.push_back(arith::ConstantIndexOp::create(b, op.getLoc(), 0));
      auto empty = tensor::EmptyOp::create(b, op.getLoc(), type, sizes);
      op->replaceAllUsesWith(empty);
      op->erase();
    });
  }
};

struct RngReturnAtUnreachablePass
    : public rng::impl::RngReturnAtUnreachablePassBase<
          RngReturnAtUnreachablePass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<ub::UnreachableOp> ops;
    getOperation()->walk([&](ub::UnreachableOp op) { ops.push_back(op); });
    for (ub::UnreachableOp op : ops) {
      OpBuilder b(op);
      auto buildPoison = [&](Type type) -> Value {
        return ub::PoisonOp::create(b, op.getLoc(), type);
      };
      if (Operation *exit = findExit(*op->getParentRegion())) {
        SmallVector<Value> operands =
            llvm::map_to_vector(exit->getOperandTypes(), buildPoison);
        OperationState state(op.getLoc(), exit->getName());
        state.addOperands(operands);
        state.addAttributes(exit->getAttrs());
        b.create(state);
      } else if (auto function = dyn_cast<func::FuncOp>(op->getParentOp())) {
        SmallVector<Value> operands =
            llvm::map_to_vector(function.getResultTypes(), buildPoison);
        func::ReturnOp::create(b, op.getLoc(), operands);
      } else {
        continue;
      }
      op.erase();
    }
  }

private:
  /// What another basic block of `region` ends in to leave it; null if none
  /// does.
  static Operation *findExit(Region &region) {
    for (Block &block : region) {
      Operation *terminator = block.getTerminator();
      if (terminator->getNumSuccessors() == 0 &&
          !isa<ub::UnreachableOp>(terminator))
        return terminator;
    }
    return nullptr;
  }
};

struct RngKeepArgumentsPass
    : public rng::impl::RngKeepArgumentsPassBase<RngKeepArgumentsPass> {
  using Base::Base;

  void runOnOperation() override {
    StringRef writable = bufferization::BufferizationDialect::kWritableAttrName;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isPublic() || function.isExternal())
        return;
      for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
        if (isa<TensorType>(type) && !function.getArgAttr(index, writable)) {
          function.setArgAttr(index, writable,
                              BoolAttr::get(&getContext(), false));
          ++numArguments;
        }
    });
  }
};

struct RngKeepRoundingsPass
    : public rng::impl::RngKeepRoundingsPassBase<RngKeepRoundingsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto extension = dyn_cast<arith::ExtFOp>(op))
        extension.removeFastmathAttr();
      else if (auto truncation = dyn_cast<arith::TruncFOp>(op))
        truncation.removeFastmathAttr();
    });
  }
};

struct RngExpandMathPass
    : public rng::impl::RngExpandMathPassBase<RngExpandMathPass> {
  using Base::Base;

  void runOnOperation() override {
    if (math == MathLowering::Libm)
      return;
    if (failed(checkNoTensors()))
      return signalPassFailure();
    // What has no polynomial of its own becomes exp, log and the like first.
    RewritePatternSet expansions(&getContext());
    mlir::math::populateExpansionPatterns(
        expansions, {"sinh", "cosh", "tan", "asinh", "acosh", "atanh", "fpowi",
                     "powf", "exp2", "rsqrt", "clampf"});
    if (failed(applyPatternsGreedily(getOperation(), std::move(expansions))))
      return signalPassFailure();
    RewritePatternSet polynomials(&getContext());
    populateMathPolynomialApproximationPatterns(polynomials);
    if (failed(applyPatternsGreedily(getOperation(), std::move(polynomials))))
      return signalPassFailure();
  }

private:
  /// The polynomials take a tensor for a scalar, and build invalid IR of it.
  LogicalResult checkNoTensors() {
    WalkResult result = getOperation()->walk([](Operation *op) {
      if (!isa_and_nonnull<mlir::math::MathDialect>(op->getDialect()) ||
          !worksOnTensors(op))
        return WalkResult::advance();
      op->emitOpError("works on tensors and cannot be expanded: turn it into "
                      "linalg first, by convert-elementwise-to-linalg");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};

struct RngStripAttributesPass
    : public rng::impl::RngStripAttributesPassBase<RngStripAttributesPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      for (NamedAttribute attribute :
           llvm::to_vector(op->getDiscardableAttrs()))
        if (isOurs(attribute))
          op->removeDiscardableAttr(attribute.getName());
      auto function = dyn_cast<FunctionOpInterface>(op);
      if (!function)
        return;
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        for (NamedAttribute attribute :
             llvm::to_vector(function.getArgAttrs(i)))
          if (isOurs(attribute))
            function.removeArgAttr(i, attribute.getName());
      for (unsigned i = 0; i < function.getNumResults(); ++i)
        for (NamedAttribute attribute :
             llvm::to_vector(function.getResultAttrs(i)))
          if (isOurs(attribute))
            function.removeResultAttr(i, attribute.getName());
    });
  }

private:
  static bool isOurs(NamedAttribute attribute) {
    return attribute.getName().getValue().starts_with("rng.");
  }
};

struct RngFinalizeLLVMPass
    : public rng::impl::RngFinalizeLLVMPassBase<RngFinalizeLLVMPass> {
  using Base::Base;

  void runOnOperation() override {
    // A cast is there for another op: that one is the user's.
    Operation *left = nullptr;
    getOperation()->walk([&](Operation *op) {
      // Compiled kernels and their launches, and loops of OpenMP, are
      // translated as they are.
      if (isa<ModuleOp, gpu::BinaryOp, gpu::LaunchFuncOp>(op) ||
          isa_and_nonnull<omp::OpenMPDialect>(op->getDialect()) ||
          isLLVM(op->getDialect()))
        return WalkResult::advance();
      if (!left || isa<UnrealizedConversionCastOp>(left))
        left = op;
      return isa<UnrealizedConversionCastOp>(left) ? WalkResult::advance()
                                                   : WalkResult::interrupt();
    });
    if (left) {
      left->emitOpError("could not be lowered to the LLVM dialect: lower it "
                        "before this pipeline, or change the types it is "
                        "given");
      return signalPassFailure();
    }
    getOperation()->walk([&](Operation *op) {
      for (NamedAttribute attribute :
           llvm::to_vector(op->getDiscardableAttrs()))
        if (isForeign(attribute.getValue()))
          op->removeDiscardableAttr(attribute.getName());
    });
    freezeConversions();
  }

private:
  /// A float that no integer stands for becomes poison there, which spreads to
  /// all that is made of it. Upstream's polynomials convert their argument on
  /// the way: of a NaN they would yield any number, not a NaN.
  void freezeConversions() {
    getOperation()->walk([](Operation *op) {
      if (!isa<LLVM::FPToSIOp, LLVM::FPToUIOp>(op))
        return;
      OpBuilder b(op->getContext());
      b.setInsertionPointAfter(op);
      Value number = op->getResult(0);
      auto freeze = LLVM::FreezeOp::create(b, op->getLoc(), number);
      number.replaceAllUsesExcept(freeze, freeze);
    });
  }

  static bool isLLVM(Dialect *dialect) {
    return isa_and_nonnull<LLVM::LLVMDialect>(dialect);
  }

  /// Whether the attribute or a part of it is of a dialect that a tool for the
  /// LLVM dialect need not know.
  static bool isForeign(Attribute attribute) {
    return attribute
        .walk([](Attribute part) {
          bool isKnown = isLLVM(&part.getDialect()) ||
                         isa<BuiltinDialect, DLTIDialect>(part.getDialect());
          return isKnown ? WalkResult::advance() : WalkResult::interrupt();
        })
        .wasInterrupted();
  }
};
} // namespace
