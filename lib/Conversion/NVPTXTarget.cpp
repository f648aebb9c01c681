//===- NVPTXTarget.cpp - Is there such a target, and its tools? -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM compiles for an unknown chip after a warning, and crashes for an empty
// one; so what comes later relies on this check.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
}

namespace mlir::rng {
#define GEN_PASS_DEF_RNGCHECKNVPTXTARGETPASS
#include "RngDialect/Conversion/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;

static std::unique_ptr<llvm::MCSubtargetInfo> createSubtargetInfo() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTargetMC();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target->createMCSubtargetInfo(triple, /*CPU=*/"", /*Features=*/""));
}

/// Whether `gpu-module-to-binary` finds `tool`: on the path or in the toolkit.
static bool hasTool(StringRef tool) {
  if (llvm::sys::findProgramByName(tool))
    return true;
  StringRef toolkit = NVVM::getCUDAToolkitPath();
  if (toolkit.empty())
    return false;
  SmallString<128> path(toolkit);
  llvm::sys::path::append(path, "bin", tool);
  return llvm::sys::fs::can_execute(path);
}

namespace {
struct RngCheckNVPTXTargetPass
    : public rng::impl::RngCheckNVPTXTargetPassBase<RngCheckNVPTXTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkChip()) | failed(checkFormat()) | failed(checkOptLevel()) |
        failed(checkTargets()))
      signalPassFailure();
  }

private:
  InFlightDiagnostic error() { return emitError(getOperation().getLoc()); }

  LogicalResult checkChip() {
    std::unique_ptr<llvm::MCSubtargetInfo> info = createSubtargetInfo();
    if (!info)
      return error() << "this LLVM has no NVPTX backend: use one built with "
                        "the target NVPTX";
    // The features of the backend (sm_..., ptx...) are no chips.
    if (!chip.empty() && info->isCPUStringValid(chip))
      return success();
    InFlightDiagnostic diagnostic =
        error() << "expected option 'chip' to name an NVIDIA chip such as "
                   "'sm_90' but got '"
                << chip << "'";
    std::string known;
    for (const llvm::SubtargetSubTypeKV &entry :
         info->getAllProcessorDescriptions())
      if (StringRef(entry.Key).starts_with("sm_"))
        known += (known.empty() ? "" : ", ") + std::string(entry.Key);
    diagnostic.attachNote() << "known chips: " << known;
    return diagnostic;
  }

  LogicalResult checkFormat() {
    if (format == "isa")
      return success();
    if (format != "bin" && format != "fatbin")
      return error() << "expected option 'format' to be 'isa', 'bin' or "
                        "'fatbin' but got '"
                     << format << "'";
    SmallVector<StringRef> tools = {"ptxas"};
    if (format == "fatbin")
      tools.push_back("fatbinary");
    for (StringRef tool : tools)
      if (!hasTool(tool))
        return error() << "'format=" << format << "' needs '" << tool
                       << "' of the CUDA toolkit: install the toolkit and put "
                          "its 'bin' on PATH or set CUDA_HOME, or use "
                          "'format=isa'";
    return success();
  }

  /// What the user's own modules of kernels ask for.
  LogicalResult checkTargets() {
    std::unique_ptr<llvm::MCSubtargetInfo> info = createSubtargetInfo();
    WalkResult result = getOperation().walk([&](gpu::GPUModuleOp kernels) {
      if (!kernels.getTargetsAttr())
        return WalkResult::advance();
      for (Attribute attribute : kernels.getTargetsAttr()) {
        auto target = dyn_cast<NVVM::NVVMTargetAttr>(attribute);
        if (target && info && info->isCPUStringValid(target.getChip()))
          continue;
        kernels.emitOpError("has the target ")
            << attribute
            << ", which is no NVIDIA chip that this LLVM knows: remove it, the "
               "one of option 'chip' will be attached";
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult checkOptLevel() {
    if (optLevel >= 0 && optLevel <= 3)
      return success();
    return error() << "expected option 'opt-level' to be 0, 1, 2 or 3 but got "
                   << optLevel.getValue();
  }
};
} // namespace
