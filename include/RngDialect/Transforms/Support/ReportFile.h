//===- ReportFile.h - Files that passes write -------------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RNGDIALECT_TRANSFORMS_SUPPORT_REPORTFILE_H
#define RNGDIALECT_TRANSFORMS_SUPPORT_REPORTFILE_H

#include "mlir/IR/Location.h"
#include "llvm/Support/ToolOutputFile.h"

#include <memory>
#include <string>

namespace mlir::rng {

/// A file that a pass writes for its user: a report, a drawing, a kernel. To
/// open it is a step of its own, so that a pass can fail before it changes
/// anything. A file that is not written to its end is removed.
class ReportFile {
public:
  /// Opens the file `path`, "-" for stdout. Reports an error at `loc`, "cannot
  /// write the " + `what`, and fails if that is not possible.
  static FailureOr<ReportFile> open(Location loc, StringRef path,
                                    StringRef what);

  /// Writes what `print` prints and closes the file; once only. Reports an
  /// error, of a full disk for example, and fails likewise.
  LogicalResult write(function_ref<void(llvm::raw_ostream &)> print);

private:
  ReportFile(Location loc, StringRef path, StringRef what,
             std::unique_ptr<llvm::ToolOutputFile> file)
      : loc(loc), path(path), what(what), file(std::move(file)) {}

  Location loc;
  std::string path, what;
  std::unique_ptr<llvm::ToolOutputFile> file;
};

/// Both steps at once; nothing if `path` is empty.
LogicalResult writeReportFile(Location loc, StringRef path, StringRef what,
                              function_ref<void(llvm::raw_ostream &)> print);

/// `loc` for a reader: "file.mlir:3:5"; empty if it is not known.
std::string describeLocation(Location loc);

} // namespace mlir::rng

#endif // RNGDIALECT_TRANSFORMS_SUPPORT_REPORTFILE_H
