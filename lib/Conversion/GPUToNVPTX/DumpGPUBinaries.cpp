//===- DumpGPUBinaries.cpp - Checks and writes compiled kernels -*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  `gpu.binary`.
// Out: the same without compile times, checked and written to files.
//
//===----------------------------------------------------------------------===//

#include "CudaToolkit.h"
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h"
#include "RngDialect/Transforms/Support/ReportFile.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGDUMPGPUBINARIESPASS
#include "RngDialect/Conversion/GPUToNVPTX/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;
using namespace mlir::rng::nvptx;

/// The first function that PTX declares and nothing defines; empty if none.
static StringRef findUnresolved(StringRef ptx) {
  while (!ptx.empty()) {
    StringRef line;
    std::tie(line, ptx) = ptx.split('\n');
    line = line.trim();
    if (!line.consume_front(".extern .func"))
      continue;
    // `.extern .func (.param .b32 result) name` or `.extern .func name`, the
    // parameters on the lines that follow.
    line = line.ltrim();
    if (line.starts_with("("))
      line = line.split(')').second.ltrim();
    StringRef name = line.take_until(
        [](char c) { return c == '(' || c == ';' || llvm::isSpace(c); });
    if (!isDriverFunction(name))
      return name;
  }
  return "";
}

static StringRef getExtension(gpu::CompilationTarget format) {
  switch (format) {
  case gpu::CompilationTarget::Assembly:
    return ".ptx";
  case gpu::CompilationTarget::Binary:
    return ".cubin";
  case gpu::CompilationTarget::Fatbin:
    return ".fatbin";
  case gpu::CompilationTarget::Offload:
    return ".bc";
  }
  return ".bin";
}

/// `object` without the times that its compilation took.
static gpu::ObjectAttr dropTimes(gpu::ObjectAttr object) {
  DictionaryAttr properties = object.getProperties();
  if (!properties)
    return object;
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute property : properties)
    if (!property.getName().getValue().ends_with("TimeInMs"))
      kept.push_back(property);
  return gpu::ObjectAttr::get(object.getContext(), object.getTarget(),
                              object.getFormat(), object.getObject(),
                              DictionaryAttr::get(object.getContext(), kept),
                              object.getKernels());
}

namespace {
struct RngDumpGPUBinariesPass
    : public rng::impl::RngDumpGPUBinariesPassBase<RngDumpGPUBinariesPass> {
  using Base::Base;

  void runOnOperation() override {
    bool failed = false;
    getOperation()->walk([&](gpu::BinaryOp binary) {
      for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
        if (object.getFormat() != gpu::CompilationTarget::Assembly)
          continue;
        StringRef name = findUnresolved(object.getObject().getValue());
        if (name.empty())
          continue;
        failed = true;
        // Not an error of the op: that would print the binary.
        emitError(binary.getLoc())
            << "'" << binary.getSymName() << "' calls '" << name
            << "', which nothing defines: define it in the module of the "
               "kernel, or do without it";
      }
    });
    if (failed || (!dumpDir.empty() && mlir::failed(dump())))
      return signalPassFailure();
    getOperation()->walk([](gpu::BinaryOp binary) {
      SmallVector<Attribute> objects;
      for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
        objects.push_back(dropTimes(object));
      binary.setObjectsAttr(ArrayAttr::get(binary.getContext(), objects));
    });
  }

private:
  LogicalResult dump() {
    std::error_code error = llvm::sys::fs::create_directories(dumpDir);
    // A file of that name is no error of the call.
    if (!error && !llvm::sys::fs::is_directory(dumpDir))
      error = std::make_error_code(std::errc::not_a_directory);
    if (error)
      return emitError(getOperation().getLoc())
             << "cannot create the folder '" << dumpDir
             << "' of option 'dump-dir': " << error.message();
    llvm::StringSet<> uses;
    WalkResult result = getOperation()->walk([&](gpu::BinaryOp binary) {
      for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
        if (failed(write(binary, object, uses)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult write(gpu::BinaryOp binary, gpu::ObjectAttr object,
                      llvm::StringSet<> &uses) {
    // A symbol may hold any character.
    std::string stem = binary.getSymName().str();
    for (char &c : stem)
      if (!llvm::isAlnum(c) && c != '_' && c != '-' && c != '.' && c != '$')
        c = '_';
    std::string plain = stem;
    for (unsigned count = 1; !uses.insert(stem).second; ++count)
      stem = plain + "-" + llvm::utostr(count);
    SmallString<128> path(dumpDir);
    llvm::sys::path::append(path, stem + getExtension(object.getFormat()));
    StringRef content = object.getObject().getValue();
    if (object.getFormat() == gpu::CompilationTarget::Assembly)
      content = content.rtrim('\0');
    if (failed(
            writeReportFile(binary.getLoc(), path,
                            ("kernels of '" + binary.getSymName() + "'").str(),
                            [&](llvm::raw_ostream &os) { os << content; })))
      return failure();
    ++numFiles;
    return success();
  }
};
} // namespace
