//===- KeepArguments.cpp - Arguments that are read only ---------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  public functions on tensors.
// Out: the same, with arguments that bufferization may not write to.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/Bufferization/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGKEEPARGUMENTSPASS
#include "RngDialect/Conversion/Bufferization/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

namespace {
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
} // namespace
