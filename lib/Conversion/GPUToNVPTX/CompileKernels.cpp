//===- CompileKernels.cpp - From kernels to PTX or machine code -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  kernels in the LLVM and NVVM dialects, with targets.
// Out: `gpu.binary` with PTX or machine code.
//
//===----------------------------------------------------------------------===//

#include "CudaToolkit.h"
#include "NVVMTarget.h"
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGCOMPILEKERNELSPASS
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::nvptx;

/// Whether this is upstream's complaint about the toolkit of the environment,
/// after which it goes on. What needs libdevice is found out by other means.
static bool isAboutToolkit(Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  return StringRef(text).starts_with("LibDevice path: ") ||
         StringRef(text).starts_with("CUDA path: ");
}

namespace {
struct RngCompileKernelsPass
    : public rng::impl::RngCompileKernelsPassBase<RngCompileKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    ScopedDiagnosticHandler handler(&getContext(), [](Diagnostic &diagnostic) {
      return success(isAboutToolkit(diagnostic));
    });
    GpuModuleToBinaryPassOptions options;
    options.compilationTarget = format;
    std::string libdevice = findLibdevice();
    bool needsLibdevice = false;
    for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>())
      if (failed(checkCalls(kernels, libdevice, needsLibdevice)))
        return signalPassFailure();
    if (needsLibdevice)
      options.linkFiles.push_back(libdevice);
    OpPassManager pm(ModuleOp::getOperationName());
    pm.addPass(createGpuModuleToBinaryPass(options));
    if (failed(runPipeline(pm, getOperation())))
      signalPassFailure();
  }

private:
  /// Fails if `kernels` call what nothing defines; tells whether that is
  /// libdevice, of which `libdevice` is the path.
  LogicalResult checkCalls(gpu::GPUModuleOp kernels, StringRef libdevice,
                           bool &needsLibdevice) {
    WalkResult result = kernels.walk([&](CallOpInterface call) {
      auto callee =
          dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
      if (!callee || !callee.isExternal() ||
          callee.getName().starts_with("llvm.") ||
          isDriverFunction(callee.getName()))
        return WalkResult::advance();
      bool isLibdevice = callee.getName().starts_with("__nv_");
      if (isLibdevice && !libdevice.empty()) {
        needsLibdevice = true;
        return WalkResult::advance();
      }
      // Files that a target of the user's own names may define it.
      if (!isLibdevice && hasLinkedFiles(kernels))
        return WalkResult::advance();
      // Not of the op: that would print all of the module.
      InFlightDiagnostic diagnostic = emitError(call.getLoc());
      diagnostic << "kernel code calls '" << callee.getName()
                 << "', which nothing defines: ";
      if (isLibdevice)
        diagnostic << "it needs 'libdevice.10.bc' of the CUDA toolkit; install "
                      "the toolkit and set CUDA_HOME to its folder or put its "
                      "'bin' on PATH";
      else
        diagnostic << "define it in the module of the kernel";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  static bool hasLinkedFiles(gpu::GPUModuleOp kernels) {
    return kernels.getTargetsAttr() &&
           llvm::any_of(
               kernels.getTargetsAttr().getAsRange<NVVM::NVVMTargetAttr>(),
               [](NVVM::NVVMTargetAttr target) {
                 return target.getLink() && !target.getLink().empty();
               });
  }
};
} // namespace
