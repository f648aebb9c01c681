//===- Reasons.cpp - Why a pass left something as it was --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Transforms/Support/Reasons.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::rng;

bool mlir::rng::wantsReasons(MLIRContext *context) {
  return context->getRemarkEngine() != nullptr;
}

void mlir::rng::reportMissed(Location loc, StringRef function, StringRef pass,
                             StringRef what, const Twine &why) {
  assert(!pass.empty() && !what.empty() &&
         "a filter needs the pass, a reader what it did not do");
  auto remark = remark::missed(
      loc, remark::RemarkOpts::name(what).category(pass).function(function));
  if (remark)
    remark << remark::detail::Remark::Arg("Reason", why.str());
}

void mlir::rng::reportMissed(Operation *op, StringRef pass, StringRef what,
                             const Twine &why) {
  if (!wantsReasons(op->getContext()))
    return;
  auto function = op->getParentOfType<FunctionOpInterface>();
  reportMissed(op->getLoc(), function ? function.getName() : StringRef(), pass,
               what, why);
}
