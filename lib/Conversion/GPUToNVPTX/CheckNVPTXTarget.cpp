//===- CheckNVPTXTarget.cpp - Checks chip and tools -------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  any module.
// Out: the same, or an error if its kernels have no target or no tools.
//
// LLVM compiles for an unknown chip after a warning, and crashes for an empty
// one; so what comes later relies on this check.
//
//===----------------------------------------------------------------------===//

#include "CudaToolkit.h"
#include "NVVMTarget.h"
#include "RngDialect/Conversion/Dependencies.h"
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
}

namespace mlir::rng {
#define GEN_PASS_DEF_RNGCHECKNVPTXTARGETPASS
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::nvptx;

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

//===----------------------------------------------------------------------===//
// The CUDA toolkit
//===----------------------------------------------------------------------===//

/// The program that `gpu-module-to-binary` takes for `tool`: on the path or in
/// the toolkit; "" if there is none.
static std::string findTool(StringRef tool) {
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(tool))
    return *found;
  StringRef toolkit = NVVM::getCUDAToolkitPath();
  if (toolkit.empty())
    return "";
  SmallString<128> path(toolkit);
  llvm::sys::path::append(path, "bin", tool);
  return llvm::sys::fs::can_execute(path) ? path.str().str() : "";
}

/// What the assembler says of itself with `option`; "" if it does not run.
static std::string askAssembler(StringRef ptxas, StringRef option) {
  SmallString<128> output;
  if (llvm::sys::fs::createTemporaryFile("rng-ptxas", "txt", output))
    return "";
  llvm::FileRemover remover(output);
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(output),
                                          StringRef(output)};
  if (llvm::sys::ExecuteAndWait(ptxas, {ptxas, option}, /*Env=*/std::nullopt,
                                redirects) != 0)
    return "";
  auto buffer = llvm::MemoryBuffer::getFile(output);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

//===----------------------------------------------------------------------===//
// The check
//===----------------------------------------------------------------------===//

/// The number of a chip `sm_<number>` with or without a letter; 0 if it is
/// none.
static unsigned getNumber(StringRef chip) {
  unsigned number = 0;
  if (!chip.consume_front("sm_") || chip.consumeInteger(10, number))
    return 0;
  return number;
}

/// The oldest chip that kernels are written for.
static constexpr unsigned oldestChip = 70;

namespace {
struct RngCheckNVPTXTargetPass
    : public rng::impl::RngCheckNVPTXTargetPassBase<RngCheckNVPTXTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    info = createSubtargetInfo();
    if (!info) {
      error()
          << "this LLVM has no NVPTX backend: use one built with the target "
             "NVPTX";
      return signalPassFailure();
    }
    if (failed(checkPipelineDependencies(getOperation(), /*forKernels=*/true)))
      return signalPassFailure();
    if (failed(checkChip()) | failed(checkFormat()) | failed(checkOptLevel()) |
        failed(checkTargets()) | failed(checkLibdevice()))
      signalPassFailure();
  }

private:
  InFlightDiagnostic error() { return emitError(getOperation().getLoc()); }

  bool isKnown(StringRef name) const {
    // The features of the backend (sm_..., ptx...) are no chips.
    return !name.empty() && info->isCPUStringValid(name) &&
           getNumber(name) >= oldestChip;
  }

  LogicalResult checkChip() {
    if (isKnown(chip))
      return checkAssembler(chip);
    InFlightDiagnostic diagnostic = error();
    if (!chip.empty() && info->isCPUStringValid(chip))
      diagnostic << "expected option 'chip' to name 'sm_" << oldestChip
                 << "' or a later chip but got '" << chip << "'";
    else
      diagnostic << "expected option 'chip' to name an NVIDIA chip such as "
                    "'sm_90' but got '"
                 << chip << "'";
    SmallVector<StringRef> known;
    for (const llvm::SubtargetSubTypeKV &entry :
         info->getAllProcessorDescriptions())
      if (isKnown(entry.Key))
        known.push_back(entry.Key);
    llvm::stable_sort(known, [](StringRef a, StringRef b) {
      return getNumber(a) < getNumber(b);
    });
    diagnostic.attachNote() << "known chips: " << llvm::join(known, ", ");
    return diagnostic;
  }

  bool needsAssembler() const { return format == "bin" || format == "fatbin"; }

  /// Fails if the assembler is needed and has no code for `name`.
  LogicalResult checkAssembler(StringRef name) {
    std::string ptxas;
    if (!needsAssembler() || (ptxas = findTool("ptxas")).empty())
      return success();
    std::string help = askAssembler(ptxas, "--help");
    // Of a version that lists no chips, the run will tell.
    if (help.find("'sm_") == std::string::npos ||
        help.find(("'" + name + "'").str()) != std::string::npos)
      return success();
    std::string version = askAssembler(ptxas, "--version");
    StringRef release = StringRef(version).split("release ").second;
    release = release.take_until([](char c) { return c == ','; });
    return error() << "'format=" << format << "' cannot be made for the chip '"
                   << name << "': '" << ptxas << "' "
                   << (release.empty() ? ""
                                       : ("of CUDA " + release + " ").str())
                   << "has no code for it; use a CUDA toolkit that has, or "
                      "'format=isa', which the driver compiles";
  }

  LogicalResult checkFormat() {
    if (format == "isa")
      return success();
    if (!needsAssembler())
      return error() << "expected option 'format' to be 'isa', 'bin' or "
                        "'fatbin' but got '"
                     << format << "'";
    SmallVector<StringRef> tools = {"ptxas"};
    if (format == "fatbin")
      tools.push_back("fatbinary");
    for (StringRef tool : tools)
      if (findTool(tool).empty())
        return error() << "'format=" << format << "' needs '" << tool
                       << "' of the CUDA toolkit: install the toolkit and put "
                          "its 'bin' on PATH or set CUDA_HOME, or use "
                          "'format=isa'";
    return success();
  }

  /// What the user's own modules of kernels ask for.
  LogicalResult checkTargets() {
    WalkResult result = getOperation().walk([&](gpu::GPUModuleOp kernels) {
      if (!kernels.getTargetsAttr())
        return WalkResult::advance();
      for (Attribute attribute : kernels.getTargetsAttr()) {
        auto target = dyn_cast<NVVM::NVVMTargetAttr>(attribute);
        if (!target || !isKnown(target.getChip())) {
          kernels.emitOpError("has the target ")
              << attribute
              << ", which is no NVIDIA chip that this LLVM knows from sm_"
              << oldestChip
              << " on: remove it, the one of option 'chip' will be attached";
          return WalkResult::interrupt();
        }
        // LLVM aborts where the version of PTX is too low for the chip.
        if (!target.getFeatures().empty() && !isDefault(target)) {
          kernels.emitOpError("has the target ")
              << attribute
              << " with features: remove them, the version of PTX follows the "
                 "chip";
          return WalkResult::interrupt();
        }
        if (failed(checkAssembler(target.getChip())))
          return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Whether the features are those that a target has if it names none.
  static bool isDefault(NVVM::NVVMTargetAttr target) {
    return target.getFeatures() ==
           NVVM::NVVMTargetAttr::get(target.getContext()).getFeatures();
  }

  LogicalResult checkOptLevel() {
    if (optLevel >= 0 && optLevel <= 3)
      return success();
    return error() << "expected option 'opt-level' to be 0, 1, 2 or 3 but got "
                   << optLevel.getValue();
  }

  LogicalResult checkLibdevice() {
    if (math == MathLowering::Poly || !findLibdevice().empty())
      return success();
    return error()
           << "'math=libm' needs 'libdevice.10.bc' of the CUDA toolkit: "
              "install the toolkit and set CUDA_HOME to its folder or "
              "put its 'bin' on PATH, or use 'math=poly'";
  }

  // Shared: passes are copied.
  std::shared_ptr<llvm::MCSubtargetInfo> info;
};
} // namespace
