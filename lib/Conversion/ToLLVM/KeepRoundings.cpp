//===- KeepRoundings.cpp - Conversions that always round --------*- C++ -*-===//
//
// Part of the RngDialect project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In:  conversions of floats that may be contracted.
// Out: conversions that round.
//
//===----------------------------------------------------------------------===//

#include "RngDialect/Conversion/ToLLVM/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::rng {
#define GEN_PASS_DEF_RNGKEEPROUNDINGSPASS
#include "RngDialect/Conversion/ToLLVM/Passes.h.inc"
} // namespace mlir::rng

using namespace mlir;
using namespace mlir::rng;

namespace {
struct RngKeepRoundingsPass
    : public rng::impl::RngKeepRoundingsPassBase<RngKeepRoundingsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto extension = dyn_cast<arith::ExtFOp>(op))
        extension.removeFastmathAttr();
      else if (auto truncation = dyn_cast<arith::TruncFOp>(op))
        truncation.removeFastmathAttr();
    });
  }
};
} // namespace
