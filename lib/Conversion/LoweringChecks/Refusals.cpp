//===- Refusals.cpp - Why a pattern does not match --------------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/LoweringChecks/Refusals.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Threading.h"

using namespace mlir;

std::optional<std::string>
mlir::rng::findRefusal(Operation *op, function_ref<LogicalResult()> check) {
  std::string reason;
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler handler(op->getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    // Passes on other threads have errors of
                                    // their own.
                                    if (llvm::get_threadid() != thread)
                                      return failure();
                                    if (reason.empty())
                                      reason = diagnostic.str();
                                    return success();
                                  });
  if (succeeded(check()))
    return std::nullopt;
  return reason;
}
