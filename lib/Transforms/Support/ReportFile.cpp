//===- ReportFile.cpp - Files that passes write -----------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/Support/ReportFile.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::rng;

FailureOr<ReportFile> ReportFile::open(Location loc, StringRef path,
                                       StringRef what) {
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &error);
  if (!file)
    return emitError(loc, "cannot write the ") << what << ": " << error;
  return ReportFile(loc, path, what, std::move(file));
}

LogicalResult ReportFile::write(function_ref<void(llvm::raw_ostream &)> print) {
  llvm::raw_fd_ostream &os = file->os();
  print(os);
  // Some file systems say only on closing that there was no room. Standard
  // output stays open for what comes after.
  if (path == "-")
    os.flush();
  else
    os.close();
  if (std::error_code code = os.error()) {
    // An error that nobody has seen ends the process with the stream.
    os.clear_error();
    return emitError(loc, "cannot write the ")
           << what << " to '" << path << "': " << code.message();
  }
  file->keep();
  return success();
}

LogicalResult
mlir::rng::writeReportFile(Location loc, StringRef path, StringRef what,
                           function_ref<void(llvm::raw_ostream &)> print) {
  if (path.empty())
    return success();
  FailureOr<ReportFile> file = ReportFile::open(loc, path, what);
  return failed(file) ? failure() : file->write(print);
}

std::string mlir::rng::describeLocation(Location loc) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  if (!place)
    return {};
  StringRef file = place.getFilename().getValue();
  return llvm::formatv("{0}:{1}:{2}", file.substr(file.rfind('/') + 1),
                       place.getLine(), place.getColumn())
      .str();
}
