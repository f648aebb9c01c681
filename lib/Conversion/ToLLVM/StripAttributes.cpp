//===- StripAttributes.cpp - Removes the attributes of rng ------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  ops, functions, arguments and results with attributes of rng.
// Out: the same without.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/ToLLVM/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGSTRIPATTRIBUTESPASS
#include "RngDialect/Conversion/ToLLVM/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

namespace {
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
} // namespace
